"""`--explain RECORD`, while judging and afterwards."""

import json
import re
from pathlib import Path

import pytest
from shell import opinion, run, write_lines

from assay.packs import list_packs
from assay.report.display import SCREENING


def judge(*more: object, name: str = "search-summary"):
    folder = Path(str(list_packs()[name].folder))
    replies = folder / "replies.jsonl"
    return run("judge", folder / "examples.jsonl", "--rubric", name, "--judge", f"recorded:{replies}", "--quiet", *more)


def test_the_explanation_follows_the_table():
    ended = judge("--explain", "wrong-dose")
    table, _, explanation = ended.out.partition("\nwrong-dose (b)\n")
    assert ended.code == 0
    assert "beside-the-question" in table
    assert "c1  contradicted\n" in explanation
    assert "beside-the-question" not in explanation


def test_the_reference_shows_what_is_really_printed():
    reference = (Path(__file__).parents[2] / "docs" / "running.md").read_text(encoding="utf-8")
    shown = reference.partition("## One record, explained")[2].split("```")[1].partition("\n")[2].strip("\n")
    said = judge("--explain", "wrong-dose").out
    for piece in shown.removesuffix("…").split("\n…\n"):
        assert piece.strip("\n") in said


def test_several_records_may_be_explained():
    ended = judge("--explain", "wrong-dose", "--explain", "all-good")
    assert ended.out.index("\nall-good (a)\n") < ended.out.index("\nwrong-dose (b)\n")


def test_lines_for_programs_stay_free_of_it():
    ended = judge("--explain", "wrong-dose", "--format", "jsonl")
    assert [json.loads(line)["record"] for line in ended.out.splitlines()][:2] == ["all-good", "wrong-dose"]
    assert "c1  contradicted\n" in ended.err
    assert "c1  contradicted" in judge("--explain", "wrong-dose", "--format", "jsonl", "--out", "results.jsonl").out


def test_a_stored_run_explains_the_same():
    said = judge("--explain", "wrong-dose").out
    kept = run("runs", "show", "last", "--explain", "wrong-dose")
    assert kept.code == 0
    assert kept.out.strip()
    assert said.endswith(kept.out)


def test_the_embedded_judge_is_explained_too():
    records = write_lines(
        Path("records.jsonl"), [{"id": "a", "article": "Ore was found in May.", "summary": "Ore was found in May."}]
    )
    ended = run("judge", records, "--rubric", "article-audit", "--explain", "a")
    assert (
        "Hallucination: no problem found in 1 of 1 claims\n  score 10\n  scale 0–10, best 10; rule: unsupported fraction\n"
        in ended.out
    )
    assert re.search(r"  c1  supported.*\n      “Ore was found in May.”\n      S1.1: “Ore was found in May", ended.out)
    assert " ".join(ended.out.split()).count(SCREENING) == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wrong-doze", "has no record 'wrong-doze'. Did you mean 'wrong-dose'"),
        ("§§", "has no record '§§'. Its records are 'all-good', 'wrong-dose', "),
    ],
)
def test_a_record_that_is_not_there_is_refused_before_anything_is_judged(name, words):
    ended = judge("--explain", name)
    assert ended.code == 2
    assert ended.out == ""
    assert words in ended.err
    assert not Path(".assay/assay.db").exists()


def test_a_record_beyond_the_limit_is_not_there():
    assert "has no record 'wrong-dose'" in judge("--limit", "1", "--explain", "wrong-dose").err


def test_a_run_that_lacks_the_record_says_which_come_near():
    judge()
    ended = run("runs", "show", "last", "--explain", "wrong-doze")
    assert ended.code == 2
    assert "has no record 'wrong-doze'. Did you mean 'wrong-dose'" in ended.err


def test_a_pipe_gets_no_colour_and_no_long_line():
    records = write_lines(Path("records.jsonl"), [opinion("only one")])
    ended = run("judge", records, "--rubric", "opinion-relevance", "--explain", "only one", "--quiet")
    assert ended.code == 0
    explanation = ended.out.partition("\nonly one\n")[2]
    assert explanation
    assert "\x1b" not in ended.out
    assert all(len(line) <= 80 for line in explanation.splitlines())
