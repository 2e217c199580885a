"""What people say is kept once per person and question, beside what the judges said."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from kept_cards import build_run
from listed_cards import card, record, score

from assay.errors import InputError
from assay.store.labels import PersonLabel
from assay.store.store import Store

MOMENT = datetime(2026, 11, 15, 12, tzinfo=UTC)
LABEL = PersonLabel("r1", "a", "support", "claim", "c1", "Ada", "absent", "minor", "why", MOMENT, "uncertainty")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "s" / "a.db") as opened:
        for run in ("run-1", "run-2"):
            opened.begin_run(build_run(run))
            for number in range(4):
                opened.add_record(run, number, card(record(number, system="a"), score(1)))
        opened.flush()
        yield opened


def test_a_label_is_kept_as_it_was_given(store):
    store.labels.put("run-1", [LABEL])
    assert store.labels.all("run-1") == (LABEL,)
    assert store.labels.all("run-2") == ()


def test_a_later_word_takes_the_place_of_the_earlier(store):
    store.labels.put("run-1", [LABEL])
    later = replace(LABEL, label="supported", qualifier=None, note="", drawn_by="random")
    store.labels.put("run-1", [later])
    assert store.labels.all("run-1") == (later,)


def test_people_units_parts_metrics_and_records_do_not_touch_each_other(store):
    others = [
        LABEL,
        replace(LABEL, person="Bo"),
        replace(LABEL, unit="c2"),
        replace(LABEL, part="item"),
        replace(LABEL, metric="harm"),
        replace(LABEL, record="r2"),
        replace(LABEL, unit=None, part="grade", label="7"),
    ]
    assert store.labels.put("run-1", others) == 7
    assert len(store.labels.all("run-1")) == 7
    assert len(store.labels.all("run-1", person="Bo")) == 1
    assert len(store.labels.of_record("run-1", "Ada", "r1", "a")) == 5


def test_all_labels_are_kept_or_none(store):
    with pytest.raises(InputError, match="no record 'ghost'"):
        store.labels.put("run-1", [LABEL, replace(LABEL, record="ghost")])
    assert store.labels.all("run-1") == ()
    with pytest.raises(InputError, match="no record 'r1' by b"):
        store.labels.put("run-1", [replace(LABEL, system="b")])


def test_a_deleted_run_takes_its_labels_with_it_and_leaves_the_others(store):
    secret = "the neighbour drinks"
    store.labels.put("run-1", [replace(LABEL, note=secret)])
    store.labels.put("run-2", [LABEL])
    store.delete_run("run-1")
    assert store.labels.all("run-2") == (LABEL,)
    folder = Path(store.path).parent
    assert not any(secret.encode() in entry.read_bytes() for entry in folder.iterdir())


def test_half_a_surrogate_pair_becomes_a_question_mark(store):
    store.labels.put("run-1", [replace(LABEL, person="\ud800", note="\udc00")])
    assert store.labels.all("run-1", person="\ud800") == (replace(LABEL, person="?", note="?"),)


def test_a_withdrawn_label_leaves_the_others_and_a_sound_run(store):
    grade = replace(LABEL, unit=None, part="grade", label="7")
    store.labels.put("run-1", [LABEL, grade, replace(LABEL, person="Bo")])
    store.labels.withdraw("run-1", LABEL)
    store.labels.withdraw("run-1", grade)
    assert [label.person for label in store.labels.all("run-1")] == ["Bo"]
    assert store.find_run("run-1").id == "run-1"


def test_who_is_done_can_take_it_back_only_while_alone(store):
    store.labels.finish("run-1", "Ada")
    store.labels.finish("run-1", "Ada")
    store.labels.finish("run-2", "Bo")
    store.labels.resume("run-1", "Ada")
    assert store.labels.finished("run-1") == ()
    for person in ("Bo", "Ada"):
        store.labels.finish("run-1", person)
    store.labels.resume("run-1", "Ada")
    assert store.labels.finished("run-1") == ("Ada", "Bo")
    store.delete_run("run-1")
    assert store.labels.finished("run-2") == ("Bo",)
