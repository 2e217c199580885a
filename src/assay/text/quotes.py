"""Whether a text says what a quote says it says, and where."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from assay.domain.span import Span
from assay.text.elisions import find_elided, inserted_fault, split_elided
from assay.text.normal import Normal, fold_plain, normalise
from assay.text.occurrences import SPACELESS, is_long_enough, occurrences, stands_alone
from assay.text.wording import LONGEST_IN_TOKENS, Comparison, compare, tokenise

_LIKELY = 70.0
_MOST_CHARACTERS = 50_000
_MOST_CANDIDATES = 4

_ANCHOR = re.compile(rf"[{SPACELESS}]{{2}}|(?:(?![{SPACELESS}])\w){{2,}}")
_PLAIN_WORDS = re.compile(r"[A-Za-z]+(?:,? [A-Za-z]+)*+")
_LEADING_DOTS = re.compile(r" *(?:\.{3,} *)?")
# Marks that a reader skips: emphasis, and the numbers of references, but not an interval such as "CI [2, 5]".
_MARKS = re.compile(r"(?<!\d)\*+|\*+(?!\d)|_{2,}|(?<=\S) ?\[\d{1,3}(?:[,-] ?\d{1,3})*\]")
_BEFORE_INTERVAL = re.compile(r"(?:\b(?:ci|range|ranges|interval|scale|of|from|to|is|was|in|at|between)|[=:,])$")
# The normal forms of a shorter text are made quickly.
_REMEMBERED_FROM = 2_000


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """`near`: the same words but for what no reader would mind, or with the gaps that the quote itself shows."""

    span: Span
    exactness: Literal["exact", "near"]


@dataclass(frozen=True, slots=True)
class QuoteMiss:
    """The quote is void as evidence; the reason is meant to be shown."""

    reason: str


@dataclass(frozen=True, eq=False)
class _QuotedText:
    """A text with its normal forms, each made when it is first needed."""

    text: str

    @cached_property
    def folded(self) -> str | None:
        return fold_plain(self.text)

    @cached_property
    def normal(self) -> Normal:
        return normalise(self.text)

    @cached_property
    def unmarked(self) -> Normal:
        return _leave_out_marks(self.normal)


# Many quotes of a record are looked for in the same few long sources.
_remember = lru_cache(maxsize=16)(_QuotedText)


def find_quote(quote: str, text: str, within: Span | None = None) -> QuoteMatch | QuoteMiss:
    """Where the text says the quote: word for word after normalising, or with harmless changes.

    A changed, added or dropped word voids the quote at any similarity, unless it is an article or the like, another
    spelling, or a plural. So does another order of the words. Below five words only an exact quote counts.
    """
    whole = Span(0, len(text)) if within is None else Span(max(0, within.start), min(len(text), within.end))
    part = whole.of(text)
    quoted = _remember(part) if len(part) >= _REMEMBERED_FROM else _QuotedText(part)
    if _PLAIN_WORDS.fullmatch(quote) and quoted.folded is not None:
        # Most quotes: words alone, exactly as they stand, in a text that is folded character by character.
        at = next(occurrences(quote.lower(), quoted.folded), None)
        if at is not None:
            return QuoteMatch(Span(whole.start + at, whole.start + at + len(quote)), "exact")
    given = _bare(normalise(quote))
    if not any(map(str.isalnum, given.text)):
        return QuoteMiss("empty")
    found = _find(given, quote, quoted)
    if isinstance(found, QuoteMiss):
        return found
    return QuoteMatch(found.span.shifted(whole.start), found.exactness)


def _find(given: Normal, quote: str, quoted: _QuotedText) -> QuoteMatch | QuoteMiss:
    exact = next(occurrences(given.text, quoted.normal.text), None)
    if exact is not None:
        return QuoteMatch(quoted.normal.span(exact, exact + len(given.text)), "exact")
    given, source = _leave_out_marks(given), quoted.unmarked
    elided = split_elided(given.text)
    fault = inserted_fault(given.text)
    if fault:
        return QuoteMiss(fault)
    if not elided.pieces:
        return QuoteMiss("empty")
    place = find_elided(elided, source.text)
    if isinstance(place, Span):
        return QuoteMatch(source.span(*place), "near")
    if elided.gaps:
        return QuoteMiss(place)
    if not is_long_enough(given.text):
        return QuoteMiss("too short for an inexact match")
    return _find_near(given, quote, source, quoted.text)


def _find_near(given: Normal, quote: str, source: Normal, part: str) -> QuoteMatch | QuoteMiss:
    tokens = tokenise(given, quote, Span(0, len(given.text)))
    if len(tokens) > LONGEST_IN_TOKENS:
        return QuoteMiss("too long for an inexact match")
    reason = "not in the text"
    best: Comparison | None = None
    for window in _candidates(given.text, source.text):
        fit = compare(tokens, tokenise(source, part, window))
        if fit is None:
            continue
        fault = fit.fault
        if fault is None and not stands_alone(source.text, *fit.span):
            fault = "not in the text"
        if fault is None:
            if best is None or (-fit.similarity, fit.span) < (-best.similarity, best.span):
                best = fit
        elif reason == "not in the text":
            reason = fault
    return QuoteMatch(source.span(*best.span), "near") if best else QuoteMiss(reason)


def _candidates(quote: str, text: str) -> list[Span]:
    """The stretches of text most like the quote, the likeliest first, cut at white space."""
    # Imported here, since most quotes are found exactly.
    from rapidfuzz import fuzz

    margin = 40 + len(quote) // 5
    scored: list[tuple[float, int, int]] = []
    for start in _starts(quote, text, margin):
        low, high = max(0, start - margin), min(len(text), start + len(quote) + margin)
        alignment = fuzz.partial_ratio_alignment(quote, text[low:high], score_cutoff=_LIKELY)
        if alignment is not None:
            slack = 20 + len(quote) // 10
            scored.append((-alignment.score, low + alignment.dest_start - slack, low + alignment.dest_end + slack))
    return [_whole_words(text, low, high) for _, low, high in sorted(set(scored))[:_MOST_CANDIDATES]]


def _starts(quote: str, text: str, margin: int) -> list[int]:
    """Where the quote would begin if its rarest words are its own; places a margin apart are one place."""
    places: dict[str, int] = {}
    for match in _ANCHOR.finditer(quote):
        places.setdefault(match.group(), match.start())
    counts = {word: text.count(word) for word in places}
    rarest = sorted((word for word in places if counts[word]), key=lambda word: (counts[word], -len(word), word))
    starts: list[int] = []
    most = 20 + _MOST_CHARACTERS // len(quote)
    # One word in ten may differ, so among these at least one is the text's own.
    for word in rarest[: len(places) // 10 + 3]:
        at = text.find(word)
        while at >= 0 and len(starts) < most:
            starts.append(at - places[word])
            at = text.find(word, at + len(word))
    apart: list[int] = []
    for start in sorted(starts):
        if not apart or start - apart[-1] > margin // 2:
            apart.append(start)
    return apart


def _whole_words(text: str, low: int, high: int) -> Span:
    low, high = max(0, low), min(len(text), high)
    low = text.rfind(" ", max(0, low - 40), low) + 1 or low
    space = text.find(" ", high, high + 40)
    return Span(low, space if space >= 0 else min(len(text), high + 40))


def _bare(quote: Normal) -> Normal:
    """Without the quotation marks around it and the full stop or the dots at its ends."""
    trimmed = _trimmed(quote)
    text = trimmed.text
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return _trimmed(trimmed.cut(1, len(text) - 1))
    return trimmed


def _trimmed(quote: Normal) -> Normal:
    dots = _LEADING_DOTS.match(quote.text)
    return quote.cut(dots.end() if dots else 0, len(quote.text.rstrip(" .。")))


def _leave_out_marks(normal: Normal) -> Normal:
    text = normal.text
    return normal.without(
        match.span()
        for match in _MARKS.finditer(text)
        if not (match[0].endswith("]") and _BEFORE_INTERVAL.search(text[max(0, match.start() - 12) : match.start()]))
    )
