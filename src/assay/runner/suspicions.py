"""What code notices against a judge's answer and can't prove: asked about once more, then flagged, never decisive."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from assay.domain.ask import MetricAsk
from assay.domain.findings import Fact, Findings, Label
from assay.domain.parts import PARTIAL, LabelPart
from assay.domain.record import Record
from assay.domain.rubric import Metric
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.scoring.rules.opinions import explain_measured
from assay.text.figures import find_unsourced
from assay.text.support import Doubt, Quote, Quoted
from assay.units.passages import Passages


@dataclass(frozen=True, slots=True)
class Suspicion:
    """`flag` names it, `words` say what was noticed; `unit` and `parts` are what is asked again, by `request`."""

    flag: str
    words: str
    unit: str = ""
    parts: frozenset[str] = frozenset()
    request: str = ""

    @property
    def fault(self) -> str:
        """In words fit for a re-ask."""
        return f"{self.unit}: {self.words}; {self.request}" if self.unit else self.words


Suspect: TypeAlias = Callable[[MetricAsk, Findings], tuple[Suspicion, ...]]


def build_suspect(record: Record, facts: Mapping[str, Fact], passages: Passages) -> Suspect:
    """All suspicions there are about an answer, in one function of the ask and what was found."""
    texts = [text for source in record.sources for text in (source.text, source.title)]
    sources = tuple(text for text in (*texts, record.query) if text)
    find = cache(lambda text: find_unsourced(text, sources, passages.language))

    def suspect(ask: MetricAsk, findings: Findings) -> tuple[Suspicion, ...]:
        found = [*_find_polarity(ask.metric, findings), *_find_doubted(ask, findings, passages, find)]
        measured = explain_measured(ask.metric, record, facts, findings)
        if measured is not None:
            found.append(Suspicion("measured_differs", measured, parts=_find_parts(ask.metric)))
        return tuple(found)

    return suspect


def mark_suspicions(findings: Findings, suspicions: Sequence[Suspicion]) -> Findings:
    """Labels under suspicion carry it, so that the interval can do without them."""
    words: dict[str, str] = {}
    for each in suspicions:
        words[each.unit] = f"{words[each.unit]}; {each.words}" if each.unit in words else each.words
    words.pop("", None)
    if not words:
        return findings
    labels = tuple(
        replace(label, suspicion=words[label.unit]) if label.unit in words else label for label in findings.labels
    )
    return replace(findings, labels=labels)


def _find_doubted(
    ask: MetricAsk, findings: Findings, passages: Passages, find: Callable[[str], list[Span]]
) -> Iterator[Suspicion]:
    """Claims called supported or partial beside a figure that no source yields, or quotes that say less than they do.

    The quotes of a judge with probabilities were chosen by code, and what they lack is among its own signals.
    """
    units = {unit.id: unit for unit in ask.units}
    for part in ask.metric.label_parts:
        for label in findings.of(part.id) if part.evidence == "source" else ():
            unit = units.get(label.unit)
            if label.label not in {part.best, PARTIAL} or label.by != "judge" or unit is None:
                continue
            doubts: list[Doubt] = []
            if label.label == part.best and (unsourced := find(unit.text)):
                doubts.append(
                    ("unsourced_figure", f"no source holds {', '.join(each.of(unit.text) for each in unsourced)}")
                )
            if label.evidence and label.probability is None:
                quoted = _quote(label, unit, ask.record, passages)
                doubts += quoted.find_doubts(in_full=not doubts and (label.label == part.best or bool(label.pieces)))
            request = f"look again whether the claim is {label.label}, and quote the words that decide it"
            for flag, words in doubts:
                yield Suspicion(flag, words, label.unit, request=request)


def _quote(label: Label, unit: Unit, record: Record, passages: Passages) -> Quoted:
    """A partial claim is compared without the words at fault, which no quote has to hold."""
    claim = unit.text
    for piece in label.pieces if label.label == PARTIAL else ():
        claim = claim.replace(piece.words, " " * len(piece.words), 1)
    quotes = [
        Quote(passages.texts[each.source], each.span, [passage.span for passage in passages.of(each.source)])
        for each in label.evidence
    ]
    sources = {each.source for each in label.evidence}
    titles = [source.title or "" for source in record.sources if source.id in sources]
    is_foreign = any(passages.language_of(source) != passages.language for source in sources)
    place = unit.context if unit.is_cell else ""
    return Quoted(claim, quotes, passages.language, place, " ".join([*titles, record.query or ""]), is_foreign)


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
        about = [each for each in remarks if part.id == "grade" or each.fields.get("type", "").lower().startswith(kind)]
        if (goodness == 0 and not remarks) or (goodness == 1 and about):
            words = "the grades and the list do not fit each other: check which end of the scale is best"
            return [Suspicion("polarity_suspect", words, parts=_find_parts(metric))]
    return []


def _find_parts(metric: Metric) -> frozenset[str]:
    """Everything but the labels of units."""
    return frozenset(part.id for part in metric.parts if not isinstance(part, LabelPart))
