"""Everything that speaks for or against a claim, before any of it is weighed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final, Literal

from rapidfuzz.distance import LCSseq

from assay.checks.conflicts.absent import find_absent
from assay.checks.conflicts.conflict import Absent, Conflict
from assay.checks.conflicts.pair import find_conflicts
from assay.judges.embedded.pair_model import Pair, Rating
from assay.judges.embedded.windows import Searched, Window
from assay.text.quotes import QuoteMatch, find_quote
from assay.units.passages import Passage

FEATURES: Final = ("support", "contradiction", "coverage", "near_copy")
SIGNS: Final = (1, -1, 1, 1)
"""More support never makes a claim less likely, and more of a contradiction never more likely."""

Settled = Literal["verbatim", "conflict", "absent"]
"""What decides a claim without the model: its own words in the source, words at odds, or nothing that speaks of it.

Nothing speaks of a claim whose figures or names no source has, or which shares no word with any sentence.
"""

_ALIGNED: Final = 0.5
"""Only a window that holds so much of a claim can contradict it: the model takes other topics for denials."""
_COPIED: Final = 0.7
"""The share of a claim's words in a sentence's order from which on it is worth looking for the very words."""
_LARGEST_LOGIT: Final = 6.0


@dataclass(frozen=True, slots=True)
class Found:
    """A claim with the windows to ask the model about; a settled one needs none."""

    claim: str
    windows: tuple[Window, ...]
    coverages: tuple[float, ...]
    whole_coverage: float
    in_order: float
    absent: tuple[Absent, ...]
    conflicts: tuple[tuple[Conflict, Passage], ...]
    verbatim: Passage | None = None

    @property
    def settled(self) -> Settled | None:
        if self.verbatim is not None:
            return "verbatim"
        return "conflict" if self.conflicts else "absent" if self.absent or not self.windows else None

    @property
    def pairs(self) -> list[Pair]:
        return [] if self.settled else [Pair(window.text, self.claim) for window in self.windows]


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
        # To the fourth power, since half of a sentence's words in their order say nothing, and nearly all say much.
        return (_logit(self.support), self.contradiction, found.whole_coverage, found.in_order**4)


def search(claim: str, searched: Searched, texts: Sequence[str]) -> Found:
    """Looks for a claim without the model. `texts` are whole sources, in which a sentence may be found verbatim."""
    best = searched.best(claim)
    nearest = [(searched.passages[at], searched.sentences[at]) for at in best]
    in_order = [_share_in_order(claim, sentence) for _, sentence in nearest]
    windows = searched.windows(best)
    conflicts = [
        (conflict, passage)
        for passage, sentence in nearest
        for conflict in find_conflicts(claim, sentence, searched.language, sources=texts)
    ]
    return Found(
        claim=claim,
        windows=tuple(windows),
        coverages=tuple(searched.coverage(claim, window.positions) for window in windows),
        whole_coverage=searched.coverage(claim),
        in_order=max(in_order, default=0.0),
        absent=tuple(find_absent(claim, texts, searched.language)),
        conflicts=tuple(conflicts),
        verbatim=_find_verbatim(
            claim, [each for each, share in zip(nearest, in_order, strict=True) if share >= _COPIED]
        ),
    )


def weigh(found: Found, ratings: Sequence[Rating]) -> Signals:
    """What the model makes of each window, brought to the one that supports most and the one that denies most."""
    if found.verbatim is not None:
        return Signals(found, 1.0, 0.0, Window(found.verbatim.text, (found.verbatim,)), None)
    if found.settled is not None:
        return Signals(found, 0.0, 0.0, None, None)
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


def _find_verbatim(claim: str, passages: Sequence[tuple[Passage, str]]) -> Passage | None:
    for passage, sentence in passages:
        if isinstance(find_quote(claim, sentence), QuoteMatch):
            return passage
    return None


def _share_in_order(claim: str, sentence: str) -> float:
    """How many of a claim's words one sentence has in the same order: a shortened sentence has nearly all."""
    own = claim.casefold().split()
    return LCSseq.similarity(own, sentence.casefold().split()) / max(1, len(own))


def _logit(probability: float) -> float:
    bounded = min(1 - 1e-6, max(1e-6, probability))
    return max(-_LARGEST_LOGIT, min(_LARGEST_LOGIT, log(bounded / (1 - bounded))))
