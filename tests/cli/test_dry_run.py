"""What a dry run shows is, to the letter, what a run sends."""

import re
from collections.abc import Mapping
from importlib.resources import as_file
from pathlib import Path

import pytest
from shell import KEY, Ended, ask_server, run, write_lines

from assay.api.config import RunConfig
from assay.api.forecast import count_calls
from assay.engine.costs import Price, estimate_prompt
from assay.files.records import open_records, records_from
from assay.files.rubrics import open_rubric
from assay.models.chat import Message
from assay.packs import list_packs
from equipment.chat_server.exchange import Asked
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread
from equipment.fair_replies import answer_fairly

GERMAN = {
    "id": "de",
    "article": "Die Brücke wurde am 3. Mai eröffnet. Sie kostete die Stadt zwei Millionen Euro. Viele Bürger kamen.",
    "summary": "Die neue Brücke wurde am 3. Mai eröffnet und kostete zwei Millionen Euro. Viele Bürger kamen zur Feier.",
}
ENGLISH = {
    "id": "en",
    "article": "The bridge opened in May. It cost the town two million. Many came to see it.",
    "summary": "The new bridge opened in May. It cost two million, and many people came to the feast.",
}
both = pytest.mark.parametrize("record", [GERMAN, ENGLISH], ids=["german", "english"])


def judge(records: Path, *flags: str) -> list[Asked]:
    """What a server received, in turn."""
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        asked = ask_server(server, records, rubric="article-audit")
        run(*asked, "--quiet", *flags, environment=KEY)
        return list(server.asked)


def show(received: Asked) -> str:
    """A request as a dry run prints a prompt."""
    return "".join(f"[{each['role']}]\n{each['content']}\n" for each in received.body["messages"])


def split_prompts(printed: str) -> dict[str, str]:
    """The prompts of a dry run by the names of their asks."""
    pieces = (piece.split("\n", 1) for piece in printed.removeprefix("--- ").split("\n--- "))
    return {name: rest.rpartition("\n(")[0] + "\n" for name, rest in pieces if rest.startswith("[system]")}


@both
def test_a_joint_run_sends_what_its_dry_run_shows(tmp_path: Path, record: Mapping[str, str]) -> None:
    records = write_lines(tmp_path / "r.jsonl", [record])
    printed = split_prompts(run("judge", records, "--rubric", "article-audit", "--joint", "--dry-run").out)
    assert set(printed) == {"key_points", "all"}
    assert "‹each key point from the reply to key_points›" in printed["all"]
    bank, together, *_ = judge(records, "--joint")
    assert printed["key_points"] == show(bank)
    sent, shown = (text.partition("(`coverage`)")[0] for text in (show(together), printed["all"]))
    assert sent == shown


def test_a_joint_run_cuts_no_german_date_in_two(tmp_path: Path) -> None:
    text = show(judge(write_lines(tmp_path / "r.jsonl", [GERMAN]), "--joint")[1])
    assert "[S1.1] Die Brücke wurde am 3. Mai eröffnet.\n" in text
    assert "[O.2] Viele Bürger kamen zur Feier.\n" in text


@both
def test_a_run_sends_what_its_dry_run_shows_but_for_what_a_bank_brings(
    tmp_path: Path, record: Mapping[str, str]
) -> None:
    records = write_lines(tmp_path / "r.jsonl", [record])
    printed = split_prompts(run("judge", records, "--rubric", "article-audit", "--separate", "--dry-run").out)
    assert set(printed) == {"key_points", "coverage", "alignment", "hallucination", "relevance", "bias_toxicity"}
    sent = {show(received) for received in judge(records, "--separate")}
    assert [name for name, prompt in printed.items() if prompt not in sent] == ["coverage"]
    assert "‹each key point from the reply to key_points›" in printed["coverage"]


# Forecasts: the same in words and numbers before a dry run and before a run, and what is sent then.

PRICES = '["openai:m"]\nprompt = 2\nreply = 8\n["openai:n"]\nprompt = 1\nreply = 1\n'
ASKED = re.compile(r"(\S+): ([\d,]+) calls? \(up to ([\d,]+) with retries for invalid replies\), about .* tokens, .*\.")


def question(identifier: str, query: str, answer: str, **fields: object) -> dict:
    sources = [{"content": "The fare is 3 euros. Bicycles cost 2 euros more.", "title": "Fares"}]
    return {"id": identifier, "question": query, "sources": sources, "answer": answer, **fields}


