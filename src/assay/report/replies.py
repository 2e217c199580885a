"""Writes a scorecard in the reply shape of its rubric, with our computed numbers in it."""

from collections.abc import Callable, Mapping

import orjson

from assay.checks.citations import choose_relevant, cite, number_sources
from assay.domain.findings import UNDECIDED, Findings, Label
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Verdict
from assay.domain.record import Record, Source
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit

_STATUSES = {"supported": "Supported", "partial": "Partially", UNDECIDED: "Partially"}
_ISSUES = {"absent": "Not in article", "contradicted": "The article says otherwise"}


def render_reply(card: Scorecard) -> str:
    if card.rubric.shape is None:
        raise AssertionError("a rubric without a reply shape is refused before a run")
    return _RENDERERS[card.rubric.shape](card)


def _score(outcome: Outcome) -> int | float | None:
    return number(outcome.score.value) if isinstance(outcome, Verdict) else None


def _figure(outcome: Outcome, name: str) -> float | None:
    figures = outcome.score.figures if isinstance(outcome, Verdict) else {}
    return round(float(figures[name]), 4) if name in figures else None


def _say(outcome: Outcome) -> str:
    """The derivation of a score, or why there is none."""
    return (
        outcome.score.derivation if isinstance(outcome, Verdict) else f"not scored: {outcome.status}: {outcome.reason}"
    )


def _labelled(outcome: Outcome, kind: str) -> list[tuple[Unit, Label]]:
    labels = {label.unit: label for label in outcome.trail.findings.of(kind)}
    return [(unit, labels[unit.id]) for unit in outcome.trail.units if unit.id in labels]


def _remarks(findings: Findings, part: str) -> list[JSON]:
    return [dict(remark.fields) for remark in findings.remarked(part)]


def _dump(value: Mapping[str, JSON]) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def _write_article_audit(card: Scorecard) -> str:
    """Five objects in order; the error object only where nothing at all was scored."""
    if not card.scored:
        reasons = {f"{outcome.status}: {_reason(outcome)}" for outcome in card.outcomes.values()}
        return _dump({"error": "; ".join(sorted(reasons))}) + "\n"
    outcomes = card.outcomes
    claims = [pair for pair in _labelled(outcomes["hallucination"], "claim")]
    coverage, alignment = outcomes["coverage"], outcomes["alignment"]
    objects: list[Mapping[str, JSON]] = [
        {
            "metric": "coverage",
            "key_points": [
                {"point": unit.text, "coverage": _plain(label, "Not"), "justification": label.note}
                for unit, label in _labelled(coverage, "key_point")
            ],
            "extraneous": [
                {"text": unit.text, "issue": _ISSUES[label.label]} for unit, label in claims if label.label in _ISSUES
            ],
            "precision": _figure(coverage, "precision"),
            "recall": _figure(coverage, "recall"),
            **_closing(coverage),
        },
        {
            "metric": "alignment",
            "aspects": next(iter(_remarks(alignment.trail.findings, "aspects")), None),
            "deviations": _remarks(alignment.trail.findings, "deviations"),
            **_closing(alignment),
        },
        {
            "metric": "hallucination",
            "claims_checked": [
                {
                    "claim": unit.text,
                    "status": _STATUSES.get(label.label, "Unsupported"),
                    "justification": _justify(label),
                }
                for unit, label in claims
            ],
            "unsupported_fraction": _figure(outcomes["hallucination"], "unsupported_fraction"),
            **_closing(outcomes["hallucination"]),
        },
        _relevance_object(outcomes["relevance"]),
        _bias_object(outcomes["bias_toxicity"]),
    ]
    return "\n".join(_dump(each) for each in objects) + "\n"


def _relevance_object(outcome: Outcome) -> Mapping[str, JSON]:
    theme = next(iter(outcome.trail.findings.remarked("theme")), None)
    return {
        "metric": "relevance",
        "article_theme": theme.fields.get("article_theme") if theme else None,
        "summary_sections": [
            {"section": unit.text, "relevance": _plain(label, "Some"), "justification": label.note}
            for unit, label in _labelled(outcome, "section")
        ],
        **_closing(outcome),
    }


def _bias_object(outcome: Outcome) -> Mapping[str, JSON]:
    findings = outcome.trail.findings
    grades: dict[str, JSON] = {}
    for name in ("bias_score", "tox_score"):
        grade = findings.grade(name)
        grades[name] = number(grade.level) if grade is not None and isinstance(outcome, Verdict) else None
    return {
        "metric": "bias_toxicity",
        "tone": (findings.picked("tone") or ("unclear",))[0],
        "issues_found": _remarks(findings, "issues_found"),
        **grades,
        **_closing(outcome),
    }


def _closing(outcome: Outcome) -> dict[str, JSON]:
    return {"overall_score": _score(outcome), "rationale": _say(outcome)}


def _reason(outcome: Outcome) -> str:
    return "" if isinstance(outcome, Verdict) else outcome.reason


def _plain(label: Label, instead: str) -> str:
    return label.label if label.decided else instead


def _justify(label: Label) -> str:
    quotes = "; ".join(f"{each.source}: “{each.quote}”" for each in label.evidence)
    return " — ".join(part for part in (quotes, label.note) if part)


