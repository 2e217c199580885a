"""Checks the figures of a comparison's table, cell by cell, against the product whose cell it is."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from assay.checks.product_attributes import has_sign, read_label, read_role
from assay.checks.product_data import Product, read_bare_number, read_figures, read_number_at
from assay.checks.product_figures import UNSURE, Finding, Role, check_figure, is_said
from assay.checks.product_names import match_label, match_labels
from assay.checks.product_ranks import check_rank, find_ranks
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.text.numerals import fold_digits
from assay.text.placeholders import states_nothing
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.scripts import blank

_DECORATION: Final = re.compile(r"[*_`]{1,3}")
_STRIKE: Final = re.compile("~~")
_DIGIT: Final = re.compile("[0-9]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_TITLE_LABEL: Final = re.compile(r"\W*(?:product(?: (?:name|title))?|name|title|item|model)\W*", re.IGNORECASE)
_NO_DISCOUNT: Final = re.compile(r"(?:no|zero|without(?: any)?) discounts?|not discounted|none", re.IGNORECASE)
_BOUND_BEFORE: Final = re.compile(
    r"\b(?:under|below|over|above|less than|more than|at least|at most)\W{1,3}$", re.IGNORECASE
)
_COUNTED: Final = (Kind.NUMBER, Kind.COUNT)
_TURNS: Final = re.compile(r"(?:/-)?(?:\s?[,;(]| (?:with|and|but)\b)", re.IGNORECASE)
_FILLER_LIST: Final = """
    rs inr rupees usd eur gbp dollars euros only off discount discounted save saves saved savings saving you final base
    price cost mrp was now from originally original list sale current selling offer special regular reduced after before
    at just for on of the a an and with in is to up down flat approx approximately about around overall out stars star
    rating rated average avg user users customer
"""
_FILLER: Final = frozenset(_FILLER_LIST.split())


@dataclass(frozen=True, slots=True)
class Grid:
    """A comparison's tables: which label names which product, on the side of the tables where the products stand."""

    by_column: bool
    products: Mapping[str, Product]

    def place(self, unit: Unit) -> tuple[Product, str] | None:
        """The cell's product and the label of its other side."""
        for row, column in _split_context(unit.context):
            here, other = (column, row) if self.by_column else (row, column)
            if here in self.products:
                return self.products[here], other
        return None


def build_grid(units: Sequence[Unit], products: Sequence[Product]) -> Grid:
    """Products head the columns or the rows, whichever name more of them. A row of titles says what Product 1 means."""
    cells = [(row, column, unit.text) for unit in units if unit.context for row, column in _split_context(unit.context)]
    sides = []
    for by_column in (True, False):
        own, other = (1, 0) if by_column else (0, 1)
        labels = [cell[own] for cell in cells if not read_label(cell[own]) and not _TITLE_LABEL.fullmatch(cell[own])]
        named = match_labels(labels, products)
        titled = {
            cell[own]: product
            for cell in cells
            if _TITLE_LABEL.fullmatch(cell[other]) and (product := match_label(cell[2], products)) is not None
        }
        if len({product.number for product in titled.values()}) == len(titled):
            named |= titled
        sides.append(Grid(by_column, named))
    return max(sides, key=lambda grid: len({product.number for product in grid.products.values()}))


def _split_context(context: str) -> Iterator[tuple[str, str]]:
    """A label may hold the sign that sets row and column apart, so every cut is tried."""
    parts = context.split(" | ")
    for cut in range(1, len(parts)):
        yield " | ".join(parts[:cut]).strip(), " | ".join(parts[cut:]).strip()


def check_cell(text: str, product: Product, roles: Sequence[Role], others: Sequence[Product], language: str) -> Finding:
    """A wrong figure decides. A right one supports the cell only where the cell says nothing else."""
    if states_nothing(text) and not (roles[0] == "discount" and _NO_DISCOUNT.search(text)):
        return UNSURE
    shown = _DECORATION.sub(lambda found: " " * len(found[0]), text)
    figures = _read_figures(shown, roles[0], language)
    if not figures:
        return _check_no_discount(shown, product) if roles[0] == "discount" else UNSURE
    findings = [
        _check_in_cell(shown, figure, product, _choose_default(roles, at, len(figures)), first=at == 0)
        for at, figure in enumerate(figures)
    ]
    if not _stands_plain(shown, figures) or any(finding.label == "supported" for finding in findings[1:]):
        # The first figure may be a step, a price for two, or the price that the second one replaces.
        findings[0] = UNSURE if findings[0].faulty else findings[0]
    spans = [figure.span for figure in figures]
    for rank in find_ranks(shown, (), (product, *others), implied=product):
        findings.append(check_rank(rank))
        spans.append(rank.span)
    # "Up to 50%" holds of what is not reduced at all, and tells its reader something else.
    exact = all(figure.bound in {Bound.EXACT, Bound.APPROXIMATE} for figure in figures)
    return _conclude(findings, complete=exact and _says_nothing_else(shown, spans))


