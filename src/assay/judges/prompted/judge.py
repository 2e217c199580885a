"""A chat model, or a recording of one, as a judge."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from assay.domain.ask import Answer, Ask, BankAsk, MetricAsk
from assay.domain.defences import DEFENDED, Defences
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import TooLong
from assay.foreign.answer import WholeAnswer, WholeAsk
from assay.foreign.objects import read_whole_reply
from assay.judges.judge import Judge
from assay.judges.prompted.prompt import Prompt, build_bank_prompt, build_metrics_prompt
from assay.judges.prompted.read import read_bank_reply, read_joint_reply, read_metric_reply
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


class PromptedJudge(Judge):
    """One call per bank and metric; `joint` asks about all metrics of a record in one call."""

    reasks = 2

    def __init__(
        self,
        chat: Chat,
        *,
        joint: bool = False,
        temperature: float | None = 0.0,
        defences: Defences = DEFENDED,
    ) -> None:
        self._chat = chat
        self._joint = joint
        self._temperature = temperature
        self._defences = defences
        self._model = ""

    @cached_property
    def name(self) -> str:
        joint = "/joint" if self._joint else ""
        return f"{self._chat.name}/prompts-{templates_digest()}{joint}{self._defences.marks_in_prompts}"

    def answers_whole(self, record: Record, rubric: Rubric) -> bool:
        """Only a recording holds whole replies: those that another tool gave in the rubric's own shape."""
        if rubric.shape is None or not isinstance(self._chat, Recording | Recorder):
            return False
        return self._chat.has(record.id, rubric.id)

    def answers_jointly(self, record: Record) -> bool:
        if self._joint:
            return True
        return isinstance(self._chat, Recording | Recorder) and self._chat.has(record.id, ALL)

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        if isinstance(ask, BankAsk):
            prompt = build_bank_prompt(ask, passages, self._defences)
            return (await self._ask(prompt, _key(ask), lambda reply: [read_bank_reply(reply, ask)]))[0]
        try:
            prompt = build_metrics_prompt([ask], passages, defences=self._defences)
            return (await self._ask(prompt, _key(ask), lambda reply: [read_metric_reply(reply, ask)]))[0]
        except TooLong as error:
            # Only a metric that looks for evidence in the sources can be judged on windows of them.
            if not any(part.evidence == "source" for part in ask.metric.label_parts):
                raise
            return await self._answer_windowed(ask, passages, error)

    async def answer_together(self, asks: Sequence[MetricAsk], passages: Passages) -> Sequence[Answer]:
        prompt = build_metrics_prompt(asks, passages, defences=self._defences)
        try:
            return await self._ask(prompt, replace(_key(asks[0]), ask=ALL), lambda reply: read_joint_reply(reply, asks))
        except TooLong:
            return [await self.answer(ask, passages) for ask in asks]

    async def answer_whole(self, ask: WholeAsk, passages: Passages) -> WholeAnswer:
        del passages
        key = CallKey(ask.record.id, ask.id, ask.sample, 0, ask.record.system)
        completion = await self._chat.complete(Call((), None, 0, None, key))
        with reading_reply(_REPLY):
            return read_whole_reply(completion, ask)

    async def close(self) -> None:
        await self._chat.close()

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
                prompt = build_metrics_prompt([ask], passages, only, self._defences)
                key = replace(_key(ask), ask=name)
                (answer,) = await self._ask(prompt, key, lambda reply: [read_metric_reply(reply, ask)])
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
        bare = build_metrics_prompt([ask], passages, (), self._defences)
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
        call = Call(prompt.messages, prompt.schema, prompt.max_tokens, self._temperature, key)
        completion = await self._chat.complete(call)
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
