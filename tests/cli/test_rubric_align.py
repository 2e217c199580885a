"""`assay rubric align`: a planted misreading is found first, the edit that mends it is accepted, others are refused.

The judge is a scripted server that reacts to the wording of the rubric. People call a claim that leaves out a condition
`partial`; the judge calls it supported, unless the rubric says otherwise.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from shell import KEY, Ended, run, write_lines

from assay.agreement.alignment import is_hidden
from equipment.chat_server.exchange import Asked, HttpReply, build_complaint, list_units
from equipment.chat_server.server import ScriptedServer, run_in_thread
from equipment.reply_rubric import RUBRIC

CONDITION = "A claim that leaves out a condition of the manual is partial."
RUDE = "Grade every reply that names a lamp with 1."
LUCKY = "A claim about a kettle is absent."
IDLE = "Read the manual with care."
FAULTS = {CONDITION: "condition", RUDE: "rude", LUCKY: "lucky", IDLE: "idle"}
COUNT = 56


def find_items() -> list[str]:
    return [f"i{number}" for number in range(COUNT)]


def describe(number: int, item: str) -> tuple[str, str, int]:
    """A reply, the label and the grade that people give it. Every other one leaves out a condition.

    Kettles stand in the tuning half alone: what is said of them can't help the hidden half.
    """
    if number % 2 == 0:
        return f"You may reset device {number}.", "partial", 4
    if number % 4 == 1 and not is_hidden(item):
        return f"The kettle {number} is blue.", "absent", 4
    return f"The lamp {number} is bright.", "supported", 5


def answer(asked: Asked) -> str:
    if "improve the rubric" in asked.prompt:
        return json.dumps({"edits": [{"metric": "faithfulness", "clarification": CONDITION}]})
    said = re.search(r"^\[O\.1\] (.*)$", asked.prompt, re.MULTILINE)[1]
    label = "supported"
    if "reset" in said and (CONDITION in asked.prompt or "“You may reset device" in asked.prompt):
        label = "partial"
    if "kettle" in said and LUCKY in asked.prompt:
        label = "absent"
    grade = 1 if "lamp" in said and RUDE in asked.prompt else 5
    claims = [
        {"unit": unit, "label": label, "note": "the manual speaks of it"} for unit in list_units(asked.prompt, "claims")
    ]
    return json.dumps({"faithfulness": {"claims": claims}, "tone": {"reason": "friendly", "grade": grade}})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("reply.md").write_text(RUBRIC)
    write_study()
    return tmp_path


def write_study(count: int = COUNT) -> None:
    items = find_items()[:count]
    rows = [(item, *describe(number, item)) for number, item in enumerate(items)]
    write_lines(
        Path("records.jsonl"),
        [
            {"id": item, "item": item, "manual": "Reset the device if it is off.", "reply": text}
            for item, text, _, _ in rows
        ],
    )
    labels = [
        {"record": item, "metric": "faithfulness", "unit": "c1", "label": label, "note": f"because {label}"}
        for item, _, label, _ in rows
    ]
    labels += [{"record": item, "metric": "tone", "score": grade} for item, _, _, grade in rows]
    write_lines(Path("labels.jsonl"), labels)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with run_in_thread(ScriptedServer(answer)) as started:
        yield started


def call_align(
    server: ScriptedServer, *more: object, records: tuple[object, ...] = ("--records", "records.jsonl")
) -> Ended:
    judge = ("--judge", f"openai:m@{server.base_url}", "--quiet")
    return run("rubric", "align", "reply.md", "--labels", "labels.jsonl", *records, *judge, *more, environment=KEY)


@pytest.fixture
def align(server: ScriptedServer) -> Callable[..., Ended]:
    return partial(call_align, server)


def edit(*texts: str) -> tuple[str, str]:
    metrics = {RUDE: "tone"}
    write_lines(
        Path("edits.jsonl"), [{"metric": metrics.get(each, "faithfulness"), "clarification": each} for each in texts]
    )
    return "--edit", "edits.jsonl"


def read_look() -> dict:
    return json.loads(Path("reply.calibration.json").read_text())["looks"][-1]


def test_the_misread_criterion_comes_first_with_both_reasons_and_nothing_of_the_hidden_half(align) -> None:
    ended = align("--json")
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert next((each["metric"], each["expected"]) for each in found["criteria"]) == ("faithfulness", "partial")
    pair = found["criteria"][0]["pairs"][0]
    assert (pair["given"], pair["expected_reason"]) == ("supported", "because partial")
    assert pair["given_reason"] == "the manual speaks of it"
    hidden = [item for item in find_items() if is_hidden(item)]
    assert len(hidden) > 20
    assert [name for name in hidden if f'"{name}"' in ended.out] == []


def test_the_edit_that_mends_it_is_accepted_and_written_with_its_record(align) -> None:
    ended = align(*edit(CONDITION))
    assert ended.code == 0, ended.err
    assert "Accepted: agreement rose on the hidden half." in ended.out
    new = Path("reply-4.md").read_text()
    assert new == RUBRIC.replace("version: 3", "version: 4").replace("say so?\n", f"say so?\n\n{CONDITION}\n")
    look = read_look()
    [change] = [each for each in look["hidden"] if each["metrics"] == ["faithfulness"]]
    assert change["difference"]["interval"][0] > 0
    assert change["before"]["value"] < change["after"]["value"] == 1
    assert (look["look"], look["again"], look["accepted"]["version"]) == (1, False, "4")
    assert look["labels"]["hidden"]["source_groups"] == len([item for item in find_items() if is_hidden(item)])


@pytest.mark.parametrize("text", [IDLE, RUDE, LUCKY], ids=FAULTS.get)
def test_an_edit_that_mends_nothing_is_refused(align, text: str) -> None:
    ended = align(*edit(text))
    assert ended.code == 1
    assert "Refused: " in ended.out
    assert not Path("reply-4.md").exists()
    is_lucky = text == LUCKY
    assert (
        "Refused: the interval of the change on the hidden half does not exclude 0." in " ".join(ended.out.split())
    ) is is_lucky
    if is_lucky:
        look = read_look()
        assert look["tuning"][0]["difference"]["interval"][0] > 0, "it is better on the tuning half"
        assert look["hidden"][0]["difference"]["mean"] == 0


def test_of_three_edits_those_that_help_on_the_tuning_half_are_tested_together(align) -> None:
    """The rude one is left out, so it can't spoil the set; the hidden half is looked at once."""
    ended = align(*edit(RUDE, CONDITION, LUCKY))
    assert ended.code == 0, ended.err
    look = read_look()
    assert [each["clarification"] for each in look["edits"]] == [CONDITION, LUCKY]
    assert [each["name"] for each in look["tuning"]] == [
        f"tuning half, {name}" for name in ("edit 1", "edit 2", "edit 3", "kept edits")
    ]
    assert look["look"] == 1
    assert RUDE not in Path("reply-4.md").read_text()


