"""A gate fails where the mean is below, and where there is none."""

import pytest
from runs import example_cards, example_report, run_row

from assay.errors import InputError
from assay.files.rubrics import open_rubric
from assay.report.gate import Gate, check_gates, parse_thresholds
from assay.report.run_report import build_run_report
from assay.report.summary import Goodness

RUBRIC = open_rubric("search-summary")


def test_a_mean_at_the_threshold_passes() -> None:
    view = example_report("search-summary")
    mean = view.summary.metrics["hallucination"].goodness.mean
    gates = check_gates(parse_thresholds([f"hallucination={mean!r}"], RUBRIC), view.summary)
    assert [gate.passed for gate in gates] == [True]


@pytest.mark.parametrize("count", [3, 10, 39])
@pytest.mark.parametrize("least", [0.1, 0.7, 0.9])
def test_many_that_are_each_at_the_threshold_pass_together(least: float, count: int) -> None:
    goodness = Goodness()
    for place in range(count):
        goodness.add(f"item {place}", least)
    assert Gate("Quality", least, goodness.mean, count, count).passed


@pytest.mark.parametrize("mean", [0.7999999, 0.79])
def test_a_mean_below_by_more_than_rounding_fails(mean: float) -> None:
    assert not Gate("Quality", 0.8, mean, 10, 10).passed


def test_a_mean_below_the_threshold_fails_and_says_by_how_many() -> None:
    view = example_report("search-summary")
    (gate,) = check_gates(parse_thresholds(["hallucination=0.9"], RUBRIC), view.summary)
    assert not gate.passed
    assert gate.said == "Hallucination: mean goodness 0.7778, below 0.9 (6 scored of 7 asked)"


def test_a_metric_nobody_scored_fails() -> None:
    view = build_run_report(run_row("search-summary"), RUBRIC, [])
    (gate,) = check_gates(parse_thresholds(["hallucination=0"], RUBRIC), view.summary)
    assert not gate.passed
    assert gate.said.startswith("Hallucination: no record has a score")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            ["clarity=0.5"],
            "search-summary has no metric 'clarity'. Write one of: hallucination, summary_quality, answer_relevancy.",
        ),
        (["hallucination"], "has no threshold"),
        (["hallucination=high"], "'high' is not a goodness"),
        (["hallucination=1.5"], "'1.5' is not a goodness"),
        (["hallucination=nan"], "'nan' is not a goodness"),
        (["hallucination=0.5", "hallucination=0.6"], "twice"),
    ],
)
def test_a_threshold_that_can_not_be_read_says_what_to_write(written: list[str], said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_thresholds(written, RUBRIC)
    assert said in str(caught.value)


def test_the_lower_end_of_the_interval_is_a_stricter_gate_than_the_mean() -> None:
    view = example_report("search-summary")
    low = view.summary.metrics["hallucination"].goodness.interval[0]
    written = ["hallucination=0.7", "hallucination.low=0.7", f"hallucination.low={low:.3f}"]
    by_mean, by_low, at_low = [check_gates(parse_thresholds([each], RUBRIC), view.summary)[0] for each in written]
    assert (by_mean.passed, by_low.passed, at_low.passed) == (True, False, low >= round(low, 3))
    assert by_low.said == f"Hallucination: lower end of the mean goodness {low:.4f}, below 0.7 (6 scored of 7 asked)"


def test_one_item_has_no_interval_and_fails() -> None:
    view = build_run_report(run_row("search-summary"), RUBRIC, example_cards("search-summary")[:1])
    (gate,) = check_gates(parse_thresholds(["hallucination.low=0"], RUBRIC), view.summary)
    assert (gate.passed, "one item has no interval" in gate.said) == (False, True)
