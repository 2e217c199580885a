import csv
import io
import json
import tracemalloc
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_files import AUDIT, GOOD, fault, good, ids, lines, read_one, save

from assay.domain.json import JSON
from assay.domain.record import Record
from assay.errors import InputError
from assay.files.records import InvalidRecord, open_records, records_from
from assay.files.rubrics import open_rubric

SEARCH = open_rubric("search-summary")
OPINION = open_rubric("opinion-relevance")
TRIAL = open_rubric("trial-eligibility")
RESULTS = [{"url": "https://a.example", "content": "Tea holds caffeine.", "metadata": {"title": "Tea"}}]


def write_table(*rows: list[str]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()


# Formats


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.json", "a.txt", "a"])
def test_json_lines_are_read_under_any_ending(tmp_path, name):
    assert ids(open_records(save(tmp_path, name, lines(good(1), good(2))), AUDIT)) == ["a-1", "a-2"]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["a.json", "a"])
def test_a_json_list_is_read_by_how_it_begins(tmp_path, name, indent):
    text = "\n " + json.dumps([good(1), good(2)], indent=indent) + "\n"
    assert ids(open_records(save(tmp_path, name, text), AUDIT)) == ["a-1", "a-2"]


def test_a_file_that_is_one_object_over_many_lines_is_one_record(tmp_path):
    assert ids(open_records(save(tmp_path, "one.json", json.dumps(good(1), indent=2)), AUDIT)) == ["a-1"]


def test_a_folder_is_read_in_the_order_of_its_names_with_the_names_as_ids(tmp_path):
    for name in ("b.json", "a.json", "c.JSON"):
        save(tmp_path, name, json.dumps(GOOD | {"system": name}, indent=1))
    save(tmp_path, "d.json", json.dumps(good(4)))
    save(tmp_path, "notes.txt", "no record")
    save(tmp_path, ".hidden.json", "no record")
    records = open_records(tmp_path, AUDIT)
    assert ids(records) == ["a", "b", "c", "a-4"]
    assert len(records) == 4


def test_a_table_is_read_with_its_json_cells(tmp_path):
    names = ["ID", "User Query", "search_results", "summary", "citations", "facets", "search_query"]
    cited, facets = '{"1": {"text": "Tea"}}', '{"year": "2024"}'
    text = write_table(names, ["q-1", "Does it?", json.dumps(RESULTS), "[1] says so.", cited, facets, ""])
    record = read_one(save(tmp_path, "a.csv", text), SEARCH)
    assert record.id == "q-1"
    assert record.sources[0].title == "Tea"
    assert record.output == "[1] says so."
    assert record.inputs["citations"] == {"1": {"text": "Tea"}}
    assert record.facets == {"year": "2024"}
    assert "search_query" not in record.inputs


@pytest.mark.parametrize(
    ("cell", "output"),
    [
        ('["a", "b"]', "1. a\n2. b"),
        ("[1]", "[1]"),
        ('{"table": []}', '{"table": []}'),
        ("[1] and [2", "[1] and [2"),
        ("{", "{"),
    ],
)
def test_where_text_is_wanted_only_a_list_of_texts_is_json(tmp_path, cell, output):
    text = write_table(["article", "summary"], ["A.", cell])
    assert read_one(save(tmp_path, "a.csv", text)).output == output


def test_an_empty_cell_is_absent_or_blank_where_the_field_is_required(tmp_path):
    path = save(tmp_path, "a.csv", "id,article,summary,note,\n1,A.,,,\n")
    assert read_one(path).inputs == {"article": "A.", "summary": ""}


