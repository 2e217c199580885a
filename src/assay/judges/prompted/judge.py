"""A chat model, or a recording of one, as a judge."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce

from assay.domain.answer import MetricAnswer
from assay.domain.ask import Answer, Ask, BankAsk, MetricAsk, WholeAsk
from assay.domain.findings import Findings
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import TooLong
from assay.foreign.objects import read_whole_reply
from assay.gather import gather_or_cancel
from assay.judges.judge import Judge
from assay.judges.prompted.prompt import Prompt, build_bank_prompt, build_metrics_prompt
from assay.judges.prompted.read import read_bank_reply, read_metrics_reply
from assay.judges.prompted.template import templates_digest
from assay.judges.prompted.windows import CHARACTERS_PER_TOKEN, choose_windows
from assay.models.chat import Call, CallKey, Chat, Completion
from assay.models.recording import Recorder, Recording
from assay.replies.strict import reading_reply
from assay.units.passages import OUTPUT, Passages

# Where an endpoint said "too long" without saying how long is not: half of what it refused.
_SHRINK = 2
# The ask of a call that is about all metrics of a record.
ALL = "all"
_REPLY = "the reply"
_CHANGED = "model_changed"
_NARROWINGS = 3
# More units than this are asked in parts: a longer reply is cut off, or loses its thread.
_MOST_UNITS = 40
# Room for what a model thinks before it replies, which counts against the limit of a reply.
_THINKING_TOKENS = 8_000
_MOST_REPLY_TOKENS = 32_000


class PromptedJudge(Judge):
    """One call per bank, and one for all metrics of a record; without `joint`, one for each metric."""

    reasks = 2

    def __init__(
        self,
        chat: Chat,
        *,
        joint: bool = True,
        temperature: float | None = 0.0,
    ) -> None:
        self._chat = chat
        self._joint = joint
        self._temperature = temperature
        self._model = ""
        self._room_tokens = _THINKING_TOKENS if chat.reasons else 0

    @cached_property
    def name(self) -> str:
        separate = "" if self._joint else "/separate"
        return f"{self._chat.name}/prompts-{templates_digest()}{separate}"

    def answers_whole(self, record: Record, rubric: Rubric) -> bool:
        """Only a recording holds whole replies: those that another tool gave in the rubric's own shape."""
        if rubric.shape is None or not isinstance(self._chat, Recording | Recorder):
            return False
        return self._chat.has(record.id, rubric.id)

    def answers_jointly(self, record: Record) -> bool:
        """A recording is asked as it was recorded."""
        if isinstance(self._chat, Recording | Recorder) and self._chat.replays:
            return self._chat.has(record.id, ALL)
        return self._joint

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        if isinstance(ask, BankAsk):
            prompt = build_bank_prompt(ask, passages)
            return (await self._ask(prompt, _key(ask), lambda reply: [read_bank_reply(reply, ask)]))[0]
        if len(ask.units) > _MOST_UNITS:
            return await self._answer_in_parts(ask, passages)
        try:
            prompt = build_metrics_prompt([ask], passages)
            return (await self._ask(prompt, _key(ask), lambda reply: read_metrics_reply(reply, [ask], passages)))[0]
        except TooLong as error:
            # Only a metric that looks for evidence in the sources can be judged on windows of them.
            if not any(part.evidence == "source" for part in ask.metric.label_parts):
                raise
            return await self._answer_windowed(ask, passages, error)

    async def answer_together(self, asks: Sequence[MetricAsk], passages: Passages) -> Sequence[Answer]:
        if sum(len(ask.units) for ask in asks) > _MOST_UNITS:
            return await gather_or_cancel(*(self.answer(ask, passages) for ask in asks))
        prompt = build_metrics_prompt(asks, passages)
        key = replace(_key(asks[0]), ask=ALL)
        try:
            return await self._ask(prompt, key, lambda reply: read_metrics_reply(reply, asks, passages))
        except TooLong:
            return await gather_or_cancel(*(self.answer(ask, passages) for ask in asks))

    async def answer_whole(self, ask: WholeAsk, passages: Passages) -> Mapping[str, MetricAnswer]:
        del passages
        key = CallKey(ask.record.id, ask.id, ask.sample, 0, ask.record.system)
        completion = await self._chat.complete(Call((), None, 0, None, key))
        with reading_reply(_REPLY):
            return read_whole_reply(completion, ask)

    async def close(self) -> None:
        await self._chat.close()

    async def _answer_in_parts(self, ask: MetricAsk, passages: Passages) -> Answer:
        """The units in several calls; everything else that the metric asks for goes with the first of them."""
        parts = [ask.units[at : at + _MOST_UNITS] for at in range(0, len(ask.units), _MOST_UNITS)]
        labels = frozenset(part.id for part in ask.metric.label_parts)
        asks = [replace(ask, units=parts[0])]
        asks += [
            replace(ask, id=f"{ask.id}.part-{number}", units=units, wanted=labels & (ask.wanted or labels))
            for number, units in enumerate(parts[1:], 2)
        ]
        answers = await gather_or_cancel(*(self._answer_part(each, ask, passages) for each in asks))
        return Answer(
            findings=reduce(Findings.joined, (answer.findings for answer in answers)),
            faults=tuple(fault for answer in answers for fault in answer.faults),
            flags=tuple(dict.fromkeys(flag for answer in answers for flag in answer.flags)),
            repairs=tuple(dict.fromkeys(repair for answer in answers for repair in answer.repairs)),
            reply="\n".join(answer.reply for answer in answers),
        )

    async def _answer_part(self, part: MetricAsk, ask: MetricAsk, passages: Passages) -> Answer:
        """The prompt and the reply name the metric; only the key of the call names the part."""
        named = replace(part, id=ask.id)
        prompt = build_metrics_prompt([named], passages)
        return (await self._ask(prompt, _key(part), lambda reply: read_metrics_reply(reply, [named], passages)))[0]

    async def _answer_windowed(self, ask: MetricAsk, passages: Passages, error: TooLong) -> Answer:
        """On windows of the sources, narrowed until they fit; that they were used is part of the answer."""
        room = self._find_room(ask, passages)
        for narrowing in range(_NARROWINGS + 1):
            only = choose_windows(ask.units, passages, room)
            if not only:
                break
            # A name of their own keeps these calls apart from the refused ones when a recording is replayed.
            name = f"{ask.id}.windows-{narrowing + 1}"
            try:
                prompt = build_metrics_prompt([ask], passages, only)
                key = replace(_key(ask), ask=name)
                (answer,) = await self._ask(prompt, key, lambda reply: read_metrics_reply(reply, [ask], passages))
            except TooLong as again:
                shown = sum(len(passage.text) for passage in passages.all if passage.id in only)
                error, room = again, min(room, shown) // _SHRINK
                continue
            total = sum(passage.source != OUTPUT for passage in passages.all)
            note = f"{error}; judged on {len(only)} of {total} passages, found by retrieval"
            return replace(answer, flags=(*answer.flags, "windowed"), repairs=(*answer.repairs, note))
        raise error

    def _find_room(self, ask: MetricAsk, passages: Passages) -> int:
        """How many characters of the sources fit beside all else that the prompt holds."""
        limit = self._chat.context_tokens
        if limit is None:
            return sum(len(passage.text) for passage in passages.all if passage.source != OUTPUT) // _SHRINK
        bare = build_metrics_prompt([ask], passages, ())
        return (limit - bare.max_tokens) * CHARACTERS_PER_TOKEN - _characters(bare)

    def _check_length(self, prompt: Prompt) -> None:
        limit = self._chat.context_tokens
        tokens = _characters(prompt) // CHARACTERS_PER_TOKEN + prompt.max_tokens
        if limit is not None and tokens > limit:
            raise TooLong(f"about {tokens} tokens do not fit a context of {limit}")

    async def _ask(
        self, prompt: Prompt, key: CallKey, read: Callable[[Completion], Sequence[Answer]]
    ) -> Sequence[Answer]:
        self._check_length(prompt)
        schema = prompt.whole_schema if self._chat.shares_schema else prompt.schema
        tokens = min(prompt.max_tokens + self._room_tokens, max(_MOST_REPLY_TOKENS, prompt.max_tokens))
        call = Call(prompt.messages, schema, tokens, self._temperature, key, prompt.shared)
        completion = await self._chat.complete(call)
        if completion.finish_reason == "length":
            # It thinks, or writes more than others do: every later reply has more room, within the bound above.
            self._room_tokens = max(self._room_tokens * 2, _THINKING_TOKENS)
        # What one judge said is compared and averaged as one judge's, so that it should be one model's.
        self._model = self._model or completion.model
        is_other = bool(completion.model) and completion.model != self._model
        with reading_reply(_REPLY):
            answers = read(completion)
        if not any(answer.faults for answer in answers):
            self._chat.accept(key)
        return [replace(answer, flags=(*answer.flags, _CHANGED)) for answer in answers] if is_other else answers


def _key(ask: Ask) -> CallKey:
    """A bank belongs to its sources, whichever system's record asks for it first."""
    if isinstance(ask, BankAsk):
        return CallKey(ask.record, ask.id, 0, ask.attempt, None)
    return CallKey(ask.record.id, ask.id, ask.sample, ask.attempt, ask.record.system)


def _characters(prompt: Prompt) -> int:
    return sum(len(message.text) for message in prompt.messages)
