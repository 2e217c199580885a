"""A gate fails where the mean is below, and where there is none."""

import pytest
from runs import example_view, run_row

from assay.errors import InputError
from assay.files.rubrics import open_rubric
from assay.pages.gate import check_gates, read_thresholds
from assay.pages.run_view import build_run_view

RUBRIC = open_rubric("search-summary")


def test_a_mean_at_the_threshold_passes() -> None:
    view = example_view("search-summary")
    mean = view.headlines[0].goodness.mean
    gates = check_gates(read_thresholds([f"hallucination={mean!r}"], RUBRIC), view.headlines)
    assert [gate.passed for gate in gates] == [True]


def test_a_mean_below_the_threshold_fails_and_says_by_how_many() -> None:
    view = example_view("search-summary")
    (gate,) = check_gates(read_thresholds(["hallucination=0.9"], RUBRIC), view.headlines)
    assert not gate.passed
    assert gate.said == "Hallucination: mean goodness 0.7778, below 0.9 (6 scored of 7 asked)"


def test_a_metric_nobody_scored_fails() -> None:
    view = build_run_view(run_row("search-summary"), RUBRIC, [])
    (gate,) = check_gates(read_thresholds(["hallucination=0"], RUBRIC), view.headlines)
    assert not gate.passed
    assert gate.said.startswith("Hallucination: no record has a score")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            ["clarity=0.5"],
            "search-summary has no metric 'clarity'. It has hallucination, summary_quality, answer_relevancy.",
        ),
        (["hallucination"], "has no threshold"),
        (["hallucination=high"], "'high' is no goodness"),
        (["hallucination=1.5"], "'1.5' is no goodness"),
        (["hallucination=nan"], "'nan' is no goodness"),
        (["hallucination=0.5", "hallucination=0.6"], "twice"),
    ],
)
def test_a_threshold_that_can_not_be_read_says_what_to_write(written: list[str], said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_thresholds(written, RUBRIC)
    assert said in str(caught.value)
