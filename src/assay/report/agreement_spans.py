"""How far a judge finds the stretches of an output that people mark as wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from assay.agreement.bootstrap import Resampling, estimate
from assay.agreement.estimate import Estimate
from assay.agreement.overlap import Measure, Overlap, match_spans, overlap_characters, tally_overlaps
from assay.report.label_join import MarkedRecord

_MEASURES: tuple[Measure, ...] = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class SpanFigures:
    """The judge against each person, all counted together. Stretches match that share half of what either holds.

    `people` is F1 over characters of every two people, which can be asked of a judge.
    """

    metric: str
    records: int
    clusters: int
    characters: Mapping[str, Estimate]
    stretches: Mapping[str, Estimate]
    people: Mapping[str, Estimate]


def measure_spans(metric: str, marks: Sequence[MarkedRecord], resampling: Resampling) -> SpanFigures:
    sides = [(record, spans) for record in marks for spans in record.people.values()]
    items = [record.item for record, _ in sides]
    pairs = [(record.item, one, two) for record in marks for one, two in combinations(record.people.values(), 2)]
    met = [overlap_characters(one, two) for _, one, two in pairs]
    return SpanFigures(
        metric=metric,
        records=len(marks),
        clusters=len(set(items)),
        characters=_measure([overlap_characters(each.judge, spans) for each, spans in sides], items, resampling),
        stretches=_measure([match_spans(each.judge, spans) for each, spans in sides], items, resampling),
        people={"f1": _measure(met, [item for item, _, _ in pairs], resampling)["f1"]} if met else {},
    )


def _measure(overlaps: Sequence[Overlap], items: Sequence[str], resampling: Resampling) -> dict[str, Estimate]:
    return {name: estimate(tally_overlaps(overlaps, name, items), resampling) for name in _MEASURES}
