"""Runs, results and comparisons as small HTML tables for notebooks."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from assay.domain.listed import build_listed
from assay.domain.outcome import Verdict
from assay.domain.rubric import WEAKEST_SUPPORT, Rubric
from assay.domain.scale import say_scale
from assay.domain.scorecard import Scorecard
from assay.domain.terms import plain
from assay.report.comparison import COMPARED, COMPARED_NOTE, MetricComparison, RecordChange, list_cells
from assay.report.display import (
    QUIET_FLAGS,
    clip_name,
    find_tone,
    format_score,
    list_cautions,
    name_record,
    shorten,
)
from assay.report.findings import Finding, build_findings
from assay.report.html import render_template
from assay.report.record_diff import RecordDiff, list_lines
from assay.report.summary import list_notes, summarize

_MOST_RECORDS = 50
_MOST_FINDINGS = 30
# Records that changed under one metric; characters of changed words and claims of one of them.
_MOST_CHANGES, _MOST_WORDS, _MOST_CLAIMS = 20, 500, 5
_RANGE = "[low–high]: range if the uncertain claims go either way."
# A coloured edge is seen on light and dark pages, and the words beside it say the same.
_RED, _ORANGE, _GREEN, _GREY = "#c62828", "#e08a00", "#2e7d32", "#8a8a8a"
_COLOURS = {
    "high": _GREEN, "middle": _ORANGE, "low": _RED, "supported": _GREEN, "partial": _ORANGE, "undecided": _ORANGE,
    "absent": _RED, "contradicted": _RED,
}  # fmt: skip

# A text, a text with the colour of its edge, or a finding to be shown with its quotes.
_Cell: TypeAlias = str | tuple[str, str] | Finding
_Table: TypeAlias = tuple[Sequence[str], Sequence[Sequence[_Cell]]]


def render_run(title: str, rubric: Rubric, cards: Sequence[Scorecard]) -> str:
    """The mean of each metric and how many records it is of, then the first records with their scores."""
    summary = summarize(rubric, map(build_listed, cards))
    names = (f"{metric.name} ({say_scale(metric.scale)})" for metric in rubric.metrics)
    found = [summary.metrics[metric.id] for metric in rubric.metrics]
    rows: list[Sequence[_Cell]] = [
        ("mean", *(_colour(each.mean, each.tone) for each in found)),
        ("scored", *(each.said for each in found)),
    ]
    if any(each.weakest_support for each in found):
        rows.append(("weakest claim", *(each.weakest_support or "–" for each in found)))
    for card in cards[:_MOST_RECORDS]:
        outcomes = [card.outcomes[metric.id] for metric in rubric.metrics]
        scores = (_colour(format_score(each), find_tone(each)) for each in outcomes)
        rows.append((name_record(card.record), *scores))
    left = len(cards) - _MOST_RECORDS
    more = [f"{left:,} more records: rows() has all."] if left > 0 else []
    notes = [*more, *list_notes(summary), *_explain_range(rows), *list_cautions(rubric, summary.judges)]
    return _render(title, [(("record", *names), rows)], notes)


def render_card(card: Scorecard) -> str:
    """What was found, the most serious first, then the scores that follow from it."""
    answers = [(metric, card.outcomes[metric.id]) for metric in card.rubric.metrics]
    found = [(metric, each) for metric, outcome in answers for each in build_findings(metric, outcome.trail, {})]
    found.sort(key=lambda pair: pair[1].tone.gravity)
    findings = [
        (_colour(each.said, each.tone.name), shorten(each.unit.placed_text, 400), each, plain(metric.id))
        for metric, each in found[:_MOST_FINDINGS]
    ]
    scores = [
        (
            f"{plain(metric.id)} ({say_scale(metric.scale)})",
            _colour(format_score(outcome), find_tone(outcome)),
            outcome.score.derivation if isinstance(outcome, Verdict) else outcome.reason,
            ", ".join(flag for flag in outcome.trail.flags if flag not in QUIET_FLAGS),
        )
        for metric, outcome in answers
    ]
    left = len(found) - _MOST_FINDINGS
    more = [f"{left:,} more findings: metrics[…].findings has all."] if left > 0 else []
    tables: list[_Table] = [(("finding", "text", "evidence and reason", "metric"), findings)] if findings else []
    tables.append((("metric", "score", "derivation", "flags"), scores))
    title = f"{name_record(card.record)}: {card.rubric.id}, judged by {card.judge}"
    return _render(title, tables, [*more, *_explain_range(scores), *list_cautions(card.rubric, [card.judge])])


def render_comparison(compared: Sequence[MetricComparison], diff: Callable[[RecordChange], RecordDiff]) -> str:
    """The differences, then the records that changed under each metric, not the weakest claims, the worst first."""
    tables: list[_Table] = [(COMPARED, [list_cells(each) for each in compared])]
    notes = [COMPARED_NOTE]
    for each in compared:
        if each.changes and not each.metric.id.endswith(WEAKEST_SUPPORT):
            rows = [_list_change(change, diff(change)) for change in each.changes[:_MOST_CHANGES]]
            tables.append(((each.metric.name, "record", "first", "second", "what changed"), rows))
        left = len(each.changes) - _MOST_CHANGES
        if left > 0:
            notes.append(f"{left:,} more records changed under {each.metric.name}: changes has all.")
    return _render("Second run minus first", tables, notes)


def _list_change(change: RecordChange, found: RecordDiff) -> Sequence[_Cell]:
    lines = list_lines(found, _MOST_WORDS, _MOST_CLAIMS)
    tone = {"worse": "low", "unscored": "low", "better": "high"}.get(change.kind or "", "none")
    return _colour(change.said, tone), clip_name(change.name), *change.scores, "; ".join(lines)


def _explain_range(rows: Iterable[Sequence[_Cell]]) -> list[str]:
    """Only where a score has an interval."""
    return [_RANGE] if any("[" in cell[0] for row in rows for cell in row if isinstance(cell, tuple)) else []


def _colour(text: str, tone: str) -> _Cell:
    return text, _COLOURS.get(tone, _GREY)


def _render(title: str, tables: Sequence[_Table], notes: Sequence[str]) -> str:
    return render_template("notebook.html", title=title, tables=tables, notes=notes)
