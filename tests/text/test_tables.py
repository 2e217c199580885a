import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.tables import find_tables, split_line, split_place, text_outside_tables

COMPARISON = r"""Here is the comparison.

| **Attribute** | `Kettle A` | *Kettle B* | Kettle \| C |
|:--|--:|:-:|---|
| **Base price** | ₹1,299 | ₹999 |
| _Average rating_ | 4.2 | | 3.9 | surplus |
| Pros | hot \| fast | **quiet** | - |
Verdict: buy Kettle A.
"""


def grid(text: str) -> dict[tuple[str, str], str]:
    (table,) = find_tables(text)
    return {(cell.row, cell.column): cell.text for cell in table.cells}


def outside(text: str) -> list[str]:
    return [span.of(text) for span in text_outside_tables(text)]


def test_a_markdown_table_is_read_as_labelled_cells():
    (table,) = find_tables(COMPARISON)
    assert table.columns == ("Kettle A", "Kettle B", "Kettle | C")
    assert table.rows == ("Base price", "Average rating", "Pros")
    assert grid(COMPARISON) == {
        ("Base price", "Kettle A"): "₹1,299",
        ("Base price", "Kettle B"): "₹999",
        ("Average rating", "Kettle A"): "4.2",
        ("Average rating", "Kettle B"): "",
        ("Average rating", "Kettle | C"): "3.9",
        ("Average rating", ""): "surplus",
        ("Pros", "Kettle A"): "hot | fast",
        ("Pros", "Kettle B"): "**quiet**",
        ("Pros", "Kettle | C"): "-",
    }


def test_the_place_of_a_cell_is_taken_apart_at_every_bar():
    (table,) = find_tables(COMPARISON)
    assert list(split_place(table.cells[0].place)) == [("Base price", "Kettle A")]
    assert ("Average rating", "Kettle | C") in list(split_place(table.cells[4].place))


@pytest.mark.parametrize(("line", "cells"), [
    ("| a | b |", ["a", "b"]), ("a | b", ["a", "b"]), (r" | a \| b | | ", ["a | b", ""]), ("a", ["a"]), ("|", [""]),
])  # fmt: skip
def test_a_line_is_split_at_its_bars(line, cells):
    assert split_line(line) == cells


def test_a_cell_span_points_at_its_raw_text():
    (table,) = find_tables(COMPARISON)
    assert [cell.span.of(COMPARISON) for cell in table.cells if cell.row == "Pros"] == [
        r"hot \| fast",
        "**quiet**",
        "-",
    ]


def test_the_text_around_a_table_is_left():
    assert outside(COMPARISON) == ["Here is the comparison.", "Verdict: buy Kettle A."]


@pytest.mark.parametrize(
    "text",
    [
        "Name | Price\n--- | ---\nA | 5",
        "| Name | Price |\n| - | - |\n| A | 5 |",
        "Name | Price |\n:-- | --: |\nA | 5 |",
        "  | Name | Price |\r\n  |---|---|\r\n  | A | 5 |\r\n",
        "| Name | Price |\n|—|—|\n| A | 5 |\n|---|---|",
        "```\n| Name | Price |\n|---|---|\n| A | 5 |\n```",
    ],
    ids=["no outer pipes", "short rule", "one outer pipe", "indented", "typographic rule", "fenced"],
)
def test_forms_of_the_same_markdown_table(text):
    assert grid(text) == {("A", "Price"): "5"}
    assert outside(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Use a | b here.",
        "--- | ---",
        "| lonely |",
        "| Name | Price |\n| A | 5 |",
        "|",
        r"a \| b" + "\n--- \n",
        "{}",
        '{"score": 4, "why": "it is fine"}',
        '{"score": {"value": 4}}',
        '[{"score": {"deep": {"deeper": 1}}}]',
        '{"a": {"b": "unclosed',
    ],
)
def test_what_is_no_table(text):
    assert find_tables(text) == ()


def test_two_tables_in_one_text_keep_their_order():
    text = "| N | P |\n|---|---|\n| A | 5 |\n\nThen\n\nM | Q\n--|--\nB | 6\n"
    assert [table.rows for table in find_tables(text)] == [("A",), ("B",)]
    assert outside(text) == ["Then"]


OBJECTS = """Here:
```json
{
  "Base price": {"Kettle A": "₹1,299", "Kettle B": 999},
  "**Pros**": {"Kettle A": ["hot", "fast"], "Kettle B": "says \\"hi\\" \\u20b95", "Kettle C": null}
}
```
Buy Kettle A."""


