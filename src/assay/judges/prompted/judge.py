"""A chat model, or a recording of one, as a judge."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from assay.domain.ask import Answer, Ask, BankAsk, MetricAsk, WholeAsk
from assay.domain.outcome import Trail
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import TooLong
from assay.formats.objects import read_whole_reply
from assay.gather import gather_or_cancel
from assay.judges.judge import Judge
from assay.judges.prompted.material import CHARACTERS_PER_TOKEN, choose_windows
from assay.judges.prompted.prompt import ALL, build_bank_call, build_metrics_call
from assay.judges.prompted.read import read_bank_reply, read_metrics_reply
from assay.judges.prompted.side_by_side import (
    build_side_by_side_call,
    read_side_by_side_reply,
    show_outputs,
    split_metrics,
)
from assay.judges.prompted.template import templates_digest
from assay.models.chat import Call, CallKey, Chat, Completion
from assay.models.recording import Recorder, Recording
from assay.replies.strict import reading_reply
from assay.units.passages import OUTPUT, Passages

# Where an endpoint said "too long" without saying how long is not: half of what it refused.
_SHRINK = 2
_REPLY = "the reply"
_CHANGED = "model_changed"
_NARROWINGS = 3
# Room for what a model thinks before it replies, which counts against the limit of a reply.
_THINKING_TOKENS = 8_000
_MOST_REPLY_TOKENS = 32_000


class PromptedJudge(Judge):
    """One call per bank, and one for all metrics of a record; without `joint`, one for each metric."""

    reasks = 2
    sees_several = True
    # More are asked in parts: a longer reply is cut off, or loses its thread.
    most_units = 40

    def __init__(self, chat: Chat, *, joint: bool = True, temperature: float | None = 0.0) -> None:
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
            call = build_bank_call(ask, passages, shares_schema=self._chat.shares_schema)
            [answer] = await self._send(call, lambda reply: [read_bank_reply(reply, ask)])
        else:
            [answer] = await self.answer_together([ask], passages)
        return answer

    async def answer_together(self, asks: Sequence[MetricAsk], passages: Passages) -> Sequence[Answer]:
        if not asks:  # of an output that a call for some of the metrics does not show
            return ()
        call = build_metrics_call(asks, passages, shares_schema=self._chat.shares_schema)
        try:
            return await self._send(call, lambda reply: read_metrics_reply(reply, asks, passages))
        except TooLong as error:
            if len(asks) > 1:
                return await gather_or_cancel(*(self.answer(ask, passages) for ask in asks))
            # Only a metric that looks for evidence in the sources can be judged on windows of them.
            if not any(part.evidence == "source" for part in asks[0].metric.label_parts):
                raise
            return [await self._answer_windowed(asks[0], passages, error)]

    async def answer_side_by_side(
        self, asks: Sequence[Sequence[MetricAsk]], passages: Sequence[Passages]
    ) -> Sequence[Sequence[Answer]]:
        shown = show_outputs(asks, passages)
        if len(shown) == 1:
            return await super().answer_side_by_side(asks, passages)
        if len(calls := split_metrics(asks)) > 1:
            chosen = [[[ask for ask in own if ask.id in metrics] for own in asks] for metrics in calls]
            answered = await gather_or_cancel(*(self.answer_side_by_side(each, passages) for each in chosen))
            return [[one for own in answers for one in own] for answers in zip(*answered, strict=True)]
        try:
            answers = iter(
                await self._send(build_side_by_side_call(shown), lambda reply: read_side_by_side_reply(reply, shown))
            )
        except TooLong:
            return await super().answer_side_by_side(asks, passages)
        return [[next(answers) for _ in own] for own in asks]

    async def answer_whole(self, ask: WholeAsk, passages: Passages) -> Mapping[str, Trail]:
        del passages
        key = CallKey(ask.record.id, ask.id, ask.sample, 0, ask.record.system)
        completion = await self._chat.complete(Call((), None, 0, None, key))
        with reading_reply(_REPLY):
            return read_whole_reply(completion, ask)

    async def close(self) -> None:
        await self._chat.close()

    async def _answer_windowed(self, ask: MetricAsk, passages: Passages, error: TooLong) -> Answer:
        """On windows of the sources, narrowed until they fit; that they were used is part of the answer."""
        limit, shares_schema = self._chat.context_tokens, self._chat.shares_schema
        sources = [passage for passage in passages.all if passage.source != OUTPUT]
        room = sum(len(passage.text) for passage in sources) // _SHRINK
        if limit is not None:  # what fits beside all else that the prompt holds
            bare = build_metrics_call([ask], passages, ())
            room = (limit - bare.max_tokens) * CHARACTERS_PER_TOKEN - bare.characters
        for narrowing in range(_NARROWINGS + 1):
            only = choose_windows(ask.units, passages, room)
            if not only:
                break
            call = build_metrics_call([ask], passages, only, shares_schema=shares_schema)
            # A name of their own keeps these calls apart from the refused ones when a recording is replayed.
            key = replace(call.key, ask=f"{call.key.ask}.windows-{narrowing + 1}")
            try:
                [answer] = await self._send(
                    replace(call, key=key), lambda reply: read_metrics_reply(reply, [ask], passages)
                )
            except TooLong as again:
                shown = sum(len(passage.text) for passage in passages.all if passage.id in only)
                error, room = again, min(room, shown) // _SHRINK
                continue
            note = f"{error}; judged on {len(only)} of {len(sources)} passages, found by retrieval"
            return replace(answer, flags=(*answer.flags, "windowed"), repairs=(*answer.repairs, note))
        raise error

    async def _send(self, call: Call, read: Callable[[Completion], Sequence[Answer]]) -> Sequence[Answer]:
        limit, tokens = self._chat.context_tokens, call.characters // CHARACTERS_PER_TOKEN + call.max_tokens
        if limit is not None and tokens > limit:
            raise TooLong(f"about {tokens} tokens do not fit a context of {limit}")
        room = min(call.max_tokens + self._room_tokens, max(_MOST_REPLY_TOKENS, call.max_tokens))
        completion = await self._chat.complete(replace(call, max_tokens=room, temperature=self._temperature))
        if completion.finish_reason == "length":
            # It thinks, or writes more than others do: every later reply has more room, within the bound above.
            self._room_tokens = max(self._room_tokens * 2, _THINKING_TOKENS)
        # What one judge said is compared and averaged as one judge's, so that it should be one model's.
        self._model = self._model or completion.model
        is_other = bool(completion.model) and completion.model != self._model
        with reading_reply(_REPLY):
            answers = read(completion)
        if not any(answer.faults for answer in answers):
            self._chat.accept(call.key)
        return [replace(answer, flags=(*answer.flags, _CHANGED)) for answer in answers] if is_other else answers
