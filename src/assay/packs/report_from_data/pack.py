"""Hooks of the report rubric: cells and labelled lines against the table, and figures that no table yields."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from assay.domain.findings import Label, Piece
from assay.domain.record import Record
from assay.domain.scorecard import Notice
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.packs.report_from_data.data import DataTable, build_table, fold_label, parse_amount, strip_decoration
from assay.packs.report_from_data.figures import find_underived
from assay.text.tables import find_tables, split_place, text_outside_tables

_LABELLED: Final = re.compile(r"[\s*_`-]*(?P<label>[^:\n]{1,60}):(?P<value>[^\n]+)")
_HEADING: Final = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+(?P<title>[^\n]+)|\*\*(?P<bold>[^*\n]+)\*\*:?)[ \t]*$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A value of the report at its place in the data. `block` is the report's table that it stands in; -1 for lines."""

    unit: Unit
    value: str
    row: int
    column: str
    block: int

    def compare(self, table: DataTable) -> Literal["supported", "contradicted"] | None:
        """None where the two can't be compared without doubt."""
        given = table.text(self.row, self.column)
        stated, true = parse_amount(self.value), parse_amount(given)
        if stated is not None and true is not None:
            if stated.unit and true.unit and stated.unit != true.unit:
                return None
            if stated.agrees(true):
                return "supported"
            return None if stated.may_round(true) else "contradicted"
        if not given.strip() or (stated is None) != (true is None):
            return None
        if fold_label(self.value) == fold_label(given):
            return "supported"
        # Other words may say the same. The value of another row does not.
        others = {fold_label(table.text(row, self.column)) for row in range(len(table.rows))}
        return "contradicted" if fold_label(self.value) in others else None


def labels(record: Record, units: Sequence[Unit]) -> Iterator[Label]:
    """A cell or labelled line under the data's own row and column is supported if its value is that of the data.

    It is contradicted if it is another one, and at least as many values of its column in the same table agree: a
    column that never agrees holds something else, such as changes, plans or another unit.
    """
    table = build_table(record)
    if table is None:
        return
    found = [(each, each.compare(table)) for each in _list_statements(record, units, table)]
    counts = Counter((each.block, each.column, label) for each, label in found)
    for each, label in found:
        agreed, differing = (counts[each.block, each.column, said] for said in ("supported", "contradicted"))
        is_proven = label == "supported" or agreed >= differing
        evidence = table.cite(each.row, each.column)
        if label is None or not is_proven or evidence is None:
            continue
        given = f"{each.column} is {table.text(each.row, each.column)}"
        note = f"{given}, as in the report" if label == "supported" else f"{given}, but the report has {each.value}"
        pieces = (Piece(each.unit.text, "serious", each.unit.span),) if label == "contradicted" else ()
        yield Label("claim", each.unit.id, label, evidence=(evidence,), pieces=pieces, note=note, by="code")


def _list_statements(record: Record, units: Sequence[Unit], table: DataTable) -> Iterator[_Statement]:
    tables = find_tables(record.output)
    headings = [(found.start(), found["title"] or found["bold"]) for found in _HEADING.finditer(record.output)]
    for unit in units:
        if unit.kind != "claim" or unit.span is None:
            continue
        if unit.is_cell:
            places = [place for pair in split_place(unit.context) if (place := table.place(*pair)) is not None]
            block = next((at for at, each in enumerate(tables) if each.span.overlaps(unit.span)), -1)
            if len(places) == 1:
                yield _Statement(unit, strip_decoration(unit.text), *places[0], block)
            continue
        line = _LABELLED.fullmatch(unit.text)
        at = bisect_left([start for start, _ in headings], unit.span.start)
        if line is not None and at:
            place = table.place(headings[at - 1][1], line["label"])
            if place is not None:
                yield _Statement(unit, strip_decoration(line["value"]).rstrip("."), *place, -1)


def notices(record: Record) -> Iterator[Notice]:
    """Figures of the text that stand in no cell and that no usual sum, mean, share, difference or count comes to."""
    table = build_table(record)
    if table is None:
        return
    stretches = [*text_outside_tables(record.output), *_list_unplaced_cells(record.output, table)]
    for span in find_underived(record.output, sorted(stretches), table, record.query or ""):
        words = f"“{span.of(record.output)}” is in no cell, and no sum, mean, difference, share or count comes to it"
        yield Notice("figure_not_in_data", words, span)


def _list_unplaced_cells(output: str, table: DataTable) -> Iterator[Span]:
    """Cells that name no row and column of the data, such as those of a row of totals."""
    for each in find_tables(output):
        for cell in each.cells:
            if table.place(cell.row, cell.column) is None:
                yield cell.span
