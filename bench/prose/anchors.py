"""Words that make a number beside them a score."""

# The last number of a reply is its score often enough to look right and wrong often enough to matter: articles hold
# years, counts and football results. A number counts here only where words around it tie it to the grading.

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from assay.replies.amounts import NUMBER_START, Amount, parse_amount

_MARKS = r"[\s*_`\"“”]{0,4}"
_ASIDE = rf"(?:{_MARKS}\([^()\n]{{0,60}}\))?"
_ABOUT = r"(?:(?:an?|only|just|around|about)\s+)?"
_LINK = rf"{_MARKS}(?:[:=|–—-]|\b(?:is|was|of|at|as|would\s+be)\b){_MARKS}{_ABOUT}[*_\"“]{{0,3}}"
_SCORE_WORD = r"(?:score|rating|grade)"
_FINAL = re.compile(
    rf"(?:\[RESULT\]{_MARKS}(?:score{_LINK})?"
    rf"|\b(?:final|overall|total)\s+(?:[\w-]{{1,30}}\s+){{0,2}}{_SCORE_WORD}\b{_ASIDE}{_LINK})(?={NUMBER_START})",
    re.IGNORECASE,
)
_LABEL = re.compile(
    rf"\b{_SCORE_WORD}\b{_ASIDE}"
    rf"(?:{_LINK}|\s+(?:for|on|in)\s+(?:[\w-]{{1,30}}\s+){{1,5}}(?:is|would\s+be)\s+(?:an?\s+)?|\s+)(?={NUMBER_START})",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:rat(?:e|es|ed|ing)|scor(?:e|es|ed|ing)|giv(?:e|es|en|ing)|gave|assign(?:s|ed|ing)?|award(?:s|ed|ing)?"
    r"|earn(?:s|ed|ing)?|receiv(?:e|es|ed|ing)|deserv(?:e|es|ing)|get(?:s|ting)?|mak(?:e|es|ing))\b"
    rf"(?:[^\S\n]{{1,3}}[^\s\d.;:]{{1,30}}){{0,9}}?[^\S\n]{{1,3}}[*_\"“(]{{0,3}}(?={NUMBER_START})",
    re.IGNORECASE,
)
_IS = re.compile(
    rf"\b(?:summary|response|answer|text|it)(?:\s+is|['’]s)\s+an?\s+[*_\"“]{{0,3}}(?={NUMBER_START})", re.IGNORECASE
)
_ANY_NUMBER = re.compile(rf"(?<![\w.,/-])(?={NUMBER_START})", re.IGNORECASE)
_GIVEN = (
    r"(?i:\b(?:an?|it|as|this|summary|response|answer|{})(?:\s+(?:perfect|full|solid|strong|low|high))?[\s*_\"“(]*$)"
)
_OF_METRIC = r"\s+(?:for|on|in|in\s+terms\s+of|of)\s+(?:[\w-]{{1,30}}\s+){{0,2}}(?:{})\b"
_MAX_MARKS = 6  # characters of emphasis around a number that stands on its own
_STARS = re.compile(r"\s+stars?\b", re.IGNORECASE)

# What may follow a score. A noun may not: "scored 2 goals", "a 4 year sentence", "1/5 of the staff".
_FOLLOWED = re.compile(
    r"[*_]{0,3}(?:\s*(?:\Z|[.,;:!?)\]}\"'”’|\n(<])|\s+[-–—]|\s+(?i:for|in|on|as|because|due|since|based|overall|with"
    r"|stars?|and|but|given|according|regarding|which|indicating|suggesting|reflecting|when|while|although|though"
    r"|is|would|seems|to\s+(?:this|the|it)|out|at|if|so)\b)"
)
_FOLLOWED_AFTER_COLON = re.compile(r"[*_]{0,3}(?:[-–—]|\s+[A-Z])")
# A grade that was missed, asked for or ruled out is spoken of, not given.
_DENIED = r"(?:\b(?:not|cannot|never|fail\w*|prevent\w*|short)\b|n['’]t\b)"
_SPOKEN_OF = re.compile(
    r"(?:\b(?:to\s+make\s+(?:it|this|the\s+\w+)|would\s+(?:make|have)|could\s+(?:be|have|make|get|earn|receive|improve)"
    r"|might\s+have|to\s+(?:achieve|reach|earn|get|deserve|warrant|merit|attain|improve)|prevent\w*|keep(?:s|ing)?\s+it"
    r"|instead\s+of|rather\s+than|than|short\s+of)\b[^.!?,;\n]{0,70}"
    r"|\bwould\s+(?!rate|score|give|be\b|assign|say|grade|rank)\w+\b[^.!?,;\n]{0,160}"
    r"|\b(?:required|needed|necessary|expected)\s+(?:by|for|of)\b[^.!?,;\n]{0,20}"
    rf"|{_DENIED}\s+(?:[\w-]+\s+)?(?:deserv|earn|merit|warrant|reach|get|receiv|achiev|giv|award|be\b|an?\b|quite)\w*[^.!?,;\n]{{0,25}}"
    rf"|{_DENIED}[^.!?\n]{{0,120}}\b(?:criteria|requirements?|standards?|level|qualif\w+)\b[^.!?,;\n]{{0,40}})$",
    re.IGNORECASE,
)
_SPOKEN_OF_WINDOW = 220
_MAX_ITEM_LENGTH = 2000
_LIST_ITEM = re.compile(r"[^\S\n]*(?:[-*•]|\d{1,2}[.)])[^\S\n]+[*_]{0,3}")
_LIST_NUMBER = re.compile(r"[.)][^\S\n]+\S")
_OWN_SENTENCE = re.compile(r"\w{3}[\"”')]?[.!?]\s$")


