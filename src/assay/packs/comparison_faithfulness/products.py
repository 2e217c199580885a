"""Numbers as a comparison prints them, and the products' data that they are compared with."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as combinations
from typing import Final

from assay.domain.findings import Evidence
from assay.domain.json import JSON
from assay.domain.record import Record, Source
from assay.domain.span import Span
from assay.text.quantities import fold_digits, parse_currency, parse_numeral

PRODUCTS: Final = "products"
TITLE, BASE, FINAL, RATING = "product_title", "base_price", "final_price", "average_rating"
OPINION: Final = "product_opinion_summary"
# An asterisk at one end alone is a footnote.
_EMPHASIS: Final = re.compile(r"\s*([*_`]{0,3})(?P<text>.*?)\1\s*", re.DOTALL)
_NUMBER: Final = r"(?P<number>[0-9](?:[0-9.,' \u00a0]{0,30}[0-9])?)"
_LONGEST: Final = 80
_PRICE: Final = re.compile(
    rf"(?P<before>[^0-9]{{0,8}}?){_NUMBER}(?P<after>[^0-9/]{{0,24}}?)(?:/-)?(?: only)?\.?", re.IGNORECASE
)
_RATING: Final = re.compile(
    rf"{_NUMBER}(?: ?(?:/|out of) ?(?P<scale>5|10|100))? ?(?:stars?|[★⭐]\ufe0f?)?\.?", re.IGNORECASE
)
_STATED_RATING: Final = re.compile(
    rf"{_NUMBER} ?(?:(?:/|out of) ?(?P<scale>5|10|100)(?![0-9])|(?:stars?\b|[★⭐]))", re.IGNORECASE
)
_ONE_RATING: Final = (
    r"(?P<number>[0-9]{1,2}(?:[.,][0-9]{1,2})?)(?![0-9]|[.,][0-9]| ?%| ?(?:[-–]|to|or) ?[0-9])"
    r"(?: ?(?:/|out of) ?(?P<scale>5|10|100)(?![0-9]))?+(?: ?(?:stars?\b|[★⭐]))?+"
    # What one buyer gives, or what is said of one property, is not the average of the product.
    r"(?! (?:by|for|in|among|from (?:a|one|some)|on (?:the|its))\b)"
)
_AVERAGE_RATINGS: Final = tuple(
    re.compile(form.replace("RATING", _ONE_RATING), re.IGNORECASE)
    for form in (
        r"\b(?:average|avg\.?|mean|overall) (?:(?:customer|user|buyer) )?rating ?(?:is |of |was |[:=–-] ?)?RATING",
        r"(?:^|(?<=[.;!] )|\b(?:is|was|are) )rated RATING",
        r"(?<![0-9.,])RATING (?:(?:average|avg\.?) rating|on average)\b",
    )
)
_PERCENTAGE: Final = re.compile(rf"[-–−]? ?{_NUMBER} ?%(?: ?(?:off|discount))?\.?", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_]+\+*")
_STOP_LIST: Final = "a an the and or of for with by in on to from at is"
_STOP_WORDS: Final = frozenset(_STOP_LIST.split())
_NUMBER_NAMES: Final = ("1 i a one", "2 ii b two", "3 iii c three")
_NUMBERS: Final = {name: number for number, names in enumerate(_NUMBER_NAMES, 1) for name in names.split()}
_NUMBERED: Final = re.compile(
    r"\W{0,4}(?:product|option|item|model) ?#?(?P<number>[123]|i{1,3}|[abc]|one|two|three)\b[\s:.)–—-]{0,4}",
    re.IGNORECASE,
)
# A comparison of three products has no more labels than this.
_MOST_LABELS: Final = 8


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """`readings` are the number and the worth of its last place, in every way its digits can be read.

    "1.299" is 1299 in some countries. `unit` is the currency or the scale, where it is printed.
    """

    readings: tuple[tuple[Fraction, Fraction], ...]
    unit: str | None = None

    @property
    def values(self) -> tuple[Fraction, ...]:
        return tuple(value for value, _ in self.readings)

    def stands_for(self, true: Fraction) -> bool:
        """Whether this is the number, rounded or cut off at its last place, as shops do."""
        return any(
            abs(true - value) <= step / 2 or (step <= 1 and 0 <= true - value < step) for value, step in self.readings
        )


def parse_price(text: str) -> PrintedNumber | None:
    """One price, bare or with its currency. None for a range, for several numbers and for any other words."""
    found = _PRICE.fullmatch(_strip(text))
    if found is None:
        return None
    currencies = {parse_currency(sign) for name in ("before", "after") if (sign := found[name].strip())}
    if None in currencies or len(currencies) > 1:
        return None
    return _parse_number(found["number"], next(iter(currencies), None))


def parse_rating(text: str) -> PrintedNumber | None:
    """One rating: 4.2, 4.2/5, 4.2 out of 5 stars."""
    found = _RATING.fullmatch(_strip(text))
    return None if found is None else _parse_number(found["number"], found["scale"])


def parse_percentage(text: str) -> PrintedNumber | None:
    """A percentage taken off: 20 %, -20%, 20 % off."""
    found = _PERCENTAGE.fullmatch(_strip(text))
    return None if found is None else _parse_number(found["number"], "%")


def _strip(text: str) -> str:
    found = _EMPHASIS.fullmatch(fold_digits(text)) if len(text) <= _LONGEST else None
    return found["text"] if found else ""


def _parse_number(text: str, unit: str | None) -> PrintedNumber | None:
    readings = parse_numeral(text)
    return PrintedNumber(tuple(readings), unit) if readings else None


@dataclass(frozen=True, slots=True)
class ProductValue:
    """A value of a product's data with the stretch of the source that gives it."""

    amount: PrintedNumber
    evidence: Evidence

    @property
    def written(self) -> str:
        return self.evidence.quote


