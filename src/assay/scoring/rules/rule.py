"""A scoring rule: a pure function that a rubric names, with the settings and the table it takes from there."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from assay.domain.units import UnitKind
from assay.scoring.tally import Computed, MetricTally


@dataclass(frozen=True, slots=True)
class RuleSetting:
    """A number or a word that a rubric may set, and must set where there is no default."""

    name: str
    default: str | None = None
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)
    options: tuple[str, ...] = ()
    whole: bool = False
    text: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """`units` are the kinds it counts, `grades` whether it needs one, `table` the columns of the table it reads.

    `lacks` says why a record can't be scored, where an answer or a measure that the rule stands on is missing.
    `optional` are columns the table may have; with `facts`, every other column names a fact and what it must be.
    `by_support` says that it knows the labels of claims by name: supported, partial, absent, contradicted.
    `scores_empty` says that an output without words has the worst score instead of none.
    `points` are the ends of the only scale its values fit; `counts_down` says that it fits none where low is best.
    """

    name: str
    compute: Callable[[MetricTally], Computed]
    meaning: str
    units: tuple[UnitKind, ...] = ()
    any_unit: bool = False
    shared_claims: bool = False
    by_support: bool = False
    grades: Literal["none", "one", "several", "optional"] = "none"
    settings: tuple[RuleSetting, ...] = ()
    table: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    facts: bool = False
    table_title: str = "Bands"
    scores_empty: bool = False
    lacks: Callable[[MetricTally], str | None] = lambda _: None
    points: tuple[int, int] | None = None
    counts_down: bool = False
