"""What code notices against a judge's answer and can't prove: asked about once more, then flagged, never decisive."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from assay.domain.ask import MetricAsk
from assay.domain.findings import Fact, Findings, Remark
from assay.domain.parts import LabelPart
from assay.domain.record import Record
from assay.domain.rubric import Metric
from assay.domain.span import Span
from assay.scoring.rules.opinions import explain_measured
from assay.text.figures import find_unsourced


@dataclass(frozen=True, slots=True)
class Suspicion:
    """`flag` names it, `words` go into the re-ask; `units` and `parts` are what is asked again."""

    flag: str
    words: str
    units: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()


def build_suspect(
    record: Record, facts: Mapping[str, Fact], language: str
) -> Callable[[MetricAsk, Findings], tuple[Suspicion, ...]]:
    """All suspicions there are about an answer, in one function of the ask and what was found."""
    texts = [text for source in record.sources for text in (source.text, source.title)]
    sources = tuple(text for text in (*texts, record.query) if text)
    find = cache(lambda text: find_unsourced(text, sources, language))

    def suspect(ask: MetricAsk, findings: Findings) -> tuple[Suspicion, ...]:
        found = [*_find_polarity(ask.metric, findings), *_find_unsourced(ask, findings, find)]
        measured = explain_measured(ask.metric, facts, {grade.part: grade.level for grade in findings.grades})
        if measured is not None:
            found.append(Suspicion("measured_differs", measured, parts=_find_parts(ask.metric)))
        return tuple(found)

    return suspect


def mark_suspicions(findings: Findings, suspicions: Sequence[Suspicion]) -> Findings:
    """Labels under suspicion carry it, so that the interval can do without them."""
    words = {unit: each.words for each in suspicions for unit in each.units}
    if not words:
        return findings
    labels = tuple(
        replace(label, suspicion=words[label.unit]) if label.unit in words else label for label in findings.labels
    )
    return replace(findings, labels=labels)


def _find_unsourced(ask: MetricAsk, findings: Findings, find: Callable[[str], list[Span]]) -> Iterator[Suspicion]:
    """A claim called supported that states a figure which no source yields."""
    units = {unit.id: unit for unit in ask.units}
    for part in ask.metric.label_parts:
        for label in findings.of(part.id) if part.evidence == "source" else ():
            unit = units.get(label.unit)
            if label.label != part.best or label.by != "judge" or unit is None:
                continue
            if named := [span.of(unit.text) for span in find(unit.text)]:
                words = f"no source holds {', '.join(named)}; look again whether the claim is {part.best}"
                yield Suspicion("unsourced_figure", f"{label.unit}: {words}", units=frozenset({label.unit}))


def _find_polarity(metric: Metric, findings: Findings) -> list[Suspicion]:
    """Grades at the worst end with no issue listed, or at the best end beside listed ones: a scale may be flipped."""
    # Where units are labelled, their labels stand beside the grade and a list alone says little about it.
    lists = [part for part in metric.list_parts if part.least == 0 and not metric.label_parts]
    remarks = [remark for part in lists for remark in findings.remarked(part.id)]
    for part in metric.grade_parts if lists else ():
        grade = findings.grade(part.id)
        if grade is None or part.only_reported:
            continue
        goodness = part.scale.goodness(grade.level)
        kind = part.id.partition("_")[0]
        about = [remark for remark in remarks if _is_about(kind, remark)] if part.id != "grade" else remarks
        if (goodness == 0 and not remarks) or (goodness == 1 and about):
            words = "the grades and the list do not fit each other: check which end of the scale is best"
            return [Suspicion("polarity_suspect", words, parts=_find_parts(metric))]
    return []


def _is_about(kind: str, remark: Remark) -> bool:
    return remark.fields.get("type", "").lower().startswith(kind)


def _find_parts(metric: Metric) -> frozenset[str]:
    """Everything but the labels of units."""
    return frozenset(part.id for part in metric.parts if not isinstance(part, LabelPart))
