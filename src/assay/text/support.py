"""Finds reasons to doubt that quotes support a claim, though they were found: they say less, or the opposite.

Nothing of this is proof. Figures are read in any language, all else only where claim and quotes share one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from assay.domain.span import Span
from assay.text.dates import find_missing_dates
from assay.text.figures import find_unsourced, shares_value
from assay.text.keywords import is_same_root, keywords
from assay.text.names import find_missing_names
from assay.text.polarity import explain_bound, explain_negation, without_limits
from assay.text.quantities import fold_digits
from assay.text.quotes import count_words

_FEWEST_WORDS: Final = 3
_ACRONYM: Final = re.compile(r"\b[A-Z]{2,}\b")
# What stands around a whole field, cell or sentence.
_OPENS: Final = re.compile(r"(?:^|[\n|:\t.!?。])[\s*_\"'“”]*$")
_CLOSES: Final = re.compile(r"[\s*_\"'“”]*(?:$|[\n|\t.;!?。])")
# Up to five words of the same clause beside a quote: a judge may leave a "not" out.
_LEFT: Final = re.compile(r"(?:[^\s.,;:!?|]+[^\S\n]+){0,5}$")
_RIGHT: Final = re.compile(r"(?:[^\S\n]+[^\s.,;:!?|]+){0,5}")
_NEAR: Final = 120
_LONGEST_CLAIM: Final = 2_000
_LONGEST_CONTEXT: Final = 4_000
_FARTHEST: Final = 20_000
"""Characters of claims, quotes and the text around them that are compared; the rest takes time from other asks."""

Doubt = tuple[str, str]
"""A flag, and what was noticed, in words fit for a re-ask."""


class Quote(NamedTuple):
    """A quote's place in a source, and the places of that source's sentences."""

    source: str
    span: Span
    sentences: Sequence[Span]

    @property
    def quoted(self) -> list[Span]:
        return [each for each in self.sentences if each.overlaps(self.span)]

    def is_said(self) -> bool:
        """Whether the quote has enough words, or is a whole sentence, field or cell."""
        before, after = self.source[max(0, self.span.start - 9) : self.span.start], self.source[self.span.end :][:9]
        is_whole = _OPENS.search(before) is not None and _CLOSES.match(after) is not None
        return is_whole or count_words(self.span.of(self.source)) >= _FEWEST_WORDS

    def widen(self) -> str:
        left = _LEFT.search(self.source, max(0, self.span.start - _NEAR), self.span.start)
        right = _RIGHT.match(self.source, self.span.end, self.span.end + _NEAR)
        return self.source[left.start() if left else self.span.start : right.end() if right else self.span.end]


@dataclass(frozen=True)
class Quoted:
    """A claim beside its quotes. `place` is a cell's row and column, `titles` what else is known of the sources.

    Without slots, so that the texts are put together once.
    """

    claim: str
    quotes: Sequence[Quote]
    language: str
    place: str = ""
    titles: str = ""
    is_foreign: bool = False

    def find_doubts(self, *, in_full: bool = True) -> Iterator[Doubt]:
        """All doubts. With `in_full`, the quotes must have every figure, date and name of the claim."""
        if not any(quote.is_said() for quote in self.quotes):
            yield "quote_short", f"the quote has fewer than {_FEWEST_WORDS} words"
        if missing := self._find_missing() if in_full else []:
            yield "quote_incomplete", f"no quote holds {', '.join(span.of(self.claim) for span in sorted(missing))}"
        if self.is_foreign:
            return
        if self._is_unrelated:
            yield "quote_unrelated", "the quote has nothing in common with the claim, or one word only"
        claim, in_context = self.claim[:_LONGEST_CLAIM], " … ".join(quote.widen() for quote in self.quotes)
        if differs := explain_negation(claim, in_context[:_LONGEST_CONTEXT], self.language):
            yield "quote_negation", differs
        if differs := explain_bound(claim, in_context[:_LONGEST_CONTEXT]):
            yield "quote_bound", differs

    @cached_property
    def _said(self) -> str:
        return " … ".join([*(quote.span.of(quote.source) for quote in self.quotes), self.titles])

    def _find_missing(self) -> list[Span]:
        missing = find_unsourced(without_limits(self.claim[:_LONGEST_CLAIM]), (self._said,), self.language)
        if self.is_foreign:
            return missing
        missing += find_missing_dates(fold_digits(self.claim), fold_digits(self._said))
        # A pronoun stands for a name before it.
        ends = {quote.source: max(each.end for each in (*quote.quoted, quote.span)) for quote in self.quotes}
        before = " ".join(source[max(0, end - _FARTHEST) : end] for source, end in ends.items())
        return missing + find_missing_names(self.claim, (f"{before} {self.titles}",), self.language)

    @cached_property
    def _is_unrelated(self) -> bool:
        """Whether claim and quotes share no word, value or acronym, or only one word that other sentences have too."""
        claim = f"{self.place} {self.claim[:_LONGEST_CLAIM]}"
        own, quoted = keywords(claim, self.language), keywords(self._said, self.language)
        shared = {word for word in own if any(is_same_root(word, other) for other in quoted)}
        shared.update(set(_ACRONYM.findall(claim)) & set(_ACRONYM.findall(self._said)))
        if not shared:
            return bool(own) and not shares_value(claim, self._said, self.language)
        if len(shared) > 1 or len(own) < _FEWEST_WORDS:
            return False
        told = {(quote.source, each) for quote in self.quotes for each in quote.quoted}
        every = ((quote.source, each) for quote in self.quotes for each in quote.sentences)
        rest = " ".join(each.of(source) for source, each in dict.fromkeys(every) if (source, each) not in told)
        others = keywords(rest[:_FARTHEST], self.language)
        return not others or any(is_same_root(word, other) for word in shared for other in others)
