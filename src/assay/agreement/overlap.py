"""Whether the judge marks the places that people mark: precision, recall and F1 over characters or over spans."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from assay.agreement.pairs import Keys, number_keys
from assay.agreement.tally import Tally, divide, tally_sums
from assay.domain.span import Span, merge_spans

Measure = Literal["precision", "recall", "f1"]

_FORMULAS = {
    "precision": lambda sums: divide(sums[0], sums[1]),
    "recall": lambda sums: divide(sums[0], sums[2]),
    "f1": lambda sums: divide(2 * sums[0], sums[1] + sums[2]),
}


class Overlap(NamedTuple):
    """Of one text: what both marked, what the judge marked, what people marked."""

    shared: int
    judge: int
    human: int


def _cover(spans: Sequence[Span]) -> list[Span]:
    """The same characters, each in one span only, in order; empty spans are left out."""
    return merge_spans(span for span in spans if span.end > span.start)


def overlap_characters(judge: Sequence[Span], human: Sequence[Span]) -> Overlap:
    """In characters, each counted once however many spans hold it."""
    first, second = _cover(judge), _cover(human)
    shared, at, to = 0, 0, 0
    while at < len(first) and to < len(second):
        shared += max(0, min(first[at].end, second[to].end) - max(first[at].start, second[to].start))
        if first[at].end <= second[to].end:
            at += 1
        else:
            to += 1
    return Overlap(shared, _length(first), _length(second))


def _length(spans: Sequence[Span]) -> int:
    return sum(span.end - span.start for span in spans)


def match_spans(judge: Sequence[Span], human: Sequence[Span], least: float = 0.5) -> Overlap:
    """In spans, matched one to one so that most are: two may match that share `least` of what either holds."""
    from scipy.optimize import linear_sum_assignment

    first, second = sorted(set(judge)), sorted(set(human))
    if not first or not second:
        return Overlap(0, len(first), len(second))
    starts = np.maximum.outer([span.start for span in first], [span.start for span in second])
    ends = np.minimum.outer([span.end for span in first], [span.end for span in second])
    shared = np.maximum(ends - starts, 0)
    either = (
        np.add.outer([span.end - span.start for span in first], [span.end - span.start for span in second]) - shared
    )
    fits = (shared > 0) & (shared >= least * either)
    rows, columns = linear_sum_assignment(fits, maximize=True)
    return Overlap(int(fits[rows, columns].sum()), len(first), len(second))


def tally_overlaps(overlaps: Sequence[Overlap], measure: Measure, clusters: Keys | None = None) -> Tally:
    """Over all texts together, a long one counting for more; undefined where nothing was marked."""
    codes = number_keys(np.arange(len(overlaps)) if clusters is None else clusters)
    if len(codes) != len(overlaps):
        raise ValueError("overlaps need a cluster for each text")
    contributions = np.asarray(overlaps, dtype=np.float64).reshape(-1, 3)
    return tally_sums(contributions, codes, int(codes.max(initial=-1)) + 1, _FORMULAS[measure])
