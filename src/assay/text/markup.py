"""The markup of a text, none of which a reader sees: comments, tags that start a new line, tags within one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from heapq import merge
from typing import Literal, NamedTuple

from assay.domain.span import Span
from assay.text.normal import INVISIBLE, Normal, comment_spans, legible

MarkupKind = Literal["comment", "block", "inline"]

_BLOCK = (
    "br|p|li|div|hr|h[1-6]|tr|td|th|ul|ol|dl|dt|dd|table|thead|tbody|tfoot|caption|section|article|header|footer|main"
    "|aside|nav|blockquote|figure|figcaption|pre|center"
)
_INLINE = "b|i|u|s|a|em|strong|span|small|big|mark|font|code|q|cite|ins|del|abbr|time|tt"
# A row of a table is one unit, with whatever its cells hold.
_TAG = re.compile(
    rf"^[ \t]*+\|[^\n\r]*+|<(?P<ends>/?)(?:(?P<block>{_BLOCK})|(?:{_INLINE}))(?=[\s/>])[^<>]{{0,300}}>",
    re.IGNORECASE | re.MULTILINE,
)
_EMPTY = frozenset({"br", "hr"})
# Words between angle brackets that are no attributes may be meant to be read.
_ATTRIBUTE = r"""\s++[\w:.-]{1,40}+\s?=\s?(?:"[^"<>]*+"|'[^'<>]*+'|[^\s<>"'=]++)"""
_WELL_FORMED = re.compile(
    rf"</?\w+(?:(?:{_ATTRIBUTE})++\s*+/?|\s{{0,8}}/?|\s[a-z]{{1,12}})>|<!--[\s\S]*", re.IGNORECASE
)
_READ_OUT = re.compile(
    r"""\b(?:title|alt|label|content|summary|caption|placeholder|value|aria-\w+|data-[\w-]+)\s?=\s?(["'])([^"'<>]*)\1""",
    re.IGNORECASE,
)
# Emphasis is part of a sentence; what stands around it is not.
SURROUNDINGS: Mapping[MarkupKind, str] = {"comment": " ", "block": " "}
_UNSEEN: Mapping[MarkupKind, str] = {"comment": " ", "block": " ", "inline": " "}


class Markup(NamedTuple):
    """`opens` belongs to the text after it, all other markup to the text before it."""

    span: Span
    kind: MarkupKind
    opens: bool


def find_markup(text: str) -> tuple[Markup, ...]:
    """All markup, in order and without overlaps. A cheap test first, because most texts hold none."""
    return tuple(_find(text)) if "<" in text else ()


def _find(text: str) -> Iterator[Markup]:
    """A table row continues after a comment. A tag that contains a comment is no tag."""
    comments = [Markup(comment, "comment", opens=False) for comment in comment_spans(text)]
    if not comments:
        return _find_tags(text)
    tags = _find_tags(blot(text, comments))
    return merge(comments, (tag for tag in tags if "<!--" not in tag.span.of(text)), key=lambda mark: mark.span)


def _find_tags(text: str) -> Iterator[Markup]:
    for found in _TAG.finditer(text):
        if found["ends"] is None:
            continue
        name = found["block"]
        opens = not found["ends"] and (name is None or name.lower() not in _EMPTY)
        yield Markup(Span(*found.span()), "inline" if name is None else "block", opens)


def find_unseen(text: str) -> tuple[Markup, ...]:
    """Only markup that certainly shows nothing. `<p only ten died>` may be read, so a judge is shown it."""
    return tuple(mark for mark in find_markup(text) if _WELL_FORMED.fullmatch(text, *mark.span))


def find_hidden(text: str) -> Iterator[Span]:
    """The words that unseen markup holds: comments, and attributes such as `title` or `alt` that may be read out."""
    for mark in find_unseen(text):
        inside = mark.span.of(text)
        if mark.kind == "comment":
            bare = inside.removeprefix("<!--").removesuffix("-->")
            start = mark.span.start + inside.index(bare)
            yield Span(start + len(bare) - len(bare.lstrip()), start + len(bare.rstrip()))
        else:
            yield from (Span(*found.span(2)).shifted(mark.span.start) for found in _READ_OUT.finditer(inside))


def blot(text: str, markup: Sequence[Markup], signs: Mapping[MarkupKind, str] = _UNSEEN) -> str:
    """The text at its own length, each character of its markup replaced by the sign of the kind; no sign, no change."""
    parts: list[str] = []
    done = 0
    for (start, end), kind, _ in markup:
        sign = signs.get(kind)
        if sign is not None:
            parts += (text[done:start], sign * (end - start))
            done = end
    return "".join([*parts, text[done:]])


def without_surroundings(text: str) -> str:
    """The text from its first to its last seen character; tags within a line may stand at its ends."""
    bare = blot(text, find_unseen(text), SURROUNDINGS)
    start = len(bare) - len(bare.lstrip())
    return text[start : len(bare.rstrip())] or text


def cover_gaps(text: str, spans: Sequence[Span], markup: Sequence[Markup]) -> tuple[Span, ...]:
    """The spans grown over all markup between them, so that none of it is left out and none makes a span of its own."""
    bare = blot(text, markup)
    held = [span for span in spans if span.of(bare).strip()]
    if not held:
        return (Span(markup[0].span.start, markup[-1].span.end),)
    grown: list[Span] = []
    marks = iter(markup)
    mark = next(marks, None)
    for span in held:
        gap: list[Markup] = []
        while mark is not None and mark.span.start < span.end:
            if mark.span.end <= span.start:
                gap.append(mark)
            mark = next(marks, None)
        start = _share_out(gap, grown)
        grown.append(Span(span.start if start is None else start, span.end))
    if mark is not None:
        grown[-1] = Span(grown[-1].start, markup[-1].span.end)
    return tuple(grown)


def _share_out(gap: Sequence[Markup], grown: list[Span]) -> int | None:
    """Extends the last span over markup that does not open the next text. Returns where the rest starts."""
    closed = max((place for place, mark in enumerate(gap, 1) if not mark.opens), default=0) if grown else 0
    if closed:
        grown[-1] = Span(grown[-1].start, gap[closed - 1].span.end)
    return gap[closed].span.start if closed < len(gap) else None


def see(text: str) -> Normal | None:
    """The text without invisible characters, comments and tags; None where it holds none of these."""
    if "<" not in text and not INVISIBLE.search(text):
        return None
    seen = legible(text)
    return seen.edited((*mark.span, " " if mark.kind == "block" else "") for mark in find_unseen(seen.text))


def as_seen(text: str) -> str:
    seen = see(text)
    return text if seen is None else seen.text
