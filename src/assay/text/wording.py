"""Compares a quote with a stretch of text word by word, and names the change that matters most."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from assay.domain.span import Span
from assay.text.abbreviations import WORD_BEFORE, Stop, abbreviations
from assay.text.normal import Normal

SIMILAR_ENOUGH: Final = 0.9
RECOGNISABLE: Final = 0.6
LONGEST_IN_TOKENS: Final = 300
# Scripts written without spaces, where a word's edge can't be seen: Thai to Khmer, kana, Han.
SPACELESS: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
CHINESE_NEGATIONS: Final = tuple("不没沒無无未非别別勿莫否")

_NEGATION_LIST: Final = (
    "not no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely lack lacks lacked"
    " lacking absent absence fail fails failed except excluding unless non"
    " nunca jamás ni sin nadie nada ningún ninguno ninguna tampoco excepto ne n' pas jamais sans aucun aucune rien"
    " personne sauf guère nicht nie niemals kein keine keinen keiner keinem keines ohne weder niemand nichts außer"
    " não nem sem nenhum nenhuma ninguém tampouco exceto mai né senza nessun nessuno nessuna niente nulla neanche"
    " nemmeno eccetto không chưa chẳng đừng chớ vô trừ لا ليس ليست لم لن غير بدون دون ما"
)
_NEGATIONS: Final = frozenset([*_NEGATION_LIST.split(), *CHINESE_NEGATIONS])
# Earlier kinds are named first: they mislead most.
_KINDS: Final = ("number", "negation", "name", "sentence end", "word")
_HARMLESS_LIST: Final = (
    "the a an this these those that which of also 's el la los las una l' le les un une des der das dem den ein eine"
    " il gli uma 的"
)
_HARMLESS: Final = frozenset(_HARMLESS_LIST.split())
# Without the end of a sentence its last words run into the next one and say something new.
_STOP: Final = "."
_NUMBER: Final = r"(?:(?<![\w.,%)])[-+])?(?:\d+(?:[.,/:]\d+)*|(?<!\w)\.\d+)"
# Punctuation that can be dropped or changed without touching the words; any other sign is a token of its own.
_SILENT: Final = r"""\s.,;:!?'"()\[\]{}\-*_#|/\\<>。、・·•●▪‣¿¡†‡§¶"""
_LETTERS: Final = rf"(?:(?![{SPACELESS}])[^\W\d_])+"
_TOKEN: Final = re.compile(
    rf"(?P<number>{_NUMBER})|(?P<spaceless>[{SPACELESS}])|(?P<word>{_LETTERS}n't|(?:{_LETTERS}')*{_LETTERS})|(?P<s>'s)\b"
    rf"|(?P<comparison>[<>](?= ?[\d.]))|(?P<stop>[.!?]['\")\]]* (?=['\"(\[]*\w)|[。！？])|(?P<sign>[^{_SILENT}])"
)
_THOUSANDS: Final = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SENTENCE_END: Final = re.compile(r"[.!?:;。•]['\")\]]* ?['\"(\[]*$")


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or sign; `opens` marks the first of a sentence."""

    key: str
    span: Span
    capital: bool
    opens: bool
    hyphened: bool

    @property
    def kind(self) -> str:
        if self.key == _STOP:
            return "sentence end"
        return find_kind(self.key) or ("name" if self.capital and not self.opens else "word")

    @property
    def is_harmless(self) -> bool:
        """Articles and the like; the letter of "hepatitis A" is none."""
        return self.key in _HARMLESS and not (len(self.key) == 1 and self.kind == "name")


@dataclass(frozen=True, slots=True)
class Comparison:
    """`span` is the part of the text that the quote renders; `fault` says in words what voids it, if anything does."""

    span: Span
    similarity: float
    fault: str | None


Pair = tuple[Token | None, Token | None]


def find_kind(key: str) -> str | None:
    """A number or a negation, which turn a statement into another one; none for other words."""
    if key[-1:].isdigit():
        return "number"
    return "negation" if key in _NEGATIONS or key.endswith("n't") else None


def find_negation(text: str) -> str | None:
    """The first word of a normalised text that denies something."""
    keys = (_key(match) for match in _TOKEN.finditer(text))
    return next((key for key in keys if find_kind(key) == "negation"), None)


def tokenise(normal: Normal, original: str, part: Span) -> list[Token]:
    """The tokens of part of a normalised text; the original tells the capitals."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(normal.text, part.start, part.end):
        start = match.start()
        before = normal.text[max(0, start - 40) : start]
        if match.lastgroup == "stop" and (word := WORD_BEFORE.search(before)):
            letter = len(word.group()) == 1 and word.group().isalpha()
            if letter or abbreviations("en").stop_after(word.group().capitalize()) is not Stop.PLAIN:
                continue
        capital = original[normal.starts[start]].isupper()
        opens = start == 0 or bool(_SENTENCE_END.search(before[-6:]))
        tokens.append(Token(_key(match), Span(*match.span()), capital, opens, before.endswith("-")))
    return tokens


