"""Finds a quote in a text: word for word after normalising, piece by piece where it has gaps."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from assay.domain.span import Span
from assay.text.normal import Normal, normalise
from assay.text.polarity import UNSPACED, has_negation, list_negations

FARTHEST_IN_CHARACTERS: Final = 400
# The normal forms of a shorter text are made quickly.
_REMEMBERED_FROM: Final = 2_000

_LEADING_DOTS: Final = re.compile(r" *(?:\.{3,} *)?")
# Marks that a reader skips: emphasis, and the numbers of references, but not an interval such as "CI [2, 5]".
_MARKS: Final = re.compile(r"(?<!\d)\*+|\*+(?!\d)|_{2,}|(?<=\S) ?\[\d{1,3}(?:[,-] ?\d{1,3})*\]")
_BEFORE_INTERVAL: Final = re.compile(r"(?:\b(?:ci|range|ranges|interval|scale|of|from|to|is|was|in|at|between)|[=:,])$")
# Between digits a mark belongs to the number, between letters an apostrophe to the word. What ends a sentence stays:
# without it the last words run into the next sentence and say something new.
_PUNCTUATION: Final = re.compile(r"(?<!\d)[,;:]|[,;:](?!\d)|[\"()\[\]{}、]|(?<!\w)'|'(?!\w)|(?<=[^\W\d] )-(?= [^\W\d])")
_SPACES: Final = re.compile("(?<= ) +")

_GAP: Final = re.compile(r" ?(?:\[ ?\.{3,} ?\]|\( ?\.{3,} ?\)|\.{3,}|\. \. \.) ?")
_SENTENCE_END: Final = re.compile(r"[.!?] |[。！？]")
# From the front of a word only: tried from each of its letters, a long one would cost the square of its length.
_TWO_WORDS: Final = re.compile(rf"(?<!\S)[^\s\w]*\w\S*\s+\S*\w|[{UNSPACED}]{{4}}")
_EDGE: Final = " ,;:.\"'"

_SPACELESS: Final = re.compile(f"[{UNSPACED}]")
_WORD: Final = re.compile(rf"(?:(?![{UNSPACED}])\w)+")
_SPACED_WORD: Final = re.compile(rf"(?![{UNSPACED}])\w[^\s{UNSPACED}]*")
# "Eligible" doesn't stand in "non-eligible", nor "smoke" in "smoke-free".
_TURNED_BEFORE: Final = re.compile(r"(?:^|\W)(?:un|in|im|il|ir|non|dis|anti|mis|no|not|never|ex|pseudo)-$")
_TURNED_AFTER: Final = re.compile(r"'t\b|-(?:free|less|negative|naive|resistant)\b")
# Japanese verbs carry their negation behind the stem.
_NEGATIVE_ENDINGS: Final = ("ない", "なかっ", "なく", "ません", "なし", "ず", "ぬ")
_NUMBER_BEFORE: Final = re.compile(r"(?:\d[.,/:^]|\d\^-|(?:^|[^\w.])\.|(?:^|[^\w)%])[-+]|\d ?- ?|[$€£¥₹])$")
_NUMBER_AFTER: Final = re.compile(
    r"[.,/:]\d|\^| ?[%‰]|°| ?- ?\d| (?:hundred|thousand|million|billion|trillion|percent|per cent)\b"
)
_CUT_NUMBER: Final = re.compile(r"[-+.,/:^]\d")
_RATE_BEFORE: Final = re.compile(r"\d ?[a-zμ]+$")
_RATE_AFTER: Final = re.compile(r"/[a-z]")


@dataclass(frozen=True, eq=False)
class _QuotedText:
    """A text with its normal forms, each made when it is first needed."""

    text: str

    @cached_property
    def normal(self) -> Normal:
        return normalise(self.text)

    @cached_property
    def unmarked(self) -> Normal:
        return _leave_out_marks(self.normal)


# Many quotes of a record are looked for in the same few long sources.
_remember = lru_cache(maxsize=16)(_QuotedText)


def find_quote(quote: str, text: str, within: Span | None = None) -> Span | None:
    """The place where the text says the quote, word for word after normalising; None where it is void as evidence.

    Case, white space, punctuation, emphasis and the numbers of references make no difference, and dots may stand for
    words that were left out. A changed, added or dropped word voids the quote, and so does another order.
    """
    whole = Span(0, len(text)) if within is None else Span(max(0, within.start), min(len(text), within.end))
    part = whole.of(text)
    given = _bare(normalise(quote))
    if not any(map(str.isalnum, given.text)):
        return None
    found = _find(given, _remember(part) if len(part) >= _REMEMBERED_FROM else _QuotedText(part))
    return None if found is None else found.shifted(whole.start)


def count_words(text: str) -> float:
    """The number of words. In a script without spaces eight characters count as five words."""
    return sum(1 for _ in _SPACED_WORD.finditer(text)) + 5 * sum(1 for _ in _SPACELESS.finditer(text)) / 8


def is_long_enough(text: str) -> bool:
    """Five words: below that a small change is a large one."""
    return count_words(text) >= 5


def _find(given: Normal, quoted: _QuotedText) -> Span | None:
    """First with all its marks, then without them and with the gaps that the quote itself shows."""
    exact = next(_find_phrase(given.text, quoted.normal.text), None)
    if exact is not None:
        return quoted.normal.span(exact, exact + len(given.text))
    source = quoted.unmarked
    pieces = [piece for each in _GAP.split(_leave_out_marks(given).text) if (piece := each.strip(_EDGE))]
    place = _find_pieces(pieces, source.text)
    return None if place is None else source.span(*place)


# Phrases


def _find_phrase(phrase: str, text: str) -> Iterator[int]:
    """The starts of the phrase, in order, where it stands by itself; both are normalised."""
    at = text.find(phrase) if phrase else -1
    while at >= 0:
        if _stands_alone(text, at, at + len(phrase)):
            yield at
        # A phrase that begins with a word can't begin again inside that word.
        word = _WORD.match(text, at)
        at = text.find(phrase, word.end() if word else at + 1)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] breaks no word, number or negated form at its edges."""
    before, after = text[max(0, start - 12) : start], text[end : end + 12]
    inside = text[max(start, end - 12) : end]
    if _CUT_NUMBER.match(text[start : start + 2]) and before[-1:].isalnum():
        return False
    if _CUT_NUMBER.match(text[end - 1 : end] + after) and inside[-2:-1].isdigit():
        return False
    return _begins_alone(text[start], before) and _ends_alone(inside, after)


