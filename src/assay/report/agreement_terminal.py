"""Agreement with people on a terminal: per metric one table of figures, then what follows from it in sentences."""

from collections.abc import Iterator, Mapping
from textwrap import fill

from rich.console import Console

from assay.report.agreement import Agreement, MetricAgreement
from assay.report.agreement_metric import Classes, Level
from assay.report.agreement_sentences import say_correction, say_estimate, say_seating, say_steadiness
from assay.report.agreement_spans import SpanFigures
from assay.report.agreement_units import UnitFigures
from assay.report.comparison import say_p_value
from assay.report.terminal import new_table, print_list, show

_LEVELS: Mapping[Level, str] = {"item": "all records", "group": "within items, averaged", "system": "over systems"}
_COEFFICIENTS = {"spearman": "Spearman", "kendall": "Kendall tau-b", "pearson": "Pearson"}
_NOTE = (
    "Goodness: 0–1, best 1. In square brackets 95 % intervals, clustered by item. Beside it: what people reach in the "
    "judge's place, or what needs no judge."
)

Row = tuple[str, str, str]


def print_agreement(console: Console, found: Agreement) -> None:
    if found.run:
        console.print(f"Run {found.run} of {found.rubric}, judged by {show(found.judge)}")
    people = ", ".join(f"{show(name)} ({count} records)" for name, count in found.people.items())
    console.print(f"Labels from {show(found.labels)}, by {people}")
    for metric in found.metrics:
        _print_metric(console, metric, found.against)
    for unit in found.units:
        _print_units(console, unit)
    for spans in found.spans:
        _print_spans(console, spans)
    console.print()
    for note in found.notes:
        console.print(note)
    console.print(_NOTE, style="dim")


def _print_metric(console: Console, metric: MetricAgreement, against: str | None) -> None:
    figures = metric.figures
    labels = "good or bad" if metric.kind == "binary" else "graded"
    systems = f", {figures.systems} systems" if figures.systems else ""
    console.print()
    console.print(
        f"{metric.name}: {figures.n} records of {figures.clusters} items{systems}; labels {labels}, by "
        f"{show(', '.join(metric.people))}",
        style="bold",
    )
    table = new_table()
    for column in ("figure", "judge", "beside it"):
        table.add_column(column, overflow="fold")
    for row in _list_figures(metric):
        table.add_row(*row)
    console.print(table)
    if figures.classes is not None:
        _say(console, _say_confusion(figures.classes))
    if metric.domains is not None:
        _print_domains(console, metric)
    if metric.against is not None:
        _print_against(console, metric, str(against))
    for sentence in (*say_correction(metric.corrected), *say_seating(metric), *say_steadiness(metric)):
        _say(console, sentence)
    for warning in _list_warnings(metric):
        console.print(fill(f"! {warning}", console.width, subsequent_indent="  "), style="yellow", soft_wrap=True)


def _list_figures(metric: MetricAgreement) -> Iterator[Row]:
    figures = metric.figures
    for level, found in figures.levels.items():
        for name, each in found.items():
            ceiling = figures.ceilings.get(name) if level == "item" else None
            beside = "" if ceiling is None else f"people {say_estimate(ceiling.mean)}"
            if ceiling is not None and ceiling.judge is not None:
                beside += f", judge in their place {say_estimate(ceiling.judge)}"
            if each.undefined:
                where = f"{each.undefined} of {figures.clusters} items"
                beside = f"undefined in {where}: constant there, or fewer than three records"
            yield f"{_COEFFICIENTS[name]}, {_LEVELS[level]}", say_estimate(each), beside
        if not found:
            yield f"{_LEVELS[level]}", "–", "fewer than three systems"
    for name, each in figures.alike.items():
        beside = f"people {say_estimate(figures.people_alpha)}" if name.endswith("(interval)") else ""
        yield name, say_estimate(each), beside if figures.people_alpha is not None else ""
    if figures.classes is not None:
        yield from _list_classes(figures.classes)
    yield "Skill", say_estimate(figures.skill), f"a constant guess 0; {figures.skill_name}"


def _list_classes(classes: Classes) -> Iterator[Row]:
    constant = classes.baselines
    beside = (
        {}
        if constant is None
        else {
            "accuracy": f"always {'good' if constant.commonest == 1 else 'bad'} {constant.accuracy:.2f}",
            "balanced accuracy": f"a constant {constant.balanced_accuracy:.2f}",
            "F1 of bad": f"always bad {constant.f1_of_always_positive:.2f}",
            "AUC": "a constant 0.50",
        }
    )
    if classes.people_alpha is not None:
        beside["Krippendorff alpha (nominal)"] = f"people {say_estimate(classes.people_alpha)}"
    for name, each in classes.figures.items():
        yield f"{name[0].upper()}{name[1:]}", say_estimate(each), beside.get(name, "")


