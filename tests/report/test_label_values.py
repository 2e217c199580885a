"""What people's labels of a record come to: numbers, scales and scores."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from time import process_time

import pytest
from cards import card

from assay.agreement.label_files import parse_ends, read_value_table
from assay.agreement.labels import LabelRow, check_label, find_goodness, match_label, parse_number
from assay.domain.findings import Findings, Label, Pick
from assay.domain.outcome import Trail, Verdict
from assay.domain.units import Unit
from assay.errors import InputError
from assay.files.rubrics import open_rubric
from assay.runner.conclude import conclude
from assay.store.labels import PersonLabel

# Seconds to build exactly, and no score on any scale.
ENDLESS = ("1e9999999", "1e-9999999", "-1E+9999999")
NO_NUMBERS = (*ENDLESS, "1_0/5_0", "1_0", "4_", "", ".", "1/0", "1/", "inf", "nan", "five", "1 2", "0x1", "1" * 5000)
UNITS = tuple(Unit(f"c{number}", "claim", f"Claim {number}.") for number in range(1, 13))
SAID = {unit.id: "partial" if unit.id in {"c11", "c12"} else "supported" for unit in UNITS}


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), ("2,5", Fraction(5, 2)), (" 2.5 ", Fraction(5, 2)), ("3.", 3), (".5", Fraction(1, 2)), ("5e-1", Fraction(1, 2)), ("-1", -1), ("7/2", Fraction(7, 2)), ("٣", 3)],
)  # fmt: skip
def test_a_number_is_read_as_it_is_written(text: str, value: Fraction) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_no_scale_could_have_is_no_number(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize("text", [*ENDLESS, "1_0/5_0"])
def test_a_score_or_an_answer_that_is_no_number_is_refused(text: str) -> None:
    rubric = open_rubric("opinion-relevance")
    metric = rubric.metric("relevance")
    began = process_time()
    score = PersonLabel("a", None, metric.id, "", None, "Ada", text)
    row = LabelRow(score, is_score=True)
    with pytest.raises(InputError, match="does not fit the scale"):
        match_label(row, metric)
    graded = open_rubric("article-audit").metric("alignment")
    with pytest.raises(InputError, match="does not fit the scale"):
        check_label(PersonLabel("a", None, graded.id, "grade", None, "Ada", text), graded)
    assert process_time() - began < 1


@pytest.mark.parametrize(("ranked", "goodness"), [(tuple(f"c{number}" for number in range(1, 11)), 1.0), ((), 0.9)])
def test_the_same_labels_come_to_the_same_score_for_judge_and_person(ranked: tuple[str, ...], goodness: float) -> None:
    """The rule counts the ten claims that the judge ranks first, and all of them without a ranking."""
    made = card("article-audit", "long", {})
    metric = made.rubric.metric("hallucination")
    labels = tuple(Label("claim", unit, said) for unit, said in SAID.items())
    findings = Findings(labels, picks=(Pick("most_consequential", ranked),))
    judged = conclude(metric, Trail(UNITS, findings), made.record, {})
    assert isinstance(judged, Verdict)
    assert float(judged.score.goodness) == pytest.approx(goodness)
    given = [PersonLabel("long", None, metric.id, "", unit, "Ada", said) for unit, said in SAID.items()]
    words = [match_label(LabelRow(label), metric) for label in given]
    found = find_goodness(replace(made, outcomes={metric.id: judged}), metric, {metric.id: words})
    assert found == pytest.approx(goodness)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("1-5", (1, 5)),
        ("10-0", (10, 0)),
        ("-1-10", (-1, 10)),
        ("-5--1", (-5, -1)),
        ("0 - 0.5", (0, 0.5)),
        ("1e-3-5", (0.001, 5)),
        ("+1-.5", (1, 0.5)),
    ],
)
def test_a_scale_is_read_from_its_worst_and_best_value(text: str, ends: tuple[float, float]) -> None:
    assert parse_ends(text) == ends


@pytest.mark.parametrize(
    "text", ["", "5", "1-", "-5", "1-1", "0-inf", "nan-1", "-1e308-1e308", "0-1e999", "1_0-5_0", "1-2-3", "a-b"]
)
def test_what_has_no_two_ends_is_no_scale(text: str) -> None:
    with pytest.raises(InputError, match="can't be read"):
        parse_ends(text)


def write(path: Path, judge: str, score: str) -> Path:
    path.write_text(f"record,judge,score\na,{judge},{score}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("scale", "goodness"), [("0-10", 0.2), ("10-0", 0.8), ("-2-8", 0.4)])
def test_a_value_is_as_good_as_it_is_near_the_best_end(tmp_path: Path, scale: str, goodness: float) -> None:
    found = read_value_table(write(tmp_path / "values.csv", "2", "2"), parse_ends(scale))
    (record,) = found.records["judge"]
    assert record.judge == goodness
    assert record.people == {"unnamed": goodness}


@pytest.mark.parametrize("said", ["11", "-1", "1_0", "1e9999999", "nan", "inf"])
def test_a_number_off_the_scale_is_refused_with_its_line(tmp_path: Path, said: str) -> None:
    for cells in ((said, "5"), ("5", said)):
        with pytest.raises(InputError, match=r"does not fit the scale\. Write a number from 0 to 10"):
            read_value_table(write(tmp_path / "values.csv", *cells), (10.0, 0.0))
