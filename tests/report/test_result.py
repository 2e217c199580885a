"""A result line against the documented shape: every key, its type, and nothing numeric without a verdict."""

import json

import pytest
from cards import card, failure, judged

from assay.domain.outcome import FAILURE_STATUSES
from assay.domain.scorecard import Scorecard
from assay.files.rubrics import open_rubric
from assay.report.result import build_result, encode
from equipment.example_runs import SCRIPTED

VERDICTS = {"ok", "repaired"}
STATUSES = VERDICTS | {"abstained", "empty_input"} | set(FAILURE_STATUSES)
SUPPORTS = {"supported", "partial", "absent", "contradicted", "undecided", "no_fact"}
METRICS = {
    "grounded-answer": ["faithfulness", "answer_relevancy", "completeness", "refusal"],
    "search-summary": ["hallucination", "summary_quality", "answer_relevancy"],
    "comparison-faithfulness": ["faithfulness"],
    "trial-eligibility": ["hallucination", "accuracy", "clarity", "language_correction"],
    "article-audit": ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"],
    "opinion-relevance": ["relevance"],
    "checklist": ["criteria_met"],
}


def read_lines(rubric: str) -> list[tuple[Scorecard, dict]]:
    return [(each, json.loads(encode(build_result(each)))) for each in judged(rubric).values()]


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@pytest.mark.parametrize("rubric", SCRIPTED)
def test_a_line_has_every_documented_key_with_its_type(rubric: str) -> None:
    for made, line in read_lines(rubric):
        assert isinstance(line["record"], str)
        assert isinstance(line["item"], str)
        assert line["system"] is None or isinstance(line["system"], str)
        assert isinstance(line["facets"], dict)
        assert line["run"]
        assert line["judge"] == made.judge
        opened = open_rubric(rubric)
        assert line["rubric"] == {
            "id": rubric,
            "version": opened.version,
            "digest": opened.digest,
            "validated": rubric in {"article-audit", "opinion-relevance"},
        }
        assert list(line["metrics"]) == METRICS[rubric]
        total = line["total"]
        assert list(total) == ["score", "goodness", "scored", "asked"]
        assert total["asked"] == len(METRICS[rubric])
        assert total["scored"] == sum(metric["status"] in VERDICTS for metric in line["metrics"].values())
        if rubric == "search-summary":
            assert total["score"] is None


@pytest.mark.parametrize("rubric", SCRIPTED)
def test_a_metric_has_numbers_exactly_where_it_has_a_verdict(rubric: str) -> None:
    for _, line in read_lines(rubric):
        for metric in line["metrics"].values():
            assert metric["status"] in STATUSES
            scale = metric["scale"]
            assert set(scale) == {"low", "high", "best"}
            assert scale["best"] in {"low", "high"}
            if metric["status"] not in VERDICTS:
                assert all(metric[key] is None for key in ("score", "raw", "interval", "goodness", "derivation"))
                assert metric["reason"]
                continue
            assert metric["reason"] is None
            assert metric["derivation"]
            assert is_number(metric["raw"])
            assert scale["low"] <= metric["score"] <= scale["high"]
            assert metric["interval"][0] <= metric["score"] <= metric["interval"][1]
            share = (metric["score"] - scale["low"]) / (scale["high"] - scale["low"])
            assert metric["goodness"] == pytest.approx(share if scale["best"] == "high" else 1 - share, abs=1e-4)


@pytest.mark.parametrize("rubric", SCRIPTED)
def test_a_finding_points_into_the_output_and_into_the_sources(rubric: str) -> None:
    claims = 0
    for made, line in read_lines(rubric):
        texts = {source.id: source.text for source in made.record.sources} | {"output": made.record.output}
        for metric in line["metrics"].values():
            assert isinstance(metric["reported"], dict)
            assert isinstance(metric["flags"], list)
            assert isinstance(metric["repairs"], list)
            for finding in metric["findings"]:
                assert {"unit", "kind", "text", "output_span", "evidence", "note"} <= set(finding)
                if finding["kind"] == "claim" and rubric != "opinion-relevance":
                    claims += 1
                    assert finding["support"] in SUPPORTS
                if finding["output_span"] is not None and finding["kind"] == "claim":
                    start, end = finding["output_span"]
                    assert 0 <= start < end <= len(made.record.output)
                for evidence in finding["evidence"]:
                    start, end = evidence["span"]
                    assert texts[evidence["source"]][start:end] == evidence["quote"]
    assert claims or rubric in {"opinion-relevance", "checklist"}


def test_a_cap_leaves_the_raw_score_beside_it() -> None:
    line = {made.record.id: line for made, line in read_lines("article-audit")}["extraneous-sentence"]
    metric = line["metrics"]["hallucination"]
    assert metric["score"] == 4 < metric["raw"]
    assert "capped_extraneous" in metric["flags"]


def test_a_result_is_strict_json_whatever_a_model_said() -> None:
    odd = {"score": 10**40, "reason": "half a pair: \ud800", "nested": [{"x": float("nan")}], 3: object}
    made = build_result(card("opinion-relevance", "id \udfff", {"relevance": failure("refused")}))
    metrics = {
        "relevance": made.metrics["relevance"].__class__(**{**_fields(made.metrics["relevance"]), "reported": odd})
    }
    line = json.loads(encode(made.__class__(**{**_fields(made), "metrics": metrics})))
    reported = line["metrics"]["relevance"]["reported"]
    assert line["record"] == "id ?"
    assert reported["score"] == str(10**40)
    assert reported["reason"] == "half a pair: ?"
    assert reported["nested"] == [{"x": None}]


def _fields(value: object) -> dict:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def test_a_result_can_be_had_as_a_dict() -> None:
    made = build_result(card("opinion-relevance", "a", {"relevance": 3}))
    assert made.to_dict()["metrics"]["relevance"]["score"] == 3


def test_a_section_carries_the_share_of_its_stems_that_the_source_holds() -> None:
    made = build_result(judged("article-audit")["extraneous-sentence"])
    shares = [finding["containment"] for finding in made.metrics["relevance"].findings]
    assert max(shares) > 0.9
    assert min(shares) < 0.3
