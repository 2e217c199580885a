"""What was not judged: metrics of a record by reason, and records of a run by name and reason."""

from collections import Counter
from dataclasses import dataclass, field

from assay.domain.listed import Listed, MetricScore
from assay.domain.outcome import Abstention
from assay.domain.scorecard import Scorecard
from assay.domain.terms import say_why
from assay.report.display import shorten

_NAMED, _MOST_REASONS = 5, 3
# A reason may quote its record, and a run has many records.
_LONGEST_REASON, _LONGEST_NAME = 160, 80


def group_unscored(card: Scorecard) -> dict[str, list[str]]:
    """The metrics on which a judge said nothing at all, by reason: each reason is one line instead of one for each."""
    found: dict[str, list[str]] = {}
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        if isinstance(outcome, Abstention) and not outcome.trail.units and metric.id not in card.voices:
            found.setdefault(say_why(outcome.status, outcome.reason), []).append(metric.id)
    return found


def count_more(names: str, more: int) -> str:
    """`a, b and 3 more`."""
    return f"{names} and {more} more" if more > 0 else names


@dataclass(slots=True)
class Missing:
    """Keeps a few names and one count for each reason, however many records there are."""

    names: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, row: Listed, found: MetricScore) -> None:
        why = found.why if found.goodness is None else "the judge gives no probability"
        self.reasons[shorten(why, _LONGEST_REASON)] += 1
        if len(self.names) < _NAMED:
            self.names.append(shorten(row.name, _LONGEST_NAME))

    def describe(self, unjudged: int = 0) -> str:
        """`a, b and 3 more (4 × the judge gave no grade; 1 × timed out: …)`; empty where nothing is missing.

        `unjudged` counts records of a run that was stopped before it came to them.
        """
        ranked = self.reasons.most_common()
        said = [f"{number} × {reason}" for reason, number in ranked[:_MOST_REASONS]]
        left = sum(number for _, number in ranked[_MOST_REASONS:])
        said += [f"{left} for other reasons"] if left else []
        said += [f"{unjudged} × not judged yet: the run is not finished"] if unjudged else []
        if not self.names:
            return "; ".join(said)
        named = count_more(", ".join(self.names), self.reasons.total() - len(self.names))
        return f"{named} ({'; '.join(said)})"
