"""Which of two outputs a person prefers is kept once per person, item, pair of systems and metric."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from kept_cards import build_run
from listed_cards import card, record, score

from assay.errors import InputError
from assay.store.faults import DamagedError
from assay.store.labels import Preference
from assay.store.store import Store

MOMENT = datetime(2026, 11, 18, 20, tzinfo=UTC)
PREFERENCE = Preference("i1", "b", "a", "first", "Ada", "support", "clearer", MOMENT)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "a.db") as opened:
        opened.begin_run(build_run("run-1"))
        systems = [("i1", "a"), ("i1", "b"), ("i2", "a"), ("i2", None)]
        for number, (item, system) in enumerate(systems):
            judged = replace(record(number, system=system), item=item)
            opened.add_record("run-1", number, card(judged, score(1)))
        opened.flush()
        yield opened


def test_a_preference_is_kept_as_it_was_given(store):
    assert store.labels.put("run-1", [PREFERENCE]) == 1
    assert store.labels.preferences("run-1") == (PREFERENCE,)
    assert store.labels.preferences("run-1", person="Bo") == ()
    assert store.find_run("run-1").id == "run-1"


def test_a_later_choice_takes_the_place_of_the_earlier_also_where_the_two_stood_the_other_way_round(store):
    later = Preference("i1", "a", "b", "tie", "Ada", "support", "", MOMENT)
    store.labels.put("run-1", [PREFERENCE])
    store.labels.put("run-1", [later])
    assert store.labels.preferences("run-1") == (later,)
    store.labels.withdraw("run-1", PREFERENCE)
    assert store.labels.preferences("run-1") == ()


def test_people_metrics_and_items_do_not_touch_each_other(store):
    others = [
        PREFERENCE,
        replace(PREFERENCE, person="Bo"),
        replace(PREFERENCE, metric=""),
        Preference("i2", "", "a", "unsure", "Ada", "support", "", MOMENT),
    ]
    assert store.labels.put("run-1", others) == 4
    assert set(store.labels.preferences("run-1")) == set(others)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"second": "c"}, "no output by c on the item 'i1'"),
        ({"item": "i9"}, "no output by b on the item 'i9'"),
        ({"second": ""}, "no output without a system on the item 'i1'"),
        ({"second": "b"}, "names 'b' twice"),
    ],
)
def test_a_preference_between_outputs_that_the_run_lacks_is_refused_with_all_others(store, wrong, words):
    with pytest.raises(InputError, match=words):
        store.labels.put("run-1", [PREFERENCE, replace(PREFERENCE, **wrong)])
    assert store.labels.preferences("run-1") == ()


@pytest.mark.parametrize(("choice", "shares"), [("first", (0, 1)), ("second", (1, 0)), ("tie", (0.5, 0.5))])
def test_a_tie_is_half_a_win_and_cannot_tell_is_none(choice, shares):
    said = replace(PREFERENCE, choice=choice)
    assert (said.share("a"), said.share("b")) == shares
    assert replace(PREFERENCE, choice="unsure").share("a") is None


def test_a_lost_or_changed_preference_is_noticed(store):
    store.labels.put("run-1", [PREFERENCE])
    path = store.path
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE preferences SET choice = 'second'")
    connection.close()
    with pytest.raises(DamagedError, match="preference of 'Ada' on 'i1'"):
        store.labels.preferences("run-1")
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM preferences")
    connection.close()
    with Store(path) as again, pytest.raises(DamagedError, match="0 of its 1 preferences are there"):
        again.find_run("run-1")


def test_a_deleted_run_takes_its_preferences_along(store):
    store.labels.put("run-1", [PREFERENCE])
    store.delete_run("run-1")
    assert store.read("SELECT count(*) FROM preferences") == [(0,)]
