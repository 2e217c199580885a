"""Renders templates: the environment, which escapes every value, the style and scripts, and the report page."""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from assay.agreement.estimate import Estimate
from assay.checks.citations import find_relevant, number_sources
from assay.domain.listed import Listed, MetricScore
from assay.domain.rubric import Metric
from assay.domain.scale import in_words, say_scale
from assay.domain.scorecard import Scorecard
from assay.domain.terms import plain
from assay.domain.units import count_units
from assay.engine.costs import render_usd
from assay.report import html
from assay.report.agreement import AgreementView
from assay.report.comparison import format_signed, list_cells
from assay.report.display import (
    QUIET_FLAGS,
    find_tone,
    format_count,
    format_estimate,
    format_fact,
    format_flag,
    format_interval,
    format_score,
    group_unscored,
    is_injection_suspect,
    list_cautions,
    list_opinions,
    name_judge,
    name_verdict,
    shorten,
    show_hidden,
    title_source,
)
from assay.report.examples import Example
from assay.report.findings import format_doubts, format_quotes
from assay.report.gate import Gate
from assay.report.run_report import RunReport
from assay.report.summary import Summary, list_notes
from assay.store.agreements import KeptAgreement, KeptFigure
from assay.store.runs import RunUsage
from assay.web.columns import build_columns, name_system
from assay.web.drawing import count_scores, find_share, format_pixels
from assay.web.record_view import build_record_view

MOST_RECORDS = 500
_LEAVES = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "th", "td"}
_ASSETS = ("style.css", "script.js", "serve.css", "serve.js", "label.js")
_SPACE_OR_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff\\]")
_LONGEST_LINK = 2_000
_BREAK = re.compile(r"(?<=[/:@_,+])(?=[^\s])")


@dataclass(frozen=True, slots=True)
class Inlined:
    """Style and script of a self-contained page; `policy` lets in these two and no network."""

    style: Markup
    script: Markup
    policy: str


@cache
def build_environment() -> Environment:
    """One environment for the report and the live pages."""
    environment = html.build_environment("assay.web")
    environment.filters |= {
        "link": find_link,
        "moment": lambda moment: f"{moment:%Y-%m-%d %H:%M} UTC",
        "count": format_count,
        "goodness": format_goodness,
        "estimate": format_estimate,
        "signed": format_signed,
        "cells": list_cells,
        "scale": say_scale,
        "plain": plain,
        "fact": format_fact,
        "opinions": list_opinions,
        "unscored": group_unscored,
        "flag": format_flag,
        "quotes": lambda finding: format_quotes(finding, lambda words: f"“{shorten(words)}”", most=1),
        "doubts": format_doubts,
        "is_injection_suspect": is_injection_suspect,
        "tone": find_tone,
        "score": format_score,
        "interval": format_interval,
        "number": format_number,
        "quiet_flags": list_flags,
        "cost": format_cost,
        "unasked": lambda metric: MetricScore(metric, "not asked"),
        "units": count_units,
        "numbers": number_sources,
        "title": title_source,
        "relevant": lambda card: find_relevant(card) or (),
        "breaks": add_breaks,
        "judge": name_judge,
        "shorten": shorten,
        "cautions": list_cautions,
        "notes": list_notes,
        "figures": list_figures,
        "verdict": name_verdict,
        "bars": count_scores,
        "share": find_share,
        "px": format_pixels,
        "system": name_system,
        "say_score": say_score,
    }
    return environment


def format_number(value: float | Fraction) -> str:
    return in_words(value if isinstance(value, Fraction) else Fraction(value).limit_denominator(10**6))


def list_flags(row: Listed) -> list[str]:
    """Of all metrics, each once."""
    return list(dict.fromkeys(flag for score in row.scores.values() for flag in score.flags if flag not in QUIET_FLAGS))


def format_cost(usage: RunUsage) -> str:
    if not usage.calls:
        return "–"
    return "price unknown" if usage.unpriced_calls else render_usd(usage.picodollars)


def format_goodness(value: float | Fraction | None) -> str:
    return "–" if value is None else f"{float(value):.2f}"


def add_breaks(name: str) -> Markup:
    """A path or a judge's name, which may go on in the next line after a sign of punctuation and nowhere else."""
    return Markup("<wbr>").join(_BREAK.split(show_hidden(name)))


def find_link(address: str | None) -> str | None:
    """The address where it is http or https with a host; None for `javascript:`, `data:`, paths and anything odd.

    Browsers drop control characters inside a scheme, so an address that holds one is never a link.
    """
    bare = (address or "").strip()
    if not bare or len(bare) > _LONGEST_LINK or _SPACE_OR_CONTROL.search(bare):
        return None
    try:
        parts = urlsplit(bare)
        host = parts.hostname
    except ValueError:
        return None
    return bare if parts.scheme.lower() in {"http", "https"} and host else None


