"""Negations and bounds of a text, and whether two texts about the same thing differ in one.

The tables are small and read prose: what is found here is a suspicion, never proof.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from assay.text.figures import SMALL
from assay.text.keywords import keywords
from assay.text.numbers import NUMERAL, find_spelled, fold_digits, parse_numeral

UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts written without spaces, where a word's edge can't be seen: Thai to Khmer, kana, Han."""
CHINESE_NEGATIONS: Final = tuple("不没沒無无未非别別勿莫否")

_NEGATIONS: Final = {
    "en": "not no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely",
    "es": "no nunca jamás ni sin nadie nada ningún ninguno ninguna tampoco",
    "fr": "ne n' pas jamais ni sans aucun aucune rien personne",
    "de": "nicht nie niemals kein keine keinen keiner keinem keines ohne weder niemand nichts",
    "pt": "não nunca nem sem nenhum nenhuma ninguém nada tampouco",
    "it": "non mai né senza nessun nessuno nessuna niente nulla neanche nemmeno",
    "nl": "niet geen nooit zonder niemand niets noch",
    "vi": "không chưa chẳng đừng chớ vô",
    "ar": "لا ليس ليست لم لن غير بدون دون ما",
    "zh": " ".join(CHINESE_NEGATIONS),
}
# Several negations are one in "no dice nada"; in English two of them cancel out.
_AGREEING: Final = frozenset({"es", "fr", "pt", "it"})
_LACKING: Final = (
    "lack lacks lacked lacking absent absence fail fails failed except excluding unless non"
    " excepto sauf guère außer exceto eccetto trừ"
)
# Beside a word that says the opposite, code can't tell which way a sentence points: "closed" is "not open".
_OPPOSITE: Final = (
    "rarely seldom little few closed closes shut ban banned bans refuse refuses refused deny denies denied decline"
    " declined declines forbidden prohibited excluded reject rejected avoid avoids prevent prevents prevented stop"
    " stops stopped end ended ends unable impossible unlikely instead yet cancelled free off gone lost missing"
    " abandoned drop dropped skip skipped spared escaped remain remains remained still despite against only differ"
    " geschlossen fermé cerrado chiuso fechado gesloten"
)
# "Not only", "no doubt", "No. 5" deny nothing.
_NO_DENIAL: Final = re.compile(
    r"\bnot (?:only|just|merely|simply|until|necessarily|least)\b|\bnothing but\b|\bno (?:doubt|wonder|matter)\b"
    r"|\bno\.\s?(?=\d)|\bor not\b|\bwith or without\b"
    r"|\bnicht nur\b|\bpas seulement\b|\bn[ou]n? s[oó]lo\b|\bnão só\b|\bniet alleen\b"
)
_NOT_ALL: Final = re.compile(r"\bnot (?:all|every\w*|always|entirely)\b")
_ALL: Final = re.compile(r"\b(?:all|every\w*|each|always|entirely)\b")
_TURNED: Final = re.compile(r"(?:un|in|im|ir|il|dis|non-?)(\w{3,})|(\w{3,})-?(?:less|free)")
_LETTERS: Final = rf"(?:(?![{UNSPACED}])[^\W\d_])+"
_WORD: Final = re.compile(rf"[{UNSPACED}]|{_LETTERS}n't|n'(?=\w)|(?:{_LETTERS}')*{_LETTERS}")
_CLAUSE_END: Final = re.compile(
    r"[;:!?()\n—–。，；！？]+\s*|[.,](?!\d)\s*"
    r"|\s+(?:but|and|however|although|though|while|whereas|because|if|when|aber|und|weil|wenn|mais|et|pero|mas)\s+"
)
_SCOPE: Final = 5
"""Content words after a negation that it may negate."""

