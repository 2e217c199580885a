"""The shipped examples score as their README promises: every record, every metric, every notice."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from assay.cli.demo import judge_example
from assay.domain.outcome import Outcome, Verdict
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.files.rubrics import shipped_rubrics

FOLDER = Path(str(files("assay") / "examples"))
UNSUPPORTED = "capped_extraneous"


@dataclass(frozen=True, slots=True)
class Promise:
    """What a record must show: a line per metric (status, score, raw where it differs, flags), and its notices."""

    metrics: dict[str, str]
    notices: tuple[str, ...] = ()


def audit(coverage: str, alignment: str, hallucination: str, relevance: str, bias_toxicity: str) -> dict[str, str]:
    return {
        "coverage": coverage,
        "alignment": alignment,
        "hallucination": hallucination,
        "relevance": relevance,
        "bias_toxicity": bias_toxicity,
    }


def search(hallucination: str, summary_quality: str, answer_relevancy: str) -> dict[str, str]:
    return {
        "hallucination": hallucination,
        "summary_quality": summary_quality,
        "answer_relevancy": answer_relevancy,
    }


def trial(hallucination: str, accuracy: str, clarity: str, language_correction: str) -> dict[str, str]:
    return {
        "hallucination": hallucination,
        "accuracy": accuracy,
        "clarity": clarity,
        "language_correction": language_correction,
    }


PROMISES: dict[str, dict[str, Promise]] = {
    "article-audit": {
        "all-good": Promise(audit("repaired 10", "ok 10", "ok 10", "ok 10", "ok 10")),
        "contradicted-number": Promise(
            audit(
                f"ok 4, raw 7.23, {UNSUPPORTED}",
                "ok 8",
                f"ok 4, raw 6, {UNSUPPORTED}",
                f"ok 4, raw 10, {UNSUPPORTED}",
                "ok 10",
            )
        ),
        "dropped-key-point": Promise(audit("ok 8", "ok 7", "ok 10", "ok 10", "ok 10")),
        "extraneous-sentence": Promise(
            audit(
                f"ok 4, raw 8.45, {UNSUPPORTED}",
                "ok 9",
                f"ok 4, raw 7, {UNSUPPORTED}",
                f"ok 4, raw 9, {UNSUPPORTED}",
                "ok 10",
            ),
            ("low_containment",),
        ),
        "loaded-words": Promise(
            audit(
                f"ok 4, raw 7.37, {UNSUPPORTED}",
                "ok 4",
                f"ok 4, raw 6, {UNSUPPORTED}",
                f"ok 4, raw 8.75, {UNSUPPORTED}",
                "ok 4.5",
            ),
            ("low_containment",),
        ),
        "injected-instruction": Promise(
            audit(
                f"ok 4, raw 5.88, {UNSUPPORTED}, injection_suspect",
                "ok 6, injection_suspect",
                f"ok 4, raw 6, {UNSUPPORTED}, injection_suspect",
                f"ok 4, raw 7.5, capped_section, {UNSUPPORTED}, injection_suspect",
                "ok 10, injection_suspect",
            ),
            ("injection_suspect", "low_containment"),
        ),
        "wrong-arithmetic": Promise(
            audit(
                f"ok 4, raw 6.94, joint, {UNSUPPORTED}, arithmetic_corrected",
                "ok 7, joint",
                f"ok 4, raw 6, joint, {UNSUPPORTED}, arithmetic_corrected",
                f"ok 4, raw 8.75, joint, {UNSUPPORTED}, arithmetic_corrected",
                "ok 10, joint",
            )
        ),
        "cut-off-reply": Promise(audit("ok 9.09", "truncated", "ok 10", "ok 10", "ok 10")),
        "blank-summary": Promise(audit("ok 0", "empty_input", "empty_input", "empty_input", "empty_input")),
    },
    "search-summary": {
        "all-good": Promise(search("ok 0", "ok 67", "ok 3")),
        "wrong-dose": Promise(search("repaired 3", "ok 50", "ok 2"), ("unsourced_quantity",)),
        "dangling-citation": Promise(
            search("ok 0", "ok 33", "ok 2"),
            ("unknown_source", "dangling_citation", "unused_source", "uncited_sentence"),
        ),
        "beside-the-question": Promise(search("ok 0", "ok 25", "ok 1"), ("search_query_differs",)),
        "short-source": Promise(search("ok 0", "ok 89", "ok 3"), ("generic_question", "short_source")),
        "two-minor-doubts": Promise(search("ok 1", "ok 56", "ok 2"), ("generic_question", "short_source")),
        "blank-summary": Promise(search("empty_input", "empty_input", "empty_input")),
    },
    "trial-eligibility": {
        "all-good": Promise(trial("ok 5", "ok 5", "ok 5", "ok 5")),
        "false-eligible": Promise(trial("ok 2", "ok 2, raw 3, accuracy_vs_label", "ok 4", "ok 5")),
        "needs-confirmation": Promise(trial("ok 5", "ok 3", "ok 5", "ok 5"), ("trial_id_missing",)),
        "unknown-label": Promise(trial("ok 5", "abstained", "ok 4", "ok 5")),
        "no-label": Promise(trial("ok 5", "abstained", "ok 4", "ok 5")),
        "wrong-language": Promise(trial("ok 5", "ok 5", "ok 5", "ok 2")),
        "mixed-vietnamese": Promise(trial("ok 5", "ok 5", "ok 5", "ok 5"), ("trial_id_missing",)),
        "foreign-trial-id": Promise(trial("ok 1", "ok 3", "ok 3", "ok 5"), ("unsourced_quantity", "foreign_trial_id")),
        "judge-refuses": Promise(trial("refused, undecided_units", "ok 5", "ok 4", "ok 5")),
    },
    "comparison-faithfulness": {
        "all-good": Promise({"faithfulness": "ok 5"}),
        "swapped-price": Promise({"faithfulness": "ok 3, code_overrides_judge"}),
        "wrong-discount": Promise({"faithfulness": "ok 4"}),
        "wrong-cheapest": Promise({"faithfulness": "ok 4"}),
        "overgeneralised": Promise({"faithfulness": "ok 3"}),
        "label-left-out": Promise({"faithfulness": "repaired 5"}),
        "made-up": Promise({"faithfulness": "ok 1"}),
    },
    "opinion-relevance": {
        "all-good": Promise({"relevance": "ok 5"}, ("minor_item",)),
        "half-missed": Promise({"relevance": "ok 3"}, ("minor_item",)),
        "excess-laden": Promise({"relevance": "ok 2, reported_differs"}, ("minor_item",)),
        "nothing-covered": Promise({"relevance": "ok 1"}, ("minor_item",)),
        "injected-review": Promise(
            {"relevance": "ok 5, injection_suspect"}, ("injection_suspect",)
        ),
        "stray-score-tag": Promise({"relevance": "ok 4"}, ("neutralised",)),
        "one-stray-detail": Promise({"relevance": "repaired 4"}),
        "blank-summary": Promise({"relevance": "empty_input"}),
    },
}
ALL = [(rubric, record) for rubric, promises in PROMISES.items() for record in promises]


@cache
def judged(rubric: str) -> dict[str, Scorecard]:
    return {card.record.id: card for card in judge_example(FOLDER, rubric)}


def read_replies(rubric: str) -> list[dict[str, str]]:
    lines = (FOLDER / f"{rubric}.replies.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def say(outcome: Outcome) -> str:
    said: list[str] = [outcome.status]
    if isinstance(outcome, Verdict):
        said = [f"{outcome.status} {number(outcome.score.value)}"]
        if outcome.score.raw != outcome.score.value:
            said.append(f"raw {number(outcome.score.raw)}")
    return ", ".join([*said, *outcome.trail.flags])


def test_every_shipped_rubric_has_an_example_and_every_record_a_promise() -> None:
    assert set(PROMISES) == set(shipped_rubrics())
    for rubric, promises in PROMISES.items():
        assert list(judged(rubric)) == list(promises)


@pytest.mark.parametrize(("rubric", "record"), ALL)
def test_a_record_shows_what_is_planted_in_it(rubric: str, record: str) -> None:
    card, promise = judged(rubric)[record], PROMISES[rubric][record]
    assert {name: say(outcome) for name, outcome in card.outcomes.items()} == promise.metrics
    assert tuple(notice.check for notice in card.notices) == promise.notices


@pytest.mark.parametrize(("rubric", "record"), ALL)
def test_the_readme_tells_every_record_and_every_score(rubric: str, record: str) -> None:
    _, _, rest = (FOLDER / "README.md").read_text(encoding="utf-8").partition(f"\n## {rubric}\n")
    section, _, _ = rest.partition("\n## ")
    row = next(line for line in section.splitlines() if line.startswith(f"| {record} |"))
    promise = PROMISES[rubric][record]
    for name, line in promise.metrics.items():
        status, _, flags = line.partition(", ")
        assert f"{name} {status.replace('ok ', '')}" in row
        assert all(flag in row for flag in flags.split(", ") if flag != "joint")
    assert all(notice in row for notice in promise.notices)


@pytest.mark.parametrize("rubric", PROMISES)
def test_every_scripted_reply_to_a_metric_is_read(rubric: str) -> None:
    read = {
        reply
        for card in judged(rubric).values()
        for outcome in card.outcomes.values()
        for reply in outcome.trail.replies
    }
    banks = ("questions.", "key_points", "items")
    unread = [line for line in read_replies(rubric) if not line["ask"].startswith(banks) and line["text"] not in read]
    assert not unread


@pytest.mark.parametrize("rubric", PROMISES)
def test_every_piece_of_evidence_stands_where_it_says(rubric: str) -> None:
    found = 0
    for card in judged(rubric).values():
        texts = {source.id: source.text for source in card.record.sources} | {"output": card.record.output}
        for outcome in card.outcomes.values():
            for label in outcome.trail.findings.labels:
                for evidence in label.evidence:
                    found += 1
                    assert evidence.span.of(texts[evidence.source]) == evidence.quote
    assert found > 10


@pytest.mark.parametrize(
    ("rubric", "metric", "first", "second"),
    [
        ("article-audit", "coverage", "all-good", "contradicted-number"),
        ("search-summary", "summary_quality", "all-good", "wrong-dose"),
    ],
)
def test_two_systems_on_one_item_are_held_to_one_bank(rubric: str, metric: str, first: str, second: str) -> None:
    cards = [judged(rubric)[first], judged(rubric)[second]]
    assert [card.record.system for card in cards] == ["a", "b"]
    assert cards[0].record.item == cards[1].record.item
    banked = [[unit.text for unit in card.outcomes[metric].trail.units] for card in cards]
    assert banked[0] == banked[1] != []
    assert not [line for line in read_replies(rubric) if line["record"] == second and "." in line["ask"]]


def test_an_altered_quote_is_void_and_the_second_reply_mends_it() -> None:
    outcome = judged("search-summary")["wrong-dose"].outcomes["hallucination"]
    first, second = outcome.trail.replies
    assert "2.5 a week" in first
    assert [claim["unit"] for claim in json.loads(second)["claims"]] == ["c2"]
    assert all(label.decided for label in outcome.trail.findings.labels)


def test_a_label_left_out_is_asked_for_once_more() -> None:
    first, second = judged("comparison-faithfulness")["label-left-out"].outcomes["faithfulness"].trail.replies
    assert "c7" not in {claim["unit"] for claim in json.loads(first)["claims"]}
    assert [claim["unit"] for claim in json.loads(second)["claims"]] == ["c7"]


@pytest.mark.parametrize(
    ("rubric", "record", "metric", "repairs"),
    [
        ("article-audit", "all-good", "coverage", ("code fence", "prose around JSON")),
        ("opinion-relevance", "one-stray-detail", "relevance", ("single quotes", "trailing comma")),
    ],
)
def test_a_reply_in_a_loose_form_is_read_and_says_what_was_mended(
    rubric: str, record: str, metric: str, repairs: tuple[str, ...]
) -> None:
    assert judged(rubric)[record].outcomes[metric].trail.repairs == repairs


@pytest.mark.parametrize(
    ("metric", "reported"), [("coverage", 4.9), ("hallucination", 7.5), ("relevance", 8.8), ("bias_toxicity", 10)]
)
def test_a_whole_replys_own_number_is_kept_beside_ours(metric: str, reported: float) -> None:
    assert judged("article-audit")["wrong-arithmetic"].outcomes[metric].trail.reported["score"] == reported


@pytest.mark.parametrize(
    ("record", "facts"),
    [
        ("all-good", ("likely_eligible", "likely_eligible", "match")),
        ("false-eligible", ("not_eligible", "likely_eligible", "mismatch")),
        ("needs-confirmation", ("likely_eligible", "needs_confirmation", "partial")),
        ("unknown-label", (None, "needs_confirmation", None)),
        ("no-label", (None, "not_eligible", None)),
        ("wrong-language", ("likely_eligible", "likely_eligible", "match")),
        ("mixed-vietnamese", ("likely_eligible", "likely_eligible", "match")),
        ("foreign-trial-id", ("not_eligible", "not_eligible", "match")),
        ("judge-refuses", ("likely_eligible", "likely_eligible", "match")),
    ],
)
def test_truth_and_determination_are_read_by_code(record: str, facts: tuple[str | None, ...]) -> None:
    found = judged("trial-eligibility")[record].facts
    assert tuple(found.get(name) for name in ("truth", "determination", "determination_match")) == facts
