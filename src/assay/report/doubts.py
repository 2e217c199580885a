"""Findings as text: one line each, or a line with its quotes below, wherever no page shows them."""

from collections.abc import Callable, Iterator

from assay.domain.findings import Evidence
from assay.domain.scorecard import Scorecard
from assay.report.display import format_faults, shorten, show_hidden
from assay.report.findings import Finding, add_closest, list_doubts
from assay.report.nearest import Nearest

_LONGEST, _MOST_QUOTES = 110, 2
_LONGEST_EXPLAINED, _MOST_EXPLAINED = 240, 5


def format_doubts(card: Scorecard, most: int = 3) -> list[str]:
    """One line each, and how many more there are; empty where everything held."""
    found = list_doubts(card)
    lines = [format_finding(each) for each in add_closest(Nearest(card), found[:most])]
    return lines + ([f"and {len(found) - most} more"] if len(found) > most else [])


def explain_doubts(card: Scorecard, metric: str | None = None) -> Iterator[str]:
    """A line for each unit that did not hold, and below it what the source says, or its closest sentence."""
    found = list_doubts(card, metric)
    for each in add_closest(Nearest(card), found[:_MOST_EXPLAINED]):
        yield show_hidden(_format_head(each, _LONGEST_EXPLAINED))
        for quote in format_quotes(each, lambda words: f"“{shorten(words, _LONGEST_EXPLAINED)}”"):
            yield show_hidden(f"  {quote}")
    if len(found) > _MOST_EXPLAINED:
        yield f"and {len(found) - _MOST_EXPLAINED} more"


def format_finding(finding: Finding) -> str:
    """`absent: “It is old.” — at fault: “old” (serious) — closest source sentence (s1): “It is new.”`."""
    shown = finding.shown
    quotes = [format_quote(shown, each.source, f"“{shorten(each.quote, _LONGEST)}”") for each in _choose_quotes(shown)]
    return " — ".join((_format_head(finding, _LONGEST), *(["; ".join(quotes)] if quotes else [])))


def format_quotes(
    finding: Finding, quote: Callable[[str], str], name: Callable[[str], str] = shorten, most: int = _MOST_QUOTES
) -> Iterator[str]:
    """`[1] Article: “It is new.”`, with the titles of sources; `quote` and `name` mark data in the text around it."""
    shown = finding.shown
    for each in _choose_quotes(shown)[:most]:
        said = format_quote(shown, name(shown.name_source(each)), quote(each.quote))
        yield said[:1].upper() + said[1:]


def format_quote(finding: Finding, where: str, words: str) -> str:
    """`S1.2: “It is new.”`, or `closest source sentence (S1.2): “It is new.”` where it proves nothing."""
    return f"{finding.closest} ({where}): {words}" if finding.is_near else f"{where}: {words}"


def _choose_quotes(finding: Finding) -> tuple[Evidence, ...]:
    return finding.quotes[: 1 if finding.is_near else _MOST_QUOTES]


def _format_head(finding: Finding, most: int) -> str:
    shown = finding.shown
    author = f", by {shown.author}" if shown.author and not finding.is_split else ""
    # A cell is named once, also where all of it is at fault.
    is_partial = any(piece.words != finding.unit.text for piece in shown.label.pieces)
    faults = f" — at fault: {format_faults(shown.label)}" if is_partial else ""
    return f"{finding.title}{author}: “{shorten(finding.text, most)}”{faults}"
