"""The names of a text, and whether another text has them in any form."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from rapidfuzz.distance import Levenshtein

from assay.checks.conflicts.reading import Reading, Token, read
from assay.checks.conflicts.word_sets import word_set
from assay.domain.span import Span

_JOINED: Final = re.compile(r"[ \u00a0.'’&-]{0,3}")
# Capitalised words that name nobody: titles, calendar words, and what opens a sentence or a heading.
_NO_NAMES: Final = word_set(
    """
    mr mrs ms miss dr sir lord lady prof professor president vice prime minister chief executive officer ceo judge
    justice senator governor mayor king queen prince princess pope general captain sergeant lieutenant colonel major
    secretary chancellor director chairman chairwoman coach manager detective inspector officer police
    january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri
    sat sun i i'm i'd i'll i've ok okay am pm gmt est pst bst utc et bc ad ce tv dvd cd
    however although though while when after before since because if unless despite according meanwhile moreover
    furthermore additionally also then thus therefore overall finally first second third both many most some several
    few all each every another other others such this that these those there here what who which where why how
    no not yes the a an and but or as at by for from in into of on to with without within it its he she they we you
    his her their our your my him them us me one two three four five six seven eight nine ten christmas easter god
    """
)
_ALIASES: Final = """
us usa america american americans united states
uk britain british briton britons england english united kingdom
eu europe european union
uae emirates emirati
france french
netherlands dutch holland
switzerland swiss
spain spanish spaniard spaniards
greece greek greeks
denmark danish dane danes
wales welsh
ireland irish
china chinese
poland polish pole poles
turkey turkish turk turks
thailand thai
philippines filipino filipinos philippine
finland finnish finn
sweden swedish swede swedes
norway norwegian
germany german
scotland scottish scots
iceland icelandic
portugal portuguese
czech czechia
burma burmese myanmar
peru peruvian
wwi wwii
ny nyc new york
la los angeles
dc washington
un united nations
"""


@dataclass(frozen=True, slots=True)
class Name:
    """A run of capitalised words; `opens` where its first word also opens a sentence."""

    tokens: tuple[Token, ...]
    places: range
    opens: bool

    @property
    def span(self) -> Span:
        return Span(self.tokens[0].span.start, self.tokens[-1].span.end)


def find_names(reading: Reading) -> Iterator[Name]:
    """Names in order; none in a text without capitals, and no single word that opens a sentence."""
    if not reading.cased:
        return
    run: list[int] = []
    for place, token in enumerate((*reading.tokens, None)):
        if token is not None and run and _continues(reading, run[-1], token):
            run.append(place)
            continue
        if run:
            name = _build(reading, run)
            if name:
                yield name
        run = [place] if token is not None and _is_capital(token) else []


def _is_capital(token: Token) -> bool:
    return token.capital and token.key not in _NO_NAMES and token.key[0].isalpha()


def _continues(reading: Reading, last: int, token: Token) -> bool:
    before = reading.tokens[last]
    between = reading.text[before.span.end : token.span.start]
    if not _is_capital(token) or token.sentence != before.sentence:
        return False
    return bool(_JOINED.fullmatch(between)) and not before.span.of(reading.text).endswith(("'s", "’s"))


def _build(reading: Reading, run: list[int]) -> Name | None:
    tokens = tuple(reading.tokens[place] for place in run)
    if tokens[0].opens and len(tokens) == 1:
        return None
    return Name(tokens, range(run[0], run[-1] + 1), tokens[0].opens)


@dataclass(frozen=True, slots=True)
class Forms:
    """The words of texts, so that a name can be found in another form: adjective, initials, misspelling."""

    keys: frozenset[str]
    by_start: dict[str, tuple[str, ...]]
    initials: frozenset[str]

    def has(self, token: Token, name: Name) -> bool:
        """Whether any text has the word, an alias, a word grown from it, its initials, or a slip of the pen."""
        key = fold(token.key)
        if key in self.keys or any(alias in self.keys for alias in aliases().get(key, ())):
            return True
        if key in self.initials or initials_of(each.key for each in name.tokens) in self.keys:
            return True
        return any(_is_grown(key, other) for other in self.by_start.get(key[:3], ())) or self._has_slip(key)

    def _has_slip(self, key: str) -> bool:
        if len(key) < 5:
            return False
        return any(Levenshtein.distance(key, other, score_cutoff=1) <= 1 for other in self.by_start.get(key[:3], ()))


def _is_grown(one: str, other: str) -> bool:
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    return shared >= 4 and shared >= min(len(one), len(other)) - 3


def initials_of(words: Iterable[str]) -> str:
    letters = "".join(word[0] for word in words)
    return letters if len(letters) > 1 else "\0"


def fold(key: str) -> str:
    """Without accents: São is Sao."""
    if key.isascii():
        return key
    return "".join(char for char in unicodedata.normalize("NFKD", key) if not unicodedata.combining(char))


@cache
def aliases() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _ALIASES.strip().splitlines():
        words = line.split()
        for word in words:
            found.setdefault(word, set()).update(words)
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=512)
def build_forms(texts: tuple[str, ...], language: str = "en") -> Forms:
    keys: set[str] = set()
    initials: set[str] = set()
    for text in texts:
        reading = read(text, language)
        keys.update(map(fold, reading.keys))
        keys.update(each.group().replace(".", "").lower() for each in re.finditer(r"\b(?:[A-Za-z]\.){2,}", text))
        initials.update(_all_initials(reading))
    by_start: dict[str, list[str]] = {}
    for key in keys:
        by_start.setdefault(key[:3], []).append(key)
    return Forms(frozenset(keys), {start: tuple(words) for start, words in by_start.items()}, frozenset(initials))


def _all_initials(reading: Reading) -> Iterator[str]:
    """Initials of every run of two to six capitalised words, small joining words left out or taken in."""
    run: list[str] = []
    for token in (*reading.tokens, None):
        if token is not None and token.capital:
            run.append(token.key)
            continue
        if token is not None and run and token.key in {"of", "the", "and", "for", "in"}:
            continue
        for start in range(len(run)):
            for end in range(start + 2, min(len(run), start + 6) + 1):
                yield initials_of(run[start:end])
        run = []
