"""Reads a table that a record brings: objects, rows below a row of names, or CSV text."""

import csv
from collections.abc import Mapping, Sequence

from assay.domain.json import JSON
from assay.files.json_values import describe, is_blank, is_list, spell_entries
from assay.files.place import Place

EXAMPLE = '[{"region": "North", "sales": 120}, {"region": "South", "sales": 95}]'
_SEPARATORS = ",;\t|"


def read_data_table(value: JSON, name: str, place: Place) -> list[Mapping[str, JSON]]:
    """Each row as an object. Raises InputError for what is no table, and for a row that does not fit the names."""
    remedy = f'Write `"{name}": {EXAMPLE}`, rows of which the first holds the names, or CSV text with a line of names'
    rows: Sequence[JSON]
    if isinstance(value, str):
        lines = [line for line in value.splitlines() if not is_blank(line)]
        if not lines:
            return []
        # The sign that stands most often in the line of names.
        separator = max(_SEPARATORS, key=lines[0].count)
        try:
            rows = list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
        except csv.Error as error:
            raise place.fault(f"{name} is no CSV that can be read: {error}", remedy) from error
    elif is_list(value):
        rows = value
    else:
        raise place.fault(f"{name} is {describe(value)}, a table is needed", remedy)
    if any(rows) and all(isinstance(row, Mapping) for row in rows):
        return [row for row in rows if isinstance(row, Mapping)]
    for at, row in enumerate(rows, 1):
        if not is_list(row):
            held = "beside rows of another form" if row else "and holds nothing"
            raise place.fault(f"row {at} of {name} is {describe(row)}, {held}", remedy)
    lists = [list(row) for row in rows if is_list(row)]
    if len(lists) < 2:  # names alone are no data
        raise place.fault(f"{name} has {'no row below the names' if lists else 'no row'}", remedy)
    names = [str(each).strip() for each in lists[0]]
    for at, row in enumerate(lists[1:], 2):
        if len(row) != len(names):
            message = f"row {at} of {name} has {len(row)} cells, the names above are {len(names)}"
            raise place.fault(message, "Give each row a cell for each name; in CSV, set cells with commas in quotes")
    if len(set(names)) < len(names):
        raise place.fault(f"two columns of {name} have the same name", "Give each column a name of its own")
    return [dict(zip(names, row, strict=True)) for row in lists[1:]]


def format_rows(rows: Sequence[Mapping[str, JSON]]) -> str:
    """A row on each line, and each a sentence that a judge can quote."""
    return "\n".join(f"- {'; '.join(spell_entries(row))}" for row in rows)
