"""Written replies hold what was found: statements, reasons, linked sources, figures and remarks."""

import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from assay.cli.demo import judge_example
from assay.domain.json import JSON
from assay.domain.scorecard import Scorecard
from assay.files.rubrics import open_rubric
from assay.replies.salvage import salvage_json
from assay.report.replies import render_reply

SUMMARISED = ["all-good", "wrong-dose", "dangling-citation", "beside-the-question", "short-source", "two-minor-doubts"]
AUDITED = [
    "all-good",
    "contradicted-number",
    "dropped-key-point",
    "extraneous-sentence",
    "loaded-words",
    "injected-instruction",
    "wrong-arithmetic",
    "cut-off-reply",
]


@cache
def judged(rubric: str) -> dict[str, Scorecard]:
    return {card.record.id: card for card in judge_example(Path(str(files("assay") / "examples")), rubric)}


def parts_of(name: str) -> tuple[Scorecard, dict[str, JSON]]:
    card = judged("search-summary")[name]
    return card, json.loads(render_reply(card))


TRIAL = "[Soralimide for night-time leg cramps: a randomised trial](https://example.org/trials/soralimide-cramps) [1]"
NOTES = "[Soralimide: prescribing notes](https://example.org/notes/soralimide) [2]"


def test_a_doubtful_statement_is_quoted_with_its_label_its_reason_and_its_linked_source() -> None:
    _, body = parts_of("wrong-dose")
    said = body["hallucination_evaluation"]["hallucination_justification"]
    assert "“The starting dose of soralimide is 50 mg once daily at bedtime" in said
    assert "contradicted, significant. Ten times the dose of the trial." in said
    assert said.endswith(f"“The starting dose was 5 mg once daily at bedtime” {TRIAL}")


@pytest.mark.parametrize("name", SUMMARISED)
def test_a_justification_names_every_doubtful_statement_and_no_other(name: str) -> None:
    card, body = parts_of(name)
    trail = card.outcomes["hallucination"].trail
    doubted = {label.unit for label in trail.findings.of("claim") if label.label not in {"supported", "no_fact"}}
    said = body["hallucination_evaluation"]["hallucination_justification"]
    assert {unit.id for unit in trail.units if f"“{unit.text}”" in said} == doubted
    assert said.startswith("All claims are supported by the results.") == (not doubted)
    assert (body["hallucination_evaluation"]["hallucination_score"] == 0) == (not doubted)


def test_where_all_is_supported_the_supporting_sources_are_linked() -> None:
    _, body = parts_of("all-good")
    said = body["hallucination_evaluation"]["hallucination_justification"]
    assert said == f"All claims are supported by the results. {TRIAL}, {NOTES}"


def test_relevant_sources_stand_with_number_title_and_address_and_in_the_justification() -> None:
    _, body = parts_of("all-good")
    relevancy = body["answer_relevancy_evaluation"]
    trial = {
        "number": 1,
        "title": "Soralimide for night-time leg cramps: a randomised trial",
        "url": "https://example.org/trials/soralimide-cramps",
    }
    notes = {
        "number": 2,
        "title": "Soralimide: prescribing notes",
        "url": "https://example.org/notes/soralimide",
    }
    assert relevancy["relevant_sources"] == [trial, notes]
    assert relevancy["relevancy_justification"] == f"Dose and effect are both answered. {TRIAL}, {NOTES}"


@pytest.mark.parametrize("name", SUMMARISED)
def test_every_question_is_answered_with_its_reason(name: str) -> None:
    card, body = parts_of(name)
    labels = card.outcomes["summary_quality"].trail.findings.of("question")
    groups = body["summary_quality_evaluation"]["questions_and_answers"]
    questions = [question for group in groups for question in group["questions"]]
    assert len(questions) == len(labels)
    assert [each["is_answered"] for each in questions] == [label.label in {"full", "partial"} for label in labels]
    for label, question in zip(labels, questions, strict=True):
        assert question["answer_justification"]
        assert label.note in question["answer_justification"]
        assert all(each.quote in question["answer_justification"] for each in label.evidence)


@pytest.mark.parametrize("rubric", ["comparison-faithfulness", "opinion-relevance"])
def test_an_explanation_begins_with_the_metric_and_what_it_asks(rubric: str) -> None:
    (metric,) = open_rubric(rubric).metrics
    for card in judged(rubric).values():
        assert re.match(rf"{metric.name}: [^\n]+\?\n\n", render_reply(card))


def test_every_unsupported_item_is_listed_with_its_label_and_reason() -> None:
    text = render_reply(judged("comparison-faithfulness")["swapped-price"])
    listed = text.partition("Unsupported items:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.partition(" (")[0] for line in listed] == [
        "1. Final price | Brisa Kettle 1.7 L: Rs. 2,400",
        "2. Final price | Tavo Steel Kettle: Rs. 1,999",
    ]
    assert "contradicted: s1: “Rs. 1,999” — " in listed[0]
    assert "final price is Rs. 2,400 in s2 but Rs. 1,999 in the cell “Final price | Tavo Steel Kettle”" in listed[1]
    assert "2 can't be verified" in text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("all-good", "the determination is a match"),
        ("false-eligible", "the determination is a mismatch"),
        ("needs-confirmation", "the determination is a partial match"),
        ("no-label", "no ground-truth label"),
    ],
)
def test_the_reason_for_accuracy_says_whether_the_determination_matches(name: str, words: str) -> None:
    card = judged("trial-eligibility")[name]
    said = json.loads(render_reply(card))["accuracy_reasoning"]
    grade = card.outcomes["accuracy"].trail.findings.grade("grade")
    assert words in said
    assert (grade is not None and grade.reason in said) or name == "no-label"


