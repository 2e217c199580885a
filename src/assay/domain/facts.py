"""A named value that code works out about a record, for a scoring rule or a report."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

FactValue: TypeAlias = Fraction | str | None


@dataclass(frozen=True, slots=True)
class Fact:
    """`value` is None where it is not known; `words` say what it rests on, or why it is not known."""

    value: FactValue
    words: str = ""