def test_a_long_line_and_a_long_cell_are_read(tmp_path):
    article = "word " * 1_000_000
    for path in (
        save(tmp_path, "a.jsonl", lines(good(1, article=article))),
        save(tmp_path, "a.csv", f"article,summary\n{article},S.\n"),
    ):
        assert read_one(path).sources[0].text == article


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "list.json"])
def test_a_byte_order_mark_and_blank_lines_are_no_matter(tmp_path, name):
    content = {
        "a.csv": "id,article,summary\r\n\r\na-1,A.,B.\r\n\r\n",
        "list.json": f"\n[{json.dumps(good(1))}\n]\n\n",
    }.get(name, "\n" + lines(good(1)) + "  \n\n")
    path = save(tmp_path, name, b"\xef\xbb\xbf" + content.encode())
    records = open_records(path, AUDIT)
    assert ids(records) == ["a-1"]
    assert records.unknown_fields == ()


def test_characters_that_some_take_for_line_ends_are_none(tmp_path):
    summary = "a\u2028b\x85c"
    assert read_one(save(tmp_path, "a.jsonl", lines(good(1, summary=summary)))).output == summary


# Bad input


def test_a_missing_file_is_named_with_the_one_that_was_meant(tmp_path):
    save(tmp_path, "records.jsonl", lines(good(1)))
    error = fault(tmp_path / "record.jsonl")
    assert error.message == "there is no such file"
    assert error.remedy == f"Did you mean `{tmp_path / 'records.jsonl'}`?"
    assert "folder of JSON files" in str(fault(tmp_path / "nowhere" / "x"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        *((name, content, "the file is empty") for name in ("a.jsonl", "a.csv") for content in ("", "\n \n", "\ufeff")),
        ("a.json", "[ ]", "there is no record in it"),
        ("a.csv", "id,article,summary\n", "there is no record in it"),
    ],
)
def test_a_file_without_a_record_is_refused(tmp_path, name, content, message):
    assert fault(save(tmp_path, name, content)).message == message


def test_a_folder_without_json_files_is_refused(tmp_path):
    assert fault(tmp_path).message == "the folder holds no `.json` files"


ONE = lines(GOOD)
LATIN = b'{"article": "C.", "summary": "caf\xe9"}'
IN_LINES = [
    ('{"article": "A.", "summary": "B."', "the JSON is broken at column 34", "It ends too early"),
    ('{"article": NaN}', "the JSON is broken at column 13", "write `null`"),
    ("{'article': 'A.'}", "the JSON is broken at column 2", "double quotes"),
    ('{"article": "A.",}', "the JSON is broken at column 17: trailing comma", "Write one object per record"),
    ('{"article": "\\ud800"}', "the JSON is broken at column 14: no low surrogate", "Write one object per record"),
    ("[1]", "the record is a list of 1, an object is needed", "ends in `.json`"),
    ('"x"', "the record is text, an object is needed", "Write an object"),
    ("3", "the record is the number 3, an object is needed", "Write an object"),
    ("null", "the record is null, an object is needed", "Write an object"),
    (lines(good(1, summary="Other.")), "the id 'a-1' is already used at line 1", "its own id, or each of its outputs"),
]
IN_LISTS = [
    ('[\n{"article": "A.", "summary": "B."},\n\n{"summary": "C."}\n]', 4, "article is missing"),
    ('[{"article": "A.", "summary": "B."},\n"x"]', 2, "the record is text"),
    ('[{"article": "A.",\n "summary": NaN}]', 2, "the JSON is broken at column 13"),
    ('[{"article": "[,{", "summary": "\\"B,["},\n["x", [1]], {}]', 2, "the record is a list of 2"),
    ('[{"article": "A.", "summary": "B."},\n]', 1, "the JSON is broken at column 36: trailing comma"),
    ('[{"article": "A.", "summary": "B."}]\n\n{}', 3, "the JSON is broken at column 1"),
    ("[" * 100_000, 1, "the JSON is broken at column 1026: depth limit"),
]
IN_TABLES = [
    ("id,article,summary\n1,A.,B.\n2,A.,B.,C.\n", 3, "the row has 4 cells, the header has 3"),
    ('id,article,summary\n1,A.,B.\n2,"A.,B.\n3,A.,B.\n', 3, "the row that starts here can't be read"),
    ("id,article,summary,summary\n1,A.,B.,C.\n", 1, "two columns are called 'summary'"),
    ("id,article,summary,Summary\n1,A.,B.,C.\n", 2, "`summary` and `Summary` are the same field"),
    ('id,article,summary\n1,"A\n\nB",C\n\n2,"A\nB"\n', 6, "summary is missing"),
    ("id,article,summary,facets\n1,A.,B.,{x\n", 2, "the cell of facets: the JSON is broken"),
]


