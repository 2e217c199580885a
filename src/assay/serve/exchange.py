"""What was asked about a record and what came back, for a look under the bonnet.

Prompts are not stored: they follow from the record, the rubric and the units, so they are rendered again. A reply is
stored under the digest of its call; where the prompt rendered now has that digest, it is the one that was sent.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.domain.defences import DEFENCES, DEFENDED, Defences
from assay.domain.outcome import Trail
from assay.domain.rubric import Metric
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit
from assay.engine.cache import digest_call
from assay.judges.prompted.prompt import Prompt
from assay.models.chat import Call, CallKey
from assay.runner.dry import list_prompts
from assay.runner.whole import JOINT
from assay.store.store import OWN_REPLY, KeptReply, RunRow, Store

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
    prompts = _render(card, _read_defences(run))
    for name in dict.fromkeys((*prompts, *kept)):
        prompt = prompts.get(name)
        replies = [_build_reply(each, prompt, chats) for each in kept.get(name, ())]
        if not replies:
            replies = list(_replies_of_card(card, name))
        if prompt is not None or replies:
            messages = () if prompt is None else tuple((each.role, each.text) for each in prompt.messages)
            yield Exchange(name, messages, tuple(replies))


def _read_defences(run: RunRow) -> Defences:
    """Those that were on when the run was judged, by what its row says of the unusual ones."""
    said = [words.partition(" ") for words in str(run.parameters.get("defences", "")).split(", ")]
    return replace(DEFENDED, **{name: switch == "with" for switch, _, name in said if name in DEFENCES})


def _render(card: Scorecard, defences: Defences) -> Mapping[str, Prompt]:
    """A panel may have answered in both ways: one judge by a whole reply, another metric by metric."""

    def find_banked(metric: Metric) -> Sequence[Unit]:
        heard = (trail.units for trail in _list_trails(card, metric) if trail.units and JOINT not in trail.flags)
        return [unit for unit in next(heard, ()) if unit.span is None]

    ways = {JOINT in trail.flags for metric in card.rubric.metrics for trail in _list_trails(card, metric)}
    return {
        name: prompt
        for joint in sorted(ways, reverse=True)
        for name, prompt in list_prompts(card.record, card.rubric, joint=joint, defences=defences, banked=find_banked)
        if isinstance(prompt, Prompt)
    }


def _list_trails(card: Scorecard, metric: Metric) -> list[Trail]:
    """One for each voice; a card of one voice has no others."""
    return [voice.outcome.trail for voice in card.voices.get(metric.id, ())] or [card.outcomes[metric.id].trail]


def _build_reply(kept: KeptReply, prompt: Prompt | None, chats: list[str]) -> ReplyView:
    reply, purpose = kept.reply, kept.purpose
    about = f"sample {purpose.sample + 1}" + (f", asked again ({purpose.attempt})" if purpose.attempt else "")
    usage = reply.usage
    tokens = "" if usage is None else f"{usage.prompt_tokens} tokens in, {usage.completion_tokens} out"
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
        joint = [each.trail.replies for each in card.outcomes.values() if JOINT in each.trail.flags]
        replies = tuple(dict.fromkeys(reply for each in joint for reply in each))
    for number, text in enumerate(replies, 1):
        yield ReplyView(f"reply {number} of {len(replies)}", text)
