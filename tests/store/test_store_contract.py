"""What any store must do. A new kind of store is added to `store` below and must pass all of it."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from card_chances import cards
from hypothesis import given, settings
from kept_cards import RUBRIC, START, build_card, build_record, build_run

from assay.domain.ask import Written
from assay.domain.scorecard import Voice
from assay.errors import InputError
from assay.models.chat import CallKey, Completion, Usage
from assay.store.codec import digest_record, dump
from assay.store.faults import DamagedError
from assay.store.labels import PersonLabel
from assay.store.runs import RunUsage
from assay.store.store import Judged, Store, open_store

REPLY = Completion('{"c1": "absent"}', "stop", Usage(120, 9), "m-2026", ("temperature",))


@pytest.fixture(params=["file", "memory"])
def store(request, tmp_path) -> Iterator[Store]:
    opened = open_store(tmp_path / "kept" / "assay.db") if request.param == "file" else open_store()
    yield opened
    opened.close()


def add(store: Store, number: int, run: str = "run-1", position: int | None = None, **changes) -> None:
    card = build_card(build_record(number, **changes))
    store.add_record(run, number if position is None else position, card)


def read(store: Store, run: str = "run-1") -> list[str]:
    return [card.record.id for card in store.cards(run, RUBRIC)]


def test_a_run_is_kept_as_it_was_begun(store):
    run = build_run(judges=("a", "b"), parameters={"x": [1, {"y": None}], "temperature": 0.7}, record_count=3)
    store.begin_run(run)
    assert store.runs() == (run,)


def test_a_run_begins_once(store):
    store.begin_run(build_run())
    with pytest.raises(InputError, match="already a run"):
        store.begin_run(build_run())


def test_the_state_of_a_run_moves_and_a_known_record_count_stays(store):
    store.begin_run(build_run(record_count=5))
    end = START + timedelta(hours=1)
    store.update_run("run-1", "stopped", end)
    assert store.find_run("last") == build_run(record_count=5, state="stopped", finished=end)
    store.update_run("run-1", "running", None)
    assert store.find_run("last") == build_run(record_count=5)


@pytest.mark.parametrize(("name", "found"), [("last", "abd2"), ("abc1", "abc1"), ("abd", "abd2"), ("x", "x")])
def test_a_run_is_found_by_id_by_its_beginning_or_as_the_last(store, name, found):
    for minutes, identifier in enumerate(("abc1", "x", "xy", "abd2")):
        store.begin_run(build_run(identifier, minutes))
    assert store.find_run(name).id == found


@pytest.mark.parametrize(("name", "found"), [("tea", "b1"), ("a", "b2"), ("a1", "a1"), ("b1", "b1")])
def test_a_run_is_found_by_its_name_after_its_id_and_before_the_beginning_of_another_id(store, name, found):
    for identifier, named in (("a1", None), ("b1", "tea"), ("b2", "a"), ("b3", "a1")):
        store.begin_run(build_run(identifier, name=named))
    assert store.find_run(name).id == found


def test_a_name_of_several_runs_is_refused_with_their_ids(store):
    for identifier in ("a1", "b1", "c1"):
        store.begin_run(build_run(identifier, name=None if identifier == "b1" else "tea"))
    with pytest.raises(InputError, match=r"2 runs are named 'tea'\. Write the id of one: c1, a1"):
        store.find_run("tea")


def test_with_the_clock_set_back_the_last_run_is_still_the_one_begun_last(store):
    for minutes, identifier in ((60, "first"), (0, "second")):
        store.begin_run(build_run(identifier, minutes))
    assert store.find_run("last").id == "second"
    assert store.run_ids() == ("second", "first")
    store.delete_run("second")
    store.begin_run(build_run("third", -60))
    assert [each.id for each in store.runs()] == ["third", "first"]


@pytest.mark.parametrize(
    ("name", "words"), [("ab", "2 runs begin with 'ab'.*abd2, abc1"), ("q", "no run 'q'.*`last`"), ("", "no run ''")]
)
def test_a_name_of_no_run_or_of_several_is_refused_with_the_names_there_are(store, name, words):
    for minutes, identifier in enumerate(("abc1", "abd2")):
        store.begin_run(build_run(identifier, minutes))
    with pytest.raises(InputError, match=words):
        store.find_run(name)


def test_an_empty_store_says_that_it_holds_no_runs(store):
    assert store.runs() == ()
    with pytest.raises(InputError, match="holds no runs"):
        store.find_run("last")


def test_a_card_comes_back_as_it_was(store):
    store.begin_run(build_run())
    card = build_card(replace(build_record(1), output="odd \ud800 text", id="id \udfff"), reason="no")
    store.add_record("run-1", 0, card)
    store.flush()
    assert list(store.cards("run-1", RUBRIC)) == [card]
    assert store.get_record("run-1", "id \udfff", None, RUBRIC) == card
    assert store.get_record("run-1", "id", None, RUBRIC) is None


@settings(deadline=None, derandomize=True, max_examples=60)
@given(cards)
def test_any_card_comes_back_from_its_rows(card):
    card = replace(card, run="run-1")
    with open_store() as store:
        store.begin_run(build_run())
        store.add_record("run-1", 0, card)
        store.flush()
        (back,) = store.cards("run-1", RUBRIC)
    assert back == card
    for name in ("outcomes", "voices", "facts"):
        assert list(getattr(back, name)) == list(getattr(card, name))
    # Equality is blind to 1 == 1.0 and True == 1; what is written out is not.
    assert dump(back) == dump(card)


def test_a_unit_that_metrics_and_judges_share_is_one_row(store):
    store.begin_run(build_run())
    card = build_card(build_record(1))
    outcome = card.outcomes["support"]
    voices = tuple(Voice(judge, 0, outcome) for judge in "ab")
    store.add_record("run-1", 0, replace(card, outcomes={"support": outcome, "tone": outcome}, voices={"tone": voices}))
    store.flush()
    assert store.read("SELECT id, text, begins, ends FROM units") == [("c1", "Tea wakes you up.", 0, 17)]
    rows = store.read("SELECT metric, author, units FROM scores ORDER BY place")
    assert rows == [("support", "", "[0]"), ("tone", "", "[0]"), ("tone", "a", "[0]"), ("tone", "b", "[0]")]


@pytest.mark.parametrize(
    "table", ["scores", "scores WHERE author = 'a'", "units", "labels", "labels WHERE author = 'a'"]
)
def test_a_card_that_has_lost_a_row_is_damaged(store, table):
    store.begin_run(build_run())
    card = build_card(build_record(1))
    store.add_record("run-1", 0, replace(card, voices={"support": (Voice("a", 0, card.outcomes["support"]),)}))
    store.flush()
    with store.alone() as connection:
        connection.execute(f"DELETE FROM {table}")  # noqa: S608
    with pytest.raises(DamagedError, match="a stored card of run run-1 can't be read"):
        list(store.cards("run-1", RUBRIC))
    with pytest.raises(DamagedError, match=rf"run run-1 is damaged: \d of its \d {table.split()[0]} are there"):
        store.find_run("run-1")


def test_a_person_named_like_a_judge_is_still_a_person(store):
    store.begin_run(build_run())
    card = build_card(build_record(1))
    panel = replace(card, voices={"support": (Voice("Ada", 0, card.outcomes["support"]),)})
    store.add_record("run-1", 0, panel)
    store.flush()
    for person in ("Ada", ""):
        said = PersonLabel("r1", None, "support", "claim", "c1", person, "absent")
        store.labels.put("run-1", [said])
        assert store.labels.all("run-1", person=person) == (said,)
    assert list(store.cards("run-1", RUBRIC)) == [panel]


def test_cards_come_in_the_order_of_their_records_however_they_finished(store):
    store.begin_run(build_run())
    for number in (150, 3, 99, 0, 100, *(n for n in range(200) if n not in {150, 3, 99, 0, 100})):
        add(store, number)
    store.flush()
    assert read(store) == [f"r{number}" for number in range(200)]


def test_a_record_comes_back_with_the_answers_of_all_judges_and_samples(store):
    store.begin_run(build_run())
    card = build_card(build_record(1), reason="no")
    answers = (*card.outcomes.values(), *build_card(build_record(1)).outcomes.values())
    voices = tuple(Voice(judge, sample, each) for judge in "ab" for sample, each in enumerate(answers))
    panel = replace(card, judge="b + a", voices={"support": voices})
    store.add_record("run-1", 0, panel)
    store.flush()
    assert store.get_record("run-1", "r1", None, RUBRIC) == panel


@pytest.mark.parametrize(("one", "two"), [("m", "m"), ("", "?"), ("m\ud800", "m\ud800")])
def test_two_answers_of_one_judge_and_sample_are_refused_before_anything_is_queued(store, one, two):
    store.begin_run(build_run())
    card = build_card(build_record(1))
    twice = tuple(Voice(judge, 1, card.outcomes["support"]) for judge in (one, two))
    with pytest.raises(ValueError, match=r"has two answers as sample 1 about 'support'; give each its own sample"):
        store.add_record("run-1", 0, replace(card, voices={"support": twice}))
    store.flush()
    assert store.count("run-1") == 0


def test_the_first_card_of_a_record_stays_and_is_never_doubled(store):
    store.begin_run(build_run())
    first = build_card(build_record(1))
    for position, card in enumerate((first, build_card(build_record(1, "Another text."), reason="later"))):
        store.add_record("run-1", position, card)
        store.flush()
    assert list(store.cards("run-1", RUBRIC)) == [first]
    assert store.count("run-1") == 1


def test_each_system_has_a_card_of_its_own(store):
    store.begin_run(build_run())
    systems = (None, "", "0", "s")
    for position, system in enumerate(systems):
        add(store, 1, position=position, system=system)
    store.flush()
    assert [judged.system for judged in store.list_judged("run-1")] == list(systems)
    for system in systems:
        assert store.get_record("run-1", "r1", system, RUBRIC).record.system == system
    assert store.get_record("run-1", "r1", "other", RUBRIC) is None


def test_what_was_judged_is_listed_by_place_with_what_tells_one_record_from_another(store):
    for name in ("run-1", "run-2"):
        store.begin_run(build_run(name))
    assert list(store.list_judged("run-1")) == []
    odd = replace(build_record(1, system="s \ufffd"), id="id 🫖", output="odd \ud800 text")
    places = {2: build_record(2), 0: build_record(0, "Another text."), 1: odd}
    for position, record in places.items():
        store.add_record("run-1", position, build_card(record))
    add(store, 0, "run-2")
    store.flush()
    assert list(store.list_judged("run-1")) == [
        Judged(position, record.id, record.system, digest_record(record)) for position, record in sorted(places.items())
    ]
    (other,) = store.list_judged("run-2")
    assert other == Judged(0, "r0", None, digest_record(build_record(0)))
    assert other.digest != digest_record(places[0])


def test_cards_and_failures_are_counted_by_run(store):
    for name in ("one", "two"):
        store.begin_run(build_run(name))
    add(store, 0, "one")
    add(store, 1, "one")
    failed, card = build_card(build_record(2), reason="refused"), build_card(build_record(3))
    store.add_record("one", 2, failed)
    answers = tuple(Voice("m", sample, each.outcomes["support"]) for sample, each in enumerate((card, failed, failed)))
    store.add_record("one", 3, replace(card, voices={"support": answers}))
    add(store, 0, "two")
    store.flush()
    assert (store.count("one"), store.count_failed("one")) == (4, 2), "a record fails once, by however many answers"
    assert (store.count("two"), store.count_failed("two")) == (1, 0)


def test_cards_added_while_others_are_read_do_not_disturb(store):
    store.begin_run(build_run())
    for number in range(0, 200, 2):
        add(store, number)
    store.flush()
    seen = []
    for card in store.cards("run-1", RUBRIC):
        seen.append(int(card.record.id[1:]))
        if seen[-1] == 10:
            for number in range(1, 200, 2):
                add(store, number)
            store.flush()
    assert seen == sorted(set(seen))
    assert set(range(0, 200, 2)) <= set(seen)


@pytest.mark.parametrize("ask", ["cards", "get_record", "usage", "update_run", "delete_run", "replies"])
def test_a_run_that_is_not_there_is_an_input_error(store, ask):
    arguments = {
        "cards": (RUBRIC,),
        "get_record": ("r1", None, RUBRIC),
        "update_run": ("done", None),
        "replies": ("r1",),
    }.get(ask, ())
    with pytest.raises(InputError, match="no run 'ghost'"):
        getattr(store, ask)("ghost", *arguments)


def test_a_card_for_a_run_that_was_never_begun_is_not_lost_in_silence(store):
    add(store, 0, "ghost")
    with pytest.raises(InputError, match="ghost is not in the store"):
        store.flush()


def test_one_run_that_is_gone_does_not_keep_others_from_being_written(store):
    store.begin_run(build_run())
    add(store, 0, "ghost")
    add(store, 0)
    with pytest.raises(InputError, match="ghost"):
        store.flush()
    store.begin_run(build_run("run-2"))
    store.flush()
    assert store.count("run-1") == 1


def test_a_reply_is_found_by_its_key_and_by_its_record(store):
    store.begin_run(build_run())
    odd = replace(REPLY, text="\ud83d\ude00" * 500, usage=None, dropped=())
    store.put_reply("k1", REPLY, "run-1", CallKey("r1", "support", 0, 1))
    store.put_reply("k2", odd, "run-1", CallKey("r1", "support"))
    store.put_reply("k3", REPLY, "run-1", CallKey("r2", "support"))
    store.flush()
    assert store.get_reply("k1") == REPLY
    assert store.get_reply("k2") == odd
    assert store.get_reply("k4") is None
    assert [(kept.key, kept.purpose.attempt, kept.reply) for kept in store.replies("run-1", "r1")] == [
        ("k2", 0, odd),
        ("k1", 1, REPLY),
    ]


def test_the_first_reply_of_a_key_stays(store):
    store.begin_run(build_run())
    for text in ("first", "second"):
        store.put_reply("k", replace(REPLY, text=text), "run-1", CallKey("r1", "support"))
        store.flush()
    assert store.get_reply("k").text == "first"
    assert len(store.replies("run-1", "r1")) == 1


def test_a_run_finds_the_bank_that_it_used_and_no_other(store):
    first, edited = (Written("Tea wakes.", ("S1.1",)), Written("Tea \ud800.")), (Written("Tea calms."),)
    for name, units in (("one", first), ("two", edited), ("three", first)):
        store.begin_run(build_run(name))
        store.put_bank("tea", "points", "digest", units, name)
    store.flush()
    for name, units in (("one", first), ("two", edited), ("three", first)):
        assert store.get_bank("tea", "points", "digest", run=name) == units
        assert store.get_bank("tea", "points", "other", run=name) is None
        assert store.get_bank("tea", "questions", "digest", run=name) is None
    with pytest.raises(InputError, match="no run 'ghost'"):
        store.get_bank("tea", "points", "digest", run="ghost")


def test_usage_adds_up_exactly(store):
    store.begin_run(build_run())
    assert store.usage("run-1") == RunUsage()
    for _ in range(30):
        store.add_usage("run-1", RunUsage(calls=1, prompt_tokens=100, completion_tokens=7, picodollars=10**11))
    store.add_usage("run-1", RunUsage(cache_hits=2))
    store.add_usage("run-1", RunUsage(calls=1, unpriced_calls=1))
    store.flush()
    assert store.usage("run-1") == RunUsage(31, 2, 3000, 210, 3 * 10**12, 1)


def test_deleting_a_run_keeps_what_another_run_uses(store):
    for name in ("one", "two"):
        store.begin_run(build_run(name))
    for number in range(3):
        add(store, number, "one")
    add(store, 2, "two")
    for key, run in (("own", "one"), ("both", "one"), ("both", "two")):
        store.put_reply(key, REPLY, run, CallKey("r1", "support"))
        store.put_bank("tea", key, "digest", (Written(key),), run)
    store.add_usage("one", RunUsage(calls=1))
    store.delete_run("one")
    assert [run.id for run in store.runs()] == ["two"]
    assert [card.record for card in store.cards("two", RUBRIC)] == [build_record(2)]
    assert (store.get_reply("own"), store.get_reply("both")) == (None, REPLY)
    assert store.get_bank("tea", "own", "digest", run="two") is None
    assert store.get_bank("tea", "both", "digest", run="two") == (Written("both"),)


def test_a_deleted_run_can_be_begun_anew_and_is_empty(store):
    store.begin_run(build_run())
    add(store, 0)
    store.delete_run("run-1")
    store.begin_run(build_run())
    assert store.count("run-1") == 0
    add(store, 1)
    store.flush()
    assert read(store) == ["r1"]


def test_awaiting_committed_means_that_it_can_be_read(store):
    store.begin_run(build_run())

    async def write(number: int) -> bool:
        add(store, number)
        await store.committed()
        return store.get_record("run-1", f"r{number}", None, RUBRIC) is not None

    async def write_all() -> list[bool]:
        return await asyncio.gather(*(write(number) for number in range(100)))

    assert asyncio.run(write_all()) == [True] * 100


def test_an_await_that_is_cancelled_harms_no_other(store):
    store.begin_run(build_run())

    async def write() -> int:
        add(store, 0)
        waiting = [asyncio.create_task(store.committed()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        results = await asyncio.gather(*waiting, return_exceptions=True)
        return sum(result is None for result in results)

    assert asyncio.run(write()) == 2


def test_threads_may_write_at_once(store):
    store.begin_run(build_run())
    threads = [
        threading.Thread(target=lambda first=first: [add(store, number) for number in range(first, first + 60)])
        for first in (0, 30, 90)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.flush()
    assert read(store) == [f"r{number}" for number in range(150)]


def test_a_closed_store_says_so_and_closes_twice(store):
    store.begin_run(build_run())
    store.close()
    store.close()
    with pytest.raises(InputError, match="closed"):
        add(store, 0)
    with pytest.raises(InputError, match="closed"):
        store.runs()


@pytest.mark.parametrize("wrong", [{"calls": -1}, {"prompt_tokens": -(2**60)}, {"picodollars": -1}])
def test_what_no_run_can_use_is_refused(wrong):
    with pytest.raises(ValueError, match="negative counts"):
        RunUsage(**wrong)


def test_what_an_endpoint_claims_beyond_all_measure_is_kept_as_the_most_a_run_can_use(store):
    store.begin_run(build_run())
    for _ in range(3):
        store.add_usage("run-1", RunUsage(1, prompt_tokens=2**70, picodollars=10**21))
        store.flush()
    assert store.usage("run-1") == RunUsage(3, prompt_tokens=2**56, picodollars=2**56)


@pytest.mark.parametrize("wrong", [{"identifier": "last"}, {"identifier": ""}, {"started": START.replace(tzinfo=None)}])
def test_a_run_needs_an_id_of_its_own_and_times_with_a_zone(wrong):
    with pytest.raises(ValueError):
        build_run(**wrong)


def test_a_bank_keeps_the_weight_and_direction_of_its_units(store):
    """They were lost: a resumed run then took every point for a main one."""
    store.begin_run(build_run("one"))
    units = (Written("The zip jams.", ("S1.2",), "minor", "criticised"), Written("The straps are soft."))
    store.put_bank("tea", "points", "digest", units, "one")
    store.flush()
    assert store.get_bank("tea", "points", "digest", run="one") == units
