"""Replies to one ask about one metric: what can be read of them, what is asked again, what they end in."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from assay.domain.parts import GradePart
from assay.domain.scale import Scale
from assay.files.rubrics import open_rubric
from assay.judges.prompted.read import read_bank_reply, read_metrics_reply
from assay.models.chat import Completion
from assay.runner.planning import cut_record, plan_banks, plan_metric
from foreign.harness import ID, assert_lawful, record_of, say, say_all, walk, write_recording

NAME = "article-audit"


def cite(unit: str, sentence: str, quote: str, label: str, **more: Any) -> dict[str, Any]:
    return {"unit": unit, "evidence": [{"sentence": sentence, "quote": quote}], "label": label, "note": "", **more}


CLAIMS = [
    cite(
        "c1",
        "S1.1",
        "opened its new wing on Friday",
        "supported",
        evidence=[
            {"sentence": "S1.1", "quote": "opened its new wing on Friday"},
            {"sentence": "S1.2", "quote": "The wing holds 40 paintings"},
        ],
    ),
    cite("c2", "S1.2", "cost 3 million euros", "supported"),
    cite("c3", "S1.4", "Entry is free until the end of May", "supported"),
]
REPLIES: dict[str, Any] = {
    "key_points": {
        "key_points": [
            {"sentences": ["S1.1"], "text": "A new wing of the museum opened on Friday"},
            {"sentences": ["S1.2"], "text": "The wing cost 3 million euros"},
            {"sentences": ["S1.3"], "text": "Volunteers moved the paintings by hand"},
        ]
    },
    "coverage": {
        "key_points": [
            cite("k1", "O.1", "opened a new wing", "Fully"),
            cite("k2", "O.2", "cost 3 million euros", "Fully"),
            {"unit": "k3", "evidence": [], "label": "Not", "note": "left out"},
        ]
    },
    "alignment": {
        "aspects": {"intent": "to report", "stance": "none", "tone": "dry"},
        "deviations": [{"aspect": "focus", "summary_text": "pay nothing", "issue": "the director is gone"}],
        "grade": 8,
        "reason": "close",
    },
    "hallucination": {"claims": CLAIMS},
    "relevance": {
        "theme": {"article_theme": "a museum's new wing"},
        "sections": [{"unit": f"p{position}", "label": "High", "note": ""} for position in (1, 2, 3)],
    },
    "bias_toxicity": {"tone": "neutral", "issues_found": [], "bias_score": 9, "tox_score": 10, "reason": "clean"},
}
OK = {
    "coverage": "ok 8",
    "alignment": "ok 8",
    "hallucination": "ok 10",
    "relevance": "ok 10",
    "bias_toxicity": "ok 9.5",
}


def judge(folder, ask: str = "", *texts: str, finish_reason: str = "stop"):
    """The scorecard where one ask is answered with these texts, one after another, and the others as they should be."""
    lines = [
        {"record": ID, "ask": name, "text": json.dumps(text if name in text else {name: text})}
        for name, text in REPLIES.items()
        if name != ask
    ]
    lines += [{"record": ID, "ask": ask, "text": text, "finish_reason": finish_reason} for text in texts]
    return walk(NAME, write_recording(folder, lines), record_of(NAME))


def claims(*labels: dict[str, Any]) -> str:
    return json.dumps({"claims": list(labels)})


def labelled(label: str) -> str:
    return claims(*CLAIMS[:2], {**CLAIMS[2], "label": label})


def test_replies_as_they_are_asked_for_need_no_repair(tmp_path):
    card = judge(tmp_path)
    assert say_all(card) == OK
    assert card.total.scored == 5
    assert_lawful(card)


HALLUCINATION = [
    ("under the metric's key", json.dumps({"hallucination": {"claims": CLAIMS}}), "ok 10"),
    ("beside keys that are null", json.dumps({"coverage": None, "hallucination": {"claims": CLAIMS}}), "ok 10"),
    ("without the metric's key", claims(*CLAIMS), "ok 10"),
    ("units by the sentences that they are", claims(*({**c, "unit": f"O.{c['unit'][1:]}"} for c in CLAIMS)), "ok 10"),
    ("bare list", json.dumps(CLAIMS), "repaired 10"),
    ("labels by key", json.dumps({"claims": {each["unit"]: each for each in CLAIMS}}), "repaired 10"),
    ("units by number", claims(*({**each, "unit": int(each["unit"][1:])} for each in CLAIMS)), "ok 10"),
    ("units in brackets", claims(*({**each, "unit": f"[{each['unit'].upper()}]"} for each in CLAIMS)), "ok 10"),
    ("a key in another case", json.dumps({"Claims": CLAIMS}), "repaired 10"),
    ("wrapped under one key", json.dumps({"result": {"claims": CLAIMS}}), "repaired 10"),
    ("wrapped in an array", json.dumps([{"claims": CLAIMS}]), "repaired 10"),
    ("a fence and prose", f"Sure!\n```json\n{claims(*CLAIMS)}\n```\nDone.", "repaired 10"),
    ("thinking text", f"<think>is c1 true?</think>{claims(*CLAIMS)}", "repaired 10"),
    ("single quotes and a trailing comma", str({"claims": CLAIMS})[:-1] + ",}", "repaired 10"),
    ("a unit nobody asked about", claims(*CLAIMS, cite("c9", "S1.1", "opened", "absent")), "repaired 10"),
    ("the same label twice", claims(*CLAIMS, CLAIMS[0]), "ok 10"),
    ("a label in capitals", labelled("SUPPORTED"), "repaired 10"),
    ("a synonym", labelled("fully supported"), "repaired 10"),
    ("unsupported for absent", labelled("Unsupported"), "repaired 4 (5) capped_extraneous"),
    ("a label with a full stop", labelled("“Supported.”"), "repaired 10"),
    ("a label and its explanation", labelled("supported: the article says so"), "ok 8 undecided_units"),
    ("a label taken back", labelled("supported (not)"), "ok 8 undecided_units"),
    ("a label in doubt", labelled("supported?"), "ok 8 undecided_units"),
    ("a list of labels", labelled(["supported", "absent"]), "ok 8 undecided_units"),
    ("a label that can be read and one that can't", claims(*CLAIMS, {**CLAIMS[2], "label": "supported?"}),
     "ok 8 undecided_units"),
    ("supported beside a serious fault",
     claims(*CLAIMS[:2], {**CLAIMS[2], "pieces": [{"words": "nothing", "severity": "serious"}]}),
     "ok 8 undecided_units"),
    ("supported beside a slight fault",
     claims(*CLAIMS[:2], {**CLAIMS[2], "pieces": [{"words": "nothing", "severity": "slight"}]}), "ok 10"),
    ("an unknown label", labelled("mostly"), "ok 8 undecided_units"),
    ("two labels in one", labelled("supported/absent"), "ok 8 undecided_units"),
    ("two labels for one unit", claims(*CLAIMS, {**CLAIMS[2], "label": "absent"}), "ok 8 undecided_units"),
    ("a unit left out", claims(*CLAIMS[:2]), "ok 8 undecided_units"),
    ("two units left out", claims(CLAIMS[0]), "abstained undecided_units"),
    ("undecided", labelled("undecided"), "ok 8 undecided_units"),
    ("undecided throughout", claims(*({**each, "label": "undecided"} for each in CLAIMS)), "abstained undecided_units"),
    ("a quote from nowhere", claims(*CLAIMS[:2], cite("c3", "S1.4", "Entry costs 9 euros", "supported")),
     "ok 8 undecided_units unverifiable_quote"),
    ("a quote with another number", claims(*CLAIMS[:2], cite("c3", "S1.2", "cost 4 million euros", "supported")),
     "ok 8 undecided_units unverifiable_quote"),
    ("a quote from the output only", claims(*CLAIMS[:2], cite("c3", "O.3", "Visitors pay nothing", "supported")),
     "ok 8 undecided_units unverifiable_quote"),
    ("a quote from another sentence",
     claims(*CLAIMS[:2], cite("c3", "S1.1", "free until the end of May", "supported")), "repaired 10"),
    ("no quote for a contradiction", claims(*CLAIMS[:2], {"unit": "c3", "label": "contradicted", "evidence": []}),
     "ok 8 undecided_units unverifiable_quote"),
    ("no quote for an absence", claims(*CLAIMS[:2], {"unit": "c3", "label": "absent"}), "ok 4 (5) capped_extraneous"),
    ("a bare quote for evidence", claims(*CLAIMS[:2], {**CLAIMS[2], "evidence": "free until the end of May"}),
     "repaired 10"),
    ("two objects that differ", claims(*CLAIMS) + claims(*CLAIMS[:2]), "ambiguous undecided_units"),
    ("an error object", '{"error": "too political"}', "refused undecided_units"),
    ("a refusal before labels", f"I'm sorry, but I can't judge this. {claims(*CLAIMS)}", "refused undecided_units"),
    ("a refusal behind labels", f"{claims(*CLAIMS)}\n\nHowever, I am unable to evaluate this content.",
     "refused undecided_units"),
    ("a polite sentence before labels", f"Here is my evaluation: {claims(*CLAIMS)} I hope this helps!", "repaired 10"),
    ("a finding before labels", f"I cannot find any errors in it. {claims(*CLAIMS)}", "repaired 10"),
    ("a refusal inside a note", claims(*CLAIMS[:2], {**CLAIMS[2], "note": "I'm sorry, but I can't judge this."}), "ok 10"),
    ("a refusal", "I'm sorry, but I can't help with that.", "refused undecided_units"),
    ("prose", "All three claims hold.", "malformed undecided_units"),
    ("nothing", "", "malformed undecided_units"),
    ("an empty object", "{}", "malformed undecided_units"),
    ("other keys", '{"labels": []}', "malformed undecided_units"),
    ("labels that are no list", '{"claims": 3}', "malformed undecided_units"),
    ("labels that are all unknown", claims(*({**each, "label": "fine"} for each in CLAIMS)),
     "malformed undecided_units"),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "said"), [row[1:] for row in HALLUCINATION], ids=[row[0] for row in HALLUCINATION])
def test_labels_come_to(reply, said, tmp_path):
    card = judge(tmp_path, "hallucination", reply)
    assert say(card.outcomes["hallucination"]) == said
    assert card.outcomes["alignment"].status == "ok", "one metric's end is only its own"
    assert_lawful(card)


@pytest.mark.parametrize("reply", ["{}", "no", '{"error": "x"}'])
def test_without_claims_the_caps_are_unknown_and_there_is_no_total(reply, tmp_path):
    card = judge(tmp_path, "hallucination", reply)
    assert say(card.outcomes["coverage"]) == "ok 8 cap_unknown"
    assert say(card.outcomes["relevance"]) == "ok 10 cap_unknown"
    assert (card.total.score, card.total.goodness, card.total.scored) == (None, None, 4)


CUT = json.dumps({"claims": CLAIMS})[: json.dumps({"claims": CLAIMS}).index('"c3"') + 2]


def test_a_reply_that_was_cut_off_keeps_its_whole_labels(tmp_path):
    outcome = judge(tmp_path, "hallucination", CUT, finish_reason="length").outcomes["hallucination"]
    assert say(outcome) == "repaired 8 undecided_units"
    assert outcome.score.interval == (4, 10)


def test_a_reply_that_was_cut_off_before_any_label_is_truncated(tmp_path):
    outcome = judge(tmp_path, "hallucination", '{"claims": [{"un', finish_reason="length").outcomes["hallucination"]
    assert outcome.status == "truncated"


def test_what_was_cut_off_is_asked_for_again(tmp_path):
    outcome = judge(tmp_path, "hallucination", CUT, claims(CLAIMS[2])).outcomes["hallucination"]
    assert say(outcome) == "repaired 10"
    assert outcome.trail.repairs == ("cut off", "asked 2 times")


GRADES = [
    ("a whole grade as text", {"grade": "8"}, "repaired 8"),
    ("a grade with its scale", {"grade": "8/10"}, "repaired 8"),
    ("a grade in an object", {"grade": {"level": 8, "reason": "close"}}, "ok 8"),
    ("one decimal", {"grade": 7.5}, "ok 7.5"),
    ("above the scale", {"grade": 11}, "out_of_range"),
    ("below the scale", {"grade": -2}, "out_of_range"),
    ("on another scale", {"grade": "4/5"}, "ambiguous"),
    ("a range", {"grade": "7-8"}, "ambiguous"),
    ("no number", {"grade": "good"}, "malformed"),
    ("null", {"grade": None}, "malformed"),
    ("a flag", {"grade": True}, "malformed"),
    ("a list", {"grade": [8]}, "malformed"),
    ("two levels that differ", {"grade": {"level": 8, "score": 6}}, "ambiguous"),
    ("two levels that agree", {"grade": {"level": 8, "score": 8}}, "ok 8"),
    ("worst with nothing listed", {"grade": 0, "deviations": []}, "ok 0 polarity_suspect"),
    ("best beside a deviation", {"grade": 10}, "ok 10 polarity_suspect"),
    ("best and nothing listed", {"grade": 10, "deviations": []}, "ok 10"),
    ("aspects past their words", {"aspects": {"intent": "a " * 41}}, "ok 8 over_word_limit"),
]


@pytest.mark.parametrize(("change", "said"), [row[1:] for row in GRADES], ids=[row[0] for row in GRADES])
def test_a_grade_comes_to(change, said, tmp_path):
    card = judge(tmp_path, "alignment", json.dumps({**REPLIES["alignment"], **change}))
    assert say(card.outcomes["alignment"]) == said
    assert say(card.outcomes["hallucination"]) == "ok 10"
    assert_lawful(card)


@pytest.mark.parametrize(("said", "read"), [(0.2, None), (0.5, "1/2"), (4.4, "22/5"), (4.5, "9/2"), (4.6, None)])
def test_a_scale_need_not_begin_or_end_at_a_whole_number(said, read):
    rubric, record = open_rubric(NAME), record_of(NAME)
    metric = next(metric for metric in rubric.metrics if metric.id == "alignment")
    scale = Scale(Fraction(1, 2), Fraction(9, 2), "high", 1)
    parts = tuple(replace(part, scale=scale) if isinstance(part, GradePart) else part for part in metric.parts)
    ask = plan_metric(cut_record(record, rubric), replace(metric, parts=parts), ())
    reply = json.dumps({**REPLIES["alignment"], "grade": said})
    (answer,) = read_metrics_reply(Completion(reply, "stop", None, "m"), [ask])
    grade = answer.findings.grade("grade")
    assert (None if grade is None else grade.level) == (None if read is None else Fraction(read))
    assert bool(answer.faults) == (read is None)


def test_a_missing_grade_fails_with_its_own_fault(tmp_path):
    reply = {**REPLIES["bias_toxicity"], "bias_score": 12, "tox_score": "fine"}
    outcome = judge(tmp_path, "bias_toxicity", json.dumps(reply)).outcomes["bias_toxicity"]
    assert outcome.status == "out_of_range"
    assert "bias_score" in outcome.reason


@pytest.mark.parametrize(
    ("reply", "status"),
    [("nothing to add", "malformed"), ('{"error": "no"}', "refused"), ('{"key_points": 4}', "malformed")],
)
def test_a_bank_that_cannot_be_read_fails_only_the_metric_that_needs_it(reply, status, tmp_path):
    card = judge(tmp_path, "key_points", reply)
    assert card.outcomes["coverage"].status == status
    assert card.outcomes["coverage"].reason.startswith("key points could not be generated: ")
    assert {name: say(outcome) for name, outcome in card.outcomes.items() if name != "coverage"} == {
        name: line for name, line in OK.items() if name != "coverage"
    }


WING = cite(
    "c2", "S1.2", "cost 3 million euros", "contradicted", pieces=[{"words": "3 million", "severity": "serious"}]
)
PIECES = [
    ("named words", [{"words": "3 million", "severity": "serious"}], [("3 million", "serious")], "ok 4 (5)"),
    ("two faults", [{"words": "The wing", "severity": "slight"}, {"words": "3 million euros", "severity": "serious"}],
     [("The wing", "slight"), ("3 million euros", "serious")], "ok 4 (5)"),
    ("words elsewhere", [{"words": "40 paintings", "severity": "serious"}], [], "ok 4 (5)"),
    ("no severity", [{"words": "3 million"}], [("3 million", "slight")], "repaired 4 (5)"),
    ("another word for it", [{"words": "3 million", "severity": "Serious."}], [("3 million", "serious")], "ok 4 (5)"),
    ("a bare text", "3 million", [("3 million", "slight")], "repaired 4 (5)"),
    ("texts in a list", ["3 million", "cost"], [("3 million", "slight"), ("cost", "slight")], "repaired 4 (5)"),
    ("the same twice", [{"words": "cost", "severity": "slight"}] * 3, [("cost", "slight")], "ok 4 (5)"),
    ("none", [], [], "ok 4 (5)"),
    ("left out", None, [], "ok 4 (5)"),
    ("not words", [3, {"severity": "serious"}, {"words": " "}], [], "ok 4 (5)"),
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "placed", "said"), [row[1:] for row in PIECES], ids=[row[0] for row in PIECES])
def test_words_at_fault_come_to(pieces, placed, said, tmp_path):
    card = judge(tmp_path, "hallucination", claims(CLAIMS[0], {**WING, "pieces": pieces}, CLAIMS[2]))
    outcome = card.outcomes["hallucination"]
    assert say(outcome) == f"{said} capped_extraneous"
    label = next(label for label in outcome.trail.findings.of("claim") if label.unit == "c2")
    assert [(piece.words, piece.severity) for piece in label.pieces] == placed
    assert all(piece.span.of(card.record.output) == piece.words for piece in label.pieces)
    assert_lawful(card)


def test_slight_pieces_beside_a_supported_label_are_not_kept(tmp_path):
    pieces = [{"words": "3 million", "severity": "slight"}]
    card = judge(tmp_path, "hallucination", claims(CLAIMS[0], {**CLAIMS[1], "pieces": pieces}, CLAIMS[2]))
    assert say(card.outcomes["hallucination"]) == "ok 10"
    assert all(not label.pieces for label in card.outcomes["hallucination"].trail.findings.labels)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (labelled("supported (not)"), "'supported (not)' is more than a label: give the label alone"),
        (claims(*CLAIMS, {**CLAIMS[2], "label": "absent"}), "it has two different labels"),
    ],
)
def test_a_unit_without_a_label_says_what_was_wrong_with_its_labels(reply, why, tmp_path):
    outcome = judge(tmp_path, "hallucination", reply).outcomes["hallucination"]
    (label,) = [label for label in outcome.trail.findings.of("claim") if label.unit == "c3"]
    assert label.note == f"the judge gave no valid label ({why})"


def test_a_refusal_beside_labels_is_asked_again_and_a_judgement_then_counts(tmp_path):
    refusal = f"I'm sorry, but I can't judge this. {claims(*CLAIMS)}"
    outcome = judge(tmp_path, "hallucination", refusal, claims(*CLAIMS)).outcomes["hallucination"]
    assert say(outcome) == "repaired 10"
    assert outcome.trail.repairs == ("asked 2 times",)


STRANGE = {**REPLIES["alignment"], "deviations": [{"what": "the director is gone"}]}


def test_a_list_whose_entries_lack_every_key_asked_for_is_asked_for_again_and_then_no_score(tmp_path):
    outcome = judge_opinions(tmp_path, {"excess": [{"text": "the Dune backpack"}], "reason": "x", "grade": 5})
    assert (outcome.status, outcome.reason) == ("malformed", "no entry of excess has the key words or kind")
    mended = json.dumps({"deviations": [], "grade": 8})
    assert say(judge(tmp_path, "alignment", json.dumps(STRANGE), mended).outcomes["alignment"]) == "repaired 8"


@pytest.mark.parametrize(
    "again",
    [
        '{"grade": 8}',
        '{"alignment": {"reason": "x", "grade": 8}}',
        '{"deviations": null}',
        "As I said.",
        "",
        "I can't.",
    ],
)
def test_a_grade_beside_a_list_that_was_never_readable_is_no_score_where_the_re_ask_brings_no_list(tmp_path, again):
    outcome = judge(tmp_path, "alignment", json.dumps(STRANGE), again).outcomes["alignment"]
    assert (outcome.status, outcome.reason) == (
        "malformed",
        "no entry of deviations has the key aspect or summary_text or issue",
    )


def test_the_words_of_the_pieces_are_the_unsupported_words_of_coverage(tmp_path):
    card = judge(tmp_path, "hallucination", claims(CLAIMS[0], WING, CLAIMS[2]))
    assert card.outcomes["coverage"].score.figures["precision"] == 1 - Fraction(2, 25)
    assert "capped at 4 because c2 is contradicted" in card.outcomes["coverage"].score.derivation


@pytest.mark.parametrize("tone", [["neutral", "hostile"], "neutral (or not)", "neutral?"])
def test_a_choice_that_disagrees_with_itself_is_asked_for_again_and_then_not_taken(tone, tmp_path):
    unclear = json.dumps({**REPLIES["bias_toxicity"], "tone": tone})
    outcome = judge(tmp_path, "bias_toxicity", unclear).outcomes["bias_toxicity"]
    assert outcome.trail.findings.picked("tone") is None
    clear = judge(tmp_path, "bias_toxicity", unclear, '{"tone": "neutral"}').outcomes["bias_toxicity"]
    assert clear.trail.findings.picked("tone") == ("neutral",)


OPINIONS = "opinion-relevance"
POINTS = [
    {"sentences": ["S2.2", "S3.1"], "text": "Keeps the rain out", "direction": "praised", "weight": "main"},
    {"sentences": ["S2.1"], "text": "Soft straps", "direction": "PRAISED", "weight": "Main"},
    {"sentences": ["S4.1"], "text": "A zip broke", "direction": "awful", "weight": "minor"},
    {"sentences": ["S1.1"], "text": "A backpack"},
]


def judge_opinions(folder, relevance: dict[str, Any]):
    labels = [
        cite("i1", "O.1", "keeps the rain out", "stated"),
        cite("i2", "O.1", "soft straps", "stated"),
        {"unit": "i3", "evidence": [], "label": "missed", "note": ""},
        cite("i4", "O.1", "Dune backpack", "general"),
    ]
    lines = [
        {"record": ID, "ask": "items", "text": json.dumps({"items": POINTS})},
        {"record": ID, "ask": "relevance", "text": json.dumps({"relevance": {"items": labels, **relevance}})},
    ]
    return walk(OPINIONS, write_recording(folder, lines), record_of(OPINIONS)).outcomes["relevance"]


def test_items_of_a_bank_have_the_weight_and_direction_they_were_written_with(tmp_path):
    units = judge_opinions(tmp_path, {"excess": [], "reason": "x", "grade": 5}).trail.units
    assert [(unit.weight, unit.direction) for unit in units if unit.kind == "item"] == [
        ("main", "praised"),
        ("main", "praised"),
        ("minor", ""),
        ("main", ""),
    ]


EXCESS = [
    ("nothing", [], "ok 5", 0),
    ("copied words", [{"words": "the Dune backpack", "kind": "redundant"}], "ok 4 (5) computed_differs", 3),
    ("another spelling", [{"words": "THE DUNE  BACKPACK", "kind": "Redundant"}], "repaired 4 (5) computed_differs", 3),
    ("words that are not there", [{"words": "a blue colour", "kind": "unimportant"}], "repaired 5", 0),
    ("a kind that is none", [{"words": "the Dune backpack", "kind": "silly"}], "ok 4 (5) computed_differs", 3),
    ("no list", None, "ok 5", 0),
]


@pytest.mark.parametrize(("excess", "said", "words"), [row[1:] for row in EXCESS], ids=[row[0] for row in EXCESS])
def test_words_in_excess_come_to(excess, said, words, tmp_path):
    outcome = judge_opinions(tmp_path, {"excess": excess, "reason": "all of it", "grade": 5})
    assert say(outcome) == said
    assert outcome.score.figures["excess_share"] == Fraction(words, 14)
    assert outcome.trail.findings.grade("grade").reason == "all of it"


@pytest.mark.parametrize(
    ("picked", "chosen", "said"),
    [
        (["S1", "S2"], ("S1", "S2"), "ok 2"),
        (["s2"], ("S2",), "repaired 2"),
        (["https://clinic.example/gout"], ("S1",), "repaired 2"),
        ([], (), "ok 2"),
        (["S1", "S7"], ("S1",), "repaired 2 unknown_source"),
        (None, None, "ok 2"),
    ],
)
def test_picked_sources_come_to(picked, chosen, said, tmp_path):
    name = "search-summary"
    reply = json.dumps({"relevant_sources": picked, "grade": 2, "reason": "with gaps"})
    recording = write_recording(tmp_path, [{"record": ID, "ask": "answer_relevancy", "text": reply}])
    outcome = walk(name, recording, record_of(name)).outcomes["answer_relevancy"]
    assert outcome.trail.findings.picked("relevant_sources") == chosen
    assert say(outcome) == said


@pytest.mark.parametrize("word", ["likely_eligible", "Likely Eligible", "LIKELY-ELIGIBLE"])
def test_a_determination_is_read_in_any_spelling_where_code_finds_none(word, tmp_path):
    name = "trial-eligibility"
    reply = {"determination": {"determination": word, "quote": "She could well join"}, "grade": 4, "reason": "fine"}
    recording = write_recording(tmp_path, [{"record": ID, "ask": "accuracy", "text": json.dumps(reply)}])
    card = walk(name, recording, record_of(name, workflow_answer="She could well join, I should think."))
    assert card.facts["determination"].value == "likely_eligible"
    assert say(card.outcomes["accuracy"]).startswith(("ok 4", "repaired 4"))


def test_a_determination_whose_quote_is_not_in_the_answer_does_not_count(tmp_path):
    name = "trial-eligibility"
    reply = {"determination": {"determination": "likely_eligible", "quote": "She fits"}, "grade": 4, "reason": "fine"}
    recording = write_recording(tmp_path, [{"record": ID, "ask": "accuracy", "text": json.dumps(reply)}])
    card = walk(name, recording, record_of(name, workflow_answer="She could well join, I should think."))
    assert say(card.outcomes["accuracy"]) == "ok 4 undetermined", "what nobody knows sets no limit"


def test_several_sentences_named_in_one_text_are_several():
    rubric = open_rubric("opinion-relevance")
    [ask] = plan_banks(record_of(rubric.id), rubric, rubric.banks[0])
    named = [{"sentences": "S1.1, S2.1", "text": "Light"}, {"sentences": ["S1.2,", "S3.1"], "text": "Dear"}]
    answer = read_bank_reply(Completion(json.dumps({"items": named}), "stop", None, "m"), ask)
    assert [unit.sentences for unit in answer.written] == [("S1.1", "S2.1"), ("S1.2", "S3.1")]


def test_evidence_without_measure_is_not_looked_for(tmp_path):
    many = [{"sentence": "S1.1", "quote": f"opened its new wing on Friday the {number}th"} for number in range(5_000)]
    long = [{"sentence": "S1.1", "quote": "opened its new wing on Friday " * 1_000}]
    for evidence in (many, long):
        text = claims({**CLAIMS[0], "evidence": evidence}, *CLAIMS[1:])
        outcome = judge(tmp_path, "hallucination", text, text, text).outcomes["hallucination"]
        assert "evidence without measure dropped" in outcome.trail.repairs
        label = next(each for each in outcome.trail.findings.labels if each.unit == "c1")
        assert not label.decided
