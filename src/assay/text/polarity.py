"""Negations and bounds of a text, and whether two texts about the same thing differ in one.

The tables are small and read prose: what is found here is a suspicion, never proof.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from assay.text.figures import SMALL
from assay.text.keywords import keywords
from assay.text.quantities import NUMERAL, find_spelled, fold_digits, parse_numeral
from assay.text.word_lists import read_lists, read_words

UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts written without spaces, where a word's edge can't be seen: Thai to Khmer, kana, Han."""

_LETTERS: Final = rf"(?:(?![{UNSPACED}])[^\W\d_])+"
_WORD: Final = re.compile(rf"[{UNSPACED}]|{_LETTERS}n't|n'(?=\w)|(?:{_LETTERS}')*{_LETTERS}")
_CLAUSE_END: Final = re.compile(
    r"[;:!?()\n—–。，；！？]+\s*|[.,](?!\d)\s*"
    r"|\s+(?:but|and|however|although|though|while|whereas|because|if|when|aber|und|weil|wenn|mais|et|pero|mas)\s+"
)
_SCOPE: Final = 5
"""Content words after a negation that it may negate."""

_BEHIND: Final = re.compile(
    r"[^\d]{0,16}?\b(?:(?P<upper>or (?:less|fewer|under|below|younger|earlier)\b|(?:at (?:the )?most|max(?:imum)?)$)"
    r"|(?P<lower>or (?:more|over|above|older|later|longer)\b|(?:at (?:the )?least|min(?:imum)?)$))|.{0,3}(?:以内|以下)"
)
_COMPARISON: Final = re.compile(r"(?:fewer|less|more|weniger|mehr|moins|plus|menos|más|mais|meno|più|minder|meer)\b.*")
_REACH: Final = 14
"""Characters between a bound and its number; more behind "the maximum", which may stand before the thing it limits."""
_LONGER_REACH: Final = 30
_NUMERAL: Final = re.compile(NUMERAL)
_PRINTED: Final = re.compile(r"\w+(?:[.,]\d+)*%?")


@cache
def list_negations(language: str) -> frozenset[str]:
    """The words of a language that deny; empty for a language without a list."""
    return frozenset(read_lists("polarity")["negations"].get(language, "").split())


@cache
def _denying() -> frozenset[str]:
    """The words of all languages that a quote may not leave out."""
    return read_words("polarity", "lacking").union(*map(list_negations, read_lists("polarity")["negations"]))


@cache
def _unclear() -> frozenset[str]:
    """Words that make it unclear which way a sentence points."""
    return read_words("polarity", "lacking") | read_words("polarity", "opposite")


@cache
def _no_denial() -> re.Pattern[str]:
    """Phrases with a negation that deny nothing. "No. 5" is another."""
    return re.compile(rf"\b(?:{_join_phrases([read_lists('polarity')['no_denial']])})\b|\bno\.\s?(?=\d)")


@cache
def _limits() -> re.Pattern[str]:
    """Limits of numbers, as groups `upper` and `lower`."""
    lists = read_lists("polarity")
    groups = []
    for side, short in (("upper", "max"), ("lower", "min")):
        listed = dict(lists[side])
        # Chinese sets no spaces around words.
        chinese = _join_phrases([listed.pop("zh")])
        words = _join_phrases(listed.values())
        groups.append(rf"(?P<{side}>(?<!\w)(?:{words}|{short}\.?(?= \d))(?!\w)|{chinese})")
    return re.compile("|".join(groups))


@cache
def _loose_limits() -> re.Pattern[str]:
    """What may stand right before a number: groups `upper`, `lower` and `about`."""
    groups = [rf"(?P<{side}>{_join_phrases([listed])})" for side, listed in read_lists("polarity")["loose"].items()]
    return re.compile(rf"\b(?:{'|'.join(groups)})\s[$€£₹]?$")


def _join_phrases(lists: Iterable[str]) -> str:
    """A pattern for any of the phrases, longest first."""
    phrases = {phrase for listed in lists for phrase in " ".join(listed.split()).split(", ")}
    return "|".join(map(re.escape, sorted(phrases, key=lambda phrase: (-len(phrase), phrase))))


def has_negation(text: str) -> bool:
    """Whether a word of a normalised text denies something, in any language of the table."""
    denying = _denying()
    return any(word in denying or word.endswith("n't") for word in _WORD.findall(text))


def explain_negation(claim: str, quote: str, language: str) -> str | None:
    """What one of the texts denies and the other states, in words; None where they agree or code can't tell."""
    if not list_negations(language):
        return None
    said, quoted = _read_clauses(claim, language), _read_clauses(quote, language)
    if denied := _find_denied(quoted, said, language):
        return f"the quote says “{denied}”, the claim does not deny it"
    if denied := _find_denied(said, quoted, language):
        return f"the claim says “{denied}”, the quote does not deny it"
    return None


@dataclass(frozen=True, slots=True)
class _Clause:
    """`text` is the clause with those words blanked out that look like a negation and are none."""

    printed: str
    text: str
    stems: frozenset[str]
    negations: tuple[re.Match[str], ...]
    unclear: frozenset[str]


