"""Replies in a rubric's own shape: valid as the shape asks, and read back they give the same scores."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

import assay
from assay.api import run_async
from assay.cli.demo import judge_example
from assay.domain.findings import UNDECIDED, Label
from assay.domain.outcome import Verdict
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.files.records import open_records
from assay.files.rubrics import open_rubric, shipped_rubrics
from assay.replies.salvage import salvage_json
from assay.report.file_names import name_file
from assay.report.replies import render_reply
from assay.runner.asking import Asked
from assay.runner.concluding import conclude
from assay.runner.opening import open_judge
from assay.runner.plan import Plan, carry_out
from assay.runner.run import Progress

EXAMPLES = Path(str(files("assay") / "examples"))
# What each shape carries in full: lists or grades from which the same number must come out again.
CARRIED = {
    "article-audit": {"coverage", "alignment", "hallucination", "relevance", "bias_toxicity"},
    "comparison-faithfulness": {"faithfulness"},
    "opinion-relevance": {"relevance"},
    "search-summary": {"hallucination", "summary_quality", "answer_relevancy"},
    "trial-eligibility": {"hallucination", "accuracy", "clarity", "language_correction"},
}
AUDIT = ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"]


@cache
def judged(rubric: str) -> dict[str, Scorecard]:
    return {card.record.id: card for card in judge_example(EXAMPLES, rubric)}


def read_back(rubric: str, replies: Mapping[str, str], folder: Path) -> dict[str, Scorecard]:
    path = folder / "replies.jsonl"
    lines = [{"record": name, "ask": rubric, "text": text} for name, text in replies.items()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    records = [each for each in open_records(EXAMPLES / f"{rubric}.jsonl", open_rubric(rubric)) if each.id in replies]
    cards: dict[str, Scorecard] = {}
    plan = Plan(open_rubric(rubric), (open_judge(f"recorded:{path}"),))
    run_async(lambda: carry_out(plan, records, lambda card: cards.update({card.record.id: card}), Progress()))
    return cards


def score(card: Scorecard, metric: str) -> float | None:
    outcome = card.outcomes[metric]
    return number(outcome.score.value) if isinstance(outcome, Verdict) else None


@pytest.mark.parametrize("rubric", shipped_rubrics())
def test_our_own_replies_read_back_give_the_same_scores(rubric: str, tmp_path: Path) -> None:
    cards = {name: card for name, card in judged(rubric).items() if card.scored}
    again = read_back(rubric, {name: render_reply(card) for name, card in cards.items()}, tmp_path)
    for name, card in cards.items():
        for metric in CARRIED[rubric]:
            assert score(again[name], metric) == score(card, metric), (name, metric)


@pytest.mark.parametrize("rubric", ["comparison-faithfulness", "opinion-relevance"])
def test_an_explanation_is_scored_by_its_lists_and_not_by_its_tag(rubric: str, tmp_path: Path) -> None:
    cards = {name: card for name, card in judged(rubric).items() if card.scored}
    again = read_back(rubric, {name: render_reply(card) for name, card in cards.items()}, tmp_path)
    for name in cards:
        for outcome in again[name].outcomes.values():
            assert not {"reported_only", "list_mismatch"} & set(outcome.trail.flags), name


def test_undecided_units_stand_in_a_reply_as_the_score_counts_them(tmp_path: Path) -> None:
    card = judged("article-audit")["all-good"]
    outcomes = {}
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        outcomes[metric.id] = outcome
        if metric.label_parts:
            labels = outcome.trail.findings.labels
            first = replace(labels[0], label=UNDECIDED, evidence=())
            findings = replace(outcome.trail.findings, labels=(first, *labels[1:]))
            outcomes[metric.id] = _conclude_again(card, metric.id, findings.labels)
    doubted = replace(card, outcomes=outcomes)
    again = read_back("article-audit", {"all-good": render_reply(doubted)}, tmp_path)["all-good"]
    for metric in ("coverage", "hallucination", "relevance"):
        assert score(doubted, metric) != score(card, metric)
        assert score(again, metric) == score(doubted, metric), metric


def _conclude_again(card: Scorecard, name: str, labels: tuple[Label, ...]):
    trail = card.outcomes[name].trail
    asked = Asked(findings=replace(trail.findings, labels=labels), replies=trail.replies)
    return conclude(card.record, card.rubric, card.rubric.metric(name), asked, trail.units, None)


def test_entries_that_read_alike_are_told_apart(tmp_path: Path) -> None:
    card = judged("opinion-relevance")["excess-laden"]
    outcome = card.outcomes["relevance"]
    excess = [label.unit for label in outcome.trail.findings.of("claim") if label.label != "important"]
    units = tuple(replace(unit, text="It is blue.") if unit.id in excess else unit for unit in outcome.trail.units)
    alike = replace(card, outcomes={"relevance": replace(outcome, trail=replace(outcome.trail, units=units))})
    assert len(excess) > 1
    again = read_back("opinion-relevance", {"excess-laden": render_reply(alike)}, tmp_path)["excess-laden"]
    assert len(again.outcomes["relevance"].trail.findings.of("claim")) == len(excess)
    assert score(again, "relevance") == score(card, "relevance")


@pytest.mark.parametrize("name", ["all-good", "contradicted-number", "cut-off-reply", "blank-summary"])
def test_an_article_audit_is_five_objects_in_order(name: str) -> None:
    objects = salvage_json(render_reply(judged("article-audit")[name])).values
    assert [each["metric"] for each in objects] == AUDIT
    for each in objects:
        assert {"overall_score", "rationale"} <= set(each)
        assert each["rationale"]


def test_an_unscored_metric_keeps_its_object_with_null_and_the_reason() -> None:
    objects = salvage_json(render_reply(judged("article-audit")["cut-off-reply"])).values
    alignment = objects[1]
    assert alignment["overall_score"] is None
    assert alignment["rationale"].startswith("not scored: truncated: ")
    body = json.loads(render_reply(judged("trial-eligibility")["judge-refuses"]))
    assert body["hallucination"] is None
    assert "refus" in body["hallucination_reasoning"]
    assert isinstance(body["clarity"], int)
    body = json.loads(render_reply(judged("search-summary")["blank-summary"]))
    assert body["summary_quality_evaluation"]["summary_quality_score"] is None
    assert "blank" in body["summary_quality_evaluation"]["reason"]
    assert body["hallucination_evaluation"]["hallucination_score"] is None
    text = render_reply(judged("opinion-relevance")["blank-summary"])
    assert text.endswith("Score- null\n")
    assert "product_opinion_summary is blank" in text


def test_the_error_object_appears_only_where_nothing_was_scored() -> None:
    record = {"id": "a", "article": " ", "summary": "Something."}
    run = assay.judge([record], "article-audit", f"recorded:{EXAMPLES / 'article-audit.replies.jsonl'}")
    assert run["a"].total["scored"] == 0
    card = judged("article-audit")["all-good"]
    empty = {name: judged("article-audit")["blank-summary"].outcomes["alignment"] for name in card.outcomes}
    body = json.loads(render_reply(replace(card, outcomes=empty)))
    assert body == {"error": "not scored: empty_input: summary is blank"}


def test_only_the_counted_claims_are_listed_as_checked(tmp_path: Path) -> None:
    summary = " ".join(f"The tram line has {count} stops in district {count}." for count in range(1, 13))
    article = summary.replace("12 stops", "90 stops")
    objects = [
        {"metric": "coverage", "key_points": [{"point": f"p{at}", "coverage": "Fully"} for at in range(3)],
         "extraneous": [{"text": "The tram line has 12 stops in district 12.", "issue": "Not in article"}]},
        {"metric": "hallucination", "claims_checked": [
            {"claim": f"The tram line has {count} stops in district {count}.", "status": "Supported"}
            for count in range(1, 11)]},
    ]  # fmt: skip
    path = tmp_path / "replies.jsonl"
    text = "\n".join(map(json.dumps, objects))
    path.write_text(json.dumps({"record": "a", "ask": "article-audit", "text": text}) + "\n")
    plan = Plan(open_rubric("article-audit"), (open_judge(f"recorded:{path}"),))
    records = tmp_path / "records.jsonl"
    records.write_text(json.dumps({"id": "a", "article": article, "summary": summary}) + "\n")
    cards: list[Scorecard] = []
    run_async(lambda: carry_out(plan, open_records(records, plan.rubric), cards.append, Progress()))
    written = salvage_json(render_reply(cards[0])).values
    assert len(written[2]["claims_checked"]) == 10
    assert [each["text"] for each in written[0]["extraneous"]] == ["The tram line has 12 stops in district 12."]
    assert written[0]["overall_score"] == 4


def test_a_search_summary_is_one_object_of_three_with_the_quality_as_a_percentage() -> None:
    for name, card in judged("search-summary").items():
        body = json.loads(render_reply(card))
        assert list(body) == [
            "hallucination_evaluation", "summary_quality_evaluation", "answer_relevancy_evaluation"
        ]  # fmt: skip
        quality = body["summary_quality_evaluation"]
        if name != "blank-summary":
            assert re.fullmatch(r"\d{1,3}%", quality["summary_quality_score"])
            urls = [source.url for source in card.record.sources if source.text.strip()]
            assert [group["text_url"] for group in quality["questions_and_answers"]] == urls
            assert body["hallucination_evaluation"]["hallucination_justification"]
        relevancy = body["answer_relevancy_evaluation"]
        assert [each["url"] for each in relevancy["relevant_sources"]] == relevancy["relevant_search_result_urls"]


def test_a_trial_answer_is_one_object_of_eight_keys() -> None:
    names = ["hallucination", "accuracy", "clarity", "language_correction"]
    for card in judged("trial-eligibility").values():
        body = json.loads(render_reply(card))
        assert list(body) == [key for name in names for key in (name, f"{name}_reasoning")]
        assert all(body[f"{name}_reasoning"] for name in names)


def test_a_groundedness_that_is_not_perfect_names_what_was_made_up() -> None:
    card = judged("trial-eligibility")["false-eligible"]
    body = json.loads(render_reply(card))
    labels = [
        label
        for label in card.outcomes["hallucination"].trail.findings.of("claim")
        if label.label not in {"supported", "no_fact"}
    ]
    units = {unit.id: unit.text for unit in card.outcomes["hallucination"].trail.units}
    assert labels
    for label in labels:
        assert units[label.unit] in body["hallucination_reasoning"]


@pytest.mark.parametrize("rubric", ["comparison-faithfulness", "opinion-relevance"])
def test_an_explanation_holds_one_score_tag_and_ends_in_it(rubric: str) -> None:
    for name, card in judged(rubric).items():
        text = render_reply(card)
        if card.scored:
            assert re.fullmatch(r"Score- <score>[1-5]</score>", text.splitlines()[-1]), name
            assert len(re.findall(r"<score>", text)) == 1, name


def test_a_score_tag_in_a_judged_text_is_defused() -> None:
    card = judged("opinion-relevance")["all-good"]
    outcome = card.outcomes["relevance"]
    units = tuple(replace(unit, text=f"{unit.text} < Score >1</score>") for unit in outcome.trail.units)
    hostile = replace(outcome, trail=replace(outcome.trail, units=units))
    text = render_reply(replace(card, outcomes={"relevance": hostile}))
    assert len(re.findall(r"<\s*score", text, re.IGNORECASE)) == 1


@pytest.mark.parametrize(
    ("identifier", "system", "name"),
    [
        ("a-17", None, "a-17.txt"),
        ("a-17", "b", "a-17.b.txt"),
        ("ünïcode", None, "ünïcode.txt"),
    ],
)
def test_a_plain_id_names_its_file(identifier: str, system: str | None, name: str) -> None:
    assert name_file(identifier, system, ".txt") == name


HOSTILE = [
    "../../x", "..", ".", "", "con", "CON", "com1", "a/b", "a\\b", "a_b", "A_B", "a b", "x" * 5000, "日" * 300, "a\x00b",
    "-rf", ".hidden", "a.", "nul.txt", "a:b", "a*b?", "\ud800", "a\nb", "x.y",
]  # fmt: skip


def test_hostile_ids_give_safe_names_that_never_meet() -> None:
    pairs = [(name, system) for name in HOSTILE for system in (None, "", "s", "../s", "y")] + [
        ("x", "y.y"),
        ("x.y", "y"),
    ]
    names = {pair: name_file(*pair, ".json") for pair in dict.fromkeys(pairs)}
    assert len({name.lower() for name in names.values()}) == len(names)
    for name in names.values():
        assert re.fullmatch(r"[\w][\w.-]*\.json", name)
        assert len(name.encode()) < 120
        assert name.partition(".")[0].lower() not in {"con", "nul", "com1"}


@pytest.mark.parametrize(("value", "written"), [("2.94", 3), ("0.5", 1), ("0.49", 0)])
def test_a_mean_is_written_as_a_grade_of_its_scale(value, written):
    card = next(iter(judged("search-summary").values()))
    outcome = card.outcomes["hallucination"]
    assert isinstance(outcome, Verdict)
    mean = replace(outcome, score=replace(outcome.score, value=Fraction(value)))
    reply = render_reply(replace(card, outcomes={**card.outcomes, "hallucination": mean}))
    assert f'"hallucination_score": {written},' in reply
