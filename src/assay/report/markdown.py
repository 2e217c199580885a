"""A run as a pull-request comment: a table, the worst records with what was wrong, the gate."""

import re
from collections.abc import Iterator, Sequence

from assay.domain.scale import say_scale
from assay.report.agreement import AgreementView
from assay.report.display import format_count, format_missing, list_cautions, plain, shorten, show_hidden
from assay.report.gate import Gate
from assay.report.ranking import RankedRecord, TopRecords
from assay.report.run_report import RunReport
from assay.report.summary import MetricSummary

_TICKS = re.compile(r"`+")
_MOST_WORST = 5
_LONGEST = 240


def quote_code(text: str, most: int = _LONGEST) -> str:
    """Data as a code span: the one place in Markdown where nothing is markup, a link, a mention or an issue number.

    One line, cut to `most`; the fence is longer than any run of ticks inside, and bars do not end a table's cell.
    """
    shown = show_hidden(shorten(text, most)).replace("\n", " ").replace("|", "\\|")
    if not shown:
        return "–"
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(shown)), default=0))
    padding = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def format_markdown(report: RunReport, gates: Sequence[Gate] = (), agreement: AgreementView | None = None) -> str:
    """Holds no date and no time: the same run gives the same text."""
    return "\n".join(_lines(report, gates, agreement)) + "\n"


def _lines(report: RunReport, gates: Sequence[Gate], agreement: AgreementView | None) -> Iterator[str]:
    rubric, summary = report.rubric, report.summary
    records = f"{format_count(summary.records)} {'record' if summary.records == 1 else 'records'}"
    yield f"## {_escape(rubric.title)}: {records}"
    yield ""
    for caution in list_cautions(rubric, report.run.judges):
        yield f"> {_escape(caution)}"
        yield ""
    if report.run.state != "done":
        yield f"**The run is {report.run.state}**: these are the records that were judged so far."
        yield ""
    yield from _gate_lines(gates)
    yield "| metric | mean | goodness, 95 % interval | scored | not scored |"
    yield "|---|--:|--:|--:|---|"
    for metric in rubric.metrics:
        yield _row(summary.metrics[metric.id], say_scale(metric.scale))
    yield ""
    yield "Goodness: 0 to 1, best 1. The interval is over items."
    for found in summary.metrics.values():
        if found.warning:
            yield f"Low variance in {_escape(found.name)}: {found.warning}."
    yield ""
    if agreement is not None:
        yield from _agreement_lines(agreement)
    yield from _tainted_lines(report.ranking.tainted)
    yield from _worst_lines(report.ranking.worst)
    yield from _health_lines(report)
    judges = ", ".join(quote_code(judge) for judge in report.run.judges)
    named = f"{quote_code(rubric.id)} version {quote_code(rubric.version)}"
    yield f"Run {quote_code(report.run.id)}, rubric {named}, judged by {judges}."


def _gate_lines(gates: Sequence[Gate]) -> Iterator[str]:
    if gates:
        yield "**Gate: passed**" if all(gate.passed for gate in gates) else "**Gate: failed**"
        yield ""
        for gate in gates:
            yield f"- {'✓' if gate.passed else '✕'} {_escape(gate.said)}"
        yield ""


def _row(metric: MetricSummary, scale: str) -> str:
    missing = plain(format_missing(metric.missing))
    goodness = metric.goodness.said.replace("[", "(").replace("]", ")")
    scored = f"{format_count(metric.scored)} of {format_count(metric.asked)}"
    return f"| {_escape(metric.name)} ({scale}) | {metric.mean} | {goodness} | {scored} | {missing} |"


def _agreement_lines(agreement: AgreementView) -> Iterator[str]:
    yield "### Agreement with people"
    yield ""
    for name, verdict, mean in agreement.rows:
        yield f"- **{_escape(name)}**: {_escape(f'{verdict}. {mean}')}"
    for sentence in agreement.account:
        yield f"- {quote_code(sentence)}"
    yield ""


def _tainted_lines(tainted: TopRecords) -> Iterator[str]:
    """In a list of their own: a text that talked its judge into a good score is not among the worst."""
    if tainted.count:
        yield "### Tainted records"
        yield ""
        yield "Their texts may have spoken to the judge. Their scores stand as judged."
        yield ""
        yield from map(_format_ranked, tainted.records[:_MOST_WORST])
        if tainted.count > _MOST_WORST:
            yield f"- {format_count(tainted.count - _MOST_WORST)} more"
        yield ""


def _format_ranked(record: RankedRecord) -> str:
    taints = ", ".join(quote_code(taint) for taint in record.taints)
    tainted = f" **tainted** ({taints})" if taints else ""
    return f"- {quote_code(record.name, 80)}{tainted} – {_escape(record.why)}"


def _worst_lines(worst: TopRecords) -> Iterator[str]:
    if worst.count:
        yield "### The worst records"
        yield ""
        for record in worst.records[:_MOST_WORST]:
            yield _format_ranked(record)
            for doubt in record.doubts:
                yield f"  - **{quote_code(doubt.said)}** {quote_code(doubt.unit.text)}"
                for where, quote in doubt.evidence[:1]:
                    yield f"    - {quote_code(where, 80)} says {quote_code(quote)}"
        yield ""


def _health_lines(report: RunReport) -> Iterator[str]:
    said = [
        f"Answers scored, {quote_code(judge)}: {_escape(metric)} {plain(tally.said)}"
        for judge, metric, tally in report.answers
    ]
    said += [
        f"{title}: {', '.join(f'{count} {quote_code(name)}' for name, count in pairs)}"
        for title, pairs in report.counts
        if pairs
    ]
    if said:
        yield "<details><summary>How the judge did</summary>"
        yield ""
        for line in said:
            yield f"- {line}"
        yield ""
        yield "</details>"
        yield ""


def _escape(text: str) -> str:
    """Words of a rubric or of code: readable, and still no markup, since a rubric may be anyone's file."""
    shown = " ".join(show_hidden(text).split()).replace("@", "＠")
    return re.sub(r"([\\`*_{}\[\]<>#|~!&])", lambda found: f"&#{ord(found[0])};", shown)
