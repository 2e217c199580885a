"""The parts of a text that are in no language: addresses, code, identifiers, quantities, acronyms."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from assay.domain.span import Span
from assay.text.scripts import letters_of

_FENCE: Final = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)
_INLINE_CODE: Final = re.compile(r"`[^`\n]{1,200}`")
_ADDRESS: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'，。、）」]+|[\w.+%-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,300}>|&#?\w{2,10};")
_LEAD_IN_LETTERS: Final = 20
"""Fewer letters before a fence only introduce it."""
_UNITS: Final = (
    "mg|mcg|µg|μg|ug|ng|kg|g|ml|mL|dl|dL|l|L|mm|cm|km|m|mmol|µmol|umol|nmol|mEq|IU|UI|IE|U|Gy|cGy|mmHg|bpm"
    "|kcal|kJ|Hz|kHz|ms|s|min|h"
)
_QUANTITY: Final = re.compile(rf"\d\s?(?:{_UNITS})(?:/(?:{_UNITS}|m2|m²|day|d|week|wk))*(?![^\W_])")
# A code has a digit or an underscore, an acronym two capitals in a row. Letters whose case is not at hand may be any.
_ODD: Final = re.compile(r"[0-9_]|[A-Z][-–/.'’]?[A-Z]|[^\x00-\x7f’‘“”–—…à-öø-ÿ]")
# The same among the characters of ASCII; the class comes first, so that a text is searched for it alone.
_ODD_ASCII: Final = re.compile(r"[0-9_A-Z](?:(?<![A-Z])|[-/.']?[A-Z])")
# What no match can do without: looking for a mark is far cheaper than for a pattern.
_MARKED: Final = (
    (_ADDRESS, ("://", "www.", "@")),
    (_INLINE_CODE, ("`",)),
    (_TAG, ("<", "&")),
    (_QUANTITY, ("",)),
)


@cache
def _token_pattern() -> re.Pattern[str]:
    letter = letters_of("latin") + letters_of("cyrillic") + letters_of("greek")
    return re.compile(rf"[{letter}0-9_]+(?:[-–/.'’][{letter}0-9_]+)*")


def find_fences(text: str) -> tuple[Span, ...]:
    """Fenced code; a fence that is never closed runs to the end."""
    spans, opened = [], None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match[1][0] == opened[1][0] and len(match[1]) >= len(opened[1]):
            spans.append(Span(opened.start(), match.end()))
            opened = None
    if opened is not None:
        spans.append(Span(opened.start(), len(text)))
    return tuple(spans)


def _is_plain(token: str) -> bool:
    """A word as most are, letters with a capital at most at its head: two calls in C settle nearly every token."""
    return token.isalpha() and (token.islower() or token[1:].islower() or len(token) == 1)


def _is_code(token: str) -> bool:
    """A name such as HER2, NCT01234567, PD-L1 or snake_case."""
    return "_" in token or (any(c.isdigit() for c in token) and any(c.isalpha() for c in token))


def _is_acronym(token: str) -> bool:
    letters = [c for c in token if c.isalpha()]
    return len(letters) >= 2 and sum(c.isupper() for c in letters) * 2 > len(letters) and letters[1].isupper()


def _find_names(text: str) -> Iterator[Span]:
    if text.isascii() and not _ODD_ASCII.search(text):
        return
    for line in re.finditer(r"[^\n]+", text):
        odd = list(_find_odd(text, line.start(), line.end()))
        if not odd:
            continue
        codes = {match.span() for match in odd if _is_code(match[0])}
        others = [match for match in odd if match.span() not in codes]
        acronyms = {match.span() for match in others if _is_acronym(match[0])}
        # A heading in capitals is words all the same.
        shouted = bool(acronyms) and _is_shouted(text, line, len(codes), len(acronyms))
        for start, end in codes if shouted else codes | acronyms:
            yield Span(start, end)


def _find_odd(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The tokens that are not plain words: only stretches between spaces that could hold one are cut into tokens."""
    after = start
    for mark in _ODD.finditer(text, start, end):
        if mark.start() < after:
            continue
        begin = max(start, text.rfind(" ", start, mark.start()) + 1)
        space = text.find(" ", mark.end(), end)
        after = end if space < 0 else space
        for token in _token_pattern().finditer(text, begin, after):
            if not _is_plain(token[0]):
                yield token


def _is_shouted(text: str, line: re.Match[str], codes: int, acronyms: int) -> bool:
    tokens = [match[0] for match in _token_pattern().finditer(text, line.start(), line.end())]
    words = len(tokens) - codes - sum(not any(map(str.isalpha, token)) for token in tokens if not _is_code(token))
    return words >= 3 and acronyms * 2 > words


def find_nonwords(text: str) -> tuple[Span, ...]:
    """Everything but fences, which hold text as often as code; each stretch once, though two may overlap."""
    found = [
        Span(*match.span())
        for pattern, marks in _MARKED
        if any(mark in text for mark in marks)
        for match in pattern.finditer(text)
    ]
    found.extend(_find_names(text))
    return tuple(sorted(set(found)))


def blank(text: str, spans: Iterable[Span]) -> str:
    """The text with spaces in place of the spans, so that offsets stay."""
    pieces, end = [], 0
    for span in sorted(spans):
        start = max(end, span.start)
        stop = min(len(text), span.end)
        if stop > start:
            pieces += [text[end:start], " " * (stop - start)]
            end = stop
    pieces.append(text[end:])
    return "".join(pieces)


def blank_nonwords(text: str, ignore: Sequence[Span] = ()) -> str:
    """Only words are left. Where next to nothing stands outside a fence, the text is what stands inside it."""
    rest = blank(text, (*find_nonwords(text), *ignore))
    fences = find_fences(text)
    if not fences:
        return rest
    without_code = blank(rest, fences)
    return without_code if sum(map(str.isalpha, without_code)) >= _LEAD_IN_LETTERS else rest
