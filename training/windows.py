"""Premises of several sentences: the one that decides, set among others that do not."""

import random
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from training.pairs import Label, Pair

_WORD = re.compile(r"[^\W_]+")
MOST_WORDS = 110
CAPTIONS = frozenset({"snli", "snli_ni", "cad_nli", "breaking_nli", "disco", "med", "infotabs"})
"""Sets whose sentences tell of a picture, a table or nobody: strangers to any text."""
_STOP = frozenset(
    """
    a an and are as at be been but by for from had has have he her his in is it its of on or she that the their
    they this to was were which who will with not
    """.split()  # noqa: SIM905  # a list of words reads as words
)


@lru_cache(maxsize=200_000)
def content_words(text: str) -> frozenset[str]:
    """The words that carry what a sentence is about."""
    return frozenset(_WORD.findall(text.casefold())) - _STOP


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

    def stand_in(self, pair: Pair, rng: random.Random) -> str | None:
        """Two or three sentences of a pair's own page that say nothing of its hypothesis; None where it has too few."""
        page = self._pages.get(pair.group, ())
        drawn = rng.sample(page, min(8, len(page)))
        fitting = [each for each in drawn if may_stand_beside(each, pair.premise, pair.hypothesis)]
        wanted = rng.randint(2, 3)
        return " ".join(fitting[:wanted]) if len(fitting) >= 2 else None


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
