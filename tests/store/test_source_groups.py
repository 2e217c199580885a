"""Source groups with outputs of several systems, found and sorted by the database."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from kept_cards import build_run
from listed_cards import card, record, refused, score

from assay.domain.outcome import Outcome
from assay.store.browsing import RecordQuery
from assay.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "s" / "a.db") as opened:
        opened.begin_run(build_run())
        yield opened


def fill(store: Store, **groups: list[Outcome]) -> None:
    """By item the outcome of each system: a, b and so on."""
    made = [
        card(replace(record(number, system="abc"[number]), id=item, item=item), outcome)
        for item, outcomes in groups.items()
        for number, outcome in enumerate(outcomes)
    ]
    for position, each in enumerate(made):
        store.add_record("run-1", position, each)
    store.flush()


def find(store: Store, start: int = 0, size: int = 50, **wanted: object) -> list[str]:
    groups, _ = store.browser.page_groups("run-1", RecordQuery(**wanted), start, size)  # type: ignore[arg-type]
    return [rows[0].item for rows in groups]


def test_those_that_differ_most_come_first_and_one_system_alone_is_no_group(store: Store):
    fill(store, near=[score(5), score(6)], alone=[score(0)], far=[score(2), score(9)], same=[score(3), score(3)])
    assert find(store) == ["far", "near", "same"]
    assert find(store, order="support", descending=True) == ["far", "near", "same"]
    assert find(store, order="support") == ["same", "near", "far"]
    assert find(store, order="id") == ["far", "near", "same"]
    assert store.browser.choices("run-1").groups == 3


@pytest.mark.parametrize("wanted", [{}, {"order": "support"}, {"order": "support", "descending": True}])
def test_an_output_without_a_score_is_no_difference_and_groups_without_two_scores_come_last(store: Store, wanted):
    """Beside a good score it would look like the largest difference."""
    fill(store, one=[score(9), refused()], none=[refused()] * 2, two=[score(5), score(6), refused()])
    assert find(store, **wanted) == ["two", "one", "none"]


def test_a_search_finds_a_group_by_any_of_its_outputs_and_shows_all_of_them(store: Store):
    fill(store, one=[score(5), score(6), score(6)], two=[score(5), score(9)])
    groups, total = store.browser.page_groups("run-1", RecordQuery(system="c"), 0, 50)
    assert (total, [row.system for row in groups[0]]) == (1, ["a", "b", "c"])


def test_pages_hold_every_group_once(store: Store):
    fill(store, **{f"i{number}": [score(0), score(number % 7)] for number in range(23)})
    whole = find(store)
    assert sorted(whole) == sorted(f"i{number}" for number in range(23))
    assert [item for start in range(0, 25, 5) for item in find(store, start, 5)] == whole