@pytest.mark.parametrize(
    ("name", "content", "line", "message", "remedy"),
    [
        *(("a.jsonl", lines(good(1), good(2)) + text, 3, message, remedy) for text, message, remedy in IN_LINES),
        (
            "a.jsonl",
            ONE + lines({**GOOD, "summary": "Other."}) + ONE,
            3,
            "the record is the same as that of line 1",
            "",
        ),
        *(("a.json", text, line, message, "") for text, line, message in IN_LISTS),
        *(("a.csv", text, line, message, "") for text, line, message in IN_TABLES),
        ("a.csv", b"article,summary\nA.,B.\nC.,caf\xe9\n", 3, "the file is not UTF-8: byte 0xe9", "Save it as UTF-8."),
        (
            "a.json",
            b"[" + ONE.encode() + b",\n" + LATIN + b"]",
            3,
            "the file is not UTF-8: byte 0xe9",
            "Save it as UTF-8.",
        ),
        ("a.jsonl", ONE.encode() + b"\n" + LATIN, 3, "the file is not UTF-8: byte 0xe9", "Save it as UTF-8."),
    ],
)
def test_a_fault_is_named_by_its_line_with_what_to_write(tmp_path, name, content, line, message, remedy):
    error = fault(save(tmp_path, name, content))
    assert error.line == line
    assert error.message.startswith(message)
    assert remedy in error.remedy


def test_a_fault_in_a_folder_is_named_by_its_file_and_line(tmp_path):
    save(tmp_path, "a.json", json.dumps(GOOD))
    save(tmp_path, "b.json", '{"article": "A.",\n\n "summary": }')
    error = fault(tmp_path)
    assert (error.path, error.line) == (str(tmp_path / "b.json"), 3)
    save(tmp_path, "b.json", '{"article": "A."}')
    error = fault(tmp_path)
    assert (error.path, error.line) == (str(tmp_path / "b.json"), None)
    save(tmp_path, "b.json", "")
    assert "empty" in fault(tmp_path).message


@pytest.mark.parametrize("sign", [";", "\t", "|"])
def test_columns_that_another_sign_separates_are_refused_with_what_to_do(tmp_path, sign):
    error = fault(save(tmp_path, "a.csv", f"\ufeff\nid{sign}article, whole{sign}summary\n1{sign}A.{sign}B.\n"))
    assert (error.line, error.message) == (2, "the columns are not separated by commas")
    assert error.remedy.startswith("Save it with commas between the columns")
    assert "Separate cells by commas" in fault(save(tmp_path, "b.csv", f'"id"{sign}"article"\n')).remedy


@pytest.mark.parametrize("header", ["id,article,summary,a|b", 'id,article,summary,"a;b|c;\nd;e"'])
def test_a_semicolon_in_a_name_or_a_cell_is_no_separator(tmp_path, header):
    assert read_one(save(tmp_path, "a.csv", f"{header}\n1,A; B.,C; D.,\n")).output == "C; D."


def test_what_a_spreadsheet_writes_above_the_header_is_no_header(tmp_path):
    table = save(tmp_path, "a.csv", "sep=,\nid,article,summary\n1,A.,B.\n2,A.\n")
    assert ids(open_records(table, AUDIT, skip_invalid=True))[0] == "1"
    assert fault(table).line == 4


# Duplicates


