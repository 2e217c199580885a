"""A run on a terminal: a table of records, then a summary. Tables fit the width; pipes get no colour."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill, wrap
from typing import IO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay.domain.listed import find_order
from assay.domain.outcome import Outcome
from assay.domain.rubric import Rubric
from assay.domain.scale import say_scale
from assay.domain.scorecard import Scorecard
from assay.domain.terms import plain
from assay.report.display import (
    QUIET_FLAGS,
    STRONGER,
    find_tone,
    format_missing,
    format_score,
    format_screening_notice,
    list_cautions,
)
from assay.report.findings import format_doubts
from assay.report.summary import Summary, list_notes

# A pipe has no width of its own; logs and pull-request comments take this much.
_PLAIN_WIDTH = 120
_LEAST_NAMES = 10
_GAP = 2
_NAMED = 3
# By the tone of a score or a label.
COLOURS = {
    **dict.fromkeys(("high", "supported"), "green"),
    **dict.fromkeys(("middle", "partial", "undecided", "abstained", "split"), "yellow"),
    **dict.fromkeys(("low", "absent", "contradicted"), "red"),
    "failed": "bold red",
    "neutral": "default",
}
# Characters that move the cursor, colour the screen or turn the reading direction.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class _PipeConsole(Console):
    def on_broken_pipe(self) -> None:
        """A reader that closes the pipe is no failure: the command line exits quietly."""
        raise  # noqa: PLE0704  # called while the broken pipe is being handled


def open_console(stream: IO[str], width: int | None = None, *, record: bool = False) -> Console:
    """Without markup and emoji codes: the texts of records are shown, never obeyed.

    Inside a notebook too it writes to its stream, where rich would show each line by itself.
    """
    if width is None and not stream.isatty():
        width = _PLAIN_WIDTH
    return _PipeConsole(
        file=stream, highlight=False, markup=False, emoji=False, width=width, record=record, force_jupyter=False
    )


def make_printable(text: str) -> str:
    return _UNPRINTABLE.sub("�", text)


def build_table(*columns: str, rows: Iterable[Iterable[str]] = (), right: Container[int] = ()) -> Table:
    """A table whose long cells wrap; the columns `right` are aligned at their right."""
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, padding=(0, 1, 0, 0))
    for at, column in enumerate(columns):
        table.add_column(column, overflow="fold", justify="right" if at in right else "left")
    for row in rows:
        table.add_row(*row)
    return table


def print_wrapped(
    console: Console, text: str, indent: str = "", hang: str = "  ", style: str | None = None, widest: int | None = None
) -> None:
    """One paragraph; lines after its first are indented by `hang` more."""
    width = min(console.width, widest or console.width)
    lines = fill(text, width, initial_indent=indent, subsequent_indent=indent + hang, break_on_hyphens=False)
    console.print(lines, style=style, soft_wrap=True)


def print_list(console: Console, title: str, entries: Iterable[str]) -> None:
    """Lines break between entries, not inside one."""
    kept = ", ".join(entry.replace(" ", "\u00a0") for entry in entries)
    text = fill(f"{title}: {kept}", console.width, subsequent_indent="    ", break_on_hyphens=False)
    console.print(text.replace("\u00a0", " "), soft_wrap=True)


@dataclass(frozen=True, slots=True)
class RecordRow:
    id: str
    system: str
    cells: tuple[Text, ...]
    signs: tuple[str, ...]
    doubts: tuple[str, ...]
    is_mean: bool
    order: float
    weakest_support: float | None = None


def build_row(card: Scorecard) -> RecordRow:
    return RecordRow(
        make_printable(card.record.id),
        make_printable(card.record.system or ""),
        tuple(build_cell(card.outcomes[metric.id]) for metric in card.rubric.metrics),
        tuple(_list_signs(card)),
        tuple(make_printable(doubt) for doubt in format_doubts(card)),
        bool(card.voices),
        find_order(card),
        card.weakest_support,
    )


def build_cell(outcome: Outcome) -> Text:
    return Text(format_score(outcome), style=COLOURS[find_tone(outcome)])


def _list_signs(card: Scorecard) -> list[str]:
    flags = Counter(flag for outcome in card.outcomes.values() for flag in set(outcome.trail.flags))
    notices = Counter(notice.check for notice in card.notices)
    counts = {name: count for name, count in (flags | notices).items() if name not in QUIET_FLAGS}
    return [name if count == 1 or name in flags else f"{name} ×{count}" for name, count in sorted(counts.items())]


def build_records_table(rubric: Rubric, rows: Sequence[RecordRow], width: int) -> Table | None:
    """None where not even the words of its columns fit. Words stay whole."""
    one = _has_one_scale(rubric)
    shown = _find_answered(rows)
    titles = [each.name if one else f"{each.name}\n{say_scale(each.scale)}" for each in rubric.metrics]
    titles = [titles[at] for at in shown]
    columns = [[title, *(row.cells[at].plain for row in rows)] for at, title in zip(shown, titles, strict=True)]
    words = [_find_widest(column, r"\s+") for column in columns]
    has_systems = any(row.system for row in rows)
    systems = _GAP + max(len("system"), *(len(row.system) for row in rows)) if has_systems else 0
    ids = max(len("record"), *(len(row.id) for row in rows))
    has_weakest = any(row.weakest_support is not None for row in rows)
    others = _GAP * (len(titles) + 1) + systems + (_GAP + len("weakest claim")) * has_weakest
    is_narrow = ids + others + sum(_find_widest(column, "\n") for column in columns) > width
    ids = min(ids, width - others - sum(words))
    if is_narrow and ids < _LEAST_NAMES:
        return None
    table = build_table()
    table.add_column("record", min_width=ids, no_wrap=True)
    if has_systems:
        table.add_column("system", no_wrap=True)
    for title, longest in zip(titles, words, strict=True):
        table.add_column(title, min_width=longest)
    if has_weakest:
        table.add_column("weakest claim", justify="right")
    for row in rows:
        cells = [_break_status(row.cells[at]) if is_narrow else row.cells[at] for at in shown]
        name = "\n".join(wrap(row.id, ids)) if is_narrow else row.id
        weakest = ("" if row.weakest_support is None else f"{row.weakest_support:.2f}",) if has_weakest else ()
        table.add_row(name, *((row.system,) if has_systems else ()), *cells, *weakest)
    return table


def _break_status(cell: Text) -> Text:
    """A status on a line for each word; a score as it is."""
    return Text(cell.plain.replace(" ", "\n"), style=cell.style) if cell.plain[:1].isalpha() else cell


def _find_answered(rows: Sequence[RecordRow]) -> list[int]:
    """The places of the metrics that the judge scored in some record that says anything; else of all."""
    places = range(len(rows[0].cells)) if rows else range(0)
    told = [row for row in rows if all(cell.plain != plain("empty_input") for cell in row.cells)] or rows
    return [at for at in places if any(row.cells[at].plain != plain("abstained") for row in told)] or list(places)


def _find_widest(texts: Iterable[str], separator: str) -> int:
    return max(len(piece) for text in texts for piece in re.split(separator, text))


def _has_one_scale(rubric: Rubric) -> bool:
    return len({say_scale(metric.scale) for metric in rubric.metrics}) == 1


def _format_scales(rubric: Rubric) -> str:
    if _has_one_scale(rubric):
        return f"Scale {say_scale(rubric.metrics[0].scale)}."
    return f"Scales: {'; '.join(f'{metric.name} {say_scale(metric.scale)}' for metric in rubric.metrics)}."


def print_records(console: Console, rubric: Rubric, rows: Sequence[RecordRow]) -> None:
    table = build_records_table(rubric, rows, console.width)
    if table is not None:
        console.print(table)
    else:
        for row in rows:
            scores = (f"{rubric.metrics[at].name} {row.cells[at].plain}" for at in _find_answered(rows))
            print_list(console, f"{row.id} {row.system}".strip(), scores)
    legend = [_format_scales(rubric)] if _has_one_scale(rubric) or table is None else []
    shown = "".join(cell.plain for row in rows for cell in row.cells)
    if "(" in shown:
        legend.append("(score): before a cap or limit.")
    if "[" in shown:
        averaged = ", averaged over the answers" if any(row.is_mean for row in rows) else ""
        legend.append(f"[low–high]: range if the uncertain claims go either way{averaged}.")
    if any(row.weakest_support is not None for row in rows):
        legend.append("Weakest claim: its support probability. Use it to sort; it is not a score.")
    answered = _find_answered(rows)
    unscored = [metric.name for at, metric in enumerate(rubric.metrics) if at not in answered]
    if unscored:
        legend.append(f"Not scored by this judge: {', '.join(unscored)}.")
    if legend:
        print_wrapped(console, " ".join(legend), hang="", style="dim")
    for row in rows:
        if row.signs or row.doubts:
            print_list(console, f"  {row.id} ({row.system})" if row.system else f"  {row.id}", row.signs)
        for doubt in row.doubts:
            print_wrapped(console, doubt, "    ")


def print_summary(console: Console, summary: Summary) -> None:
    """Means with their counts, then warnings, flags, rule-based checks and facts, and why records have no score."""
    console.print(_build_summary_table(summary))
    console.print(
        f"{_format_scales(summary.rubric)} Normalized score: 0–1, best 1, 95 % interval over source groups.",
        style="dim",
    )
    for note in list_notes(summary):
        console.print(note, style="dim")
    for judge, tallies in summary.answers.items():
        title = "Answers scored" if len(summary.answers) == 1 else f"Answers scored, {make_printable(judge)}"
        print_list(console, title, (f"{name} {tally.said}" for name, tally in tallies.items()))
    for metric in summary.metrics.values():
        if metric.warning:
            console.print(f"Low variance: {metric.name} is {metric.warning}.", style="yellow")
    for title, counts in (("Flags, by records", summary.flags), ("Rule-based checks, by records", summary.notices)):
        shown = [f"{name} {count}" for name, count in sorted(counts.items()) if name not in QUIET_FLAGS]
        if shown:
            print_list(console, title, shown)
    for table in summary.facts.tables():
        console.print(f"\n{make_printable(table.name).capitalize()} by truth:")
        columns, rows = map(make_printable, table.columns), ((each, *map(str, counts)) for each, counts in table.rows)
        console.print(build_table("truth", *columns, rows=rows, right=range(1, len(table.columns) + 1)))
        console.print(make_printable(table.said))
    for line in summary.facts.sentences():
        console.print(make_printable(line))
    for caution in list_cautions(summary.rubric, summary.judges):
        console.print(caution)
    print_stronger(console, summary)
    for line in format_unscored(summary.reasons):
        print_wrapped(console, line, "  ", hang="    ")


def print_stronger(console: Console, summary: Summary) -> None:
    """How to name another judge, where this one is for screening."""
    if format_screening_notice(summary.judges):
        console.print(STRONGER)


def _build_summary_table(summary: Summary) -> Table:
    # What a judge declines throughout is listed below with the reason.
    metrics = [each for each in summary.metrics.values() if each.scored or set(each.missing) != {"abstained"}]
    has_weakest = any(each.weakest_support for each in metrics)
    weakest = ["weakest claim"] if has_weakest else []
    columns = ("metric", "mean", "normalized score", "groups", "scored", *weakest, "no score")
    table = build_table(*columns, right=(1,))
    totals = [(summary.totals, "Total", "", "", "dim")] if len(metrics) > 1 and summary.totals.scored else []
    rows = [(each, each.name, each.mean, format_missing(each.missing), "") for each in metrics]
    for found, name, mean, missing, style in (*rows, *totals):
        scored = f"{found.scored} of {found.asked}"
        weakest = [found.weakest_support] if has_weakest else []
        table.add_row(name, mean, found.figure, str(found.goodness.items), scored, *weakest, missing, style=style)
    return table


def format_unscored(reasons: Mapping[str, Sequence[str]], most: int = 5) -> list[str]:
    """The most frequent reasons, each with its first records; the others are counted."""
    ranked = sorted(reasons.items(), key=lambda each: -len(each[1]))
    lines = []
    for words, records in ranked[:most]:
        more = ", …" if len(records) > _NAMED else ""
        lines.append(make_printable(f"{len(records)} × {words} – {', '.join(records[:_NAMED])}{more}"))
    left = sum(len(records) for _, records in ranked[most:])
    return lines + ([f"… and {left} more, for other reasons"] if left else [])
