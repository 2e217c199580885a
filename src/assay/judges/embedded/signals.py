"""Everything that speaks for or against a claim, before any of it is weighed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from assay.checks.conflicts.absent import find_absent
from assay.checks.conflicts.conflict import Absent, Conflict
from assay.checks.conflicts.pair import find_conflicts
from assay.judges.embedded.pair_model import Pair, Rating
from assay.judges.embedded.windows import Searched, Window, bigrams_of
from assay.text.quotes import QuoteMatch, find_quote
from assay.units.passages import Passage

FEATURES: Final = (
    "support",
    "contradiction",
    "best_coverage",
    "whole_coverage",
    "bigrams",
    "absent",
    "conflicts",
    "words",
)
SIGNS: Final = (1, -1, 1, 1, 1, -1, -1, -1)
"""More support never makes a claim less likely, and more of a conflict never more likely."""

_ALIGNED: Final = 0.5
"""Only a window that holds so much of a claim can contradict it: the model takes other topics for denials."""
_LARGEST_LOGIT: Final = 6.0


@dataclass(frozen=True, slots=True)
class Found:
    """A claim with the windows to ask the model about; a verbatim one needs none."""

    claim: str
    windows: tuple[Window, ...]
    coverages: tuple[float, ...]
    whole_coverage: float
    bigrams: float
    absent: tuple[Absent, ...]
    conflicts: tuple[tuple[Conflict, Passage], ...]
    verbatim: Passage | None = None

    @property
    def pairs(self) -> list[Pair]:
        return [] if self.verbatim is not None else [Pair(window.text, self.claim) for window in self.windows]


@dataclass(frozen=True, slots=True)
class Signals:
    """`supporting` and `denying` are the windows that speak loudest; none where nothing was found at all."""

    found: Found
    support: float
    contradiction: float
    supporting: Window | None
    denying: Window | None

    @property
    def features(self) -> tuple[float, ...]:
        found = self.found
        return (
            _logit(self.support),
            self.contradiction,
            max(found.coverages, default=0.0),
            found.whole_coverage,
            found.bigrams,
            float(min(2, len(found.absent))),
            float(min(2, len(found.conflicts))),
            log(1 + len(found.claim.split())),
        )


def search(claim: str, searched: Searched, texts: Sequence[str]) -> Found:
    """Looks for a claim without the model. `texts` are whole sources, in which a sentence may be found verbatim."""
    best = searched.best(claim)
    windows = searched.windows(best)
    own = bigrams_of(claim)
    conflicts = [
        (conflict, passage)
        for passage in dict.fromkeys(window.passages[0] for window in windows)
        for conflict in find_conflicts(claim, passage.text, searched.language, sources=texts)
    ]
    return Found(
        claim=claim,
        windows=tuple(windows),
        coverages=tuple(searched.coverage(claim, _positions(window, searched)) for window in windows),
        whole_coverage=searched.coverage(claim),
        bigrams=sum(pair in searched.bigrams for pair in own) / len(own) if own else 0.0,
        absent=tuple(find_absent(claim, texts, searched.language)),
        conflicts=tuple(conflicts),
        verbatim=_find_verbatim(claim, windows),
    )


def weigh(found: Found, ratings: Sequence[Rating]) -> Signals:
    """What the model makes of each window, brought to the one that supports most and the one that denies most."""
    if found.verbatim is not None:
        return Signals(found, 1.0, 0.0, Window(found.verbatim.text, (found.verbatim,)), None)
    rated = list(zip(found.windows, ratings, found.coverages, strict=True))
    supporting = max(rated, key=lambda each: each[1].supported, default=None)
    aligned = [each for each in rated if each[2] >= _ALIGNED]
    denying = max(aligned, key=lambda each: each[1].contradicted, default=None)
    return Signals(
        found,
        support=supporting[1].supported if supporting else 0.0,
        contradiction=denying[1].contradicted if denying else 0.0,
        supporting=supporting[0] if supporting else None,
        denying=denying[0] if denying else None,
    )


def _find_verbatim(claim: str, windows: Sequence[Window]) -> Passage | None:
    for passage in dict.fromkeys(window.passages[0] for window in windows):
        if isinstance(find_quote(claim, passage.text), QuoteMatch):
            return passage
    return None


def _positions(window: Window, searched: Searched) -> list[int]:
    held = set(window.passages)
    return [position for position, passage in enumerate(searched.passages) if passage in held]


def _logit(probability: float) -> float:
    bounded = min(1 - 1e-6, max(1e-6, probability))
    return max(-_LARGEST_LOGIT, min(_LARGEST_LOGIT, log(bounded / (1 - bounded))))
