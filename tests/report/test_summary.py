"""Figures of a run: over scored records only, with intervals over items, answers of a panel and facts."""

import io
import tracemalloc
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from cards import card, failure, verdict
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.findings import Fact
from assay.domain.listed import MetricScore, build_listed
from assay.domain.outcome import Abstention, Outcome
from assay.domain.rubric import Alarm, Comparison
from assay.domain.scorecard import Notice, Scorecard
from assay.files.rubrics import open_rubric
from assay.report.mean import Goodness, Mean
from assay.report.summary import FactCounts, Summary
from assay.report.terminal import build_row, open_console, print_records, print_summary
from assay.runner.combine import combine
from assay.store.store import Store
from equipment.example_runs import SCRIPTED, keep_example


def summarise(*cards: object) -> Summary:
    summary = Summary(cards[0].rubric)
    for each in cards:
        summary.add(build_listed(each))
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
    assert summary.totals.scored == 1
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
    assert summary.totals.goodness.items == 2


def test_a_summary_of_many_records_stays_small() -> None:
    cards = [card("opinion-relevance", str(number), {"relevance": number % 5 + 1}) for number in range(50)]
    summary = Summary(cards[0].rubric)
    tracemalloc.start()
    for number in range(1_000):
        made = cards[number % 50]
        summary.add(build_listed(replace(made, record=replace(made.record, item=f"item {number}"))))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert summary.totals.goodness.items == 1_000
    assert kept / 1_000 < 1_000


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


def answer(identifier: str, outcome: Outcome | float, judge: str = "m", sample: int = 0) -> Scorecard:
    return replace(card("opinion-relevance", identifier, {"relevance": outcome}), judge=judge, sample=sample)


def sampled(identifier: str, *outcomes: Outcome | float) -> Scorecard:
    return combine([answer(identifier, each, sample=sample) for sample, each in enumerate(outcomes)])


def conclude(*cards: Scorecard) -> str:
    stream = io.StringIO()
    print_summary(open_console(stream, 200), summarise(*cards))
    return stream.getvalue()


MALFORMED = failure("malformed")


def test_answers_without_a_score_are_counted_though_every_record_has_one() -> None:
    cards = [sampled("a", 4, MALFORMED, 4, 5), sampled("b", 3, 3, 3, 3), sampled("c", MALFORMED, 2, 2, 2)]
    assert "3 of 3" in conclude(*cards)
    assert "Answers scored: Relevance 10 of 12 (2 malformed)\n" in conclude(*cards)


def test_each_judge_of_a_panel_has_its_own_count() -> None:
    declined = Abstention("abstained", "who knows")
    cards = [combine([answer(name, declined, "toy"), answer(name, 4, "embedded")]) for name in "abcde"]
    shown = conclude(*cards)
    assert "Answers scored, toy: Relevance 0 of 5 (5 not scored)\n" in shown
    assert "Answers scored, embedded: Relevance 5 of 5\n" in shown
    assert summarise(*cards).missing == {"abstained": 5}


def test_where_each_record_was_judged_once_its_outcomes_are_all_there_is_to_count() -> None:
    assert "Answers" not in conclude(answer("a", 4), answer("b", MALFORMED))


def test_the_brackets_behind_a_mean_are_said_to_be_averaged() -> None:
    def show(*cards: Scorecard) -> str:
        stream = io.StringIO()
        print_records(open_console(stream, 200), cards[0].rubric, [build_row(each) for each in cards])
        return stream.getvalue()

    sure = answer("a", 4).outcomes["relevance"]
    unsure = replace(sure, score=replace(sure.score, interval=(sure.score.value - 2, sure.score.value + 1)))
    shown = show(sampled("a", sure, unsure))
    assert "4 [3–4.5]" in shown
    assert "go either way, averaged over the answers." in shown
    assert "averaged" not in show(answer("a", unsure))


ANIMALS = Comparison("animal", "truth", ("cat", "dog"), Alarm("missed dog", stated="cat", truth="dog"))


def count(*facts: tuple[str | None, str | None]) -> FactCounts:
    counts = FactCounts({ANIMALS: Counter()})
    for truth, animal in facts:
        made = card("opinion-relevance", "a", {"relevance": 3})
        counts.add(build_listed(replace(made, facts={"truth": Fact(truth), "animal": Fact(animal)})))
    return counts


