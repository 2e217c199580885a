"""Parquet holds the same records as JSON lines, is read a few rows at a time, and names its rows where it is wrong."""

import sys
from datetime import date
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from record_files import AUDIT, fault, lines, read_one
from record_files import save as save_text

from assay.domain.record import Record
from assay.errors import InputError
from assay.files.records import InvalidRecord, open_records
from assay.files.rubrics import open_rubric
from assay.files.tables import read_parquet
from assay.report.export import export_cards

SEARCH = open_rubric("search-summary")
OPINION = open_rubric("opinion-relevance")
COMPARISON = open_rubric("comparison-faithfulness")

RESULTS = [
    {"url": "https://a.example", "content": "Tea is green.", "metadata": {"title": "Tea", "year": 2020}},
    {"url": "https://b.example", "content": "Tea is black.", "metadata": {"title": "More tea"}},
]
SEARCHES = [
    {"id": "1", "user_query": "Tea?", "search_results": RESULTS, "summary": "Green [1].", "facets": {"day": "x"}},
    {"id": "2", "user_query": "Tea?", "search_results": RESULTS[:1], "summary": "Green.", "system": "b"},
]
PRODUCTS = [
    {"product_title": name, "base_price": 9.5, "final_price": 8.0, "product_opinion_summary": "Liked."}
    for name in "abc"
]


def save(path: Path, rows: list[dict], **options: object) -> Path:
    columns = dict.fromkeys(name for row in rows for name in row)
    table = pa.table({name: [row.get(name) for row in rows] for name in columns})
    parquet.write_table(table, path, **options)
    return path


def audits(count: int, **more: object) -> list[dict]:
    return [{"id": f"a-{number}", "article": f"Article {number}.", "summary": "S.", **more} for number in range(count)]


@pytest.mark.parametrize(
    ("rubric", "rows"),
    [
        (AUDIT, audits(3)),
        (SEARCH, SEARCHES),
        (OPINION, [{"id": "1", "reviews": ["Warm.", "Thin."], "product_opinion_summary": "Warm.", "average_rating": 4.5}]),
        (COMPARISON, [{"id": "1", "query": "mug", "products": PRODUCTS, "comparative_summary": "All alike."}]),
    ],
)  # fmt: skip
def test_nested_lists_and_objects_are_the_same_records_as_json_lines(tmp_path, rubric, rows):
    """In an Arrow column every object has every field; one that is null in it is one that was not there."""
    from_parquet = list(open_records(save(tmp_path / "a.parquet", rows), rubric))
    from_lines = list(open_records(save_text(tmp_path, "a.jsonl", lines(*rows)), rubric))
    assert [(each.sources, each.output, each.query, each.system) for each in from_parquet] == [
        (each.sources, each.output, each.query, each.system) for each in from_lines
    ]
    given = [
        {name: value for name, value in each.inputs.items() if name != "facets" and value is not None}
        for each in from_parquet
    ]
    assert given == [dict(each.inputs) for each in from_lines]
    assert [each.facets for each in from_parquet] == [each.facets for each in from_lines]


def test_a_text_that_is_json_is_read_as_in_a_table(tmp_path):
    rows = [{"id": "1", "reviews": '["Warm.", "Thin."]', "product_opinion_summary": "[1] Warm."}]
    record = read_one(save(tmp_path / "a.parquet", rows), OPINION)
    assert [source.text for source in record.sources] == ["Warm.", "Thin."]
    assert record.output == "[1] Warm."


def test_values_that_json_does_not_have_are_read_as_it_would_hold_them(tmp_path):
    table = pa.table(
        {
            "id": pa.array([7], pa.uint64()),
            "reviews": pa.array([[b"Warm.", None, b"Thin."]], pa.list_(pa.binary())),
            "product_opinion_summary": pa.array(["Warm."]).dictionary_encode(),
            "average_rating": pa.array([Decimal("4.50")]),
            "day": pa.array([date(2024, 5, 1)]),
            "price": pa.array([float("nan")]),
            "facets": pa.array([[("language", "en"), ("tier", "b")]], pa.map_(pa.string(), pa.string())),
        }
    )
    parquet.write_table(table, tmp_path / "a.parquet")
    record = read_one(tmp_path / "a.parquet", OPINION)
    assert (record.id, record.output, record.facets) == ("7", "Warm.", {"language": "en", "tier": "b"})
    assert [source.text for source in record.sources] == ["Warm.", "Thin.", "4.50"]
    assert record.inputs["day"] == "2024-05-01"


def test_a_fault_is_named_by_its_file_and_row(tmp_path):
    rows = audits(200)
    rows[130]["summary"] = None
    error = fault(save(tmp_path / "a.parquet", rows))
    assert str(error).startswith(f"{tmp_path / 'a.parquet'}: row 131: summary is null; ")
    rows[130] = {**rows[2]}
    assert "row 131: the id 'a-2' is already used at row 3" in str(fault(save(tmp_path / "a.parquet", rows)))


def test_a_bad_row_is_a_bad_record(tmp_path):
    rows = [*audits(2), {"id": None, "article": "A.", "summary": None}, {"id": "x", "article": "A.", "summary": "B."}]
    found = list(open_records(save(tmp_path / "a.parquet", rows), AUDIT, skip_invalid=True))
    assert [each.id for each in found] == ["a-0", "a-1", "row 3", "x"]
    invalid = found[2]
    assert isinstance(invalid, InvalidRecord)
    assert invalid.reason.partition(";")[0] == "row 3: summary is null"


