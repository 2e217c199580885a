"""How far a run's judge agrees with people: every metric that has labels, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.agreement.permutation import JudgeDifference
from assay.domain.parts import LabelPart, PickPart
from assay.domain.rubric import Metric, Rubric
from assay.errors import InputError
from assay.report.agreement_domains import Domains, measure_domains
from assay.report.agreement_metric import MetricFigures, Options, measure_metric
from assay.report.agreement_rivals import Steadiness, compare_with, measure_steadiness
from assay.report.agreement_spans import SpanFigures, measure_spans
from assay.report.agreement_units import UnitFigures, measure_units
from assay.report.agreement_uses import CorrectedMean, Seating, assess_seats, correct
from assay.report.agreement_values import Kind, build_values
from assay.report.human_words import Words
from assay.report.label_join import Account, Joined, ScoredRecord
from assay.report.value_table import ValueTable


@dataclass(frozen=True, slots=True)
class MetricAgreement:
    """`against` compares this run's judge with another's; `steadiness` needs samples or a panel, and no labels."""

    metric: str
    name: str
    kind: Kind
    people: tuple[str, ...]
    figures: MetricFigures
    domains: Domains | None
    seating: Seating | None
    corrected: CorrectedMean
    against: Mapping[str, JudgeDifference] | None = None
    steadiness: tuple[Steadiness, ...] = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """All values are goodness, from 0 to 1 and 1 best; intervals are at 95 %, clustered by item."""

    run: str
    judge: str
    rubric: str
    labels: str
    people: Mapping[str, int]
    account: Account
    metrics: tuple[MetricAgreement, ...]
    units: tuple[UnitFigures, ...]
    spans: tuple[SpanFigures, ...] = ()
    against: str | None = None
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Occasion:
    """Which run, which rubric, where the labels come from, and which metrics are asked for (none named: all)."""

    run: str
    rubric: Rubric
    labels: str
    metrics: tuple[str, ...] = ()
    against: str | None = None


def measure_agreement(
    occasion: Occasion, joined: Joined, words: Words, options: Options, rival: Joined | None = None
) -> Agreement:
    """Refused where no label found its record: a table of nothing would look like a result."""
    account = joined.account
    if not account.used:
        said = "; ".join(account.say()) or "there are no labels"
        raise InputError(f"no label belongs to a record of run {occasion.run}: {said}", remedy=_remedy(occasion))
    chosen = [metric for metric in occasion.rubric.metrics if not occasion.metrics or metric.id in occasion.metrics]
    kinds = _find_kinds(words)
    others = None if rival is None else rival.records
    metrics = [
        _measure((metric.id, metric.name), joined, kinds.get(metric.id, "graded"), options, others)
        for metric in chosen
        if any(record.people for record in joined.records.get(metric.id, ()))
    ]
    units = [
        measure_units(metric.id, part, joined.units[metric.id, part.id], options.resampling)
        for metric in chosen
        for part in metric.parts
        if isinstance(part, LabelPart | PickPart) and (metric.id, part.id) in joined.units
    ]
    notes = [f"{metric.id} has no labels" for metric in chosen if not _is_labelled(metric, joined)]
    return Agreement(
        run=occasion.run,
        judge=joined.judge,
        rubric=occasion.rubric.id,
        labels=occasion.labels,
        people=dict(sorted(joined.people.items())),
        account=account,
        metrics=tuple(metrics),
        units=tuple(units),
        spans=tuple(
            measure_spans(metric.id, joined.marks[metric.id], options.resampling)
            for metric in chosen
            if any(spans for record in joined.marks.get(metric.id, ()) for spans in record.people.values())
        ),
        against=occasion.against,
        notes=tuple(notes),
    )


def _remedy(occasion: Occasion) -> str:
    return f"Name records as `assay runs show {occasion.run}` does, or label some with `assay label {occasion.run}`"


def _find_kinds(words: Words) -> dict[str, Kind]:
    return {word.metric.id: "binary" for word in words.words if word.is_good is not None}


def _is_labelled(metric: Metric, joined: Joined) -> bool:
    return any(record.people for record in joined.records.get(metric.id, ())) or any(
        name == metric.id for name in (*(name for name, _ in joined.units), *joined.marks)
    )


def measure_table(table: ValueTable, source: str, metrics: tuple[str, ...], options: Options) -> Agreement:
    """The same figures without a run: there are no units, and no rule that could score labels of them."""
    joined = table.joined
    chosen = [name for name in joined.records if not metrics or name in metrics]
    if not joined.account.used or not chosen:
        known = ", ".join(joined.records) or "none"
        raise InputError("there is nothing to compare", path=source, remedy=f"Its metrics are: {known}")
    found = [_measure((name, name), joined, table.kinds.get(name, "graded"), options, None) for name in chosen]
    people = dict(sorted(joined.people.items()))
    return Agreement("", "the column `judge`", "", source, people, joined.account, tuple(found), ())


def _measure(
    metric: tuple[str, str],
    joined: Joined,
    kind: Kind,
    options: Options,
    others: Mapping[str, Sequence[ScoredRecord]] | None,
) -> MetricAgreement:
    records = joined.records[metric[0]]
    values = build_values(records, kind)
    against = None
    if others is not None:
        rival = {record.key: record.judge for record in others.get(metric[0], ())}
        against = compare_with(values, rival, options)
    return MetricAgreement(
        metric=metric[0],
        name=metric[1],
        kind=kind,
        people=values.people,
        figures=measure_metric(values, options),
        domains=measure_domains(values, options),
        seating=assess_seats(values, options),
        corrected=correct(records, values, options),
        against=against,
        steadiness=measure_steadiness(records, options),
    )