def _key(match: re.Match[str]) -> str:
    """A thousands comma is no part of a number; a trailing zero is, for it claims precision."""
    found = match.group()
    if match.lastgroup == "stop":
        return _STOP
    if match.lastgroup != "number":
        return found
    plain = found.replace(",", "") if _THOUSANDS.fullmatch(found) else found
    return f"0{plain}" if plain.startswith(".") else plain


def compare(quote: Sequence[Token], text: Sequence[Token]) -> Comparison | None:
    """The best fit of the whole quote into the text, or nothing where they share no word."""
    if not text or not quote or len(quote) > LONGEST_IN_TOKENS:
        return None
    pairs = _align(quote, text)
    used = [found for _, found in pairs if found is not None]
    if not used:
        return None
    same, harmless = 0, 0
    given: list[Token] = []
    left_out: list[Token] = []
    for matched, group in groupby(pairs, key=lambda pair: None not in pair and _is_same(*pair)):
        block = list(group)
        added = [token for token, _ in block if token is not None]
        dropped = [token for _, token in block if token is not None]
        if matched or _is_rejoined(added, dropped):
            same += len(added) + len(dropped)
        elif all(token.is_harmless for token in added + dropped):
            harmless += len(added) + len(dropped)
        else:
            given += [token for token in added if not token.is_harmless]
            left_out += [token for token in dropped if not token.is_harmless]
    similarity = (same + harmless / 2) / (len(quote) + len(used))
    fault = _describe(given, left_out)
    if similarity < RECOGNISABLE or (fault is None and similarity < SIMILAR_ENOUGH):
        fault = "not in the text"
    return Comparison(Span(used[0].span.start, used[-1].span.end), similarity, fault)


def _align(quote: Sequence[Token], text: Sequence[Token]) -> list[Pair]:
    """The cheapest way from the one to the other; text before and after the quote costs nothing."""
    # A word too many costs more than a word too few, so that a quote reaches for its last word.
    dropping, adding, width = 10, 11, len(text) + 1
    kinds = [find_kind(token.key) for token in text]
    above = [0] * width
    moves: list[bytearray] = []
    for row, given in enumerate(quote, start=1):
        current, taken, kind = [row * adding] + [0] * len(text), bytearray(width), find_kind(given.key)
        taken[0] = 1
        for column, found in enumerate(text, start=1):
            change = 11 if kind == kinds[column - 1] else 21
            if _is_same(given, found):
                change = int(given.key != found.key)
            both, added, dropped = above[column - 1] + change, above[column] + adding, current[column - 1] + dropping
            current[column] = best = min(both, added, dropped)
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


def _is_same(given: Token | None, found: Token | None) -> bool:
    """One word, or its plural unless it is a name."""
    if given is None or found is None or given.key == found.key:
        return given is not None and found is not None
    if given.capital or found.capital:
        return False
    shorter, longer = sorted((given.key, found.key), key=len)
    return len(shorter) > 2 and longer in (f"{shorter}s", f"{shorter}es", f"{shorter[:-1]}ies")


def _is_rejoined(given: Sequence[Token], found: Sequence[Token]) -> bool:
    """One word cut by a hyphen, as at a line's end, on one side only."""
    one, other = "".join(token.key for token in given), "".join(token.key for token in found)
    return one == other and one.isalpha() and any(token.hyphened for token in [*given, *found])


def _describe(added: list[Token], dropped: list[Token]) -> str | None:
    """The change that would mislead most, in words."""
    if not added and not dropped:
        return None
    if sorted(token.key for token in added) == sorted(token.key for token in dropped):
        return "the words are in another order"
    changes: list[tuple[int, str]] = []
    for new in list(added):
        old = next((token for token in dropped if token.kind == new.kind), None)
        if old is not None:
            changes.append((_KINDS.index(new.kind), f"a {new.kind} was changed: {old.key} → {new.key}"))
            added.remove(new)
            dropped.remove(old)
    for how, tokens in (("added", added), ("left out", dropped)):
        for token in tokens:
            named = "" if token.key == _STOP else f": {token.key}"
            changes.append((_KINDS.index(token.kind), f"a {token.kind} was {how}{named}"))
    return min(changes, key=lambda change: change[0])[1]
