"""`assay mcp`, asked by the SDK's own client over the streams of a real process."""

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from shell import COMMAND, run

from assay.engine.budget import Budget, Charge
from assay.engine.costs import PICODOLLARS
from assay.errors import InputError
from assay.mcp import Session
from assay.packs.default import DEFAULT
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread

FARES = "A bicycle costs 22 kroner extra. It must be booked by noon of the day before."
WRONG = "A bicycle costs 32 kroner extra."
QUERY = "What does a bicycle cost?"
TEXT = {"output": WRONG, "sources": [FARES], "query": QUERY}
KEY = "sk-planted-0123456789abcdef"

with_sdk = pytest.mark.skipif(find_spec("mcp") is None, reason="the extra `mcp` is not installed")
without_sdk = pytest.mark.skipif(find_spec("mcp") is not None, reason="the extra `mcp` is installed")


def call(*flags: object, calls: list[tuple[str, dict]], environment: Mapping[str, str] | None = None) -> list[Any]:
    """Each call's answer: its data, or the text of its error."""
    from mcp import Client, StdioServerParameters, stdio_client

    async def talk() -> list[Any]:
        given = {"PYTHONPATH": os.environ.get("PYTHONPATH", ""), **(environment or {})}
        words = [*COMMAND[1:], "mcp", *map(str, flags)]
        server = StdioServerParameters(command=sys.executable, args=words, env=given)
        answers = []
        with Path(os.devnull).open("w", encoding="utf-8") as unread:
            async with Client(stdio_client(server, unread)) as client:
                for tool, arguments in calls:
                    answer = await client.call_tool(tool, arguments)
                    answers.append(answer.content[0].text if answer.is_error else answer.structured_content)
        return answers

    return asyncio.run(talk())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("open", "closed"):
        Path(name).mkdir()
        (tmp_path / name / "fares.txt").write_text(FARES, encoding="utf-8")
    (tmp_path / "open" / "link.txt").symlink_to(tmp_path / "closed" / "fares.txt")
    return tmp_path


@with_sdk
def test_an_agent_gets_scores_quotes_and_what_was_not_checked() -> None:
    text = f"{WRONG} It must be booked by noon of the day before."
    [found] = call(calls=[("judge_text", {**TEXT, "output": text})])
    claims = [each for metric in found["metrics"].values() for each in metric["findings"]]
    assert WRONG in {each["text"] for each in claims}
    assert any("booked by noon" in quote["quote"] for each in claims for quote in each["evidence"])
    unscored = {name for name, metric in found["metrics"].items() if metric["score"] is None}
    assert unscored
    assert unscored == {each["metric"] for each in found["not_checked"] if "text" not in each}
    assert found["session_spent"]["tokens"] == 0


@with_sdk
def test_a_file_is_read_only_in_a_folder_that_the_user_allows(folder: Path) -> None:
    paths = [
        str(folder / "open" / "fares.txt"),
        str(folder / "closed" / "fares.txt"),
        str(folder / "open" / ".." / "closed" / "fares.txt"),
        str(folder / "open" / "link.txt"),
        str(folder / "opened.txt"),
        str(folder / "open" / "gone.txt"),
        "a\0b",
    ]
    calls = [("judge_text", {"output": WRONG, "source_files": [path], "query": QUERY}) for path in paths]
    allowed, *refused, gone, null = call("--allow", folder / "open", calls=calls)
    assert allowed["metrics"]
    for answer in (*refused, null):
        assert "this server may not read files in that folder" in answer
    assert "there is no such file" in gone


@with_sdk
def test_without_a_folder_no_file_is_read_as_a_source_or_as_a_rubric(folder: Path) -> None:
    run("rubric", "new", "own-rubric")
    own = str(folder / "own-rubric.md")
    calls = [
        ("judge_text", {"output": WRONG, "source_files": [str(folder / "open" / "fares.txt")], "query": QUERY}),
        ("judge_text", {**TEXT, "rubric": own}),
    ]
    assert all("may not read files in" in answer for answer in call(calls=calls))
    [refused, judged] = call("--allow", folder, calls=[calls[1], ("judge_text", {**TEXT, "query": "", "rubric": own})])
    assert "own-rubric has no input for a query" in refused
    assert judged["rubric"]["id"] == "own-rubric"


