"""Derives every stored score again from its stored labels, and says whether it is still the same."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.runner.asking import Asked
from assay.runner.concluding import conclude, share_claims
from assay.runner.emptiness import find_emptiness
from assay.runner.whole import JOINT


@dataclass(slots=True)
class Rescored:
    """`same` and `other` count scores; `taken` are those of whole replies, which are not derived from labels alone."""

    same: int = 0
    taken: int = 0
    other: list[str] = field(default_factory=list)


def rescore(cards: Iterable[Scorecard], rubric: Rubric) -> Rescored:
    result = Rescored()
    for card in (answer for combined in cards for answer in _split_answers(combined)):
        empty = find_emptiness(card.record, rubric)
        shared = {name: share_claims(outcome) for name, outcome in card.outcomes.items()}
        for metric in rubric.metrics:
            outcome = card.outcomes[metric.id]
            if not isinstance(outcome, Verdict):
                continue
            trail = outcome.trail
            if JOINT in trail.flags:
                result.taken += 1
                continue
            if empty is not None and not trail.units:
                again = empty[metric.id]
            else:
                asked = Asked(findings=trail.findings, repairs=trail.repairs, replies=trail.replies or ("",))
                again = conclude(card.record, rubric, metric, asked, trail.units, shared.get(metric.claims_from or ""))
            stored, now = _say(outcome), _say(again)
            if stored == now:
                result.same += 1
            else:
                result.other.append(f"{card.record.id}, {metric.id}: stored {stored}, now {now}")
    return result


def _split_answers(card: Scorecard) -> Iterator[Scorecard]:
    """One card per judge and sample: a combined score is a mean, which follows from no labels of its own."""
    for answers in zip(*card.voices.values(), strict=True) if card.voices else ():
        yield replace(card, outcomes=dict(zip(card.voices, (each.outcome for each in answers), strict=True)), voices={})
    if not card.voices:
        yield card


def _say(outcome: Outcome) -> str:
    """A score with what it was before caps and what is left open; numbers that are told apart are written apart."""
    if not isinstance(outcome, Verdict):
        return outcome.status
    score = outcome.score
    raw = "" if score.raw == score.value else f" ({score.raw})"
    open_ends = "" if len({score.value, *score.interval}) == 1 else f" [{score.interval[0]}–{score.interval[1]}]"
    return f"{score.value}{raw}{open_ends}"
