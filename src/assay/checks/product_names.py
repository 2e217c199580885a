"""Which product of a comparison a label or a sentence names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from assay.checks.product_data import Product
from assay.domain.span import Span

_TOKEN: Final = re.compile(r"[^\W_]+\+*")
_STOP_LIST: Final = "a an the and or of for with by in on to from at is product item option model"
_STOPS: Final = frozenset(_STOP_LIST.split())
_NUMBER_NAMES: Final = ("1 i a one first", "2 ii b two second", "3 iii c three third")
_ORDINALS: Final = {name: number for number, names in enumerate(_NUMBER_NAMES, 1) for name in names.split()}
_NUMBERED: Final = re.compile(
    r"^\W*(?:product|option|item|model|choice|p(?=\d))\s*(?:(?:no\.?|number|#)\s*)?(?P<number>1|2|3|i{1,3}|[abc]|one|two|three)"
    r"\b(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_LISTED: Final = r"(?:\b(?:[123]|I{1,3}|[ABC]|one|two|three)\b)"
_NUMBERED_IN_TEXT: Final = re.compile(
    rf"\b(?:[Pp]roduct|[Oo]ption|[Ii]tem)s?\s+#?(?P<numbers>{_LISTED}(?:\s?(?:,|and|&|,\s?and)\s?{_LISTED}){{0,2}})"
    r"(?![\w.]?\d|-)"
    r"|\b[Tt]he (?P<place>first|second|third) (?:product|option|item|model|one|choice)\b"
)
_LEAST_SHARE: Final = 0.6
_GAP: Final = re.compile(r"[ \u00a0-]{0,2}|\.")


@dataclass(frozen=True, slots=True)
class Mention:
    """A product named in a text; None for the product where it can't be told which of them is meant."""

    span: Span
    product: Product | None


def tokenise(text: str) -> list[str]:
    return [match[0].casefold() for match in _TOKEN.finditer(text)]


def match_labels(labels: Sequence[str], products: Sequence[Product]) -> dict[str, Product]:
    """The products that the labels of one side of a table name; the last label left takes the last product left."""
    distinct = list(dict.fromkeys(label for label in labels if label.strip()))
    found = {label: product for label in distinct if (product := match_label(label, products)) is not None}
    named = [product.number for product in found.values()]
    if len(set(named)) < len(named):
        found = {label: product for label, product in found.items() if named.count(product.number) == 1}
    left = [product for product in products if product.number not in {each.number for each in found.values()}]
    unmatched = [label for label in distinct if label not in found]
    if len(left) == len(unmatched) == 1 and len(products) > 1 and _shares_a_word(unmatched[0], left[0]):
        found[unmatched[0]] = left[0]
    return found


def find_shared_words(products: Sequence[Product]) -> frozenset[str]:
    """What all titles call their product, such as kettle and kettles: words that set none of them apart."""
    titles = [{word.removesuffix("s") for word in tokenise(product.title)} - _STOPS for product in products]
    shared = set.intersection(*titles) if titles else set()
    return frozenset({*shared, *(f"{word}s" for word in shared)})


def _shares_a_word(label: str, product: Product) -> bool:
    return bool(({*tokenise(label)} - _STOPS) & {*tokenise(product.title)})


def match_label(label: str, products: Sequence[Product]) -> Product | None:
    """By its title or a part of it that no other title has, else by its number: Product 1, Product II, Item C."""
    by_title = _match_title(label, products)
    numbered = _NUMBERED.match(label)
    if numbered is None:
        return by_title
    rest = _match_title(numbered["rest"], products)
    number = _ORDINALS[numbered["number"].casefold()]
    by_number = next((product for product in products if product.number == number), None)
    return rest or (by_number if len(tokenise(label)) <= 2 or by_title is None else by_title)


def _match_title(label: str, products: Sequence[Product]) -> Product | None:
    words = {*tokenise(label)} - _STOPS
    if not words:
        return None
    titles = [{*tokenise(product.title)} - _STOPS for product in products]
    exact = [product for product, title in zip(products, titles, strict=True) if title == words]
    if len(exact) == 1:
        return exact[0]
    shared = [len(words & title) for title in titles]
    best = max(shared, default=0)
    if not best or best < _LEAST_SHARE * len(words) or shared.count(best) > 1:
        return None
    return products[shared.index(best)]


