"""Finds the product that a cell of a comparison belongs to, and compares the value with that product's fields."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from assay.domain.findings import Evidence
from assay.domain.scale import in_words
from assay.domain.units import Unit
from assay.packs.comparison_faithfulness.products import (
    BASE,
    FINAL,
    RATING,
    PrintedNumber,
    Product,
    ProductValue,
    match_labels,
    parse_percentage,
    parse_price,
    parse_rating,
)
from assay.text.tables import split_place

Role = Literal["base", "final", "price", "rating", "discount"]
# A label is read only where it is one of these as a whole: "price per gram" and "energy rating" are something else.
_ROLES: Final[Mapping[Role, str]] = {
    "base": "base price, mrp, m.r.p, list price, listed price, original price, regular price, marked price, "
    "full price, maximum retail price, price before discount, base cost",
    "final": "final price, sale price, selling price, discounted price, offer price, deal price, current price, "
    "net price, effective price, special price, price after discount, price to pay, you pay, final cost",
    "price": "price, cost",
    "rating": "rating, average rating, avg rating, avg. rating, customer rating, average customer rating, user rating, "
    "average user rating, overall rating",
    "discount": "discount, discount percentage, discount %, % off, savings, you save, discount amount",
}
_BY_LABEL: Final = {label.strip(): role for role, labels in _ROLES.items() for label in labels.split(",")}
_CLUTTER: Final = re.compile(
    r"\((?:in )?(?:rs\.?|inr|₹|\$|usd|€|eur|£|gbp|out of 5|/ ?5|%)\)|\((?:mrp|m\.r\.p\.?)\)$", re.IGNORECASE
)
_TITLE_LABEL: Final = re.compile(r"\W*(?:product(?: (?:name|title))?|name|title|item|model)\W*", re.IGNORECASE)
_DOLLARS: Final = frozenset({"USD", "AUD", "CAD", "NZD", "SGD", "HKD"})


_PLACEHOLDER: Final = re.compile(
    r"""
      [-‐‑‒–—―−.…/\\?•·\s]*
    | n\.?\s?/?\s?[am]\.? | nil | null | nan | tbd | tba | unknown | unspecified | undisclosed | unavailable
    | (?:(?:information|data|details?|price|rating|value)\ )?(?:(?:is|are|was|were)\ )?
      not\ (?:\w{1,12}ly\ )?
      (?:available|applicable|mentioned|specified|stated|provided|given|disclosed|listed|known|found)
      (?:\ (?:in|by|from|on)\ (?:the\ )?[\w ]{1,40})?
    | no\ (?:information|data|details?|mention|ratings?|price)(?:\ (?:available|given|provided|mentioned|found|yet))?
    | no\ disponible | non\ (?:disponible|précisé) | não\ (?:disponível|informado) | nicht\ (?:verfügbar|angegeben)
    """,
    re.VERBOSE,
)
_LONGEST_PLACEHOLDER: Final = 200


@dataclass(frozen=True, slots=True)
class Proof:
    """`note` names the field and the value as both are written."""

    label: Literal["supported", "contradicted"]
    evidence: tuple[Evidence, ...]
    note: str


def read_role(label: str) -> Role | None:
    """What a value under this label is; None for any label that is not known as a whole."""
    return _BY_LABEL.get(_CLUTTER.sub("", label).strip(" :*_.").casefold())


def states_nothing(cell: str) -> bool:
    """Whether a cell is empty, a dash, "N/A", "not mentioned" or the like; "none" and "no" do state something."""
    bare = re.sub(r"[*_`~()\[\]\s]+", " ", cell).strip().casefold().rstrip(".!")
    return len(cell) <= _LONGEST_PLACEHOLDER and _PLACEHOLDER.fullmatch(bare) is not None


def prove_value(text: str, role: Role, product: Product, place: str) -> Proof | None:
    """Whether the value is that of the field; None where the text or the field can't be read without doubt.

    `place` says where the value stands, for the note.
    """
    written = f"{text.strip()} {place}"
    match role:
        case "base" | "final" | "price":
            names = {"base": (BASE,), "final": (FINAL,), "price": (FINAL, BASE)}[role]
            return _compare(parse_price(text), product, names, written, _agree_on_price)
        case "rating":
            stated = parse_rating(text)
            if RATING in product.fields:
                return _compare(stated, product, (RATING,), written, _agree_on_rating)
            return None if stated is None else _find_rating(stated, product, written)
        case "discount":
            return _check_discount(text, product, written)


def _compare(
    stated: PrintedNumber | None,
    product: Product,
    names: tuple[str, ...],
    written: str,
    agree: Callable[[PrintedNumber, PrintedNumber], bool | None],
) -> Proof | None:
    """A bare "price" may be either of two fields, and is wrong where it is neither."""
    fields = {name: product.fields[name] for name in names if name in product.fields}
    if stated is None or not fields:
        return None
    agreed = {name: agree(stated, field.amount) for name, field in fields.items()}
    for name, field in fields.items():
        if agreed[name]:
            return Proof("supported", (field.evidence,), f"{_format_field(name, field)}, as {written}")
    if None in agreed.values() or len(fields) < len(names):
        return None
    given = " and ".join(_format_field(name, field) for name, field in fields.items())
    evidence = tuple(field.evidence for field in fields.values())
    return Proof("contradicted", evidence, f"{product.title}: {given} but {written}")


def _find_rating(stated: PrintedNumber, product: Product, written: str) -> Proof | None:
    """Without a rating field, a rating that the opinion summary states is accepted; any other is the judge's."""
    for rating in product.ratings:
        if _agree_on_rating(stated, rating.amount):
            note = f"the opinions say {rating.written}, as {written}"
            return Proof("supported", (rating.evidence,), note)
    return None


