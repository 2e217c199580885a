"""The prompts and replies of one record.

Prompts are not stored: they are rendered again from the record, the rubric and the units. They are as they were sent
where the run was judged with the prompt templates of this version.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.api.planned_calls import PlannedCall, plan_calls
from assay.domain.ask import MetricAsk
from assay.domain.defences import DEFENCES, DEFENDED, Defences
from assay.domain.findings import Label
from assay.domain.rubric import Metric
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit
from assay.judges.prompted.judge import ALL
from assay.judges.prompted.prompt import Prompt
from assay.judges.prompted.template import templates_digest
from assay.report.summary import list_answers
from assay.runner.whole import WHOLE
from assay.store.rows import KeptReply
from assay.store.runs import RunRow
from assay.units.passages import Passages
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
    messages: tuple[tuple[str, str], ...]
    replies: tuple[ReplyView, ...]


def has_our_templates(run: RunRow) -> bool:
    """Whether prompts are rendered now as they were when the run was judged."""
    return any(f"/prompts-{templates_digest()}" in name for name in run.judges)


def build_exchanges(library: Library, run: RunRow, card: Scorecard) -> Iterator[Exchange]:
    """Each ask of the record with its prompt and every reply to it, re-asks included."""
    kept: dict[str, list[KeptReply]] = {}
    for reply in library.store.replies(run.id, card.record.id):
        kept.setdefault(reply.purpose.ask, []).append(reply)
    joint, is_screened = run.parameters.get("joint") == "True", "screen" in run.parameters
    prompts = _render(card, _read_defences(run), joint=joint, is_screened=is_screened)
    for name in dict.fromkeys((*prompts, *kept)):
        prompt = prompts.get(name)
        replies = [_build_reply(each) for each in kept.get(name, ())]
        replies = replies or list(_replies_of_card(card, name))
        if prompt is not None or replies:
            messages = () if prompt is None else tuple((each.role, each.text) for each in prompt.messages)
            yield Exchange(name, messages, tuple(replies))


def _read_defences(run: RunRow) -> Defences:
    """The defences of the run: its row names those that differ from the default."""
    said = [words.partition(" ") for words in str(run.parameters.get("defences", "")).split(", ")]
    return replace(DEFENDED, **{name: False for _, _, name in said if name in DEFENCES})


def _render(card: Scorecard, defences: Defences, *, joint: bool, is_screened: bool) -> Mapping[str, Prompt]:
    def find_banked(metric: Metric) -> Sequence[Unit]:
        trails = [answer.trail for answer in list_answers(card, metric.id)]
        known = (trail.units for trail in trails if trail.units and WHOLE not in trail.flags)
        return [unit for unit in next(known, ()) if unit.span is None]

    def settle(ask: MetricAsk, _passages: Passages, _proven: Sequence[Label]) -> Sequence[Label]:
        labels = [label for each in list_answers(card, ask.id) for label in each.trail.findings.labels]
        return [label for label in labels if label.by != "judge"] if is_screened else ()

    calls = plan_calls(card.record, card.rubric, joint=joint, defences=defences, banked=find_banked, settle=settle)
    return {call.name: call.prompt for call in calls if isinstance(call, PlannedCall)}


def _build_reply(kept: KeptReply) -> ReplyView:
    reply, purpose, usage = kept.reply, kept.purpose, kept.reply.usage
    about = f"sample {purpose.sample + 1}" + (f", asked again ({purpose.attempt})" if purpose.attempt else "")
    tokens = "" if usage is None else f"{usage.prompt_tokens} tokens in, {usage.completion_tokens} out"
    return ReplyView(about, reply.text, reply.finish_reason, tokens, reply.model, reply.dropped)


def _replies_of_card(card: Scorecard, ask: str) -> Iterator[ReplyView]:
    """Replies of a recording are not in the store's cache; the card has them."""
    outcome = card.outcomes.get(ask)
    replies = outcome.trail.replies if outcome is not None else ()
    if ask in {card.rubric.id, ALL}:
        apart = {metric.id for metric in card.rubric.metrics if metric.shows}
        trails = [each.trail for name, each in card.outcomes.items() if ask != ALL or name not in apart]
        shared = [each.replies for each in trails if (WHOLE in each.flags) == (ask != ALL)]
        replies = tuple(dict.fromkeys(reply for each in shared for reply in each))
    for number, text in enumerate(replies, 1):
        yield ReplyView(f"reply {number} of {len(replies)}", text)
