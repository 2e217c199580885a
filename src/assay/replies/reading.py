"""What became of one thing a model wrote: a value, or the reason why there is none."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Value_co = TypeVar("Value_co", covariant=True)

MisreadingStatus = Literal["malformed", "out_of_range", "ambiguous"]


@dataclass(frozen=True, slots=True)
class Reading(Generic[Value_co]):
    """A value a person would read too; `repaired` names what had to be overlooked, None where nothing had to."""

    value: Value_co
    repaired: str | None = None


@dataclass(frozen=True, slots=True)
class Misreading:
    """No value: it is absent, off its scale, or there is more than one. Never replaced by a default."""

    reason: str
    status: MisreadingStatus = "malformed"
