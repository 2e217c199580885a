"""What code knows of a determination: the one an answer states, the one the truth asks for, and how they compare."""

from collections.abc import Mapping
from dataclasses import dataclass

from assay.checks.determination import DETERMINATIONS, Determination, find_determination
from assay.checks.truth_labels import TRUTH_LABELS, Match, match_determination, read_truth
from assay.domain.findings import Findings
from assay.domain.outcome import Outcome
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.span import Span
from assay.text.quotes import QuoteMatch, find_quote

DETERMINATION_RULE = "determination"


@dataclass(frozen=True, slots=True)
class Truth:
    """The right determination, or in words why there is none to compare with."""

    determination: Determination | None
    words: str


def read_record_truth(record: Record, metric: Metric) -> Truth:
    label = record.text(metric.shows[0]).strip() if metric.shows else ""
    if not label:
        return Truth(None, "the record has no ground-truth label")
    table: Mapping[str, Determination] = {
        **TRUTH_LABELS,
        **{name: each for name, word in metric.truth_labels.items() for each in DETERMINATIONS if each == word},
    }
    found = read_truth(label, table)
    return Truth(found, f"the ground-truth label {label!r} is not in the rubric's table" if found is None else label)


@dataclass(frozen=True, slots=True)
class Stated:
    """What the answer says about eligibility, where it says so, and who read it."""

    determination: Determination | None
    span: Span | None = None
    by: str = "code"


def read_statement(record: Record, findings: Findings) -> Stated:
    """An explicit phrase first; else the judge's word, if the words it quotes are really there."""
    found = find_determination(record.output)
    if found is not None:
        return Stated(found.determination, found.span)
    for remark in findings.remarked("determination"):
        match = find_quote(remark.fields.get("quote", ""), record.output)
        for each in DETERMINATIONS:
            if remark.fields.get("determination") == each and isinstance(match, QuoteMatch):
                return Stated(each, match.span, "judge")
    return Stated(None)


def compare(stated: Stated, truth: Determination) -> Match:
    return match_determination(stated.determination, truth)


def explain_no_truth(record: Record, metric: Metric) -> str | None:
    """Why a metric that compares with the truth can't be scored; None where it can, or where it does not compare."""
    if metric.rule != DETERMINATION_RULE:
        return None
    truth = read_record_truth(record, metric)
    return truth.words if truth.determination is None else None


def read_facts(record: Record, rubric: Rubric, outcomes: Mapping[str, Outcome]) -> dict[str, str]:
    """Truth, determination and their match, for the run's confusion table."""
    facts: dict[str, str] = {}
    for metric in rubric.metrics:
        if metric.rule == DETERMINATION_RULE:
            stated = read_statement(record, outcomes[metric.id].trail.findings)
            truth = read_record_truth(record, metric).determination
            facts["determination"] = stated.determination or "undetermined"
            if truth is not None:
                facts |= {"truth": truth, "determination_match": compare(stated, truth)}
                if truth == "not_eligible":
                    facts["false_eligible"] = "yes" if stated.determination == "likely_eligible" else "no"
    return facts
