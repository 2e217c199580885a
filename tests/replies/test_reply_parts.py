"""The parts of a metric are read alike, whoever asked for the reply."""

from fractions import Fraction

import pytest

from assay.domain.findings import Grade
from assay.domain.parts import GradePart, Option, PickPart
from assay.domain.scale import Scale
from assay.replies.parts import PartReader, list_entries
from assay.replies.values import Misreading

WHOLE = GradePart("clarity", Scale(Fraction(1), Fraction(5), "high", 0), ())


def test_a_grade_is_kept_with_its_reason_and_its_repair():
    reader = PartReader()
    reader.read_grade("4/5", WHOLE, "plain")
    assert reader.findings.grades == (Grade("clarity", Fraction(4), "plain"),)
    assert reader.repairs == ["number as text, scale beside the number"]
    assert not reader.faults


def test_a_grade_may_be_an_object_with_its_own_reason():
    reader = PartReader()
    reader.read_grade({"score": 4, "reason": "terse"}, WHOLE, "of all")
    assert reader.findings.grades == (Grade("clarity", Fraction(4), "terse"),)


@pytest.mark.parametrize(("value", "cut", "words", "status"), [
    ({"level": 4, "score": 3}, False, "clarity: it has two different levels", "ambiguous"),
    ({}, False, "there is no clarity", "malformed"),
    (None, False, "there is no clarity", "malformed"),
    (None, True, "the reply was cut off before clarity", "truncated"),
    (4.5, False, "clarity: 4.5 is between two whole numbers", "ambiguous"),
    (6, False, "clarity: 6 is not between 1 and 5", "out_of_range"),
])  # fmt: skip
def test_a_grade_that_is_not_there_is_a_fault_that_names_its_part(value, cut, words, status):
    reader = PartReader()
    reader.read_grade(value, WHOLE, "", cut=cut)
    [fault] = reader.faults
    assert (fault.words, fault.status, fault.part) == (words, status, "clarity")
    assert not reader.findings.grades


def test_a_word_is_read_with_its_repair_and_a_misreading_leaves_none():
    reader = PartReader()
    assert reader.read_word("Fully.", ["fully", "partly"]) == "fully"
    assert isinstance(reader.read_word("hardly", ["fully", "partly"]), Misreading)
    assert reader.repairs == ["label spelling"]


def test_no_more_is_picked_than_a_part_allows_and_nothing_twice():
    reader = PartReader()
    part = PickPart("tone", "options", tuple(Option(name, name, Fraction(1)) for name in "abc"), most=2)
    reader.add_pick(part, ["b", "b", "a", "c"])
    assert reader.findings.picked("tone") == ("b", "a")


@pytest.mark.parametrize(("value", "entries"), [(None, []), ("x", ["x"]), (["x", 1], ["x", 1]), ([], []), ({}, [{}])])
def test_what_stands_alone_is_a_list_of_one(value, entries):
    assert list(list_entries(value)) == entries


@pytest.mark.parametrize(("value", "texts", "faults", "repairs"), [
    ([{"point": "a"}, "b", "none", {"point": "N/A"}, 1], ["a", "b"], [], []),
    ([{"point": "a"}, {"point": " "}, {"text": "b"}], ["a"], [], ["empty entries of points dropped"]),
    ([{"point": None}], [], [], ["empty entries of points dropped"]),
    ([{"text": "a"}, {"text": "b"}], [], ["no entry of points has the key point"], []),
    ([], [], [], []),
])  # fmt: skip
def test_an_entry_without_the_key_asked_for_is_dropped_and_a_list_of_such_is_malformed(value, texts, faults, repairs):
    reader = PartReader()
    assert [entry["point"] for entry in reader.list_objects(value, "points", ["point"], bare="point")] == texts
    assert ([fault.words for fault in reader.faults], reader.repairs) == (faults, repairs)
