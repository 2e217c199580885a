"""What a run came to: over scored records only, and as sure as its items allow."""

import tracemalloc
from dataclasses import replace
from random import Random

import pytest
from cards import card, failure, verdict
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.scorecard import Notice
from assay.files.rubrics import open_rubric
from assay.report.summary import Goodness, Summary


def summarise(*cards: object) -> Summary:
    summary = Summary(cards[0].rubric)
    for each in cards:
        summary.add(each)
    return summary


def test_a_failure_is_counted_and_never_averaged_in() -> None:
    summary = summarise(
        card("opinion-relevance", "a", {"relevance": 5}),
        card("opinion-relevance", "b", {"relevance": failure("refused")}),
    )
    metric = summary.metrics["relevance"]
    assert (metric.asked, list(metric.scores), metric.missing) == (2, [5.0], {"refused": 1})
    assert metric.goodness.mean == 1


def test_a_total_counts_only_where_every_metric_is_scored() -> None:
    scores = {"hallucination": 5, "accuracy": 5, "clarity": 5, "language_correction": 5}
    summary = summarise(
        card("trial-eligibility", "a", scores),
        card("trial-eligibility", "b", {**scores, "clarity": failure("malformed")}),
    )
    assert summary.totals.count == 1
    assert summary.records == 2


def test_flags_are_counted_by_records() -> None:
    rubric = open_rubric("article-audit")
    outcomes = {metric.id: verdict(rubric, metric.id, 4, flags=("capped_extraneous",)) for metric in rubric.metrics}
    assert summarise(card("article-audit", "a", outcomes)).flags == {"capped_extraneous": 1}


def test_notices_are_counted_by_records() -> None:
    twice = (Notice("unsourced_quantity", "50 mg"), Notice("unsourced_quantity", "20 mg"))
    summary = summarise(
        card("opinion-relevance", "a", {"relevance": 5}, notices=twice),
        card("opinion-relevance", "b", {"relevance": 5}, notices=twice[:1]),
    )
    assert summary.notices == {"unsourced_quantity": 2}


def test_one_item_has_no_interval_however_many_systems_answered_it() -> None:
    goodness = Goodness()
    for value in (0.1, 0.5, 0.9):
        goodness.add("same", value)
    assert goodness.interval is None
    goodness.add("other", 0.5)
    assert goodness.interval is not None


def test_outputs_of_one_item_do_not_count_as_independent() -> None:
    clustered, independent = Goodness(), Goodness()
    for item in range(20):
        for copy in range(5):
            value = float(item % 2)
            clustered.add(str(item), value)
            independent.add(f"{item}/{copy}", value)
    assert clustered.mean == independent.mean == 0.5
    assert width(clustered) > 1.5 * width(independent)


def test_the_interval_is_wilsons_at_the_effective_number_of_values() -> None:
    """0.2, 0.4, 0.6 and 0.8 have the standard error of 15 independent 0s and 1s; Student's t of 3 is 3.182."""
    goodness = Goodness()
    for item, value in enumerate((0.2, 0.4, 0.6, 0.8)):
        goodness.add(str(item), value)
    assert goodness.interval == pytest.approx((0.1826, 0.8174), abs=1e-3)


def test_a_mean_near_the_end_of_the_scale_is_held_by_its_interval_as_often_as_promised() -> None:
    """Fifteen grades, most of them the best: Student's interval with equal arms holds the mean in 90 of 100 samples."""
    levels, chances = (0.0, 0.25, 0.5, 0.75, 1.0), (2, 3, 10, 25, 60)
    truth = sum(level * chance for level, chance in zip(levels, chances, strict=True)) / 100
    chance, held = Random(0), 0
    for _ in range(1000):
        goodness = Goodness()
        for item, value in enumerate(chance.choices(levels, chances, k=15)):
            goodness.add(str(item), value)
        low, high = goodness.interval
        held += low <= truth <= high
    assert 930 <= held <= 985


@settings(deadline=None, derandomize=True, max_examples=50)
@given(st.lists(st.tuples(st.sampled_from("abcde"), st.floats(0, 1)), min_size=1))
def test_the_mean_and_the_items_are_those_of_all_values(pairs: list[tuple[str, float]]) -> None:
    goodness = Goodness()
    for item, value in pairs:
        goodness.add(item, value)
    assert goodness.mean == pytest.approx(sum(value for _, value in pairs) / len(pairs))
    assert (goodness.count, goodness.items) == (len(pairs), len({item for item, _ in pairs}))


def test_an_item_that_was_not_scored_for_one_metric_is_no_item_of_it() -> None:
    scores = {"hallucination": 5, "accuracy": 5, "clarity": 5, "language_correction": 5}
    summary = summarise(
        card("trial-eligibility", "a", {**scores, "clarity": failure("malformed")}),
        card("trial-eligibility", "b", scores),
        card("trial-eligibility", "c", {**scores, "clarity": 4}),
    )
    assert [summary.metrics[name].goodness.items for name in ("accuracy", "clarity")] == [3, 2]
    low, high = summary.metrics["accuracy"].goodness.interval or (None, None)
    # Three records that are all alike do not say that every other will be.
    assert high == 1
    assert low is not None
    assert 0.1 < low < 0.6
    assert summary.totals.items == 2


def test_a_summary_of_many_records_stays_small() -> None:
    cards = [card("opinion-relevance", str(number), {"relevance": number % 5 + 1}) for number in range(50)]
    summary = Summary(cards[0].rubric)
    tracemalloc.start()
    for number in range(6_000):
        made = cards[number % 50]
        summary.add(replace(made, record=replace(made.record, item=f"item {number}")))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert summary.totals.items == 6_000
    assert kept / 6_000 < 150


def width(goodness: Goodness) -> float:
    low, high = goodness.interval
    return high - low


@settings(deadline=None, derandomize=True, max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=12))
def test_an_interval_holds_its_mean_and_stays_on_the_scale(values: list[float]) -> None:
    goodness = Goodness()
    for at, value in enumerate(values):
        goodness.add(str(at), value)
    low, high = goodness.interval
    assert 0 <= low <= goodness.mean + 1e-9
    assert goodness.mean - 1e-9 <= high <= 1
