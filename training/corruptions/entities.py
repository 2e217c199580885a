"""Names put in the place of other names, and the two sides of a deed exchanged."""

import random
import re
from collections.abc import Sequence

_NAME = re.compile(r"(?<![\w'-])(?:[A-Z][\w'-]+)(?: (?:of |the |de |van |von )?[A-Z][\w'-]+){0,3}")
_NOT_NAMES = frozenset(
    """
    the a an in on at by for from he she it they we i his her its their this that these those as after before
    during when while although however since with and but or if there one two three four five six seven eight
    nine ten all some many most several both each no not january february march april may june july august
    september october november december monday tuesday wednesday thursday friday saturday sunday patients
    treatment customers critics who what where why how then also according despite following to of until under
    over
    """.split()  # noqa: SIM905  # a list of words reads as words
)
_DEEDS = (
    "defeated|beat|married|succeeded|replaced|acquired|bought|directed|produced|founded|influenced|praised|criticised|"
    "criticized|met|joined|taught|sued|killed|attacked|invaded|supported|opposed|hired|fired|followed|preceded|outsold|"
    "outperformed|owns|leads|serves|borders|borders on|sold|paid|thanked|helped|warned|told|called|visited|nominated|"
    "was defeated by|was succeeded by|was replaced by|was followed by|was acquired by|was founded by|was directed by|"
    "was produced by|was written by|was influenced by|was named after|is owned by|is larger than|is older than|"
    "is taller than|is north of|is south of|is east of|is west of|is superior to|was superior to|causes|caused"
)
_ROLES = re.compile(
    r"(?P<left>(?:[A-Z][\w'-]+)(?: [A-Z][\w'-]+){0,3}) (?P<deed>"
    + _DEEDS
    + r") (?P<right>(?:the )?(?:[A-Z][\w'-]+)(?: [A-Z][\w'-]+){0,3})"
)


def find_names(sentence: str) -> list[re.Match[str]]:
    """Capitalised runs that are names: not a sentence's first word alone, nor a month or a function word."""
    out = []
    for found in _NAME.finditer(sentence):
        first = found.group().split()[0].casefold()
        if first in _NOT_NAMES or (found.start() == 0 and " " not in found.group()):
            continue
        if len(found.group()) > 2:
            out.append(found)
    return out


def swap_name(sentence: str, others: Sequence[str], rng: random.Random) -> str | None:
    """Another name of the document, of as many words where there is one, in the place of a name."""
    mine = find_names(sentence)
    if not mine:
        return None
    chosen = rng.choice(mine)
    names = {found.group() for other in others for found in find_names(other)}
    usable = sorted(name for name in names if name not in sentence and chosen.group() not in name)
    alike = [name for name in usable if name.count(" ") == chosen.group().count(" ")]
    if not usable:
        return None
    return sentence[: chosen.start()] + rng.choice(alike or usable) + sentence[chosen.end() :]


def swap_own_names(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """Two names of a sentence exchanged, where a deed stands between them: A beat B becomes B beat A."""
    found = list(_ROLES.finditer(sentence))
    if not found:
        return None
    one = rng.choice(found)
    left, right = one.group("left"), one.group("right")
    if left == right or left.split()[0].casefold() in _NOT_NAMES:
        return None
    turned = f"{right} {one.group('deed')} {left}"
    if one.start() == 0:
        turned = turned[:1].upper() + turned[1:]
    return sentence[: one.start()] + turned + sentence[one.end() :]
