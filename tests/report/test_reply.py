"""Replies in a rubric's own format: valid, complete, and read back they give the same scores."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from cards import judged

import assay
from assay.checks.citations import find_relevant, link_sources
from assay.domain.findings import Evidence, Findings, Label, Pick, Piece
from assay.domain.json import JSON
from assay.domain.outcome import Verdict
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric
from assay.formats.mentions import spell_ids
from assay.packs import list_packs
from assay.replies.salvage import salvage_json
from assay.report.output import format_reply, name_file
from foreign.harness import judge

EXPLAINED = ["comparison-faithfulness", "opinion-relevance"]
SUMMARISED = ["all-good", "wrong-dose", "dangling-citation", "beside-the-question", "short-source", "two-minor-doubts"]
AUDIT = ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"]
TRIAL = "[Soralimide for night-time leg cramps: a randomised trial](https://example.org/trials/soralimide-cramps) [1]"
NOTES = "[Soralimide: prescribing notes](https://example.org/notes/soralimide) [2]"
HOSTILE = [
    "../../x", "..", ".", "", "con", "CON", "com1", "a/b", "a\\b", "a_b", "A_B", "a b", "x" * 5000, "日" * 300, "a\x00b",
    "-rf", ".hidden", "a.", "nul.txt", "a:b", "a*b?", "\ud800", "a\nb", "x.y",
]  # fmt: skip


def read_back(rubric: str, replies: Mapping[str, str], folder: Path) -> assay.Run:
    path, records = folder / "replies.jsonl", folder / "records.jsonl"
    lines = [{"record": name, "ask": rubric, "text": text} for name, text in replies.items()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    examples = (list_packs()[rubric].folder / "examples.jsonl").read_text(encoding="utf-8").splitlines()
    records.write_text("\n".join(line for line in examples if json.loads(line)["id"] in replies))
    return assay.judge(records, rubric, f"recorded:{path}")


def score(card: Scorecard, metric: str) -> float | None:
    outcome = card.outcomes[metric]
    return number(outcome.score.value) if isinstance(outcome, Verdict) else None


@pytest.mark.parametrize("rubric", [each.id for each in assay.rubrics() if each.shape is not None])
def test_our_own_replies_read_back_give_the_same_scores(rubric: str, tmp_path: Path) -> None:
    cards = {name: card for name, card in judged(rubric).items() if card.scored}
    again = read_back(rubric, {name: format_reply(card) for name, card in cards.items()}, tmp_path)
    for name, card in cards.items():
        for metric in card.outcomes:
            found = again[name].metrics[metric]
            assert found.score == score(card, metric), (name, metric)
            assert rubric not in EXPLAINED or "reported_only" in found.flags, name


@pytest.mark.parametrize("name", ["all-good", "contradicted-number", "cut-off-reply", "blank-summary"])
def test_an_article_audit_is_five_objects_in_order(name: str) -> None:
    objects = salvage_json(format_reply(judged("article-audit")[name])).values
    assert [each["metric"] for each in objects] == AUDIT
    assert all("overall_score" in each and each["rationale"] for each in objects)


def test_an_unscored_metric_keeps_its_object_with_null_and_the_reason() -> None:
    alignment = salvage_json(format_reply(judged("article-audit")["cut-off-reply"])).values[1]
    assert alignment["overall_score"] is None
    assert alignment["rationale"].startswith("not scored: truncated: ")
    body = json.loads(format_reply(judged("trial-eligibility")["judge-refuses"]))
    assert body["hallucination"] is None
    assert "refus" in body["hallucination_reasoning"]
    body = json.loads(format_reply(judged("search-summary")["blank-summary"]))
    assert body["summary_quality_evaluation"]["summary_quality_score"] is None
    assert "blank" in body["summary_quality_evaluation"]["reason"]
    text = format_reply(judged("opinion-relevance")["blank-summary"])
    assert "<score>" not in text
    assert "product_opinion_summary is blank" in text


def test_the_error_object_appears_only_where_nothing_was_scored() -> None:
    card = judged("article-audit")["all-good"]
    empty = dict.fromkeys(card.outcomes, judged("article-audit")["blank-summary"].outcomes["alignment"])
    body = json.loads(format_reply(replace(card, outcomes=empty)))
    assert body == {"error": "not scored: empty input: summary is blank"}


def test_a_search_summary_is_one_object_of_three_with_the_quality_as_a_percentage() -> None:
    for name, card in judged("search-summary").items():
        body = json.loads(format_reply(card))
        assert [each.removesuffix("_evaluation") for each in body] == [metric.id for metric in card.rubric.metrics]
        quality = body["summary_quality_evaluation"]
        if name != "blank-summary":
            assert re.fullmatch(r"\d{1,3}%", quality["summary_quality_score"])
            urls = [source.url for source in card.record.sources if source.text.strip()]
            assert [group["text_url"] for group in quality["questions_and_answers"]] == urls
        relevancy = body["answer_relevancy_evaluation"]
        assert [each["url"] for each in relevancy["relevant_sources"]] == relevancy["relevant_search_result_urls"]


CLAIM = "Soralimide helps at night and comes in a blue box."


@pytest.mark.parametrize(
    ("label", "pieces", "quoted", "answered", "kept"),
    [
        ("supported", (), "s2", (), True),
        ("partial", ("a blue box",), "s2", (), True),
        # The part that is not at fault is supported.
        ("contradicted", ("a blue box",), "s2", (), True),
        ("contradicted", (CLAIM,), "s2", (), False),
        ("contradicted", (), "s2", (), False),
        # Another source is quoted for it, but it answers a question of this one.
        ("supported", (), "s1", ("full",), True),
        ("supported", (), "s1", ("no",), False),
        ("absent", (), "s1", ("full",), False),
    ],
)
def test_a_relevant_source_stays_if_a_supported_part_of_the_summary_reflects_it(
    label: str, pieces: tuple[str, ...], quoted: str, answered: tuple[str, ...], kept: bool
) -> None:
    card = judged("search-summary")["all-good"]
    card = replace(card, record=replace(card.record, output=CLAIM))
    span = Span(0, len(CLAIM))
    claims = Label("claim", "c1", label, evidence=(Evidence(quoted, Span(0, 4), "Sora"),),
                   pieces=tuple(Piece(words, "serious") for words in pieces))  # fmt: skip
    questions = [Unit(f"q{at}", "question", "What for?", None, ("s2",)) for at, _ in enumerate(answered, 1)]
    found = [
        Label("question", unit.id, word, evidence=(Evidence("output", Span(0, 10), "Soralimide"),))
        for unit, word in zip(questions, answered, strict=True)
    ]
    outcomes = dict(card.outcomes)
    for name, units, labels in (
        ("hallucination", (Unit("c1", "claim", CLAIM, span),), (claims,)),
        ("summary_quality", tuple(questions), tuple(found)),
    ):
        trail = replace(outcomes[name].trail, units=units, findings=Findings(labels))
        outcomes[name] = replace(outcomes[name], trail=trail)
    picks = Findings(picks=(Pick("relevant_sources", ("S2",)),))
    outcomes["answer_relevancy"] = replace(
        outcomes["answer_relevancy"], trail=replace(outcomes["answer_relevancy"].trail, findings=picks)
    )
    relevant = find_relevant(replace(card, outcomes=outcomes))
    assert [source.id for source in relevant or ()] == (["s2"] if kept else [])


def test_without_scored_claims_every_known_source_that_was_picked_is_relevant() -> None:
    card = judged("search-summary")["all-good"]
    unscored = judged("search-summary")["blank-summary"].outcomes["hallucination"]
    picked = card.outcomes["answer_relevancy"]
    for chosen, kept in ((("S9", "s2 ", "S1"), ["s1", "s2"]), ((), [])):
        trail = replace(picked.trail, findings=Findings(picks=(Pick("relevant_sources", chosen),)))
        outcomes = {**card.outcomes, "hallucination": unscored, "answer_relevancy": replace(picked, trail=trail)}
        assert [source.id for source in find_relevant(replace(card, outcomes=outcomes)) or ()] == kept


def test_a_trial_answer_is_one_object_of_eight_keys() -> None:
    names = ["hallucination", "accuracy", "clarity", "language_correction"]
    for card in judged("trial-eligibility").values():
        body = json.loads(format_reply(card))
        assert list(body) == [key for name in names for key in (name, f"{name}_reasoning")]
        assert all(body[f"{name}_reasoning"] for name in names)


@pytest.mark.parametrize("rubric", EXPLAINED)
def test_an_explanation_holds_one_score_tag_and_ends_in_it(rubric: str) -> None:
    for name, card in judged(rubric).items():
        text = format_reply(card)
        if card.scored:
            assert re.fullmatch(r"Score- <score>[1-5]</score>", text.splitlines()[-1]), name
            assert len(re.findall(r"<score>", text)) == 1, name


def test_a_score_tag_in_a_judged_text_is_defused() -> None:
    card = judged("comparison-faithfulness")["made-up"]
    outcome = card.outcomes["faithfulness"]
    units = tuple(replace(unit, text=f"{unit.text} < Score >1</score>") for unit in outcome.trail.units)
    hostile = replace(outcome, trail=replace(outcome.trail, units=units))
    text = format_reply(replace(card, outcomes={"faithfulness": hostile}))
    assert len(re.findall(r"<\s*score", text, re.IGNORECASE)) == 1


@pytest.mark.parametrize(("value", "written"), [("2.94", 3), ("0.5", 1), ("0.49", 0)])
def test_a_mean_is_written_as_a_grade_of_its_scale(value: str, written: int) -> None:
    card = judged("search-summary")["all-good"]
    outcome = card.outcomes["hallucination"]
    assert isinstance(outcome, Verdict)
    mean = replace(outcome, score=replace(outcome.score, value=Fraction(value)))
    reply = format_reply(replace(card, outcomes={**card.outcomes, "hallucination": mean}))
    assert f'"hallucination_score": {written},' in reply


def test_a_doubtful_statement_is_quoted_with_its_label_its_reason_and_its_linked_source() -> None:
    body = json.loads(format_reply(judged("search-summary")["wrong-dose"]))
    said = body["hallucination_evaluation"]["hallucination_justification"]
    assert "“The starting dose of soralimide is 50 mg once daily at bedtime" in said
    assert "contradicted" in said
    assert "Ten times the dose of the trial." in said
    assert said.endswith(f"{TRIAL} says “The starting dose was 5 mg once daily at bedtime”.")


@pytest.mark.parametrize("name", SUMMARISED)
def test_a_justification_names_every_doubtful_statement_and_no_other(name: str) -> None:
    card = judged("search-summary")[name]
    body = json.loads(format_reply(card))
    trail = card.outcomes["hallucination"].trail
    doubted = {label.unit for label in trail.findings.of("claim") if label.label not in {"supported", "no_fact"}}
    said = body["hallucination_evaluation"]["hallucination_justification"]
    assert {unit.id for unit in trail.units if f"“{unit.text}”" in said} == doubted
    assert said.startswith("All claims are supported by the sources.") == (not doubted)


def test_supporting_and_relevant_sources_are_linked() -> None:
    body = json.loads(format_reply(judged("search-summary")["all-good"]))
    said = body["hallucination_evaluation"]["hallucination_justification"]
    assert said == f"All claims are supported by the sources. {TRIAL}, {NOTES}"
    relevancy = body["answer_relevancy_evaluation"]
    assert [(each["number"], each["title"]) for each in relevancy["relevant_sources"]] == [
        (1, "Soralimide for night-time leg cramps: a randomised trial"),
        (2, "Soralimide: prescribing notes"),
    ]
    assert relevancy["relevancy_justification"] == f"Dose and effect are both answered. {TRIAL}, {NOTES}"


@pytest.mark.parametrize("name", SUMMARISED)
def test_every_question_is_answered_with_its_reason(name: str) -> None:
    card = judged("search-summary")[name]
    trail = card.outcomes["summary_quality"].trail
    labels = {label.unit: label for label in trail.findings.of("question")}
    asked = {unit.text: labels[unit.id] for unit in trail.units}
    groups = json.loads(format_reply(card))["summary_quality_evaluation"]["questions_and_answers"]
    questions = {question["question"]: question for group in groups for question in group["questions"]}
    assert questions.keys() == asked.keys()
    for text, label in asked.items():
        assert questions[text]["is_answered"] == (label.label in {"full", "partial"})
        assert questions[text]["answer_justification"]
        assert label.note in questions[text]["answer_justification"]
        assert all(each.quote in questions[text]["answer_justification"] for each in label.evidence)


@pytest.mark.parametrize("rubric", EXPLAINED)
def test_an_explanation_begins_with_the_metric_and_what_it_asks(rubric: str) -> None:
    (metric,) = open_rubric(rubric).metrics
    for card in judged(rubric).values():
        assert format_reply(card).startswith(f"{metric.name}: ")


def read_audit(card: Scorecard) -> dict[str, dict[str, JSON]]:
    return {each["metric"]: each for each in salvage_json(format_reply(card)).values}


def test_an_audit_holds_figures_remarks_and_reasons() -> None:
    for name, card in judged("article-audit").items():
        if name in {"blank-summary", "cut-off-reply"}:
            continue
        body = read_audit(card)
        findings = {metric: outcome.trail.findings for metric, outcome in card.outcomes.items()}
        for metric, figure in (("coverage", "precision"), ("coverage", "recall")):
            found = card.outcomes[metric].score.figures[figure]
            assert body[metric][figure] == pytest.approx(float(found), abs=5e-5)
        deviations = [dict(remark.fields) for remark in findings["alignment"].remarked("deviations")]
        assert body["alignment"]["deviations"] == deviations
        assert (body["bias_toxicity"]["tone"],) == findings["bias_toxicity"].picked("tone")
        claims = [label for label in findings["hallucination"].of("claim") if label.label != "no_fact"]
        for entry, label in zip(body["hallucination"]["claims_checked"], claims, strict=True):
            assert label.note in entry["justification"]
            assert all(each.quote in entry["justification"] for each in label.evidence)


@pytest.mark.parametrize(
    ("identifier", "system", "name"),
    [("a-17", None, "a-17.txt"), ("a-17", "b", "a-17.b.txt"), ("ünïcode", None, "ünïcode.txt")],
)
def test_a_plain_id_names_its_file(identifier: str, system: str | None, name: str) -> None:
    assert name_file(identifier, system, ".txt") == name


def test_hostile_ids_give_safe_names_that_never_meet() -> None:
    pairs = [(name, system) for name in HOSTILE for system in (None, "", "s", "../s", "y")]
    names = {pair: name_file(*pair, ".json") for pair in [*pairs, ("x", "y.y"), ("x.y", "y")]}
    assert len({name.lower() for name in names.values()}) == len(names)
    for name in names.values():
        assert re.fullmatch(r"[\w][\w.-]*\.json", name)
        assert len(name.encode()) < 120
        assert name.partition(".")[0].lower() not in {"con", "nul", "com1"}


def test_every_source_is_linked_where_it_is_first_mentioned_and_numbered_from_then_on() -> None:
    record = judged("search-summary")["all-good"].record
    title, url = record.sources[0].title, record.sources[0].url
    for mention in ("S1", f"S1 ({title})", "[1]", title, url, f"[{title}]({url})", f"[see here]({url}) [1]"):
        said = link_sources(
            f"It follows {mention} and S2; again {mention}. “As in [1]” is quoted. S9 is nobody.", record
        )
        assert said == f"It follows {TRIAL} and {NOTES}; again [1]. “As in [1]” is quoted. S9 is nobody.", mention


ID = re.compile(r"(?<![\w.])(?:[ckpqix]\d{1,3}|[Ss]\d{1,3}|(?:S\d{1,3}|O)\.\d{1,4})(?![\w.]*\d)\b")


@pytest.mark.parametrize("rubric", [each.id for each in assay.rubrics() if each.shape is not None])
def test_no_text_of_a_reply_holds_an_id_of_a_unit_a_sentence_or_a_source(rubric: str) -> None:
    for name, card in judged(rubric).items():
        assert not ID.search(format_reply(card)), name


def test_ids_in_the_judges_words_become_the_words_they_stand_for() -> None:
    audit, search = judged("article-audit")["contradicted-number"], judged("search-summary")["all-good"]
    claim = "The extension costs 96 million crowns, of which the state pays two thirds."
    for said, spelt in (
        ("c3 is wrong", f"“{claim}” is wrong"),
        ("S1.4 says 86, see S1", "Article says 86, see Article"),
        ("see S1.2, S1.3 and S1.5", "see Article"),
        ("O.2 leaves it out", "the summary leaves it out"),
        ("c99, S7 and “c3 of S1”", "c99, S7 and “c3 of S1”"),
        ("vitamin C3 and x3.5", "vitamin C3 and x3.5"),
    ):
        assert spell_ids(said, audit) == spelt
    assert spell_ids("S1.2 says so", search) == f"{TRIAL} says so"


def test_a_contradicted_claim_is_unsupported_and_its_justification_says_so() -> None:
    for card in judged("article-audit").values():
        for each in read_audit(card)["hallucination"]["claims_checked"]:
            assert each["status"] in {"Supported", "Partially", "Unsupported"}
    claims = read_audit(judged("article-audit")["contradicted-number"])["hallucination"]["claims_checked"]
    (wrong,) = [each for each in claims if each["status"] == "Unsupported"]
    assert wrong["justification"] == (
        "Contradicted: “The council puts the cost at 86 million crowns” — The article says 86 million, not 96."
    )


def test_the_justification_of_a_point_claim_or_section_is_the_quote_or_the_note() -> None:
    audit = read_audit(judged("article-audit")["contradicted-number"])
    points = {each["coverage"]: each["justification"] for each in audit["coverage"]["key_points"]}
    assert points["Partial"] == "“The work begins in March” — The end of the work is missing."
    assert points["Not"] == "Her objection is missing."
    assert audit["hallucination"]["claims_checked"][1]["justification"] == "“Work starts in March”"
    # Without either, what the label means.
    said = "It is about the theme itself: also its own facts and figures, its causes and what comes of it."
    assert audit["relevance"]["summary_sections"][0]["justification"] == said


def reply_of(name: str, folder: Path) -> str:
    """What `--format reply` writes about a whole reply."""
    return format_reply(judge(name, folder))


def test_a_whole_explanation_keeps_the_models_words_and_adds_the_count_of_code(tmp_path: Path) -> None:
    text = reply_of("s1-four-listed-three", tmp_path)
    assert text.startswith("I evaluate faithfulness:")
    assert text.count('4. "Everyone loves the bass"') == 1
    assert "\nChecked by code:\nthe reply's own number" in text
    assert text.endswith("\nScore- <score>3</score>\n")
    assert text.count("<score>") == 1


@pytest.mark.parametrize("name", ["s1-four-listed-three", "s1-json-with-lists", "s4-two-needless-details"])
def test_a_written_explanation_reads_back_with_the_same_score(name: str, tmp_path: Path) -> None:
    first = judge(name, tmp_path)
    again = judge(name, tmp_path, text=format_reply(first))
    (one,), (other,) = first.outcomes.values(), again.outcomes.values()
    assert isinstance(one, Verdict)
    assert isinstance(other, Verdict)
    assert one.score.value == other.score.value


def test_the_models_reasons_are_kept_with_the_match_and_both_languages(tmp_path: Path) -> None:
    body = json.loads(reply_of("s2-own-words", tmp_path))
    assert body["accuracy"] == 2
    assert body["accuracy_reasoning"].startswith("The workflow answer concludes that the patient is not eligible")
    assert "computed 2, where the model says 5: a mismatch" in body["accuracy_reasoning"]
    assert body["clarity_reasoning"] == "Clear, a little long."
    said = body["language_correction_reasoning"]
    assert said.startswith("User input and response are both in English.")
    assert "question in English, answer in English" in said


def test_a_number_that_the_lists_correct_is_noted_in_its_rationale(tmp_path: Path) -> None:
    coverage = salvage_json(reply_of("s3-sections", tmp_path)).values[0]
    assert coverage["overall_score"] == 7.69
    assert "computed 7.69, where the model says 5.9" in coverage["rationale"]
