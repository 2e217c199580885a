"""A run as a pull-request comment, `comment.md`: the gate, a table, suspected prompt injection, the worst records."""

import re
from collections.abc import Sequence
from functools import cache, partial

from jinja2 import Environment
from markupsafe import Markup

from assay.domain.scale import say_scale
from assay.report.agreement import AgreementView
from assay.report.display import format_count, format_missing, list_cautions, shorten, show_hidden
from assay.report.findings import Finding, format_quotes
from assay.report.gate import Gate
from assay.report.html import build_environment
from assay.report.run_report import RunReport
from assay.report.summary import list_notes

_TICKS = re.compile(r"`+")
_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~!&]")
_SPACE, _BLANK_LINES = re.compile(r"\s+"), re.compile(r"\n{3,}")
_MOST_WORST = 5
_LONGEST = 240


def quote_code(text: str, most: int = _LONGEST) -> Markup:
    """Data as a code span: the one place in Markdown where nothing is markup, a link, a mention or an issue number.

    One line, cut to `most`; the fence is longer than any run of ticks inside, and bars do not end a table's cell.
    """
    shown = show_hidden(shorten(text, most)).replace("\n", " ").replace("|", "\\|")
    if not shown:
        return Markup("–")
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(shown)), default=0))
    padding = " " if shown.startswith("`") or shown.endswith("`") else ""
    return Markup(f"{fence}{padding}{shown}{padding}{fence}")  # noqa: S704  # nothing ends the fence


def _escape(value: object) -> Markup:
    """Words of a rubric or of code: readable, and still no markup, since a rubric may be anyone's file."""
    if isinstance(value, Markup):
        return value
    shown = _SPACE.sub(" ", show_hidden("" if value is None else str(value))).replace("@", "＠")
    return Markup(_SIGNS.sub(lambda found: f"&#{ord(found[0])};", shown))  # noqa: S704  # every sign is escaped


def _quote(doubt: Finding) -> list[Markup]:
    quotes = format_quotes(doubt, quote_code, partial(quote_code, most=80), most=1)
    return [Markup(each) for each in quotes]  # noqa: S704  # made of code spans


@cache
def _open_templates() -> Environment:
    environment = build_environment(finish=_escape)
    environment.filters |= {
        "code": quote_code,
        "missing": format_missing,
        "quotes": _quote,
        "round_brackets": lambda figure: figure.replace("[", "(").replace("]", ")"),
        "scale": say_scale,
        "thousands": format_count,
    }
    return environment


def format_markdown(report: RunReport, gates: Sequence[Gate] = (), agreement: AgreementView | None = None) -> str:
    """Holds no date and no time: the same run gives the same text."""
    text = (
        _open_templates()
        .get_template("comment.md")
        .render(
            run=report.run,
            rubric=report.rubric,
            summary=report.summary,
            ranking=report.ranking,
            cautions=list_cautions(report.rubric, report.run.judges),
            has_weakest=any(found.weakest_support for found in report.summary.metrics.values()),
            notes=list_notes(report.summary),
            gates=gates,
            agreement=agreement,
            counts=[(title, pairs) for title, pairs in report.counts if pairs],
            cost=report.cost,
            most=_MOST_WORST,
        )
    )
    return _BLANK_LINES.sub("\n\n", text) + "\n"
