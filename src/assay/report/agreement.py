"""Agreement with people on a terminal: per metric one table of figures, then the corrected mean and warnings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import fill

from rich.console import Console

from assay.agreement.agreement import Agreement, UnitFigures
from assay.agreement.ceiling import Ceiling
from assay.agreement.correlation import Coefficient
from assay.agreement.estimate import Estimate
from assay.agreement.figures import Classes, Level, MetricAgreement
from assay.agreement.values import CorrectedMean
from assay.report.terminal import build_table, make_printable, print_list

_LEVELS: Mapping[Level, str] = {"item": "all records", "group": "within items, averaged", "system": "over systems"}
COEFFICIENTS: Mapping[Coefficient, str] = {"spearman": "Spearman", "kendall": "Kendall tau-b", "pearson": "Pearson"}
_NOTE = (
    "Goodness: 0–1, best 1. [low, high]: 95 % interval, clustered by item. The last column shows what people reach in "
    "the judge's place, or what a constant answer reaches."
)

Row = tuple[str, str, str]


def print_agreement(console: Console, found: Agreement) -> None:
    if found.run:
        console.print(f"Run {found.run} of {found.rubric}, judged by {make_printable(found.judge)}")
    people = ", ".join(f"{make_printable(name)} ({count} records)" for name, count in found.people.items())
    console.print(f"Labels from {make_printable(found.labels)}, by {people}")
    for metric in found.metrics:
        _print_metric(console, metric, found.against)
    for unit in found.units:
        _print_units(console, unit)
    console.print()
    for note in found.notes:
        console.print(note)
    console.print(_NOTE, style="dim")


def _print_metric(console: Console, metric: MetricAgreement, against: str | None) -> None:
    figures = metric.figures
    labels = "good or bad" if metric.kind == "binary" else "graded"
    systems = f", {figures.systems} systems" if figures.systems else ""
    size = f"{figures.n} records of {figures.clusters} items{systems}"
    _print_title(console, f"{metric.name}: {size}; labels {labels}, by {make_printable(', '.join(metric.people))}")
    _print_table(console, ("figure", "judge", "people or baseline"), _list_figures(metric))
    if figures.classes is not None:
        _print_sentence(console, _format_confusion(figures.classes))
    if metric.domains:
        names = list(dict.fromkeys(name for row in metric.domains for name in row.figures))
        head = ("domain", "records", "judge", "people", *(_name_figure(name) for name in names))
        rows = [
            (make_printable(row.domain), str(row.n), *map(_format_number, (row.judge_mean, row.human_mean)),
             *(format_estimate(row.figures[name]) for name in names))
            for row in metric.domains
        ]  # fmt: skip
        _print_table(console, head, rows)
    if metric.against is not None:
        rows = [
            (_name_figure(name), *map(format_estimate, (each.second, each.first, each.difference)))
            for name, each in metric.against.items()
        ]
        _print_table(console, ("figure", "this run", str(against), "difference"), rows)
    for sentence in _explain_correction(metric.corrected):
        _print_sentence(console, sentence)
    for warning in _list_warnings(metric):
        console.print(fill(f"! {warning}", console.width, subsequent_indent="  "), style="yellow", soft_wrap=True)


def _list_figures(metric: MetricAgreement) -> Iterator[Row]:
    figures = metric.figures
    for level, found in figures.levels.items():
        for name, each in found.items():
            ceiling = figures.ceilings.get(name) if level == "item" else None
            beside = "" if ceiling is None else f"people {format_ceiling(ceiling)}"
            if each.undefined:
                where = f"{each.undefined} of {figures.clusters} items"
                beside = f"undefined in {where}: constant values, or fewer than three records"
            yield f"{COEFFICIENTS[name]}, {_LEVELS[level]}", format_estimate(each), beside
        if not found:
            yield f"{_LEVELS[level]}", "–", "fewer than three systems"
    for measure, each in figures.alike.items():
        has_people = measure.endswith("(interval)") and figures.people_alpha is not None
        yield measure, format_estimate(each), f"people {format_estimate(figures.people_alpha)}" if has_people else ""
    if figures.classes is not None:
        yield from _list_classes(figures.classes)
    yield "Skill", format_estimate(figures.skill), "0: no better than guessing the mean of the labels"


def _list_classes(classes: Classes) -> Iterator[Row]:
    beside, constant = {}, classes.baselines
    if constant is not None:
        beside = {
            "accuracy": f"always {'good' if constant.commonest == 1 else 'bad'} {constant.accuracy:.2f}",
            "balanced accuracy": f"a constant {constant.balanced_accuracy:.2f}",
            "F1 of bad": f"always bad {constant.f1_of_always_positive:.2f}",
            "AUC": "a constant 0.50",
        }
    if classes.people_alpha is not None:
        beside["Krippendorff alpha (nominal)"] = f"people {format_estimate(classes.people_alpha)}"
    for name, each in classes.figures.items():
        yield _name_figure(name), format_estimate(each), beside.get(name, "")


def _format_confusion(classes: Classes) -> str:
    words = ("bad", "good")
    counts = ", ".join(
        f"{classes.confusion[judge][human]} judge {words[judge]} and people {words[human]}"
        for judge, human in ((1, 1), (0, 0), (1, 0), (0, 1))
    )
    return f"Good is a goodness of {classes.threshold:g} or more: {counts}."


def _explain_correction(found: CorrectedMean) -> Iterator[str]:
    if found.corrected is None:
        yield f"Corrected {found.what}: none. {found.reason[:1].upper()}{found.reason[1:]}"
        return
    scored = f"{found.raw.n} of {found.records}" if found.raw.n < found.records else f"{found.records}"
    yield (
        f"Mean over the run: the judge's {found.what} is {_format_number(found.raw.value)} ({scored} records scored), "
        f"corrected by the labels {format_estimate(found.corrected)} (PPI++), labels alone "
        f"{format_estimate(found.labels)}. With the judge, {found.corrected.n} labels are worth "
        f"{found.corrected.n * (found.gain or 0):.0f}."
    )
    yield f"The corrected mean: {'; '.join(found.warnings)}."


def _list_warnings(metric: MetricAgreement) -> list[str]:
    """Each once; those of the estimates hold for the metric as a whole."""
    figures = metric.figures
    pooled = figures.levels.get("item") or next(iter(figures.levels.values()), {})
    found = [*figures.warnings, *(sentence for each in pooled.values() for sentence in each.warnings)]
    return list(dict.fromkeys(found))


def _print_units(console: Console, found: UnitFigures) -> None:
    about = "choices" if found.about == "choice" else f"labels of each {found.about.replace('_', ' ')}"
    by = make_printable(", ".join(found.people))
    _print_title(console, f"{found.metric}, {found.part}: {found.n} {about}, in {found.clusters} items; by {by}")
    beside = {}
    if found.commonest is not None:
        beside["accuracy"] = f"always {found.commonest[0]} {found.commonest[1]:.2f}"
    if found.people_kappa is not None:
        people, judge = format_estimate(found.people_kappa), format_estimate(found.judge_kappa)
        beside["kappa"] = f"people with each other {people}, judge with each {judge}"
    rows = [(_name_figure(name), format_estimate(each), beside.get(name, "")) for name, each in found.figures.items()]
    rows += [(f"{_name_figure(name)} of labels below the best", format_estimate(each), "") for name, each in found.found.items()]  # fmt: skip  # noqa: E501
    _print_table(console, ("figure", "judge", "people or baseline"), rows)
    differing = [
        f"{count} {judge} instead of {human}"
        for judge, row in zip(found.options, found.confusion, strict=True)
        for human, count in zip(found.options, row, strict=True)
        if count and judge != human
    ]
    print_list(console, "Different labels, the judge's instead of people's", differing or ["none"])
    for count, words in ((found.undecided, "undecided by the judge"), (found.split, "without a majority of people")):
        if count:
            console.print(f"! {count} units {words} are left out", style="yellow")


def format_estimate(found: Estimate | None) -> str:
    if found is None or found.value is None:
        return "undefined"
    interval = "" if found.interval is None else f" [{found.interval[0]:.2f}, {found.interval[1]:.2f}]"
    return f"{found.value:.2f}{interval}"


def format_ceiling(found: Ceiling) -> str:
    return f"{format_estimate(found.mean)}, judge in their place {format_estimate(found.judge)}"


def _format_number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _name_figure(name: str) -> str:
    return next((words for key, words in COEFFICIENTS.items() if key == name), f"{name[0].upper()}{name[1:]}")


def _print_title(console: Console, title: str) -> None:
    console.print()
    console.print(title, style="bold")


def _print_table(console: Console, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    table = build_table(*head)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _print_sentence(console: Console, sentence: str) -> None:
    console.print(fill(sentence, console.width, subsequent_indent="  "), soft_wrap=True)
