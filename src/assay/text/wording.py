"""What differs between a quote and a stretch of text, word by word, if anything that matters does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from assay.domain.span import Span
from assay.text.guarded_words import Guard, guard_of, is_negated_form
from assay.text.normal import Normal
from assay.text.occurrences import SPACELESS
from assay.text.spellings import number_key, word_keys

SIMILAR_ENOUGH = 0.9
RECOGNISABLE = 0.6
LONGEST_IN_TOKENS = 300

# Without the end of a sentence its last words run into the next one and say something new.
_STOP = "."

_NUMBER = r"(?:(?<![\w.,%)])[-+])?(?:\d+(?:[.,/:]\d+)*|(?<!\w)\.\d+)"
# Punctuation that can be dropped or changed without touching the words; any other sign is a token of its own.
_SILENT = r"""\s.,;:!?'"()\[\]{}\-*_#|/\\<>。、・·•●▪‣¿¡†‡§¶"""
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})|(?P<spaceless>[{SPACELESS}])"
    rf"|(?P<word>(?:(?![{SPACELESS}])[^\W\d_])+(?:'(?:(?![{SPACELESS}])[^\W\d_])+)*)"
    rf"|(?P<comparison>[<>](?= ?[\d.]))|(?P<stop>[.!?]['\")\]]* (?=['\"(\[]*\w)|[。！？])|(?P<sign>[^{_SILENT}])"
)
_SENTENCE_END = re.compile(r"[.!?:;。•]['\")\]]* ?['\"(\[]*$")
_ABBREVIATED = re.compile(
    r"\b(?:\w|dr|mr|mrs|ms|prof|st|no|nos|vs|fig|figs|tab|vol|pp|eq|etc|al|inc|ltd|co|corp|jr|sr|approx|resp|ca|cf|dept"
    r"|est|max|min|avg|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|tel|art|sec|ch|bzw|ca|usw|sra|dra|ph\.d)$"
)

_ARTICLES_AND_THE_LIKE = (
    "the a an this these those that which of also 's el la los las una l' le les un une des der das dem den ein eine"
    " il gli uma 的"
)
_HARMLESS = frozenset(_ARTICLES_AND_THE_LIKE.split())


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or sign; `key` is equal for spellings of the same word."""

    key: str
    span: Span
    capital: bool
    opens: bool
    hyphened: bool

    @property
    def is_name(self) -> bool:
        return self.capital and not self.opens


@dataclass(frozen=True, slots=True)
class Comparison:
    """`span` is the part of the text that the quote renders; `fault` says in words what voids it, if anything does."""

    span: Span
    similarity: float
    fault: str | None


Pair = tuple[Token | None, Token | None]
_RANKS = (*Guard, "name", "sentence end", "word")


def tokenise(normal: Normal, original: str, part: Span) -> list[Token]:
    """The tokens of part of a normalised text; the original tells the capitals."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(normal.text, part.start, part.end):
        start = match.start()
        if match.lastgroup == "stop" and _ABBREVIATED.search(normal.text[max(0, start - 8) : start]):
            continue
        capital = original[normal.starts[start]].isupper()
        opens = start == 0 or bool(_SENTENCE_END.search(normal.text[max(0, start - 6) : start]))
        hyphened = normal.text[start - 1 : start] == "-"
        tokens.extend(
            Token(key, Span(*match.span()), capital, opens, hyphened and first == 0)
            for first, key in enumerate(_keys(match.group(), match.lastgroup))
        )
    return tokens


def compare(quote: Sequence[Token], text: Sequence[Token]) -> Comparison | None:
    """The best fit of the whole quote into the text, or nothing where they share no word."""
    if not text or not quote or len(quote) > LONGEST_IN_TOKENS:
        return None
    pairs = _align(quote, text)
    used = [found for _, found in pairs if found is not None]
    if not used:
        return None
    span = Span(used[0].span.start, used[-1].span.end)
    same, harmless = 0, 0
    faults: list[tuple[list[Token], list[Token]]] = []
    for matched, group in groupby(pairs, key=_is_match):
        block = list(group)
        given = [token for token, _ in block if token is not None]
        found = [token for _, token in block if token is not None]
        if matched or _is_rejoined(given, found):
            same += len(given) + len(found)
        elif all(_is_harmless(token) for token in given + found):
            harmless += len(given) + len(found)
        else:
            faults.append((given, found))
    similarity = (same + harmless / 2) / (len(quote) + len(used))
    fault = _describe(faults)
    if similarity < RECOGNISABLE or (fault is None and similarity < SIMILAR_ENOUGH):
        fault = "not in the text"
    return Comparison(span, similarity, fault)


