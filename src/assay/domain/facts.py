"""A named value that code works out about a record, for a scoring rule or a report."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Fact:
    """`value` is None where it is not known; then `words` say why."""

    value: Fraction | str | None
    words: str = ""
