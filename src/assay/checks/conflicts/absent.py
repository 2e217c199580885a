"""The names and quantities of a claim that no source has in any form."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from assay.checks.checkable_quantities import is_checkable
from assay.checks.conflicts.bare_differences import find_bare_differences, lend_unit
from assay.checks.conflicts.compounds import find_compounds
from assay.checks.conflicts.conflict import Absent
from assay.checks.conflicts.names import build_forms, find_names
from assay.checks.conflicts.quantities import kind_of
from assay.checks.conflicts.reading import read
from assay.checks.conflicts.torn_numbers import may_be_torn, mend_numbers
from assay.checks.quantity_sentences import Neighbours, cut_sentences
from assay.checks.source_quantities import READ_WHOLE, Shelf, build_shelf, plain, read_source
from assay.checks.source_quantities import Reading as SourceReading
from assay.domain.span import Span
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.quantity_derivations import MOST_SOURCES, derived
from assay.text.quantity_relations import find_support

# "The 60 's" are a decade.
_DECADE: Final = re.compile(r" ?['’]s\b")
# "31 000" is one number, and its first digits are none.
_GAP: Final = re.compile(r"(?<=[0-9])\s(?=[0-9])")
LONGEST: Final = 5_000
"""Characters up to which a text is taken for a claim or a passage."""


def find_absent(claim: str, sources: Sequence[str], language: str = "en", *, small: bool = False) -> tuple[Absent, ...]:
    """In reading order. Roundings, other units, sums and other forms of a name are not absent.

    Nor is a figure that a source has with another bound: the 10 of "above 10%" stands in "7 to 10%". Ordinals are left
    alone, small counts unless asked for, and the first word of a sentence; so is a claim of more than `LONGEST`
    characters. Nothing is said of quantities where a source is longer than is read whole: what was not read may have
    them.
    """
    if len(claim) > LONGEST:
        return ()
    texts = tuple(sources)
    unstated = _unstated(claim, texts, language, small=small)
    missing = (Absent(kind_of(each), each.span) for each in unstated if not _has_figure(each, claim, texts, language))
    return tuple(sorted([*_absent_names(claim, texts, language), *missing], key=lambda each: each.span))


def find_unstated(claim: str, sources: Sequence[str], language: str = "en") -> tuple[Span, ...]:
    """The figures of a claim, small ones too, that no source bears out as the claim bounds them."""
    return tuple(each.span for each in _unstated(claim, tuple(sources), language, small=True))


def _absent_names(claim: str, sources: tuple[str, ...], language: str) -> Iterator[Absent]:
    reading = read(claim, language)
    names = list(find_names(reading))
    if not names:
        return
    forms = build_forms(sources, language)
    for name in names:
        missing = [token.span for token in name.tokens if not token.opens and not forms.has(token, name)]
        if missing:
            yield Absent("name", Span(missing[0].start, missing[-1].end))


def _unstated(claim: str, sources: tuple[str, ...], language: str, *, small: bool) -> Iterator[Quantity]:
    if any(len(text) > READ_WHOLE for text in sources):
        return
    reading = read(claim, language)
    own = [
        each
        for each in reading.quantities
        if is_checkable(each, small=small)
        and not reading.is_torn(each.span)
        and not _DECADE.match(claim, each.span.end)
    ]
    if not own:
        return
    stock = _take_stock(sources, language)
    for each in own:
        whole = reading.find_whole(each.span)
        if not stock.bears_out(each, claim) and not (whole and stock.bears_out(whole, claim)):
            yield each


def _has_figure(quantity: Quantity, claim: str, sources: tuple[str, ...], language: str) -> bool:
    one_sided = quantity.bound not in {Bound.EXACT, Bound.APPROXIMATE, Bound.BETWEEN}
    exact = replace(quantity, bound=Bound.EXACT)
    return one_sided and _take_stock(sources, language).has(exact, quantity.span.of(claim))


class _Stock:
    """The quantities of sources that are read whole, and their sentences where the quantities are too many to pair."""

    def __init__(self, sources: tuple[str, ...], language: str) -> None:
        # Claims decide what is read of longer texts alone.
        readings = [read_source(text, "", language) for text in sources]
        mended = [read_source(mend_numbers(text), "", language) for text in sources if may_be_torn(text)]
        joined = [_join_compounds(text, reading) for text, reading in zip(sources, readings, strict=True)]
        self._shelf: Shelf = build_shelf([*joined, *mended])
        self._words = build_forms(sources, language)
        self._together = tuple(each for reading in readings for each in reading.quantities)
        self._differences = tuple(
            each
            for text, reading in zip(sources, readings, strict=True)
            for each in find_bare_differences(text, reading.quantities)
        )
        self._neighbours: Neighbours | None = None
        if len(self._together) > MOST_SOURCES:
            sentences = [
                sentence
                for text, reading in zip(sources, readings, strict=True)
                for sentence in cut_sentences(text, reading.quantities, language)
                if sentence.quantities
            ]
            self._neighbours = Neighbours(sentences, language)

    def bears_out(self, quantity: Quantity, claim: str) -> bool:
        """Whether a source states it, or two figures that stand close enough together come to it."""
        lent = lend_unit(self._differences, quantity)
        if self.has(quantity, quantity.span.of(claim)) or find_support(quantity, lent) is not None:
            return True
        together = self._together if self._neighbours is None else self._neighbours.near(claim)
        return derived(quantity, together) is not None or bool(lent and derived(quantity, (*lent, *together)))

    def has(self, quantity: Quantity, printed: str) -> bool:
        """Whether a source states it; of a number without a unit the figure is enough, as in "his 20th goal"."""
        printed = _GAP.sub("", printed)
        if quantity.unit is None and (plain(printed) in self._shelf.numerals or printed.lower() in self._words.keys):
            return True
        # Hyphens and spaces decide whether "a week" was read with a price: the price alone is enough.
        bare = (
            replace(quantity, unit=(quantity.unit or "").partition("/")[0]) if quantity.kind is Kind.PRICE else quantity
        )
        if bare.unit != quantity.unit and bare.unit and self._shelf.bears_out(bare, printed):
            return True
        return self._shelf.bears_out(quantity, printed)


def _join_compounds(text: str, reading: SourceReading) -> SourceReading:
    return replace(reading, quantities=(*reading.quantities, *find_compounds(text, reading.quantities)))


_take_stock = lru_cache(maxsize=64)(_Stock)
