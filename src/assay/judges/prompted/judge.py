"""A chat model, or a recording of one, as a judge."""

from assay.domain.ask import Answer, Ask, BankAsk, MetricAsk
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import TooLong
from assay.judges.prompted.prompt import Prompt, build_bank_prompt, build_metric_prompt, build_whole_prompt
from assay.judges.prompted.read import read_bank_reply, read_metric_reply
from assay.judges.prompted.template import templates_digest
from assay.judges.prompted.whole import read_whole_reply
from assay.judges.prompted.windows import CHARACTERS_PER_TOKEN, choose_windows
from assay.models.chat import Call, CallKey, Chat, Completion
from assay.models.recording import Recording
from assay.units.passages import Passages

# Where an endpoint said "too long" without saying how long is not: half of what it refused.
_SHRINK = 2


class PromptedJudge:
    """One call per ask. `joint` asks for a rubric's whole reply in one call instead."""

    reasks = 2

    def __init__(self, chat: Chat, *, joint: bool = False, temperature: float | None = 0.0) -> None:
        self._chat = chat
        self._joint = joint
        self._temperature = temperature

    @property
    def name(self) -> str:
        return f"{self._chat.name}/prompts-{templates_digest()}{'/joint' if self._joint else ''}"

    def answers_whole(self, record: Record, rubric: Rubric) -> bool:
        if rubric.shape is None:
            return False
        return self._joint or (isinstance(self._chat, Recording) and self._chat.has(record.id, rubric.id))

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        if isinstance(ask, MetricAsk):
            return await self._answer_metric(ask, passages)
        if isinstance(ask, BankAsk):
            return read_bank_reply(await self._complete(build_bank_prompt(ask, passages), ask), ask)
        return read_whole_reply(await self._complete(build_whole_prompt(ask, passages), ask), ask)

    async def close(self) -> None:
        await self._chat.close()

    async def _answer_metric(self, ask: MetricAsk, passages: Passages) -> Answer:
        prompt = build_metric_prompt(ask, passages)
        try:
            self._check_length(prompt)
            return read_metric_reply(await self._complete(prompt, ask), ask)
        except TooLong as error:
            windowed = self._build_windowed(ask, passages, prompt)
            if windowed is None:
                raise
            narrowed, shown = windowed
            answer = read_metric_reply(await self._complete(narrowed, ask), ask)
            note = f"{error}; judged on {shown} of {len(passages.all)} passages found by retrieval"
            return Answer(
                answer.findings,
                (),
                answer.reported,
                answer.faults,
                ("windowed",),
                (*answer.repairs, note),
                answer.reply,
            )

    def _build_windowed(self, ask: MetricAsk, passages: Passages, prompt: Prompt) -> tuple[Prompt, int] | None:
        """Only a metric that looks for evidence in the sources can be judged on windows of them."""
        if not any(part.evidence == "source" for part in ask.metric.label_parts):
            return None
        sources = sum(len(passage.text) for passage in passages.all)
        fixed = _characters(prompt) - sources
        limit = self._chat.context_tokens
        room = limit * CHARACTERS_PER_TOKEN - fixed if limit else sources // _SHRINK
        only = choose_windows(ask.units, passages, room)
        return None if not only else (build_metric_prompt(ask, passages, only), len(only))

    def _check_length(self, prompt: Prompt) -> None:
        limit = self._chat.context_tokens
        tokens = _characters(prompt) // CHARACTERS_PER_TOKEN + prompt.max_tokens
        if limit is not None and tokens > limit:
            raise TooLong(f"about {tokens} tokens do not fit a context of {limit}")

    async def _complete(self, prompt: Prompt, ask: Ask) -> Completion:
        record = ask.record if isinstance(ask, BankAsk) else ask.record.id
        if not isinstance(ask, MetricAsk):
            self._check_length(prompt)
        key = CallKey(record, ask.id, ask.sample, ask.attempt)
        call = Call(prompt.messages, prompt.schema, prompt.max_tokens, self._temperature, key)
        return await self._chat.complete(call)


def _characters(prompt: Prompt) -> int:
    return sum(len(message.text) for message in prompt.messages)


def build_prompt(ask: Ask, passages: Passages) -> Prompt:
    """The prompt of an ask as it would be sent, for a look before any call."""
    if isinstance(ask, MetricAsk):
        return build_metric_prompt(ask, passages)
    return build_bank_prompt(ask, passages) if isinstance(ask, BankAsk) else build_whole_prompt(ask, passages)