_UPPER: Final = (
    r"at (?:the )?most|(?:no|not) (?:more|longer|later|higher|greater|larger|older) than|not (?:to )?exceed\w*|up to"
    r"|within|fewer than|less than|maximum|highest|max\.?(?= \d)|capped at|limited to|≤|<|höchstens|maximal|bis zu"
    r"|nicht mehr als|weniger als|innerhalb von|spätestens|au (?:plus|maximum)|jusqu'à|pas plus de|moins de"
    r"|como (?:máximo|mucho)|hasta|no más de|menos de|no máximo|até|não mais de|al massimo|fino a|non più di"
    r"|meno di|entro|hoogstens|maximaal|niet meer dan|minder dan|binnen|tối đa|không quá|trong vòng"
    r"|على الأكثر|لا يزيد عن|أقل من"
)
_LOWER: Final = (
    r"at (?:the )?least|(?:no|not) (?:less|fewer|lower|earlier|sooner|younger) than|more than|minimum|lowest|≥|>"
    r"|min\.?(?= \d)|mindestens|wenigstens|mehr als|frühestens|au (?:moins|minimum)|plus de|al menos|por lo menos"
    r"|como mínimo"
    r"|más de|pelo menos|no mínimo|mais de|almeno|come minimo|più di|minstens|minimaal|ten minste|meer dan|tối thiểu"
    r"|ít nhất|على الأقل|لا يقل عن|أكثر من"
)
_BOUND: Final = re.compile(
    rf"(?<!\w)(?:(?P<upper>{_UPPER})|(?P<lower>{_LOWER}))(?!\w)|(?P<han_upper>最多|至多|不超过|少于)|(?P<han_lower>至少|不少于)"
)
_BEHIND: Final = re.compile(
    r"[^\d]{0,16}?\b(?:(?P<upper>or (?:less|fewer|under|below|younger|earlier)\b|(?:at (?:the )?most|max(?:imum)?)$)"
    r"|(?P<lower>or (?:more|over|above|older|later|longer)\b|(?:at (?:the )?least|min(?:imum)?)$))|.{0,3}(?:以内|以下)"
)
# These differ only from the opposite bound: a summary may write "over 300" as "300".
_LOOSE: Final = re.compile(
    r"\b(?:(?P<upper>under|below|by|until|till|before|as (?:many|much|late) as|unter|bis)"
    r"|(?P<lower>over|above|from|since|after|exceed\w*|beyond|upwards of|über|ab|seit)"
    r"|(?P<about>about|around|some|roughly|approximately|nearly|almost|close to|first|last|etwa|rund|environ|unos))"
    r"\s[$€£₹]?$"
)
_COMPARISON: Final = re.compile(r"(?:fewer|less|more|weniger|mehr|moins|plus|menos|más|mais|meno|più|minder|meer)\b.*")
_REACH: Final = 14
"""Characters between a bound and its number; more behind "the maximum", which may stand before the thing it limits."""
_LONGER_REACH: Final = 30
_NUMERAL: Final = re.compile(NUMERAL)
_PRINTED: Final = re.compile(r"\w+(?:[.,]\d+)*%?")


@lru_cache(maxsize=1)
def _list_denying() -> tuple[Mapping[str, frozenset[str]], frozenset[str], frozenset[str]]:
    """Negations by language; all words that a quote may not leave out; those that make the direction unclear."""
    by_language = {language: frozenset(words.split()) for language, words in _NEGATIONS.items()}
    lacking = frozenset(_LACKING.split())
    return by_language, lacking.union(*by_language.values()), lacking | frozenset(_OPPOSITE.split())


def find_negation(text: str) -> str | None:
    """The first word of a normalised text that denies something, in any language of the table."""
    denying = _list_denying()[1]
    return next((word for word in _WORD.findall(text) if word in denying or word.endswith("n't")), None)


def explain_negation(claim: str, quote: str, language: str) -> str | None:
    """What one of the texts denies and the other states, in words; None where they agree or code can't tell."""
    if language not in _NEGATIONS:
        return None
    said, quoted = _read_clauses(claim, language), _read_clauses(quote, language)
    if denied := _find_denied(quoted, said, language):
        return f"the quote says “{denied}”, the claim does not deny it"
    if denied := _find_denied(said, quoted, language):
        return f"the claim says “{denied}”, the quote does not deny it"
    return None


@dataclass(frozen=True, slots=True)
class _Clause:
    """`text` without the words that look like a negation and are none; `words` as it stands."""

    words: str
    text: str
    stems: frozenset[str]
    negations: tuple[re.Match[str], ...]
    unclear: frozenset[str]


def _read_clauses(text: str, language: str) -> list[_Clause]:
    negations, _, unclear = _list_denying()
    denying = negations[language]
    clauses = []
    for part in _CLAUSE_END.split(text.replace("’", "'").casefold()):
        plain = _BOUND.sub(_blank, _NO_DENIAL.sub(_blank, part))
        words = list(_WORD.finditer(plain))
        found = [word for word in words if word.group() in denying or word.group().endswith("n't")]
        # "Ne … pas" and "neither … nor" are one negation each.
        once = found[:1] if language in _AGREEING else [word for word in found if word.group() != "nor"]
        beside = (frozenset(word.group() for word in words) & unclear) - denying
        if stems := keywords(plain, language) - denying:
            clauses.append(_Clause(part, plain, stems, tuple(once), beside))
    return clauses


