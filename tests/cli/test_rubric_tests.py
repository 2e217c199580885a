"""`assay rubric test`: worked examples of a rubric through a judge."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import KEY, Ended, run, write_lines

from equipment.chat_server.exchange import Asked, HttpReply, build_complaint, list_units
from equipment.chat_server.server import ScriptedServer, run_in_thread
from equipment.reply_rubric import RUBRIC

MANUAL = "Hold the red button for ten seconds. Unplug the mains first."
SECRET = "only the expert says marmalade"
RIGHT = {
    "id": "right",
    "manual": MANUAL,
    "reply": "Hold the red button for ten seconds. Then call us.",
    "expected": {
        "faithfulness": {"score": 50, "labels": ["supported", "absent"], "reason": SECRET},
        "tone": {"score": [4, 5], "reason": "It is friendly."},
    },
}
WRONG = {
    "id": "wrong",
    "manual": MANUAL,
    "reply": "Hold the green button.",
    "boundary": "between partial and absent: a marmalade of both",
    "expected": {"faithfulness": {"labels": ["partial"], "reason": "The button is red."}},
}
DOWN = {**RIGHT, "id": "down", "reply": "Call us now."} | {"expected": {"tone": {"score": 3, "reason": "It is curt."}}}
BLANK = {**RIGHT, "id": "blank", "reply": " "} | {"expected": {"tone": {"score": None, "reason": "There is no reply."}}}


def answer(asked: Asked) -> str | HttpReply:
    if "Call us now" in asked.prompt:
        return build_complaint(asked, 400, "no", "content_filter")
    labels = {"c1": "supported", "c2": "absent"}
    claims = [
        {"unit": each, "label": labels[each], "note": "as it stands"} for each in list_units(asked.prompt, "claims")
    ]
    return json.dumps({"faithfulness": {"claims": claims}, "tone": {"reason": "warm", "grade": 4}})


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with run_in_thread(ScriptedServer(answer)) as started:
        yield started


def check(server: ScriptedServer | None, *more: object, examples: object = (RIGHT, WRONG, DOWN, BLANK)) -> Ended:
    Path("reply.md").write_text(RUBRIC)
    write_lines(Path("reply.tests.jsonl"), examples)
    address = server.base_url if server is not None else "http://127.0.0.1:1/v1"
    return run("rubric", "test", "reply.md", "--judge", f"openai:m@{address}", "--quiet", *more, environment=KEY)


def test_scores_and_labels_are_counted_by_metric_and_failures_apart(server: ScriptedServer) -> None:
    ended = check(server, "--json")
    found = json.loads(ended.out)
    assert ended.code == 0
    assert found["metrics"] == {
        "faithfulness": {"scores_right": 1, "scores": 1, "labels_right": 2, "labels": 3, "failed": 0},
        "tone": {"scores_right": 2, "scores": 3, "labels_right": 0, "labels": 0, "failed": 1},
    }
    assert (found["right"], found["asked"]) == (5, 7)
    assert [(each["record"][0], each["agreement"]) for each in found["disagreements"]] == [("wrong", 0), ("down", None)]


def test_a_disagreement_shows_the_text_both_answers_and_both_reasons(server: ScriptedServer) -> None:
    said = " ".join(check(server).out.split())
    assert "wrong, c1, faithfulness: expert partial, judge supported" in said
    assert "“Hold the green button.” expert: The button is red. (boundary: between partial and absent" in said
    assert "judge: as it stands" in said


def test_the_judge_is_told_nothing_of_what_the_expert_says(server: ScriptedServer) -> None:
    check(server)
    assert server.calls == 3
    assert [each for each in server.asked if "marmalade" in each.prompt or "boundary" in each.prompt] == []


@pytest.mark.parametrize(("share", "code"), [(0.7, 0), (0.72, 1)])
def test_a_share_that_is_not_reached_is_exit_1_and_a_failure_counts_as_not_right(
    server: ScriptedServer, share: float, code: int
) -> None:
    ended = check(server, "--min-right", share)
    assert (ended.code, "5 of 7 right" in ended.err) == (code, True)


def change(**fields: object) -> dict:
    return {**RIGHT, **fields}


@pytest.mark.parametrize(
    ("example", "said"),
    [
        (change(expected={}), "an example needs an `id` and `expected`"),
        (change(expected={"tune": {"score": 3, "reason": "r"}}), "Did you mean 'tone'?"),
        (change(expected={"tone": {"score": 6, "reason": "r"}}), "Write a number from 1 to 5"),
        (change(expected={"tone": {"score": [4, 3], "reason": "r"}}), "Write a number from 1 to 5"),
        (change(expected={"tone": {"score": 3}}), "tone needs a score or labels, and a reason"),
        (change(expected={"tone": {"labels": ["good"], "reason": "r"}}), "tone labels nothing. Leave the labels out"),
        (
            change(expected={"faithfulness": {"labels": ["absent"], "reason": "r"}}),
            "has 1 labels, but the output has 2 claims",
        ),
        (change(expected={"faithfulness": {"labels": ["absent", "abs"], "reason": "r"}}), "'abs' is not a label"),
        (change(replie="x"), "Did you mean 'reply'?"),
        (change(manual=None), "manual is null"),
        (RIGHT, "the id 'right' is used twice"),
    ],
)
def test_a_bad_example_is_named_by_its_line_before_anything_is_sent(example: dict, said: str) -> None:
    ended = check(None, examples=(RIGHT, example))
    assert ended.code == 2
    assert "reply.tests.jsonl:2: " in ended.err
    assert said in ended.err


def test_a_rubric_without_worked_examples_is_told_where_to_write_them() -> None:
    Path("reply.md").write_text(RUBRIC)
    ended = run("rubric", "test", "reply.md")
    assert ended.code == 2
    assert "reply.md has no worked examples yet. Write some to reply.tests.jsonl" in ended.err


def test_a_file_that_is_named_and_not_there_is_named_in_the_error() -> None:
    Path("reply.md").write_text(RUBRIC)
    ended = run("rubric", "test", "reply.md", "--tests", "mine.jsonl")
    assert (ended.code, "mine.jsonl: the file can't be read" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("reply", "Did you mean the file 'reply.md'?"),
        ("missing.md", "Check the path of the file."),
        ("suport-reply", "Did you mean 'support-reply'?"),
        ("xyz", "See `assay rubric list`. Or give the path of a rubric file."),
    ],
)
def test_a_rubric_that_is_not_there_is_answered_by_what_was_probably_meant(name: str, said: str) -> None:
    Path("reply.md").write_text(RUBRIC)
    ended = run("rubric", "test", name)
    assert (ended.code, said in ended.err) == (2, True)


def test_a_metric_that_the_judge_does_not_answer_is_named_with_the_reason_and_nothing_in_it_is_right() -> None:
    heading = "### Label each claim\n"
    Path("reply.md").write_text(RUBRIC.replace(heading, f"{heading}\n- evidence: source\n"))
    write_lines(Path("reply.tests.jsonl"), (RIGHT, BLANK))
    command = ("rubric", "test", "reply.md", "--judge", "embedded", "--quiet")
    said, found = run(*command).out, json.loads(run(*command, "--json").out)
    assert "Not judged, so not right: tone: the built-in judge gives no opinions" in " ".join(said.split())
    assert "right, tone: expert" not in said
    assert list(found["not_judged"]) == ["tone"]
    assert found["metrics"]["tone"]["scores_right"] == 0
    assert [each["metric"] for each in found["disagreements"] if each["metric"] == "tone"] == []
    assert run(*command, "--min-right", 0.7).code == 1


def test_a_yes_no_score_is_written_and_shown_as_a_word() -> None:
    levels = "| level | meaning |\n|---|---|\n"
    yes_no = RUBRIC.replace("- scale: 1 to 5, high is best", "- scale: no to yes, yes is best")
    text = yes_no.partition(levels)[0] + f"{levels}| yes | It is. |\n| no | It is not. |\n"

    def answer_no(asked: Asked) -> str:
        claims = [{"unit": each, "label": "absent"} for each in list_units(asked.prompt, "claims")]
        return json.dumps({"faithfulness": {"claims": claims}, "tone": {"reason": "curt", "grade": "no"}})

    Path("reply.md").write_text(text)
    tone = {"tone": {"score": "yes", "reason": "It is friendly."}}
    write_lines(Path("reply.tests.jsonl"), ({**RIGHT, "expected": tone},))
    with run_in_thread(ScriptedServer(answer_no)) as server:
        ended = run("rubric", "test", "reply.md", "--judge", f"openai:m@{server.base_url}", environment=KEY)
    assert "right, tone: expert yes, judge no" in ended.out
    write_lines(Path("reply.tests.jsonl"), ({**RIGHT, "expected": {"tone": {"score": "maybe", "reason": "?"}}},))
    assert "Write yes, no, or null if it must not be scored." in run("rubric", "test", "reply.md").err
