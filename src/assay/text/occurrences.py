"""Where a phrase stands by itself in a text: whole words, whole numbers, with no prefix that turns it around."""

import re
import unicodedata
from collections.abc import Iterator

from assay.text.guarded_words import HYPHENATED_PREFIXES, HYPHENATED_SUFFIXES, NEGATIONS, NEGATIVE_ENDINGS

# Scripts written without spaces, where a word's edge can't be seen: Thai to Khmer, kana, Han.
SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_SPACELESS = re.compile(f"[{SPACELESS}]")
_WORD = re.compile(rf"(?:(?![{SPACELESS}])\w)+")
_SPACED_WORD = re.compile(rf"(?![{SPACELESS}])\w[^\s{SPACELESS}]*")
_CHINESE_NEGATIONS = tuple(NEGATIONS["zh"].split())

_TURNED_BEFORE = re.compile(rf"(?:^|\W)(?:{'|'.join(HYPHENATED_PREFIXES)})-$")
_TURNED_AFTER = re.compile(rf"'t\b|-(?:{'|'.join(HYPHENATED_SUFFIXES)})\b")
_NUMBER_BEFORE = re.compile(r"(?:\d[.,/:^]|\d\^-|(?:^|[^\w.])\.|(?:^|[^\w)%])[-+]|\d ?- ?|[$€£¥₹])$")
_NUMBER_AFTER = re.compile(
    r"[.,/:]\d|\^| ?[%‰]|°| ?- ?\d| (?:hundred|thousand|million|billion|trillion|percent|per cent)\b"
)
_CUT_NUMBER = re.compile(r"[-+.,/:^]\d")
_RATE_BEFORE = re.compile(r"\d ?[a-zμ]+$")
_RATE_AFTER = re.compile(r"/[a-z]")


def occurrences(phrase: str, text: str) -> Iterator[int]:
    """The starts of the phrase, in order, where it stands by itself; both are normalised."""
    at = text.find(phrase) if phrase else -1
    while at >= 0:
        if stands_alone(text, at, at + len(phrase)):
            yield at
        # A phrase that begins with a word can't begin again inside that word.
        word = _WORD.match(text, at)
        at = text.find(phrase, word.end() if word else at + 1)


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] breaks no word, number or negated form at its edges."""
    before, after = text[max(0, start - 12) : start], text[end : end + 12]
    inside = text[max(start, end - 12) : end]
    if _CUT_NUMBER.match(text[start : start + 2]) and before[-1:].isalnum():
        return False
    if _CUT_NUMBER.match(text[end - 1 : end] + after) and inside[-2:-1].isdigit():
        return False
    return _begins_alone(text[start], before) and _ends_alone(inside, after)


def is_long_enough(text: str) -> bool:
    """Five words, or eight characters of a script without spaces: below that a small change is a large one."""
    words = sum(1 for _ in _SPACED_WORD.finditer(text))
    characters = sum(1 for _ in _SPACELESS.finditer(text))
    return 8 * words + 5 * characters >= 40


def _begins_alone(first: str, before: str) -> bool:
    if _SPACELESS.match(first):
        return not before.endswith(_CHINESE_NEGATIONS)
    if not _is_wordlike(first):
        return True
    if _is_wordlike(before[-1:]) and not _SPACELESS.match(before[-1]):
        return False
    if first.isdigit():
        return not _NUMBER_BEFORE.search(before)
    return not _TURNED_BEFORE.search(before)


def _ends_alone(inside: str, after: str) -> bool:
    last = inside[-1]
    if _SPACELESS.match(last):
        return not after.startswith(NEGATIVE_ENDINGS)
    if not _is_wordlike(last):
        return True
    if _is_wordlike(after[:1]) and not _SPACELESS.match(after[0]):
        return False
    if last.isdigit() and _NUMBER_AFTER.match(after):
        return False
    if _RATE_BEFORE.search(inside) and _RATE_AFTER.match(after):
        return False
    return not _TURNED_AFTER.match(after)


def _is_wordlike(character: str) -> bool:
    return character.isalnum() or character == "_" or (character != "" and unicodedata.category(character)[0] == "M")
