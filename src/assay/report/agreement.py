"""Agreement with people in words: a verdict per metric, tables on a terminal, and the rows of a report."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console

from assay.agreement.correction import CorrectedMean
from assay.agreement.estimate import Estimate, Figure, count_groups
from assay.agreement.figures import (
    Agreement,
    MetricAgreement,
    Scope,
    find_ceiling,
    find_ends,
    reach_verdict,
)
from assay.agreement.labels import LabelRows
from assay.agreement.preferences import measure_run
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.display import format_estimate, format_kept
from assay.report.terminal import build_table, make_printable, print_list, print_wrapped
from assay.store.agreements import KeptAgreement, KeptFigure
from assay.store.runs import RunRow

_NOTE = (
    "Normalized score: 0–1, best 1. [low, high]: 95 % interval, clustered by source group. The last column shows "
    "what people reach, compared in the same way, or what a constant answer reaches."
)


def format_verdict(found: MetricAgreement) -> str:
    """Whether the judge may be used for this metric, then the main figure and the human ceiling."""
    main, ceiling = found.figures[0], find_ceiling(found)
    shown = f"{main.name} {format_estimate(main.judge)}"
    if ceiling is not None and ceiling.gap is not None:
        shown += f"; {ceiling.name} {format_estimate(ceiling.judge)}, people {format_estimate(ceiling.beside)}"
    return f"{found.name}: {reach_verdict(found).sentence} {shown}."


def print_agreement(console: Console, found: Agreement) -> None:
    for metric in found.all:
        print_wrapped(console, format_verdict(metric), style="bold")
    console.print()
    if found.run:
        console.print(f"Run {found.run} of {found.rubric}, judged by {make_printable(found.judge)}")
    people = ", ".join(f"{make_printable(name)} ({count} records)" for name, count in found.people.items())
    console.print(f"Labels from {make_printable(found.labels)}{f', by {people}' if people else ''}")
    for metric in found.all:
        _print_metric(console, metric)
    console.print()
    for note in found.notes:
        console.print(note)
    console.print(_NOTE, style="dim")


def _print_metric(console: Console, found: MetricAgreement) -> None:
    console.print()
    by = make_printable(", ".join(found.people))
    print_wrapped(
        console, f"{found.name}: {found.n} {found.about}, from {count_groups(found.clusters)}, by {by}", style="bold"
    )
    rows = [(each.name, format_estimate(each.judge), _format_beside(each)) for each in found.figures]
    console.print(build_table("figure", "judge", "people or baseline", rows=rows))
    if found.options:
        print_list(console, "Different labels, the judge's instead of people's", _list_confusions(found) or ["none"])
    if found.corrected is not None:
        print_wrapped(console, _format_correction(found.corrected))
    for warning in found.warnings:
        print_wrapped(console, f"! {warning}", style="yellow")


def _format_beside(figure: Figure) -> str:
    people = "" if figure.beside is None else f"people {format_estimate(figure.beside)}"
    constant = "" if figure.constant is None else f"{figure.constant[0]} {figure.constant[1]:.2f}"
    return ", ".join(words for words in (people, constant, figure.note) if words)


def _list_confusions(found: MetricAgreement) -> list[str]:
    return [
        f"{count} {judge} instead of {human}"
        for judge, row in zip(found.options, found.confusion, strict=True)
        for human, count in zip(found.options, row, strict=True)
        if count and judge != human
    ]


def _format_correction(found: CorrectedMean) -> str:
    if found.corrected is None:
        return f"Corrected {found.what}: none. {found.reason[:1].upper()}{found.reason[1:]}"
    scored = f"{found.raw.n} of {found.records}" if found.raw.n < found.records else f"{found.records}"
    return (
        f"Over the run, the judge's {found.what} is {format_estimate(found.raw)} ({scored} records scored), "
        f"corrected with {found.corrected.n} labels it is {format_estimate(found.corrected)} (PPI++). "
        f"The corrected mean: {'; '.join(found.warnings)}."
    )


def list_kept(found: Agreement, run: RunRow) -> Iterator[KeptAgreement]:
    """Of every metric, to be kept for gates and pages."""
    for each in found.metrics:
        main, ceiling = each.figures[0], find_ceiling(each)
        low, high = find_ends(main.judge) or (None, None)
        yield KeptAgreement(
            *(run.judge, run.rubric_digest, each.metric, run.id, each.n, main.name, main.judge.value, low, high),
            constant=main.constant[1] if main.constant else 0.0,
            rubric=found.rubric,
            name=each.name,
            ceiling=ceiling.name if ceiling else "",
            in_place=_keep(ceiling.judge) if ceiling else None,
            people=_keep(ceiling.beside) if ceiling else None,
            verdict=reach_verdict(each),
        )


def _keep(found: Estimate | None) -> KeptFigure | None:
    if found is None or found.value is None:
        return None
    return KeptFigure(found.value, *(found.interval or (None, None)))


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A metric: verdict and corrected mean in sentences, and what is drawn of it where it was measured by record."""

    name: str
    verdict: str
    mean: str = ""
    drawn: KeptAgreement | None = None


@dataclass(frozen=True, slots=True)
class AgreementView:
    """What a report shows. `account` may name people and records, which are data."""

    rows: tuple[AgreementRow, ...] = ()
    account: tuple[str, ...] = ()


def build_agreement_view(
    run: RunRow,
    rubric: Rubric,
    said: LabelRows,
    kept: Sequence[KeptAgreement],
    cards: Callable[[], Iterable[Scorecard]],
) -> AgreementView | None:
    """By the run's own labels and preferences. Without labels by what was kept of the same judge and rubric.

    None where there is nothing of this. Labels that can't be used are told, never an error.
    """
    drawn = () if said.rows else tuple(AgreementRow(each.name, format_kept(each), drawn=each) for each in kept)
    if not said.rows and not said.preferences:  # no card is opened
        return AgreementView(drawn) if drawn else None
    try:
        found = measure_run(Scope(run.id, rubric, "the store"), cards(), said)
    except InputError as error:
        return AgreementView(drawn, account=(f"The labels can't be used: {error.message}",))
    people = ", ".join(f"{name} ({count} records)" for name, count in found.people.items())
    by = (f"Labels by {people}",) if people else ()
    return AgreementView((*drawn, *_build_rows(found, run)), (*by, *found.account.explain()))


def _build_rows(found: Agreement, run: RunRow) -> Iterator[AgreementRow]:
    drawn = {each.metric: each for each in list_kept(found, run)}
    for each in found.all:
        verdict = format_verdict(each).removeprefix(f"{each.name}: ")
        yield AgreementRow(
            each.name,
            verdict,
            _format_correction(each.corrected) if each.corrected else "",
            drawn[each.metric] if each in found.metrics else None,
        )