@with_sdk
def test_bad_arguments_are_refused_with_what_to_write_instead() -> None:
    refused = [
        ({**TEXT, "rubric": "grounded-anser"}, f"Did you mean '{DEFAULT}'?"),
        ({**TEXT, "rubric": "/etc/passwd"}, "there is no rubric '/etc/passwd'"),
        ({**TEXT, "judge": "openai:gpt@http://127.0.0.1:9/v1"}, "is not allowed here. Known are: embedded"),
        ({**TEXT, "judge": "recorded:/etc/passwd"}, "is not allowed here"),
        ({"output": WRONG, "sources": [FARES], "rubric": "search-summary"}, "needs a query"),
        ({"output": WRONG, "query": QUERY}, "sources"),
        ({"sources": [FARES]}, "output"),
        ({**TEXT, "sources": [3]}, "sources"),
        ({**TEXT, "source": FARES}, "judge_text has no argument 'source'. Did you mean 'sources'?"),
    ]
    answers = call(calls=[("judge_text", arguments) for arguments, _ in refused])
    for answer, (_, said) in zip(answers, refused, strict=True):
        assert isinstance(answer, str)
        assert said in answer


@with_sdk
def test_a_text_that_looks_like_json_is_judged_as_it_stands() -> None:
    [found] = call(calls=[("judge_text", {**TEXT, "output": '{"fare": "32 kroner"}', "query": '["fares"]'})])
    assert '{"fare": "32 kroner"}' in json.dumps(found).replace('\\"', '"')


@with_sdk
def test_the_budget_holds_for_the_whole_session_and_no_key_is_shown() -> None:
    with run_in_thread(ScriptedServer(answer_by_schema())) as server:
        judge = f"openai:scripted@{server.base_url}"
        ask = ("judge_text", {**TEXT, "judge": "openai:scripted"})
        once = call("--judge", judge, calls=[ask], environment={"OPENAI_API_KEY": KEY})[0]["session_spent"]["tokens"]
        sent = server.calls
        # Room for about two calls at their dearest: what one session may spend, whatever is asked for.
        answers = call(
            "--judge", judge, "--judge", "embedded", "--budget-tokens", 20_000,
            calls=[*[ask] * 6, ("judge_text", {**TEXT, "judge": "embedded"}), ("list_rubrics", {})],
            environment={"OPENAI_API_KEY": KEY},
        )  # fmt: skip
    *asked, embedded, listed = answers
    spent = [each["session_spent"]["tokens"] for each in asked if isinstance(each, dict)]
    assert once > 0
    assert spent == sorted(spent)
    assert once <= spent[-1] <= 20_000
    assert server.calls - sent < 6 * sent
    assert "over_budget" in json.dumps(asked[-1])
    assert embedded["metrics"]
    assert listed["judges"] == ["openai:scripted", "embedded"]
    assert KEY not in json.dumps(answers)
    assert server.base_url not in json.dumps(answers)


@with_sdk
def test_a_record_of_a_stored_run_is_explained_only_from_a_store_that_the_user_names(folder: Path) -> None:
    Path("answer.txt").write_text(WRONG, encoding="utf-8")
    run("judge", "--source", "open/fares.txt", "--output", "answer.txt", "--query", QUERY, "--store", "runs.db")
    explain = ("explain_record", {"record": "answer.txt"})
    [closed] = call(calls=[explain])
    assert "this server was started without a store" in closed
    found, wrong = call("--store", folder / "runs.db", calls=[explain, ("explain_record", {"record": "answr.txt"})])
    assert [each["record"] for each in found["results"]] == ["answer.txt"]
    assert found["results"][0]["not_checked"]
    assert "Did you mean 'answer.txt'?" in wrong


@with_sdk
def test_two_judges_of_one_name_are_refused_before_the_server_starts() -> None:
    ended = run("mcp", "--judge", "openai:m@http://127.0.0.1:1/v1", "--judge", "openai:m@http://127.0.0.1:2/v1")
    assert (ended.code, ended.out) == (2, "")
    assert "two --judge options have the same name" in ended.err


def test_a_budget_that_is_spent_buys_nothing_but_the_embedded_judge_goes_on() -> None:
    session = Session([], {"openai:m": "openai:m@http://127.0.0.1:9/v1", "embedded": "embedded"}, Budget("2.50"))
    session.budget.spent = Charge(10, 5 * PICODOLLARS // 2)
    with pytest.raises(InputError, match="the budget of this session is spent"):
        session.judge_text(**TEXT)
    assert session.judge_text(**TEXT, judge="embedded")["session_spent"] == {"tokens": 10, "cost": "$2.50"}


def test_a_circle_of_links_is_refused(folder: Path) -> None:
    circle = folder / "open" / "circle.txt"
    circle.symlink_to(circle)
    with pytest.raises(InputError, match=r"circle\.txt"):
        Session([folder], {"embedded": "embedded"}, Budget()).judge_text(WRONG, source_files=[str(circle)])


@without_sdk
def test_without_the_package_the_command_says_what_to_install() -> None:
    ended = run("mcp")
    assert ended.code == 2
    assert "pip install 'assay-judge[mcp]'" in ended.err