def _say_confusion(classes: Classes) -> str:
    counts = {
        (judge, human): classes.confusion.counts[row][column]
        for row, judge in enumerate(classes.confusion.labels)
        for column, human in enumerate(classes.confusion.labels)
    }
    words = {1.0: "good", 0.0: "bad"}
    said = ", ".join(
        f"{counts.get((judge, human), 0)} judge {words[judge]} and people {words[human]}"
        for judge, human in ((1.0, 1.0), (0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    )
    text = f"Good is a goodness of {classes.threshold:g} or more: {said}."
    best = classes.best_threshold
    if best is None:
        return text + (f" No best threshold: {classes.no_threshold}." if classes.no_threshold else "")
    crossed = say_estimate(best.balanced_accuracy)
    return f"{text} Best separated at {best.value:.2f}: balanced accuracy {crossed}, cross-fitted by item. Not applied."


def _print_domains(console: Console, metric: MetricAgreement) -> None:
    domains = metric.domains
    if domains is None:
        return
    names = list(dict.fromkeys(name for row in domains.rows for name in row.figures))
    table = new_table()
    for column in ("domain", "records", "judge", "people", *(_COEFFICIENTS.get(name, name) for name in names)):
        table.add_column(column, overflow="fold")
    for row in domains.rows:
        means = [("–" if mean is None else f"{mean:.2f}") for mean in (row.judge_mean, row.human_mean)]
        cells = [say_estimate(row.figures[name]) for name in names]
        table.add_row(show(row.domain), str(row.n), *means, *cells)
    averages = [f"{domains.averages[name][0]:.2f}" if name in domains.averages else "undefined" for name in names]
    table.add_row("each once", "", "", "", *averages)
    console.print(table)


def _print_against(console: Console, metric: MetricAgreement, against: str) -> None:
    table = new_table()
    for column in ("figure", "this run", against, "difference, 95 %", "p"):
        table.add_column(column, overflow="fold")
    for name, each in (metric.against or {}).items():
        cells = [say_estimate(found) for found in (each.second, each.first, each.difference)]
        table.add_row(_COEFFICIENTS.get(name, name), *cells, say_p_value(each.p_value))
    console.print(table)


def _list_warnings(metric: MetricAgreement) -> list[str]:
    """Each once. Those of the estimates are said for the metric as a whole."""
    figures = metric.figures
    pooled = figures.levels.get("item") or next(iter(figures.levels.values()), {})
    said = [*figures.warnings, *(sentence for each in pooled.values() for sentence in each.warnings)]
    return list(dict.fromkeys(said))


def _print_units(console: Console, found: UnitFigures) -> None:
    console.print()
    about = "choices" if found.about == "choice" else f"labels of each {found.about.replace('_', ' ')}"
    title = f"{found.metric}, {found.part}: {found.n} {about}, in {found.clusters} items"
    title += f"; by {show(', '.join(found.people))}"
    console.print(title, style="bold")
    table = new_table()
    for column in ("figure", "judge", "beside it"):
        table.add_column(column, overflow="fold")
    beside = {}
    if found.commonest is not None:
        beside["accuracy"] = f"always {found.commonest[0]} {found.commonest[1]:.2f}"
    if found.people_kappa is not None:
        judge = f", judge with each {say_estimate(found.judge_kappa)}"
        beside["kappa"] = f"people with each other {say_estimate(found.people_kappa)}{judge}"
    for name, each in found.figures.items():
        table.add_row(f"{name[0].upper()}{name[1:]}", say_estimate(each), beside.get(name, ""))
    for name, each in found.found.items():
        table.add_row(f"{name[0].upper()}{name[1:]} of what is below the best label", say_estimate(each), "")
    console.print(table)
    pairs = [
        f"{count} {judge} for {human}"
        for judge, row in zip(found.options, found.confusion, strict=True)
        for human, count in zip(found.options, row, strict=True)
        if count and judge != human
    ]
    print_list(console, "Where they differ, the judge's word for people's", pairs or ["nowhere"])
    for name, row in found.domains.items():
        print_list(console, f"domain {show(name)}", (f"{key} {say_estimate(each)}" for key, each in row.items()))
    for count, words in (
        (found.undecided, "left undecided by the judge"),
        (found.split, "people are split or can't tell"),
    ):
        if count:
            console.print(f"! {count} {words}: left out", style="yellow")


def _print_spans(console: Console, found: SpanFigures) -> None:
    console.print()
    console.print(f"{found.metric}, marked stretches: {found.records} outputs of {found.clusters} items", style="bold")
    table = new_table()
    for column in ("figure", "judge", "people with each other"):
        table.add_column(column, overflow="fold")
    for unit, judge, people in (("characters", found.characters, found.people), ("stretches", found.stretches, {})):
        for name, each in judge.items():
            beside = say_estimate(people[name]) if name in people else ""
            table.add_row(f"{name[0].upper()}{name[1:]} over {unit}", say_estimate(each), beside)
    console.print(table)


def _say(console: Console, sentence: str) -> None:
    console.print(fill(sentence, console.width, subsequent_indent="  "), soft_wrap=True)
