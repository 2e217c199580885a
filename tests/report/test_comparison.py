"""Two runs side by side: which records are paired, and in which words."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from cards import card, failure

from assay.domain.listed import build_listed
from assay.domain.scorecard import Scorecard
from assay.files.rubrics import open_rubric
from assay.report.comparison import (
    MetricComparison,
    RunScores,
    average_items,
    compare_runs,
    format_p_value,
    format_signed,
    pair_items,
    read_scores,
)


@pytest.mark.parametrize(
    ("p_value", "said"),
    [
        (None, "–"),
        (0.0, "<0.001"),
        (0.0004, "<0.001"),
        (0.001, "0.001"),
        (0.0494, "0.049"),
        (0.0496, "<0.050"),
        (0.05, "0.050"),
        (0.0504, "0.050"),
        (1.0, "1.000"),
    ],
)
def test_a_p_value_is_never_said_to_be_nothing(p_value: float | None, said: str) -> None:
    assert format_p_value(p_value) == said


@pytest.mark.parametrize(
    ("value", "said"), [(0.0, "0.000"), (0.1234, "+0.123"), (-0.1, "−0.100"), (0.0004, "+0.0004"), (-4e-8, "−4e−08")]
)
def test_the_end_of_an_interval_is_said_to_be_0_only_where_it_is(value: float, said: str) -> None:
    assert format_signed(value) == said


RUBRIC = "search-summary"
LEVELS = {"A": 0, "B": 3}


def read_run(cards: Iterable[Scorecard]) -> RunScores:
    made = list(cards)
    return read_scores(made[0].rubric, map(build_listed, made))


def compare_hallucination(first: RunScores, second: RunScores) -> MetricComparison:
    compared = compare_runs(first, second)
    return next(each for each in compared if each.metric.id == "hallucination")


def judge_systems(failed: Callable[[int, str], bool] = lambda *_: False, named: str = "r") -> RunScores:
    """Two systems of twenty items, one always best and one always worst, some of whose records failed."""
    return read_run(
        card(
            RUBRIC,
            f"{named}{item}{system}",
            {"hallucination": failure("malformed") if failed(item, system) else level},
            item=f"i{item}",
            system=system,
        )
        for item in range(20)
        for system, level in LEVELS.items()
    )


@pytest.mark.parametrize("named", ["r", "renamed"])
def test_records_that_only_one_run_scored_move_no_mean(named: str) -> None:
    whole, lacking = judge_systems(), judge_systems(lambda item, system: system == "B" and item % 2 == 1, named)
    for found in (compare_hallucination(whole, lacking), compare_hallucination(lacking, whole)):
        assert (found.difference.n, found.unpaired) == (20, 10)
        assert found.difference.mean == 0
        assert found.difference.p_value == 1


def test_a_record_that_failed_in_one_run_is_not_paired_with_one_that_failed_in_the_other() -> None:
    first = judge_systems(lambda item, system: item == 0 and system == "A")
    second = judge_systems(lambda item, system: item == 0 and system == "B")
    found = compare_hallucination(first, second)
    assert (found.difference.n, found.difference.mean, found.unpaired) == (19, 0, 2)


def test_a_change_of_one_record_counts_as_a_share_of_its_item() -> None:
    scored = {("a", "A"): (0, 0), ("a", "B"): (3, 0), ("b", "A"): (0, 0)}
    runs = [
        read_run(
            card(RUBRIC, f"{item}{system}", {"hallucination": levels[side]}, item=item, system=system)
            for (item, system), levels in scored.items()
        )
        for side in (0, 1)
    ]
    found = compare_hallucination(*runs)
    assert (found.difference.first_mean, found.difference.second_mean) == (0.75, 1.0)
    assert average_items("hallucination", pair_items(*runs)) == ({"a": (0.5, 1.0), "b": (1.0, 1.0)}, 0)


@pytest.mark.parametrize("systems", [(None, None), ("old", "new"), (None, "new")])
def test_records_named_otherwise_are_paired_by_their_item(systems: tuple[str | None, str | None]) -> None:
    runs = [
        read_run(
            card(RUBRIC, f"{side}-{item}-{copy}", {"hallucination": 1 + side}, item=f"i{item}", system=system)
            for item in range(5)
            for copy in range(1 + side)
        )
        for side, system in enumerate(systems)
    ]
    found = compare_hallucination(*runs)
    assert (found.difference.n, found.unpaired) == (5, 0)
    assert found.difference.mean == pytest.approx(-1 / 3)


def test_a_system_that_only_one_run_has_is_unpaired() -> None:
    both = judge_systems()
    alone = both._replace(items={item: records[:1] for item, records in both.items.items()})
    found = compare_hallucination(alone, both)
    assert (found.difference.n, found.difference.mean, found.unpaired) == (20, 0, 20)


def test_a_metric_that_only_one_version_of_the_rubric_has_is_listed_in_either_order() -> None:
    older = read_run(card(RUBRIC, f"r{item}", {"hallucination": 0, "answer_relevancy": 1}) for item in range(3))
    rubric = open_rubric(RUBRIC)
    newer_rubric = replace(rubric, metrics=tuple(each for each in rubric.metrics if each.id != "hallucination"))
    newer = read_run(
        replace(card(RUBRIC, f"r{item}", {"answer_relevancy": 1}), rubric=newer_rubric) for item in range(3)
    )
    for first, second in ((older, newer), (newer, older)):
        found = {each.metric.id: (each.difference.n, each.unpaired) for each in compare_runs(first, second)}
        assert found["hallucination"] == (0, 3)
        assert found["answer_relevancy"] == (3, 0)
