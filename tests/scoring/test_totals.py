"""The weighted total: only what was scored, and only where it can be trusted."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.outcome import Abstention, Failure, Outcome, Score, Trail, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Total
from assay.files.rubrics import open_rubric
from assay.scoring.total import compute_total

TWIN = {"coverage": "4", "alignment": "7.4", "hallucination": "4", "relevance": "3.8", "bias_toxicity": "9"}


@cache
def audit() -> Rubric:
    return open_rubric("article-audit")


def verdict(rubric: Rubric, metric: str, value: Fraction | str, *flags: str) -> Verdict:
    number = Fraction(value)
    return Verdict(Score(number, number, (number, number), rubric.metric(metric).scale, ""), Trail(flags=flags))


def verdicts(rubric: Rubric, values: dict[str, str]) -> dict[str, Outcome]:
    return {metric: verdict(rubric, metric, value) for metric, value in values.items()}


def test_the_weighted_total_of_five_metrics() -> None:
    total = compute_total(audit(), verdicts(audit(), TWIN))
    assert total == Total(Fraction("5.13"), Fraction("0.5125"), 5, 5)


@pytest.mark.parametrize(
    "missing", [Failure("refused", "no"), Abstention("empty_input", "nothing there"), Abstention("abstained", "unsure")]
)
def test_a_metric_without_a_score_is_left_out_and_counted_never_a_zero(missing: Outcome) -> None:
    total = compute_total(audit(), verdicts(audit(), TWIN) | {"hallucination": missing})
    assert total.score == Fraction("5.38")
    assert (total.scored, total.asked) == (4, 5)


def test_a_metric_without_an_outcome_counts_as_missing() -> None:
    outcomes = verdicts(audit(), {name: value for name, value in TWIN.items() if name != "hallucination"})
    assert compute_total(audit(), outcomes) == Total(Fraction("5.38"), Fraction("0.5385"), 4, 5)


def test_nothing_scored_is_no_total() -> None:
    outcomes: dict[str, Outcome] = {metric.id: Failure("timed_out", "silence") for metric in audit().metrics}
    assert compute_total(audit(), outcomes) == Total(None, None, 0, 5)


@pytest.mark.parametrize("metric", ["coverage", "relevance"])
def test_a_cap_that_could_not_be_checked_leaves_no_total(metric: str) -> None:
    outcomes = verdicts(audit(), TWIN) | {metric: verdict(audit(), metric, "9", "cap_unknown")}
    assert compute_total(audit(), outcomes) == Total(None, None, 5, 5)


def test_a_flag_of_another_kind_leaves_the_total_alone() -> None:
    outcomes = verdicts(audit(), TWIN) | {"coverage": verdict(audit(), "coverage", "4", "capped_extraneous")}
    assert compute_total(audit(), outcomes).score == Fraction("5.13")


def test_metrics_on_different_scales_have_a_goodness_and_no_score() -> None:
    rubric = open_rubric("search-summary")
    values = {"hallucination": "0", "summary_quality": "50", "answer_relevancy": "0"}
    assert compute_total(rubric, verdicts(rubric, values)) == Total(None, Fraction("0.5"), 3, 3)


def test_scales_that_only_differ_in_direction_have_no_common_score() -> None:
    first, second = audit().metrics[:2]
    flipped = replace(second, scale=replace(second.scale, best="low"))
    rubric = replace(audit(), metrics=(first, flipped))
    values = {"coverage": "10", "alignment": "0"}
    assert compute_total(rubric, verdicts(rubric, values)) == Total(None, Fraction(1), 2, 2)


def test_metrics_of_one_scale_and_one_weight_average_plainly() -> None:
    rubric = open_rubric("trial-eligibility")
    values = {"hallucination": "5", "accuracy": "2", "clarity": "4", "language_correction": "4"}
    assert compute_total(rubric, verdicts(rubric, values)) == Total(Fraction("3.75"), Fraction("0.6875"), 4, 4)


def test_a_weight_of_zero_takes_no_part() -> None:
    first, *others = audit().metrics
    rubric = replace(audit(), metrics=(replace(first, weight=Fraction(0)), *others))
    outcomes = verdicts(rubric, TWIN)
    assert compute_total(rubric, outcomes).score == Fraction("5.64")
    only_first = {"coverage": outcomes["coverage"]}
    assert compute_total(rubric, only_first) == Total(None, None, 1, 5)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(
    st.fixed_dictionaries(dict.fromkeys(TWIN, st.none() | st.decimals(0, 10, places=2).map(Fraction))),
)
def test_a_total_lies_between_the_scores_it_is_made_of(values: dict[str, Fraction | None]) -> None:
    outcomes: dict[str, Outcome] = {
        name: Failure("malformed", "?") if value is None else verdict(audit(), name, value)
        for name, value in values.items()
    }
    scores = [value for value in values.values() if value is not None]
    total = compute_total(audit(), outcomes)
    assert (total.scored, total.asked) == (len(scores), 5)
    if scores:
        assert total.score is not None
        assert min(scores) <= total.score <= max(scores)
        assert total.goodness is not None
        assert 0 <= total.goodness <= 1
    else:
        assert total.score is None
