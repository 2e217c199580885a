"""Runs, results and comparisons as small HTML tables for notebooks."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from assay.domain.listed import build_listed
from assay.domain.rubric import WEAKEST_SUPPORT, Rubric
from assay.domain.scale import say_number, say_scale
from assay.domain.scorecard import Scorecard
from assay.domain.terms import plain
from assay.report.comparison import COMPARED, COMPARED_NOTE, MetricComparison, RecordChange, list_cells
from assay.report.display import (
    QUIET_FLAGS,
    SUPPORT_TONES,
    UNSURE,
    clip_name,
    format_score,
    format_screening_notice,
    format_unvalidated,
    goodness_tone,
    list_cautions,
    name_record,
    outcome_tone,
    shorten,
)
from assay.report.findings import Finding
from assay.report.html import render_template
from assay.report.record_diff import RecordDiff, list_lines
from assay.report.result import MetricResult, Result, parse_finding
from assay.report.summary import Summary, list_notes

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
    summary = Summary(rubric)
    for card in cards:
        summary.add(build_listed(card))
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
        scores = (_colour(format_score(each), outcome_tone(each)) for each in outcomes)
        rows.append((name_record(card.record), *scores))
    left = len(cards) - _MOST_RECORDS
    more = [f"{left:,} more records: rows() has all."] if left > 0 else []
    notes = [*more, *list_notes(summary), *_explain_range(rows), *list_cautions(rubric, summary.judges)]
    return _render(title, [(("record", *names), rows)], notes)


def render_result(result: Result) -> str:
    """What was found, the most serious first, then the scores that follow from it."""
    system = f" ({clip_name(result.system)})" if result.system else ""
    title = f"{clip_name(result.record)}{system}: {result.rubric['id']}, judged by {result.judge}"
    found = [(name, parse_finding(each)) for name, metric in result.metrics.items() for each in metric.findings]
    found.sort(key=lambda pair: SUPPORT_TONES.get(pair[1].label.label, UNSURE).gravity)
    findings = [_list_finding(name, each) for name, each in found[:_MOST_FINDINGS]]
    scores = [_list_score(name, metric) for name, metric in result.metrics.items()]
    left = len(found) - _MOST_FINDINGS
    more = [f"{left:,} more findings: metrics[…].findings has all."] if left > 0 else []
    tables: list[_Table] = [(("finding", "text", "evidence and reason", "metric"), findings)] if findings else []
    tables.append((("metric", "score", "derivation", "flags"), scores))
    unknown = "" if result.rubric["validated"] else format_unvalidated(str(result.rubric["id"]))
    cautions = [each for each in (unknown, format_screening_notice([result.judge])) if each]
    return _render(title, tables, [*more, *_explain_range(scores), *cautions])


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


def _list_finding(metric: str, finding: Finding) -> Sequence[_Cell]:
    text = shorten(finding.unit.placed_text, 400)
    return _colour(finding.said, finding.label.label), text, finding, plain(metric)


def _list_score(name: str, metric: MetricResult) -> Sequence[_Cell]:
    words = {metric.scale[end]: str(metric.scale.get(f"{end}_word", metric.scale[end])) for end in ("low", "high")}

    def say(value: float) -> str:
        return words.get(value) or say_number(value)

    score = plain(metric.status) if metric.score is None else say(metric.score)
    if metric.raw is not None and metric.raw != metric.score:
        score += f" ({say(metric.raw)})"
    if metric.interval is not None and metric.interval[0] != metric.interval[1]:
        score += f" [{'–'.join(map(say, metric.interval))}]"
    flags = ", ".join(flag for flag in metric.flags if flag not in QUIET_FLAGS)
    scale = metric.scale
    title = f"{plain(name)} ({words[scale['low']]}–{words[scale['high']]}, best {words[scale[str(scale['best'])]]})"
    return title, _colour(score, goodness_tone(metric.goodness)), metric.derivation or metric.reason or "", flags


def _colour(text: str, tone: str) -> _Cell:
    return text, _COLOURS.get(tone, _GREY)


def _render(title: str, tables: Sequence[_Table], notes: Sequence[str]) -> str:
    return render_template("notebook.html", title=title, tables=tables, notes=notes)