def _read_clauses(text: str, language: str) -> list[_Clause]:
    denying = list_negations(language)
    clauses = []
    for printed in _CLAUSE_END.split(text.replace("’", "'").casefold()):
        plain = _limits().sub(_blank, _no_denial().sub(_blank, printed))
        words = list(_WORD.finditer(plain))
        # "Neither … nor" is one negation.
        found = [word for word in words if (word.group() in denying - {"nor"}) or word.group().endswith("n't")]
        negations = found[:1] if language in read_words("polarity", "agreeing") else found
        unclear = (frozenset(word.group() for word in words) & _unclear()) - denying
        if stems := keywords(plain, language) - denying:
            clauses.append(_Clause(printed, plain, stems, tuple(negations), unclear))
    return clauses


def _find_denied(one: list[_Clause], other: list[_Clause], language: str) -> str | None:
    """The first negation of one text whose words the other has in clauses that deny nothing."""
    for clause in one:
        near = [each for each in other if not clause.stems.isdisjoint(each.stems)]
        stems = frozenset[str]().union(*(each.stems for each in near))
        if 2 * len(clause.stems & stems) < len(clause.stems):
            continue
        if len(clause.negations) != 1 or any(each.negations for each in near):
            continue
        if (clause.unclear - _join_unclear(other)) or (_join_unclear(near) - _join_unclear(one)):
            continue
        negation = clause.negations[0]
        words_behind = clause.text[negation.end() :].split()
        behind = (stem for word in words_behind for stem in sorted(keywords(word, language)))
        scope = [stem for stem in behind if stem in clause.stems][:_SCOPE]
        hits = [stem for stem in scope or clause.stems if stem in stems]
        # "With traps 3 percent were lost, without traps 8": the other text may speak of the first.
        words = {stem for stem in hits if not stem[0].isdigit()}
        if any(not each.negations and each.stems >= words for each in one):
            continue
        if (scope and scope[0] in stems) or (len(hits) > 1 and 2 * len(hits) >= len(scope or clause.stems)):
            return " ".join(clause.printed[negation.start() :].split()[:_SCOPE])
    return None


def _join_unclear(clauses: list[_Clause]) -> frozenset[str]:
    return frozenset[str]().union(*(each.unclear for each in clauses))


def explain_bound(claim: str, quote: str) -> str | None:
    """The number that only one of the texts limits, or that they limit to different sides, in words."""
    said, quoted = _read_bounds(claim), _read_bounds(quote)
    for value in sorted(said.keys() & quoted.keys()):
        pairs = [(one, two) for one in dict.fromkeys(said[value]) for two in dict.fromkeys(quoted[value])]
        if any(one.side == two.side or "about" in {one.side, two.side} for one, two in pairs):
            continue
        for one, two in pairs:
            # Any text may have a small number: if only one of them is limited, they may count different things.
            if (one.side and two.side) or ((one.is_firm or two.is_firm) and value >= SMALL):
                return f"the claim says “{one.words}”, the quote “{two.words}”"
    return None


def without_limits(text: str) -> str:
    """The text with limits such as "at most" blanked out, so that the numbers behind them are plain ones."""
    return _limits().sub(lambda found: found.group() if _COMPARISON.fullmatch(found.group()) else _blank(found), text)


@dataclass(frozen=True, slots=True)
class _Bound:
    """The side that a number is limited to, "about" or ""; whether the limit is firm; and its words."""

    side: str
    is_firm: bool
    words: str


def _read_bounds(text: str) -> dict[float, list[_Bound]]:
    """Every number from two on, with its bounds."""
    folded = fold_digits(text).casefold()
    numbers = {at: value for at, value in find_spelled(folded) if value >= 2 and value.is_integer()}
    for found in _NUMERAL.finditer(folded):
        numbers |= {found.start(): float(each.value) for each in parse_numeral(found.group())[:1]}
    bounds: dict[float, list[_Bound]] = {}
    for at, value in numbers.items():
        printed = _PRINTED.match(folded, at)
        end = printed.end() if printed else at + 1
        before = _CLAUSE_END.split(folded[max(0, at - 2 * _LONGER_REACH) : at])[-1]
        behind = _CLAUSE_END.split(folded[end : end + _LONGER_REACH])[0]
        side, is_firm, start = _find_side(before, behind)
        words = f"{before[start:]}{folded[at:end]} {' '.join(behind.split()[:2])}"
        bounds.setdefault(value, []).append(_Bound(side, is_firm, words.strip()))
    return bounds


def _find_side(before: str, behind: str) -> tuple[str, bool, int]:
    """The side, whether it is firm, and where in the words before the number it begins."""
    for found in reversed([*_limits().finditer(before)]):
        reach = _LONGER_REACH if found.group().endswith(("imum", "est")) else _REACH
        if len(before) - found.end() <= reach and not _NUMERAL.search(before, found.end()):
            return ("upper" if found["upper"] else "lower"), True, found.start()
    if after := _BEHIND.match(behind):
        return ("lower" if after["lower"] else "upper"), True, len(before)
    loose = _loose_limits().search(before)
    return (loose.lastgroup or "", False, loose.start()) if loose else ("", False, len(before))


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())
