"""Who or what comes first in a cause, a comparison or a sequence, turned round; and an order of events made a cause."""

import random
import re
from collections.abc import Sequence

from training.corruptions.rule import build_words_pattern, choose_match, replace_match

_BECAUSE = re.compile(r"^(?P<left>.{12,}?),? because (?!of\b)(?P<right>.{12,}?)(?P<end>[.!?]?)$")
_LED = re.compile(
    r"^(?P<left>.{4,80}?) (?P<deed>led to|resulted in|caused|causes|prompted|triggered|contributed to|results in|"
    r"leads to|gave rise to) (?P<right>[^,;]{4,80}?)(?P<end>[.,;!?].*)?$"
)
_THAN = re.compile(
    r"^(?P<left>[\w' -]{3,60}?) (?P<deed>(?:is|was|are|were|had|has|have|scored|grew|sold|performed|rose|ran) "
    r"[\w ,]{0,40}?(?:\w+er|more|less|fewer|better|worse)\b[\w ]{0,30}? than) "
    r"(?P<right>[\w' -]{3,60}?)(?P<end>[.,;!?].*)?$"
)
_ORDERS = {
    "after": ["because of"], "following": ["because of", "as a result of"], "when": ["because"],
    "and then": ["and therefore"], "correlated with": ["caused by"], "linked to": ["caused by"],
    "related to": ["caused by"], "along with": ["because of"], "despite": ["because of"],
    "although": ["because"], "regardless of": ["because of"],
}  # fmt: skip
_ORDER = build_words_pattern(_ORDERS)


def turn_cause(sentence: str, _others: Sequence[str], _rng: random.Random) -> str | None:
    """Cause and effect exchanged."""
    found = _BECAUSE.match(sentence)
    if found:
        left, right = found.group("left"), found.group("right")
        return f"{right[:1].upper()}{right[1:]} because {left[:1].lower()}{left[1:]}{found.group('end')}"
    return _turn(_LED.match(sentence))


def turn_comparison(sentence: str, _others: Sequence[str], _rng: random.Random) -> str | None:
    """A is larger than B becomes B is larger than A."""
    return _turn(_THAN.match(sentence))


def order_to_cause(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """What came after, or went with, something is said to come of it."""
    found = choose_match(_ORDER, sentence, rng)
    return replace_match(sentence, found, rng.choice(_ORDERS[found.group().casefold()])) if found else None


def _turn(found: re.Match[str] | None) -> str | None:
    if found is None or found.group("left").casefold() == found.group("right").casefold():
        return None
    left, right = found.group("left"), found.group("right")
    return (
        f"{right[:1].upper()}{right[1:]} {found.group('deed')} {left[:1].lower()}{left[1:]}{found.group('end') or ''}"
    )
