from dataclasses import replace

import orjson
import pytest
from card_chances import cards, records, texts, values
from hypothesis import given, settings
from kept_cards import RUBRIC, build_card, build_record

from assay.domain.record import Record
from assay.store.codec import (
    dump,
    dump_json,
    load,
    load_card,
    load_json,
    pack,
    pack_bytes,
    to_cell,
    unpack,
    unpack_bytes,
)
from assay.store.faults import StoreError

thoroughly = settings(deadline=None, derandomize=True, max_examples=40)


@thoroughly
@given(cards)
def test_a_card_comes_back_as_it_was(card):
    back = load_card(dump(card), card.record, RUBRIC, card.run)
    assert back == card
    assert list(back.outcomes) == list(card.outcomes)
    # Equality is blind to 1 == 1.0 and True == 1; what is written out is not.
    assert dump(back) == dump(card)


@thoroughly
@given(records)
def test_a_record_comes_back_as_it_was(record):
    back = load(dump(record), Record, "record")
    assert back == record
    assert repr(back) == repr(record)


@thoroughly
@given(values)
def test_an_open_value_comes_back_with_its_types(value):
    assert repr(unpack(load_json(dump_json(pack(value))))) == repr(value)


def test_not_a_number_and_infinity_are_not_silently_null():
    back = unpack(load_json(dump_json(pack({"a": float("nan"), "b": float("-inf")}))))
    assert repr(back) == "{'a': nan, 'b': -inf}"


@pytest.mark.parametrize("value", [{1: "a"}, {"a": {1, 2}}, [object()]])
def test_a_value_that_would_come_back_changed_is_refused(value):
    with pytest.raises(TypeError):
        pack(value)


def test_a_deep_value_is_kept():
    value: object = 1
    for _ in range(300):
        value = [value]
    assert unpack(load_json(dump_json(pack(value)))) == value


@thoroughly
@given(texts)
def test_any_text_fits_a_cell(text):
    for content in (text.encode("utf-8", "surrogatepass"), text.encode("utf-8", "surrogatepass") * 300):
        assert unpack_bytes(pack_bytes(content)) == content
    assert to_cell(text) == text.encode("utf-8", "replace").decode()


def test_fractions_stand_in_the_file_as_they_are():
    content = orjson.loads(dump(build_card(build_record(1))))
    assert content["outcomes"]["support"]["score"]["value"] == "1/3"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"{}", b'{"judge": 3}', b"\xff"])
def test_bytes_that_are_no_card_are_said_to_be_damaged(content):
    with pytest.raises(StoreError, match="can't be read"):
        load_card(content, build_record(1), RUBRIC)


def test_an_unknown_kind_of_outcome_is_said_to_be_damaged():
    content = dump(build_card(build_record(1))).replace(b'"Verdict"', b'"guess"')
    with pytest.raises(StoreError, match="guess"):
        load_card(content, build_record(1), RUBRIC)


def test_a_field_that_a_later_version_added_is_ignored():
    content = load_json(dump(build_card(build_record(1))))
    content["outcomes"]["support"]["trail"]["mood"] = "fair"
    again = load_card(dump_json({**content, "weather": 3}), build_record(1), RUBRIC, "run-1")
    assert again == build_card(build_record(1))


def test_a_field_at_its_default_is_not_written_so_that_a_new_one_changes_no_digest():
    assert b"null" not in dump(replace(build_record(1), inputs={}))
    assert b"query" not in dump(build_record(1))


@pytest.mark.parametrize("cell", [b"", b"zzz", pack_bytes(b"tea" * 100)[:-9]])
def test_a_damaged_cell_is_said_to_be_one(cell):
    with pytest.raises(StoreError, match="a stored text can't be read"):
        unpack_bytes(cell)
