"""The products of a comparison as their data gives them: prices, rating and opinions, each value with its place."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from assay.domain.findings import Evidence
from assay.domain.json import JSON
from assay.domain.record import Record, Source
from assay.domain.span import Span
from assay.text.numbers import fold_digits, read_numeral
from assay.text.quantities import find_quantities
from assay.text.quantity import Bound, Kind, Quantity

INPUT: Final = "products"
TITLE, BASE, FINAL, RATING, OPINION = (
    "product_title",
    "base_price",
    "final_price",
    "average_rating",
    "product_opinion_summary",
)
_DIGIT: Final = re.compile("[0-9]")
_OUT_OF: Final = re.compile(r"(?P<score>[0-9][0-9.,]{0,5}) out of (?P<most>5|10|100)")
_PEOPLE: Final = re.compile(
    r" (?!(?:stars|from|for|based|with|and|but|across|according|among|points)\b)(?:[a-z]{3,} )?(?:people|[a-z]{3,}s)\b"
)
# Numbers are looked for in so much of an opinion summary; a longer one is a book, not a summary.
_MOST_CHARACTERS: Final = 200_000


@dataclass(frozen=True, slots=True)
class Datum:
    """A value of the data, taken as exact, with the stretch of the source that gives it."""

    quantity: Quantity
    evidence: Evidence

    @property
    def written(self) -> str:
        return self.evidence.quote

    @property
    def amount(self) -> Fraction | None:
        """One number, where it is one and not a range."""
        return None if self.quantity.bound is Bound.BETWEEN else self.quantity.value


@dataclass(frozen=True, slots=True)
class Product:
    """`said` are the quantities of its title and its opinion summary, `unreadable` the fields that hold no value."""

    number: int
    source: str
    title: str
    opinion: str
    base: Datum | None
    final: Datum | None
    rating: Datum | None
    opinion_ratings: tuple[Datum, ...]
    said: tuple[Quantity, ...]
    unreadable: tuple[tuple[str, str], ...]

    @property
    def ratings(self) -> tuple[Datum, ...]:
        """The field where there is one, else what the opinion summary states."""
        return (self.rating,) if self.rating is not None else self.opinion_ratings


def build_products(record: Record, language: str = "en") -> tuple[Product, ...]:
    """The products in the record's order; none where the record compares none."""
    values = record.inputs.get(INPUT)
    sources = [source for source in record.sources if source.input == INPUT]
    if not isinstance(values, list | tuple):
        return ()
    pairs = zip(sources, values, strict=False)
    return tuple(
        _build_product(number, source, value, language)
        for number, (source, value) in enumerate(pairs, 1)
        if isinstance(value, Mapping)
    )


def _build_product(number: int, source: Source, values: Mapping[str, JSON], language: str) -> Product:
    texts = {name: _as_text(values.get(name)) for name in (TITLE, BASE, FINAL, RATING, OPINION)}
    data = {name: _read_datum(source, name, texts[name], language) for name in (BASE, FINAL, RATING)}
    opinion = texts[OPINION][:_MOST_CHARACTERS]
    start = _find_value(source, OPINION, texts[OPINION]).start
    said = read_figures(opinion, language)
    return Product(
        number=number,
        source=source.id,
        title=texts[TITLE],
        opinion=opinion,
        base=data[BASE],
        final=data[FINAL],
        rating=data[RATING],
        opinion_ratings=tuple(_opinion_ratings(source, said, start)),
        said=(*said, *read_figures(texts[TITLE], language)),
        unreadable=tuple((name, texts[name]) for name in (BASE, FINAL) if data[name] is None),
    )


def _as_text(value: JSON) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if isinstance(value, str) else str(value) if number else ""


def _find_value(source: Source, name: str, text: str) -> Span:
    """Where the value stands in the labelled lines that the source is made of."""
    line = f"{name.replace('_', ' ').capitalize()}: {text}"
    at = 0 if source.text.startswith(line) else source.text.find(f"\n{line}") + 1
    start = at + len(line) - len(text)
    return Span(start, start + len(text))


def _read_datum(source: Source, name: str, text: str, language: str) -> Datum | None:
    place = _find_value(source, name, text)
    quantity = read_rating(text, language) if name == RATING else read_price(text, language)
    if quantity is None or quantity.low <= 0 or place.of(source.text) != text:
        return None
    bare = text.strip()
    span = Span(place.start + text.index(bare), place.start + text.index(bare) + len(bare))
    return Datum(quantity, Evidence(source.id, span, bare))


def read_price(text: str, language: str = "en") -> Quantity | None:
    """The one price that a field holds, bare or with its currency; several prices are none."""
    bare = read_bare_number(text, language)
    if bare is not None:
        return _exactly(bare)
    found = find_quantities(text, language)
    prices = [quantity for quantity in found if quantity.kind is Kind.PRICE]
    if len(prices) == 1:
        return _exactly(prices[0])
    return None


def read_rating(text: str, language: str = "en") -> Quantity | None:
    """The rating that a field holds; without a scale it is out of five, or of the next usual scale that has room."""
    bare = read_bare_number(text, language)
    if bare is not None:
        scale = next((most for most in (5, 10, 100) if bare.value <= most), None)
        return None if scale is None else replace(_exactly(bare), unit=f"/{scale}", kind=Kind.RATING)
    rated = [quantity for quantity in read_figures(text, language) if quantity.kind is Kind.RATING]
    return _exactly(rated[0]) if rated else None


def read_figures(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """The quantities of a text, where 3.9 out of 5 is a rating whatever follows, unless people are counted so."""
    return tuple(_as_rating(text, quantity, language) for quantity in find_quantities(text, language))


def _as_rating(text: str, quantity: Quantity, language: str) -> Quantity:
    scaled = _OUT_OF.fullmatch(quantity.span.of(text)) if quantity.kind is Kind.NUMBER else None
    if scaled is None or _PEOPLE.match(text, quantity.span.end):
        return quantity
    score = read_bare_number(scaled["score"], language)
    return (
        quantity if score is None else replace(score, unit=f"/{scaled['most']}", kind=Kind.RATING, span=quantity.span)
    )


def read_bare_number(text: str, language: str = "en") -> Quantity | None:
    """The number of a text that is nothing but a number."""
    folded = fold_digits(text.strip())
    number = read_number_at(folded, 0, language) if _DIGIT.match(folded) else None
    return number if number is not None and number.span.end == len(folded) else None


def read_number_at(folded: str, start: int, language: str = "en") -> Quantity | None:
    """The number that starts there, whatever follows it."""
    numeral = read_numeral(folded, start, language)
    if numeral is None:
        return None
    half = numeral.step / 2
    span = Span(numeral.start, numeral.end)
    low, high = numeral.value - half, numeral.value + half
    return Quantity(low, high, numeral.value, None, Kind.NUMBER, Bound.EXACT, span)


def _exactly(quantity: Quantity) -> Quantity:
    if quantity.bound is Bound.BETWEEN:
        return quantity
    return replace(quantity, low=quantity.value, high=quantity.value, bound=Bound.EXACT)


def _opinion_ratings(source: Source, said: tuple[Quantity, ...], start: int) -> Iterator[Datum]:
    for quantity in said:
        if quantity.kind is Kind.RATING:
            span = quantity.span.shifted(start)
            yield Datum(quantity, Evidence(source.id, span, span.of(source.text)))
