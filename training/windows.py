"""Premises of several sentences: the one that decides, set among others that do not."""

import random
from collections.abc import Mapping, Sequence

from training.pairs import Label, Pair
from training.sentences import content_words, focus

MOST_WORDS = 110
_SHARES = {"vitaminc": 0.4, "mnli": 0.2, "mnli_ni": 0.2, "corruption": 0.4}
"""The share of each origin's pairs that get other sentences around their premise."""
_OTHERS_SHARE = 0.35
_WRITTEN = frozenset({"modern", "fact_twins"})
"""Sets whose premises are texts of several sentences as they are."""
CAPTIONS = frozenset({"snli", "snli_ni", "cad_nli", "breaking_nli", "disco", "med", "infotabs"})
"""Sets whose sentences tell of a picture, a table or nobody: strangers to any text."""


def may_stand_beside(sentence: str, premise: str, hypothesis: str) -> bool:
    """Whether a sentence cannot change the verdict: it shares too little with the hypothesis to speak about it."""
    words = content_words(sentence)
    claim = content_words(hypothesis)
    shared = len(words & claim)
    close = len(words & content_words(premise)) > 0.35 * max(1, min(len(words), len(content_words(premise))))
    return not close and shared <= max(1, len(claim) // 4)


class Neighbours:
    """Sentences to set beside a premise: of the same page where that is safe, else of any other."""

    def __init__(self, pages: Mapping[str, Sequence[str]], others: Sequence[str]) -> None:
        self._pages = pages
        self._others = others

    def widen(self, pair: Pair, rng: random.Random) -> Pair:
        """The pair with one to three sentences around its premise; unchanged where the premise is long already.

        A page's own sentences may speak to a hypothesis that the premise leaves open, so those pairs get strangers.
        """
        decided = pair.label in (Label.SUPPORTED, Label.CONTRADICTED)
        page = self._pages.get(pair.group, ()) if decided else ()
        around: list[str] = []
        words = len(pair.premise.split())
        wanted = rng.randint(1, 3)
        for _ in range(wanted * 3):
            own = page and rng.random() < 0.6
            sentence = rng.choice(page) if own else rng.choice(self._others)
            size = len(sentence.split())
            fits = words + size <= MOST_WORDS and sentence not in around
            if fits and may_stand_beside(sentence, pair.premise, pair.hypothesis):
                around.append(sentence)
                words += size
            if len(around) == wanted:
                break
        around.insert(rng.randint(0, len(around)), pair.premise)
        return Pair(" ".join(around), pair.hypothesis, pair.label, pair.origin, pair.group)


def build_neighbours(pairs: Sequence[Pair]) -> Neighbours:
    """Neighbours from the premises of the pairs, shortest spellings only once."""
    pages: dict[str, dict[str, None]] = {}
    others: dict[str, None] = {}
    for pair in pairs:
        if 5 <= len(pair.premise.split()) <= 45:
            pages.setdefault(pair.group, {})[pair.premise] = None
            if pair.origin not in CAPTIONS:
                others[pair.premise] = None
    return Neighbours({group: list(texts) for group, texts in pages.items()}, list(others))


def set_among_others(pair: Pair, neighbours: Neighbours, seed: int) -> Pair:
    """The pair as the judge would meet it: a long premise cut, a short one as often as its origin says among others.

    Chance hangs on the premise, so that twins stand among the same sentences.
    """
    if pair.origin in CAPTIONS or pair.origin in _WRITTEN:
        return pair
    pair = focus(pair)
    rng = random.Random(f"{seed}:{pair.premise}")  # noqa: S311  # reproducible, not secret
    widened = rng.random() < _SHARES.get(pair.origin, _OTHERS_SHARE)
    return neighbours.widen(pair, rng) if widened else pair
