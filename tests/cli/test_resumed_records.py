"""A run goes on with the records it was begun with, and with no others: nothing of two records becomes one score."""

import re
import sqlite3
from pathlib import Path

import pytest
from shell import Ended, opinion, reply, run, write_lines

from assay.store.codec import dump_json, load_json, pack_bytes, unpack_bytes
from assay.store.digests import COLUMNS, call_digest, digest_row

RUBRIC = ("--rubric", "opinion-relevance")
RECORDED = (*RUBRIC, "--judge", "recorded:replies.jsonl", "--format", "jsonl")
REMEDY = "Give the records that it was started with (x.jsonl), unchanged, or judge these as a new run without --resume."
CLEAN = {
    "article": "The harbour ferry will run every twenty minutes from Monday. Tickets stay at three pounds.",
    "summary": "The ferry will run every twenty minutes from Monday.",
}
ATTACK = ("--rubric", "article-audit", "--families", "direct-requests", "--variants", 1, "--benign", 0, "--quiet")


@pytest.fixture(autouse=True)
def _begun() -> None:
    """A run of x1 and x2, which are marked 5 and 4; what is not theirs is marked 1."""
    marks = {"x1": 5, "x2": 4, "z0": 1, "x3": 1}
    write_lines(Path("replies.jsonl"), [reply(name, mark) for name, mark in marks.items()])
    write_lines(Path("x.jsonl"), [opinion("x1"), opinion("x2")])
    assert judge("x.jsonl").code == 0


def judge(records: str, *more: object) -> Ended:
    return run("judge", records, *RECORDED, *more)


def dump() -> list[str]:
    with sqlite3.connect(".assay/assay.db") as connection:
        lines = list(connection.iterdump())
    connection.close()
    return lines


def refused(records: str, *more: object) -> str:
    """What is said about it. Nothing of the store has changed then, and no result was written."""
    before = dump()
    ended = judge(records, "--resume", "last", "--out", "out.jsonl", *more)
    assert (ended.code, ended.out) == (2, "")
    assert dump() == before
    assert not Path("out.jsonl").exists()
    return ended.err


def stop(run_of: int) -> None:
    """As if the run had been stopped before its second record."""
    with sqlite3.connect(".assay/assay.db") as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM cards WHERE position > 0")
        ((body,),) = connection.execute("SELECT body FROM runs").fetchall()
        content = {**load_json(unpack_bytes(body)), "record_count": run_of}
        connection.execute("UPDATE runs SET state = 'stopped', body = ?", (pack_bytes(dump_json(content)),))
        connection.execute("UPDATE runs SET cards = (SELECT count(*) FROM cards)")
        connection.create_function("row_digest", -1, digest_row)
        connection.execute(f"UPDATE runs SET digest = {call_digest(COLUMNS['runs'])}")  # noqa: S608  # our columns
    connection.close()


def scores(ended: Ended) -> dict[str, object]:
    return {each["record"]: each["metrics"]["relevance"]["score"] for each in ended.results}


EDITED = "record 2, 'x2', differs from what run {run} judged: its contents or the order of its fields changed."


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [opinion("z0"), opinion("x1"), opinion("x2")],
            "record 1 is 'z0', and run {run} has judged 'x1' in its place.",
        ),
        ([opinion("x2"), opinion("x1")], "record 1 is 'x2', and run {run} has judged 'x1' in its place."),
        (
            [opinion("x1", system="b"), opinion("x2")],
            "record 1 is 'x1' of the system 'b', and run {run} has judged 'x1' in its place.",
        ),
        ([opinion("x1"), opinion("x2"), opinion("x3")], "there are 3 records in it, and run {run} was started with 2."),
        ([opinion("x1")], "there is 1 record in it, and run {run} has judged 'x2' as record 2."),
        ([opinion("x1"), opinion("x2", product_opinion_summary="Nobody says that the arm sags.")], EDITED),
        ([opinion("x1"), opinion("x2", reviews=["The lamp is dim.", "Bright, but the arm sags."])], EDITED),
        ([opinion("x1"), opinion("x2", language="de")], EDITED),
    ],
    ids=["one before", "another order", "another system", "one more", "one fewer", "output", "sources", "language"],
)
def test_other_records_are_not_mixed_with_those_of_the_run(rows: list[dict], said: str) -> None:
    write_lines(Path("y.jsonl"), rows)
    told = refused("y.jsonl")
    assert re.search(re.escape(f"y.jsonl: {said} {REMEDY}").replace(r"\{run\}", r"\S+"), told)
    assert "2 of 2" in run("runs", "list").out
    assert "z0" not in run("runs", "show", "last").out


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([opinion("x1")], r"there is 1 record in it, and run \S+ was started with 2\."),
        ([opinion("z0"), opinion("x3")], "record 1 is 'z0', and run"),
    ],
)
def test_another_file_does_not_finish_a_run_that_was_stopped(rows: list[dict], said: str) -> None:
    stop(run_of=2)
    write_lines(Path("y.jsonl"), rows)
    assert re.search(said, refused("y.jsonl"))
    assert "stopped" in run("runs", "list").out


