"""A run in a file that other programs read: what a row holds, and that no cell of it is a formula."""

import csv
import json
from dataclasses import replace

import pytest
from cards import card, verdict
from hypothesis import given
from hypothesis import strategies as st

from assay.domain.outcome import Failure
from assay.files.rubrics import open_rubric
from assay.files.tables import guard_cell, restore_cell
from assay.report.export import export_cards


def read_csv(cards, folder):
    path = folder / "run.csv"
    assert export_cards(cards, path, ()) == len(cards)
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_a_row_tells_the_flags_of_every_metric(tmp_path):
    rubric = open_rubric("opinion-relevance")
    suspect = verdict(rubric, "relevance", 5, flags=("injection_suspect", "wide_interval"))
    [row] = read_csv([card("opinion-relevance", "r1", {"relevance": suspect})], tmp_path)
    assert (row["record"], row["relevance_score"]) == ("r1", "5")
    assert row["relevance_flags"] == "injection_suspect wide_interval"


@pytest.mark.parametrize("name", ["=HYPERLINK(A1)", "+1-800", "-1+1|cmd", "@SUM(A1)", "\tx", "\rx"])
def test_no_cell_begins_as_a_formula_does(name, tmp_path):
    [row] = read_csv([card("opinion-relevance", name, {"relevance": 3})], tmp_path)
    assert row["record"] == f"'{name}"


HIDDEN = [
    "＝1",
    "＋1+1",
    "－1+1",
    "＠SUM(A1)",
    "﹦1",
    " =1",
    "\u3000=1",
    "\xa0+x",
    "\u200b=1",
    "\ufeff@x",
    "\x00=1",
    "\x1b=1",
]
HIDDEN += [
    "\u2060\u200d ＝1",
    " \t=1",
    "\u202e-x",
    "\xad=1",
    "\u2800=1",
    "\u3164=1",
    "\ufe0f=1",
    "\u2028=1",
    "' '=1",
    "\x85=1",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_no_cell_hides_a_formula_behind_full_width_signs_or_characters_that_are_not_seen(text, tmp_path):
    one = card("opinion-relevance", text, {"relevance": Failure("refused", text)})
    marked = replace(one, record=replace(one.record, system=text, item=text, facets={text: text}))
    path = tmp_path / "run.csv"
    export_cards([marked], path, [text])
    with path.open(newline="", encoding="utf-8") as stream:
        [row] = csv.DictReader(stream)
    assert [name for name in row if guard_cell(name) != name] == []
    guarded = ("record", "system", "item", f"facet_{text}", "relevance_reason")
    assert {row[name] for name in guarded} == {f"'{text}"}


@given(st.text("='+-＝ \u200b\ta1", max_size=5))
def test_every_cell_is_read_back_as_it_was(text):
    guarded = guard_cell(text)
    assert restore_cell(guarded) == text
    assert guarded == text or guarded.startswith("'")


@pytest.mark.parametrize("name", ["+1", "-1", "-1.5e-3", "a=b"])
def test_a_number_with_a_sign_is_no_formula(name, tmp_path):
    [row] = read_csv([card("opinion-relevance", name, {"relevance": 3})], tmp_path)
    assert row["record"] == name


def test_json_lines_hold_names_as_they_are(tmp_path):
    path = tmp_path / "run.jsonl"
    export_cards([card("opinion-relevance", "=1", {"relevance": 3})], path, ())
    assert json.loads(path.read_text(encoding="utf-8"))["record"] == "=1"
