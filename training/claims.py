"""Claims as models write them: several facts in one sentence, said of a source, and with their evidence taken away."""

import random
from collections.abc import Sequence
from typing import Final

from training.pairs import Label, Pair
from training.sentences import focus, remove_support
from training.windows import CAPTIONS, Neighbours, may_stand_beside

JOINED: Final = "joined"
REMOVED: Final = "removed"
_MOST_JOINED: Final = 90
_TRIES: Final = 10_000
_JOINTS: Final = ("{}, and {}", "{}, and {}", "{}, while {}", "{}; {}", "{}. {}", "{}. Also, {}", "{}, whereas {}")
_FRAMES: Final = (
    "According to the source, {}", "According to the article, {}", "The text says that {}", "The report notes that {}",
    "The article states that {}", "It is noted that {}", "Overall, {}", "In addition, {}", "Notably, {}", "However, {}",
    "The source mentions that {}", "As described, {}", "The authors report that {}", "In summary, {}", "- {}",
)  # fmt: skip


class TooAlikeError(ValueError):
    """The pairs given are too few, or too much alike, to make others of."""


def frame(hypothesis: str, rng: random.Random) -> str:
    """The hypothesis as something a source says; the words in front decide nothing."""
    return rng.choice(_FRAMES).format(hypothesis[:1].lower() + hypothesis[1:])


def join_labels(one: Label, other: Label) -> Label:
    """Two claims together are supported where both are, and denied where one is."""
    both = {one, other}
    for label in (Label.CONTRADICTED, Label.NOT_SUPPORTED, Label.NOT_IN_SOURCE):
        if label in both:
            return label
    return Label.SUPPORTED


class Joiner:
    """Draws pairs whose hypothesis makes two claims, of one premise or of two that stand side by side."""

    def __init__(self, pairs: Sequence[Pair], seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
        usable = [pair for pair in pairs if _may_join(pair)]
        self._true = [pair for pair in usable if pair.label == Label.SUPPORTED]
        self._false = [pair for pair in usable if pair.label != Label.SUPPORTED]
        self._same: dict[str, list[Pair]] = {}
        for pair in usable:
            self._same.setdefault(pair.premise, []).append(pair)

    def draw(self) -> Pair:
        rng = self._rng
        for _ in range(_TRIES):
            one = rng.choice(self._true)
            wanted_true = rng.random() < 0.5
            same = [
                pair
                for pair in self._same[one.premise]
                if (pair.label == Label.SUPPORTED) == wanted_true and pair.hypothesis != one.hypothesis
            ]
            if same and rng.random() < 0.6:
                other, premise = rng.choice(same), one.premise
            else:
                other = rng.choice(self._true if wanted_true else self._false)
                apart = may_stand_beside(other.premise, one.premise, one.hypothesis) and may_stand_beside(
                    one.premise, other.premise, other.hypothesis
                )
                if not apart or len(one.premise.split()) + len(other.premise.split()) > _MOST_JOINED:
                    continue
                premise = " ".join(rng.sample((one.premise, other.premise), 2))
            first, second = rng.sample((one.hypothesis, other.hypothesis), 2)
            hypothesis = rng.choice(_JOINTS).format(first.rstrip(" ."), second)
            return Pair(premise, hypothesis, join_labels(one.label, other.label), JOINED, one.group)
        raise TooAlikeError("no two pairs stand apart enough to be joined")


def _may_join(pair: Pair) -> bool:
    short = len(pair.premise.split()) <= 60 and 4 <= len(pair.hypothesis.split()) <= 22
    return short and pair.origin not in CAPTIONS and pair.origin not in ("begin", "faithdial_audit", "q2_wow")


class Remover:
    """Draws a claim with its evidence, then the same claim without: what it says cannot give the answer away."""

    def __init__(self, pairs: Sequence[Pair], neighbours: Neighbours, seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
        self._neighbours = neighbours
        self._by_origin: dict[str, list[Pair]] = {}
        for pair in pairs:
            if pair.label in (Label.SUPPORTED, Label.CONTRADICTED) and pair.origin in _WITH_EVIDENCE:
                self._by_origin.setdefault(pair.origin, []).append(pair)
        self._origins = sorted(self._by_origin)
        self._weights = [_WITH_EVIDENCE[origin] for origin in self._origins]
        self._waiting: list[Pair] = []

    @property
    def is_empty(self) -> bool:
        return not self._origins

    def draw(self) -> Pair:
        for _ in range(_TRIES):
            if self._waiting:
                return self._waiting.pop(0)
            origin = self._rng.choices(self._origins, self._weights)[0]
            self._waiting = self._make(self._rng.choice(self._by_origin[origin]))
        raise TooAlikeError("no claim has other sentences to stand without its evidence")

    def _make(self, pair: Pair) -> list[Pair]:
        rest = remove_support(pair.premise, pair.hypothesis) or self._neighbours.stand_in(pair, self._rng)
        if rest is None:
            return []
        whole = focus(pair)
        if len(whole.premise.split()) <= 45:
            whole = self._neighbours.widen(whole, self._rng)
        bare = focus(Pair(rest, pair.hypothesis, Label.NOT_IN_SOURCE, REMOVED, pair.group))
        return [Pair(whole.premise, whole.hypothesis, whole.label, REMOVED, pair.group), bare]


_WITH_EVIDENCE: Final = {
    "vitaminc": 5, "factscore_atomic": 5, "fm2": 2, "fever": 2, "fever_nli": 2, "wikisplit": 1, "onestop": 1,
    "clapnq": 1, "cochrane_pls": 2, "qmsum": 1, "scitldr": 1, "factor_news": 1, "infotabs": 1, "mts_dialog": 0.5,
    "factcg_cg2c": 1, "factcheckgpt": 1, "storysumm": 0.3, "swipe": 0.3, "evidence_inference": 0.5,
}  # fmt: skip
"""Origins whose evidence is known by its words, and how often each is drawn."""
