"""Whatever a user gets wrong ends in exit 2 and one sentence: the place, the fault, what to write instead."""

from pathlib import Path

import pytest
from shell import reply, run, run_apart, write_lines, write_opinions

RUBRIC = ("--rubric", "opinion-relevance")


@pytest.fixture(autouse=True)
def _files() -> None:
    write_opinions("ab")


def refuse(*arguments: object) -> str:
    """What is said about it, after checking that it is said as an input error."""
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert "Traceback" not in ended.err
    assert ended.err.startswith("assay: ")
    assert len(ended.err.splitlines()) == 1
    return ended.err


def refuse_judging(*more: object) -> str:
    return refuse("judge", "records.jsonl", *RUBRIC, "--judge", "recorded:replies.jsonl", *more)


def test_records_that_can_not_be_read_are_named_with_their_line() -> None:
    """All that can be wrong with them: tests/files."""
    with Path("records.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "c", "reviews": [}\n')
    assert refuse_judging().startswith("assay: records.jsonl:3: the JSON is broken at column")


def test_a_rubric_with_a_slip_is_named_with_file_and_line() -> None:
    text = run("rubric", "show", "opinion-relevance").out
    Path("mine.md").write_text(text.replace("- rule: graded coverage", "- rule: graded covrage"))
    assert refuse("judge", "records.jsonl", "--rubric", "mine.md").startswith("assay: mine.md:")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--rubric", "opinion-relevence"), ["opinion-relevence", "opinion-relevance"]),
        ((*RUBRIC, "--judge", "gpt-4o"), ["openai:gpt-4o"]),
        ((*RUBRIC, "--judge", "openai:"), ["openai:MODEL"]),
        ((*RUBRIC, "--judge", "recorded:nowhere/replies.jsonl"), ["JSON lines"]),
        ((*RUBRIC, "--judge", "openai:m"), ["OPENAI_API_KEY is not set", "Set OPENAI_API_KEY"]),
        (
            (*RUBRIC, "--base-url", "http://localhost:1/v1"),
            ["assay: the built-in judge has no address. Name the model at that address: openai:MODEL.\n"],
        ),
        ((*RUBRIC, "--format", "xml"), ["xml", "table", "jsonl", "reply", "assay judge --help"]),
        ((), ["--rubric"]),
        (("--rubrik", "x"), ["--rubric", "assay judge --help"]),
        ((*RUBRIC, "--map", "product_opinion_summary"), ["--map field=column"]),
        ((*RUBRIC, "--samples", "3"), ["leave out --samples"]),
        ((*RUBRIC, "--requests-per-minute", "0"), ["--requests-per-minute"]),
        ((*RUBRIC, "--tokens-per-minute", "0"), ["--tokens-per-minute"]),
        ((*RUBRIC, "--record-timeout", "0"), ["--record-timeout"]),
        ((*RUBRIC, "--budget-usd", "much"), ["a budget of much dollars allows no call. Write --budget-usd as"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_slip_on_the_command_line_is_answered_with_what_to_write(arguments: tuple[str], said: list[str]) -> None:
    found = refuse("judge", "records.jsonl", *arguments)
    assert all(words in found for words in said)


def test_an_unknown_command_is_answered_with_the_nearest() -> None:
    assert "judge" in refuse("juge")


@pytest.mark.parametrize("form", ["table", "jsonl"])
def test_an_output_that_cannot_be_written_is_named_before_any_call(form: str) -> None:
    said = refuse_judging("--format", form, "--out", "no such folder/out")
    assert said.startswith("assay: no such folder/out: ")
    assert "existing, writable folder" in said
    assert refuse_judging("--format", form, "--out", ".") == "assay: .: is a folder. Name a file as --out.\n"


def test_several_replies_need_a_folder() -> None:
    assert "Name a folder as --out" in refuse_judging("--format", "reply")
    Path("taken").write_text("kept")
    assert "can't go to one file" in refuse_judging("--format", "reply", "--out", "taken")
    assert "can't be written" in refuse_judging("--format", "reply", "--out", "taken/below")
    assert Path("taken").read_text() == "kept"


def test_a_run_that_never_starts_keeps_the_results_of_the_last() -> None:
    Path("out.jsonl").write_text("yesterday\n")
    refuse("judge", "records.jsonl", *RUBRIC, "--judge", "recorded:none", "--format", "jsonl", "--out", "out.jsonl")
    assert Path("out.jsonl").read_text() == "yesterday\n"


def test_a_broken_bank_is_named_before_any_call_and_before_the_results_are_touched() -> None:
    Path("bank.jsonl").write_text("no json\n")
    assert "bank.jsonl:1: " in refuse_judging("--bank", "bank.jsonl", "--out", "out.jsonl")
    assert not Path("out.jsonl").exists()


def test_a_broken_recording_is_named_with_its_line() -> None:
    write_lines(Path("replies.jsonl"), [reply("a"), {"record": "b", "ask": "x"}])
    assert "replies.jsonl:2: the line has no `text`" in refuse_judging()


def test_a_bad_input_in_a_process_of_its_own_says_so_on_standard_error_and_exits_2() -> None:
    Path("empty.jsonl").touch()
    ended = run_apart("judge", "empty.jsonl", *RUBRIC)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "assay: empty.jsonl: the file is empty. Write one record per line.\n"


def test_labels_with_semicolons_are_named_with_what_to_do() -> None:
    assert run("judge", "records.jsonl", *RUBRIC, "--judge", "recorded:replies.jsonl", "--quiet").code == 0
    Path("labels.csv").write_text("record;metric;person;label\na;relevance;Ada;4\n", encoding="utf-8")
    for command in (("agree", "last", "--labels", "labels.csv"), ("labels", "import", "labels.csv", "--run", "last")):
        assert "labels.csv:1: the columns are not separated by commas. Save it" in refuse(*command)