def test_a_second_look_with_the_same_edits_is_refused_and_with_again_recorded(align) -> None:
    assert align(*edit(LUCKY)).code == 1
    first = Path("reply.calibration.json").read_text()
    again = align(*edit(LUCKY))
    assert (again.code, "the hidden half was used for these edits already" in again.err) == (2, True)
    assert "--again" in again.err
    assert Path("reply.calibration.json").read_text() == first
    assert align(*edit(LUCKY), "--again").code == 1
    looks = json.loads(Path("reply.calibration.json").read_text())["looks"]
    assert [(each["look"], each["again"], each["hidden"][0]["level"]) for each in looks] == [
        (1, False, 0.05),
        (2, True, 0.025),
    ]


def test_an_edit_that_raises_another_metric_s_errors_is_refused(align) -> None:
    """It mends one criterion and spoils another: agreement fell there."""
    both = f"{CONDITION} {RUDE}"
    assert align(*edit(both)).code == 1
    assert read_look()["verdict"] == "Refused: agreement fell under tone."


def test_under_forty_labels_only_disagreements_are_shown(align) -> None:
    write_study(count=19)
    ended = align(*edit(CONDITION))
    assert ended.code == 0
    assert "faithfulness: partial" in ended.out
    assert "38 labels are too few to test an edit: label 40 or more." in ended.out
    assert not Path("reply.calibration.json").exists()


def test_labels_of_one_source_are_too_few_however_many_they_are(align) -> None:
    records = [json.loads(line) for line in Path("records.jsonl").read_text().splitlines()]
    write_lines(Path("records.jsonl"), [{**each, "item": "i0"} for each in records])
    ended = align(*edit(CONDITION))
    assert ended.code == 0, ended.err
    assert "The hidden half has 0 source groups, too few for an interval: label 6 or more." in ended.out


