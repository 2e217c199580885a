"""Derives every stored score again from its stored labels, and says whether it is still the same."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assay.domain.findings import Findings
from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Scorecard
from assay.runner.asking import Asked
from assay.runner.concluding import Shared, conclude, share_claims
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
    for card in cards:
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


def score_labels(card: Scorecard, metric: Metric, findings: Mapping[str, Findings]) -> Outcome:
    """What the metric's rule makes of other labels of the card's units, such as a person's; `findings` by metric."""
    shared = None
    if metric.claims_from is not None:
        units = card.outcomes[metric.claims_from].trail.units
        shared = Shared(findings[metric.claims_from].of("claim"), {unit.id: unit for unit in units})
    asked = Asked(findings=findings[metric.id], replies=("",))
    return conclude(card.record, card.rubric, metric, asked, card.outcomes[metric.id].trail.units, shared)


def _say(outcome: Outcome) -> str:
    """A score with what it was before caps and what is left open; numbers that are told apart are written apart."""
    if not isinstance(outcome, Verdict):
        return outcome.status
    score = outcome.score
    raw = "" if score.raw == score.value else f" ({score.raw})"
    open_ends = "" if len({score.value, *score.interval}) == 1 else f" [{score.interval[0]}–{score.interval[1]}]"
    return f"{score.value}{raw}{open_ends}"
