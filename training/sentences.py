"""Premises of many sentences: cut to those that matter for a claim, or to those that do not."""

import re
from functools import lru_cache
from typing import Final

from training.pairs import Pair

_WORD: Final = re.compile(r"[^\W_]+")
_STOP: Final = frozenset(
    """
    a an and are as at be been but by for from had has have he her his in is it its of on or she that the their
    they this to was were which who will with not
    """.split()  # noqa: SIM905  # a list of words reads as words
)
MOST_WORDS: Final = 115
"""About what the judge reads at once: three sentences, or one with its neighbours."""
_ROOM: Final = 165
"""For a claim whose words are spread wider."""
_KEPT: Final = 0.9
_END: Final = re.compile(r"(?<=[.!?])[\"')\]]?\s+|\s+(?=\[(?:doctor|patient)\])")
_SCRAP: Final = 3


@lru_cache(maxsize=200_000)
def content_words(text: str) -> frozenset[str]:
    """The words that carry what a sentence is about."""
    return frozenset(_WORD.findall(text.casefold())) - _STOP


def split_sentences(text: str) -> list[str]:
    """Sentences by their marks; a scrap goes with the sentence after it, as after "Dr."."""
    out: list[str] = []
    for part in _END.split(text):
        if out and len(out[-1].split()) < _SCRAP:
            out[-1] = f"{out[-1]} {part}"
        elif part:
            out.append(part)
    return out


def rank_sentences(sentences: list[str], claim: str) -> list[int]:
    """Positions of sentences, first those that share the most with a claim; a word that all have counts little."""
    words = [content_words(sentence) for sentence in sentences]
    wanted = content_words(claim)
    worth = {word: 1 / (1 + sum(word in each for each in words)) for word in wanted}
    scores = [sum(worth[word] for word in each & wanted) for each in words]
    return sorted(range(len(sentences)), key=lambda at: (-scores[at], at))


def focus(pair: Pair) -> Pair:
    """A long premise cut to its sentences nearest to the hypothesis, whatever the label, as the judge would cut it.

    Where they lack words of the hypothesis that the rest has, more are taken, and in the end all.
    """
    if len(pair.premise.split()) <= MOST_WORDS:
        return pair
    sentences = split_sentences(pair.premise)
    order = rank_sentences(sentences, pair.hypothesis)
    beside = [at for at in (order[0] - 1, order[0] + 1) if 0 <= at < len(sentences)]
    order = list(dict.fromkeys([order[0], *order[1:2], *beside, *order[2:]]))
    wanted = content_words(pair.hypothesis)
    needed = _KEPT * len(wanted & content_words(pair.premise))
    chosen: list[int] = []
    size = 0
    for at in order:
        length = len(sentences[at].split())
        held = len(wanted & content_words(" ".join(sentences[each] for each in chosen)))
        room = MOST_WORDS if held >= needed else _ROOM
        if chosen and size + length > room:
            continue
        chosen.append(at)
        size += length
    kept = " ".join(sentences[at] for at in sorted(chosen))
    if len(wanted & content_words(kept)) < needed:
        return pair
    return Pair(kept, pair.hypothesis, pair.label, pair.origin, pair.group)
