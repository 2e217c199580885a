"""What the embedded judge declines: metrics it was measured to fall short of, and outputs that say nothing to check."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from assay.domain.units import UnitKind
from assay.judges.embedded.labelling import Rated
from assay.judges.embedded.pair_model import is_rare
from assay.judges.embedded.signals import Found
from assay.judges.embedded.weights import Calibration
from assay.text.keywords import keywords
from assay.text.names import is_specific

OPINION: Final = "the embedded judge gives no opinions: ask a language model"
UNMEASURED: Final = "the embedded judge does not answer this: it has not been shown to beat counting shared words"
NOTHING_TO_HOLD: Final = (
    "the embedded judge declines: the output is short, shares hardly a word with its sources or the question, and has "
    "no name or figure to hold to them (a name that opens a sentence, an ordinal, a bare number under ten and the like "
    "do not count)"
)
_MOST_WORDS: Final = 15
"""A longer text says something, and if its sources know nothing of it, that is a finding."""
_BY_CHANCE: Final = 2
"""So many words of a sentence, or one in four, meet in nearly any source: first and question, part and time."""
_ONE_IN: Final = 4
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Spearman's correlation with people on documents that nothing was chosen on, beside that of counting words.

    The figures are those of bench/results/embedded_coverage.md.
    """

    tried: str
    reached: float
    by_counting: float

    def __str__(self) -> str:
        return (
            f"the embedded judge declines: {self.tried} agreed with people at {self.reached:.2f}, "
            f"counting shared words at {self.by_counting:.2f}"
        )


SHORTFALLS: Final[Mapping[UnitKind, Shortfall]] = MappingProxyType(
    {
        "key_point": Shortfall("the share of its own key points that an output covers", 0.15, 0.25),
        "question": Shortfall("the share of facts a question could ask for that an output states", 0.11, 0.25),
        "section": Shortfall("how near sections are to what is central in the source", 0.19, 0.26),
        "item": Shortfall("the share of what several reviews raise", 0.24, 0.27),
    }
)


def decline(kinds: Iterable[UnitKind]) -> str:
    """The reason for the first of these units that was measured."""
    return next((str(SHORTFALLS[kind]) for kind in kinds if kind in SHORTFALLS), UNMEASURED)


def has_something_to_check(rated: Sequence[Rated], query: str, calibration: Calibration, language: str = "en") -> bool:
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
    return any(_shares_words(each, asked, language) or is_specific(each.claim, language) for each in found)


def count_by_chance(words: int) -> int:
    """How many of a claim's words of content may be in one place of any source and say nothing."""
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
