"""Finds the names of a text and looks for them in sources, in other forms too.

That a name is not found proves nothing: the source may use a nickname or a translation.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from assay.domain.span import Span
from assay.text.dates import find_dates
from assay.text.figures import SMALL
from assay.text.keywords import is_same_root, stop_words
from assay.text.quantities import find_quantities
from assay.text.sentences import split_sentences
from assay.text.word_lists import read_lists, read_words

LONGEST: Final = 5_000
"""Characters up to which a text is taken for a claim. A longer text is not looked at."""
_TOKEN: Final = re.compile(r"(?P<initials>(?:[A-Za-z]\.){2,})|\d+(?:[.,:]\d+)*|[^\W\d_][^\W_]*(?:['’][^\W\d_]+)*")
_LEADS_A_SENTENCE: Final = re.compile(r"(?:^|[.!?:;|\n\"“”‘’'(•*>–—-])[\s\"“‘'(]*$")
_JOINED: Final = re.compile(r"[ \u00a0.'’&-]{0,3}")
_COMPARED: Final = re.compile(
    r"\b(?:than|unlike|compared|others?|both|none|neither|only|except|besides|versus|vs|most|least|all|[a-z]{3,}est)\b",
    re.IGNORECASE,
)
# What some models print for a word they do not know.
_UNKNOWN: Final = "UNK"


@dataclass(frozen=True, slots=True)
class _Word:
    key: str
    span: Span
    sentence: int
    capital: bool
    opens: bool


_Name = tuple[_Word, ...]


@cache
def _no_names() -> frozenset[str]:
    """Words that may be capitalised and name nobody."""
    return stop_words("en") | read_words("names", "no_names")


@cache
def _aliases() -> tuple[frozenset[str], ...]:
    """Groups of words for one country or place."""
    return tuple(frozenset(group.split()) for group in read_lists("names")["aliases"])


def find_missing_names(claim: str, sources: tuple[str, ...], language: str = "en") -> list[Span]:
    """The names of a claim that no source has as they stand, as an adjective or by initials."""
    if len(claim) > LONGEST:
        return []
    names = list(_find_names(_read_words(claim, language), claim, language))
    if not names:
        return []
    forms = _build_forms(sources, language)
    missing = [[word.span for word in name if not word.opens and not forms.have(word, name)] for name in names]
    return [Span(spans[0].start, spans[-1].end) for spans in missing if spans]


def is_specific(claim: str, language: str = "en") -> bool:
    """Whether a claim has a name or a figure. Ordinals and bare numbers under ten do not count."""
    if any(not word.opens for name in _find_names(_read_words(claim, language), claim, language) for word in name):
        return True
    if any(each.unit is not None or each.number >= SMALL for each in find_quantities(claim)):
        return True
    return any(map(str.isdecimal, "".join(span.of(claim) for span, _ in find_dates(claim))))


def find_holder(claim: str, sources: tuple[str, ...], language: str = "en") -> int | None:
    """The index of the only source with all those names of a claim that any has; none for a comparison with others."""
    if len(sources) < 2 or _COMPARED.search(claim):
        return None
    names = _find_names(_read_words(claim, language), claim, language)
    forms = [_build_forms((source,), language).keys for source in sources]
    keys = {_fold(word.key) for name in names for word in name}
    known = {key for key in keys if any(key in each for each in forms)}
    holders = [at for at, each in enumerate(forms) if known <= each]
    return holders[0] if known and len(holders) == 1 else None


def _read_words(text: str, language: str) -> list[_Word]:
    words = []
    for number, sentence in enumerate(split_sentences(text, language)):
        for found in _TOKEN.finditer(text, *sentence):
            word = found.group().replace(".", "") if found["initials"] else found.group()
            key = word.lower().replace("’", "'").removesuffix("'s")
            start = found.start()
            opens = start == sentence.start or bool(_LEADS_A_SENTENCE.search(text, max(0, start - 4), start))
            capital = word[0].isupper() and len(word) > 1 and word != _UNKNOWN
            words.append(_Word(key, Span(*found.span()), number, capital, opens))
    return words


def _find_names(words: list[_Word], text: str, language: str) -> Iterator[_Name]:
    """Runs of capitalised words; none in lower-case text or headlines. One opening word alone is no name."""
    stops = stop_words(language)
    inner = [each for each in words if not each.opens and each.key not in stops and each.key[:1].isalpha()]
    capitals = sum(each.capital for each in inner)
    if not capitals or (capitals > 0.7 * len(inner) and len(inner) >= 4):
        return
    run: list[_Word] = []
    for word in words:
        named = word.capital and word.key not in _no_names() and word.key[0].isalpha()
        if run and not (named and _continues(run[-1], word, text)):
            if len(run) > 1 or not run[0].opens:
                yield tuple(run)
            run = []
        if named:
            run.append(word)
    if run and (len(run) > 1 or not run[0].opens):
        yield tuple(run)


def _continues(before: _Word, word: _Word, text: str) -> bool:
    if word.sentence != before.sentence or before.span.of(text).endswith(("'s", "’s")):
        return False
    return _JOINED.fullmatch(text[before.span.end : word.span.start]) is not None


@dataclass(frozen=True, slots=True)
class _Forms:
    """The words of texts, so that a name can be found in another form: adjective, initials."""

    keys: frozenset[str]
    by_start: dict[str, tuple[str, ...]]
    initials: frozenset[str]

    def have(self, word: _Word, name: _Name) -> bool:
        """Whether any text has the word, an alias, a word that begins like it, or its initials."""
        key = _fold(word.key)
        if key in self.keys or any(key in line and not self.keys.isdisjoint(line) for line in _aliases()):
            return True
        if key in self.initials or _initials_of(each.key for each in name) in self.keys:
            return True
        return any(is_same_root(key, other) for other in self.by_start.get(key[:3], ()))


@lru_cache(maxsize=256)
def _build_forms(texts: tuple[str, ...], language: str) -> _Forms:
    keys: set[str] = set()
    initials: set[str] = set()
    for text in texts:
        words = _read_words(text, language)
        keys.update(_fold(word.key) for word in words)
        initials.update(_all_initials(words))
    by_start: dict[str, list[str]] = {}
    for key in keys:
        by_start.setdefault(key[:3], []).append(key)
    return _Forms(frozenset(keys), {start: tuple(alike) for start, alike in by_start.items()}, frozenset(initials))


def _all_initials(words: Iterable[_Word]) -> Iterator[str]:
    """Initials of every run of two to six capitalised words; small joining words may stand between them."""
    run: list[str] = []
    for word in (*words, None):
        if word is not None and word.capital:
            run.append(word.key)
        elif word is None or not run or word.key not in {"of", "the", "and", "for", "in"}:
            for start in range(len(run)):
                yield from (_initials_of(run[start:end]) for end in range(start + 2, min(len(run), start + 6) + 1))
            run = []


def _initials_of(words: Iterable[str]) -> str:
    letters = "".join(word[0] for word in words)
    return letters if len(letters) > 1 else "\0"


def _fold(key: str) -> str:
    """Without accents: São is Sao."""
    if key.isascii():
        return key
    return "".join(char for char in unicodedata.normalize("NFKD", key) if not unicodedata.combining(char))
