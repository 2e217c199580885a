"""A share of a count, with the range its truth lies in."""

from dataclasses import dataclass
from typing import Final

from assay.domain.wilson import place_wilson

_Z: Final = 1.959963984540054
"""The standard normal deviate of a two-sided 95 % interval."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """`count` of `total`; nothing of nothing has no share and no interval."""

    count: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.count <= self.total:
            raise ValueError(f"{self.count} of {self.total} is no share")

    @property
    def share(self) -> float | None:
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval, which stays within 0 and 1 and has a width even at none of n."""
        if not self.total:
            return None
        low, high = place_wilson(self.count / self.total, self.total, _Z)
        return 0.0 if self.count == 0 else low, 1.0 if self.count == self.total else high
