"""Truth labels in other words than the rubric's: left alone and flagged, or translated by a label map."""

import json
from pathlib import Path

import pytest
from shell import Ended, run, write_lines

import assay
from foreign.harness import RECORDS

NAME = "trial-eligibility"
RECORD = RECORDS[NAME]
REPLY = {
    f"{name}{end}": value
    for name, grade in (("hallucination", 5), ("accuracy", 4), ("clarity", 4), ("language_correction", 5))
    for end, value in (("", grade), ("_reasoning", "As it should be."))
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def judge(label: object, *options: object) -> Ended:
    """The answer of the record says Likely Eligible, and the judge gives its accuracy a 4."""
    records = write_lines(Path("r.jsonl"), [{**RECORD, "id": "a", "ground_truth_label": label}])
    replies = write_lines(Path("p.jsonl"), [{"record": "a", "ask": NAME, "text": json.dumps(REPLY)}])
    judged = ("--judge", f"recorded:{replies}", "--format", "jsonl", "--quiet", "--store", "s.db")
    rubric = () if "--rubric" in options else ("--rubric", NAME)
    return run("judge", records, *rubric, *judged, *options)


def read_accuracy(ended: Ended) -> tuple[object, list[str]]:
    assert ended.code == 0, ended.err
    accuracy = ended.results[0]["metrics"]["accuracy"]
    return accuracy["score"], [flag for flag in accuracy["flags"] if flag != "whole_reply"]


@pytest.mark.parametrize("label", ["Yes", "2", "unclear", "Potentially Eligible"])
def test_an_unknown_truth_label_leaves_the_judges_accuracy_as_it_is_and_flags_it(label: str) -> None:
    ended = judge(label)
    assert read_accuracy(ended) == (4, ["undetermined"])
    assert f"{label!r} is not in the rubric's table" in ended.results[0]["metrics"]["accuracy"]["derivation"]


@pytest.mark.parametrize("label", [None, "", "  "])
def test_without_a_truth_label_accuracy_is_not_scored(label: str | None) -> None:
    accuracy = judge(label).results[0]["metrics"]["accuracy"]
    assert (accuracy["status"], accuracy["score"]) == ("abstained", None)


@pytest.mark.parametrize(
    ("label", "pair", "said"),
    [
        ("Yes", "Yes=Likely Eligible", (4, [])),
        (" YES ", "yes=likely  eligible", (4, [])),
        ("No", "No=Not Eligible", (2, ["accuracy_vs_label"])),
        ("unclear", "unclear=Needs Confirmation", (3, ["accuracy_vs_label"])),
        ("score=2", "score=2=Excluded", (2, ["accuracy_vs_label"])),
        ("Eligible", "Eligible=Excluded", (2, ["accuracy_vs_label"])),
        ("Yes", "No=Not Eligible", (4, ["undetermined"])),
    ],
)
def test_a_label_map_translates_the_truth(label: str, pair: str, said: tuple[int, list[str]]) -> None:
    assert read_accuracy(judge(label, "--label-map", pair)) == said


def test_several_labels_are_mapped_by_the_option_the_settings_and_python() -> None:
    pairs = ["Yes=Likely Eligible", "No=Not Eligible"]
    assert read_accuracy(judge("No", "--label-map", pairs[0], "--label-map", pairs[1])) == (2, ["accuracy_vs_label"])
    Path("assay.toml").write_text(f"label_map = {pairs}\n", encoding="utf-8")
    assert read_accuracy(judge("No")) == (2, ["accuracy_vs_label"])
    for label_map in ({"Yes": "Likely Eligible", "No": "Not Eligible"}, pairs):
        found = assay.judge("r.jsonl", NAME, "recorded:p.jsonl", label_map=label_map)
        assert found["a"].metrics["accuracy"].score == 2
    assert assay.read_settings()["label_map"] == tuple(pairs)


def test_a_map_of_the_settings_is_no_concern_of_a_rubric_without_truth_labels() -> None:
    Path("assay.toml").write_text('label_map = "Yes=Likely Eligible"\n', encoding="utf-8")
    write_lines(Path("t.jsonl"), [{"id": "t", **RECORDS["article-audit"]}])
    assert run("judge", "t.jsonl", "--rubric", "article-audit", "--dry-run").code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--label-map", "Yes"), ["'Yes' can't be read", '--label-map "Yes=LABEL"']),
        (("--label-map", "=Eligible"), ["can't be read"]),
        (("--label-map", "Yes="), ["'Yes=' can't be read"]),
        (("--label-map", "Yes=Maybe"), ["no truth label 'Maybe'", "Likely Eligible, Not Eligible"]),
        (("--label-map", "Yes=Eligible", "--label-map", "yes=Excluded"), ["to Eligible and to Excluded"]),
        (("--rubric", "article-audit", "--label-map", "Yes=Eligible"), ["article-audit has no truth labels"]),
    ],
)
def test_a_bad_label_map_is_refused_before_anything_is_judged(options: tuple[str, ...], said: list[str]) -> None:
    ended = judge("Yes", *options)
    assert (ended.code, ended.out) == (2, "")
    assert all(words in ended.err for words in said), ended.err


def test_a_bad_label_map_of_the_settings_is_named_with_its_line() -> None:
    Path("assay.toml").write_text('# ours\nlabel_map = ["Yes=Maybe"]\n', encoding="utf-8")
    ended = judge("Yes")
    assert ended.code == 2
    assert "assay.toml:2" in ended.err
    assert "no truth label 'Maybe'" in ended.err
