import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.ask import Written
from assay.domain.json import JSON
from assay.domain.record import Source
from assay.errors import InputError
from assay.files.banks import BankFile, digest_sources

KEY, OTHER = ("article-audit", "key_points", "d1"), ("article-audit", "key_points", "d2")
POINTS = (Written("The bridge opened in May.", ("S1.1", "S1.2")), Written("It cost two million.", (), "minor", "mixed"))
LINE: dict[str, JSON] = {
    "rubric": "article-audit",
    "bank": "key_points",
    "source": "d1",
    "judge": "someone",
    "units": [{"text": "The bridge opened in May.", "sources": ["S1.1"]}],
}


def save(folder: Path, *values: JSON, end: str = "\n") -> Path:
    path = folder / "bank.jsonl"
    path.write_text("\n".join(json.dumps(value) for value in values) + end)
    return path


def fault(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        BankFile(path)
    assert caught.value.path == str(path)
    assert caught.value.remedy
    return caught.value


def test_an_absent_file_is_an_empty_bank_that_is_made_by_the_first_addition(tmp_path):
    path = tmp_path / "banks" / "new.jsonl"
    bank = BankFile(path)
    assert bank.get(*KEY) is None
    assert not path.exists()
    assert bank.add(*KEY, "embedded", POINTS) == POINTS
    units = [
        {"text": "The bridge opened in May.", "sources": ["S1.1", "S1.2"]},
        {"text": "It cost two million.", "sources": [], "weight": "minor", "direction": "mixed"},
    ]
    assert json.loads(path.read_text()) == {**LINE, "judge": "embedded", "units": units}
    assert BankFile(path).get(*KEY) == POINTS


def test_a_bank_is_found_by_rubric_bank_and_source_alike(tmp_path):
    bank = BankFile(save(tmp_path, LINE))
    assert bank.get(*KEY) == (Written("The bridge opened in May.", ("S1.1",)),)
    assert bank.get(*OTHER) is None
    assert bank.get("article-audit", "items", "d1") is None
    assert bank.get("other", "key_points", "d1") is None


def test_units_once_written_stay(tmp_path):
    path = save(tmp_path, LINE)
    bank = BankFile(path)
    before = path.read_bytes()
    held = bank.add(*KEY, "another", POINTS)
    assert held == bank.get(*KEY) == (Written("The bridge opened in May.", ("S1.1",)),)
    assert path.read_bytes() == before


def test_an_addition_after_a_line_without_an_end_is_a_line_of_its_own(tmp_path):
    path = save(tmp_path, LINE, end="")
    BankFile(path).add(*OTHER, "embedded", POINTS)
    assert len(path.read_text().splitlines()) == 2
    assert BankFile(path).get(*OTHER) == POINTS


def test_a_person_may_leave_out_the_judge_and_the_sentences(tmp_path):
    line = {"rubric": "r", "bank": "b", "source": "d", "units": [{"text": "A."}]}
    assert BankFile(save(tmp_path, line)).get("r", "b", "d") == (Written("A."),)


def test_the_same_line_twice_is_no_matter_but_other_units_are(tmp_path):
    assert BankFile(save(tmp_path, LINE, LINE)).get(*KEY)
    error = fault(save(tmp_path, LINE, {**LINE, "source": "d2"}, {**LINE, "units": []}))
    assert error.line == 3
    assert error.message.startswith("the units of these sources differ from an earlier line")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([1], "the line holds no reference points"),
        ({**LINE, "rubric": None}, "the line holds no reference points"),
        ({**LINE, "bank": 3}, "the line holds no reference points"),
        ({**LINE, "units": "A."}, "the line holds no reference points"),
        ({**LINE, "units": [{"text": "A."}, {"text": " "}]}, "unit 2 has no text"),
        (
            {**LINE, "units": [{"text": "A.", "sources": [1]}]},
            "unit 1 has no text, or its sources are not a list of texts",
        ),
        (
            {**LINE, "units": [{"text": "A.", "weight": "heavy"}]},
            "unit 1 has no text, or its sources are not a list of tex",
        ),
        (
            {**LINE, "units": [{"text": "A.", "direction": 1}]},
            "unit 1 has no text, or its sources are not a list of texts",
        ),
    ],
)
def test_a_bad_line_is_refused_with_its_number(tmp_path, value, message):
    error = fault(save(tmp_path, LINE, value))
    assert error.line == 2
    assert error.message.startswith(message)
    assert '"units"' in error.remedy


def test_a_line_cut_short_is_refused_with_its_number(tmp_path):
    path = save(tmp_path, LINE)
    path.write_bytes(path.read_bytes() + b'{"rubric": "article-au')
    assert fault(path).line == 2
    path.write_bytes(b'\n{"rubric": "\xff"}\n')
    assert fault(path).line == 2


def test_a_bank_that_can_not_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    bank = BankFile(tmp_path / "file" / "bank.jsonl")
    with pytest.raises(InputError, match="the reference points can't be written"):
        bank.add("r", "b", "d", "j", POINTS)
    assert bank.get("r", "b", "d") is None


def test_the_digest_is_of_the_texts_in_their_order():
    one, two = Source("s1", "A."), Source("s2", "B.")
    assert digest_sources([one, two]) != digest_sources([two, one])
    assert digest_sources([one]) == digest_sources([Source("s7", "A.", "Title", "https://a.example", "article")])
    assert digest_sources([Source("s1", "A.B.")]) != digest_sources([one, two])


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).map(lambda text: f"x{text}")


sentences, weights, directions = (
    st.lists(texts, max_size=3).map(tuple),
    st.sampled_from(["main", "minor"]),
    ["", "praised"],
)
WRITTEN = st.builds(Written, texts, sentences, weights, st.sampled_from(directions))


@given(banks=st.dictionaries(st.tuples(texts, texts, texts), st.lists(WRITTEN, max_size=4).map(tuple), max_size=5))
@settings(deadline=None, derandomize=True, max_examples=30)
def test_what_was_added_is_read_again(tmp_path_factory, banks):
    path = tmp_path_factory.mktemp("banks") / "bank.jsonl"
    bank = BankFile(path)
    for key, units in banks.items():
        bank.add(*key, "judge", units)
    again = BankFile(path)
    assert {key: again.get(*key) for key in banks} == banks


def test_two_runs_that_fill_one_file_at_once_keep_the_first_units_of_each_source(tmp_path):
    path = tmp_path / "bank.jsonl"
    first, second = BankFile(path), BankFile(path)
    assert first.add(*KEY, "a", POINTS) == POINTS
    assert second.add(*KEY, "b", POINTS[:1]) == POINTS
    assert second.add(*OTHER, "b", POINTS[:1]) == POINTS[:1]
    assert first.add(*OTHER, "a", POINTS) == POINTS[:1]
    assert BankFile(path).get(*OTHER) == POINTS[:1]


def test_units_that_are_changed_while_a_run_uses_them_are_told(tmp_path):
    path = tmp_path / "bank.jsonl"
    bank = BankFile(path)
    bank.add(*KEY, "a", POINTS)
    path.write_text(path.read_text().replace("in May", "in the month of June"))
    with pytest.raises(InputError, match="changed during the run"):
        bank.add(*OTHER, "a", POINTS)
