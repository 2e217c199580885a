"""What was asked about a record and what came back, for a look under the bonnet.

Prompts are not stored: they follow from the record, the rubric and the units, so they are rendered again. A reply is
stored under the digest of its call; where the prompt rendered now has that digest, it is the one that was sent.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.domain.ask import Ask, MetricAsk, WholeAsk
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit
from assay.engine.cache import digest_call
from assay.judges.prompted.judge import build_prompt
from assay.judges.prompted.prompt import Prompt
from assay.models.chat import Call, CallKey
from assay.runner.asks import Cut, cut_record, needs_judge, number_bank, plan_banks, plan_metric
from assay.store.store import OWN_REPLY, KeptReply, RunRow, Store
from assay.text.language import identify
from assay.units.passages import Passages

_TEMPERATURES = (0.0, 0.7)


@dataclass(frozen=True, slots=True)
class ReplyView:
    """`was_sent` says that the prompt beside it is, to the letter, what this reply answers."""

    about: str
    text: str
    finish_reason: str = ""
    tokens: str = ""
    model: str = ""
    dropped: tuple[str, ...] = ()
    was_sent: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    ask: str
    messages: tuple[tuple[str, str], ...]
    replies: tuple[ReplyView, ...]

    @property
    def is_certain(self) -> bool:
        return any(reply.was_sent for reply in self.replies)


def build_exchanges(store: Store, run: RunRow, card: Scorecard) -> Iterator[Exchange]:
    """Each ask of the record with its prompt and every reply to it, re-asks included."""
    kept: dict[str, list[KeptReply]] = {}
    for reply in store.replies(run.id, card.record.id):
        kept.setdefault(reply.purpose.ask, []).append(reply)
    chats = [name.split("/prompts-")[0] for name in run.judges]
    prompts = _render(card)
    for name in dict.fromkeys((*prompts, *kept)):
        prompt = prompts.get(name)
        replies = [_build_reply(each, prompt, chats) for each in kept.get(name, ())]
        if not replies:
            replies = list(_replies_of_card(card, name))
        if prompt is not None or replies:
            messages = () if prompt is None else tuple((each.role, each.text) for each in prompt.messages)
            yield Exchange(name, messages, tuple(replies))


def _render(card: Scorecard) -> Mapping[str, Prompt]:
    record, rubric = card.record, card.rubric
    if not record.output.strip() or not record.sources:
        return {}
    cut = cut_record(record, rubric, identify(record.output) or "en")
    asks: list[tuple[Ask, Passages]] = []
    if any("joint" in outcome.trail.flags for outcome in card.outcomes.values()):
        asks.append((WholeAsk(rubric.id, rubric, record), cut.passages))
    for bank in rubric.banks:
        asks += [(ask, number_bank(ask)) for ask in plan_banks(record, rubric, bank)]
    asks += [(ask, cut.passages) for ask in _plan_metrics(card, cut)]
    return {ask.id: build_prompt(ask, passages) for ask, passages in asks}


def _plan_metrics(card: Scorecard, cut: Cut) -> Iterator[MetricAsk]:
    for metric in card.rubric.metrics:
        trail = card.outcomes[metric.id].trail
        banked: list[Unit] = [unit for unit in trail.units if unit.span is None]
        if needs_judge(metric) and "joint" not in trail.flags:
            yield plan_metric(cut, card.rubric, metric, banked)


def _build_reply(kept: KeptReply, prompt: Prompt | None, chats: list[str]) -> ReplyView:
    reply, purpose = kept.reply, kept.purpose
    about = f"sample {purpose.sample + 1}" + (f", asked again ({purpose.attempt})" if purpose.attempt else "")
    counted = (reply.prompt_tokens, reply.completion_tokens)
    tokens = f"{counted[0]} tokens in, {counted[1]} out" if None not in counted else ""
    was_sent = prompt is not None and any(
        kept.key.partition(OWN_REPLY)[0] == digest_call(chat, _build_call(prompt, kept, temperature))
        for chat in chats
        for temperature in _TEMPERATURES
    )
    return ReplyView(about, reply.text, reply.finish_reason, tokens, reply.model, reply.dropped, was_sent)


def _build_call(prompt: Prompt, kept: KeptReply, temperature: float) -> Call:
    purpose = kept.purpose
    key = CallKey(purpose.record, purpose.ask, purpose.sample, purpose.attempt)
    return Call(prompt.messages, prompt.schema, prompt.max_tokens, temperature, key)


def _replies_of_card(card: Scorecard, ask: str) -> Iterator[ReplyView]:
    """A recording's replies are in no cache; the card has them as they came."""
    outcome = card.outcomes.get(ask)
    replies = outcome.trail.replies if outcome is not None else ()
    if ask == card.rubric.id:
        joint = [each.trail.replies for each in card.outcomes.values() if "joint" in each.trail.flags]
        replies = tuple(dict.fromkeys(reply for each in joint for reply in each))
    for number, text in enumerate(replies, 1):
        yield ReplyView(f"reply {number} of {len(replies)}", text)
