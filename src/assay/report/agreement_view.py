"""Agreement with people as a report shows it: one row per labelled metric, and what to mind in words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from assay.agreement.agreement import Agreement, Scope, measure_agreement
from assay.agreement.estimate import Estimate
from assay.agreement.figures import MetricAgreement, MetricFigures, Options
from assay.agreement.join import join_labels
from assay.agreement.labels import build_rows, parse_answers
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.agreement import format_ceiling, format_estimate
from assay.report.display import format_count, shorten
from assay.store.labels import PersonLabel

_OPTIONS = Options(levels=("item",), coefficients=("spearman",))
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
        joined = join_labels(cards(), parse_answers(build_rows(labels), rubric))
        found = measure_agreement(Scope(run, rubric, "the store"), joined, _OPTIONS)
    except InputError as error:
        return AgreementView((), account=(f"The labels can't be used: {error.message}",))
    names = {metric.id: metric.name for metric in rubric.metrics}
    warnings = [
        f"{metric.name}: {sentence}" for metric in found.metrics for sentence in dict.fromkeys(_list_warnings(metric))
    ]
    rows = tuple(_build_row(metric) for metric in found.metrics)
    domains = [sentence for metric in found.metrics for sentence in _format_domains(metric)]
    return AgreementView(rows, (*warnings, *_format_units(found, names)), (*domains, *joined.account.explain()))


def _build_row(metric: MetricAgreement) -> AgreementRow:
    figures = metric.figures
    name, judge = _find_headline(metric)
    return AgreementRow(
        name=metric.name,
        records=figures.n,
        people=metric.people[:_MOST_PEOPLE],
        more_people=len(metric.people[_MOST_PEOPLE:]),
        judge=f"{name} {format_estimate(judge)}",
        ceiling=_format_ceiling(figures),
        mean=metric.corrected.what,
        raw=_format_counted(metric.corrected.raw),
        corrected=_NONE if metric.corrected.corrected is None else format_estimate(metric.corrected.corrected),
    )


def _find_headline(metric: MetricAgreement) -> tuple[str, Estimate | None]:
    if metric.kind == "binary":
        classes = metric.figures.classes
        return "balanced accuracy", None if classes is None else classes.figures["balanced accuracy"]
    return "Spearman", metric.figures.levels["item"]["spearman"]


def _format_ceiling(figures: MetricFigures) -> str:
    """Named with its coefficient: for good and bad it is Pearson's, and not to be read as a balanced accuracy."""
    for name, ceiling in figures.ceilings.items():
        return f"{name.capitalize()} {format_ceiling(ceiling)}"
    return _NONE


def _format_counted(found: Estimate) -> str:
    return f"{format_estimate(found)}, n {format_count(found.n)}"


def _list_warnings(metric: MetricAgreement) -> Iterator[str]:
    _, judge = _find_headline(metric)
    yield from metric.figures.warnings
    yield from () if judge is None else judge.warnings
    corrected = metric.corrected
    if corrected.corrected is None:
        yield f"no corrected {corrected.what}: {corrected.reason[:1].lower()}{corrected.reason[1:]}"
    else:
        yield from (f"the corrected {corrected.what}: {sentence}" for sentence in corrected.warnings)


def _format_domains(metric: MetricAgreement) -> Iterator[str]:
    """Pooled over domains, a judge may look good for telling domains apart: each stands by itself too."""
    name, _ = _find_headline(metric)
    for row in metric.domains:
        found = format_estimate(row.figures.get(name.lower()))
        yield f"{metric.name}, domain {shorten(row.domain, 60)}: {row.n} records, {name} {found}"


def _format_units(found: Agreement, names: dict[str, str]) -> Iterator[str]:
    """Labels of single units that do not add up to a record's score would else not be seen at all."""
    whole = {metric.metric for metric in found.metrics}
    for unit in found.units:
        if unit.metric not in whole:
            accuracy = format_estimate(unit.figures["balanced accuracy"])
            about = unit.about.replace("_", " ")
            yield (
                f"{names[unit.metric]}: labels of units ({about}): {unit.n}, and of no record in full; "
                f"balanced accuracy {accuracy}"
            )