QUESTIONS = [
    question("1", "What is the fare?", "The fare is 3 euros."),
    question("2", "What is the fare?", "It is 4 euros.", system="b"),
    question("3", "What does a bicycle cost?", "2 euros more."),
    question("4", "What is the fare?", "The fare is 3 euros.", system="a copy"),
    question("5", "What is the fare?", "  "),
]
SUMMARIES = [
    GERMAN,
    ENGLISH,
    {**ENGLISH, "id": "again", "system": "b"},
    {**ENGLISH, "id": "other", "summary": "It opened in May.", "system": "c"},
]
WORK = {
    "bank for each query": ("grounded-answer", QUESTIONS),
    "bank that two share": ("article-audit", SUMMARIES),
}


def forecast(ended: Ended) -> list[str]:
    """The sentences about models, from wherever they are printed."""
    return [line.partition(" In batches:")[0] for line in (ended.out + ended.err).splitlines() if ASKED.match(line)]


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--separate",),
        ("--samples", "2"),
        ("--no-cache",),
        ("--limit", "2"),
        ("--judge", "openai:n"),
    ],
    ids=lambda flags: " ".join(flags) or "plain",
)
def test_a_run_names_the_calls_and_the_cost_of_its_dry_run_and_sends_as_many(
    tmp_path: Path, work: str, flags: tuple[str, ...]
) -> None:
    rubric, values = WORK[work]
    records = write_lines(tmp_path / "r.jsonl", values)
    (tmp_path / "prices.toml").write_text(PRICES)
    with run_in_thread(ScriptedServer(answer_fairly)) as server:
        judge = ("judge", records, "--rubric", rubric, "--judge", "openai:m", "--base-url", server.base_url, *flags)
        judge = (*judge, "--prices", tmp_path / "prices.toml", "--workers", "1")
        before = forecast(run(*judge, "--dry-run", environment=KEY))
        assert server.calls == 0
        ended = run(*judge, environment=KEY)
        assert forecast(ended) == before
        assert sum(int(ASKED.match(line)[2]) for line in before) == server.calls
        assert len(before) == (2 if "openai:n" in flags else 1)


def test_a_resumed_run_names_the_calls_that_are_left(tmp_path: Path) -> None:
    records = write_lines(tmp_path / "r.jsonl", SUMMARIES)
    with run_in_thread(ScriptedServer(answer_fairly)) as server:
        judge = ask_server(server, records, rubric="article-audit")
        stopped = run(*judge, "--workers", "1", "--budget-tokens", "21000", environment=KEY)
        assert stopped.code == 3
        sent = server.calls
        resumed = run(*judge, "--resume", "last", environment=KEY)
    assert resumed.code == 0
    [said] = forecast(resumed)
    assert 0 < int(ASKED.match(said)[2]) == server.calls - sent


def test_the_tokens_and_dollars_of_prompts_are_forecast_as_they_are_counted_when_sent() -> None:
    rubric = open_rubric("trial-eligibility")
    with as_file(list_packs()[rubric.id].folder / "examples.jsonl") as examples:
        records = open_records(examples, rubric)
        with run_in_thread(ScriptedServer(answer_fairly)) as server:
            request = RunConfig(judges=("openai:m",), base_url=server.base_url)
            counted = count_calls(records, rubric, request)
            judge = ("judge", examples, "--rubric", rubric.id, "--judge", "openai:m", "--base-url", server.base_url)
            run(*judge, environment=KEY)
            # One grade is far from what code measured, and asked for again.
            first = [asked for asked in server.asked if "Your last reply" not in asked.prompt]
    sent = [[Message(each["role"], each["content"]) for each in asked.body["messages"]] for asked in first]
    tokens = sum(map(estimate_prompt, sent))
    price = Price(prompt=3_000_000, reply=0)
    assert len(sent) == counted.models["openai:m"].metrics.calls > 5
    assert counted.models["openai:m"].metrics.prompt == tokens
    assert counted.forecast("openai:m", price).low.picodollars == 3_000_000 * tokens


def test_many_records_are_counted_by_the_first_of_them_and_banks_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.api.forecast._PLANNED", 10)
    rubric = open_rubric("article-audit")
    values = [{"id": str(at), "article": f"Text {at // 2}.", "summary": f"It says {at}."} for at in range(40)]
    counted = count_calls(records_from(values, rubric), rubric, RunConfig(judges=("openai:m",)))
    forecast = counted.forecast("openai:m", None)
    assert forecast.low.calls == 40 + 20
    assert forecast.render().startswith("openai:m: about 60 calls (up to 180 with retries for invalid replies), about ")
