"""A run in a file that other programs read: what a row holds, and that no cell of it is a formula."""

import csv
import json

import pytest
from cards import card, verdict

from assay.files.rubrics import open_rubric
from assay.report.export import export_cards


def read_csv(cards, folder):
    path = folder / "run.csv"
    assert export_cards(cards, path, ()) == len(cards)
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_a_row_tells_the_flags_of_every_metric(tmp_path):
    rubric = open_rubric("opinion-relevance")
    tainted = verdict(rubric, "relevance", 5, flags=("injection_suspect", "wide_interval"))
    [row] = read_csv([card("opinion-relevance", "r1", {"relevance": tainted})], tmp_path)
    assert (row["record"], row["relevance_score"]) == ("r1", "5")
    assert row["relevance_flags"] == "injection_suspect wide_interval"


@pytest.mark.parametrize("name", ["=HYPERLINK(A1)", "+1-800", "-1+1|cmd", "@SUM(A1)", "\tx", "\rx"])
def test_no_cell_begins_as_a_formula_does(name, tmp_path):
    [row] = read_csv([card("opinion-relevance", name, {"relevance": 3})], tmp_path)
    assert row["record"] == f"'{name}"


@pytest.mark.parametrize("name", ["+1", "-1", "-1.5e-3", "a=b"])
def test_a_number_with_a_sign_is_no_formula(name, tmp_path):
    [row] = read_csv([card("opinion-relevance", name, {"relevance": 3})], tmp_path)
    assert row["record"] == name


def test_json_lines_hold_names_as_they_are(tmp_path):
    path = tmp_path / "run.jsonl"
    export_cards([card("opinion-relevance", "=1", {"relevance": 3})], path, ())
    assert json.loads(path.read_text(encoding="utf-8"))["record"] == "=1"