def _find_denied(one: list[_Clause], other: list[_Clause], language: str) -> str | None:
    """The first negation of one text whose words the other has in clauses that deny nothing."""
    for clause in one:
        near = [each for each in other if not clause.stems.isdisjoint(each.stems)]
        stems = frozenset[str]().union(*(each.stems for each in near))
        if 2 * len(clause.stems & stems) < len(clause.stems):
            continue
        unclear = (clause.unclear - _join_unclear(other)) | (_join_unclear(near) - _join_unclear(one))
        if len(clause.negations) != 1 or any(each.negations for each in near) or unclear:
            continue
        if _NOT_ALL.search(clause.text) and not any(_ALL.search(each.text) for each in near):
            continue
        negation = clause.negations[0]
        scope = [stem for stem in _order_stems(clause.text[negation.end() :], language) if stem in clause.stems][
            :_SCOPE
        ]
        if any(_is_turned(stem, near, language) for stem in scope):
            continue
        hits = [stem for stem in scope or clause.stems if stem in stems]
        # "With traps 3 percent were lost, without traps 8": the other text may speak of the first.
        words = {stem for stem in hits if not stem[0].isdigit()}
        if any(not each.negations and each.stems >= words for each in one):
            continue
        if (scope and scope[0] in stems) or (len(hits) > 1 and 2 * len(hits) >= len(scope or clause.stems)):
            return " ".join(clause.words[negation.start() :].split()[:_SCOPE])
    return None


def _join_unclear(clauses: list[_Clause]) -> frozenset[str]:
    return frozenset[str]().union(*(each.unclear for each in clauses))


def _order_stems(text: str, language: str) -> Iterator[str]:
    for token in text.split():
        yield from sorted(keywords(token, language))


def _is_turned(stem: str, clauses: list[_Clause], language: str) -> bool:
    """Whether a clause says the opposite in one word: "unavailable", "painless"."""
    turned = (found for each in clauses for found in _TURNED.finditer(each.text))
    return any(stem in keywords(found[1] or found[2] or "", language) for found in turned)


def explain_bound(claim: str, quote: str, language: str) -> str | None:
    """The number that only one of the texts limits, or that they limit to different sides, in words."""
    said, quoted = _read_bounds(claim, language), _read_bounds(quote, language)
    for value in sorted(said.keys() & quoted.keys()):
        pairs = [(one, two) for one in dict.fromkeys(said[value]) for two in dict.fromkeys(quoted[value])]
        if any(one.side == two.side or "about" in {one.side, two.side} for one, two in pairs):
            continue
        for one, two in pairs:
            # A small number is in any text: unlimited, it is the same one only if it counts the same thing.
            is_same = value >= SMALL or one.thing == two.thing
            if (one.side and two.side) or ((one.is_firm or two.is_firm) and is_same):
                return f"the claim says “{one.words}”, the quote “{two.words}”"
    return None


def without_limits(text: str) -> str:
    """The text with limits such as "at most" blanked out, so that the numbers behind them are plain ones."""
    return _BOUND.sub(lambda found: found.group() if _COMPARISON.fullmatch(found.group()) else _blank(found), text)


@dataclass(frozen=True, slots=True)
class _Bound:
    """The side that a number is limited to, "about", or ""; whether firmly; what it counts; and the words of it."""

    side: str
    is_firm: bool
    thing: str
    words: str


def _read_bounds(text: str, language: str) -> dict[float, list[_Bound]]:
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
        thing = next(_order_stems(behind, language), "")
        words = f"{before[start:]}{folded[at:end]} {' '.join(behind.split()[:2])}"
        bounds.setdefault(value, []).append(_Bound(side, is_firm, thing, words.strip()))
    return bounds


def _find_side(before: str, behind: str) -> tuple[str, bool, int]:
    """The side, whether it is firm, and where in the words before the number it begins."""
    for found in reversed([*_BOUND.finditer(before)]):
        reach = _LONGER_REACH if found.group().endswith(("imum", "est")) else _REACH
        if len(before) - found.end() <= reach and not _NUMERAL.search(before, found.end()):
            return ("upper" if found["upper"] or found["han_upper"] else "lower"), True, found.start()
    if after := _BEHIND.match(behind):
        return ("lower" if after["lower"] else "upper"), True, len(before)
    loose = _LOOSE.search(before)
    return (loose.lastgroup or "", False, loose.start()) if loose else ("", False, len(before))


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())
