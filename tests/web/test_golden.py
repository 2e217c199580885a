"""Markdown and JUnit over a shipped example, character by character; UPDATE_GOLDEN=1 writes the files anew."""

import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import xmlschema
from runs import claim_card, example_cards, example_report, run_row

from assay.domain.span import Span
from assay.files.rubrics import open_rubric
from assay.report.ci import format_junit
from assay.report.gate import check_gates, parse_thresholds
from assay.report.markdown import format_markdown

GOLDEN = Path(__file__).parent / "golden"
SCHEMA = xmlschema.XMLSchema(Path(__file__).parent / "junit.xsd")
GATES = {"search-summary": ["hallucination=0.9", "answer_relevancy=0.5"], "trial-eligibility": ["accuracy=0.7"]}


def compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("rubric", GATES)
def test_markdown_is_as_it_was(rubric: str) -> None:
    view = example_report(rubric)
    gates = check_gates(parse_thresholds(GATES[rubric], view.rubric), view.summary)
    compare(f"{rubric}.md", format_markdown(view, gates))


@pytest.mark.parametrize("rubric", GATES)
def test_junit_is_as_it_was(rubric: str) -> None:
    compare(f"{rubric}.xml", report_tests(rubric, GATES[rubric]))


def report_tests(rubric: str, written: list[str], min_scored: float = 0.9) -> str:
    made = open_rubric(rubric)
    thresholds = parse_thresholds(written, made)
    gates = check_gates(thresholds, example_report(rubric).summary, min_scored)
    return format_junit(run_row(rubric), made, example_cards(rubric), thresholds, gates)


def parse(text: str) -> ET.Element:
    return ET.fromstring(text.encode("utf-8"))  # noqa: S314  # our own text


@pytest.mark.parametrize("rubric", GATES)
def test_junit_keeps_to_its_schema_and_its_counts_are_true(rubric: str) -> None:
    made = open_rubric(rubric)
    cards = example_cards(rubric)
    text = report_tests(rubric, GATES[rubric])
    SCHEMA.validate(text)
    (suite,) = parse(text)
    assert suite.get("timestamp") == "2026-01-02T03:04:05"
    assert int(suite.get("tests")) == len(suite.findall("testcase"))
    assert len(suite.findall("testcase")) == len(cards) * len(made.metrics) + len(GATES[rubric])
    for kind, name in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(suite.get(kind)) == len(suite.findall(f"testcase/{name}"))
    keys = [(case.get("classname"), case.get("name")) for case in suite.iter("testcase")]
    assert len(keys) == len(set(keys))


def test_failures_errors_and_skips_are_told_apart() -> None:
    text = report_tests("trial-eligibility", ["accuracy=0.7"], min_scored=0.7)
    found = {
        (case.get("classname"), case.get("name")): case[0].tag for case in parse(text).iter("testcase") if len(case)
    }
    assert found == {
        ("trial-eligibility.accuracy", "false-eligible"): "failure",
        ("trial-eligibility.accuracy", "needs-confirmation"): "failure",
        ("trial-eligibility.accuracy", "foreign-trial-id"): "failure",
        ("trial-eligibility.accuracy", "no-label"): "skipped",
        ("trial-eligibility.hallucination", "judge-refuses"): "error",
    }


def test_where_too_few_have_a_score_the_gate_and_each_one_without_fail() -> None:
    text = report_tests("trial-eligibility", ["accuracy=0"])
    failed = {case.get("name"): case[0] for case in parse(text).iter("testcase") if case.find("failure") is not None}
    assert set(failed) == {"Accuracy, mean normalized score at least 0", "no-label"}
    assert (
        failed["Accuracy, mean normalized score at least 0"]
        .get("message")
        .startswith("Accuracy: only 8 of 9 records scored")
    )
    assert failed["no-label"].get("message") == "not scored: the record has no ground truth label"


def test_without_a_threshold_no_score_fails() -> None:
    made = open_rubric("search-summary")
    assert 'failures="0"' in format_junit(run_row(made.id), made, example_cards(made.id))


def test_a_score_at_its_threshold_passes_its_test_as_it_passes_its_gate() -> None:
    card = claim_card("It is.", [], [(Span(0, 6), "supported", ())], value=4)
    goodness = float(card.outcomes["faithfulness"].score.goodness)
    row = run_row("comparison-faithfulness")
    for least, failures in ((goodness + 1e-12, 0), (goodness + 1e-3, 1)):
        assert f'failures="{failures}"' in format_junit(row, card.rubric, [card], {"faithfulness": least})


def test_the_schema_refuses_what_is_no_report() -> None:
    assert not SCHEMA.is_valid("<testsuites tests='1'><testcase name='a'/></testsuites>")
