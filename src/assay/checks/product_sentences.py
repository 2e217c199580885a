"""Holds the figures and rankings in a comparison's sentences to the products' data."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Final

from assay.checks.product_confirmation import Checked, confirm
from assay.checks.product_data import Product, read_bare_number, read_figures
from assay.checks.product_figures import UNSURE, Finding, check_figure, is_said, price_pair
from assay.checks.product_names import Mention, Naming
from assay.checks.product_ranks import check_rank, find_ranks
from assay.checks.product_statements import Sentence, Statement, build_sentence
from assay.text.quantity import Bound, Kind, Quantity

_PRICED: Final = re.compile(
    r"\b(?:priced? (?:at|of|is|tag of)|costs?|price:|costing|retails? (?:at|for)|sells? for)\s(?:just |only )?$",
    re.IGNORECASE,
)
_DECORATION: Final = re.compile(r"\*{1,3}|`|__")
# No sentence is longer, and each of its names is looked at beside each of its figures.
_LONGEST: Final = 5_000


@dataclass(frozen=True, slots=True)
class Reader:
    """`asked` are the quantities of the query: a budget is no price of any product."""

    naming: Naming
    asked: tuple[Quantity, ...]
    language: str

    def check(self, text: str, implied: Product | None = None) -> Finding:
        """The first conflict. A sentence that agrees is supported only where it says nothing beside its figures.

        `implied` is the product of the table cell that the text stands in.
        """
        asks = text.rstrip("*_\"'”’) ").endswith("?")
        if asks or not self.language.startswith("en") or len(text) > _LONGEST:
            return UNSURE
        text = _DECORATION.sub("", text)
        mentions = self.naming.find_mentions(text)
        if implied is not None and any(mention.product is not implied for mention in mentions):
            implied = None
        sentence = build_sentence(text, mentions, tuple(self._figures(text)), self.naming.products, implied)
        checked = []
        for each in self._check_all(sentence):
            if each.finding.faulty:
                return each.finding
            checked.append(each)
        spans = [figure.span for figure in sentence.figures]
        return confirm(text, [mention.span for mention in mentions], spans, checked)

    def _check_all(self, sentence: Sentence) -> Iterator[Checked]:
        text, mentions = sentence.text, sentence.mentions
        for stated in sentence.find_statements():
            figure, product = stated.figure, stated.product
            if product is not None:
                found = self._check_bound(stated, product, text)
                is_exact = figure.bound is Bound.EXACT and _is_the_price(stated, product)
                is_exact = is_exact and (figure.kind is not Kind.PRICE or figure.unit in self._currencies)
                yield Checked(figure.span, found, is_exact)
            else:
                yield Checked(figure.span, self._check_unbound(stated, mentions, text), is_exact=False)
        for rank in find_ranks(text, mentions, sentence.products, sentence.implied):
            # Two products may share the lowest price; who has it alone is the cheapest in every reading.
            alone = check_rank(replace(rank, strict=True)).label == "supported"
            yield Checked(rank.span, check_rank(rank), is_exact=alone)

    @property
    def _currencies(self) -> set[str | None]:
        """Those of the record, and none: a shop may leave its sign out, but a price in dollars is none in rupees."""
        data = [
            datum.quantity for each in self.naming.products for datum in (each.base, each.final) if datum is not None
        ]
        return {None, *(quantity.unit for quantity in (*data, *self.asked) if quantity.kind is Kind.PRICE)}

    def _figures(self, text: str) -> Iterator[Quantity]:
        """Prices, ratings and percentages; a bare number only where a word such as "costs" makes it a price."""
        for quantity in read_figures(text, self.language):
            if quantity.kind in {Kind.PRICE, Kind.RATING, Kind.PERCENTAGE}:
                yield quantity
            elif _PRICED.search(text[max(0, quantity.span.start - 24) : quantity.span.start]):
                bare = read_bare_number(quantity.span.of(text), self.language)
                if bare is not None:
                    yield replace(bare, span=quantity.span)

    def _check_bound(self, stated: Statement, product: Product, text: str) -> Finding:
        figure = stated.figure
        if is_said(figure, (*self.asked, *product.said)):
            return UNSURE
        found = check_figure(product, stated.role, figure, figure.span.of(text))
        products = self.naming.products
        if stated.role in {"savings", "discount"}:
            follows = _saves_over_another(figure, product, products) or _is_left_to_pay(figure, [product])
        else:
            follows = not stated.worded and _is_worked_out(figure, products)
        return UNSURE if found.faulty and follows else found

    def _check_unbound(self, stated: Statement, mentions: Sequence[Mention], text: str) -> Finding:
        """Where it is open which product is meant, only a figure that fits none of them conflicts."""
        products, figure, role = self.naming.products, stated.figure, stated.role
        written = figure.span.of(text)
        named = [mention.product for mention in mentions if mention.product is not None]
        said = [*self.asked, *(each for product in products for each in product.said)]
        if figure.bound is not Bound.EXACT or is_said(figure, said) or _is_worked_out(figure, products):
            return UNSURE
        if role == "savings" and _is_left_to_pay(figure, products):
            return UNSURE
        findings = [check_figure(product, role, figure, written) for product in products]
        if not findings or not all(finding.faulty for finding in findings):
            return UNSURE
        if len({finding.label for finding in findings}) > 1:
            return UNSURE
        about = [product for product in products if product in named] or products
        evidence = tuple(
            each
            for product, finding in zip(products, findings, strict=True)
            if product in about
            for each in finding.evidence
        )
        return Finding(findings[0].label, evidence, f"{written} is in the data of none of the products")


def _is_the_price(stated: Statement, product: Product) -> bool:
    """Where it is not said which price is meant, it is the one to pay."""
    return stated.role != "price" or check_figure(product, "final", stated.figure, "").label == "supported"


def _is_worked_out(figure: Quantity, products: Sequence[Product]) -> bool:
    """A difference or a sum of two prices is no product's price, and yet follows from the data."""
    pairs = [pair for product in products if (pair := price_pair(product)) is not None]
    prices = {price for pair in pairs for price in pair}
    results = {result for one, other in combinations(sorted(prices), 2) for result in (other - one, one + other)}
    finals = [final for _, final in pairs]
    total = sum(finals, Fraction(0))
    results |= {total, total / max(1, len(finals))}
    saved = any(_saves_over_another(figure, product, products) for product in products)
    return saved or any(figure.low <= result <= figure.high for result in results)


def _saves_over_another(figure: Quantity, product: Product, products: Sequence[Product]) -> bool:
    """Whoever buys the one for $35 and not the other for $45 saves $10 as well, or 22 %."""
    own = price_pair(product) or ()
    others = {price for other in products if other is not product for price in price_pair(other) or ()}
    gaps = [(price, price - mine) for price in others for mine in own if price > mine]
    saved = [100 * gap / price if figure.kind is Kind.PERCENTAGE else gap for price, gap in gaps]
    step = figure.high - figure.low
    return any(figure.low - step <= each <= figure.high + step for each in saved)


def _is_left_to_pay(figure: Quantity, products: Sequence[Product]) -> bool:
    """In "$15 off, $45 now" the second figure is no saving any more."""
    return any(check_figure(product, "price", figure, "").label == "supported" for product in products)
