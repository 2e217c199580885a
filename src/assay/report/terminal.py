"""A run on a terminal: one row per record, then what it came to. Width-aware; colour only where it can be seen."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import IO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay.checks.determination import DETERMINATIONS
from assay.checks.eligibility_table import EligibilityTable
from assay.domain.outcome import Abstention, Failure, Outcome, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scale import Scale, in_words
from assay.domain.scorecard import Scorecard
from assay.report.summary import MetricSummary, Summary, mean_interval

# Flags that say how a run was made, not that something is odd.
_QUIET_FLAGS = {"joint"}
# A pipe has no width of its own; logs and pull-request comments take this much.
_PLAIN_WIDTH = 120


def open_console(stream: IO[str]) -> Console:
    width = None if stream.isatty() else _PLAIN_WIDTH
    return Console(file=stream, highlight=False, soft_wrap=False, width=width)


def build_records_table(rubric: Rubric, cards: Sequence[Scorecard]) -> Table:
    table = Table(title=None, header_style="bold", row_styles=["", "dim"] if len(cards) > 12 else None)
    table.add_column("record", overflow="fold", min_width=6)
    if any(card.record.system for card in cards):
        table.add_column("system", overflow="fold")
    for metric in rubric.metrics:
        table.add_column(f"{metric.name}\n{_say_scale(metric.scale)}")
    systems = len(table.columns) > len(rubric.metrics) + 1
    for card in cards:
        cells: list[Text | str] = [card.record.id]
        if systems:
            cells.append(card.record.system or "")
        cells += [_cell(card.outcomes[metric.id]) for metric in rubric.metrics]
        table.add_row(*cells)
    return table


def _say_scale(scale: Scale) -> str:
    """The best end last, so that nobody reads a 0 that is best as a 0 that is worst."""
    ends = (scale.low, scale.high) if scale.best == "high" else (scale.high, scale.low)
    return f"{in_words(ends[0])} to {in_words(ends[1])}"


def _cell(outcome: Outcome) -> Text:
    if isinstance(outcome, Verdict):
        score = outcome.score
        text = in_words(score.value)
        low, high = score.interval
        if low != high:
            text += f" [{in_words(low)}–{in_words(high)}]"
        if score.raw != score.value:
            text += f" (raw {in_words(score.raw)})"
        return Text(text, style=_colour(float(score.goodness)))
    return Text(outcome.status, style="yellow" if isinstance(outcome, Abstention) else "bold red")


def _colour(goodness: float) -> str:
    return "green" if goodness >= 0.75 else "yellow" if goodness >= 0.5 else "red"


def _signs(card: Scorecard) -> list[str]:
    flags = Counter(flag for outcome in card.outcomes.values() for flag in set(outcome.trail.flags))
    notices = Counter(notice.check for notice in card.notices)
    counts = {name: count for name, count in (flags | notices).items() if name not in _QUIET_FLAGS}
    return [name if count == 1 or name in flags else f"{name} ×{count}" for name, count in sorted(counts.items())]


def build_summary_table(summary: Summary) -> Table:
    table = Table(header_style="bold")
    for column in ("metric", "mean", "goodness, 95 %", "scored", "not scored", "flags"):
        table.add_column(column, overflow="fold")
    for metric in summary.metrics.values():
        table.add_row(
            metric.name,
            _say_number(fmean(metric.scores)) if metric.scores else "–",
            _say_goodness(metric.goodness),
            f"{len(metric.scores)} of {metric.asked}",
            ", ".join(f"{count} {status}" for status, count in metric.missing.most_common()) or "–",
            _say_flags(metric),
        )
    return table


def _say_goodness(values: Sequence[float]) -> str:
    if not values:
        return "–"
    interval = mean_interval(values)
    mean = f"{fmean(values):.2f}"
    return mean if interval is None else f"{mean} [{interval[0]:.2f}, {interval[1]:.2f}]"


def _say_number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _say_flags(metric: MetricSummary) -> str:
    said = [f"{flag} {count}" for flag, count in metric.flags.most_common() if flag not in _QUIET_FLAGS]
    if metric.is_constant:
        said.insert(0, "nearly constant: one score for over 90 % of records")
    return ", ".join(said) or "–"


def print_records(console: Console, rubric: Rubric, cards: Sequence[Scorecard]) -> None:
    console.print(build_records_table(rubric, cards))
    console.print("Scales run from worst to best.", style="dim")
    for card in cards:
        if signs := _signs(card):
            console.print(f"  {card.record.id}: {', '.join(signs)}", markup=False)


def print_summary(console: Console, summary: Summary) -> None:
    console.print(build_summary_table(summary))
    if summary.notices:
        said = ", ".join(f"{count} {name}" for name, count in summary.notices.most_common())
        console.print(f"Found by code alone: {said}.")
    table = summary.eligibility()
    if table is not None:
        console.print(build_eligibility_table(table))
        console.print(_say_eligibility(table))
    if summary.rubric.notice:
        console.print(summary.rubric.notice)


def build_eligibility_table(table: EligibilityTable) -> Table:
    shown = Table(header_style="bold", title="determination by truth", title_justify="left")
    for column in ("truth", *DETERMINATIONS, "undetermined"):
        shown.add_column(column.replace("_", " "))
    for truth, counts in zip(DETERMINATIONS, table.rows, strict=True):
        shown.add_row(truth.replace("_", " "), *(str(count) for count in counts), str(table.count(truth, None)))
    return shown


def _say_eligibility(table: EligibilityTable) -> str:
    """Never an accuracy without what a constant answer would have reached."""
    right = sum(table.count(truth, truth) for truth in DETERMINATIONS)
    total = sum(table.counts.values())
    majority = max(sum(table.count(truth, found) for found in (*DETERMINATIONS, None)) for truth in DETERMINATIONS)
    wrong = table.false_eligible
    said = f"False-eligible rate: {wrong.count} of {wrong.total}"
    if wrong.share is not None and wrong.interval is not None:
        low, high = wrong.interval
        said += f" ({wrong.share:.0%}, 95 % interval {low:.0%} to {high:.0%})"
    return f"{said}. Determination right: {right} of {total}; always the commonest truth: {majority} of {total}."


def say_reasons(cards: Sequence[Scorecard], most: int = 5) -> list[str]:
    """The first few records without a score, each with its reason in words."""
    lines = []
    for card in cards:
        for name, outcome in card.outcomes.items():
            if isinstance(outcome, Failure | Abstention):
                lines.append(f"{card.record.id}, {name}: {outcome.status}: {outcome.reason}")
    left = len(lines) - most
    return lines[:most] + ([f"… and {left} more"] if left > 0 else [])