@dataclass(frozen=True, slots=True)
class Product:
    """`fields` holds those that can be read, `unreadable` the text of the prices that can't.

    Without a field for it, the average rating is the one that the opinion summary states. `ratings` are all it states.
    """

    number: int
    title: str
    fields: Mapping[str, ProductValue]
    unreadable: Mapping[str, str]
    ratings: tuple[ProductValue, ...]

    @property
    def words(self) -> frozenset[str]:
        return split_words(self.title)

    @property
    def first_word(self) -> str:
        """The brand or the name: a label without it may name a part or a property."""
        return next((match[0].casefold() for match in _WORD.finditer(self.title)), "")


def build_products(record: Record) -> tuple[Product, ...]:
    """The products in the record's order; none where the record holds none."""
    values = record.inputs.get(PRODUCTS)
    sources = [source for source in record.sources if source.input == PRODUCTS]
    if not isinstance(values, list | tuple):
        return ()
    pairs = enumerate(zip(sources, values, strict=False), 1)
    return tuple(_build_product(at, source, value) for at, (source, value) in pairs if isinstance(value, Mapping))


def _build_product(number: int, source: Source, values: Mapping[str, JSON]) -> Product:
    texts = {name: _as_text(values.get(name)) for name in (TITLE, BASE, FINAL, RATING)}
    read = {name: _read_field(source, name, texts[name]) for name in (BASE, FINAL, RATING)}
    fields = {name: field for name, field in read.items() if field is not None}
    opinion = _as_text(values.get(OPINION))
    averages = list(_find_ratings(source, opinion, _AVERAGE_RATINGS))
    if not texts[RATING].strip() and len({each.amount.values for each in averages}) == 1:
        fields[RATING] = averages[0]
    unreadable = {name: texts[name] for name in (BASE, FINAL) if name not in fields}
    ratings = tuple(_find_ratings(source, opinion, (_STATED_RATING,)))
    return Product(number, texts[TITLE], fields, unreadable, ratings)


def _as_text(value: JSON) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if isinstance(value, str) else str(value) if is_number else ""


def _read_field(source: Source, name: str, text: str) -> ProductValue | None:
    """A source is made of lines such as "Base price: 2499", each under the name of its own field."""
    amount = parse_rating(text) if name == RATING else parse_price(text)
    bare = text.strip()
    line = re.search(rf"^{name.replace('_', ' ').capitalize()}:\s*{re.escape(bare)}\s*$", source.text, re.MULTILINE)
    if amount is None or line is None or max(amount.values) <= 0:
        return None
    start = line.start() + line[0].rindex(bare)
    return ProductValue(amount, Evidence(source.id, Span(start, start + len(bare)), bare))


def _find_ratings(source: Source, opinion: str, patterns: Sequence[re.Pattern[str]]) -> Iterator[ProductValue]:
    for line, pattern in combinations(opinion.splitlines(), patterns):
        start = source.text.find(line) if line.strip() else -1
        for match in pattern.finditer(fold_digits(line)) if start >= 0 else ():
            amount = _parse_number(match["number"], match["scale"])
            if amount is not None:
                span = Span(match.start("number"), match.end()).shifted(start)
                yield ProductValue(amount, Evidence(source.id, span, span.of(source.text)))


def split_words(text: str) -> frozenset[str]:
    """The words that tell titles apart."""
    return frozenset(match[0].casefold() for match in _WORD.finditer(text)) - _STOP_WORDS


def match_labels(labels: Iterable[str], products: Sequence[Product]) -> dict[str, Product]:
    """The product each label names, by words of its title alone or by its number: "Aster Go", "Product 2".

    A label is left out where it may name more than one of the products.
    """
    candidates = {label: _find_candidates(label, products) for label in dict.fromkeys(labels)}
    candidates = {label: found for label, found in candidates.items() if found}
    if not candidates or len(candidates) > _MOST_LABELS:
        return {}
    ways = [way for way in combinations(*candidates.values()) if len({each.number for each in way}) == len(way)]
    # A product that a label has in all assignments is certain, even if other labels are not.
    return {label: ways[0][at] for at, label in enumerate(candidates) if len({way[at].number for way in ways}) == 1}


def _find_candidates(label: str, products: Sequence[Product]) -> list[Product]:
    numbered = _NUMBERED.match(label)
    words = split_words(label[numbered.end() :] if numbered else label)
    if numbered and not words:
        return [each for each in products if each.number == _NUMBERS[numbered["number"].casefold()]]
    exact = [each for each in products if each.words == words]
    return exact or [each for each in products if words <= each.words and each.first_word in words]
