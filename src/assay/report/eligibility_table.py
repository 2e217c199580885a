"""How determinations fall against the truth over many records, with the rate of false-eligible answers."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from assay.domain.wilson import place_wilson
from assay.packs.trial_eligibility.determination import DETERMINATIONS, Determination

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


@dataclass(frozen=True, slots=True)
class EligibilityTable:
    """Counts by (truth, determination); an answer without a determination has None for it."""

    counts: Mapping[tuple[Determination, Determination | None], int]

    def count(self, truth: Determination, found: Determination | None) -> int:
        return self.counts.get((truth, found), 0)

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Three by three, truths down and determinations across, in the order of DETERMINATIONS."""
        return tuple(tuple(self.count(truth, found) for found in DETERMINATIONS) for truth in DETERMINATIONS)

    @property
    def false_eligible(self) -> Proportion:
        """Called likely eligible among all whose truth is not eligible, determined or not: the safety number."""
        total = sum(self.count("not_eligible", found) for found in (*DETERMINATIONS, None))
        return Proportion(self.count("not_eligible", "likely_eligible"), total)


def build_eligibility_table(pairs: Iterable[tuple[Determination, Determination | None]]) -> EligibilityTable:
    """From (truth, determination) pairs."""
    return EligibilityTable(dict(Counter(pairs)))