def test_the_same_id_under_two_systems_is_a_pair_and_under_one_is_not(tmp_path):
    pair = [good(1, system="x"), good(1, system="y"), good(1)]
    assert len(open_records(save(tmp_path, "a.jsonl", lines(*pair)), AUDIT)) == 3
    error = fault(save(tmp_path, "b.jsonl", lines(*pair, good(1, system="y"))))
    assert (error.line, error.message) == (4, "the id 'a-1' of the system 'y' is already used at line 2")


# Records that are skipped


def test_invalid_records_are_kept_in_their_order_with_reasons(tmp_path):
    text = (
        lines(good(1), {"id": "bad", "article": "A.", "system": "s"})
        + "{broken\n"
        + lines([1], good(1), good(6), {"id": "bad", "system": "s"})
    )
    records = open_records(save(tmp_path, "a.jsonl", text), AUDIT, skip_invalid=True)
    found = list(records)
    assert len(records) == len(found) == 7
    assert [each.id for each in found if isinstance(each, InvalidRecord)] == [
        "bad", "line 3", "line 4", "a-1 (line 5)", "bad (line 7)",
    ]  # fmt: skip
    assert [each.id for each in found if isinstance(each, Record)] == ["a-1", "a-6"]
    bad = found[1]
    assert isinstance(bad, InvalidRecord)
    assert bad.system == "s"
    assert bad.reason.startswith("summary is missing; ")
    assert len({(each.id, each.system) for each in found}) == 7


def test_a_bad_byte_in_one_line_is_a_bad_record(tmp_path):
    path = save(tmp_path, "a.jsonl", lines(good(1)).encode() + b'{"id": "\xff"}\n' + lines(good(3)).encode())
    assert ids(open_records(path, AUDIT, skip_invalid=True)) == ["a-1", "line 2", "a-3"]


def test_a_bad_file_of_a_folder_is_a_bad_record(tmp_path):
    save(tmp_path, "a.json", json.dumps(GOOD))
    save(tmp_path, "b.json", "{")
    invalid = list(open_records(tmp_path, AUDIT, skip_invalid=True))[1]
    assert isinstance(invalid, InvalidRecord)
    assert invalid.id == "b"
    assert invalid.reason.startswith(str(tmp_path / "b.json"))


def test_a_bad_file_has_the_same_name_by_whichever_path_its_folder_is_given(tmp_path, monkeypatch):
    save(tmp_path, "a.json", json.dumps(good(1)))
    save(tmp_path, "b.json", json.dumps(good(1)))
    monkeypatch.chdir(tmp_path)
    spelled = [ids(open_records(path, AUDIT, skip_invalid=True)) for path in (".", tmp_path)]
    assert spelled == [["a-1", "a-1 (b.json)"]] * 2


# Passes, limits, unknown fields


def test_records_can_be_read_as_often_as_wanted(tmp_path):
    records = open_records(save(tmp_path, "a.jsonl", lines(good(1), good(2))), AUDIT)
    assert list(records) == list(records)
    assert [first.id for first, _ in zip(records, records, strict=True)] == ["a-1", "a-2"]


def test_a_limit_reads_so_many_records_and_no_further(tmp_path):
    path = save(tmp_path, "a.jsonl", lines(good(1), good(2), {"article": "A."}))
    records = open_records(path, AUDIT, limit=2)
    assert (len(records), ids(records)) == (2, ["a-1", "a-2"])
    assert len(open_records(path, AUDIT, limit=9, skip_invalid=True)) == 3
    with pytest.raises(InputError, match=r"the limit is 0\. Write 1 or more\."):
        open_records(path, AUDIT, limit=0)


def test_unknown_fields_are_kept_and_listed_once(tmp_path):
    records = open_records(
        save(tmp_path, "a.jsonl", lines(good(1, split="dev"), good(2, split="dev", year=1), good(3))), AUDIT
    )
    assert records.unknown_fields == ("split", "year")
    assert [record.inputs.get("year") for record in records if isinstance(record, Record)] == [None, 1, None]


