"""A judge measured on labelled sets, beside baselines and published figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from assay.agreement.bootstrap import DEFAULT, Resampling, estimate
from assay.agreement.cautions import caution_about_values
from assay.agreement.classification import auc, balanced_accuracy, f1
from assay.agreement.estimate import Estimate
from assay.agreement.levels import correlate_items, correlate_within_groups
from assay.agreement.mean import is_binary
from assay.agreement.pairs import Pairs, build_pairs
from assay.agreement.table import tally_pairs
from assay.agreement.threshold import choose_threshold
from assay.errors import InputError
from assay.files.labelled_sets import LabelledSet
from assay.report.baselines import open_rouge, share_sequence, share_words

JUDGE, WORDS, ROUGE = "judge", "word overlap", "ROUGE-L"
NO_DOMAIN = "no domain"
_CUT = 0.5


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One figure of one label of a set, or of a domain in it; None is the whole set.

    `constant` is what a constant answer gets.
    """

    set: str
    label: str
    domain: str | None
    figure: str
    n: int
    documents: int
    unscored: int
    found: Mapping[str, Estimate]
    constant: float | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """`values` are by contestant, one for each row of the set; None where the judge did not score."""

    chosen: LabelledSet
    values: Mapping[str, Sequence[float | None]]


def contest(chosen: LabelledSet, judged: Mapping[str, float | None]) -> Measured:
    """The judge's goodness by row id, and the baselines."""
    scorer = open_rouge()
    texts = [("\n".join(each.text for each in row.documents), row.output) for row in chosen.rows]
    return Measured(
        chosen,
        {
            JUDGE: [judged.get(row.id) for row in chosen.rows],
            WORDS: [share_words(*pair) for pair in texts],
            ROUGE: [share_sequence(scorer, *pair) for pair in texts],
        },
    )


def measure_set(measured: Measured, resampling: Resampling = DEFAULT) -> Iterator[BenchRow]:
    """The set as a whole and, where it has several, each of its domains; all contestants on what the judge scored.

    Outputs that name no domain are together, behind the domains.
    """
    rows = measured.chosen.rows
    named = [row.domain or NO_DOMAIN for row in rows]
    domains = sorted(set(named), key=lambda domain: (domain == NO_DOMAIN, domain))
    for label in measured.chosen.labels:
        for domain in [None, *(domains if len(domains) > 1 else ())]:
            among = [at for at, name in enumerate(named) if domain is None or name == domain]
            places = [at for at in among if label in rows[at].truths]
            yield from _measure(measured, label, domain, places, resampling)


def _measure(
    measured: Measured, label: str, domain: str | None, places: Sequence[int], resampling: Resampling
) -> Iterator[BenchRow]:
    rows = [measured.chosen.rows[at] for at in places]
    scored = [measured.values[JUDGE][at] is not None for at in places]
    truth = [row.truths[label] if is_scored else None for row, is_scored in zip(rows, scored, strict=True)]
    pairs = {
        name: build_pairs([values[at] for at in places], truth, [row.item for row in rows])
        for name, values in measured.values.items()
    }
    judged = pairs[JUDGE]
    named = partial(
        BenchRow,
        measured.chosen.name,
        label,
        domain,
        n=judged.n,
        documents=judged.cluster_count,
        unscored=len(places) - judged.n,
        warnings=_warn(judged),
    )
    graded = [row.truths[label] for row in rows]
    figures = _measure_classes if is_binary(np.asarray(graded)) else _measure_ranks
    for figure, found, constant in figures(pairs, resampling):
        yield named(figure=figure, found=found, constant=constant)


_Figures = Iterator[tuple[str, dict[str, Estimate], float | None]]


def _measure_classes(pairs: Mapping[str, Pairs], resampling: Resampling) -> _Figures:
    yield "AUC", {name: estimate(tally_pairs(each, auc), resampling) for name, each in pairs.items()}, 0.5
    crossed = {name: found for name, each in pairs.items() if (found := _cross_fit(each, resampling)) is not None}
    yield "balanced accuracy, threshold cross-fitted", crossed, 0.5
    judge = pairs[JUDGE]
    called = build_pairs((judge.judge >= _CUT).astype(np.float64), judge.human, judge.clusters)
    yield (
        "balanced accuracy at goodness 0.5",
        {JUDGE: estimate(tally_pairs(called, balanced_accuracy), resampling)},
        0.5,
    )
    bad = float(np.mean(judge.human == 0)) if judge.n else 0.0
    worse = {JUDGE: estimate(tally_pairs(called, partial(f1, positive=0.0)), resampling)}
    yield "F1 of unsupported at goodness 0.5", worse, 2 * bad / (1 + bad)


def _measure_ranks(pairs: Mapping[str, Pairs], resampling: Resampling) -> _Figures:
    pooled = {name: correlate_items(each, "spearman", resampling) for name, each in pairs.items()}
    yield "Spearman, all outputs", pooled, None
    within = {name: correlate_within_groups(each, "spearman", resampling=resampling) for name, each in pairs.items()}
    if any(found.value is not None for found in within.values()):
        yield "Spearman, within documents, averaged", within, None
    yield (
        "Pearson, all outputs",
        {name: correlate_items(each, "pearson", resampling) for name, each in pairs.items()},
        None,
    )


def _cross_fit(pairs: Pairs, resampling: Resampling) -> Estimate | None:
    try:
        return choose_threshold(pairs, resampling).balanced_accuracy
    except InputError:
        return None


def _warn(pairs: Pairs) -> tuple[str, ...]:
    return caution_about_values(pairs) if pairs.n else ("no output was scored",)
