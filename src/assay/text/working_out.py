"""What a reader can work out from two quantities: sums, differences, ratios, percentages, shares of an amount."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from assay.text.dates import DATE_UNIT, DAY_OF_YEAR_UNIT, day_of_year
from assay.text.quantity import Bound, Kind, Quantity

# Pairs grow with the square of the quantities, and so does the chance that one fits by accident.
_MOST_IN_ALL_PAIRS: Final = 40
_WINDOW: Final = 12
_MOST: Final = 2_000


class _Term(NamedTuple):
    value: float
    dimension: str
    kind: Kind

    @property
    def share(self) -> float:
        """The part of one that it may tell; 0 where it tells none."""
        part = self.value / 100 if self.dimension == "percent" else self.value if self.kind is Kind.NUMBER else 0.0
        return part if 0 < part < 1 else 0.0


def work_out(quantities: Sequence[Quantity]) -> Mapping[str, list[float]]:
    """What pairs of quantities come to, by dimension, in its base unit and in order.

    All pairs are taken of few quantities; of many, those that stand close together.
    """
    usable = [each for each in quantities[:_MOST] if each.bound is not Bound.BETWEEN and each.kind is not Kind.ORDINAL]
    terms = [
        _Term(
            float(each.in_base_unit().value),
            each.unit if each.kind is Kind.DATE and each.unit else each.dimension,
            each.kind,
        )
        for each in usable
    ]
    width = len(terms) if len(terms) <= _MOST_IN_ALL_PAIRS else _WINDOW
    found: dict[str, set[float]] = defaultdict(set)
    for at, one in enumerate(terms):
        # What is left of a whole: 7% stopped, so 93% went on.
        if one.share:
            found["percent"].add(100 * (1 - one.share))
            found["number"].add(1 - one.share)
        for other in terms[at + 1 : at + 1 + width]:
            for dimension, value in _outcomes(one, other):
                found[dimension].add(value)
    return {dimension: sorted(values) for dimension, values in found.items()}


def _outcomes(one: _Term, other: _Term) -> Iterator[tuple[str, float]]:
    first, second = one.value, other.value
    # 5% of 18,200 people, a quarter of $72 million.
    for share, whole in ((one, other), (other, one)):
        if share.share and whole.kind in (Kind.COUNT, Kind.PRICE, Kind.MEASURE):
            yield whole.dimension, share.share * whole.value
        # 500 mg twice daily are 1,000 mg.
        if share.dimension == "times/time" and whole.kind is Kind.MEASURE:
            yield whole.dimension, share.value * whole.value
            yield f"{whole.dimension}/time", share.value * whole.value
    if {one.dimension, other.dimension} == {DATE_UNIT, DAY_OF_YEAR_UNIT}:
        dated, yearless = (first, second) if one.dimension == DATE_UNIT else (second, first)
        yield "time", abs(float(day_of_year(Fraction(int(dated)))) - yearless)
    # 38%, 12 percentage points more than before.
    if {one.dimension, other.dimension} == {"percent", "points"}:
        yield from (("percent", first + second), ("percent", abs(first - second)))
    if one.dimension != other.dimension:
        return
    if one.kind is Kind.DATE:
        yield "time", abs(first - second)
        return
    yield from ((one.dimension, value) for value in (first + second, first - second, second - first))
    if one.dimension == "percent":
        yield "points", abs(first - second)
    for over, under in ((first, second), (second, first)):
        if under > 0:
            yield "number", over / under
            if one.dimension != "percent":
                yield from (("percent", 100 * over / under), ("percent", abs(100 * (over - under) / under)))