def test_memory_stays_flat_while_a_long_file_is_read(tmp_path):
    path = tmp_path / "long.jsonl"
    with path.open("w") as file:
        for number in range(100):
            file.write(lines(good(number, article=f"{number} " * 30_000)))
    tracemalloc.start()
    records = open_records(path, AUDIT)
    assert sum(1 for _ in records) == 100
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < path.stat().st_size / 4


def test_a_short_file_is_read_once_and_a_long_one_by_every_pass(tmp_path, monkeypatch):
    path = save(tmp_path, "a.jsonl", lines(good(1), good(2)))
    held = open_records(path, AUDIT)
    monkeypatch.setattr("assay.files.records._HELD_BYTES", 100)
    streamed = open_records(path, AUDIT)
    save(tmp_path, "a.jsonl", lines(good(1)))
    assert [record.id for record in held] == ["a-1", "a-2"]
    assert [record.id for record in streamed] == ["a-1"]


# Mapping


def test_a_column_is_mapped_to_a_field(tmp_path):
    values = [{"ref": n, "text": "A.", "answer": "B.", "summary": "gold", "model": "m"} for n in (1, 2)]
    mapping = {"Article": "text", "summary": "Answer", "id": "ref", "system": "model"}
    records = open_records(save(tmp_path, "a.jsonl", lines(*values)), AUDIT, mapping=mapping)
    assert [(r.id, r.system, r.output, r.sources[0].text) for r in records if isinstance(r, Record)] == [
        ("1", "m", "B.", "A."), ("2", "m", "B.", "A."),
    ]  # fmt: skip
    assert records.unknown_fields == ()


def test_two_fields_can_trade_their_columns(tmp_path):
    path = save(tmp_path, "a.csv", "article,summary\nshort,long\n")
    record = read_one(path, AUDIT, mapping={"article": "summary", "summary": "article"})
    assert (record.output, record.sources[0].text) == ("short", "long")


def test_a_mapped_cell_is_read_by_the_kind_of_its_field(tmp_path):
    path = save(tmp_path, "a.csv", 'opinions,out\n"[""a"", ""b""]",C.\n')
    record = read_one(path, OPINION, mapping={"reviews": "opinions", "product_opinion_summary": "out"})
    assert record.inputs["reviews"] == ["a", "b"]


def test_a_mapping_reaches_a_record_one_level_down(tmp_path):
    path = save(tmp_path, "a.jsonl", lines({"id": 1, "row": {"article": "A.", "answer": "B."}}))
    record = read_one(path, AUDIT, mapping={"summary": "answer"})
    assert (record.id, record.output) == ("1", "B.")


def test_an_unknown_field_in_the_mapping_is_refused_with_the_one_that_was_meant(tmp_path):
    path = save(tmp_path, "a.jsonl", lines(good(1)))
    with pytest.raises(InputError, match=r"there is no field 'sumary'.* Did you mean 'summary'\?"):
        open_records(path, AUDIT, mapping={"sumary": "answer"})


@pytest.mark.parametrize("options", [{}, {"skip_invalid": True}])
def test_a_column_that_no_record_has_is_refused_with_the_one_that_was_meant(tmp_path, options):
    path = save(tmp_path, "a.jsonl", lines({"article": "A.", "answer": "B."}))
    error = fault(path, mapping={"summary": "anser"}, **options)
    assert error.message == "there is no column 'anser', which is mapped to summary"
    assert error.remedy == "Did you mean 'answer'?"


def test_a_column_for_an_optional_field_must_exist_somewhere(tmp_path):
    path = save(tmp_path, "a.jsonl", lines(good(1), good(2, model="m")))
    assert len(open_records(path, AUDIT, mapping={"system": "model"})) == 2
    assert fault(path, mapping={"system": "modell"}).remedy == "Did you mean 'model'?"


