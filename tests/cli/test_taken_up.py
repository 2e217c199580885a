"""Runs that stopped or borrow from others: what they leave, and what goes on with them."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from shell import KEY, ask_server, opinion, reply, run, run_apart, write_lines, write_opinions

from assay.errors import InputError
from assay.runner.run import rubric_of
from assay.store.store import open_store
from equipment.chat_server.exchange import HttpReply, Reply, build_complaint
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread

BY_SCHEMA = answer_by_schema()


def article(name: str) -> dict:
    return {
        "id": name,
        "article": "The bridge opened in May. It cost two million.",
        "summary": f"It opened, says {name}.",
    }


def judge(server: ScriptedServer, names: str, *more: object, model: str = "m"):
    """Of articles, one for each letter."""
    records = write_lines(Path("r.jsonl"), [article(name) for name in names])
    asked = ask_server(server, records.resolve(), rubric="article-audit", judge=f"openai:{model}")
    return run(*asked, "--quiet", "--format", "jsonl", *more, environment=KEY)


def runs() -> list[str]:
    with open_store(Path(".assay/assay.db"), read_only=True) as store:
        return list(store.run_ids())


def write_points(word: str):
    """A script whose key points all begin with this word."""

    def answer(asked) -> str:
        text = BY_SCHEMA(asked)
        value = json.loads(text)
        if "key_points" in value:
            points = [{"text": f"The {word} point {number} is told.", "sources": ["S1.1"]} for number in range(5)]
            return json.dumps({"key_points": points})
        return text

    return answer


def banks_of(name: str) -> set[str]:
    with open_store(Path(".assay/assay.db"), read_only=True) as store:
        found = store.read("SELECT rubric, bank, source FROM banks")
        return {
            unit.text.split()[1] for key in found for unit in store.get_bank(*key, run=store.find_run(name).id) or ()
        }


def test_a_lent_bank_stays_with_the_run_and_can_be_lent_again():
    for word, more in (("first", ()), ("second", ("--bank", "last")), ("third", ("--bank", "last", "--no-cache"))):
        with run_in_thread(ScriptedServer(write_points(word))) as server:
            assert judge(server, "a", *more).code == 0
    assert [banks_of(name) for name in runs()] == [{"first"}] * 3


def test_a_run_goes_on_with_the_bank_it_was_begun_with_or_not_at_all():
    with run_in_thread(ScriptedServer(write_points("first"))) as server:
        assert judge(server, "ab").code == 0
        lender = runs()[0]
        assert judge(server, "ab", "--bank", "last").code == 0
        borrower = runs()[0]
        assert judge(server, "ab", "--bank", "last", "--resume", borrower).code == 0
        for wrong in ((), ("--bank", borrower)):
            ended = judge(server, "ab", *wrong, "--resume", borrower)
            assert ended.code == 2
            assert f"was started with other settings: --bank {lender}" in ended.err
        ended = judge(server, "ab", "--bank", lender, "--resume", lender)
        assert "was started with other settings: no --bank given" in ended.err


@pytest.mark.parametrize("name", ["last", "20990101-", "20990101-120000-abcdef"])
def test_a_bank_that_can_only_be_a_run_makes_no_file(name):
    with run_in_thread(ScriptedServer(BY_SCHEMA)) as server:
        if name != "last":
            assert judge(server, "a").code == 0
        ended = judge(server, "a", "--bank", name)
    assert ended.code == 2
    assert "no run" in ended.err
    assert not Path(name).exists()


def test_a_command_that_is_refused_leaves_no_run_behind(tmp_path):
    with run_in_thread(ScriptedServer(BY_SCHEMA)) as server:
        assert judge(server, "ab").code == 0
        before = runs()
        assert judge(server, "ab", "--out", tmp_path / "no" / "folder" / "x.jsonl").code == 2
    assert runs() == before


@pytest.mark.parametrize("flags", [("--out",), ("--record",), ("--bank",)])
def test_no_file_is_two_things_at_once(flags):
    asked = (*write_opinions("a"), "--quiet")
    assert run(*asked).code == 0
    for path, what in (
        ("records.jsonl", "the records"),
        ("replies.jsonl", "a recording"),
        (".assay/assay.db", "the store"),
    ):
        content = Path(path).read_bytes()
        ended = run(*asked, *flags, path)
        assert ended.code == 2
        assert f"this file holds {what}, so it can't hold" in ended.err
        assert Path(path).read_bytes() == content


def test_a_file_is_known_by_whatever_name(tmp_path):
    records = write_lines(tmp_path / "r.jsonl", [opinion("a")])
    replies = write_lines(tmp_path / "replies.jsonl", [reply("a")])
    (tmp_path / "folder").mkdir()
    inside = write_lines(tmp_path / "folder" / "one.json", [opinion("a")])
    (tmp_path / "hard.jsonl").hardlink_to(records)
    (tmp_path / "soft.jsonl").symlink_to(records)
    asked = ("--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--quiet")
    for name in ("hard.jsonl", "soft.jsonl"):
        assert run("judge", records, *asked, "--out", name).code == 2
    assert run("judge", "folder", *asked, "--out", inside).code == 2
    assert run("judge", records, *asked, "--out", ".assay/assay.db-wal").code == 2
    assert run("attack", "--rubric", "opinion-relevance", "--records", records, "--json", "hard.jsonl").code == 2
    assert [json.loads(line)["id"] for line in records.read_text().splitlines()] == ["a"]


def test_a_run_goes_on_without_the_run_that_lent_its_banks():
    with run_in_thread(ScriptedServer(write_points("first"))) as server:
        assert judge(server, "a").code == 0
        lender = runs()[0]
        assert judge(server, "a", "--bank", "last").code == 0
        borrower = runs()[0]
        assert run("runs", "delete", lender).code == 0
        for name in ("last", lender):
            assert judge(server, "a", "--bank", name, "--resume", borrower).code == 0
            assert not Path(lender).exists()


def test_a_run_that_filled_a_bank_file_lends_the_file():
    with run_in_thread(ScriptedServer(write_points("first"))) as server:
        assert judge(server, "a", "--bank", "bank.jsonl").code == 0
        ended = judge(server, "a", "--bank", "last")
    assert ended.code == 2
    assert f"has its reference points in a file. Give that file as --bank: {Path('bank.jsonl').resolve()}." in ended.err


def test_a_bank_file_is_the_same_one_wherever_the_run_goes_on(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    store = ("--store", tmp_path / "kept.db")
    with run_in_thread(ScriptedServer(write_points("first"))) as server:
        assert judge(server, "ab", *store, "--bank", "bank.jsonl").code == 0
        whole = Path("bank.jsonl").resolve()
        monkeypatch.chdir(tmp_path / "elsewhere")
        ended = judge(server, "ab", *store, "--bank", "bank.jsonl", "--resume", "last")
        assert ended.code == 2
        assert f"started with other settings: --bank {whole}" in ended.err
        assert not Path("bank.jsonl").exists()
        assert judge(server, "ab", *store, "--bank", whole, "--resume", "last").code == 0
        whole.unlink()
        gone = judge(server, "ab", *store, "--bank", whole, "--resume", "last")
    assert gone.code == 2
    assert "the reference points that the run started with are missing" in gone.err


def test_several_judges_are_not_recorded_in_one_file(tmp_path):
    with run_in_thread(ScriptedServer(BY_SCHEMA)) as server:
        ended = judge(server, "a", "--judge", "openai:other", "--record", tmp_path / "x.jsonl")
    assert ended.code == 2
    assert "a recording holds the replies of one judge" in ended.err


def test_a_panel_is_told_from_the_store_as_it_was_told_when_it_was_judged():

    def answer(asked) -> str | Reply:
        return Reply("I can't help with that.", finish_reason="stop") if asked.model == "a" else BY_SCHEMA(asked)

    with run_in_thread(ScriptedServer(answer)) as server:
        told = judge(server, "ab", "--judge", "openai:a", model="z")
    assert told.code == 0
    assert run("runs", "export", "last", "--to", "kept.jsonl").code == 0
    assert [json.loads(line) for line in Path("kept.jsonl").read_text().splitlines()] == told.results


def test_an_account_that_runs_empty_loses_no_count_and_no_way_to_go_on():
    paid = 9

    def answer(asked) -> str | HttpReply:
        return BY_SCHEMA(asked) if asked.number < paid else build_complaint(asked, 401, "no more", "invalid_api_key")

    with run_in_thread(ScriptedServer(answer)) as server:
        ended = judge(server, "abcdef", "--workers", "1")
    assert ended.code == 2
    assert "assay: stopped: error (see below); what is judged is kept. Resume with: " in ended.err
    assert ended.err.index("Resume with") < ended.err.index("HTTP 401")
    with open_store(Path(".assay/assay.db"), read_only=True) as store:
        assert store.usage(store.run_ids()[0]).calls >= paid


@pytest.mark.parametrize("flags", [(), ("--no-cache",), ("--judge", "openai:b"), ("--judge", "openai:b", "--no-cache")])
def test_a_run_that_goes_on_asks_nothing_twice_and_keeps_no_half_of_a_panel(flags):
    more = (*flags, "--separate", "--workers", "1")
    with run_in_thread(ScriptedServer(BY_SCHEMA)) as server:
        assert judge(server, "abcd", *more, "--store", "whole.db").code == 0
        whole = server.calls
    paid, refusing = 9, [True]

    def answer(asked) -> str | HttpReply:
        is_refused = refusing[0] and asked.number >= paid
        return build_complaint(asked, 401, "no more", "invalid_api_key") if is_refused else BY_SCHEMA(asked)

    with run_in_thread(ScriptedServer(answer)) as server:
        assert judge(server, "abcd", *more).code == 2
        with open_store(Path(".assay/assay.db"), read_only=True) as store:
            found = store.find_run("last")
            judged = list(store.cards(found.id, rubric_of(found)))
            kept = sum(len(store.replies(found.id, name)) for name in "abcd")
        assert all(len(voices) == len(found.judges) for card in judged for voices in card.voices.values())
        refusing[0], before = False, server.calls
        assert judge(server, "abcd", *more, "--resume", "last").code == 0
        assert server.calls - before == whole - kept
    assert kept >= paid - len(found.judges)


def test_every_call_of_a_fresh_run_keeps_its_own_reply(tmp_path):
    records = write_lines(tmp_path / "r.jsonl", [opinion("a")])
    texts = {}
    for word in ("soft", "hard"):

        def answer(asked, word=word):
            text = BY_SCHEMA(asked)
            return f"{text}\n\n(all of it {word})"

        with run_in_thread(ScriptedServer(answer)) as server:
            asked = ("judge", records, "--rubric", "opinion-relevance", "--judge", "openai:m", "--no-cache")
            run(*asked, "--base-url", server.base_url, "--quiet", environment=KEY)
        with open_store(Path(".assay/assay.db"), read_only=True) as store:
            texts[word] = [each.reply.text for each in store.replies(store.run_ids()[0], "a")]
    for word, found in texts.items():
        assert found
        assert all(f"all of it {word}" in text for text in found)


def test_after_an_outage_the_same_command_asks_only_for_what_failed(tmp_path):
    records = write_lines(
        tmp_path / "r.jsonl",
        [opinion(name, product_opinion_summary=f"Buyers of lamp {name} like its light.") for name in "ab"],
    )
    down = [True]

    def answer(asked) -> str | HttpReply:
        return HttpReply(500, b"") if down[0] and "lamp b like" in asked.prompt else BY_SCHEMA(asked)

    asked = ("judge", records, "--rubric", "opinion-relevance", "--judge", "openai:m", "--base-url")
    with run_in_thread(ScriptedServer(answer)) as server:
        ended = run(*asked, server.base_url, environment=KEY)
        assert ended.code == 0
        assert "Transient failures: 1 unreachable. Run the same command again to ask only for these" in ended.err
        reason = next(line for line in ended.err.splitlines() if line.startswith("  1 × "))
        assert reason in run("runs", "show", "last").out
        down[0], before = False, len(server.asked)
        again = run(*asked, server.base_url, environment=KEY)
        assert "lamp a like" not in "".join(each.prompt for each in list(server.asked)[before:])
    assert "Transient failures" not in again.err


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_export_has_the_facets_of_all_records(tmp_path, ending):
    facets = [{}, {"age": "old"}, {"shop": "b", "age": "new"}]
    found = [opinion(f"r{place}", facets=each) for place, each in enumerate(facets)]
    records = write_lines(tmp_path / "r.jsonl", found)
    with run_in_thread(ScriptedServer()) as server:
        asked = ("judge", records, "--rubric", "opinion-relevance", "--judge", "openai:m", "--base-url")
        assert run(*asked, server.base_url, "--quiet", environment=KEY).code == 0
    path = tmp_path / f"out.{ending}"
    assert run("runs", "export", "last", "--to", path).code == 0
    if ending == "csv":
        with path.open(newline="", encoding="utf-8") as stream:
            rows = [{name: value or None for name, value in row.items()} for row in csv.DictReader(stream)]
    else:
        rows = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    assert [(row["facet_age"], row["facet_shop"]) for row in rows] == [(None, None), ("old", None), ("new", "b")]


def test_a_run_that_wrote_no_bank_goes_on_with_its_bank_file(tmp_path):
    records = write_lines(tmp_path / "r.jsonl", [article("a"), article("b")])
    asked = ("judge", records, "--rubric", "article-audit", "--quiet", "--bank", "new.jsonl")
    assert run(*asked).code == 0
    assert Path("new.jsonl").read_bytes() == b""
    assert run(*asked, "--resume", "last").code == 0


def test_a_dry_run_with_a_bank_file_needs_no_store(tmp_path):
    records = write_lines(tmp_path / "r.jsonl", [article("a")])
    Path("bank.jsonl").touch()
    Path("empty.db").touch()
    asked = ("judge", records, "--rubric", "article-audit", "--dry-run")
    assert run(*asked, "--store", "empty.db", "--bank", "bank.jsonl").code == 0


def test_two_resumes_of_one_run_at_the_same_time_pay_once(tmp_path):
    out = tmp_path / "out.jsonl"
    refused = []

    def resume_meanwhile(asked) -> str:
        if not refused:
            refused.append(None)
            command = ask_server(server, "r.jsonl", "--resume", "last", "--out", out, rubric="article-audit")
            refused[0] = run_apart(*command, env={**os.environ, **KEY}, timeout=60)
        return BY_SCHEMA(asked)

    with run_in_thread(ScriptedServer(resume_meanwhile)) as server:
        first = judge(server, "ab", "--out", out)
        sent = server.calls
        again = judge(server, "ab", "--resume", "last")
        assert server.calls == sent
    assert (first.code, refused[0].returncode, again.code) == (0, 2, 0)
    assert f"run {runs()[0]} is being judged by another process. Wait until it has ended" in refused[0].stderr
    assert len(out.read_text().splitlines()) == 2
    assert [entry.name for entry in Path(".assay").iterdir() if entry.suffix == ".lock"] == []


def test_the_lock_of_a_run_dies_with_its_process(tmp_path):
    path = tmp_path / "a.db"
    script = f"import os; from assay.store.store import Store; Store({str(path)!r}).lock_run('one'); os._exit(1)"
    subprocess.run([sys.executable, "-c", script], check=False)
    assert (tmp_path / "a.db-one.lock").exists()
    with open_store(path) as first, open_store(path) as second:
        first.lock_run("one")
        with pytest.raises(InputError, match="run one is being judged by another process"):
            second.lock_run("one")
        second.lock_run("two")
        first.unlock_run("one")
        second.lock_run("one")
