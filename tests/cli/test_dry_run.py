"""What a dry run shows is, to the letter, what a run sends."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from shell import run, write_lines

from equipment.chat_server.exchange import Asked
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread

KEY = {"OPENAI_API_KEY": "sk-test"}
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
        asked = ("judge", records, "--rubric", "article-audit", "--judge", "openai:m", "--base-url", server.base_url)
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
