"""The keywords of a text, reduced to their stems, and the passages that share most of them."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import log
from typing import TYPE_CHECKING, Final

from assay.text.scripts import find_runs, read_language, split_letters, unspaced_scripts
from assay.text.word_lists import read_lists, read_words

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBER: Final = r"\d+(?:[.,]\d+)*"
# Thousands are parted by commas or by points; three decimals are taken for thousands too, in every text alike.
_GROUPING: Final = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")

_SHORTEST_ROOT: Final = 4
_SATURATION: Final = 1.2
_LENGTH_WEIGHT: Final = 0.75


def stop_words(language: str) -> frozenset[str]:
    """Empty for a language without a list: every word then counts."""
    return read_words("stop_words", language)


@cache
def _token_pattern() -> re.Pattern[str]:
    """A number, or a word; digits that follow a letter belong to the word, as in HER2, and those before it do not."""
    # Korean is spaced but glues its particles to the noun, so pairs of syllables meet where words would not.
    pairs, letter = split_letters(unspaced_scripts() | {"hangul"})
    return re.compile(
        rf"(?P<number>{_NUMBER})|(?P<pairs>[{pairs}]+)|(?P<word>[{letter}][{letter}\d]*(?:['’][{letter}]+)*)"
    )


@cache
def _load_stemmer(language: str) -> "Callable[[str], str]":
    name = read_lists("languages")["stemmers"].get(language)
    if name is None:
        return str
    from snowballstemmer import stemmer

    stem: Callable[[str], str] = stemmer(name).stemWord
    return lru_cache(maxsize=32_768)(stem)


def keywords(text: str, language: str = "en") -> frozenset[str]:
    """Stems of the words that are no stop words, numbers as written plainly, pairs of letters where no spaces are."""
    return frozenset(_find_terms(text, language))


def _find_terms(text: str, language: str) -> Iterator[str]:
    code = read_language(language) or language
    stops, stem = stop_words(code), _load_stemmer(code)
    for match in _token_pattern().finditer(unicodedata.normalize("NFKC", text).casefold()):
        token = match[0]
        if match.lastgroup == "number":
            yield _GROUPING.sub("", token).replace(",", ".")
        elif match.lastgroup == "pairs":
            for run in find_runs(token):
                letters = run.span.of(token)
                yield from (letters[at : at + 2] for at in range(max(1, len(letters) - 1)))
        else:
            word = token.replace("’", "'")
            # An elided article is no part of its noun: l'étude, dell'età.
            bare = word.split("'", 1)[1] if code in {"fr", "it", "ca"} and "'" in word else word
            # A single letter is seldom a word, and never one that says what a text is about.
            if len(bare) > 1 and word not in stops and bare not in stops:
                yield bare if any(map(str.isdigit, bare)) else stem(bare)


def containment(part: str, whole_keywords: frozenset[str], language: str = "en") -> Fraction | None:
    """The share of the part's keywords that the whole has too; None where the part has none."""
    own = keywords(part, language)
    return Fraction(len(own & whole_keywords), len(own)) if own else None


def is_same_root(one: str, other: str) -> bool:
    """Whether two words are the same, or begin alike but for an ending."""
    shorter = min(len(one), len(other))
    root = max(_SHORTEST_ROOT, shorter - 3)
    return one == other or (one.isalpha() and shorter >= root and one[:root] == other[:root])


class Index:
    """Passages by their stems, rated by BM25. It finds where to look; it never decides what is true."""

    def __init__(self, texts: Sequence[str], language: str = "en") -> None:
        self._language = language
        self._passages = [keywords(text, language) for text in texts]
        self._average = sum(map(len, self._passages)) / max(1, len(self._passages)) or 1.0
        self._counts = Counter(stem for passage in self._passages for stem in passage)
        self._postings: dict[str, list[int]] = {}
        for position, passage in enumerate(self._passages):
            for stem in passage:
                self._postings.setdefault(stem, []).append(position)

    def best(self, query: str, most: int) -> list[int]:
        """Positions of the best passages, best first; passages that share no stem are not among them."""
        scores: dict[int, float] = {}
        for stem in keywords(query, self._language):
            weight = self._weight(stem)
            for position in self._postings.get(stem, ()):
                length = len(self._passages[position]) / self._average
                norm = 1 + _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length)
                scores[position] = scores.get(position, 0.0) + weight * (_SATURATION + 1) / norm
        return sorted(scores, key=lambda position: (-scores[position], position))[:most]

    def share_found(self, stems: Iterable[str]) -> float:
        """The share of the stems' weight that the passages hold together. A stem found nowhere weighs most."""
        weights = {stem: self._weight(stem) for stem in stems}
        total = sum(weights.values())
        return sum(weight for stem, weight in weights.items() if stem in self._counts) / total if total else 0.0

    def _weight(self, stem: str) -> float:
        total, with_stem = len(self._passages), self._counts[stem]
        return log(1 + (total - with_stem + 0.5) / (with_stem + 0.5))