def test_bytes_that_are_not_utf_8_make_their_row_invalid(tmp_path):
    article = pa.array([b"A.", b"caf\xe9", b"B."], pa.binary())
    parquet.write_table(
        pa.table({"id": ["1", "2", "3"], "article": article, "summary": ["S."] * 3}), tmp_path / "a.parquet"
    )
    assert "row 2: a text is not UTF-8" in str(fault(tmp_path / "a.parquet"))
    found = list(open_records(tmp_path / "a.parquet", AUDIT, skip_invalid=True))
    assert [type(each) for each in found] == [Record, InvalidRecord, Record]


UNREADABLE = {
    "timestamp": pa.array([0, 2**62, 1], pa.timestamp("us")),
    "date": pa.array([0, 2**31 - 1, 1], pa.date32()),
    "duration": pa.array([0, 2**62, 1], pa.duration("s")),
    "time zone": pa.array([0, 1, 0], pa.timestamp("s", tz="Mars/Phobos")),
    "bytes": pa.array([b"A.", b"caf\xe9", b"B."], pa.binary()),
    "names": pa.StructArray.from_arrays([pa.array(["x", "y", "z"])] * 2, ["same", "same"]),
    "map": pa.array([[("a", "1")], [("a", "1"), ("a", "2")], []], pa.map_(pa.string(), pa.string())),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_value_out_of_range_in_an_unused_column_is_left_out(tmp_path, kind):
    """A timestamp out of Python's range crashed the command, though no rubric reads it."""
    rows = [{**row, "note": "kept"} for row in audits(3)]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    parquet.write_table(pa.table({**columns, "extra": UNREADABLE[kind]}), tmp_path / "a.parquet")
    records = list(open_records(tmp_path / "a.parquet", AUDIT))
    assert [record.id for record in records] == ["a-0", "a-1", "a-2"]
    assert [record.inputs["note"] for record in records] == ["kept"] * 3
    assert "extra" not in records[1].inputs


def test_a_value_out_of_range_in_a_used_column_makes_its_row_invalid(tmp_path):
    columns = {name: [row[name] for row in audits(3)] for name in audits(1)[0]}
    made = pa.array([0, 2**62, 1], pa.timestamp("us"))
    parquet.write_table(pa.table({**columns, "id": made}), tmp_path / "a.parquet")
    assert "row 2: the value of id can't be read: " in str(fault(tmp_path / "a.parquet"))
    parquet.write_table(pa.table({**columns, "made": made}), tmp_path / "a.parquet")
    assert "row 2: the value of made can't be read" in str(fault(tmp_path / "a.parquet", mapping={"item": "made"}))
    found = list(open_records(tmp_path / "a.parquet", AUDIT, mapping={"item": "made"}, skip_invalid=True))
    assert [type(each) for each in found] == [Record, InvalidRecord, Record]


def test_a_column_whose_name_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"id": ["1"], "odd name": ["x"]}), path, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"odd name", b"odd \xff\xff\xff\xff"))
    assert fault(path).message.startswith("the Parquet can't be read: 'utf-8' codec")


def test_two_columns_of_one_name_are_refused(tmp_path):
    table = pa.Table.from_arrays([pa.array(["A."])] * 3, ["article", "summary", "summary"])
    parquet.write_table(table, tmp_path / "a.parquet")
    assert fault(tmp_path / "a.parquet").message == "two columns are called 'summary'"


@pytest.mark.parametrize("content", [b"", b"PAR1\x15\x04\xff", b'{"article": "A.", "summary": "B."}\n', b"PAR1" * 50])
def test_a_file_that_is_no_parquet_is_refused_with_what_to_write_instead(tmp_path, content):
    (tmp_path / "a.parquet").write_bytes(content)
    error = fault(tmp_path / "a.parquet")
    assert error.message.startswith("the Parquet can't be read: ")
    assert "JSON lines or CSV" in error.remedy


def test_a_file_that_breaks_off_in_the_middle_says_where(tmp_path):
    path = save(tmp_path / "a.parquet", audits(2_000), row_group_size=500, use_dictionary=False, compression="none")
    content = bytearray(path.read_bytes())
    at = content.index(b"Article 1400.")
    content[at - 600 : at] = b"\xff" * 600
    path.write_bytes(content)
    read = []
    with pytest.raises(InputError, match=r"the Parquet can't be read past row \d+: "):
        read.extend(read_parquet(path, ()))
    assert len(read) >= 500


@pytest.mark.parametrize("doing", ["reading", "writing"])
def test_without_pyarrow_the_message_names_the_extra(tmp_path, monkeypatch, doing):
    path = save(tmp_path / "a.parquet", audits(1))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        InputError, match=r"Parquet needs pyarrow\. Install it with `pip install 'assay-judge\[parquet\]'`"
    ):
        open_records(path, AUDIT) if doing == "reading" else export_cards([], path, ())


def test_a_large_row_group_is_never_held_whole(tmp_path):
    """20 MB in one group of rows; a batch of it and the pages it lies on are 5 MB."""
    texts = [f"{number} {'tea ' * 5_000}" for number in range(1_000)]
    path = tmp_path / "a.parquet"
    options = {"row_group_size": len(texts), "compression": "none", "use_dictionary": False, "write_batch_size": 64}
    parquet.write_table(pa.table({"article": texts}), path, **options)
    del texts
    pool = pa.default_memory_pool()
    before, most = pool.bytes_allocated(), 0
    for count, _ in enumerate(read_parquet(path, ()), start=1):
        if count % 64 == 1:
            most = max(most, pool.bytes_allocated() - before)
    assert count == 1_000
    assert most < path.stat().st_size / 4
