"""Finds the figures and rankings in a comparison's sentences that the products' data rules out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Final

from assay.checks.product_attributes import read_role
from assay.checks.product_data import Product, read_bare_number, read_figures
from assay.checks.product_figures import UNSURE, Finding, Role, check_figure, is_said, price_pair
from assay.checks.product_names import Mention, Naming, are_listed
from assay.checks.product_ranks import check_rank, find_ranks
from assay.text.quantity import Bound, Kind, Quantity

_PRICED: Final = re.compile(
    r"\b(?:priced? (?:at|of|is|tag of)|costs?|price:|costing|retails? (?:at|for)|sells? for)\s(?:just |only )?$",
    re.IGNORECASE,
)
_RATED: Final = re.compile(r"\b(?:rat(?:ed|es?|ings?)|average|averages|scor(?:e[sd]?|ing))\b", re.IGNORECASE)
_NOT_AVERAGE_AFTER: Final = re.compile(
    r"\W{0,2}(?:reviews?|energy|bee|ac|inverter|hotel|model|refrigerator)\b", re.IGNORECASE
)
_CONTRAST: Final = re.compile(
    r"\b(?:others?|rest|rivals?|competitors?|alternatives?|compared|versus|vs|than|unlike|against|both|all|each|any"
    r"|respectively|if|under|budget|instead)\b",
    re.IGNORECASE,
)
_TURNED: Final = re.compile(
    r"\b(?:than|while|whereas|but|versus|vs|unlike|compared|over|against|and|or|if|with the)\b|;", re.IGNORECASE
)
_FOR: Final = re.compile(r"\s?(?:for|\(|on)\s?(?:the )?", re.IGNORECASE)
_FARTHEST: Final = 45


@dataclass(frozen=True, slots=True)
class Reader:
    """`asked` are the quantities of the query: a budget is no price of any product."""

    naming: Naming
    asked: tuple[Quantity, ...]
    language: str

    def check(self, text: str, implied: Product | None = None) -> Finding:
        """The first conflict; a sentence has more to it than its figures, so agreement alone says nothing.

        `implied` is the product of the table cell that the text stands in.
        """
        if not self.language.startswith("en") or text.rstrip("*_\"'”’) ").endswith("?"):
            return UNSURE
        mentions = self.naming.find_mentions(text)
        conflicts = (finding for finding in self._check_all(text, mentions, implied) if finding.faulty)
        return next(conflicts, UNSURE)

    def _check_all(self, text: str, mentions: Sequence[Mention], implied: Product | None) -> Iterator[Finding]:
        if implied is not None and any(mention.product is not implied for mention in mentions):
            implied = None
        sole = _find_sole_product(text, mentions)
        for figure in self._figures(text):
            role = read_role(text, figure, "rating" if figure.kind is Kind.RATING else "price")
            if role is None or (role == "rating" and not _is_average(text, figure)):
                continue
            product = implied or _find_product(text, figure, mentions) or sole
            written = figure.span.of(text)
            if product is not None:
                yield self._check_bound(product, role, figure, written)
            else:
                yield self._check_unbound(mentions, role, figure, written)
        for rank in find_ranks(text, mentions, self.naming.products, implied):
            yield check_rank(rank)

    def _figures(self, text: str) -> Iterator[Quantity]:
        """Prices, ratings and percentages; a bare number only where a word such as "costs" makes it a price."""
        for quantity in read_figures(text, self.language):
            if quantity.kind in {Kind.PRICE, Kind.RATING, Kind.PERCENTAGE}:
                yield quantity
            elif _PRICED.search(text[max(0, quantity.span.start - 24) : quantity.span.start]):
                bare = read_bare_number(quantity.span.of(text), self.language)
                if bare is not None:
                    yield replace(bare, span=quantity.span)

    def _check_bound(self, product: Product, role: Role, figure: Quantity, written: str) -> Finding:
        if is_said(figure, (*self.asked, *product.said)):
            return UNSURE
        return check_figure(product, role, figure, written)

    def _check_unbound(self, mentions: Sequence[Mention], role: Role, figure: Quantity, written: str) -> Finding:
        """Where it is open which product is meant, only a figure that fits none of them conflicts."""
        products = self.naming.products
        named = [mention.product for mention in mentions if mention.product is not None]
        said = [*self.asked, *(each for product in products for each in product.said)]
        if figure.bound is not Bound.EXACT or is_said(figure, said) or _is_worked_out(figure, products):
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


def _is_average(text: str, figure: Quantity) -> bool:
    """Five-star reviews and a five-star air conditioner state no average rating."""
    printed = figure.span.of(text)
    scaled = "/" in printed or "out of" in printed.lower()
    return not _NOT_AVERAGE_AFTER.match(text, figure.span.end) and (scaled or bool(_RATED.search(text)))


def _find_product(text: str, figure: Quantity, mentions: Sequence[Mention]) -> Product | None:
    """The product that is named right before or after a figure."""
    start, end = figure.span
    after = next((mention for mention in mentions if mention.span.start >= end), None)
    if after is not None and _FOR.fullmatch(text[end : after.span.start]):
        return after.product
    before = [mention for mention in mentions if mention.span.end <= start]
    if before and not are_listed(mentions, text):
        between = text[before[-1].span.end : start]
        if len(between) <= _FARTHEST and not _TURNED.search(between):
            return before[-1].product
    return None


def _find_sole_product(text: str, mentions: Sequence[Mention]) -> Product | None:
    """The only product of a sentence, where no word speaks of others."""
    named = {mention.product.number if mention.product else 0 for mention in mentions}
    return mentions[0].product if len(named) == 1 and not _CONTRAST.search(text) else None


def _is_worked_out(figure: Quantity, products: Sequence[Product]) -> bool:
    """A difference or a sum of two prices is no product's price, and yet follows from the data."""
    pairs = [pair for product in products if (pair := price_pair(product)) is not None]
    prices = {price for pair in pairs for price in pair}
    results = {result for one, other in combinations(sorted(prices), 2) for result in (other - one, one + other)}
    finals = [final for _, final in pairs]
    total = sum(finals, Fraction(0))
    results |= {total, total / max(1, len(finals))}
    return any(figure.low <= result <= figure.high for result in results)
