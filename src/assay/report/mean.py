"""Means with how many records they are of. Every report prints these, and none decides by itself what to show.

Where too few records have a score, a range stands in place of the mean.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import fsum
from typing import Final

from assay.agreement.estimate import Estimate, estimate_from_sums
from assay.domain.listed import MetricScore
from assay.domain.scale import exceeds
from assay.report.display import format_count, format_estimate, format_missing, goodness_tone

ENOUGH_SCORED: Final = 0.9
"""The share of what was asked that must have a score: below it a mean is a range, and a gate fails."""


def has_enough(scored: int, asked: int, share: float = ENOUGH_SCORED) -> bool:
    """Whether at least this share of what was asked has a score."""
    return not exceeds(share * asked, scored)


@dataclass(slots=True)
class Goodness:
    """Values from 0 to 1, of which each item's sum and count are kept.

    Outputs made from one source are not independent, so the interval of the mean is clustered by item.
    """

    sums: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    counts: Counter[str] = field(default_factory=Counter)
    _known: Estimate | None = field(default=None, compare=False, repr=False)

    def add(self, item: str, value: float) -> None:
        self.sums[item] += value
        self.counts[item] += 1
        self._known = None

    @property
    def count(self) -> int:
        return self.counts.total()

    @property
    def items(self) -> int:
        return len(self.counts)

    @property
    def mean(self) -> float | None:
        return fsum(self.sums.values()) / self.count if self.counts else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean; none for a single item."""
        return self._estimate().interval

    @property
    def said(self) -> str:
        """The mean with its interval, in words."""
        return format_estimate(self._estimate()) if self.counts else "–"

    def _estimate(self) -> Estimate:
        """Computed once for what was added: a page asks for it many times."""
        if self._known is None:
            self._known = estimate_from_sums(tuple(self.sums.values()), tuple(self.counts.values()), (0.0, 1.0))
        return self._known


@dataclass(slots=True)
class Mean:
    """A mean goodness with how many it is of: scored records only. `missing` counts the others by status.

    `weakest_supports` are of all that have one. Where less than 90 % of what was asked has a score, a range is shown in
    place of the mean, and no report calls it good.
    """

    asked: int = 0
    scored: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    goodness: Goodness = field(default_factory=Goodness)
    weakest_supports: Goodness = field(default_factory=Goodness)

    def add(self, item: str, found: MetricScore) -> None:
        self.asked += 1
        if found.goodness is None:
            self.missing[found.status] += 1
        else:
            self.scored += 1
            self.goodness.add(item, found.goodness)
        if found.weakest_support is not None:
            self.weakest_supports.add(item, found.weakest_support)

    @property
    def said(self) -> str:
        """`3 of 4 (1 not scored)`."""
        return f"{self.scored} of {self.asked}" + (f" ({format_missing(self.missing)})" if self.missing else "")

    @property
    def is_short(self) -> bool:
        """Whether there are scores, and too few for a mean."""
        return self.scored > 0 and not has_enough(self.scored, self.asked)

    @property
    def ends(self) -> tuple[float, float] | None:
        """The mean goodness with all that has no score at its worst, and at its best; None without any score."""
        mean = self.goodness.mean
        if mean is None:
            return None
        return mean * self.scored / self.asked, (mean * self.scored + self.asked - self.scored) / self.asked

    @property
    def interval(self) -> tuple[float, float] | None:
        """What is drawn around the mean: its range where too few have a score, else its 95 % interval."""
        return self.ends if self.is_short else self.goodness.interval

    @property
    def drawn(self) -> float | None:
        """Where the mean is drawn, in the middle of its range where too few have a score; None without any score."""
        return sum(self.ends) / 2 if self.is_short and self.ends else self.goodness.mean

    @property
    def figure(self) -> str:
        """`0.75 [0.60, 0.86]`, a mean with its interval; or `0.25–1.00`, a range."""
        return "{:.2f}–{:.2f}".format(*self.ends) if self.is_short and self.ends else self.goodness.said

    @property
    def scored_of(self) -> str:
        return f"{format_count(self.scored)} of {format_count(self.asked)} scored"

    @property
    def weakest_support(self) -> str:
        """The mean of the weakest claims, and of how many if not of all; empty where the judge gives none."""
        mean, count = self.weakest_supports.mean, self.weakest_supports.count
        if mean is None:
            return ""
        return f"{mean:.2f}" + (f" ({count} of {self.asked})" if count < self.asked else "")

    @property
    def described(self) -> str:
        """In one line: `0.25–1.00, 1 of 4 scored, weakest claim 0.31`."""
        return f"{self.figure}, {self.scored_of}" + (
            f", weakest claim {self.weakest_support}" if self.weakest_support else ""
        )

    @property
    def tone(self) -> str:
        """How good it looks; a range only where all of it is equally bad, and never high."""
        if not self.is_short or self.ends is None:
            return goodness_tone(self.goodness.mean)
        low, high = map(goodness_tone, self.ends)
        return low if low == high != "high" else "none"
