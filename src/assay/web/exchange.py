"""The replies of one record, as they are stored."""

from collections.abc import Iterator
from dataclasses import dataclass

from assay.domain.scorecard import Scorecard
from assay.judges.prompted.judge import ALL
from assay.runner.whole import WHOLE
from assay.store.rows import KeptReply
from assay.store.runs import RunRow
from assay.web.library import Library


@dataclass(frozen=True, slots=True)
class ReplyView:
    about: str
    text: str
    finish_reason: str = ""
    tokens: str = ""
    model: str = ""
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    ask: str
    replies: tuple[ReplyView, ...]


def build_exchanges(library: Library, run: RunRow, card: Scorecard) -> Iterator[Exchange]:
    """Each prompt of the record by name, with every reply to it, re-asks included."""
    kept: dict[str, list[KeptReply]] = {}
    for reply in library.store.replies(run.id, card.record.id):
        kept.setdefault(reply.purpose.ask, []).append(reply)
    for name, replies in kept.items():
        yield Exchange(name, tuple(map(_build_reply, replies)))
    # Replies of a recording are not in the store's cache; the card has them.
    for name, texts in _list_replies(card).items():
        if not {name, ALL}.intersection(kept):
            numbered = (ReplyView(f"reply {number} of {len(texts)}", text) for number, text in enumerate(texts, 1))
            yield Exchange(name, tuple(numbered))


def _build_reply(kept: KeptReply) -> ReplyView:
    reply, purpose, usage = kept.reply, kept.purpose, kept.reply.usage
    about = f"sample {purpose.sample + 1}" + (f", asked again ({purpose.attempt})" if purpose.attempt else "")
    tokens = "" if usage is None else f"{usage.prompt_tokens} tokens in, {usage.completion_tokens} out"
    return ReplyView(about, reply.text, reply.finish_reason, tokens, reply.model, reply.dropped)


def _list_replies(card: Scorecard) -> dict[str, tuple[str, ...]]:
    """By metric, or by the rubric's id for a whole reply; each text once."""
    found: dict[str, tuple[str, ...]] = {}
    for name, outcome in card.outcomes.items():
        about = card.rubric.id if WHOLE in outcome.trail.flags else name
        found[about] = tuple(dict.fromkeys((*found.get(about, ()), *outcome.trail.replies)))
    return {name: texts for name, texts in found.items() if texts}
