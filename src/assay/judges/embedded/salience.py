"""The sentences of a text that matter most and say different things."""

from collections import Counter
from collections.abc import Sequence
from math import log

from assay.text.keywords import keywords
from assay.units.passages import Passage

_FEWEST_STEMS = 4
_MOST_WORDS = 60
_SAME = 0.5


def choose_salient(passages: Sequence[Passage], most: int, language: str = "en") -> list[Passage]:
    """The best first: near the text's centre and near its beginning, none that repeats a better one."""
    stems = [keywords(passage.text, language) for passage in passages]
    spread = Counter(stem for each in stems for stem in each)
    weights = {stem: count * log(1 + len(passages) / count) for stem, count in spread.items()}
    scores = {
        position: sum(weights[stem] for stem in each) / (len(each) + 3) * (1 + 1 / (1 + position))
        for position, each in enumerate(stems)
        if len(each) >= _FEWEST_STEMS and len(passages[position].text.split()) <= _MOST_WORDS
    }
    chosen: list[int] = []
    for position in sorted(scores, key=lambda position: (-scores[position], position)):
        if len(chosen) == most:
            break
        if all(_share(stems[position], stems[other]) < _SAME for other in chosen):
            chosen.append(position)
    return [passages[position] for position in chosen]


def _share(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / max(1, min(len(first), len(second)))
