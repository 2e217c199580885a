"""Why the embedded judge leaves a metric to others: what it was measured to fall short of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from assay.domain.units import UnitKind

OPINION: Final = "the embedded judge gives no opinions: ask a language model"
UNMEASURED: Final = "the embedded judge does not answer this: it has not been shown to beat counting shared words"
NOTHING_TO_HOLD: Final = (
    "the embedded judge declines: the output is short, shares hardly a word with its sources or the question, and has "
    "no name or figure to hold to them (a name that opens a sentence, an ordinal, a bare number under ten and the like "
    "do not count)"
)


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
