"""Makes untrusted text safe to show to a judge, and finds what a reader is not shown in it."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.domain.span import Span
from assay.text.normal import INVISIBLE, INVISIBLE_KINDS, comment_spans, legible

_KIND_PATTERNS = {kind: re.compile(f"[{inside}]") for kind, inside in INVISIBLE_KINDS.items()}
_LINE_BREAK = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")

# "p < 0.05" stays; what could open a tag does not. The replacements read alike and normalise back.
_ANGLES = re.compile(r"[<＜﹤]++(?=[^\W\d_]|[/|!?])|[<＜﹤]{2,}+|[>＞﹥]+|\n")
# Characters that hide nothing and open no tag. Most sentences hold no others.
_HARMLESS = re.compile(r"[\t\n -\"$-9;=?-Z\\^-~¡-\u00ac®-\u024f\u2013\u2014\u2018-\u201d\u2026€]*+")
_LONGEST_TAG = 300
_SQUARE_ROLE = re.compile(
    r"\[(?P<inside>\s{0,4}/?\s{0,4}(?:inst|sys|system|assistant|user|human|developer|tool)\b[^\[\]\n]{0,80})(?P<close>\]?)",
    re.IGNORECASE,
)
_HEADED_ROLE = re.compile(
    r"^[ \t]{0,8}#{1,6}[ \t]{0,8}"
    r"(?:(?:system|assistant|user|human|developer)(?:[ \t]{1,4}(?:prompt|message|instructions?|note))?"
    r"[ \t]{0,4}(?:[:：]|$)|(?:instructions?|response|input)[ \t]{0,4}[:：])",
    re.IGNORECASE | re.MULTILINE,
)
_LINE_ROLE = re.compile(
    r"^(?P<head>[ \t]{0,8}(?:\*\*|__)?(?:system|assistant|user|human|developer|ai)(?:\*\*|__)?[ \t]{0,4})[:：]",
    re.IGNORECASE | re.MULTILINE,
)

# The characters that the next three patterns start with. Few texts hold one, and this test is ten times as fast.
_HIDING = re.compile(
    "[\u0325\u0331\u200b-\u200d\u202d\u202e\u2060-\u2068\ufe00-\ufe0f\ufeff\U000e0020-\U000e007e\U000e0100-\U000e01ef]"
)
# A few invisible characters shape letters or colour a symbol. So many in a row are a message.
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


@dataclass(frozen=True, slots=True)
class Neutralised:
    """`removed` names each kind of thing that was taken out or defused, once."""

    text: str
    removed: tuple[str, ...]


def neutralise(text: str) -> Neutralised:
    """Strips what no reader sees and defuses tags and role markers; its quotes are still found in the text."""
    if _HARMLESS.fullmatch(text):
        return Neutralised(text, ())
    removed = [kind for kind, pattern in _KIND_PATTERNS.items() if pattern.search(text)]
    shown = _LINE_BREAK.sub(
        lambda found: "\n" if found.group()[0] in "\r\u2028\u2029\x85" else " ", INVISIBLE.sub("", text)
    )
    comments = list(comment_spans(shown))
    if comments:
        removed.append("html comment")
        shown = legible(shown).without(comments).text
    defused = _defuse_angles(shown)
    if defused != shown:
        removed.append("tag")
    marked = _SQUARE_ROLE.sub(lambda found: f"⟦{found['inside']}{'⟧' if found['close'] else ''}", defused)
    marked = _HEADED_ROLE.sub(
        lambda found: found.group().replace("#", "＃").replace(":", "∶").replace("：", "∶"), marked
    )
    marked = _LINE_ROLE.sub(lambda found: f"{found['head']}∶", marked)
    if marked != defused:
        removed.append("role marker")
    return Neutralised(marked, tuple(removed))


def _defuse_angles(text: str) -> str:
    opened_at = -_LONGEST_TAG

    def replace(found: re.Match[str]) -> str:
        nonlocal opened_at
        signs = found.group()
        if signs == "\n":
            opened_at = -_LONGEST_TAG
            return signs
        if signs[0] in "<＜﹤":
            opened_at = found.end()
            return "‹" * len(signs)
        closes = found.start() - opened_at < _LONGEST_TAG
        opened_at = -_LONGEST_TAG
        return "›" * len(signs) if closes else signs

    return _ANGLES.sub(replace, text)


def delimiter(texts: Iterable[str]) -> str:
    """A mark for the borders of these texts that none of them can contain: 64 bits of their own digest."""
    digest = hashlib.blake2b(digest_size=8)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()


def find_hidden_characters(text: str) -> Iterator[Span]:
    """Messages in invisible characters, letters sprinkled with them, reversed text, words that mix two alphabets."""
    if text.isascii():
        return
    mixed = [match.span() for match in _MIXED_SCRIPTS.finditer(text)] if _CYRILLIC.search(text) else []
    if len(mixed) > 1:
        yield Span(mixed[0][0], mixed[-1][1])
    if not _HIDING.search(text):
        return
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
