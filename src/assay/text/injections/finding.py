"""Orders to the evaluator inside a text that is only there to be evaluated."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from assay.domain.span import Span
from assay.text.injections.glance import take_glance
from assay.text.injections.model import find_spoken
from assay.text.injections.patterns import Family, Pattern, Places
from assay.text.injections.repeats import find_repeated
from assay.text.normal import Edit, Normal, comment_spans, legible, normalise

# A few hidden characters shape letters or colour a symbol; so many in a row carry a message.
_HIDDEN_RUN = re.compile(
    "[\u200b-\u200d\u2060-\u2064\ufeff]{16,}|[\U000e0020-\U000e007e]{4,}|[\ufe00-\ufe0f]{8,}|[\U000e0100-"
    "\U000e01ef]{8,}"
)
# Between Latin letters nothing is joined or parted by them; a right-to-left override is for nobody but a forger.
_SPRINKLED = re.compile(
    "[A-Za-z][\u200b-\u200d\u2060-\u2064\ufeff](?=[A-Za-z])|[\u2066-\u2068](?=[A-Za-z])|[A-Za-z][\u0325\u0331]"
)
_OVERRIDE = re.compile("[\u202d\u202e][^\u202c\n]{3,2000}")
_MANY = 6
_MIXED = re.compile(r"\b\w{0,20}?(?:[a-z][а-яѐ-џ]|[а-яѐ-џ][a-z])\w{0,30}")
_UNSEEN = re.compile("[\u0325\u0331\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]")
_CYRILLIC = re.compile("[а-яѐ-џ]")
# Letters and signs that fold one by one: most texts hold no others, and need no heavier normalising.
_PLAIN = re.compile(r"[\t\n\r -~¡-\u012f\u0131-\u024f\u2010-\u2015\u2018-\u201e\u2026]*+")
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\t\n\r\u00a0", " "), **dict.fromkeys("‘’‚`´", "'"), **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("‐‑‒–—―", "-"), "…": ".", "\u00ad": " ",
    }
)  # fmt: skip
_SPACES = re.compile(" {2,}")
_FLAG = "\U0001f3f4"
_HIDDEN_STYLE = re.compile(
    r"<[a-z][^<>]{0,200}(?:style[^<>]{0,200}(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?[01](?![\d.])"
    r"|opacity ?: ?0(?![.\d])|color ?: ?(?:white|#fff|transparent))|\bhidden\b"
    r"|size ?= ?[\"']?[01](?!\d))[^<>]{0,200}>(?P<words>[^<>]{1,600})"
    r"|<meta [^<>]{0,200}content ?= ?[\"'](?P<meta>[^<>]{1,400})|<[a-z]{1,10} [^<>]{0,300}(?:alt|title"
    r"|aria-label) ?= ?[\"'](?P<alt>[^<>]{1,400})"
)
_MARKDOWN_COMMENT = re.compile(r"\[(?://|comment|_)\]: ?(?:#|<>) ?[(\"'](?P<words>[^\n]{1,400})")
_ORDERLY = re.compile(
    r"\b(?:evaluators?|graders?|llms?|language model|ai (?:model|judge|reviewer|assistant|grader)s?"
    r"|instructions?|prompt"
    r"|full (?:score|marks)|(?:highest|maximum|perfect|top|best)(?: possible)? (?:score|rating|mark|grade"
    r"|category)|judge says"
    r"|(?:grade|score|rate|answer|label) ?:? ?(?:5|10|100|supported)|(?:evaluation|label|verdict"
    r"|reviewer) ?:|evaluating|supported)\b"
)
_CLOSING = re.compile(
    r"</ ?(?:article|summary|sources?|document|answer|response|output|input|text|context|data|candidate|query"
    r"|question|submission|instructions?|prompt|system|user|reviews?|record) ?>"
)
_TAG = re.compile(r"</?(\w+)")

_URGES = re.compile(
    r"(?:^|(?<=[^\w']))(?:(?:please|kindly|now|so|then|and|just|simply|instead|therefore|only|always"
    r"|you (?:must|should|need to|have to|will|are to)|make sure (?:to|you)|be sure to|remember to"
    r"|por favor|s'il (?:vous|te) plaît|veuillez|bitte|xin|vui lòng|hãy),? ){1,4}$"
)
_PLEAS = re.compile(
    r"\b(?:please|kindly|you (?:must|should|need to|have to)|por favor|s'il (?:vous|te) plaît|veuillez|bitte|hãy)\b"
)
_OPENING_SIGNS = ".!?:;。！？)]}>*-•|\"'([{#"
_QUOTE_SIGNS = "\"'"
_REMEMBERED = 20_000
_MENTIONED = re.compile(
    r"\b(?:such as|e\.g|for example|for instance|phrases?|strings?|tokens?|tags?|markers?|formats?|templates?|attacks?"
    r"|attackers?|injections?|jailbreaks?|called|known as|examples?|payloads?|wrote|writes|contains?|containing|like"
    r"|words|prompts?|testers?|researchers?)\b"
)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A stretch that reads as an order or a bait for the evaluator; it taints a record and decides nothing else."""

    span: Span
    family: Family


