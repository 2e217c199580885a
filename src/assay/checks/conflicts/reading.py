"""The words of a text with what the conflict rules ask of them: stem, capital, sentence and stretch."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from assay.checks.conflicts.bare_differences import find_bare_differences
from assay.checks.conflicts.compounds import find_compounds
from assay.checks.conflicts.torn_numbers import find_torn, may_be_torn, mend_numbers
from assay.domain.span import Span
from assay.text.keywords import keywords
from assay.text.quantities import find_quantities
from assay.text.quantity import Quantity
from assay.text.quantity_spaces import find_loose_groups, harden_spaces
from assay.text.sentences import split_sentences

_TOKEN: Final = re.compile(
    r"(?P<initials>(?:[A-Za-z]\.){2,})|(?P<number>\d+(?:[.,:]\d+)*)|(?P<word>[^\W\d_][^\W_]*(?:['’][^\W\d_]+)*)"
    r"|(?P<break>[,;:()\[\]{}\"“”|\n—–]| - |--)"
)
# What some models print for a word they do not know.
_UNKNOWN: Final = "UNK"
_BREAKING_WORDS: Final = frozenset(
    {"and", "but", "or", "while", "whereas", "although", "though", "because", "which", "who", "that", "if", "unless"}
)
_REMEMBERED: Final = 20_000
_LEADS_A_SENTENCE: Final = re.compile(r"(?:^|[.!?:;|\n\"“”‘’'(•*>–—-])[\s\"“‘'(]*$")


@dataclass(frozen=True, slots=True)
class Token:
    """One word or number; the stem of a function word is empty.

    A stretch is what lies between two signs or joining words: within it a negation is taken to reach.
    """

    key: str
    stem: str
    span: Span
    sentence: int
    stretch: int
    capital: bool
    opens: bool


@dataclass(frozen=True)
class Reading:
    text: str
    language: str
    tokens: tuple[Token, ...]

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        return find_quantities(self.text, self.language)

    @cached_property
    def torn(self) -> list[tuple[int, int]]:
        return find_torn(self.text)

    @cached_property
    def supports(self) -> tuple[Quantity, ...]:
        """The quantities, and those that appear when torn numbers and amounts in two units are joined."""
        told = self.quantities + self.compounds
        return told + find_quantities(mend_numbers(self.text), self.language) if may_be_torn(self.text) else told

    @cached_property
    def compounds(self) -> tuple[Quantity, ...]:
        return tuple(find_compounds(self.text, self.quantities))

    @cached_property
    def differences(self) -> tuple[Quantity, ...]:
        return tuple(find_bare_differences(self.text, self.quantities))

    def is_torn(self, span: Span) -> bool:
        return any(span.overlaps(Span(*each)) for each in self.torn)

    @cached_property
    def whole_groups(self) -> tuple[Quantity, ...]:
        """What groups of digits are if each is one number, where they may also be several: "12 500 people"."""
        loose = [Span(*each) for each in find_loose_groups(self.text)]
        if not loose:
            return ()
        joined = find_quantities(harden_spaces(self.text, sure=False), self.language)
        return tuple(each for each in joined if any(each.span.overlaps(span) for span in loose))

    def find_whole(self, span: Span) -> Quantity | None:
        """What a quantity may be only a part of."""
        return next((each for each in (*self.whole_groups, *self.compounds) if each.span.overlaps(span)), None)

    @cached_property
    def content(self) -> tuple[int, ...]:
        """The places of the tokens that are no function words."""
        return tuple(at for at, token in enumerate(self.tokens) if token.stem)

    @cached_property
    def rank(self) -> tuple[int, ...]:
        """For each token, how many content tokens stand before it."""
        ranks, count = [], 0
        for token in self.tokens:
            ranks.append(count)
            count += bool(token.stem)
        return tuple(ranks)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens if token.stem)

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(token.key for token in self.tokens)

    @cached_property
    def sentence_stems(self) -> tuple[frozenset[str], ...]:
        count = self.tokens[-1].sentence + 1 if self.tokens else 0
        found: list[set[str]] = [set() for _ in range(count)]
        for token in self.tokens:
            if token.stem:
                found[token.sentence].add(token.stem)
        return tuple(frozenset(each) for each in found)

    @cached_property
    def asked(self) -> frozenset[int]:
        """The sentences that hold a question."""
        marks = [at for at, char in enumerate(self.text) if char == "?"]
        ends = [token.span.end for token in self.tokens]
        return frozenset(self.tokens[max(0, bisect_right(ends, at) - 1)].sentence for at in marks if self.tokens)

    @cached_property
    def cased(self) -> bool:
        """Whether capitals mean something here: neither all small, nor a headline."""
        words = [token for token in self.tokens if token.stem and not token.opens and token.key[0].isalpha()]
        capitals = sum(token.capital for token in words)
        return capitals > 0 and (capitals <= 0.7 * len(words) or len(words) < 4)

    def at(self, span: Span) -> range:
        """The places of the tokens that a span covers."""
        inside = [place for place, token in enumerate(self.tokens) if token.span.overlaps(span)]
        return range(inside[0], inside[-1] + 1) if inside else range(0)


def read(text: str, language: str = "en") -> Reading:
    return _remember(text, language) if len(text) <= _REMEMBERED else _read(text, language)


def _read(text: str, language: str) -> Reading:
    tokens: list[Token] = []
    stretch, sentence = 0, -1
    for whole in split_sentences(text, language):
        stretch += 1
        sentence += 1
        for found in _TOKEN.finditer(text, whole.start, whole.end):
            if found.lastgroup == "break":
                stretch += 1
                # Turns of a dialogue and lines of a page are sentences, whatever ends them.
                sentence += found.group() in "|\n" and bool(tokens) and tokens[-1].sentence == sentence
                continue
            start, end = found.span()
            word = found.group().replace(".", "") if found.lastgroup == "initials" else found.group()
            key = word.lower().replace("’", "'").removesuffix("'s")
            if key == "t" and text[max(0, start - 2) : start].strip() in {"'", "’"}:
                key = "n't"  # a tokeniser's "can ' t"
            if key in _BREAKING_WORDS:
                stretch += 1
            opens = start == whole.start or bool(_LEADS_A_SENTENCE.search(text, max(0, start - 4), start))
            stem = "" if not key else _stem(key, language)
            capital = word[0].isupper() and len(word) > 1 and word != _UNKNOWN
            tokens.append(Token(key, stem, Span(start, end), sentence, stretch, capital, opens))
    return Reading(text, language, tuple(tokens))


_remember = lru_cache(maxsize=4096)(_read)


@lru_cache(maxsize=65_536)
def _stem(key: str, language: str) -> str:
    return next(iter(keywords(key, language)), "")
