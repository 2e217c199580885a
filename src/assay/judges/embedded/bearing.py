"""Whether an output says anything that bears on its sources, so that it can be held to them."""

import re
from collections.abc import Sequence
from typing import Final

from assay.checks.conflicts.names import find_names
from assay.checks.conflicts.reading import read
from assay.judges.embedded.calibration import Calibration
from assay.judges.embedded.claims import Rated
from assay.judges.embedded.rarity import is_rare
from assay.judges.embedded.signals import Found
from assay.text.keywords import keywords
from assay.text.quantity import Kind

_MOST_WORDS: Final = 15
"""A longer text says something, and if its sources know nothing of it, that is a finding."""
_BY_CHANCE: Final = 2
"""So many words of a sentence, or one in four, meet in nearly any source: first and question, part and time."""
_ONE_IN: Final = 4
_SMALL: Final = 10
"""Step 1 and two reasons are in any text."""
_WORD: Final = re.compile(r"[^\W\d_]+")


def bears_on_sources(rated: Sequence[Rated], query: str, calibration: Calibration, language: str = "en") -> bool:
    """Not a short text without name or figure of which the model is unsure and the sources have but common words.

    Such a text would be given what claims are given before anything is known of them. The rule looks at the whole
    output: if single sentences were let off by their form, a lie would take that form.
    """
    if not rated or any(_is_known(each, calibration) for each in rated):
        return True
    found = [each.signals.found for each in rated]
    if len(frozenset().union(*(keywords(each.claim, language) for each in found))) > _MOST_WORDS:
        return True
    asked = keywords(query, language)
    return any(_shares_words(each, asked, language) or _is_specific(each.claim, language) for each in found)


def count_by_chance(words: int) -> int:
    """How many of a claim's words of content may be in one place of any source and say nothing."""
    # A word or two can be the whole answer to a question.
    return max(min(_BY_CHANCE, words // 2), words // _ONE_IN) if words > _BY_CHANCE else 0


def _is_known(rated: Rated, calibration: Calibration) -> bool:
    found = rated.signals.found
    if found.settled is None:
        return not calibration.low < rated.probability < calibration.high
    # A claim without a window is settled too, but by nothing that it says.
    return bool(found.verbatim or found.conflicts or found.absent)


def _shares_words(found: Found, asked: frozenset[str], language: str) -> bool:
    """More than meet by chance in one place of the sources, or a single one that is rare in the language."""
    stems = keywords(found.claim, language)
    held = [stems & asked, *(stems & (keywords(each.text, language) | asked) for each in found.windows)]
    if max(map(len, held)) > count_by_chance(len(stems)):
        return True
    shared = frozenset().union(*held)
    words = _WORD.findall(found.claim) if shared else ()
    return any(is_rare(word) for word in words if keywords(word, language) & shared)


def _is_specific(claim: str, language: str) -> bool:
    """A name or a figure: one that the sources do not have is a finding before it comes to this.

    What is in any text does not count: the capital that opens a sentence, an ordinal, a bare number under ten.
    """
    reading = read(claim, language)
    if any(not token.opens for name in find_names(reading) for token in name.tokens):
        return True
    counted = (each for each in reading.quantities if each.kind is not Kind.ORDINAL)
    return any(each.unit is not None or abs(each.value) >= _SMALL for each in counted)