def find_injections(text: str) -> tuple[Suspicion, ...]:
    """All suspicions in order. A text that speaks about such orders, or gives orders to its readers, raises none."""
    # An output is looked at for several ends, and many records share a source; a long text is long to hash as well.
    return _remember_found(text) if len(text) <= _REMEMBERED else _find(text)


def _find(text: str) -> tuple[Suspicion, ...]:
    normal = fold(text)
    found = {*_worded(text, normal, take_glance(normal.text)), *_hidden(text, normal)}
    _add_apart(found, find_repeated(text))
    _add_apart(found, find_spoken(text, normal))
    return tuple(sorted(found, key=lambda suspicion: (suspicion.span, suspicion.family)))


_remember_found = lru_cache(maxsize=256)(_find)


def _add_apart(found: set[Suspicion], others: Iterable[tuple[Span, Family]]) -> None:
    """Those of the others, which come in the order of the text, that overlap nothing found before."""
    ordered = list(others)
    if not ordered:
        return
    known = sorted(suspicion.span for suspicion in found)
    starts = [span.start for span in known]
    # How far those reach that begin no later than each.
    reaches = list(accumulate((span.end for span in known), max))
    reached = 0
    for span, family in ordered:
        begun = bisect_left(starts, span.end)
        if max(reached, reaches[begun - 1] if begun else 0) <= span.start:
            found.add(Suspicion(span, family))
            reached = span.end


def fold(text: str) -> Normal:
    is_ascii = text.isascii()
    if "<!--" in text or not (is_ascii or ("\u00ad" not in text and _PLAIN.fullmatch(text))):
        return normalise(text)
    folded = text.translate(_TYPOGRAPHY).lower()
    # The plain ones among the control characters have become spaces.
    if is_ascii and not folded.isprintable():
        return normalise(text)
    plain = Normal(folded, range(len(text)), range(1, len(text) + 1))
    return plain if "  " not in folded else plain.edited(Edit(*match.span(), " ") for match in _SPACES.finditer(folded))


def _worded(text: str, normal: Normal, patterns: Sequence[Pattern]) -> Iterator[Suspicion]:
    places: Places = {}
    for pattern in patterns:
        for match in pattern.find(normal.text, places):
            start: int | None = match.start()
            if pattern.is_order:
                start = _order_start(text, normal, match.start())
            elif _is_inside_word(normal.text, match.start()):
                continue
            if start is not None and not _is_mentioned(normal.text, start, match.end()):
                yield Suspicion(normal.span(start, match.end()), pattern.family)
    yield from _closings(normal)


def _closings(normal: Normal) -> Iterator[Suspicion]:
    """Closing tags of what a prompt may wrap a text in, unless the text opened them itself."""
    if "</" not in normal.text:
        return
    openings: set[str] = set()
    for tag in _TAG.finditer(normal.text):
        closing = _CLOSING.match(normal.text, tag.start())
        if closing is None:
            openings.add(tag[1])
        elif tag[1] not in openings and not _is_mentioned(normal.text, *closing.span()):
            yield Suspicion(normal.span(*closing.span()), "delimiter")


