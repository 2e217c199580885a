"""Writes the search summary's one object of three evaluations, every source with its title, address and number."""

from collections.abc import Mapping

from assay.checks.citations import cite, number_sources
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Verdict
from assay.domain.parts import LabelPart
from assay.domain.record import Record, Source
from assay.domain.scorecard import Scorecard
from assay.report.json_text import dump
from assay.report.wording import (
    find_relevant,
    justify,
    labelled,
    list_sources,
    part_of,
    resolve,
    say_outcome,
    score_of,
)


def write_search_summary(card: Scorecard) -> str:
    numbers = number_sources(card.record)
    return dump(
        {
            "hallucination_evaluation": {
                "hallucination_score": score_of(card.outcomes["hallucination"]),
                "hallucination_justification": _justify_claims(card, numbers),
            },
            "summary_quality_evaluation": _write_quality(card),
            "answer_relevancy_evaluation": _write_relevancy(card, numbers),
        }
    )


def _write_quality(card: Scorecard) -> Mapping[str, JSON]:
    outcome = card.outcomes["summary_quality"]
    score = score_of(outcome)
    part = part_of(card.rubric.metric("summary_quality"), "question")
    groups = [_list_questions(source, outcome, part) for source in card.record.sources if source.text.strip()]
    body: dict[str, JSON] = {
        "summary_quality_score": None if score is None else f"{score}%",
        "questions_and_answers": groups,
    }
    return body if score is not None else {**body, "reason": say_outcome(outcome)}


def _list_questions(source: Source, outcome: Outcome, part: LabelPart) -> JSON:
    return {
        "text_url": source.url or "",
        "questions": [
            {
                "question": unit.text,
                "is_answered": part.value(resolve(label, part)) > 0,
                "answer_justification": justify(label) or label.label,
            }
            for unit, label in labelled(outcome, "question")
            if source.id in unit.sources
        ],
    }


def _write_relevancy(card: Scorecard, numbers: Mapping[str, int]) -> Mapping[str, JSON]:
    outcome = card.outcomes["answer_relevancy"]
    relevant = find_relevant(card) or []
    grade = outcome.trail.findings.grade("grade")
    said = say_outcome(outcome)
    if grade is not None and isinstance(outcome, Verdict):
        said = " ".join(part for part in (grade.reason, _cite(relevant, numbers)) if part) or said
    return {
        "relevancy_score": score_of(outcome),
        "relevancy_justification": said,
        "relevant_search_result_urls": [source.url or "" for source in relevant],
        "relevant_sources": list_sources(relevant, numbers),
    }


def _justify_claims(card: Scorecard, numbers: Mapping[str, int]) -> str:
    outcome = card.outcomes["hallucination"]
    if not isinstance(outcome, Verdict):
        return say_outcome(outcome)
    if "reported_only" in outcome.trail.flags:
        return str(outcome.trail.reported.get("reason") or say_outcome(outcome))
    claims = labelled(outcome, "claim")
    doubtful = [(unit, label) for unit, label in claims if label.label != "supported"]
    if not doubtful:
        used = {each.source for _, label in claims for each in label.evidence}
        return f"All claims are supported by the results. {_cite(_choose(card.record, used), numbers)}".strip()
    lines = []
    for unit, label in doubtful:
        sources = _choose(card.record, {each.source for each in label.evidence})
        quotes = "; ".join(f"“{each.quote}”" for each in label.evidence)
        severity = f", {label.qualifier}" if label.qualifier else ""
        why = " ".join(part for part in (label.note, quotes, _cite(sources, numbers)) if part)
        lines.append(f"“{unit.text}”: {label.label}{severity}. {why}".strip())
    return " ".join(lines)


def _choose(record: Record, identifiers: set[str]) -> list[Source]:
    return [source for source in record.sources if source.id in identifiers]


def _cite(sources: list[Source], numbers: Mapping[str, int]) -> str:
    return ", ".join(cite(source, numbers[source.id]) for source in sources)
