"""Cells and labelled lines of a report are proven by the table, or left to the judge; odd figures are notices."""

import pytest

from assay.domain.record import Record
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.files.rubrics import open_rubric
from assay.packs.report_from_data import pack
from assay.units.claims import cut_claims

RUBRIC = open_rubric("report-from-data")
DATA = [
    {"town": "Ahl", "sold_items": 4218, "lead": "Ida", "share": "12.5 %"},
    {"town": "Brun", "sold_items": 7365, "lead": "Jon", "share": "21.9 %"},
    {"town": "Cray", "sold_items": 1187, "lead": "Kim", "share": "3.5 %"},
]


def build(report: str, data=DATA) -> Record:
    return build_record({"data": data, "report": report}, RUBRIC, Place("r.jsonl", 1))


def prove(report: str, data=DATA) -> dict[str, str]:
    """The labels by the texts of their claims."""
    record = build(report, data)
    claims = cut_claims(record.output, cells=True)
    texts = {claim.id: claim.text for claim in claims}
    return {texts[label.unit]: label.label for label in pack.labels(record, claims)}


def write_table(column: str, *cells: str) -> str:
    return f"| Town | {column} |\n|---|---|\n" + "\n".join(
        f"| {row['town']} | {cell} |" for row, cell in zip(DATA, cells, strict=True)
    )


@pytest.mark.parametrize("cell", ["4,218", "**4218**", "4 218".replace(" ", "\u00a0"), "4218.0"])
def test_a_cell_with_the_value_of_its_row_and_column_is_supported(cell):
    assert prove(write_table("Sold items", cell, "7,365", "1,187"))[cell] == "supported"


def test_a_cell_with_another_value_is_contradicted_with_the_cell_of_the_data_as_evidence():
    record = build(write_table("Sold items", "4,812", "7,365", "1,187"))

    wrong = next(each for each in pack.labels(record, cut_claims(record.output, cells=True)) if each.unit == "c1")
    assert (wrong.label, wrong.by) == ("contradicted", "code")
    assert [(each.source, each.quote) for each in wrong.evidence] == [("s1", "sold_items: 4218")]
    assert [(each.words, each.severity) for each in wrong.pieces] == [("4,812", "serious")]
    assert wrong.evidence[0].span.of(record.sources[0].text) == "sold_items: 4218"


def test_the_evidence_is_the_cell_itself_and_no_cell_whose_name_ends_alike():
    data = [{"town": name, "net sold": 41, "sold": 4} for name in ("Ahl", "Brun")]
    record = build("| Town | Sold |\n|---|---|\n| Ahl | 4 |\n| Brun | 4 |", data)

    found = [each.evidence[0] for each in pack.labels(record, cut_claims(record.output, cells=True))]
    assert [(each.quote, record.sources[0].text[each.span.start - 2 : each.span.start]) for each in found] == [
        ("sold: 4", "; "), ("sold: 4", "; "),
    ]  # fmt: skip
    assert [record.sources[0].text[: each.span.start].count("\n") for each in found] == [0, 1]


def test_a_table_whose_rows_are_the_columns_of_the_data_is_read_too():
    report = "| | Ahl | Brun | Cray |\n|---|---|---|---|\n| Sold items | 4,218 | 7,365 | 1,871 |"

    assert prove(report) == {"4,218": "supported", "7,365": "supported", "1,871": "contradicted"}


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        ("Sold items", ("+312", "7,365", "1,187")),  # a change
        ("Sold items", ("4,218", "7,365", "1,200")),  # in round figures
        ("Sold items", ("4.4k", "7,365", "1,187")),
        ("Sold items", ("4,000–4,500", "7,365", "1,187")),
        ("Items sold", ("4,812", "7,365", "1,187")),  # another name
        ("Sold items (April)", ("4,812", "7,365", "1,187")),
        ("Sold items", ("5,100", "8,100", "1,187")),  # a plan: most of the column is something else
        ("Share", ("12.5 €", "21.9 %", "3.5 %")),
        ("Lead", ("I. Holm", "Jon", "Kim")),  # other words may name the same person
    ],
)
def test_what_is_not_read_without_doubt_is_never_contradicted(column, cells):
    assert "contradicted" not in prove(write_table(column, *cells)).values()


def test_a_text_is_contradicted_only_by_the_value_of_another_row():
    assert prove(write_table("Lead", "Kim", "Jon", "Kim")) == {"Kim": "supported", "Jon": "supported"}
    record = build(write_table("Lead", "Jon", "Jon", "Kim"))
    assert [each.label for each in pack.labels(record, cut_claims(record.output, cells=True))] == [
        "contradicted", "supported", "supported",
    ]  # fmt: skip


def test_a_row_that_two_rows_of_the_data_share_a_name_with_is_left_to_the_judge():
    twice = [*DATA, {**DATA[0], "sold_items": 99, "lead": "Liv"}]

    assert "4,812" not in prove(write_table("Sold items", "4,812", "7,365", "1,187"), twice)


def test_a_labelled_line_belongs_to_the_row_or_column_of_its_heading():
    lines = "## Sold items\n\n- Ahl: 4,218\n- Brun: 7,653\n\n## Cray\n\n- Sold items: 1,187\n- Lead: Kim"

    assert prove(lines) == {
        "Ahl: 4,218": "supported",
        "Brun: 7,653": "contradicted",
        "Sold items: 1,187": "supported",
        "Lead: Kim": "supported",
    }


@pytest.mark.parametrize(
    ("sentence", "figures"),
    [
        ("Together the towns sold 12,770 items, 4,256.7 on average.", []),
        ("Brun sold 57.7 % of them, 3,147 more than Ahl.", []),
        ("Together the towns sold 13,940 items.", ["13,940"]),
        ("Together the towns sold 12.8 thousand items.", []),
        ("About 13,900 items were sold in 2025, in 3 towns.", []),
        ("Brun sold 7,356 items.", ["7,356"]),
        ("| Town | Sold items |\n|---|---|\n| Total | 13,940 |", ["13,940"]),
    ],
)
def test_a_figure_that_nothing_in_the_table_comes_to_is_a_notice(sentence, figures):
    record = build(sentence)

    found = list(pack.notices(record))
    assert [each.span.of(record.output) for each in found if each.span] == figures
    assert {each.check for each in found} <= {"figure_not_in_data"}
