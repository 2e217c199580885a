"""A judge against people's labels on the labelled sets in ../shared/data/labelled, beside word overlap.

python bench/agreement.py [--judge SPEC] [--limit N] [SET ...]      writes bench/results/agreement.md
"""

import argparse
from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np

import assay
from assay.agreement.bootstrap import estimate
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Pairs, build_pairs
from assay.agreement.statistics import auc, balanced_accuracy, correlate_within_items, spearman
from assay.report.display import format_estimate
from known_sets import KNOWN
from labelled_sets import SETS, LabelledSet, Row, is_there, read_rows
from workload import conclude, render_table

RUBRIC, METRIC = "article-audit", "hallucination"
CUT, FOLDS = 0.5, 10
HEAD = ("set", "figure", "n", "documents", "unscored", "judge", "word overlap", "constant")
NOTE = """\
Judge: `{judge}`. Rubric {rubric}, metric {metric}. In square brackets 95 % intervals, clustered by source document. Word overlap is
measured on the outputs that the judge scored; it is the share of the output's words that the sources hold."""


def judge_rows(rows: Sequence[Row], spec: str) -> tuple[str, list[float | None]]:
    records = [
        {"id": row.id, "item": row.group, "article": "\n\n".join(row.sources), "summary": row.output} for row in rows
    ]
    run = assay.judge(records, RUBRIC, spec)
    return run.judge, [run[row.id].metrics[METRIC].goodness for row in rows]


def count_overlap(row: Row) -> float:
    known, own = set(" ".join(row.sources).casefold().split()), row.output.casefold().split()
    return sum(word in known for word in own) / max(1, len(own))


def call_crosswise(pairs: Pairs) -> Pairs:
    """Good or bad by thresholds that are chosen on other documents."""
    folds = (np.random.default_rng(0).permutation(pairs.cluster_count) % FOLDS)[pairs.clusters]
    called = np.empty(pairs.n)
    for fold in range(FOLDS):
        held = folds == fold
        called[held] = pairs.judge[held] >= fit_threshold(pairs.judge[~held], pairs.human[~held])
    return Pairs(called, pairs.human, pairs.clusters, pairs.cluster_count)


def fit_threshold(goodness: Floats, labels: Floats) -> float:
    """The value from which items are called good with the best balanced accuracy; of equals, the middle one."""
    values = np.unique(goodness)
    kept = np.array([np.mean(goodness[labels == 1] >= value) for value in values])
    caught = np.array([np.mean(goodness[labels == 0] < value) for value in values])
    best = np.flatnonzero(kept + caught >= (kept + caught).max() - 1e-12)
    return float(values[best[len(best) // 2]])


def measure(one: Pairs, other: Pairs, *, binary: bool) -> Iterator[tuple[str, Estimate, Estimate | None, str]]:
    """A figure of the judge, the same of word overlap, and what a constant answer gets."""
    if not binary:
        yield "Spearman, all outputs", *(estimate(spearman(each)) for each in (one, other)), "undefined"
        within = [correlate_within_items(each) for each in (one, other)]
        if within[0].value is not None:
            yield "Spearman, within documents, averaged", *within, "undefined"
        return
    yield "AUC", *(estimate(auc(each)) for each in (one, other)), "0.50"
    crossed = [estimate(balanced_accuracy(call_crosswise(each))) for each in (one, other)]
    yield "balanced accuracy, threshold cross-fitted", *crossed, "0.50"
    called = build_pairs((one.judge >= CUT).astype(float), one.human, one.clusters)
    yield f"balanced accuracy at goodness {CUT}", estimate(balanced_accuracy(called)), None, "0.50"


def measure_set(chosen: LabelledSet, spec: str, limit: int | None) -> tuple[str, list[tuple[str, ...]]]:
    # Whole documents in a fixed shuffled order: the first rows of a file are often of one kind.
    rows = sorted(read_rows(chosen), key=lambda row: blake2b(row.group.encode()).digest())[:limit]
    name, goodness = judge_rows(rows, spec)
    truth = [row.truth if value is not None else None for row, value in zip(rows, goodness, strict=True)]
    groups = [row.group for row in rows]
    one, other = (build_pairs(each, truth, groups) for each in (goodness, [count_overlap(row) for row in rows]))
    return name, [
        (chosen.name, figure, str(one.n), str(one.cluster_count), str(len(rows) - one.n), format_estimate(judge),
         "–" if overlap is None else format_estimate(overlap), constant)
        for figure, judge, overlap, constant in measure(one, other, binary=chosen.binary)
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--judge", default="embedded")
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    if not is_there():
        print("no labelled sets here")
        return
    table: list[tuple[str, ...]] = []
    judge, anchors = given.judge, {}
    for chosen in SETS:
        if not given.sets or chosen.file in given.sets:
            judge, rows = measure_set(chosen, given.judge, given.limit)
            table += rows
            anchors[chosen.file] = KNOWN[chosen.file].anchor
            print(chosen.name, *rows[0][1:], flush=True)
    published = "\n".join(f"- {name}: {anchor}." for name, anchor in anchors.items() if anchor)
    note = NOTE.format(judge=judge, rubric=RUBRIC, metric=METRIC)
    conclude(
        "agreement", "A judge against people's labels", [note, render_table(HEAD, table), f"Published:\n\n{published}"]
    )


if __name__ == "__main__":
    main()
