"""Agreement with people as a report shows it: one row per labelled metric, and what to mind in words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from assay.agreement.estimate import Estimate
from assay.agreement.mean import estimate_mean
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.agreement import Agreement, MetricAgreement, Occasion, measure_agreement
from assay.report.agreement_metric import MetricFigures, Options
from assay.report.agreement_sentences import say_estimate
from assay.report.agreement_values import DEFAULT_THRESHOLD, build_values, call_good
from assay.report.display import format_count, shorten
from assay.report.human_words import read_words, refuse_mixture, rows_of_store
from assay.report.label_join import Joined, ScoredRecord, join_labels
from assay.store.labels import PersonLabel

_OPTIONS = Options(levels=("item",))
_BOUNDS = (0.0, 1.0)
_MOST_PEOPLE = 5
_NONE = "–"


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One metric. `records` are labelled and scored; `people` are the first few names, `more_people` counts the others.

    `judge` is Spearman over all records, or balanced accuracy where labels say good or bad; `ceiling` what people reach
    in the judge's place. `raw` and `corrected` are of the records that the correction is about.
    """

    name: str
    records: int
    people: tuple[str, ...]
    more_people: int
    judge: str
    ceiling: str
    mean: str
    raw: str
    corrected: str


@dataclass(frozen=True, slots=True)
class AgreementView:
    """`warnings` hold words of the rubric and of code; `account` may name records and domains too: data."""

    rows: tuple[AgreementRow, ...]
    warnings: tuple[str, ...] = ()
    account: tuple[str, ...] = ()


def build_agreement_view(
    run: str, rubric: Rubric, labels: Sequence[PersonLabel], cards: Callable[[], Iterable[Scorecard]]
) -> AgreementView | None:
    """None where nobody has labelled; then no card is opened. Labels that can't be used are told, never an error."""
    if not labels:
        return None
    try:
        words = read_words(rows_of_store(labels), rubric)
        refuse_mixture(words.words)
        joined = join_labels(cards(), words)
        found = measure_agreement(Occasion(run, rubric, "the store"), joined, words, _OPTIONS)
    except InputError as error:
        return AgreementView((), account=(f"The labels can't be used: {error.message}",))
    names = {metric.id: metric.name for metric in rubric.metrics}
    warnings = [
        f"{metric.name}: {sentence}" for metric in found.metrics for sentence in dict.fromkeys(_list_warnings(metric))
    ]
    rows = tuple(_build_row(metric, joined) for metric in found.metrics)
    domains = [sentence for metric in found.metrics for sentence in _say_domains(metric)]
    return AgreementView(rows, (*warnings, *_say_units(found, names)), (*domains, *joined.account.say()))


def _build_row(metric: MetricAgreement, joined: Joined) -> AgreementRow:
    figures = metric.figures
    name, judge = _find_headline(metric)
    return AgreementRow(
        name=metric.name,
        records=figures.n,
        people=metric.people[:_MOST_PEOPLE],
        more_people=len(metric.people[_MOST_PEOPLE:]),
        judge=f"{name} {say_estimate(judge)}",
        ceiling=_say_ceiling(figures),
        mean=metric.corrected.what,
        raw=_format_counted(_estimate_raw(metric, joined.records[metric.metric])),
        corrected=_NONE if metric.corrected.corrected is None else say_estimate(metric.corrected.corrected),
    )


def _find_headline(metric: MetricAgreement) -> tuple[str, Estimate | None]:
    if metric.kind == "binary":
        classes = metric.figures.classes
        return "balanced accuracy", None if classes is None else classes.figures["balanced accuracy"]
    return "Spearman", metric.figures.levels["item"]["spearman"]


def _say_ceiling(figures: MetricFigures) -> str:
    """Named with its coefficient: for good and bad it is Pearson's, and not to be read as a balanced accuracy."""
    for name, ceiling in figures.ceilings.items():
        beside = "" if ceiling.judge is None else f", judge in their place {say_estimate(ceiling.judge)}"
        return f"{name.capitalize()} {say_estimate(ceiling.mean)}{beside}"
    return _NONE


def _format_counted(found: Estimate) -> str:
    return f"{say_estimate(found)}, n {format_count(found.n)}"


def _estimate_raw(metric: MetricAgreement, records: Sequence[ScoredRecord]) -> Estimate:
    """Over the records that the correction is about, so that the two can be compared; without one over them all."""
    pool = records
    if metric.corrected.corrected is not None:
        values = build_values(records, metric.kind)
        split = {record.key for record, said in zip(values.records, values.human, strict=True) if said is None}
        pool = [record for record in records if not record.sought and record.key not in split]
    judge = [record.judge for record in pool]
    if metric.kind == "binary":
        judge = call_good(judge, DEFAULT_THRESHOLD)
    scored = [(value, record.item) for value, record in zip(judge, pool, strict=True) if value is not None]
    return estimate_mean([value for value, _ in scored], [item for _, item in scored], _BOUNDS)


def _list_warnings(metric: MetricAgreement) -> Iterator[str]:
    _, judge = _find_headline(metric)
    yield from metric.figures.warnings
    yield from () if judge is None else judge.warnings
    corrected = metric.corrected
    if corrected.corrected is None:
        yield f"no corrected {corrected.what}: {corrected.reason[:1].lower()}{corrected.reason[1:]}"
    else:
        yield from (f"the corrected {corrected.what}: {sentence}" for sentence in corrected.warnings)


def _say_domains(metric: MetricAgreement) -> Iterator[str]:
    """Pooled over domains, a judge may look good for telling domains apart: each stands by itself too."""
    name, _ = _find_headline(metric)
    for row in () if metric.domains is None else metric.domains.rows:
        found = say_estimate(row.figures.get(name.lower()))
        yield f"{metric.name}, domain {shorten(row.domain, 60)}: {row.n} records, {name} {found}"


def _say_units(found: Agreement, names: dict[str, str]) -> Iterator[str]:
    """Labels of single units that do not add up to a record's score would else not be seen at all."""
    whole = {metric.metric for metric in found.metrics}
    for unit in found.units:
        if unit.metric not in whole:
            accuracy = say_estimate(unit.figures["balanced accuracy"])
            about = unit.about.replace("_", " ")
            yield (
                f"{names[unit.metric]}: labels of units ({about}): {unit.n}, and of no record in full; "
                f"balanced accuracy {accuracy}"
            )