def test_answers_by_truth_have_the_constant_answer_beside_them() -> None:
    counts = count(*[("cat", "cat")] * 3, ("dog", "none_of_both"), ("dog", None), (None, "cat"))
    (table,) = counts.tables()
    assert (table.name, table.columns) == ("animal", ("cat", "dog", "none of both", "not known"))
    assert table.rows == (("cat", (3, 0, 0, 0)), ("dog", (0, 0, 1, 1)))
    assert table.said == "Animal equals the truth in 3 of 5 records. Always answering “cat” would be right in 3 of 5."


def test_a_watched_rate_is_over_all_records_with_that_truth() -> None:
    counts = count(("dog", "cat"), ("dog", "dog"), ("dog", None), ("cat", "cat"))
    assert list(counts.sentences()) == ["Missed dog: 1 of 3, 33 % (95 % interval 6 to 79 %)."]
    assert list(count(("cat", "cat")).sentences()) == ["Missed dog: 0 of 0."]


def test_without_a_truth_there_is_no_table() -> None:
    assert count((None, "cat")).tables() == ()


def mean_of(scored: list[float], unscored: int) -> Mean:
    mean = Mean()
    for at, value in enumerate(scored):
        mean.add(f"s{at}", MetricScore("metric", "ok", goodness=value))
    for at in range(unscored):
        mean.add(f"u{at}", MetricScore("metric", "abstained", weakest_support=0.3))
    return mean


def test_a_mean_of_few_is_a_range_from_the_worst_to_the_best_and_never_looks_good() -> None:
    short = mean_of([1.0], 3)
    assert (short.is_short, short.ends, short.tone) == (True, (0.25, 1.0), "none")
    assert short.described == "0.25–1.00, 1 of 4 scored, weakest claim 0.30 (3 of 4)"
    good = mean_of([1.0] * 8, 2)
    assert (good.figure, good.tone) == ("0.80–1.00", "none")
    bad = mean_of([0.0] * 8, 2)
    assert (bad.figure, bad.tone) == ("0.00–0.20", "low")


def test_a_mean_of_nine_in_ten_is_a_mean_with_its_count() -> None:
    mean = mean_of([1.0] * 9, 1)
    assert (mean.is_short, mean.tone, mean.scored_of) == (False, "high", "9 of 10 scored")
    assert mean.figure.startswith("1.00 [")


def test_without_a_score_there_is_no_mean_and_no_range() -> None:
    nothing = mean_of([], 2)
    assert (nothing.figure, nothing.tone, nothing.ends) == ("–", "none", None)
    assert nothing.described == "–, 0 of 2 scored, weakest claim 0.30"


def test_a_range_on_the_metrics_own_scale_runs_from_its_low_to_its_high_end() -> None:
    rubric = open_rubric("search-summary")
    scores = {metric.id: verdict(rubric, metric.id, 0) for metric in rubric.metrics}
    missing = {metric.id: Abstention("abstained", "who knows") for metric in rubric.metrics}
    summary = summarise(card(rubric.id, "a", scores), card(rubric.id, "b", missing))
    # 0 is the best of 0 to 3.
    assert (summary.metrics["hallucination"].mean, summary.metrics["hallucination"].figure) == ("0–1.5", "0.50–1.00")


def test_a_score_of_one_blank_text_shows_its_count_and_is_not_red_for_all() -> None:
    rubric = open_rubric("article-audit")
    declined = {metric.id: Abstention("abstained", "who knows") for metric in rubric.metrics}
    blank = {**declined, "coverage": verdict(rubric, "coverage", 0)}
    coverage = summarise(card(rubric.id, "blank", blank), *(card(rubric.id, f"n{at}", declined) for at in range(15))).metrics["coverage"]  # fmt: skip
    assert (coverage.mean, coverage.scored_of, coverage.tone) == ("0–9.38", "1 of 16 scored", "none")


def test_the_rows_of_a_store_and_of_its_cards_come_to_the_same_figures(tmp_path: Path) -> None:
    """Everything that a summary counts, down to reasons, claims and the answers of each sample."""
    for name in SCRIPTED:
        with Store(tmp_path / "assay.db") as store:
            run = keep_example(store, name, tmp_path, samples=2)
            rubric = open_rubric(name)
            by_rows, by_cards = Summary(rubric), Summary(rubric)
            for row, each in zip(store.browser.all(run), store.cards(run, rubric), strict=True):
                by_rows.add(row)
                by_cards.add(build_listed(each))
        assert by_rows == by_cards