@dataclass(frozen=True, slots=True)
class Naming:
    """How a comparison calls its products.

    `names` are the words of a title that no other title has and that are no common words here; `phrases` are labels of
    the comparison's own tables; `numbers` say what Product 1 means there; `leads` open a title, as brands do.
    """

    products: tuple[Product, ...]
    names: Mapping[str, int]
    vague: frozenset[str]
    phrases: Mapping[tuple[str, ...], int]
    numbers: Mapping[int, int]
    leads: frozenset[str]

    def find_mentions(self, text: str) -> tuple[Mention, ...]:
        """In reading order; neighbouring words that name one product are one mention."""
        found = [*self._find_named(text), *self._find_numbered(text)]
        return tuple(sorted(found, key=lambda mention: mention.span))

    def product(self, number: int) -> Product | None:
        return next((product for product in self.products if product.number == number), None)

    def _find_named(self, text: str) -> Iterator[Mention]:
        for run in _runs(text, {*self.names, *self.vague}):
            if all(len(match[0]) == 1 or match[0].isdecimal() for match in run):
                # A mere measure, such as the 1.7 L of a title, is said of other things too.
                continue
            words = tuple(match[0].casefold() for match in run)
            told = [match for match in run if self._tells(match, text, alone=len(run) == 1)]
            span = Span(run[0].start(), run[-1].end())
            numbers = {self.names[match[0].casefold()] for match in told}
            if len(numbers) == 1:
                yield Mention(span, self.product(numbers.pop()))
            elif words in self.phrases:
                yield Mention(span, self.product(self.phrases[words]))
            elif numbers or (len(run) > 1 and any(match[0][0].isupper() for match in run[1:])):
                yield Mention(span, None)

    def _tells(self, match: re.Match[str], text: str, *, alone: bool) -> bool:
        """A name is written with a capital, not only because it opens a sentence; a number needs a neighbour."""
        word = match[0]
        if word.casefold() not in self.names:
            return False
        if word.isdecimal() or len(word) == 1:
            return not alone
        if any(character.isupper() or character.isdecimal() for character in word[1:]):
            return True
        opens = alone and not any(map(str.isalnum, text[: match.start()]))
        return word.casefold() in self.leads or (not opens and not word.islower())

    def _find_numbered(self, text: str) -> Iterator[Mention]:
        for match in _NUMBERED_IN_TEXT.finditer(text):
            if match["place"]:
                number = self.numbers.get(_ORDINALS[match["place"]], 0)
                yield Mention(Span(*match.span()), self.product(number))
                continue
            offset = match.start("numbers")
            for each in re.finditer(_LISTED, match["numbers"]):
                number = self.numbers.get(_ORDINALS[each[0].casefold()], 0)
                yield Mention(Span(offset + each.start(), offset + each.end()), self.product(number))


def _runs(text: str, words: set[str]) -> Iterator[list[re.Match[str]]]:
    """Words of titles that stand next to each other, set off by a space, a hyphen or a decimal point at most."""
    run: list[re.Match[str]] = []
    for match in _TOKEN.finditer(text):
        known = match[0].casefold() in words
        if run and (not known or not _GAP.fullmatch(text[run[-1].end() : match.start()])):
            yield run
            run = []
        if known:
            run.append(match)
    if run:
        yield run


def build_naming(products: tuple[Product, ...], texts: Sequence[str], labels: Mapping[str, Product]) -> Naming:
    """`texts` are the query and the comparison: a word they use in lower case is no name."""
    titles = [list(dict.fromkeys(tokenise(product.title))) for product in products]
    common = {match[0] for text in texts for match in _TOKEN.finditer(text) if match[0].islower()}
    for product in products:
        common |= {match[0] for match in _TOKEN.finditer(product.opinion) if match[0].islower()}
    common |= {word for word in tokenise(texts[0]) if not any(map(str.isdecimal, word))} if texts else set()
    leads = {title[0] for title in titles if title}
    common -= {lead for product in products if (lead := next(iter(_TOKEN.findall(product.title)), "")).islower()}
    names: dict[str, int] = {}
    vague: set[str] = set()
    for product, title in zip(products, titles, strict=True):
        elsewhere = {word for other in titles if other is not title for word in other}
        elsewhere |= {word for other in products if other is not product for word in tokenise(other.opinion)}
        for word in title:
            if word in _STOPS:
                continue
            if word in elsewhere or word in common:
                vague.add(word)
            else:
                names[word] = product.number
    numbers = {product.number: product.number for product in products}
    numbers |= {
        _ORDINALS[numbered["number"].casefold()]: product.number
        for label, product in labels.items()
        if (numbered := _NUMBERED.match(label))
    }
    phrases = {tuple(tokenise(label)): product.number for label, product in labels.items()}
    return Naming(products, names, frozenset(vague), phrases, numbers, frozenset(leads))


def are_listed(mentions: Sequence[Mention], text: str) -> bool:
    """Whether two names stand in one list: "Aster and Nova"; what follows then belongs to no single one."""
    pairs = [
        (one, other) for one, other in pairwise(mentions) if one.product is None or one.product is not other.product
    ]
    joints = (text[one.span.end : other.span.start] for one, other in pairs)
    return any(re.fullmatch(r"\W*(?:and|or|&)?\W*(?:the\s)?", joint) for joint in joints)