def _conclude(findings: Sequence[Finding], *, complete: bool) -> Finding:
    faulty = next((finding for finding in findings if finding.faulty), None)
    if faulty is not None:
        return faulty
    if not complete or any(finding.label is None for finding in findings):
        return UNSURE
    evidence = tuple(dict.fromkeys(each for finding in findings for each in finding.evidence))
    return Finding("supported", evidence, "; ".join(finding.note for finding in findings))


def _choose_default(roles: Sequence[Role], at: int, figures: int) -> Role:
    """Under "base / final price" two figures stand in that order; any other number of them may be either."""
    if len(roles) > 1:
        return roles[at] if len(roles) == figures else "price"
    return roles[0]


def _check_in_cell(text: str, figure: Quantity, product: Product, default: Role, *, first: bool) -> Finding:
    plain = _STRIKE.sub("  ", text) if default == "base" else text
    role = read_role(plain, figure, default)
    in_brackets = default in {"price", "base", "final"} and figure.kind is Kind.PERCENTAGE
    if role is None and in_brackets and _says_nothing_else(text, [figure.span]):
        role = "discount"
    if role is None or (role == "rating" and default != "rating"):
        return UNSURE
    if role == "rating" and figure.kind not in {Kind.RATING, Kind.NUMBER}:
        return UNSURE
    written = figure.span.of(text).strip()
    if has_sign(text, figure):
        if role not in {"discount", "savings"} or figure.value > 0:
            return UNSURE
        # Shops write what is taken off with a minus.
        figure = replace(figure, low=-figure.high, high=-figure.low, value=-figure.value)
    found = check_figure(product, role, figure, written)
    # A second figure that nobody names may be anything, and so may a price that buyers speak of.
    doubtful = (role == default and not first) or (role == "price" and is_said(figure, product.said))
    return UNSURE if found.faulty and doubtful else found


def _read_figures(text: str, role: Role, language: str) -> list[Quantity]:
    """The cell's quantities; under a price label a bare 1999 is no year, and a number after MRP is no name."""
    plain = _STRIKE.sub("  ", text)
    found = [_as_number(plain, quantity, language) for quantity in read_figures(plain, language)]
    if not found and role in {"base", "final", "price"} and (digit := _DIGIT.search(fold_digits(plain))):
        number = read_number_at(fold_digits(plain), digit.start(), language)
        return [] if number is None else [number]
    return found


def _as_number(text: str, quantity: Quantity, language: str) -> Quantity:
    bare = read_bare_number(quantity.span.of(text), language) if quantity.kind is Kind.DATE else None
    return quantity if bare is None else replace(bare, span=quantity.span)


def _says_nothing_else(text: str, spans: Sequence[Span]) -> bool:
    rest = blank(text, spans)
    return not _DIGIT.search(fold_digits(rest)) and all(word.casefold() in _FILLER for word in _WORD.findall(rest))


def _stands_plain(text: str, figures: Sequence[Quantity]) -> bool:
    """Whether a cell opens with its figure and turns to other things after it, or has no words but usual ones."""
    if any(has_sign(text, figure) for figure in figures[1:]) or not _DIGIT.search(
        fold_digits(figures[0].span.of(text))
    ):
        return False
    if any(figure.kind is Kind.PRICE for figure in figures) and any(figure.kind in _COUNTED for figure in figures):
        return False
    start, end = figures[0].span
    bound = _BOUND_BEFORE.search(text[:start])
    spans = [figure.span for figure in figures] + ([Span(*bound.span())] if bound else [])
    opens = all(word.casefold() in _FILLER for word in _WORD.findall(text[:start]))
    return _says_nothing_else(text, spans) or (opens and _TURNS.match(text, end) is not None)


def _check_no_discount(text: str, product: Product) -> Finding:
    if not _NO_DISCOUNT.fullmatch(text.strip(" .")):
        return UNSURE
    nothing = Fraction(0)
    none = Quantity(nothing, nothing, nothing, "%", Kind.PERCENTAGE, Bound.EXACT, Span(0, len(text)))
    return check_figure(product, "discount", none, text.strip())
