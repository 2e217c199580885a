"""Two judges against the same people, and one judge against itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.agreement.classification import auc, balanced_accuracy
from assay.agreement.correlation import CORRELATIONS
from assay.agreement.estimate import Estimate
from assay.agreement.permutation import JudgeDifference, compare_judges
from assay.agreement.ratings import build_ratings
from assay.agreement.repeats import Consistency, estimate_consistency, estimate_flips
from assay.report.agreement_metric import COEFFICIENTS, Options, choose_call
from assay.report.agreement_values import DEFAULT_THRESHOLD, Values, call_good
from assay.report.label_join import Key, ScoredRecord


@dataclass(frozen=True, slots=True)
class Steadiness:
    """How far several answers about one record agree. `flips` is at `threshold`, on goodness."""

    of: str
    answers: int
    records: int
    consistency: Consistency
    threshold: float
    flips: Estimate


def compare_with(values: Values, rival: Mapping[Key, float | None], options: Options) -> dict[str, JudgeDifference]:
    """This judge less the other, on the records that both scored: above 0, this one is closer to people."""
    theirs = [rival.get(record.key) for record in values.records]
    ours, human, items = values.judge, values.human, values.items
    found: dict[str, JudgeDifference] = {
        name: compare_judges(theirs, ours, human, CORRELATIONS[name], items, options.resampling)
        for name in COEFFICIENTS
    }
    threshold = choose_call(values, options)
    if threshold is not None:
        called = values.called_by_people(threshold)
        first, second = (call_good(side, threshold) for side in (theirs, ours))
        found["balanced accuracy"] = compare_judges(first, second, called, balanced_accuracy, items, options.resampling)
        found["AUC"] = compare_judges(theirs, ours, called, auc, items, options.resampling)
    return found


def measure_steadiness(records: Sequence[ScoredRecord], options: Options) -> tuple[Steadiness, ...]:
    """Over the samples of each judge, and over the judges of a panel; empty where each record has one answer."""
    judges = list(dict.fromkeys(judge for record in records for judge, _ in record.voices))
    found = []
    for judge in judges:
        samples = sorted({sample for record in records for name, sample in record.voices if name == judge})
        if len(samples) > 1:
            table = [[record.voices.get((judge, sample)) for sample in samples] for record in records]
            found.append(_measure(f"the samples of {judge}", table, records, options))
    if len(judges) > 1:
        table = [[_mean(record, judge) for judge in judges] for record in records]
        found.append(_measure("the judges of the panel", table, records, options))
    return tuple(found)


def _measure(
    of: str, table: Sequence[Sequence[float | None]], records: Sequence[ScoredRecord], options: Options
) -> Steadiness:
    ratings = build_ratings(table, [record.item for record in records])
    threshold = DEFAULT_THRESHOLD if options.threshold is None else options.threshold
    return Steadiness(
        of=of,
        answers=ratings.annotators,
        records=int((ratings.given >= 2).sum()),
        consistency=estimate_consistency(ratings, "interval", options.resampling),
        threshold=threshold,
        flips=estimate_flips(ratings, threshold, options.resampling),
    )


def _mean(record: ScoredRecord, judge: str) -> float | None:
    said = [value for (name, _), value in record.voices.items() if name == judge]
    return sum(said) / len(said) if said else None
