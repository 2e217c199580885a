"""Derives every stored score again from its stored labels, and says whether it is still the same."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from assay.domain.outcome import Verdict
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.runner.asking import Asked
from assay.runner.concluding import conclude, share_claims
from assay.runner.emptiness import find_emptiness
from assay.runner.whole import JOINT


@dataclass(slots=True)
class Rescored:
    """`same` and `other` count scores; `taken` are numbers that a whole reply brought with it."""

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
                known = empty[metric.id]
                result.same += isinstance(known, Verdict) and known.score.value == outcome.score.value
                continue
            asked = Asked(findings=trail.findings, repairs=trail.repairs, replies=trail.replies or ("",))
            again = conclude(card.record, rubric, metric, asked, trail.units, shared.get(metric.claims_from or ""))
            if isinstance(again, Verdict) and again.score.value == outcome.score.value:
                result.same += 1
            else:
                now = again.score.value if isinstance(again, Verdict) else again.status
                result.other.append(f"{card.record.id}, {metric.id}: stored {outcome.score.value}, now {now}")
    return result
