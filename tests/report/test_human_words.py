"""Numbers as people write them."""

from fractions import Fraction
from time import process_time

import pytest
from assay.report.human_words import read_word

from assay.agreement.labels import parse_number
from assay.errors import InputError
from assay.files.labels import LabelRow
from assay.files.place import Place
from assay.files.rubrics import open_rubric
from assay.report.label_files import read_answer

# Seconds to make exactly, and no score on any scale.
ENDLESS = ("1e9999999", "1e-9999999", "-1E+9999999")
NO_NUMBERS = (*ENDLESS, "1_0/5_0", "1_0", "4_", "", ".", "1/0", "1/", "inf", "nan", "five", "1 2", "0x1", "1" * 5000)


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
    row = LabelRow(Place("labels.csv", 2), "a", None, metric.id, None, None, "Ada", text, is_score=True)
    with pytest.raises(InputError, match="does not fit the scale"):
        read_word(row, metric)
    graded = open_rubric("article-audit").metric("alignment")
    with pytest.raises(InputError, match="does not fit the scale"):
        read_answer(LabelRow(Place(None, None), "a", None, graded.id, "grade", None, "Ada", text), graded)
    assert process_time() - began < 1
