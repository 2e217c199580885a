"""The rows of a record's table, and the row and column that the labels of a report name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Final

from assay.domain.findings import Evidence
from assay.domain.json import JSON
from assay.domain.record import Record, Source
from assay.domain.span import Span
from assay.text.quantities import NUMERAL, Readings, fold_digits, parse_numeral

DATA: Final = "data"
_VALUE: Final = re.compile(
    rf"(?P<minus>[-−–]?)\s?(?P<before>[$€£¥₹]?)\s?(?P<number>{NUMERAL})\s?(?P<after>%|[$€£¥₹]|[A-Z]{{3}})?"
)
_DECORATION: Final = re.compile(r"[*_`~]+")


@dataclass(frozen=True, slots=True)
class TableNumber:
    """A number as printed, in all its readings. `unit` is a currency or %, where it is printed."""

    readings: Readings
    unit: str = ""

    def agrees(self, true: "TableNumber") -> bool:
        """Whether this is the other number, rounded or cut off at its last printed place."""
        return any(
            abs(given.value - own.value) <= own.step / 2 or 0 <= given.value - own.value < min(own.step, Fraction(1))
            for own in self.readings
            for given in true.readings
        )

    def may_round(self, true: "TableNumber") -> bool:
        """Whether this may be the other number in round figures, such as 1,200 for 1,187."""
        return any(
            abs(given.value - own.value) < 10 ** (len(digits) - len(digits.rstrip("0")))
            for own in self.readings
            if own.value and (digits := str(abs(own.value.numerator))) and own.value.denominator == 1
            for given in true.readings
        )


def parse_amount(text: str) -> TableNumber | None:
    """One number and nothing else but its unit; None for words, ranges, changes (+5) and several numbers."""
    found = _VALUE.fullmatch(fold_digits(text.strip().rstrip(".;")))
    if found is None or (found["before"] and found["after"]):
        return None
    sign = -1 if found["minus"] else 1
    readings = tuple(each.times(sign) for each in parse_numeral(found["number"]))
    return TableNumber(readings, found["before"] or found["after"] or "") if readings else None


def fold_label(text: str) -> str:
    """Labels are equal whatever their case, emphasis, underscores and hyphens."""
    return " ".join(re.sub(r"[*_`~\s-]+", " ", text).casefold().strip(" :").split())


def strip_decoration(text: str) -> str:
    return _DECORATION.sub("", text).strip()


@dataclass(frozen=True, slots=True)
class DataTable:
    """`columns` are the names by their folded form, without those that two columns share.

    `lines` are where the source holds each row, and `labels` the rows by what names one alone.
    """

    source: Source
    lines: Sequence[Span]
    rows: Sequence[Mapping[str, JSON]]
    columns: Mapping[str, str]
    labels: Mapping[str, int]

    def place(self, one: str, other: str) -> tuple[int, str] | None:
        """The row and the column that two labels name, whichever is which."""
        for row, column in ((fold_label(one), fold_label(other)), (fold_label(other), fold_label(one))):
            if row in self.labels and column in self.columns:
                return self.labels[row], self.columns[column]
        return None

    def text(self, row: int, column: str) -> str:
        return format_value(self.rows[row].get(column))

    def cite(self, row: int, column: str) -> Evidence | None:
        """The cell where the source holds it: each row is a line of it."""
        line = self.lines[row]
        found = re.search(
            rf"(?<=- |; ){re.escape(f'{column}: {self.text(row, column)}')}(?=; |\s*$)", line.of(self.source.text)
        )
        if found is None:
            return None
        span = Span(*found.span()).shifted(line.start)
        return Evidence(self.source.id, span, span.of(self.source.text))


def format_value(value: JSON) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if isinstance(value, str) else str(value) if is_number else ""


def build_table(record: Record) -> DataTable | None:
    """None where the record's table has no row that a label could name."""
    rows = record.inputs.get(DATA)
    source = next((each for each in record.sources if each.input == DATA), None)
    if not isinstance(rows, list) or source is None:
        return None
    named = [row for row in rows if isinstance(row, Mapping)]
    names = list(dict.fromkeys(name for row in named for name in row))
    folded = [fold_label(name) for name in names]
    columns = {fold: name for fold, name in zip(folded, names, strict=True) if folded.count(fold) == 1}
    ends = list(accumulate(map(len, source.text.splitlines(keepends=True)), initial=0))
    if len(named) != len(rows) or not names or len(ends) != len(rows) + 1:
        return None
    lines = [Span(start, end) for start, end in pairwise(ends)]
    return DataTable(source, lines, named, columns, _find_labels(named, names))


def _find_labels(rows: Sequence[Mapping[str, JSON]], names: Sequence[str]) -> Mapping[str, int]:
    """What names one row alone: a value of the first column, or of another one that holds texts and no value twice."""
    found: dict[str, set[int]] = {}
    for name in names:
        values = [fold_label(format_value(row.get(name))) for row in rows]
        is_key = len(set(values)) == len(values) and not any(parse_amount(value) for value in values)
        if name == names[0] or is_key:
            for at, value in enumerate(values):
                found.setdefault(value, set()).add(at)
    return {value: next(iter(at)) for value, at in found.items() if value and len(at) == 1}
