"""What the counts of a reply's lists make of its score."""

import pytest

from assay.domain.shape import Counts
from assay.foreign.answer import Counted
from assay.foreign.scores import find_contradiction, score_lists


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
    assert score_lists("unsupported", Counted(worst=2, is_open=True), 5, proven=1).value == 4
    assert score_lists("unsupported", Counted(worst=2), 5).value == 3


CONTRADICTIONS = {
    "more matched than there are": Counted(whole=4, best=5, excess=1),
    "more unsupported than there are": Counted(whole=2, worst=4),
    "more matched than the output holds": Counted(whole=4, best=3, held=2, excess=0),
    "parts that are not the whole": Counted(whole=8, best=4, worst=1, excess=0),
    "another number of matched items stated": Counted(whole=8, best=1, excess=0, stated=(("best", 7), ("whole", 8))),
    "another number of items stated": Counted(whole=8, best=4, excess=0, stated=(("whole", 7),)),
    "another number of excess items stated": Counted(excess=2, stated=(("excess", 0),)),
    "entries that are in no other list": Counted(whole=8, best=4, strays=1),
    "no items, but matched ones": Counted(whole=0, best=3),
}


@pytest.mark.parametrize("counts", ["unsupported", "coverage"])
@pytest.mark.parametrize("own", [1, 3, 5])
@pytest.mark.parametrize("counted", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_lists_in_contradiction_never_change_the_replys_score(counted: Counted, own: int, counts: Counts) -> None:
    assert find_contradiction(counted)
    scored = score_lists(counts, counted, own)
    assert scored.value == own


def test_lists_in_contradiction_give_no_score_where_the_reply_has_none() -> None:
    assert score_lists("unsupported", Counted(whole=10, worst=2, strays=1), None).value is None
    assert score_lists("unsupported", Counted(whole=10, worst=2), None).value == 3


def test_lists_that_agree_with_what_the_reply_states_limit_its_score() -> None:
    counted = Counted(whole=8, best=6, worst=2, held=6, excess=1, stated=(("best", 6), ("whole", 8), ("excess", 1)))
    assert find_contradiction(counted) == ""
    assert score_lists("coverage", counted, 5).value == 4
