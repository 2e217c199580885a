"""The words that carry what a text is about, reduced to their stems."""

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from assay.text.language_codes import read_language
from assay.text.scripts import UNSPACED, find_runs, letters_of
from assay.text.stop_words import stop_words

if TYPE_CHECKING:
    from collections.abc import Callable

_STEMMERS: Final = MappingProxyType(
    {
        "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english",
        "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
        "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali",
        "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
        "sv": "swedish", "ta": "tamil", "tr": "turkish",
    }
)  # fmt: skip

_NUMBER: Final = r"\d+(?:[.,]\d+)*"
# Korean is spaced but glues its particles to the noun, so pairs of syllables meet where words would not.
_IN_PAIRS: Final = UNSPACED | {"hangul"}
# Languages that write 1,299 where the others write 1.299.
_COMMA_GROUPS: Final = frozenset({"en", "zh", "ja", "ko", "hi", "th", "he", "ar"})
_COMMAS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_POINTS: Final = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")


@cache
def _token_pattern() -> re.Pattern[str]:
    """A number, or a word; digits that follow a letter belong to the word, as in HER2, and those before it do not."""
    scripts = "latin greek cyrillic armenian hebrew arabic devanagari bengali gurmukhi gujarati odia tamil telugu"
    scripts += " kannada malayalam sinhala georgian ethiopic"
    letter = "".join(letters_of(script) for script in scripts.split())
    pairs = "".join(letters_of(script) for script in sorted(_IN_PAIRS))
    return re.compile(
        rf"(?P<number>{_NUMBER})|(?P<pairs>[{pairs}]+)|(?P<word>[{letter}][{letter}\d]*(?:['’][{letter}]+)*)"
    )


@cache
def _load_stemmer(language: str) -> "Callable[[str], str]":
    name = _STEMMERS.get(language)
    if name is None:
        return str
    from snowballstemmer import stemmer

    stem: Callable[[str], str] = stemmer(name).stemWord
    return lru_cache(maxsize=32_768)(stem)


def _plain_number(number: str, language: str) -> str:
    """1,299.50 and 1299.50 are one keyword, and so are 1.299,50 and 1299,50 where points part thousands."""
    if language in _COMMA_GROUPS:
        return number.replace(",", "") if _COMMAS.fullmatch(number) else number
    return (number.replace(".", "") if _POINTS.fullmatch(number) else number).replace(",", ".")


def _split_pairs(run: str) -> Iterator[str]:
    for part in find_runs(run):
        letters = part.span.of(run)
        yield from (letters[i : i + 2] for i in range(max(1, len(letters) - 1)))


def _is_word(token: str, stops: frozenset[str]) -> bool:
    """A single letter is seldom a word, and never one that says what a text is about."""
    return len(token) > 1 and token not in stops


def keywords(text: str, language: str = "en") -> frozenset[str]:
    """Stems of the words that are no stop words, numbers as written plainly, pairs of letters where no spaces are."""
    code = read_language(language) or language
    stops, stem = stop_words(code), _load_stemmer(code)
    found: set[str] = set()
    for match in _token_pattern().finditer(unicodedata.normalize("NFKC", text).casefold()):
        token = match[0]
        if token.isalpha() and token.isascii():
            # Most words, and the plain case of the last one below.
            if len(token) > 1 and token not in stops:
                found.add(stem(token))
        elif match.lastgroup == "number":
            found.add(_plain_number(token, code))
        elif match.lastgroup == "pairs":
            found.update(_split_pairs(token))
        else:
            word = token.replace("’", "'")
            # An elided article is no part of its noun: l'étude, dell'età.
            bare = word.split("'", 1)[1] if code in {"fr", "it", "ca"} and "'" in word else word
            if _is_word(word, stops) and _is_word(bare, stops):
                found.add(bare if any(c.isdigit() for c in bare) else stem(bare))
    return frozenset(found)


def containment(part: str, whole_keywords: frozenset[str], language: str = "en") -> Fraction | None:
    """The share of the part's keywords that the whole has too; None where the part has none."""
    own = keywords(part, language)
    return Fraction(len(own & whole_keywords), len(own)) if own else None