def test_what_was_stopped_goes_on_with_the_same_records_under_another_name() -> None:
    stop(run_of=2)
    Path("x.jsonl").rename("moved.jsonl")
    ended = judge("moved.jsonl", "--resume", "last")
    assert ended.code == 0
    assert scores(ended) == {"x1": 5, "x2": 4}
    assert re.search(r"done\W+opinion-relevance\W+2 of 2", run("runs", "list").out)


def test_a_finished_run_shows_its_results_again() -> None:
    ended = judge("x.jsonl", "--resume", "last")
    assert ended.code == 0
    assert scores(ended) == {"x1": 5, "x2": 4}


def test_a_limit_is_part_of_what_a_run_was_begun_with() -> None:
    assert judge("x.jsonl", "--limit", 1).code == 0
    said = refused("x.jsonl")
    assert "there are 2 records in it" in said
    assert "(x.jsonl with --limit 1)" in said
    assert judge("x.jsonl", "--limit", 1, "--resume", "last").code == 0


def test_other_samples_are_not_mixed_in() -> None:
    said = refused("x.jsonl", "--samples", 2)
    assert re.search(r"run \S+ was started with other settings: --samples 1", said)


def test_records_that_cannot_be_read_keep_their_places() -> None:
    invalid = opinion("bad")
    del invalid["product_opinion_summary"]
    rows = [opinion("x1"), invalid, {"id": 7.5}, opinion("x2")]
    write_lines(Path("x.jsonl"), rows)
    begun = judge("x.jsonl", "--skip-invalid")
    again = judge("x.jsonl", "--skip-invalid", "--resume", "last")
    assert (begun.code, again.code) == (0, 0)
    assert [each["record"] for each in again.results] == [each["record"] for each in begun.results]
    assert again.results[1]["metrics"]["relevance"]["status"] == "invalid_record"
    rows[1] = opinion("bad")
    write_lines(Path("x.jsonl"), rows)
    assert "record 2, 'bad', differs from what run" in refused("x.jsonl", "--skip-invalid")


def test_an_attack_is_not_gone_on_with_by_judging_and_not_the_other_way_round() -> None:
    write_lines(Path("clean.jsonl"), [{"id": f"a{at}", **CLEAN} for at in range(2)])
    commands = {
        "attack": ("attack", *ATTACK, "--records", "clean.jsonl"),
        "judge": ("judge", "clean.jsonl", "--rubric", "article-audit"),
    }
    for name, other in (("attack", "judge"), ("judge", "attack")):
        assert run(*commands[name]).code == 0
        before = dump()
        ended = run(*commands[other], "--resume", "last")
        assert ended.code == 2
        assert re.search(rf"run \S+ was started by `assay {name}`\. Resume it with `assay {name}`, or", ended.err)
        assert dump() == before


def test_an_attack_on_edited_records_is_not_gone_on_with() -> None:
    write_lines(Path("clean.jsonl"), [{"id": f"a{at}", **CLEAN} for at in range(2)])
    assert run("attack", *ATTACK, "--records", "clean.jsonl").code == 0
    assert run("attack", *ATTACK, "--records", "clean.jsonl", "--resume", "last").code == 0
    edited = {**CLEAN, "summary": "Tickets stay at three pounds."}
    write_lines(Path("clean.jsonl"), [{"id": f"a{at}", **edited} for at in range(2)])
    ended = run("attack", *ATTACK, "--records", "clean.jsonl", "--resume", "last")
    assert ended.code == 2
    assert re.search(r"attack on clean\.jsonl: record 1, 'a\d', differs from what run \S+ judged", ended.err)
