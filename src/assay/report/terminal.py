"""A run on a terminal: one row per record, then what it came to. Width-aware; colour only where it can be seen."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import fill, wrap
from typing import IO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay.domain.outcome import Abstention, Outcome, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scale import in_words, say_scale, step_of
from assay.domain.scorecard import Scorecard
from assay.report.display import format_interval
from assay.report.doubts import say_doubts

# Flags that say how a run was made, not that something is odd.
QUIET_FLAGS = {"joint", "neutralised"}
# A pipe has no width of its own; logs and pull-request comments take this much.
_PLAIN_WIDTH = 120
_LEAST_NAMES = 10
_GAP = 2
_COLOURS = {"high": "green", "middle": "yellow", "low": "red"}
# What would move the cursor, colour the screen or turn the reading direction, had a record its way.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class _Screen(Console):
    def on_broken_pipe(self) -> None:
        """A reader that has had enough is no failure: the command line knows how to leave."""
        raise  # noqa: PLE0704  # called while the broken pipe is being handled


def open_console(stream: IO[str], width: int | None = None) -> Console:
    """No markup and no emoji codes: the texts of records are shown, never obeyed."""
    if width is None and not stream.isatty():
        width = _PLAIN_WIDTH
    return _Screen(file=stream, highlight=False, markup=False, emoji=False, width=width)


def show(text: str) -> str:
    return _UNPRINTABLE.sub("�", text)


def new_table() -> Table:
    return Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, padding=(0, 1, 0, 0))


@dataclass(frozen=True, slots=True)
class RecordRow:
    id: str
    system: str
    cells: tuple[Text, ...]
    signs: tuple[str, ...]
    doubts: tuple[str, ...]
    is_capped: bool
    is_open: bool
    is_mean: bool

    @property
    def name(self) -> str:
        """The id, and the system where there is one: two systems may answer the same record."""
        return f"{self.id} ({self.system})" if self.system else self.id


def build_row(card: Scorecard) -> RecordRow:
    outcomes = [card.outcomes[metric.id] for metric in card.rubric.metrics]
    scores = [outcome.score for outcome in outcomes if isinstance(outcome, Verdict)]
    return RecordRow(
        show(card.record.id),
        show(card.record.system or ""),
        tuple(build_cell(outcome) for outcome in outcomes),
        tuple(_signs(card)),
        tuple(show(doubt) for doubt in say_doubts(card)),
        any(score.raw != score.value for score in scores),
        any(score.interval[0] != score.interval[1] for score in scores),
        bool(card.voices),
    )


def build_cell(outcome: Outcome) -> Text:
    if not isinstance(outcome, Verdict):
        return Text(outcome.status, style="yellow" if isinstance(outcome, Abstention) else "bold red")
    score = outcome.score
    text = in_words(score.value)
    if score.raw != score.value:
        text += f" ({in_words(score.raw)})"
    if interval := format_interval(outcome):
        text += f" [{interval}]"
    return Text(text, style=colour_of(float(score.goodness)))


def colour_of(goodness: float) -> str:
    return _COLOURS[step_of(goodness)]


def _signs(card: Scorecard) -> list[str]:
    flags = Counter(flag for outcome in card.outcomes.values() for flag in set(outcome.trail.flags))
    notices = Counter(notice.check for notice in card.notices)
    counts = {name: count for name, count in (flags | notices).items() if name not in QUIET_FLAGS}
    return [name if count == 1 or name in flags else f"{name} ×{count}" for name, count in sorted(counts.items())]


@dataclass(frozen=True, slots=True)
class _Layout:
    """The widths of a table of records in a terminal of `width` columns, whose words stay whole wherever they can."""

    titles: tuple[str, ...]
    rows: Sequence[RecordRow]
    width: int

    @property
    def systems(self) -> int:
        longest = max(len(row.system) for row in self.rows)
        return max(longest, len("system")) if longest else 0

    @property
    def words(self) -> list[int]:
        """The least width of each metric: its longest word, a status counting as its parts."""
        return [_widest([title, *cells], r"\s+|(?<=_)") for title, cells in self._columns()]

    @property
    def names(self) -> int:
        """What is left for the ids."""
        whole = max(len("record"), *(len(row.id) for row in self.rows))
        return min(whole, self.width - self._others() - sum(self.words))

    @property
    def is_narrow(self) -> bool:
        whole = max(len("record"), *(len(row.id) for row in self.rows))
        cells = sum(_widest([title, *cells], "\n") for title, cells in self._columns())
        return whole + self._others() + cells > self.width

    def _others(self) -> int:
        return _GAP * (len(self.titles) + 1) + (self.systems + _GAP if self.systems else 0)

    def _columns(self) -> list[tuple[str, list[str]]]:
        return [(title, [row.cells[at].plain for row in self.rows]) for at, title in enumerate(self.titles)]


def build_records_table(rubric: Rubric, rows: Sequence[RecordRow], width: int) -> Table | None:
    """None where not even the words of its columns fit."""
    one = has_one_scale(rubric)
    titles = tuple(each.name if one else f"{each.name}\n{say_scale(each.scale)}" for each in rubric.metrics)
    layout = _Layout(titles, rows, width)
    is_narrow, names = layout.is_narrow, layout.names
    if is_narrow and names < _LEAST_NAMES:
        return None
    table = new_table()
    table.add_column("record", min_width=names, no_wrap=True)
    if layout.systems:
        table.add_column("system", no_wrap=True)
    for title, longest in zip(titles, layout.words, strict=True):
        table.add_column(title, min_width=longest)
    for row in rows:
        name = "\n".join(wrap(row.id, names)) if is_narrow else row.id
        cells = [_break_status(cell) if is_narrow else cell for cell in row.cells]
        table.add_row(name, *((row.system,) if layout.systems else ()), *cells)
    return table


def _widest(texts: Iterable[str], separator: str) -> int:
    return max(len(piece) for text in texts for piece in re.split(separator, text))


def _break_status(cell: Text) -> Text:
    return Text(cell.plain.replace("_", "_\n"), style=cell.style)


def has_one_scale(rubric: Rubric) -> bool:
    return len({say_scale(metric.scale) for metric in rubric.metrics}) == 1


def say_scales(rubric: Rubric) -> str:
    if has_one_scale(rubric):
        return f"Scale {say_scale(rubric.metrics[0].scale)}."
    return f"Scales: {'; '.join(f'{metric.name} {say_scale(metric.scale)}' for metric in rubric.metrics)}."


def print_records(console: Console, rubric: Rubric, rows: Sequence[RecordRow]) -> None:
    table = build_records_table(rubric, rows, console.width)
    if table is not None:
        console.print(table)
    else:
        for row in rows:
            scores = (f"{metric.name} {cell.plain}" for metric, cell in zip(rubric.metrics, row.cells, strict=True))
            print_list(console, f"{row.id} {row.system}".strip(), scores)
    said = [say_scales(rubric)] if has_one_scale(rubric) or table is None else []
    if any(row.is_capped for row in rows):
        said.append("(score): before a cap or limit.")
    if any(row.is_open for row in rows):
        averaged = ", averaged over the answers" if any(row.is_mean for row in rows) else ""
        said.append(f"[low–high]: range if the undecided claims go either way{averaged}.")
    if said:
        console.print(" ".join(said), style="dim")
    for row in rows:
        if row.signs or row.doubts:
            print_list(console, f"  {row.name}", row.signs)
        for doubt in row.doubts:
            console.print(fill(doubt, console.width, initial_indent="    ", subsequent_indent="      "), soft_wrap=True)


def print_list(console: Console, title: str, entries: Iterable[str]) -> None:
    """Lines break between entries, not inside one."""
    kept = ", ".join(entry.replace(" ", "\u00a0") for entry in entries)
    text = fill(f"{title}: {kept}", console.width, subsequent_indent="    ", break_on_hyphens=False)
    console.print(text.replace("\u00a0", " "), soft_wrap=True)
