"""Writes the article audit's five objects in order, or the error object where nothing at all was scored."""

from collections.abc import Mapping

from assay.domain.findings import Label
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Metric
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit
from assay.report.json_text import dump
from assay.report.wording import justify, labelled, part_of, resolve, say_grade, say_outcome, score_of

_STATUSES = {"supported": "Supported", "partial": "Partially", "absent": "Unsupported", "contradicted": "Unsupported"}
_ISSUES = {"absent": "Not in article", "contradicted": "The article says otherwise"}


def write_article_audit(card: Scorecard) -> str:
    if not card.scored:
        reasons = dict.fromkeys(say_outcome(outcome) for outcome in card.outcomes.values())
        return dump({"error": "; ".join(reasons)})
    writers = {
        "coverage": _write_coverage,
        "alignment": _write_alignment,
        "hallucination": _write_hallucination,
        "relevance": _write_relevance,
        "bias_toxicity": _write_bias,
    }
    return "".join(
        dump(
            {
                "metric": name,
                **write(card, card.rubric.metric(name), card.outcomes[name]),
                "overall_score": score_of(card.outcomes[name]),
                "rationale": say_grade(card.outcomes[name]),
            }
        )
        for name, write in writers.items()
    )


def _write_coverage(card: Scorecard, metric: Metric, outcome: Outcome) -> dict[str, JSON]:
    """Extraneous is every unsupported claim of the summary, whichever list of a reply it came from."""
    part = part_of(metric, "key_point")
    claims = labelled(card.outcomes["hallucination"], "claim") + labelled(outcome, "claim")
    extraneous = {unit.span or unit.text: (unit, label) for unit, label in claims if label.label in _ISSUES}
    return {
        "key_points": [
            {"point": unit.text, "coverage": resolve(label, part), "justification": label.note}
            for unit, label in labelled(outcome, "key_point")
        ],
        "extraneous": [{"text": unit.text, "issue": _ISSUES[label.label]} for unit, label in extraneous.values()],
        "precision": _figure(outcome, "precision"),
        "recall": _figure(outcome, "recall"),
    }


def _write_alignment(_card: Scorecard, _metric: Metric, outcome: Outcome) -> dict[str, JSON]:
    return {
        "aspects": next(iter(_remarks(outcome, "aspects")), None),
        "deviations": _remarks(outcome, "deviations"),
    }


def _write_hallucination(_card: Scorecard, metric: Metric, outcome: Outcome) -> dict[str, JSON]:
    part = part_of(metric, "claim")
    return {
        "claims_checked": [
            {"claim": unit.text, "status": _STATUSES[resolve(label, part)], "justification": justify(label)}
            for unit, label in _counted(metric, outcome)
        ],
        "unsupported_fraction": _figure(outcome, "unsupported_fraction"),
    }


def _counted(metric: Metric, outcome: Outcome) -> list[tuple[Unit, Label]]:
    """The claims that made the score, as its rule chooses them: by the judge's ranking, then by their order."""
    claims = labelled(outcome, "claim")
    most = int(metric.settings["most claims"])
    if len(claims) <= most:
        return claims
    ranking = next((pick for part in metric.pick_parts if (pick := outcome.trail.findings.picked(part.id))), ())
    places = {unit: place for place, unit in enumerate(dict.fromkeys((*ranking, *(unit.id for unit, _ in claims))))}
    return sorted(claims, key=lambda pair: places[pair[0].id])[:most]


def _write_relevance(_card: Scorecard, metric: Metric, outcome: Outcome) -> dict[str, JSON]:
    part = part_of(metric, "section")
    theme = next(iter(outcome.trail.findings.remarked("theme")), None)
    return {
        "article_theme": theme.fields.get("article_theme") if theme else None,
        "summary_sections": [
            {"section": unit.text, "relevance": resolve(label, part), "justification": label.note}
            for unit, label in labelled(outcome, "section")
        ],
    }


def _write_bias(_card: Scorecard, metric: Metric, outcome: Outcome) -> dict[str, JSON]:
    findings = outcome.trail.findings
    grades: dict[str, JSON] = {}
    for part in metric.grade_parts:
        grade = findings.grade(part.id)
        grades[part.id] = number(grade.level) if grade is not None and isinstance(outcome, Verdict) else None
    return {
        "tone": (findings.picked("tone") or ("unclear",))[0],
        "issues_found": _remarks(outcome, "issues_found"),
        **grades,
    }


def _remarks(outcome: Outcome, part: str) -> list[Mapping[str, JSON]]:
    return [dict(remark.fields) for remark in outcome.trail.findings.remarked(part)]


def _figure(outcome: Outcome, name: str) -> float | None:
    figures = outcome.score.figures if isinstance(outcome, Verdict) else {}
    return round(float(figures[name]), 4) if name in figures else None