@cache
def read_assets() -> dict[str, str]:
    """The pages' own files by name."""
    folder = files("assay.web") / "static"
    found = {name: (folder / name).read_text(encoding="utf-8") for name in _ASSETS}
    if any("</" in text for text in found.values()):
        raise AssertionError("an asset would end its own element")
    return found


@cache
def inline_assets() -> Inlined:
    style, script = read_assets()["style.css"], read_assets()["script.js"]
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return Inlined(Markup(style), Markup(script), policy)  # noqa: S704  # our own two files, nothing from data


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def render_page(template: str, **values: object) -> Iterator[str]:
    """A self-contained page, in pieces."""
    return build_environment().get_template(template).generate(values, inlined=inline_assets())


def render_report(
    report: RunReport,
    cards: Iterable[Scorecard],
    gates: Sequence[Gate] = (),
    most: int = MOST_RECORDS,
    agreement: AgreementView | None = None,
) -> Iterator[str]:
    """A run as one page. Of more than `most` records those that the ranking chooses."""
    chosen = report.ranking.choose(most)
    columns = build_columns({at: card for at, card in enumerate(cards) if at in chosen})
    records = (pair for group, views in columns for pair in zip(group.rows, views, strict=True))
    groups = [group for group, _ in columns if len(group.rows) > 1]
    return render_page(
        "report.html",
        report=report,
        records=sorted(records, key=lambda pair: (pair[0].rank, pair[0].position)),
        columns=columns,
        groups=sorted(groups, key=lambda group: group.largest_difference, reverse=True),
        gates=gates,
        agreement=agreement,
    )


def render_examples(story: Iterable[Scorecard], sets: Iterable[Sequence[Example]]) -> Iterator[str]:
    """The story, a record with a fault and without it, then the examples of each rubric."""
    shown = []
    for number, examples in enumerate(sets, 1):
        views = [
            (
                example,
                build_record_view(example.embedded, f"e{number}-{at}"),
                example.scripted and build_record_view(example.scripted, f"e{number}-{at}s"),
            )
            for at, example in enumerate(examples, 1)
        ]
        shown.append((examples[0].embedded.rubric, sorted(views, key=lambda view: view[0].order)))
    told = [build_record_view(card, f"s{at}") for at, card in enumerate(story, 1)]
    return render_page("examples.html", story=told, sets=shown)


def render_headlines(summary: Summary) -> Markup:
    """The means of a run's metrics with their drawings, for a page that is shown many times."""
    parts: Any = build_environment().get_template("parts.html").module
    headlines: Markup = parts.headlines(summary)
    return headlines


def list_figures(kept: KeptAgreement) -> Iterator[tuple[str, Estimate, int]]:
    """The judge and people in the same place where people's own agreement is known; else the judge and a constant.

    Each with the low end of its axis, which is the same for all of them.
    """
    rows: list[tuple[str, KeptFigure]] = []
    if kept.in_place is not None and kept.people is not None:
        rows += [(f"this judge: {kept.ceiling}", kept.in_place), ("people with each other", kept.people)]
    elif kept.value is not None:
        rows += [(f"this judge: {kept.figure}", KeptFigure(kept.value, kept.low, kept.high))]
        rows += [("a constant answer", KeptFigure(kept.constant))]
    low = -1 if any((figure.value if figure.low is None else figure.low) < 0 for _, figure in rows) else 0
    for name, figure in rows:
        ends = None if figure.low is None or figure.high is None else (figure.low, figure.high)
        yield name, Estimate(figure.value, ends, 0, 0), low


def say_score(row: Listed, metric: Metric) -> str:
    return f"{name_system(row)} {format_number(row.scores[metric.id].score or 0.0)}"


def render_markdown(text: str) -> Markup:
    """A rubric's Markdown as HTML. HTML in it is shown as text; it has no links, no images and no attributes."""
    tokens = _build_reader().parse(show_hidden(text.removeprefix("\ufeff")))
    for token in tokens:
        token.attrs = {"dir": "auto"} if token.nesting == 1 and token.tag in _LEAVES else {}
        token.info = ""
        token.tag = {"h6": "h5"}.get(token.tag, token.tag)
    reader = _build_reader()
    return Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704  # escaped by the renderer


@cache
def _build_reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
    reader.disable(["link", "image", "autolink", "reference", "entity", "code"])
    reader.add_render_rule("table_open", _open_table)
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return reader


def _open_table(_renderer: object, tokens: Sequence[Token], index: int, *_: object) -> str:
    number = sum(token.type == "table_open" for token in tokens[: index + 1])
    return f'<div class="scroll" tabindex="0" role="region" aria-label="Table {number}"><table>\n'