def _hidden(text: str, normal: Normal) -> Iterator[Suspicion]:
    if not text.isascii():
        yield from _written_unseen(text, normal)
    if "]:" in text:
        for match in _MARKDOWN_COMMENT.finditer(text):
            if _speaks(match["words"]):
                yield Suspicion(Span(*match.span()), "hidden")
    if "<" not in normal.text and "<" not in text:
        return
    if "<!--" in (seen := legible(text)).text:
        for comment in comment_spans(seen.text):
            if _speaks(Span(comment.start + 4, comment.end - 3).of(seen.text)):
                yield Suspicion(seen.span(*comment), "hidden")
    for match in _HIDDEN_STYLE.finditer(normal.text):
        if _speaks(match["words"] or match["meta"] or match["alt"]):
            yield Suspicion(normal.span(*match.span()), "hidden")


def _written_unseen(text: str, normal: Normal) -> Iterator[Suspicion]:
    """Words in characters that are not seen, or that are seen as others."""
    mixed = [match.span() for match in _MIXED.finditer(normal.text)] if _CYRILLIC.search(normal.text) else []
    if len(mixed) > 1:
        yield Suspicion(normal.span(mixed[0][0], mixed[-1][1]), "hidden")
    if not _UNSEEN.search(text):
        return
    for match in _HIDDEN_RUN.finditer(text):
        if text[match.start() - 1 : match.start()] != _FLAG:
            yield Suspicion(Span(*match.span()), "hidden")
    yield from (Suspicion(Span(*match.span()), "hidden") for match in _OVERRIDE.finditer(text))
    sprinkled = [match.span() for match in _SPRINKLED.finditer(text)]
    if len(sprinkled) >= _MANY:
        yield Suspicion(Span(sprinkled[0][0], sprinkled[-1][1]), "hidden")


def _speaks(hidden: str) -> bool:
    """What a reader is not shown needs less to be suspicious."""
    words = normalise(hidden)
    if _ORDERLY.search(words.text):
        return True
    return any(_worded(hidden, words, take_glance(words.text))) or any(find_spoken(hidden, words))


def _order_start(text: str, normal: Normal, verb: int) -> int | None:
    """Where the order begins, with its urging words: at an opening, or anywhere behind a plea; else it is none."""
    if _is_inside_word(normal.text, verb):
        return None
    window = normal.text[max(0, verb - 80) : verb]
    urges = _URGES.search(window)
    start = verb - len(urges.group()) if urges else verb
    if _opens(text, normal, start) or (urges and _PLEAS.search(urges.group())):
        return start
    return None


def _is_inside_word(text: str, at: int) -> bool:
    return text[at].isalnum() and text[at].isascii() and text[max(0, at - 1) : at].isalnum()


def _opens(text: str, normal: Normal, at: int) -> bool:
    """Whether a sentence, a line or a bracket begins here: where an order stands, and a report of one does not."""
    before = normal.text[max(0, at - 40) : at].rstrip(" ")
    if not before or before[-1] in _OPENING_SIGNS:
        return True
    start = normal.starts[at]
    gap = text[max(0, start - 20) : start]
    breaks = gap[len(gap.rstrip()) :].count("\n")
    return breaks > 1 or (breaks == 1 and not text[start].islower())


def _is_mentioned(text: str, start: int, end: int) -> bool:
    """Inside quotation marks, in a sentence that says it is quoting."""
    before, after = text[max(0, start - 160) : start], text[end : end + 100]
    opened = max(before.rfind(sign) for sign in _QUOTE_SIGNS)
    # A mark that opens nothing is an apostrophe.
    if opened < max(0, len(before) - 60) or (opened and before[opened - 1] not in " (["):
        return False
    return any(sign in after for sign in _QUOTE_SIGNS) and bool(_MENTIONED.search(before) or _MENTIONED.search(after))