def test_objects_of_objects_are_a_table():
    (table,) = find_tables(OBJECTS)
    assert table.columns == ("Kettle A", "Kettle B", "Kettle C")
    assert table.rows == ("Base price", "Pros")
    assert grid(OBJECTS) == {
        ("Base price", "Kettle A"): "₹1,299",
        ("Base price", "Kettle B"): "999",
        ("Pros", "Kettle A"): "hot; fast",
        ("Pros", "Kettle B"): 'says "hi" ₹5',
        ("Pros", "Kettle C"): "",
    }


def test_json_values_are_located_inside_their_quotes():
    (table,) = find_tables(OBJECTS)
    assert [cell.span.of(OBJECTS) for cell in table.cells] == [
        "₹1,299",
        "999",
        '["hot", "fast"]',
        'says \\"hi\\" \\u20b95',
        "null",
    ]


def test_a_fence_goes_with_its_table():
    assert outside(OBJECTS) == ["Here:", "Buy Kettle A."]


ROWS = 'See [1]: [{"Attribute": "Base price", "A": "5", "B": "6",}, {"Attribute": "Pros", "A": "hot"}] and decide.'


def test_a_list_of_row_objects_is_a_table():
    (table,) = find_tables(ROWS)
    assert table.columns == ("A", "B")
    assert table.rows == ("Base price", "Pros")
    assert [(cell.row, cell.column, cell.span.of(ROWS)) for cell in table.cells] == [
        ("Base price", "A", "5"),
        ("Base price", "B", "6"),
        ("Pros", "A", "hot"),
    ]
    assert outside(ROWS) == ["See [1]:", "and decide."]


def test_the_verdict_beside_a_wrapped_table_is_left_as_prose():
    text = 'Ok. {"query": "kettle", "table": {"Price": {"A": 5, "B": 6}}, "verdict": "A is best. Buy it."} Done.'
    assert [table.rows for table in find_tables(text)] == [("Price",)]
    assert outside(text) == ["Ok.", "kettle", "A is best. Buy it.", "Done."]


LABELS = st.text(alphabet="abcdef ₹1.", min_size=1, max_size=8).map(str.strip).filter(lambda label: label.strip("*_-"))


@settings(deadline=None, derandomize=True, max_examples=50)
@given(st.lists(LABELS, min_size=2, max_size=4), st.lists(st.lists(LABELS, min_size=4, max_size=4), max_size=4))
def test_a_written_markdown_table_is_read_back(header, body):
    rows = [row[: len(header)] for row in body]
    lines = [header, ["---"] * len(header), *rows]
    text = "Before.\n\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n\nAfter."
    (table,) = find_tables(text)
    assert table.columns == tuple(header[1:])
    assert table.rows == tuple(row[0] for row in rows)
    assert [cell.text for cell in table.cells] == [cell for row in rows for cell in row[1:]]
    assert all(cell.span.of(text) == cell.text for cell in table.cells)
    assert outside(text) == ["Before.", "After."]


@settings(deadline=None, derandomize=True, max_examples=50)
@given(
    st.dictionaries(
        LABELS, st.dictionaries(LABELS, st.text(max_size=6), min_size=2, max_size=3), min_size=1, max_size=3
    )
)
def test_a_written_json_table_is_read_back(content):
    text = "Before. " + json.dumps(content) + " After."
    (table,) = find_tables(text)
    assert [(cell.row, cell.column, cell.text) for cell in table.cells] == [
        (row, column, value) for row, values in content.items() for column, value in values.items()
    ]
    assert all(json.loads(f'"{cell.span.of(text)}"') == cell.text for cell in table.cells)
    assert outside(text) == ["Before.", "After."]


PIECES = ["|", "-", ":", "a", "1", " ", "\n", "\n\n", "{", "}", "[", "]", '"', ",", "\\", "```json\n", '{"a":', '{"b":1,"c":2}']  # fmt: skip


@settings(deadline=None, derandomize=True, max_examples=120)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_spans_stay_inside_their_tables_and_apart(text):
    tables = find_tables(text)
    assert all(
        table.span.start <= cell.span.start <= cell.span.end <= table.span.end
        for table in tables
        for cell in table.cells
    )
    taken = sorted([*(table.span for table in tables), *text_outside_tables(text)])
    assert all(left.end <= right.start for left, right in pairwise(taken))


@pytest.mark.parametrize(
    "unit",
    ["|", "| a ", "|a|b|\n", "|-|-|\n", '{"', '{"a":', '[{"a":1,', "[{", '{"a":{},', "{ ", '{"a":{"b":1,"c":2}}'],
)
def test_long_hostile_texts_are_read_to_their_end(unit):
    text = unit * (10_000 // len(unit))
    assert all(span.end <= len(text) for span in text_outside_tables(text))
