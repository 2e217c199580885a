"""Looks for a claim in the sources, and collects the signals for and against it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from types import MappingProxyType
from typing import Final

from rapidfuzz.distance import LCSseq

from assay.domain.span import Span
from assay.judges.embedded.pair_model import Pair, Rating
from assay.judges.embedded.weights import Settled
from assay.text.figures import Derived, find_unsourced, find_unstated
from assay.text.keywords import Index, keywords
from assay.text.markup import as_seen
from assay.text.names import find_missing_names
from assay.text.polarity import explain_bound, explain_negation
from assay.text.quotes import find_quote
from assay.units.passages import Passage

FEATURES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "support": 1,
        "contradiction": -1,
        "coverage": 1,
        "near_copy": 1,
        "missing_name": -1,
        "other_polarity": -1,
    }
)
"""What a claim is weighed by, and the sign of each weight: more support never makes a claim less likely."""

_BEST: Final = 3
_SHORT_SOURCE_CHARACTERS: Final = 500
_SPOKEN_OF: Final = 0.5
"""The sources must hold so much of a claim to deny it: the model takes other topics for denials."""
_COPIED: Final = 0.7
"""The share of a claim's words in a sentence's order from which on it is worth looking for the very words."""
_LARGEST_LOGIT: Final = 6.0
_MARKS: Final = " \t\n.!?…\"'“”‘’()[]*"


@dataclass(frozen=True, slots=True)
class Window:
    """A premise, and the passages it is made of, the one it was chosen for first."""

    text: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Searched:
    """Passages that claims are looked for in, ready to be searched.

    They are cited as they stand, and compared by what a reader sees of them: `sentences`.
    """

    passages: tuple[Passage, ...]
    language: str = "en"
    seen: tuple[str, ...] | None = None
    """What a reader sees of each passage, if it was read from whole sources: a comment may run through several."""

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(as_seen(passage.text) for passage in self.passages) if self.seen is None else self.seen

    @cached_property
    def index(self) -> Index:
        return Index(self.sentences, self.language)

    @cached_property
    def text(self) -> str:
        return " ".join(self.sentences)

    def windows(self, best: Sequence[int]) -> list[Window]:
        """The best sentence with its neighbours, and the best ones together; a short text as a whole.

        Windows around the second and third best sentence cost half of the time and changed no ranking.
        """
        if self.passages and len(self.text) <= _SHORT_SOURCE_CHARACTERS:
            return [self._join([*best[:1], *(at for at in range(len(self.passages)) if at not in best[:1])])]
        if not best:
            return []
        found = [self._join([best[0], *self._beside(best[0])])]
        if len(best) > 1:
            found.append(self._join(best))
        return list({window.text: window for window in found}.values())

    def _join(self, positions: Sequence[int]) -> Window:
        """The text in its own order, the passages in the order of their worth."""
        text = " ".join(self.sentences[at] for at in sorted(positions))
        return Window(text, tuple(self.passages[at] for at in positions))

    def _beside(self, position: int) -> list[int]:
        source = self.passages[position].source
        near = range(max(0, position - 1), min(len(self.passages), position + 2))
        return [at for at in near if at != position and self.passages[at].source == source]


@dataclass(frozen=True, slots=True)
class Found:
    """A claim with the windows to ask the model about; a settled one needs none."""

    claim: str
    windows: tuple[Window, ...]
    coverage: float
    in_order: float
    unsourced: tuple[Span, ...]
    """Figures of the claim that no reading of any source yields."""
    unstated: tuple[Span, ...]
    """Figures that no source states, whatever two others come to."""
    derived: tuple[Derived, ...]
    misses_name: bool
    other_polarity: str | None = None
    """How the sentence with most of the claim's words differs in a negation or bound, in words."""
    verbatim: Passage | None = None

    @property
    def settled(self) -> Settled | None:
        if self.verbatim is not None:
            return "verbatim"
        return "absent" if self.unsourced else None

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
    def features(self) -> Mapping[str, float]:
        """Values by the names in FEATURES."""
        found = self.found
        return {
            "support": _logit(self.support),
            "contradiction": self.contradiction,
            "coverage": found.coverage,
            # Half of a sentence's words in their order say nothing, and nearly all say much.
            "near_copy": found.in_order**4,
            "missing_name": float(found.misses_name),
            "other_polarity": float(found.other_polarity is not None),
        }


def search(claim: str, searched: Searched, texts: Sequence[str]) -> Found:
    """Looks for a claim without the model. `texts` are whole sources, in which a sentence may be found verbatim."""
    best = searched.index.best(claim, _BEST)
    nearest = [(searched.passages[at], searched.sentences[at]) for at in best]
    in_order = [_share_in_order(claim, sentence) for _, sentence in nearest]
    closest = max(zip(in_order, (sentence for _, sentence in nearest), strict=True), default=(0.0, ""))[1]
    unstated, derived = find_unstated(claim, tuple(texts), searched.language)
    return Found(
        claim=claim,
        windows=tuple(searched.windows(best)),
        coverage=searched.index.share_found(keywords(claim, searched.language)),
        in_order=max(in_order, default=0.0),
        unsourced=tuple(find_unsourced(claim, tuple(texts), searched.language)),
        unstated=tuple(unstated),
        derived=tuple(derived),
        misses_name=bool(find_missing_names(claim, tuple(texts), searched.language)),
        other_polarity=explain_negation(claim, closest, searched.language) or explain_bound(claim, closest),
        verbatim=_find_verbatim(
            claim, [each for each, share in zip(nearest, in_order, strict=True) if share >= _COPIED]
        ),
    )


def weigh(found: Found, ratings: Sequence[Rating]) -> Signals:
    """Takes the ratings of all windows, and keeps the window that supports most and the one that denies most."""
    if found.verbatim is not None:
        return Signals(found, 1.0, 0.0, Window(found.verbatim.text, (found.verbatim,)), None)
    if found.settled is not None or not found.windows:
        return Signals(found, 0.0, 0.0, None, None)
    rated = list(zip(found.windows, ratings, strict=True))
    supporting, support = max(rated, key=lambda each: each[1].supported)
    denying, denial = max(rated, key=lambda each: each[1].contradicted)
    denied = denial.contradicted if found.coverage >= _SPOKEN_OF else 0.0
    return Signals(found, support.supported, denied, supporting, denying)


def _find_verbatim(claim: str, passages: Sequence[tuple[Passage, str]]) -> Passage | None:
    """The sentence that is the claim, or has it between semicolons. Other words of a sentence may turn it round."""
    for passage, sentence in passages:
        found = find_quote(claim, sentence)
        if found is not None:
            before, after = sentence[: found.start].strip(_MARKS), sentence[found.end :].strip(_MARKS)
            if before[-1:] in {"", ";"} and after[:1] in {"", ";"}:
                return passage
    return None


def _share_in_order(claim: str, sentence: str) -> float:
    """How many of a claim's words one sentence has in the same order: a shortened sentence has nearly all."""
    own = claim.casefold().split()
    return LCSseq.similarity(own, sentence.casefold().split()) / max(1, len(own))


def _logit(probability: float) -> float:
    bounded = min(1 - 1e-6, max(1e-6, probability))
    return max(-_LARGEST_LOGIT, min(_LARGEST_LOGIT, log(bounded / (1 - bounded))))
