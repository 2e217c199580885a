"""Holds every label to its evidence: a label that needs a quote, and has none that code finds, is undecided."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.domain.findings import UNDECIDED, Citation, Evidence, Findings, Label
from assay.domain.parts import LabelPart
from assay.domain.rubric import Metric
from assay.text.quotes import QuoteMatch, find_quote
from assay.units.passages import OUTPUT, Passages


@dataclass(frozen=True, slots=True)
class Verified:
    """`unproven` names the units whose label fell for want of a quote, and why, in words fit for a re-ask."""

    findings: Findings
    unproven: dict[str, str]


def verify(
    findings: Findings,
    metric: Metric,
    passages: Passages,
    looked_in: Sequence[str] = (),
    *,
    source_evidence: bool = True,
) -> Verified:
    """Without `source_evidence` an output may prove itself; only a measurement allows that."""
    parts = {part.id: part for part in metric.label_parts}
    unproven: dict[str, str] = {}
    labels = []
    for label in findings.labels:
        part = parts.get(label.part)
        if part is None or part.evidence == "none" or not label.decided or label.by == "code":
            labels.append(label)
            continue
        allowed = [name for name in passages.texts if (name == OUTPUT) == (part.evidence == "output")]
        if not source_evidence:
            allowed = list(dict.fromkeys((*allowed, OUTPUT)))
        checked = _verify_label(label, part, allowed, passages, unproven)
        labels.append(replace(checked, looked_in=tuple(looked_in)) if checked.label == "absent" else checked)
    return Verified(replace(findings, labels=tuple(labels)), unproven)


def _verify_label(
    label: Label, part: LabelPart, allowed: Sequence[str], passages: Passages, unproven: dict[str, str]
) -> Label:
    found: list[Evidence] = []
    why = "no quote was given"
    for citation in label.cited:
        evidence = _locate(citation, allowed, passages)
        if isinstance(evidence, Evidence):
            found.append(evidence)
        else:
            why = evidence
    if not found and part.needs_evidence(label.label):
        where = "the output" if part.evidence == "output" else "the sources"
        unproven[label.unit] = f"{label.unit}: {why}; quote words that stand in {where}, copied exactly"
        note = f"{label.note} " if label.note else ""
        return replace(label, label=UNDECIDED, note=f"{note}(said {label.label}, but {why})")
    return replace(label, evidence=tuple(dict.fromkeys(found))) if found or label.evidence else label


def _locate(citation: Citation, allowed: Sequence[str], passages: Passages) -> Evidence | str:
    """In the cited sentence, else in its source, else in any allowed text: the place is code's, not a judge's."""
    passage = passages.get(citation.sentence)
    reason = "the quote was not found"
    if passage is None and citation.sentence:
        reason += f", and there is no sentence {citation.sentence[:40]!r}"
    if passage is not None and passage.source in allowed:
        match = find_quote(citation.quote, passages.texts[passage.source], within=passage.span)
        if isinstance(match, QuoteMatch):
            return Evidence(passage.source, match.span, match.span.of(passages.texts[passage.source]))
        reason = f"the quote was not found in {passage.id}: {match.reason}"
    first = [passage.source] if passage is not None and passage.source in allowed else []
    for name in [*first, *(name for name in allowed if name not in first)]:
        match = find_quote(citation.quote, passages.texts[name])
        if isinstance(match, QuoteMatch):
            return Evidence(name, match.span, match.span.of(passages.texts[name]))
    return reason