def _begins_alone(first: str, before: str) -> bool:
    if _SPACELESS.match(first):
        return before[-1:] not in list_negations("zh")
    if not _is_wordlike(first):
        return True
    if _is_wordlike(before[-1:]) and not _SPACELESS.match(before[-1]):
        return False
    return not (_NUMBER_BEFORE if first.isdigit() else _TURNED_BEFORE).search(before)


def _ends_alone(inside: str, after: str) -> bool:
    last = inside[-1]
    if _SPACELESS.match(last):
        return not after.startswith(_NEGATIVE_ENDINGS)
    if not _is_wordlike(last):
        return True
    if _is_wordlike(after[:1]) and not _SPACELESS.match(after[0]):
        return False
    if (last.isdigit() and _NUMBER_AFTER.match(after)) or (_RATE_BEFORE.search(inside) and _RATE_AFTER.match(after)):
        return False
    return not _TURNED_AFTER.match(after)


def _is_wordlike(character: str) -> bool:
    return character.isalnum() or character == "_" or (character != "" and unicodedata.category(character)[0] == "M")


# Gaps


def _find_pieces(pieces: Sequence[str], text: str) -> Span | None:
    """The first place with all pieces of "A … B" in order and near each other; no piece is a single word."""
    if len(pieces) > 1 and not all(map(_TWO_WORDS.search, pieces)):
        return None
    reach: list[Span] = []
    for number, piece in enumerate(pieces):
        places = [Span(at, at + len(piece)) for at in _find_phrase(piece, text)]
        ends = [chain.end for chain in reach]
        following = places if number == 0 else []
        for place in places if number else ():
            # The nearest earlier piece leaves out the least, so no other can do better.
            before = bisect_right(ends, place.start) - 1
            if before < 0 or place.start - ends[before] > FARTHEST_IN_CHARACTERS:
                continue
            left_out = text[ends[before] : place.start]
            # Inside one sentence the dots may stand for the very word that denies it.
            if _SENTENCE_END.search(left_out) or not has_negation(left_out):
                following.append(Span(reach[before].start, place.end))
        reach = following
    return min(reach, default=None)


def _bare(quote: Normal) -> Normal:
    """Without the quotation marks around it and the full stop or the dots at its ends."""
    trimmed = _trim(quote)
    text = trimmed.text
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return _trim(trimmed.cut(1, len(text) - 1))
    return trimmed


def _trim(quote: Normal) -> Normal:
    dots = _LEADING_DOTS.match(quote.text)
    return quote.cut(dots.end() if dots else 0, len(quote.text.rstrip(" .。")))


def _leave_out_marks(normal: Normal) -> Normal:
    text = normal.text
    plain = normal.without(
        match.span()
        for match in _MARKS.finditer(text)
        if not (match[0].endswith("]") and _BEFORE_INTERVAL.search(text[max(0, match.start() - 12) : match.start()]))
    )
    words = plain.without(match.span() for match in _PUNCTUATION.finditer(plain.text))
    return words.without(match.span() for match in _SPACES.finditer(words.text))
