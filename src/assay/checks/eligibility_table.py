"""How determinations fall against the truth over many records."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assay.checks.determination import DETERMINATIONS, Determination
from assay.checks.proportion import Proportion


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
    def undetermined(self) -> int:
        return sum(self.count(truth, None) for truth in DETERMINATIONS)

    @property
    def false_eligible(self) -> Proportion:
        """Called likely eligible among all whose truth is not eligible, determined or not: the safety number."""
        total = sum(self.count("not_eligible", found) for found in (*DETERMINATIONS, None))
        return Proportion(self.count("not_eligible", "likely_eligible"), total)


def build_eligibility_table(pairs: Iterable[tuple[Determination, Determination | None]]) -> EligibilityTable:
    """From (truth, determination) pairs."""
    return EligibilityTable(dict(Counter(pairs)))
