"""Runs, results and comparisons in a notebook: what a terminal shows of them, with its colours."""

from collections.abc import Callable, Sequence
from io import StringIO

from rich.console import Console

from assay.domain.listed import build_listed
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.report.comparison import MetricComparison, RecordChange, print_comparison
from assay.report.display import show_hidden
from assay.report.explanation import print_explanation
from assay.report.record_diff import RecordDiff
from assay.report.summary import summarize
from assay.report.terminal import build_row, make_printable, open_console, print_records, print_summary

_MOST_RECORDS = 50
_WIDTH = 110
# Notebooks may strip scripts and style sheets. Lines are wrapped already.
_FORM = '<pre style="white-space:pre;line-height:1.3;overflow-x:auto">{code}</pre>'


def _render(show: Callable[[Console], None]) -> str:
    console = open_console(StringIO(), _WIDTH, record=True)
    show(console)
    return show_hidden(console.export_html(code_format=_FORM, inline_styles=True))


def render_run(title: str, rubric: Rubric, cards: Sequence[Scorecard]) -> str:
    """The means, and the first records with their scores and what was found."""

    def show(console: Console) -> None:
        console.print(make_printable(title), style="bold")
        print_records(console, rubric, [build_row(card) for card in cards[:_MOST_RECORDS]])
        if len(cards) > _MOST_RECORDS:
            console.print(f"{len(cards) - _MOST_RECORDS:,} more records: rows() has all.")
        console.print()
        print_summary(console, summarize(rubric, map(build_listed, cards)))

    return _render(show)


def render_card(card: Scorecard) -> str:
    return _render(lambda console: print_explanation(console, card))


def render_comparison(compared: Sequence[MetricComparison], diff: Callable[[RecordChange], RecordDiff]) -> str:
    def show(console: Console) -> None:
        console.print("Second run minus first", style="bold")
        print_comparison(console, compared, diff, lambda _: "`changes` of the metric")

    return _render(show)
