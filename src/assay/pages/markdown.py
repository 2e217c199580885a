"""A run as a pull-request comment: a table, the worst records with what was wrong, the gate."""

import re
from collections.abc import Iterator, Sequence

from assay.pages.agreement_view import AgreementRow, AgreementView
from assay.pages.environment import say_count, shorten
from assay.pages.gate import Gate
from assay.pages.headlines import Headline
from assay.pages.ranking import Ranked, list_ranked
from assay.pages.run_view import RunView
from assay.pages.unit_view import UnitView
from assay.pages.visible import show_hidden
from assay.report.screening import say_screening

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


def render_markdown(view: RunView, gates: Sequence[Gate] = (), agreement: AgreementView | None = None) -> str:
    """Holds no date and no time: the same run gives the same text."""
    return "\n".join(_lines(view, gates, agreement)) + "\n"


def _lines(view: RunView, gates: Sequence[Gate], agreement: AgreementView | None) -> Iterator[str]:
    records = f"{say_count(view.records)} {'record' if view.records == 1 else 'records'}"
    yield f"## {_say_plain(view.rubric.title)}: {records}"
    yield ""
    for caution in (view.rubric.notice, say_screening(view.run.judges)):
        if caution:
            yield f"> {_say_plain(caution)}"
            yield ""
    if view.run.state != "done":
        yield f"**The run is {view.run.state}**: these are the records that were judged so far."
        yield ""
    yield from _gate_lines(gates)
    yield "| metric | mean | goodness, 95 % interval | scored | not scored |"
    yield "|---|--:|--:|--:|---|"
    for metric in view.headlines:
        yield _row(metric)
    yield ""
    yield "Goodness: 0 to 1, best 1. The interval is over items."
    for metric in view.headlines:
        if metric.warning:
            yield f"Low variance in {_say_plain(metric.name)}: {metric.warning}"
    yield ""
    if agreement is not None:
        yield from _agreement_lines(agreement)
    yield from _tainted_lines(list_ranked(view.ranking.tainted)[:_MOST_WORST], view.ranking.tainted_count)
    yield from _worst_lines(view.worst[:_MOST_WORST])
    yield from _health_lines(view)
    judges = ", ".join(quote_code(judge) for judge in view.run.judges)
    rubric = f"{quote_code(view.rubric.id)} version {quote_code(view.rubric.version)}"
    yield f"Run {quote_code(view.run.id)}, rubric {rubric}, judged by {judges}."


def _gate_lines(gates: Sequence[Gate]) -> Iterator[str]:
    if gates:
        yield "**Gate: passed**" if all(gate.passed for gate in gates) else "**Gate: failed**"
        yield ""
        for gate in gates:
            yield f"- {'✓' if gate.passed else '✕'} {_say_plain(gate.said)}"
        yield ""


def _row(metric: Headline) -> str:
    missing = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in metric.missing)
    return " | ".join(
        (
            f"| {_say_plain(metric.name)} ({metric.scale})",
            metric.mean,
            metric.goodness.said.replace("[", "(").replace("]", ")"),
            f"{say_count(metric.scored)} of {say_count(metric.asked)}",
            f"{missing} |",
        )
    )


def _agreement_lines(agreement: AgreementView) -> Iterator[str]:
    yield "### Agreement with people"
    yield ""
    if agreement.rows:
        yield "| metric | labelled | by | judge | people | raw mean | corrected (PPI++) |"
        yield "|---|--:|---|---|---|---|---|"
        for row in agreement.rows:
            yield _agreement_row(row)
        yield ""
    for sentence in agreement.warnings:
        yield f"- {_say_plain(sentence)}"
    for sentence in agreement.account:
        yield f"- {quote_code(sentence)}"
    if agreement.warnings or agreement.account:
        yield ""


def _agreement_row(row: AgreementRow) -> str:
    people = ", ".join(quote_code(name, 40) for name in row.people)
    more = f" and {row.more_people} more" if row.more_people else ""
    figures = (row.judge, row.ceiling, f"{row.mean} {row.raw}", row.corrected)
    return (
        " | ".join(
            (
                f"| {_say_plain(row.name)}",
                say_count(row.records),
                f"{people}{more}",
                *(figure.replace("[", "(").replace("]", ")") for figure in figures),
            )
        )
        + " |"
    )


def _tainted_lines(tainted: Sequence[Ranked], count: int) -> Iterator[str]:
    """Listed for themselves: a text that talked its judge into a score is not among the worst."""
    if tainted:
        yield "### Tainted records"
        yield ""
        yield "Their texts may have spoken to the judge. Their scores stand as judged."
        yield ""
        for record in tainted:
            yield f"- {_name(record)} – {_say_plain(record.why)}"
        if count > len(tainted):
            yield f"- {say_count(count - len(tainted))} more"
        yield ""


def _name(record: Ranked) -> str:
    taints = ", ".join(quote_code(taint) for taint in record.taints)
    return quote_code(record.name, 80) + (f" **tainted** ({taints})" if taints else "")


def _worst_lines(worst: Sequence[Ranked]) -> Iterator[str]:
    if worst:
        yield "### The worst records"
        yield ""
        for record in worst:
            yield f"- {_name(record)} – {_say_plain(record.why)}"
            for doubt in record.doubts:
                yield from _doubt_lines(doubt)
        yield ""


def _doubt_lines(doubt: UnitView) -> Iterator[str]:
    yield f"  - **{quote_code(doubt.said_alone)}** {quote_code(doubt.text)}"
    for each in doubt.evidence[:1]:
        yield f"    - {quote_code(each.where, 80)} says {quote_code(each.quote)}"


def _health_lines(view: RunView) -> Iterator[str]:
    health = view.health
    said = [
        f"Answers scored, {quote_code(judge)}: {_say_plain(metric)} {tally.said.replace('_', ' ')}"
        for judge, metric, tally in health.answers
    ]
    said += [
        f"{title}: {', '.join(f'{count} {quote_code(name)}' for name, count in pairs)}"
        for title, pairs in (
            ("Failures", health.failures),
            ("Declined", health.abstentions),
            ("Flags, by records", health.flags),
            ("Repairs, by records", health.repairs),
            ("Found by code, by records", health.notices),
        )
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


def _say_plain(text: str) -> str:
    """Words of a rubric or of code: readable, and still no markup, since a rubric may be anyone's file."""
    shown = " ".join(show_hidden(text).split()).replace("@", "＠")
    return re.sub(r"([\\`*_{}\[\]<>#|~!&])", lambda found: f"&#{ord(found[0])};", shown)
