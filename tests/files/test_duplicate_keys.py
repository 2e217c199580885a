"""A key that is there twice in one object: which of its values is meant can't be told, so the record is refused."""

import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from record_files import AUDIT, fault, save

from assay.agreement.label_files import read_label_file
from assay.errors import InputError
from assay.files.banks import BankFile
from assay.files.json_lines import parse_json
from assay.files.place import Place
from assay.files.records import InvalidRecord, open_records

GOOD = '{"id": "1", "article": "The bridge opened.", "summary": "It opened."}'
TWICE = '{"id": "2", "article": "The bridge opened.", "summary": "One text.", "summary": "Another text."}'
DEEP = '{"id": "3", "article": "A", "summary": "B", "facets": {"day": "x", "d\\u0061y": "y"}}'


SPREAD = TWICE.replace(", ", ",\n")


@pytest.mark.parametrize(
    ("name", "text", "line", "key"),
    [
        *((name, f"{GOOD}\n{TWICE}\n", 2, "summary") for name in ("a.jsonl", "a.json", "a.txt")),
        *((name, f"{GOOD}\n{DEEP}\n", 2, "day") for name in ("a.jsonl", "a.json", "a.txt")),
        ("a", f"{TWICE}\n{GOOD}\n", 1, "summary"),
        ("list.json", f"\n[\n{GOOD},\n{SPREAD}]", 4, "summary"),
        ("folder/b.json", "\n" + DEEP.replace(", ", ",\n"), None, "day"),
    ],
)
def test_a_key_that_is_there_twice_is_refused_with_its_file_and_line(tmp_path, name, text, line, key):
    path = save(tmp_path, name, text)
    error = fault(path.parent if name.startswith("folder") else path)
    assert (error.path, error.line, error.remedy) == (str(path), line, "Keep one of the two.")
    assert error.message == f"the key '{key}' appears twice in one object"


@pytest.mark.parametrize("form", ["{}\n{}\n{}\n", "[{},\n{},\n{}]"])
def test_with_skip_invalid_only_that_record_is_invalid(tmp_path, form):
    path = save(tmp_path, "a.json", form.format(GOOD, TWICE, GOOD.replace('"1"', '"4"')))
    records = list(open_records(path, AUDIT, skip_invalid=True))
    assert [each.id for each in records] == ["1", "line 2", "4"]
    assert isinstance(records[1], InvalidRecord)
    assert "the key 'summary' appears twice" in records[1].reason


def test_in_a_cell_of_a_table_it_is_refused(tmp_path):
    path = save(tmp_path, "a.csv", 'id,article,summary,facets\n1,A,B,"{""day"": ""x"", ""day"": ""y""}"')
    assert "the cell of facets: the key 'day' appears twice in one object" in str(fault(path))


def test_in_a_map_of_parquet_it_is_refused(tmp_path):
    facets = pa.array([[("day", "x"), ("day", "y")]], pa.map_(pa.string(), pa.string()))
    parquet.write_table(pa.table({"article": ["A"], "summary": ["B"], "facets": facets}), tmp_path / "a.parquet")
    assert "row 1: the key 'day' appears twice in one object" in str(fault(tmp_path / "a.parquet"))


def test_labels_and_banks_are_held_to_the_same(tmp_path):
    path = save(tmp_path, "a.jsonl", '{"record": "1", "record": "2"}')
    for read in (lambda: read_label_file(path), lambda: BankFile(path)):
        with pytest.raises(InputError, match=r"a\.jsonl:1: the key 'record' appears twice in one object"):
            read()


def test_the_same_key_in_two_objects_and_in_texts_is_no_fault():
    text = '{"a": {"b": 1}, "c": [{"b": "\\"b\\": 1"}, {"b": "{"}], "b": "}"}'
    assert parse_json(text, Place("a", 1)) == json.loads(text)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('ab:"{}\\', max_size=2), inner, max_size=3),
    max_leaves=12,
)


@given(JSON_VALUES, st.sampled_from([None, 1]))
def test_what_json_writes_is_read_as_it_was(value, indent):
    assert parse_json(json.dumps(value, indent=indent), Place("a", 1)) == value


@given(JSON_VALUES, st.text('ab:"{}\\', max_size=2))
def test_a_key_added_again_is_found_at_any_depth(value, key):
    name = json.dumps(key)
    text = json.dumps([value, {"deep": [value, "MARK"]}]).replace('"MARK"', f"{{{name}: 1, {name}: {{}}}}")
    with pytest.raises(InputError) as caught:
        parse_json(text, Place("a", 1))
    assert caught.value.message == f"the key {key!r} appears twice in one object"
