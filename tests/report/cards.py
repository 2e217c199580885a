"""Scorecards made by hand, and those of the shipped examples."""

from fractions import Fraction
from functools import cache

from assay.domain.findings import Fact
from assay.domain.outcome import Failure, Outcome, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Notice, Scorecard
from assay.errors import FailureStatus
from assay.files.rubrics import open_rubric
from assay.scoring.total import compute_total
from equipment.example_runs import judge_once

# A rubric is read from its file once, however many cards are made.
_open_rubric = cache(open_rubric)


@cache
def judged(rubric: str) -> dict[str, Scorecard]:
    """The examples of a pack, by their scripted replies."""
    return judge_once(rubric)


def verdict(rubric: Rubric, metric: str, value: float, raw: float | None = None, **trail: object) -> Verdict:
    level = Fraction(str(value))
    above = level if raw is None else Fraction(str(raw))
    return Verdict(Score(level, above, (level, level), rubric.metric(metric).scale, "by hand"), Trail(**trail))


def failure(status: FailureStatus) -> Failure:
    return Failure(status, f"it was {status}")


def card(
    rubric_name: str,
    identifier: str,
    outcomes: dict[str, Outcome | float],
    *,
    item: str | None = None,
    system: str | None = None,
    notices: tuple[Notice, ...] = (),
    facts: dict[str, str] | None = None,
) -> Scorecard:
    rubric = _open_rubric(rubric_name)
    made = {
        name: outcome if not isinstance(outcome, int | float) else verdict(rubric, name, outcome)
        for name, outcome in outcomes.items()
    }
    kept = {name: Fact(value) for name, value in (facts or {}).items()}
    record = Record(identifier, item or identifier, "output", (), system=system)
    return Scorecard(record, rubric, "by hand", made, compute_total(rubric, made), notices, kept, "run")
