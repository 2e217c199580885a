"""Whole replies to the article audit: the spoilt ones end in a status, the sloppy ones in a score that code computed."""

import json
from fractions import Fraction
from typing import Any

import pytest

from foreign.harness import Case, assert_lawful, judge_whole, say_all, wanted

NAME = "article-audit"
# Recall is 2.5 of 4 and nothing is extraneous, so that coverage is 10 · 2 · 0.625 / 1.625.
OBJECTS: dict[str, dict[str, Any]] = {
    "coverage": {
        "metric": "coverage",
        "key_points": [
            {"point": "A new wing opened on Friday", "coverage": "Fully", "justification": "said"},
            {"point": "The wing cost 3 million euros", "coverage": "Fully", "justification": "said"},
            {"point": "Entry is free until the end of May", "coverage": "Partial", "justification": "almost"},
            {"point": "Volunteers moved the paintings", "coverage": "Not", "justification": "left out"},
        ],
        "extraneous": [],
        "precision": 1,
        "recall": 0.625,
        "overall_score": 7.69,
        "rationale": "It misses the volunteers.",
    },
    "alignment": {
        "metric": "alignment",
        "aspects": {"intent": "to report", "stance": "none", "tone": "dry"},
        "deviations": [{"aspect": "focus", "summary_text": "Visitors pay nothing", "issue": "The director is gone."}],
        "overall_score": 8,
        "rationale": "Close to the article.",
    },
    "hallucination": {
        "metric": "hallucination",
        "claims_checked": [
            {"claim": "The museum opened a new wing", "status": "Supported", "justification": "said"},
            {"claim": "The wing cost 3 million euros", "status": "Supported", "justification": "said"},
        ],
        "unsupported_fraction": 0,
        "overall_score": 10,
        "rationale": "All of it is in the article.",
    },
    "relevance": {
        "metric": "relevance",
        "article_theme": "a museum's new wing",
        "summary_sections": [
            {"section": "The wing cost 3 million euros.", "relevance": "High", "justification": "the theme"},
            {"section": "Visitors pay nothing until the end of May.", "relevance": "Some", "justification": "detail"},
        ],
        "overall_score": 7.5,
        "rationale": "On topic.",
    },
    "bias_toxicity": {
        "metric": "bias_toxicity",
        "tone": "neutral",
        "issues_found": [],
        "bias_score": 9,
        "tox_score": 10,
        "overall_score": 9.5,
        "rationale": "Clean.",
    },
}
OK = {
    "coverage": "ok 7.69",
    "alignment": "ok 8",
    "hallucination": "ok 10",
    "relevance": "ok 7.5",
    "bias_toxicity": "ok 9.5",
}