class Strength(IntEnum):
    """How surely the words tie the number to the grading, from a scale beside it to a reply that is nothing else."""

    SCALE = 1
    SENTENCE = 2
    LABEL = 3
    FINAL = 4
    METRIC = 5
    WHOLE_REPLY = 6


@dataclass(frozen=True, slots=True)
class Anchored:
    """An amount with its tie.

    `spoken_of` where the words say that it is not the grade given; `in_list` where it grades a part, as an item of a
    list that the metric's name does not open.
    """

    amount: Amount
    strength: Strength
    spoken_of: bool = False
    in_list: bool = False


def find_anchored(text: str, names: Sequence[str], high: int) -> Iterator[Anchored]:
    """Every amount that some words tie to the grading of the metric with these names."""
    whole = parse_amount(text)
    if whole and not text[whole.end :].strip(" \n.*_"):
        yield Anchored(whole, Strength.WHOLE_REPLY)
        return
    name = "|".join(r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_-]+", name)) for name in names)
    name = name or r"(?!)"
    metric = re.compile(
        rf"(?<![\w-])(?:{name})\b(?:\s+{_SCORE_WORD}\b)?(?:{_ASIDE}{_LINK}(?:score{_LINK})?|\s*\()(?={NUMBER_START})",
        re.IGNORECASE,
    )
    patterns = (
        (metric, Strength.METRIC), (_FINAL, Strength.FINAL), (_LABEL, Strength.LABEL), (_VERB, Strength.SENTENCE),
        (_IS, Strength.SENTENCE),
    )  # fmt: skip
    for pattern, strength in patterns:
        for match in pattern.finditer(text):
            amount = parse_amount(text, match.end())
            if amount is None or not _is_followed_like_a_score(text, amount, match.group()):
                continue
            # Teams score, earn and get numbers too: a verb alone needs the scale, or a number that is what it gives.
            if pattern is _VERB and amount.scale is None and not re.search(_GIVEN.format(name), match.group()):
                continue
            yield Anchored(amount, strength, _is_spoken_of(text, match.end()), _is_in_list(text, match.start()))
    yield from _find_before_anchor(text, re.compile(_OF_METRIC.format(name), re.IGNORECASE), high)


def _find_before_anchor(text: str, of_metric: re.Pattern[str], high: int) -> Iterator[Anchored]:
    """Numbers whose tie comes after them, or that stand alone."""
    for match in _ANY_NUMBER.finditer(text):
        start = match.start()
        amount = parse_amount(text, start)
        strength = _strength_without_label(text, start, amount, of_metric, high) if amount else None
        if amount and strength:
            yield Anchored(amount, strength, _is_spoken_of(text, start), _is_in_list(text, start))


def _strength_without_label(
    text: str, start: int, amount: Amount, of_metric: re.Pattern[str], high: int
) -> Strength | None:
    if _STARS.match(text, amount.end):
        return Strength.LABEL if _opens(text, start) else Strength.SENTENCE
    if of_metric.match(text, amount.end) and re.search(_GIVEN.format("perfect"), text[max(0, start - 20) : start]):
        return Strength.SENTENCE
    if amount.scale == high and 0 <= amount.value <= high and _FOLLOWED.match(text, amount.end):
        return Strength.SCALE
    if _opens(text, start) and text[amount.end : amount.end + _MAX_MARKS].lstrip(" \t*_.").startswith("\n"):
        return Strength.LABEL
    return Strength.SENTENCE if _fills_end(text, start, amount.end) else None


def _is_followed_like_a_score(text: str, amount: Amount, anchor: str) -> bool:
    if "\n" in anchor and _LIST_NUMBER.match(text, amount.end):
        return False
    if _FOLLOWED.match(text, amount.end):
        return True
    is_label = anchor.rstrip(" *_").endswith((":", "="))
    return is_label and not amount.in_words and bool(_FOLLOWED_AFTER_COLON.match(text, amount.end))


def _is_spoken_of(text: str, end: int) -> bool:
    return bool(_SPOKEN_OF.search(text, max(0, end - _SPOKEN_OF_WINDOW), end))


def _is_in_list(text: str, start: int) -> bool:
    line_break = text.rfind("\n", max(0, start - _MAX_ITEM_LENGTH), start)
    if line_break < 0 and start > _MAX_ITEM_LENGTH:
        return False
    item = _LIST_ITEM.match(text, line_break + 1, start)
    return item is not None and item.end() < start


def _opens(text: str, start: int) -> bool:
    return start <= _MAX_MARKS and not text[:start].strip(" *_")


def _fills_end(text: str, start: int, end: int) -> bool:
    """Whether the number is all of the last line, or of the last sentence."""
    before = text[max(0, start - _MAX_MARKS) : start]
    at_end = len(text) - end <= _MAX_MARKS and not text[end:].strip(" *_.")
    return at_end and (before.rstrip(" \t*_").endswith("\n") or bool(_OWN_SENTENCE.search(before)))