def _format_field(name: str, field: ProductValue) -> str:
    return f"{name.replace('_', ' ')} is {field.written}"


def _agree_on_price(stated: PrintedNumber, given: PrintedNumber) -> bool | None:
    if stated.unit and given.unit and stated.unit != given.unit:
        # "$" alone may be any of the dollars.
        return None if {stated.unit, given.unit} <= _DOLLARS else False
    return any(stated.stands_for(each) for each in given.values)


def _agree_on_rating(stated: PrintedNumber, given: PrintedNumber) -> bool | None:
    """A rating without a scale is taken on the scale of the other; two different scales are converted."""
    scale, given_scale = stated.unit or given.unit, given.unit or ("5" if stated.unit else None)
    factor = Fraction(int(scale), int(given_scale)) if scale and given_scale else Fraction(1)
    if any(stated.stands_for(each * factor) for each in given.values):
        return True
    # Where only one of them prints its scale, the other may be on any.
    return None if factor != 1 and given.unit is None else False


def _check_discount(text: str, product: Product, written: str) -> Proof | None:
    """Worked out from the two prices, in percent or as an amount of money."""
    percentage = parse_percentage(text)
    stated = percentage or parse_price(text)
    base, final = product.fields.get(BASE), product.fields.get(FINAL)
    # A bare number may be either.
    if stated is None or stated.unit is None or base is None or final is None:
        return None
    units = {each.unit for each in (base.amount, final.amount, *(() if percentage else (stated,)))} - {None}
    prices = [(high, low) for high in base.amount.values for low in final.amount.values if 0 < low <= high]
    if not prices or len(units) > 1:
        return None
    trues = [(high - low) * 100 / high if percentage else high - low for high, low in prices]
    shown = f"{in_words(trues[0], 1)} %" if percentage else in_words(trues[0])
    given = f"{_format_field(BASE, base)} and {_format_field(FINAL, final)}, a discount of {shown}"
    evidence = (base.evidence, final.evidence)
    if any(stated.stands_for(true) for true in trues):
        return Proof("supported", evidence, f"{given}, as {written}")
    return Proof("contradicted", evidence, f"{product.title}: {given} but {written}")


@dataclass(frozen=True, slots=True)
class Grid:
    """A comparison's tables: the product that each label names, on the side of the tables where the products stand."""

    by_column: bool
    products: Mapping[str, Product]

    def place(self, unit: Unit) -> tuple[Product, str] | None:
        """The product of a cell and the label of its other side."""
        for row, column in split_place(unit.context):
            here, other = (column, row) if self.by_column else (row, column)
            if here in self.products:
                return self.products[here], other
        return None


def build_grid(units: Sequence[Unit], products: Sequence[Product]) -> Grid:
    """Products head the columns or the rows, whichever names more. A row of titles says what "Product 1" means."""
    cells = [(*labels, unit.text) for unit in units if unit.context for labels in split_place(unit.context)]
    sides = []
    for by_column in (True, False):
        own, other = (1, 0) if by_column else (0, 1)
        titles = {cell[own]: cell[2] for cell in cells if _TITLE_LABEL.fullmatch(cell[other])}
        names = {cell[own]: titles.get(cell[own], cell[own]) for cell in cells}
        matched = match_labels(names.values(), products)
        sides.append(Grid(by_column, {label: matched[name] for label, name in names.items() if name in matched}))
    return max(sides, key=lambda grid: len({each.number for each in grid.products.values()}))
