"""A run as a pull-request comment: the gate, a table, suspected prompt injection and the worst records."""

import re
from collections.abc import Iterator, Sequence

from assay.domain.scale import say_scale
from assay.report.agreement import AgreementView
from assay.report.display import format_count, format_missing, list_cautions, shorten, show_hidden
from assay.report.findings import format_quotes
from assay.report.gate import RunGate
from assay.report.ranking import RankedRecord, Ranking
from assay.report.run_report import RunReport
from assay.report.summary import Summary, list_notes

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


def _escape(text: str) -> str:
    """Words of a rubric or of code: readable, and still no markup, since a rubric may be anyone's file."""
    shown = " ".join(show_hidden(text).split()).replace("@", "＠")
    return re.sub(r"([\\`*_{}\[\]<>#|~!&])", lambda found: f"&#{ord(found[0])};", shown)


def format_markdown(report: RunReport, gates: Sequence[RunGate] = (), agreement: AgreementView | None = None) -> str:
    """Holds no date and no time: the same run gives the same text."""
    rubric, run, records = report.rubric, report.run, report.summary.records
    judges = ", ".join(quote_code(judge) for judge in run.judges)
    cost = report.cost
    named = f"{quote_code(rubric.id)} version {quote_code(rubric.version)}"
    paragraphs = [
        [f"## {_escape(rubric.title)}: {format_count(records)} {'record' if records == 1 else 'records'}"],
        *([f"> {_escape(caution)}"] for caution in list_cautions(rubric, run.judges)),
        [f"**The run is {run.state}**: these are the records that were judged so far."] if run.state != "done" else [],
        *_list_gates(gates),
        list(_list_metrics(report.summary)),
        *_list_agreement(agreement),
        *_list_injection_suspects(report.ranking),
        *_list_worst(report.ranking),
        *_list_counts(report),
        [f"Run {quote_code(run.title)}, rubric {named}, judged by {judges}." + (f" {cost}." if cost else "")],
    ]
    return "\n\n".join("\n".join(lines) for lines in paragraphs if lines) + "\n"


def _list_gates(gates: Sequence[RunGate]) -> Iterator[list[str]]:
    if gates:
        yield ["**Gate: passed**" if all(gate.passed for gate in gates) else "**Gate: failed**"]
        yield [f"- {'✓' if gate.passed else '✕'} {_escape(gate.said)}" for gate in gates]


def _list_metrics(summary: Summary) -> Iterator[str]:
    has_weakest = any(found.weakest_support for found in summary.metrics.values())
    weakest = " weakest claim |" if has_weakest else ""
    yield f"| metric | mean | normalized score, 95 % interval | scored |{weakest} no score |"
    yield f"|---|--:|--:|--:|{'--:|' if has_weakest else ''}---|"
    for metric in summary.rubric.metrics:
        found = summary.metrics[metric.id]
        figure, weakest = (words.replace("[", "(").replace("]", ")") for words in (found.figure, found.weakest_support))
        scored = f"{format_count(found.scored)} of {format_count(found.asked)}"
        name = f"{_escape(metric.name)} ({say_scale(metric.scale)})"
        middle = f" {weakest or '–'} |" if has_weakest else ""
        yield f"| {name} | {found.mean} | {figure} | {scored} |{middle} {format_missing(found.missing)} |"
    yield ""
    yield " ".join(("Normalized score: 0 to 1, best 1. The interval is over source groups.", *list_notes(summary)))
    for found in summary.metrics.values():
        if found.warning:
            yield f"Low variance in {_escape(found.name)}: {found.warning}."


def _list_agreement(agreement: AgreementView | None) -> Iterator[list[str]]:
    if agreement is not None:
        yield ["### Agreement with people"]
        rows = [f"- **{_escape(row.name)}**: {_escape(f'{row.verdict} {row.mean}'.strip())}" for row in agreement.rows]
        yield [*rows, *(f"- {quote_code(sentence)}" for sentence in agreement.account)]


def _list_injection_suspects(ranking: Ranking) -> Iterator[list[str]]:
    """In a list of their own: a text that talked its judge into a good score is not among the worst."""
    suspects = ranking.injection_suspects
    if suspects.count:
        yield ["### Suspected prompt injection"]
        yield ["These texts may contain prompt injection. Their scores were not changed."]
        more = suspects.count - _MOST_WORST
        lines = [_format_ranked(record) for record in suspects.records[:_MOST_WORST]]
        yield [*lines, f"- {format_count(more)} more"] if more > 0 else lines


def _list_worst(ranking: Ranking) -> Iterator[list[str]]:
    if ranking.worst.count:
        yield ["### The worst records"]
        lines = []
        for record in ranking.worst.records[:_MOST_WORST]:
            lines.append(_format_ranked(record))
            for doubt in record.doubts:
                lines.append(f"  - **{quote_code(doubt.title)}** {quote_code(doubt.unit.text)}")
                lines += (f"    - {quote}" for quote in format_quotes(doubt, quote_code, _quote_name, most=1))
        yield lines


def _quote_name(name: str) -> str:
    return quote_code(name, 80)


def _format_ranked(record: RankedRecord) -> str:
    suspicion = " **suspected prompt injection**" if record.is_injection_suspect else ""
    return f"- {_quote_name(record.name)}{suspicion} – {_escape(record.why)}"


def _list_counts(report: RunReport) -> Iterator[list[str]]:
    lines = [
        f"- Answers scored, {quote_code(judge)}: {_escape(metric)} {tally.said}"
        for judge, metric, tally in report.answers
    ]
    for title, pairs in report.counts:
        if pairs:
            lines.append(f"- {title}: {', '.join(f'{count} {quote_code(name)}' for name, count in pairs)}")
    if lines:
        yield ["<details><summary>How the judge did</summary>"]
        yield lines
        yield ["</details>"]
