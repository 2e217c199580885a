"""What a run came to, on a terminal: the means with how many stand behind them, and what should give pause."""

from collections import Counter
from textwrap import fill

from rich.console import Console
from rich.table import Table

from assay.report.facts import TruthTable
from assay.report.reasons import Reasons
from assay.report.screening import say_screening
from assay.report.summary import Summary
from assay.report.terminal import QUIET_FLAGS, new_table, print_list, say_scales, show


def print_summary(console: Console, summary: Summary) -> None:
    console.print(build_summary_table(summary))
    console.print(f"{say_scales(summary.rubric)} Goodness: 0–1, best 1, 95 % interval over items.", style="dim")
    _print_answers(console, summary)
    for metric in summary.metrics.values():
        if metric.warning:
            console.print(f"Low variance: {metric.name} is {metric.warning}.", style="yellow")
    _print_counts(console, "Flags, by records", summary.flags)
    _print_counts(console, "Found by code, by records", summary.notices)
    for table in summary.facts.tables():
        console.print(f"\n{show(table.name).capitalize()} by truth:")
        console.print(build_truth_table(table))
        console.print(show(table.said))
    for line in summary.facts.sentences():
        console.print(show(line))
    for caution in (summary.rubric.notice, say_screening(summary.judges)):
        if caution:
            console.print(caution)


def _print_answers(console: Console, summary: Summary) -> None:
    """A mean hides the answers it lacks: with several judges or samples they are counted one by one."""
    by_judge = summary.answers.by_judge
    for judge, tallies in by_judge.items():
        title = "Answers scored" if len(by_judge) == 1 else f"Answers scored, {show(judge)}"
        print_list(console, title, (f"{summary.metrics[name].name} {tally.said}" for name, tally in tallies.items()))


def _print_counts(console: Console, title: str, counts: Counter[str]) -> None:
    said = [f"{name} {count}" for name, count in sorted(counts.items()) if name not in QUIET_FLAGS]
    if said:
        print_list(console, title, said)


def build_summary_table(summary: Summary) -> Table:
    table = new_table()
    for name in ("metric", "mean", "goodness", "items", "scored", "not scored"):
        table.add_column(name, overflow="fold", justify="right" if name == "mean" else "left")
    for metric in summary.metrics.values():
        table.add_row(
            metric.name,
            metric.mean,
            metric.goodness.said,
            str(metric.goodness.items),
            f"{len(metric.scores)} of {metric.asked}",
            ", ".join(f"{count} {status}" for status, count in metric.missing.most_common()),
        )
    if len(summary.metrics) > 1:
        scored = f"{summary.totals.count} of {summary.records}"
        items = str(summary.totals.items)
        table.add_row("Total", "", summary.totals.said, items, scored, "", style="dim")
    return table


def build_truth_table(table: TruthTable) -> Table:
    shown = new_table()
    shown.add_column("truth", no_wrap=True)
    for column in table.columns:
        shown.add_column(show(column), justify="right")
    for truth, counts in table.rows:
        shown.add_row(show(truth), *(str(count) for count in counts))
    return shown


def print_unscored(console: Console, reasons: Reasons) -> None:
    for line in say_unscored(reasons):
        text = fill(line, console.width, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False)
        console.print(text, soft_wrap=True)


def say_unscored(reasons: Reasons, most: int = 5) -> list[str]:
    """The reasons that hold for most records, each with the first of them; the others are counted."""
    ranked = reasons.rank()
    lines = [
        show(f"{each.count} × {each.words} – {', '.join(each.first)}{', …' if each.count > len(each.first) else ''}")
        for each in ranked[:most]
    ]
    left = sum(each.count for each in ranked[most:]) + reasons.others
    return lines + ([f"… and {left} more, for other reasons"] if left else [])
