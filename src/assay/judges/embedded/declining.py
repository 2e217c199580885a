"""What the built-in judge does not score: metrics it was measured to fail on, and outputs with nothing to check."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from assay.domain.units import UnitKind
from assay.judges.embedded.labelling import Rated
from assay.judges.embedded.pair_model import is_rare
from assay.judges.embedded.signals import Found
from assay.judges.embedded.weights import Calibration
from assay.text.keywords import keywords
from assay.text.names import is_specific

OPINION: Final = "the built-in judge gives no opinions: use a language model"
UNMEASURED: Final = "the built-in judge was not measured on this: use a language model"
NOTHING_TO_HOLD: Final = (
    "the output is short, shares hardly a word with its sources or the question, and has no name or number to check "
    "(a name that opens a sentence, an ordinal or a bare number under ten does not count)"
)
_MOST_WORDS: Final = 15
"""A longer text says something, and if its sources know nothing of it, that is a finding."""
_BY_CHANCE: Final = 2
"""So many words of a sentence, or one in four, meet in nearly any source: first and question, part and time."""
_ONE_IN: Final = 4
_WORD: Final = re.compile(r"[^\W\d_]+")


SHORTFALLS: Final[Mapping[UnitKind, tuple[float, float]]] = {
    "key_point": (0.15, 0.25),
    "question": (0.11, 0.25),
    "section": (0.19, 0.26),
    "item": (0.24, 0.27),
}
"""Spearman's correlation with people on documents that nothing was chosen on, beside that of counting words.

The figures are those of bench/results/embedded_coverage.md.
"""


def decline(kinds: Iterable[UnitKind]) -> str:
    """The reason for the first of these units that was measured."""
    for kind in kinds:
        if kind in SHORTFALLS:
            figures = "{:.2f} vs {:.2f}".format(*SHORTFALLS[kind])
            return f"the built-in judge is less reliable here than word overlap ({figures} correlation with people)"
    return UNMEASURED


def has_something_to_check(rated: Sequence[Rated], query: str, calibration: Calibration, language: str = "en") -> bool:
    """False for a short text without name or figure that the model is unsure of and that shares only common words.

    Such a text would be given what claims are given before anything is known of them. The rule looks at the whole
    output: if single sentences were let off by their form, a lie would take that form.
    """
    if not rated or any(_is_known(each, calibration) for each in rated):
        return True
    found = [each.signals.found for each in rated]
    if len(frozenset().union(*(keywords(each.claim, language) for each in found))) > _MOST_WORDS:
        return True
    asked = keywords(query, language)
    return any(_shares_words(each, asked, language) or is_specific(each.claim, language) for each in found)


def count_by_chance(words: int) -> int:
    """How many of a claim's content words one place of any source may share by chance."""
    # A word or two can be the whole answer to a question.
    return max(min(_BY_CHANCE, words // 2), words // _ONE_IN) if words > _BY_CHANCE else 0


def _is_known(rated: Rated, calibration: Calibration) -> bool:
    if rated.signals.found.settled is not None:
        return True
    return bool(rated.signals.found.windows) and not calibration.low < rated.probability < calibration.high


def _shares_words(found: Found, asked: frozenset[str], language: str) -> bool:
    """More than meet by chance in one place of the sources, or a single one that is rare in the language."""
    stems = keywords(found.claim, language)
    held = [stems & asked, *(stems & (keywords(each.text, language) | asked) for each in found.windows)]
    if max(map(len, held)) > count_by_chance(len(stems)):
        return True
    shared = frozenset().union(*held)
    words = _WORD.findall(found.claim) if shared else ()
    return any(is_rare(word) for word in words if keywords(word, language) & shared)