def test_another_fault_is_not_blamed_on_a_column_to_come(tmp_path):
    path = save(tmp_path, "a.jsonl", lines(good(1, summary=None), good(2, model="m")))
    assert fault(path, mapping={"system": "model"}).message.startswith("summary is null")


# Records in memory


def test_a_list_in_memory_is_read_like_a_file():
    records = records_from(iter([good(1, split="dev"), good(2)]), AUDIT)
    assert (len(records), ids(records), ids(records)) == (2, ["a-1", "a-2"], ["a-1", "a-2"])
    assert records.unknown_fields == ("split",)
    assert len(records_from([], AUDIT)) == 0


def test_a_fault_in_memory_is_named_by_its_rank():
    with pytest.raises(InputError, match=r"^record 3: summary is missing; "):
        records_from([good(1), good(2), {"article": "A."}], AUDIT)
    with pytest.raises(InputError, match=r"^record 2: the id 'a-1' is already used at record 1"):
        records_from([good(1), good(1)], AUDIT)
    invalid = list(records_from([good(1), {}], AUDIT, skip_invalid=True))[1]
    assert isinstance(invalid, InvalidRecord)
    assert invalid.id == "record 2"


def test_a_single_record_in_memory_is_refused():
    with pytest.raises(InputError, match=r"a single record was given, a list is needed\. Write `\[record\]`"):
        records_from(GOOD, AUDIT)  # type: ignore[arg-type]


class Column:
    """Stands for an array of a numerical library, which has no other tie to lists."""

    def tolist(self) -> list[str]:
        return ["Warm.", "Thin."]


def test_arrays_tuples_and_dates_in_memory_are_read_as_json_would_hold_them():
    values = {"reviews": Column(), "product_opinion_summary": "S.", "day": date(2024, 5, 1), "pair": ("a", 1)}
    (record,) = records_from([values], OPINION)
    assert isinstance(record, Record)
    assert [source.text for source in record.sources] == ["Warm.", "Thin."]
    assert (record.inputs["day"], record.inputs["pair"]) == ("2024-05-01", ["a", 1])


# Round trips


def records_of_trials() -> st.SearchStrategy[list[dict[str, JSON]]]:
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    plain = text.filter(lambda value: not value.lstrip().startswith(("[", "{")))
    required = [spec.name for spec in TRIAL.inputs if spec.required]
    one = st.fixed_dictionaries(dict.fromkeys(required, plain), optional={"expected_language": plain, "system": plain})
    return st.lists(one, min_size=1, max_size=4)


@given(values=records_of_trials())
@settings(deadline=None, derandomize=True, max_examples=30)
def test_json_lines_json_lists_and_tables_hold_the_same_records(tmp_path_factory, values):
    folder = tmp_path_factory.mktemp("formats")
    numbered = [{"id": str(number), **each} for number, each in enumerate(values)]
    columns = list(dict.fromkeys(name for each in numbered for name in each))
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, columns, restval="", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(numbered)
    in_memory = list(records_from(numbered, TRIAL))
    for name, text in (("a.jsonl", lines(*numbered)), ("a.json", json.dumps(numbered)), ("a.csv", table.getvalue())):
        assert list(open_records(save(folder, name, text), TRIAL)) == in_memory


@given(
    content=st.binary(max_size=60) | st.text('[]{}",:\\\n\r ab1', max_size=60).map(str.encode),
    name=st.sampled_from(["a.jsonl", "a.json", "a.csv", "a"]),
)
@settings(deadline=None, derandomize=True, max_examples=100)
def test_no_file_makes_the_reader_fall_over(tmp_path_factory, content, name):
    path = save(tmp_path_factory.getbasetemp(), name, content)
    for skip_invalid in (False, True):
        try:
            records = open_records(path, AUDIT, skip_invalid=skip_invalid)
        except InputError as error:
            assert error.path == str(path)  # noqa: PT017  # refusal is one of two good outcomes
            assert error.remedy  # noqa: PT017  # as above
        else:
            assert len(list(records)) == len(records)