@pytest.mark.parametrize(
    ("name", "languages"),
    [
        ("all-good", ["English"]),
        ("wrong-language", ["in Spanish", "most in English"]),
        ("mixed-vietnamese", ["Vietnamese"]),
    ],
)
def test_the_reason_for_the_language_names_the_languages(name: str, languages: list[str]) -> None:
    said = json.loads(render_reply(judged("trial-eligibility")[name]))["language_correction_reasoning"]
    assert all(language in said for language in languages), said


def test_a_doubt_about_groundedness_stands_with_its_label_and_reason() -> None:
    body = json.loads(render_reply(judged("trial-eligibility")["foreign-trial-id"]))
    said = body["hallucination_reasoning"]
    assert "“Not Eligible for NCT09000115.”: contradicted. s2: “NCT09000114” — Another trial's number." in said
    assert "absent. The criteria name no body mass index." in said


def audit_of(name: str) -> tuple[Scorecard, dict[str, dict[str, JSON]]]:
    card = judged("article-audit")[name]
    return card, {each["metric"]: each for each in salvage_json(render_reply(card)).values}


@pytest.mark.parametrize("name", AUDITED)
def test_an_audit_holds_the_figures_behind_its_scores(name: str) -> None:
    card, body = audit_of(name)
    for metric, figure in [
        ("coverage", "precision"), ("coverage", "recall"), ("hallucination", "unsupported_fraction")
    ]:  # fmt: skip
        found = card.outcomes[metric].score.figures[figure]
        assert body[metric][figure] == pytest.approx(float(found), abs=5e-5)


@pytest.mark.parametrize("name", AUDITED)
def test_an_audit_holds_what_was_found(name: str) -> None:
    card, body = audit_of(name)
    findings = {metric: outcome.trail.findings for metric, outcome in card.outcomes.items()}

    def remarked(metric: str, part: str) -> list[dict[str, str]]:
        return [dict(remark.fields) for remark in findings[metric].remarked(part)]

    assert [body["alignment"]["aspects"]] == remarked("alignment", "aspects")
    assert body["alignment"]["deviations"] == remarked("alignment", "deviations")
    assert [{"article_theme": body["relevance"]["article_theme"]}] == remarked("relevance", "theme")
    assert (body["bias_toxicity"]["tone"],) == findings["bias_toxicity"].picked("tone")
    assert body["bias_toxicity"]["issues_found"] == remarked("bias_toxicity", "issues_found")
    for metric, key, unit in [("coverage", "key_points", "key_point"), ("relevance", "summary_sections", "section")]:
        assert [each["justification"] for each in body[metric][key]] == [
            label.note for label in findings[metric].of(unit)
        ]
    claims = [label for label in findings["hallucination"].of("claim") if label.label != "no_fact"]
    for entry, label in zip(body["hallucination"]["claims_checked"], claims, strict=True):
        assert label.note in entry["justification"]
        assert all(each.quote in entry["justification"] for each in label.evidence)


@pytest.mark.parametrize(("rubric", "names"), [("search-summary", SUMMARISED), ("article-audit", AUDITED)])
def test_every_example_with_a_summary_is_looked_at(rubric: str, names: list[str]) -> None:
    assert {*names, "blank-summary"} == set(judged(rubric))


def test_the_examples_hold_something_of_everything_an_audit_can_find() -> None:
    bodies = [audit_of(name)[1] for name in AUDITED]
    assert any(body["alignment"]["deviations"] for body in bodies)
    assert any(body["bias_toxicity"]["issues_found"] for body in bodies)
    assert len({body["bias_toxicity"]["tone"] for body in bodies}) > 1
    assert all(body["relevance"]["article_theme"] for body in bodies)
    assert any(body["coverage"]["precision"] < 1 for body in bodies)
    assert any(0 < body["hallucination"]["unsupported_fraction"] < 1 for body in bodies)


def test_what_the_article_does_not_support_stands_as_extraneous_with_the_reason() -> None:
    listed = {}
    for name in AUDITED:
        card, body = audit_of(name)
        listed |= {each["text"]: each["issue"] for each in body["coverage"]["extraneous"]}
        trail = card.outcomes["hallucination"].trail
        wrong = {label.unit for label in trail.findings.of("claim") if label.label in {"absent", "contradicted"}}
        texts = {each["text"] for each in body["coverage"]["extraneous"]}
        assert {unit.text for unit in trail.units if unit.id in wrong} <= texts, name
    assert set(listed.values()) == {"Not in article", "The article says otherwise"}