def guarded_word(text: str, guards: frozenset[Guard] = frozenset(Guard)) -> tuple[Guard, str] | None:
    """The first word of a normalised text that carries one of these kinds of meaning."""
    for match in _TOKEN.finditer(text):
        for key in _keys(match.group(), match.lastgroup):
            guard = guard_of(key)
            if guard in guards and guard is not None:
                return guard, key
    return None


def _keys(word: str, group: str | None) -> list[str]:
    if group == "stop":
        return [_STOP]
    if group == "number":
        return [number_key(word)]
    return word_keys(word)


def _is_inflected(one: str, other: str) -> bool:
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    if len(shorter) < 3 or not longer.endswith("s"):
        return False
    return longer in (f"{shorter}s", f"{shorter}es") or (shorter.endswith("y") and longer == f"{shorter[:-1]}ies")


def _cost(given: Token, found: Token) -> int:
    if given.key == found.key:
        return 0
    if not given.capital and not found.capital and _is_inflected(given.key, found.key):
        return 1
    return 9 if guard_of(given.key) == guard_of(found.key) else 21


def _align(quote: Sequence[Token], text: Sequence[Token]) -> list[Pair]:
    """The cheapest way from the one to the other; text before and after the quote costs nothing."""
    # A word too many costs more than a word too few, so that a quote reaches for its last word.
    dropping, adding, width = 10, 11, len(text) + 1
    above = [0] * width
    moves: list[bytearray] = []
    for row, given in enumerate(quote, start=1):
        current = [row * adding] + [0] * len(text)
        taken = bytearray(width)
        taken[0] = 1
        for column, found in enumerate(text, start=1):
            both = above[column - 1] + _cost(given, found)
            added = above[column] + adding
            dropped = current[column - 1] + dropping
            best = min(both, added, dropped)
            current[column] = best
            taken[column] = 0 if best == both else 1 if best == added else 2
        moves.append(taken)
        above = current
    row, column = len(quote), above.index(min(above))
    pairs: list[Pair] = []
    while row:
        move = moves[row - 1][column]
        pairs.append((None if move == 2 else quote[row - 1], None if move == 1 else text[column - 1]))
        row -= move != 2
        column -= move != 1
    return pairs[::-1]


def _is_match(pair: Pair) -> bool:
    given, found = pair
    return given is not None and found is not None and _cost(given, found) <= 1


def _is_rejoined(given: Sequence[Token], found: Sequence[Token]) -> bool:
    """One word cut by a hyphen, as at a line's end, on one side only."""
    if not any(token.hyphened for token in [*given, *found]):
        return False
    one, other = "".join(token.key for token in given), "".join(token.key for token in found)
    return one == other and one.isalpha()


def _is_harmless(token: Token) -> bool:
    return token.key in _HARMLESS and not (len(token.key) == 1 and token.is_name)


def _describe(faults: Sequence[tuple[list[Token], list[Token]]]) -> str | None:
    if not faults:
        return None
    given = sorted(token.key for block, _ in faults for token in block if not _is_harmless(token))
    found = sorted(token.key for _, block in faults for token in block if not _is_harmless(token))
    if given == found:
        return "the words are in another order"
    described = [change for block in faults for change in _changes(*block)]
    return min(described)[1]


def _changes(given: Sequence[Token], found: Sequence[Token]) -> list[tuple[int, str]]:
    """Each change with its rank: what would mislead most is told first."""
    added = [token for token in given if not _is_harmless(token)]
    dropped = [token for token in found if not _is_harmless(token)]
    changes: list[tuple[int, str]] = []
    for new in list(added):
        old = next((token for token in dropped if _is_counterpart(new, token)), None)
        if old is not None:
            kind = Guard.NEGATION if is_negated_form(new.key, old.key) else _kind(new)
            changes.append((_RANKS.index(kind), f"a {kind} was changed: {old.key} → {new.key}"))
            added.remove(new)
            dropped.remove(old)
    for how, tokens in (("added", added), ("left out", dropped)):
        for token in tokens:
            kind = _kind(token)
            named = "" if kind == "sentence end" else f": {token.key}"
            changes.append((_RANKS.index(kind), f"a {kind} was {how}{named}"))
    return changes


def _is_counterpart(new: Token, old: Token) -> bool:
    return _kind(new) == _kind(old) or is_negated_form(new.key, old.key)


def _kind(token: Token) -> str:
    if token.key == _STOP:
        return "sentence end"
    return guard_of(token.key) or ("name" if token.is_name else "word")