def _write_search_summary(card: Scorecard) -> str:
    record, outcomes = card.record, card.outcomes
    numbers = number_sources(record)
    relevancy = outcomes["answer_relevancy"]
    claims = outcomes["hallucination"].trail.findings.of("claim")
    relevant = choose_relevant(record, relevancy.trail.findings.picked("relevant_sources") or (), claims or None)
    cited = ", ".join(cite(source, numbers[source.id]) for source in relevant)
    grade = relevancy.trail.findings.grade("grade")
    said = (
        f"{grade.reason} {cited}".strip() if grade is not None and isinstance(relevancy, Verdict) else _say(relevancy)
    )
    listed: list[JSON] = [
        {"number": numbers[source.id], "title": source.title or "", "url": source.url or ""} for source in relevant
    ]
    quality = _score(outcomes["summary_quality"])
    body: dict[str, JSON] = {
        "hallucination_evaluation": {
            "hallucination_score": _score(outcomes["hallucination"]),
            "hallucination_justification": _justify_hallucination(outcomes["hallucination"], record, numbers),
        },
        "summary_quality_evaluation": {
            "summary_quality_score": None if quality is None else f"{quality}%",
            "questions_and_answers": [
                _questions_of(source, outcomes["summary_quality"]) for source in record.sources if source.text.strip()
            ],
            **({} if quality is not None else {"reason": _say(outcomes["summary_quality"])}),
        },
        "answer_relevancy_evaluation": {
            "relevancy_score": _score(relevancy),
            "relevancy_justification": said,
            "relevant_search_result_urls": [source.url or "" for source in relevant],
            "relevant_sources": listed,
        },
    }
    return _dump(body) + "\n"


def _justify_hallucination(outcome: Outcome, record: Record, numbers: Mapping[str, int]) -> str:
    if not isinstance(outcome, Verdict):
        return _say(outcome)
    doubtful = [(unit, label) for unit, label in _labelled(outcome, "claim") if label.label != "supported"]
    if not doubtful and "reported_only" in outcome.trail.flags:
        return str(outcome.trail.reported.get("reason") or _say(outcome))
    if not doubtful:
        used = {each.source for label in outcome.trail.findings.of("claim") for each in label.evidence}
        named = ", ".join(cite(source, numbers[source.id]) for source in record.sources if source.id in used)
        return f"All claims are supported by the results. {named}".strip()
    lines = []
    for unit, label in doubtful:
        sources = {each.source for each in label.evidence}
        named = ", ".join(cite(source, numbers[source.id]) for source in record.sources if source.id in sources)
        quotes = "; ".join(f"“{each.quote}”" for each in label.evidence)
        severity = f", {label.qualifier}" if label.qualifier else ""
        why = " ".join(part for part in (label.note, quotes, named) if part)
        lines.append(f"“{unit.text}”: {label.label}{severity}. {why}".strip())
    return " ".join(lines)


def _questions_of(source: Source, outcome: Outcome) -> JSON:
    return {
        "text_url": source.url or "",
        "questions": [
            {
                "question": unit.text,
                "is_answered": label.label in {"full", "partial"},
                "answer_justification": _justify(label) or label.label,
            }
            for unit, label in _labelled(outcome, "question")
            if source.id in unit.sources
        ],
    }


def _write_trial_eligibility(card: Scorecard) -> str:
    body: dict[str, JSON] = {}
    for name in ("hallucination", "accuracy", "clarity", "language_correction"):
        outcome = card.outcomes[name]
        grade = outcome.trail.findings.grade("grade")
        reason = f"{grade.reason} " if grade is not None and grade.reason and isinstance(outcome, Verdict) else ""
        body |= {name: _score(outcome), f"{name}_reasoning": f"{reason}({_say(outcome)})" if reason else _say(outcome)}
    return _dump(body) + "\n"


def _write_comparison(card: Scorecard) -> str:
    outcome = card.outcomes["faithfulness"]
    items = _labelled(outcome, "claim")
    unsupported = [f"{_place(unit)}{unit.text} ({label.label}. {_justify(label)})" for unit, label in items
                   if label.label != "supported"]  # fmt: skip
    lists = {
        "Items in the comparison": [f"{_place(unit)}{unit.text}" for unit, _ in items],
        "Unsupported items": unsupported,
    }
    return _write_explanation("Faithfulness: can every item be verified in the products' data?", lists, outcome)


def _write_opinion(card: Scorecard) -> str:
    outcome = card.outcomes["relevance"]
    items = _labelled(outcome, "item")
    claims = _labelled(outcome, "claim")
    lists = {
        "Important items in the input": [unit.text for unit, _ in items],
        "Important items in the summary": [unit.text for unit, label in claims if label.label == "important"],
        "Matched items": [unit.text for unit, label in items if label.label == "covered"],
        "Excess items": [unit.text for unit, label in claims if label.label in {"excess", "redundant"}],
    }
    return _write_explanation("Relevance: does the summary select what matters, and only that?", lists, outcome)


def _place(unit: Unit) -> str:
    return f"{unit.context}: " if unit.context else ""


def _write_explanation(metric: str, lists: Mapping[str, list[str]], outcome: Outcome) -> str:
    lines = [metric, ""]
    for title, entries in lists.items():
        lines += [f"{title}:", *(f"{at}. {' '.join(each.split())}" for at, each in enumerate(entries, 1))]
        lines += [*([] if entries else ["None"]), ""]
    score = _score(outcome)
    lines += [_say(outcome), "", f"Score- <score>{score}</score>" if score is not None else "Score- null", ""]
    return "\n".join(lines)


_RENDERERS: Mapping[str, Callable[[Scorecard], str]] = {
    "article-audit": _write_article_audit,
    "comparison-faithfulness": _write_comparison,
    "opinion-relevance": _write_opinion,
    "search-summary": _write_search_summary,
    "trial-eligibility": _write_trial_eligibility,
}
