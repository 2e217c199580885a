"""Two runs compared, on a terminal: the differences of the metrics, then every record that changed and what changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console

from assay.domain.rubric import WEAKEST_SUPPORT
from assay.domain.scale import say_scale
from assay.report.comparison import (
    CHANGE_TITLES,
    COMPARED,
    COMPARED_NOTE,
    NO_CHANGE,
    MetricComparison,
    RecordChange,
    list_cells,
    name_changed,
)
from assay.report.display import clip_name
from assay.report.record_diff import RecordDiff, list_lines
from assay.report.terminal import COLOURS, build_table, make_printable, print_wrapped

_STYLES = {"worse": COLOURS["low"], "unscored": COLOURS["failed"], "better": COLOURS["high"]}
# Without `--all`: records of one kind under one metric, claims of one record, and characters of changed words.
_MOST_RECORDS, _MOST_CLAIMS, _MOST_WORDS = 10, 3, 200


@dataclass(frozen=True, slots=True)
class ChangeList:
    """Which changes are printed. `diff` compares the texts and claims of one; `command` prints all of a metric."""

    diff: Callable[[RecordChange], RecordDiff]
    command: Callable[[str], str]
    metric: str | None = None
    has_all: bool = False


def print_comparison(console: Console, compared: Sequence[MetricComparison], alone: str, wanted: ChangeList) -> None:
    """Changes of weakest claims are counted in the table, and listed where they are asked for."""
    console.print(build_table(*COMPARED, rows=map(list_cells, compared)))
    print_wrapped(console, COMPARED_NOTE, style="dim")
    worse, better = name_changed(compared, "worse"), name_changed(compared, "better")
    for title, names in (("Worse in the second run", worse), ("Better in the second run", better)):
        if names:
            print_wrapped(console, f"{title}: {names}.")
    if not worse and not better:
        print_wrapped(console, NO_CHANGE)
    if alone:
        print_wrapped(console, alone)
    for each in compared:
        is_asked = each.metric.id == wanted.metric if wanted.metric else not each.metric.id.endswith(WEAKEST_SUPPORT)
        if is_asked and (each.changes or wanted.metric):
            _print_changes(console, each, wanted)


def _print_changes(console: Console, compared: MetricComparison, wanted: ChangeList) -> None:
    console.print()
    metric = compared.metric
    if not compared.changes:
        print_wrapped(console, f"{metric.name}: no score, status or label changed.")
        return
    print_wrapped(console, f"{metric.name} ({say_scale(metric.scale)}): {compared.counted}", style="bold")
    is_cut = False
    limits = (None, None) if wanted.has_all else (_MOST_WORDS, _MOST_CLAIMS)
    for kind, group in groupby(compared.changes, key=lambda change: change.kind):
        changes = list(group)
        shown = changes if wanted.has_all else changes[:_MOST_RECORDS]
        for change in shown:
            print_wrapped(console, _format_change(change), "  ", style=_STYLES.get(kind or ""))
            for line in list_lines(wanted.diff(change), *limits):
                print_wrapped(console, make_printable(line), "      ")
        if kind is not None and len(shown) < len(changes):
            print_wrapped(console, f"… {len(changes) - len(shown)} more {CHANGE_TITLES[kind][1]}", "  ")
            is_cut = True
    if is_cut:
        print_wrapped(console, f"All of them: {wanted.command(metric.id)}", "  ", style="dim")


def _format_change(change: RecordChange) -> str:
    before, after = change.scores
    scores = before if change.kind == "labels" else f"{before} → {after}"
    # On a scale whose best end is the low one, a change of +2 is worse.
    said = f"{change.kind} {change.said}" if change.kind in {"worse", "better"} else change.said
    return make_printable(f"{said}: {clip_name(change.name)}, {scores}")
