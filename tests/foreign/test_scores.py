"""What the counts of a reply's lists make of its score."""

import pytest

from assay.foreign.answer import Counted
from assay.foreign.scores import score_lists


@pytest.mark.parametrize(
    ("total", "unsupported", "score"),
    [(10, 0, 5), (10, 1, 4), (10, 4, 3), (10, 5, 2), (10, 10, 1), (3, 1, 4), (2, 1, 2)],
)
def test_a_reply_that_lists_all_items_is_scored_by_their_number_and_share(
    total: int, unsupported: int, score: int
) -> None:
    assert score_lists("unsupported", Counted(whole=total, worst=unsupported), own=5).value == score


@pytest.mark.parametrize(("unsupported", "own", "score"), [(0, 5, 5), (1, 5, 4), (9, 5, 3), (9, 1, 1), (1, None, 4)])
def test_a_reply_that_lists_only_faults_has_its_own_lower_score(unsupported: int, own: int | None, score: int) -> None:
    assert score_lists("unsupported", Counted(worst=unsupported), own).value == score


def test_a_fault_that_code_proved_counts_though_the_reply_does_not_list_it() -> None:
    assert score_lists("unsupported", Counted(whole=10, worst=0), own=5, proven=2).value == 3


@pytest.mark.parametrize(
    ("total", "matched", "excess", "level"),
    [(8, 8, 0, 5), (8, 8, 2, 4), (8, 5, 1, 4), (8, 8, 3, 3), (8, 3, 0, 3), (8, 2, 0, 2), (8, 3, 4, 2), (8, 0, 3, 1)],
)
def test_the_level_of_matched_and_excess_items_limits_the_own_score(
    total: int, matched: int, excess: int, level: int
) -> None:
    scored = score_lists("coverage", Counted(whole=total, best=matched, excess=excess), own=5)
    assert scored.computed == level
    assert scored.value == {5: 5, 1: 1}.get(level, 4)


def test_a_list_that_prose_may_take_back_does_not_lower_the_score() -> None:
    doubtful = score_lists("unsupported", Counted(worst=2, is_open=True), 5)
    assert (doubtful.value, doubtful.is_doubtful) == (5, True)
    assert score_lists("unsupported", Counted(worst=2, is_open=True), 5, proven=1).value == 3
    assert score_lists("unsupported", Counted(worst=2), 5).value == 3


def test_more_unsupported_items_than_items_leave_the_replys_score() -> None:
    assert score_lists("unsupported", Counted(whole=2, worst=4), 3).value == 3