def objects(**changes: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The five objects with some fields changed; None leaves an object out."""
    return [
        {**each, **(changes.get(name) or {})}
        for name, each in OBJECTS.items()
        if name not in changes or changes[name] is not None
    ]


def lines(*parts: object) -> str:
    return "\n".join(json.dumps(part) for part in parts)


def reply(**changes: dict[str, Any] | None) -> str:
    return lines(*objects(**changes))


def without(name: str, *keys: str) -> str:
    kept = {key: value for key, value in OBJECTS[name].items() if key not in keys}
    return lines(*[kept if each["metric"] == name else each for each in objects()])


def claim(text: str, status: str) -> dict[str, str]:
    return {"claim": text, "status": status, "justification": "looked"}


UNSUPPORTED = [claim("The wing cost 3 million euros", "Unsupported"), claim("It opened on Friday", "Supported")]
BRACES = 'A "quoted" {brace} and a ] too: {"metric": "coverage"}'
REPAIRED = {name: line.replace("ok", "repaired") for name, line in OK.items()}
# One object in one line is strict JSON; five of them are no single JSON value, so that reading them is not a repair.
CASES = [
    Case("five objects, as asked for", reply(), OK),
    Case("wrapped in an array", json.dumps(objects()), REPAIRED),
    Case("wrapped in one object", json.dumps({each["metric"]: each for each in objects()}), REPAIRED),
    Case("wrapped in one object without the names", json.dumps(
        {name: {key: value for key, value in each.items() if key != "metric"} for name, each in OBJECTS.items()}
    ), REPAIRED),
    Case("wrapped twice", json.dumps({"evaluation": {"metrics": objects()}}), REPAIRED),
    Case("fenced", f"```json\n{reply()}\n```", REPAIRED),
    Case("comma-separated", ",\n".join(json.dumps(each) for each in objects()), REPAIRED),
    Case("out of order", lines(*reversed(objects())), OK),
    Case("trailing commentary", reply() + "\nOverall the summary is decent, I would say 7 out of 10.", REPAIRED),
    Case("prose before it", "Here are my five scores:\n" + reply(), REPAIRED),
    Case("four objects", reply(relevance=None), {**OK, "relevance": "malformed"}),
    Case("hallucination left out", reply(hallucination=None), {
        "coverage": "ok 7.69 cap_unknown", "alignment": "ok 8", "hallucination": "malformed",
        "relevance": "ok 7.5 cap_unknown", "bias_toxicity": "ok 9.5",
    }),
    Case("the same object twice", lines(*objects(), OBJECTS["alignment"]), REPAIRED),
    Case("two objects that differ", lines(*objects(), {**OBJECTS["alignment"], "overall_score": 3}),
         {**OK, "alignment": "ambiguous"}),
    Case("bias-toxicity", reply(bias_toxicity={"metric": "bias-toxicity"}), OK),
    Case("Bias & Toxicity", reply(bias_toxicity={"metric": "Bias & Toxicity"}), OK),
    Case("braces inside strings", reply(coverage={"rationale": BRACES}, relevance={"article_theme": BRACES}), OK),
    Case("an error object beside the metrics", lines({"error": "no article"}, *objects()), OK),
    Case("an error object alone", '{"error": "the article is missing"}', {}, "refused"),
    Case("a refusal in words", "I'm sorry, but I can't help with evaluating this text.", {}, "refused"),
    Case("a refusal by the endpoint", "No.", {}, "refused", finish_reason="refusal"),
    Case("nothing at all", "", {}, "malformed"),
    Case("prose only", "The summary is fine.", {}, "malformed"),
    Case("prose that was cut off", "The summary is", {}, "truncated", finish_reason="length"),
    Case("cut off inside the fourth object", reply()[: reply().index("Visitors pay nothing until") + 5], {
        **OK, "relevance": "truncated", "bias_toxicity": "truncated",
    }, finish_reason="length"),
    Case("cut off inside the fourth object, and nobody says so",
         reply()[: reply().index("Visitors pay nothing until") + 5],
         {**OK, "relevance": "truncated", "bias_toxicity": "truncated"}),
    Case("cut off between two objects", lines(*objects()[:3]), {
        **OK, "relevance": "truncated", "bias_toxicity": "truncated",
    }, finish_reason="length"),
    Case("a score out of ten in words", reply(alignment={"overall_score": "8/10"}), {**OK, "alignment": "repaired 8"}),
    Case("a score above the scale", reply(alignment={"overall_score": 11}), {**OK, "alignment": "out_of_range"}),
    Case("a score below the scale", reply(bias_toxicity={"tox_score": -1}), {**OK, "bias_toxicity": "out_of_range"}),
    Case("NaN where the judge grades", reply(alignment={"overall_score": float("nan")}),
         {**REPAIRED, "alignment": "malformed"}),
    Case("NaN where code computes", reply(coverage={"overall_score": float("nan")}), REPAIRED),
    Case("percentages for fractions", reply(coverage={"precision": "100%", "recall": "63%"}),
         {**OK, "coverage": "repaired 7.69"}),
    Case("a number as text where code computes", reply(coverage={"overall_score": "7.69/10"}), OK),
    Case("arithmetic that does not follow", reply(coverage={"overall_score": 5.9}, bias_toxicity={"overall_score": 3}),
         {**OK, "coverage": "ok 7.69 arithmetic_corrected", "bias_toxicity": "ok 9.5 arithmetic_corrected"}),
    Case("an unknown label among four", reply(coverage={"key_points": [
        *OBJECTS["coverage"]["key_points"][:3], {"point": "Volunteers helped", "coverage": "Mostly"},
    ]}), {**OK, "coverage": "repaired 8.57 undecided_units arithmetic_corrected"}),
    Case("unknown labels for two of four", reply(coverage={"key_points": [
        *OBJECTS["coverage"]["key_points"][:2],
        {"point": "Volunteers helped", "coverage": "Mostly"}, {"point": "Entry is free", "coverage": "Somewhat"},
    ]}), {**OK, "coverage": "abstained undecided_units"}),
    Case("labels in another case", reply(coverage={"key_points": [
        {"point": "A wing opened", "coverage": "FULLY"}, {"point": "It cost 3 million", "coverage": "fully "},
        {"point": "Entry is free", "coverage": "partially"}, {"point": "Volunteers helped", "coverage": "not-covered"},
    ]}), {**OK, "coverage": "repaired 7.69"}),
    Case("two key points", reply(coverage={"key_points": OBJECTS["coverage"]["key_points"][:2]}),
         {**OK, "coverage": "ok 10 keypoint_count_violation arithmetic_corrected"}),
    Case("eight key points, of which seven count", reply(coverage={"key_points": [
        *[{"point": f"Point {position}", "coverage": "Fully"} for position in range(7)],
        {"point": "One too many", "coverage": "Not"},
    ]}), {**OK, "coverage": "ok 10 keypoint_count_violation arithmetic_corrected"}),
    Case("no key points", reply(coverage={"key_points": []}), {**OK, "coverage": "malformed"}),
    Case("key points left out", without("coverage", "key_points"), {**OK, "coverage": "malformed"}),
    Case("an entry without its text is no key point", reply(coverage={"key_points": [
        *OBJECTS["coverage"]["key_points"], {"point": "", "coverage": "Fully"}, {"point": " ", "coverage": "n/a"}, {},
    ]}), {**OK, "coverage": "repaired 7.69"}),
    Case("an extraneous entry without a text is nothing", reply(coverage={"extraneous": [{"text": "", "issue": ""}]}),
         {**OK, "coverage": "repaired 7.69"}),
    Case("extraneous entries under another key", reply(coverage={"extraneous": [{"words": "3 million euros"}]}),
         {**OK, "coverage": "malformed"}),
    Case("no claims to check", reply(hallucination={"claims_checked": []}), {
        **OK, "coverage": "ok 7.69 cap_unknown", "hallucination": "empty_input", "relevance": "ok 7.5 cap_unknown",
    }),
    Case("no claims to check, but an extraneous text", reply(
        coverage={"extraneous": [{"text": "The wing cost 3 million euros", "issue": "Not in article"}]},
        hallucination={"claims_checked": []},
    ), {
        **OK,
        "coverage": "ok 4 (6.86) capped_extraneous arithmetic_corrected",
        "hallucination": "empty_input",
        "relevance": "ok 4 (7.5) capped_extraneous arithmetic_corrected",
    }),
    Case("a relevance that is neither Some nor None", reply(relevance={"summary_sections": [
        *[{"section": f"Section {position} of it.", "relevance": "High"} for position in range(3)],
        {"section": "Hardly to do with it.", "relevance": "Low"},
    ], "overall_score": 8.75}), {**OK, "relevance": "repaired 8.75 undecided_units"}),
    Case("claims left out", without("hallucination", "claims_checked"), {
        **OK, "coverage": "ok 7.69 cap_unknown", "hallucination": "malformed", "relevance": "ok 7.5 cap_unknown",
    }),
    Case("an unsupported claim that coverage does not list", reply(hallucination={"claims_checked": UNSUPPORTED}), {
        **OK,
        "coverage": "ok 4 (7.69) capped_extraneous arithmetic_corrected",
        "hallucination": "ok 3 arithmetic_corrected",
        "relevance": "ok 4 (7.5) capped_extraneous arithmetic_corrected",
    }),
    Case("an extraneous text that no claim is", reply(coverage={
        "extraneous": [{"text": "The wing cost 3 million euros", "issue": "not in the article"}],
    }), {
        **OK,
        "coverage": "ok 4 (6.86) capped_extraneous arithmetic_corrected",
        "hallucination": "ok 4 (10) capped_extraneous arithmetic_corrected",
        "relevance": "ok 4 (7.5) capped_extraneous arithmetic_corrected",
    }),
    Case("both lists agree", reply(
        coverage={"extraneous": ["The wing cost 3 million euros"], "overall_score": 4},
        hallucination={"claims_checked": UNSUPPORTED, "overall_score": 3}, relevance={"overall_score": 4},
    ), {
        **OK, "coverage": "ok 4 (6.86) capped_extraneous", "hallucination": "ok 3",
        "relevance": "ok 4 (7.5) capped_extraneous",
    }),
    Case("an extraneous text that is nowhere in the summary", reply(
        coverage={"extraneous": [{"text": "A dragon lives there", "issue": "made up"}], "overall_score": 4},
        hallucination={"claims_checked": UNSUPPORTED, "overall_score": 3}, relevance={"overall_score": 4},
    ), {
        **OK, "coverage": "ok 4 (7.17) unlocated_extraneous capped_extraneous", "hallucination": "ok 3",
        "relevance": "ok 4 (7.5) capped_extraneous",
    }),
    Case("an unsupported claim beyond the tenth still caps", reply(hallucination={"claims_checked": [
        *[claim(f"Claim {position}", "Supported") for position in range(10)], claim("The last one", "Unsupported"),
    ], "overall_score": 4}, relevance={"overall_score": 4}, coverage={"overall_score": 4}), {
        **OK,
        "coverage": "ok 4 (7.69) capped_extraneous",
        "hallucination": "ok 4 (9) capped_extraneous",
        "relevance": "ok 4 (7.5) capped_extraneous",
    }),
    Case("a section that has nothing to do with it", reply(relevance={"summary_sections": [
        *[{"section": f"Section {position} of it.", "relevance": "High"} for position in range(3)],
        {"section": "Nothing to do with it.", "relevance": "None"},
    ], "overall_score": 4}), {**OK, "relevance": "ok 4 (7.5) capped_section"}),
    Case("toxicity at its worst with no issue listed", reply(bias_toxicity={"tox_score": 0, "overall_score": 4.5}),
         {**OK, "bias_toxicity": "ok 4.5 polarity_suspect"}),
    Case("toxicity at its best beside a toxic issue", reply(bias_toxicity={
        "issues_found": [{"issue": "pay nothing", "type": "Toxicity", "justification": "rude"}],
    }), {**OK, "bias_toxicity": "ok 9.5 polarity_suspect"}),
    Case("a biased issue beside clean language", reply(bias_toxicity={
        "issues_found": [{"issue": "pay nothing", "type": "Bias", "justification": "slanted"}],
    }), OK),
    Case("too many words about the aspects", reply(alignment={"aspects": {"intent": "word " * 30, "tone": "word " * 30}}),
         {**OK, "alignment": "ok 8 over_word_limit"}),
    Case("the numbers of an example", reply(
        coverage={"overall_score": 5.9}, alignment={"overall_score": 7.4}, hallucination={"overall_score": 4},
        relevance={"overall_score": 3.8}, bias_toxicity={"overall_score": 9},
    ), {
        "coverage": "ok 7.69 arithmetic_corrected echoed_example",
        "alignment": "ok 7.4 echoed_example",
        "hallucination": "ok 10 arithmetic_corrected echoed_example",
        "relevance": "ok 7.5 arithmetic_corrected echoed_example",
        "bias_toxicity": "ok 9.5 arithmetic_corrected echoed_example",
    }),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_whole_reply_comes_to(case, tmp_path):
    card = judge_whole(NAME, tmp_path, case.reply, finish_reason=case.finish_reason)
    assert say_all(card) == wanted(case, NAME)
    assert_lawful(card)
    assert all("whole_reply" in outcome.trail.flags for outcome in card.outcomes.values())


def test_a_list_whose_entries_lack_the_key_of_their_text_is_malformed_and_no_score_of_10(tmp_path):
    points = [{"key_point": f"Point {position}", "coverage": "Fully"} for position in range(4)]
    outcome = judge_whole(NAME, tmp_path, reply(coverage={"key_points": points})).outcomes["coverage"]
    assert (outcome.status, outcome.reason) == ("malformed", "no entry of key_points has the key point")


@pytest.mark.parametrize(
    ("metric", "name", "lost", "text"),
    [
        ("hallucination", "claims_checked", {"status": "Unsupported"}, "claim"),
        ("hallucination", "claims_checked", {"claim": "", "status": "Mostly"}, "claim"),
        ("hallucination", "claims_checked", {"claim": "None", "status": "Unsupported"}, "claim"),
        ("hallucination", "claims_checked", {"justification": "The article says otherwise."}, "claim"),
        ("coverage", "key_points", {"text": "a wing", "coverage": "Not"}, "point"),
        ("coverage", "extraneous", {"text": "", "issue": "Not in article"}, "text"),
        ("relevance", "summary_sections", {"relevance": "None"}, "section"),
    ],
)
def test_an_entry_with_a_bad_label_and_no_text_is_not_left_out_of_the_score(tmp_path, metric, name, lost, text):
    known = OBJECTS[metric][name] or ["The wing cost 3 million euros"]
    outcome = judge_whole(NAME, tmp_path, reply(**{metric: {name: [*known, lost]}})).outcomes[metric]
    assert (outcome.status, outcome.reason) == (
        "malformed",
        f"an entry of {name} that may lower the score has no {text}",
    )


def test_the_error_object_says_why_it_refuses(tmp_path):
    card = judge_whole(NAME, tmp_path, '{"error": "the article is missing"}')
    assert {outcome.reason for outcome in card.outcomes.values()} == {
        "the reply is an error object: the article is missing"
    }


def test_a_number_off_its_scale_is_named(tmp_path):
    card = judge_whole(NAME, tmp_path, reply(bias_toxicity={"tox_score": -1}))
    assert card.outcomes["bias_toxicity"].reason == "tox_score: -1 is not between 0 and 10"


def test_example_numbers_that_follow_from_the_lists_are_no_echo(tmp_path):
    """The numbers of the example may be somebody's honest result."""
    honest = reply(
        coverage={"overall_score": 7.69},
        alignment={"overall_score": 7.4},
        bias_toxicity={"bias_score": 8, "overall_score": 9},
    )
    assert "echoed_example" not in " ".join(say_all(judge_whole(NAME, tmp_path, honest)).values())


def test_an_unsupported_fraction_is_reported_as_the_model_gave_it(tmp_path):
    card = judge_whole(NAME, tmp_path, reply(hallucination={"unsupported_fraction": "20%"}))
    assert card.outcomes["hallucination"].trail.reported["unsupported_fraction"] == 0.2


def test_a_label_that_is_unknown_is_named_and_left_open(tmp_path):
    sections = [
        *({"section": f"Section {position} of it.", "relevance": "High"} for position in range(3)),
        {"section": "Hardly to do with it.", "relevance": "Low"},
    ]
    outcome = judge_whole(NAME, tmp_path, reply(relevance={"summary_sections": sections})).outcomes["relevance"]
    assert [label.label for label in outcome.trail.findings.of("section")] == ["High", "High", "High", "undecided"]
    assert any("Low" in repair for repair in outcome.trail.repairs)
    assert outcome.score.interval == (4, 10), "None would cap it"


@pytest.mark.parametrize(
    ("extraneous", "words", "precision"),
    [
        ([], 0, "1"),
        ([{"text": "The wing cost 3 million euros.", "issue": "made up"}], 6, "19/25"),
        # Without a list of its own, the claims that the reply calls unsupported are the extraneous words.
        (None, 8, "17/25"),
    ],
)
def test_the_replys_own_extraneous_list_alone_is_counted_in_its_precision(extraneous, words, precision, tmp_path):
    claims = [claim("Visitors pay nothing until the end of May.", "Unsupported"), claim("A new wing", "Supported")]
    lists = {"extraneous": extraneous} if extraneous is not None else {}
    own = {key: each for key, each in OBJECTS["coverage"].items() if key != "extraneous"} | lists
    objects = [own, {**OBJECTS["hallucination"], "claims_checked": claims}]
    outcome = judge_whole(NAME, tmp_path, "\n".join(map(json.dumps, objects))).outcomes["coverage"]
    assert outcome.score.figures["precision"] == Fraction(precision)
    assert f"{words} of 25 words unsupported" in outcome.score.derivation
    assert outcome.score.value == 4