def test_labelled_examples_are_shown_to_the_judge_and_not_counted_themselves(align) -> None:
    assert align("--examples", 2).code == 0
    look = read_look()
    assert look["tuning"][0]["answers"] == len([item for item in find_items() if not is_hidden(item)]) - 2
    new = Path("reply-4.md").read_text()
    assert "### Example\n\n> Source: “Reset the device if it is off.” Output: “You may reset device " in new
    assert "partial. because partial" in new
    assert new.count("### Example") == 2


def test_a_model_proposes_edits_and_sees_nothing_of_the_hidden_half(align, server: ScriptedServer) -> None:
    ended = align("--suggest", f"openai:big@{server.base_url}")
    assert ended.code == 0, ended.err
    assert CONDITION in Path("reply-4.md").read_text()
    [asked] = [each for each in server.asked if each.model == "big"]
    shown = re.findall(r"device (\d+)", asked.prompt)
    assert shown
    assert [number for number in shown if is_hidden(f"i{number}")] == []


def test_a_gate_takes_the_agreement_from_the_record_and_needs_the_new_rubric(align, server: ScriptedServer) -> None:
    assert align(*edit(CONDITION)).code == 0
    judge = (
        "judge",
        "records.jsonl",
        "--judge",
        f"openai:m@{server.base_url}",
        "--quiet",
        "--store",
        "other.db",
        "--rubric",
    )
    gate = ("report", "last", "--store", "other.db", "--fail-under", "faithfulness=0", "--require-agreement", 20)
    assert run(*judge, "reply-4.md", environment=KEY).code == 0
    assert run(*gate).code == 1, "another store knows nothing of it"
    ended = run(*gate, "--calibration", "reply.calibration.json")
    assert (ended.code, "Better than a constant guess" in ended.err) == (0, True)
    assert run(*judge, "reply.md", environment=KEY).code == 0
    assert run(*gate, "--calibration", "reply.calibration.json").code == 1, "the rubric before the edit"


def test_the_records_may_be_those_of_a_run(align, server: ScriptedServer) -> None:
    judged = run(
        "judge",
        "records.jsonl",
        "--rubric",
        "reply.md",
        "--judge",
        f"openai:m@{server.base_url}",
        "--quiet",
        environment=KEY,
    )
    assert judged.code == 0
    calls = server.calls
    ended = align(records=("--run", "last"))
    assert (ended.code, "faithfulness: partial" in ended.out) == (0, True)
    assert server.calls == calls, "every reply was in the store"


def test_answers_that_failed_are_left_out_and_too_many_of_them_refuse_the_edit() -> None:
    def fail(asked: Asked) -> str | HttpReply:
        if CONDITION in asked.prompt and "lamp" in asked.prompt:
            return build_complaint(asked, 400, "no", "content_filter")
        return answer(asked)

    with run_in_thread(ScriptedServer(fail)) as server:
        assert call_align(server, *edit(CONDITION)).code == 1
    assert "questions on the hidden half were answered" in read_look()["verdict"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([{"metric": "tine", "clarification": "x"}], "edits.jsonl:1: there is no metric 'tine'. Did you mean 'tone'?"),
        ([{"metric": "tone", "clarify": "x"}], "edits.jsonl:1: this is not an edit."),
        ([{"metric": "tone", "clarification": "- weight: 5"}], "edits.jsonl:1: this text "),
        ([{"metric": "tone", "clarification": "## Metric: x"}], "edits.jsonl:1: this text "),
        ([{"metric": "tone", "clarification": "x"}] * 4, "edits.jsonl: the file has 4 edits. Write one to 3."),
        ([], "edits.jsonl: the file has no edits."),
    ],
)
def test_a_bad_edit_is_named_by_its_line(align, server: ScriptedServer, lines: list[dict], said: str) -> None:
    write_lines(Path("edits.jsonl"), lines)
    ended = align("--edit", "edits.jsonl")
    assert ended.code == 2
    assert said in ended.err
    assert server.calls == 0


def test_a_damaged_record_is_no_reason_to_look_again(align) -> None:
    Path("reply.calibration.json").write_text("{}")
    ended = align(*edit(CONDITION))
    assert (ended.code, "this is not a calibration record" in ended.err.lower()) == (2, True)
