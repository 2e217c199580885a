"""What the figures of a report may come from: cells, and the usual sums, means, differences, shares and counts."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, permutations
from statistics import fmean, median
from typing import Final

from assay.domain.span import Span
from assay.packs.report_from_data.data import DataTable, parse_amount
from assay.text.quantities import NUMERAL, fold_digits, parse_numeral

_NUMERAL: Final = re.compile(rf"(?<![\w.,])(?:{NUMERAL})(?![\w]|[.,]\d)")
_ANY_NUMERAL: Final = re.compile(NUMERAL)
_SCALE: Final = re.compile(r"\s?(k|thousand|m|mn|million|bn|billion)\b", re.IGNORECASE)
_FACTORS: Final = {"k": 1e3, "t": 1e3, "m": 1e6, "b": 1e9}
# An estimate or a bound is no figure to look up.
_HEDGED: Final = re.compile(
    r"(?:\b(?:about|around|approx\w*|roughly|nearly|almost|over|under|above|below|than|least|most|some|up to)|[<>≤≥~≈])"
    r"\W{0,3}$",
    re.IGNORECASE,
)
# Smaller whole numbers count things of any kind, and stand in names.
_SMALL: Final = 10
_YEARS: Final = range(1900, 2101)
_MOST_FIGURES = 200
_MOST_PAIRS = 60_000
"""Of two values in a column, in all columns: more take longer than a second."""


def find_underived(output: str, stretches: Sequence[Span], table: DataTable, question: str) -> Iterator[Span]:
    """Nothing where the table is too large for everything that may come of it."""
    if len(table.rows) ** 2 * len(table.columns) > _MOST_PAIRS:
        return
    derived = sorted({abs(value) for value in _derive_all(table, question)})
    spans = [found.shifted(each.start) for each in stretches for found in _find_figures(each.of(output))]
    for span in spans[:_MOST_FIGURES]:
        scale = _SCALE.match(output, span.end)
        factor = _FACTORS[scale[1][0].lower()] if scale else 1
        readings = parse_numeral(fold_digits(span.of(output)))
        bounds = [(float(each.value) * factor, float(each.step) * factor) for each in readings]
        if bounds and not any(_holds(derived, value, step) for value, step in bounds):
            yield span


def _find_figures(text: str) -> Iterator[Span]:
    folded = fold_digits(text)
    for found in _NUMERAL.finditer(folded):
        is_whole = found[0].isdigit()
        is_name = is_whole and (int(found[0]) < _SMALL or int(found[0]) in _YEARS)
        if not is_name and not _HEDGED.search(folded, max(0, found.start() - 20), found.start()):
            yield Span(*found.span())


def _holds(derived: Sequence[float], value: float, step: float) -> bool:
    """Whether one of them is the value, rounded or cut off at its last place."""
    at = bisect_left(derived, value - step / 2 - 1e-9)
    return at < len(derived) and derived[at] < value + step + 1e-9


def _derive_all(table: DataTable, question: str) -> Iterator[float]:
    rows = range(len(table.rows))
    texts = [table.text(row, name) for row in rows for name in table.columns.values()]
    for text in (*texts, *table.columns.values(), question):
        for found in _ANY_NUMERAL.finditer(fold_digits(text)):
            yield from (float(each.value) for each in parse_numeral(found[0]))
    yield from range(len(rows) + 1)
    columns = {name: _read_column(table, name) for name in table.columns.values()}
    numeric = {name: values for name, values in columns.items() if len(values) > len(rows) / 2}
    groups = [_group_rows(table, name) for name in table.columns.values() if name not in numeric]
    for values in numeric.values():
        yield from _derive(list(values.values()))
        for group in groups:
            parts = [[values[row] for row in each if row in values] for each in group]
            for part in parts:
                yield from _describe(part)
            yield from _derive([sum(part) for part in parts])
    for one, other in permutations(numeric.values(), 2):
        both = [(one[row], other[row]) for row in rows if row in one and row in other]
        for left, right in (*both, (sum(one.values()), sum(other.values()))):
            yield from _combine(left, right)


def _read_column(table: DataTable, name: str) -> dict[int, float]:
    amounts = {row: parse_amount(table.text(row, name)) for row in range(len(table.rows))}
    return {row: float(amount.readings[0].value) for row, amount in amounts.items() if amount is not None}


def _group_rows(table: DataTable, name: str) -> list[list[int]]:
    """The rows of each value that several rows share."""
    texts = [table.text(row, name) for row in range(len(table.rows))]
    return [[row for row, text in enumerate(texts) if text == shared] for shared, n in Counter(texts).items() if n > 1]


def _describe(values: Sequence[float]) -> Iterator[float]:
    if values:
        yield from (sum(values), fmean(values), median(values), max(values) - min(values))


def _derive(values: Sequence[float]) -> Iterator[float]:
    """Of one column: totals, means, every two values, the first and the largest few together, and shares of each."""
    yield from _describe(values)
    total, ordered = sum(values), sorted(values)
    together = [*values, *accumulate(values), *accumulate(ordered), *accumulate(ordered[::-1])]
    yield from together
    yield from (100 * each / total for each in together if total)
    mean = total / len(values) if values else 0
    for value in values:
        yield from _combine(value, mean)
    for one, other in permutations(values, 2):
        yield from _combine(one, other)


def _combine(one: float, other: float) -> Iterator[float]:
    """Sum, difference, and the one in parts, in percent and as a change from the other."""
    yield from (one + other, one - other)
    if other:
        yield from (one / other, 100 * one / other, 100 * (one - other) / other)
