"""What was not judged has not passed: one good answer and three invented ones without a score fail every gate."""

import json
from importlib.resources import as_file
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from test_action import Runner

import assay
from assay.packs import list_packs
from assay.testing import assert_judged

RUBRIC = "grounded-answer"
SOURCE = "A bicycle costs 22 kroner. It must be booked by noon."
INVENTED = "The harbour master resigned. Nobody was surprised by the news."
GATE = "Faithfulness: only 1 of 4 records scored, wanted at least 90 %"


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A judge that answers for the good record, and quotes what no source has for the three others."""
    with as_file(list_packs()[RUBRIC].folder) as folder:
        record, *_ = map(json.loads, (folder / "examples.jsonl").read_text(encoding="utf-8").splitlines())
        replies = [json.loads(line) for line in (folder / "replies.jsonl").read_text(encoding="utf-8").splitlines()]
    own = [each for each in replies if each["record"] == record["id"]]
    unit = {"evidence": [{"sentence": "S1.1", "quote": "words of no source"}], "label": "supported", "pieces": [], "note": ""}  # fmt: skip
    claims = {"faithfulness": {"claims": [{"unit": f"c{at}", **unit} for at in (1, 2)]}}
    records = [record]
    for name in ("bad1", "bad2", "bad3"):
        records.append(record | {"id": name, "answer": INVENTED})
        own.append({"record": name, "ask": "faithfulness", "sample": 0, "text": json.dumps(claims)})
    for name, lines in (("my answers.jsonl", records), ("replies.jsonl", own)):
        (tmp_path / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return Runner(tmp_path, {"records": "my answers.jsonl", "rubric": RUBRIC, "judge": "recorded:replies.jsonl"})


def test_the_action_the_report_and_its_tests_fail_with_names_and_reasons(runner: Runner):
    runner.inputs |= {"fail-under": "faithfulness=0.8", "arguments": "--quiet"}
    assert runner.run("judge").returncode == 0
    reported = runner.run("report")
    assert reported.returncode == 0, reported.stderr
    assert f"FAILED: {GATE}" in reported.stderr
    assert "Not scored: bad1, bad2, bad3 (3 × " in reported.stderr
    assert f"::error title=Assay gate::{GATE}25" in reported.stdout
    assert reported.stdout.count("::warning file=my answers.jsonl,title=bad") >= 3
    comment = (runner.folder / "summary.md").read_text(encoding="utf-8")
    assert "**Gate: failed**" in comment
    assert GATE in comment
    tests = ET.fromstring(Path(runner.outputs["report"]["junit"]).read_text(encoding="utf-8"))  # noqa: S314  # ours
    faults = [case for case in tests.iter("testcase") if case.find("failure") is not None]
    assert [case.get("name") for case in faults] == [
        "Faithfulness, mean normalized score at least 0.8",
        "bad1",
        "bad2",
        "bad3",
    ]
    assert faults[0][0].get("message").startswith(GATE)
    assert GATE in Path(runner.outputs["report"]["html"]).read_text(encoding="utf-8")
    assert runner.run("gate").returncode == 1


def test_a_share_that_is_met_lets_the_same_run_pass(runner: Runner):
    runner.inputs |= {"fail-under": "faithfulness=0.8", "min-scored": "25%", "arguments": "--quiet"}
    assert [runner.run(step).returncode for step in ("judge", "report", "gate")] == [0, 0, 0]


def test_the_embedded_judge_is_gated_by_findings_and_its_mean_is_refused(runner: Runner):
    runner.inputs |= {"judge": "embedded", "fail-under": "faithfulness=0.8", "arguments": "--quiet"}
    assert runner.run("judge").returncode == 0
    refused = runner.run("report")
    assert refused.returncode == 2
    assert "Write --fail-on-findings 0, which fails on every claim with a problem." in refused.stderr
    runner.inputs |= {"fail-under": "", "fail-on-findings": "0"}
    said = runner.run("report").stderr
    assert "FAILED: Findings: " in said
    assert " claims decided, " in said
    assert runner.run("gate").returncode == 1


@pytest.mark.parametrize("limits", [{"at_least": {"faithfulness": 0.5}}, {"at_least": 0}, {"max_findings": 0}])
def test_a_text_that_was_not_judged_fails_its_test_unless_told_otherwise(limits: dict[str, object]):
    with pytest.raises(AssertionError) as caught:
        assert_judged(INVENTED, SOURCE, "What is new?", **limits)
    assert any(words in str(caught.value) for words in ("metrics scored, wanted at least 90 %", "nothing was judged"))
    result = assert_judged(INVENTED, SOURCE, "What is new?", **limits, min_scored=0)
    assert result.metrics["faithfulness"].score is None


def test_too_few_metrics_with_a_score_fail_and_each_says_why():
    right = "A bicycle costs 22 kroner."
    with pytest.raises(AssertionError) as caught:
        assert_judged(right, SOURCE, "What does it cost?", at_least=0.8)
    said = str(caught.value).splitlines()
    assert said[0] == "only 1 of 4 metrics scored, wanted at least 90 %"
    assert sum(": not scored (" in line for line in said) == 3
    assert (
        "This judge leaves many claims uncertain: use max_findings=0, or at_least for metrics that it scores." in said
    )
    assert assert_judged(right, SOURCE, "What does it cost?", at_least=0.8, min_scored="25%").metrics
    assert assert_judged(right, SOURCE, max_findings=0).metrics["faithfulness"].score == 100


def test_claims_at_fault_beyond_those_allowed_fail_with_the_share_decided():
    wrong = "A bicycle costs 32 kroner. It must be booked by noon."
    with pytest.raises(AssertionError) as caught:
        assert_judged(wrong, SOURCE, max_findings=0)
    assert str(caught.value).startswith(
        "Findings: 1 claim with problems, at most 0 allowed (2 of 2 claims decided, 100 %)"
    )
    assert "not in source: “A bicycle costs 32 kroner.”" in str(caught.value)
    assert_judged(wrong, SOURCE, max_findings=1)


@pytest.mark.parametrize(
    "limits", [{}, {"max_findings": -1}, {"max_findings": True}, {"max_findings": 0, "min_scored": 90}]
)
def test_limits_that_can_not_be_say_what_to_write(limits: dict[str, object]):
    with pytest.raises(assay.InputError, match="Write "):
        assert_judged("It is.", SOURCE, **limits)
