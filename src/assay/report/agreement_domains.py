"""Agreement within each domain: pooled over domains, a judge may look good for telling domains apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.agreement.bootstrap import estimate
from assay.agreement.classification import auc, balanced_accuracy
from assay.agreement.estimate import Estimate
from assay.agreement.levels import correlate_items
from assay.agreement.pairs import build_pairs
from assay.agreement.table import tally_pairs
from assay.report.agreement_metric import COEFFICIENTS, Options, choose_call
from assay.report.agreement_values import Values

_NONE = "no domain"


@dataclass(frozen=True, slots=True)
class DomainFigures:
    domain: str
    n: int
    clusters: int
    judge_mean: float | None
    human_mean: float | None
    figures: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Domains:
    """`averages` are over the domains where a figure is defined, each domain counting once: value and how many."""

    rows: tuple[DomainFigures, ...]
    averages: Mapping[str, tuple[float, int]]


def measure_domains(values: Values, options: Options) -> Domains | None:
    """None where no record names a domain."""
    names = sorted({record.domain or _NONE for record in values.records})
    if not names or names == [_NONE]:
        return None
    rows = tuple(_measure(name, values, options) for name in names)
    return Domains(rows, average_rows([row.figures for row in rows]))


def _measure(name: str, values: Values, options: Options) -> DomainFigures:
    kept = values.only(lambda record: (record.domain or _NONE) == name)
    pairs, drawn = kept.pairs, options.resampling
    figures: dict[str, Estimate] = {each: correlate_items(pairs, each, drawn) for each in COEFFICIENTS}
    threshold = choose_call(values, options)
    if threshold is not None:
        graded = build_pairs(kept.judge, kept.called_by_people(threshold), kept.items)
        figures |= {
            "balanced accuracy": estimate(tally_pairs(kept.called(threshold), balanced_accuracy), drawn),
            "AUC": estimate(tally_pairs(graded, auc), drawn),
        }
    judge, human = (float(side.mean()) if pairs.n else None for side in (pairs.judge, pairs.human))
    return DomainFigures(name, pairs.n, pairs.cluster_count, judge, human, figures)


def average_rows(rows: Sequence[Mapping[str, Estimate]]) -> dict[str, tuple[float, int]]:
    found = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        defined = [value for row in rows if name in row and (value := row[name].value) is not None]
        if defined:
            found[name] = (sum(defined) / len(defined), len(defined))
    return found
