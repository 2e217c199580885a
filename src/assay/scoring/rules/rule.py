"""A scoring rule: a pure function that a rubric names, with the settings and the table it takes from there."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from assay.domain.units import UnitKind
from assay.scoring.tally import Computed, Tally


@dataclass(frozen=True, slots=True)
class Setting:
    """A number or a word the rubric may set. Without a default it must."""

    name: str
    default: str | None = None
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """`units` are the kinds it counts, `grades` whether it needs one, `table` the columns of the table it reads."""

    name: str
    compute: Callable[[Tally], Computed]
    meaning: str
    units: tuple[UnitKind, ...] = ()
    any_unit: bool = False
    grades: Literal["none", "one", "several", "optional"] = "none"
    settings: tuple[Setting, ...] = ()
    table: tuple[str, ...] = ()
    table_title: str = "Bands"
