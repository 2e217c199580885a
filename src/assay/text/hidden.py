"""Finds text that a reader is not shown: invisible characters, comments, hidden markup."""

import re
from collections.abc import Iterator

from assay.domain.span import Span
from assay.text.normal import comment_spans, legible

# A few invisible characters shape letters or colour a symbol. So many in a row carry a message.
_RUN = re.compile(
    "[\u200b-\u200d\u2060-\u2064\ufeff]{16,}|[\U000e0020-\U000e007e]{4,}|[\ufe00-\ufe0f]{8,}"
    "|[\U000e0100-\U000e01ef]{8,}"
)
_FLAG = "\U0001f3f4"
"""Flags of regions are spelt with tag characters after it."""
# Zero-width characters have no use between Latin letters.
_SPRINKLED = re.compile(
    "[A-Za-z][\u200b-\u200d\u2060-\u2064\ufeff](?=[A-Za-z])|[\u2066-\u2068](?=[A-Za-z])|[A-Za-z][\u0325\u0331]"
)
_FEWEST_SPRINKLED = 6
_OVERRIDE = re.compile("[\u202d\u202e][^\u202c\n]{3,2000}")
_MIXED_SCRIPTS = re.compile(r"\b\w{0,20}?(?:[a-zA-Z][а-яѐ-џ]|[а-яѐ-џ][a-zA-Z])\w{0,30}")
_CYRILLIC = re.compile("[а-яѐ-џ]")
_HIDDEN_ELEMENT = re.compile(
    r"<[a-z][^<>]{0,200}(?:style[^<>]{0,200}(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?[01](?![\d.])"
    r"|opacity ?: ?0(?![.\d])|color ?: ?(?:white|#fff|transparent))|\bhidden\b"
    r"|size ?= ?[\"']?[01](?!\d))[^<>]{0,200}>(?P<words>[^<>]{1,600})"
    r"|<meta [^<>]{0,200}content ?= ?[\"'](?P<meta>[^<>]{1,400})|<[a-z]{1,10} [^<>]{0,300}(?:alt|title"
    r"|aria-label) ?= ?[\"'](?P<alt>[^<>]{1,400})",
    re.IGNORECASE,
)
_MARKDOWN_COMMENT = re.compile(r"\[(?://|comment|_)\]: ?(?:#|<>) ?[(\"'](?P<words>[^\n]{1,400})", re.IGNORECASE)


def find_hidden_characters(text: str) -> Iterator[Span]:
    """Messages in invisible characters, letters sprinkled with them, reversed text, words that mix two alphabets."""
    if text.isascii():
        return
    mixed = [match.span() for match in _MIXED_SCRIPTS.finditer(text)] if _CYRILLIC.search(text) else []
    if len(mixed) > 1:
        yield Span(mixed[0][0], mixed[-1][1])
    for match in _RUN.finditer(text):
        if text[match.start() - 1 : match.start()] != _FLAG:
            yield Span(*match.span())
    yield from (Span(*match.span()) for match in _OVERRIDE.finditer(text))
    sprinkled = [match.span() for match in _SPRINKLED.finditer(text)]
    if len(sprinkled) >= _FEWEST_SPRINKLED:
        yield Span(sprinkled[0][0], sprinkled[-1][1])


def find_hidden_markup(text: str) -> Iterator[tuple[Span, str]]:
    """Comments, elements that are not displayed, and attributes with words in them: each with its words."""
    if "]:" in text:
        yield from ((Span(*match.span()), match["words"]) for match in _MARKDOWN_COMMENT.finditer(text))
    if "<" not in text:
        return
    seen = legible(text)
    for comment in comment_spans(seen.text):
        yield seen.span(*comment), Span(comment.start + 4, comment.end - 3).of(seen.text)
    for match in _HIDDEN_ELEMENT.finditer(seen.text):
        yield seen.span(*match.span()), match["words"] or match["meta"] or match["alt"]
