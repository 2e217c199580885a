"""Whether a figure that a comparison states for a product is the one its data gives."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

from assay.checks.product_data import Datum, Product
from assay.domain.findings import Evidence
from assay.domain.scale import in_words
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.quantity_matching import Relation, find_support, percent_off, relate

Role = Literal["base", "final", "price", "rating", "discount", "savings"]
NAMES: Final[dict[Role, str]] = {
    "base": "base price",
    "final": "final price",
    "price": "price",
    "rating": "rating",
    "discount": "discount",
    "savings": "saving",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What the data says to a figure; no label where it says nothing for sure."""

    label: Literal["supported", "contradicted", "absent"] | None
    evidence: tuple[Evidence, ...] = ()
    note: str = ""

    @property
    def faulty(self) -> bool:
        return self.label in {"contradicted", "absent"}


UNSURE: Final = Finding(None)


def check_figure(product: Product, role: Role, stated: Quantity, written: str) -> Finding:
    """`written` is the figure as the comparison prints it, for the note."""
    match role:
        case "base" | "final":
            return _check_price(product, role, stated, written)
        case "price":
            return _check_either_price(product, stated, written)
        case "rating":
            return _check_rating(product, stated, written)
        case "discount" | "savings":
            return _check_discount(product, role, stated, written)


def is_said(stated: Quantity, quantities: Sequence[Quantity]) -> bool:
    """Whether a text that is no data of the product, such as its opinion summary or the query, holds the figure.

    A bound such as "under Rs 2000" holds no figure but its own.
    """
    free = [each for each in quantities if each.bound in {Bound.EXACT, Bound.APPROXIMATE, Bound.BETWEEN}]
    same = (each for each in quantities if stated.value == each.value)
    return find_support(stated, free) is not None or any(
        stated.unit == each.unit or None in {stated.unit, each.unit} for each in same
    )


def agree(stated: Quantity, datum: Quantity) -> bool | None:
    """Whether the datum can be printed as stated, rounded or cut off as shops do; None where a bound leaves it open."""
    if stated.unit is None or datum.unit is None:
        unit = stated.unit or datum.unit
        stated, datum = (replace(each, unit=unit, kind=Kind.PRICE) for each in (stated, datum))
    elif stated.unit != datum.unit and stated.kind is Kind.PRICE:
        return False
    relation = relate(stated, datum)
    if relation in {Relation.EQUAL, Relation.COMPATIBLE}:
        return True
    step = stated.high - stated.low
    plain = stated.bound is Bound.EXACT and datum.bound is Bound.EXACT and stated.unit == datum.unit
    if plain and step <= 1 and stated.kind is not Kind.RATING and 0 <= datum.value - stated.value < step:
        return True
    return None if relation is Relation.INCOMPARABLE else False


def _data(product: Product, role: Literal["base", "final"]) -> Datum | None:
    return product.base if role == "base" else product.final


def _check_price(product: Product, role: Literal["base", "final"], stated: Quantity, written: str) -> Finding:
    datum = _data(product, role)
    agreed = None if datum is None else agree(stated, datum.quantity)
    if datum is None or agreed is None:
        return UNSURE
    if agreed:
        return Finding("supported", (datum.evidence,), f"the data gives the {NAMES[role]} {datum.written}")
    note = f"{product.title}: the {NAMES[role]} is {datum.written} in the data, {written} in the comparison"
    return Finding("contradicted", (datum.evidence,), note)


def _check_either_price(product: Product, stated: Quantity, written: str) -> Finding:
    found = [_check_price(product, role, stated, written) for role in ("final", "base")]
    supported = next((each for each in found if each.label == "supported"), None)
    if supported is not None:
        return supported
    if any(each.label is None for each in found) or product.base is None or product.final is None:
        return UNSURE
    prices = f"base price {product.base.written}, final price {product.final.written}"
    note = f"{product.title}: the data gives {prices}, the comparison {written}"
    return Finding("contradicted", (product.base.evidence, product.final.evidence), note)


def _check_rating(product: Product, stated: Quantity, written: str) -> Finding:
    """The field decides; without it any rating of the opinion summary will do, and without either there is none."""
    if stated.unit is None:
        stated = replace(stated, unit=_scale_of(product), kind=Kind.RATING)
    agreed = [(datum, agree(stated, datum.quantity)) for datum in product.ratings]
    for datum, fits in agreed:
        if fits:
            return Finding("supported", (datum.evidence,), f"the data gives the rating {datum.written}")
    if any(fits is None for _, fits in agreed) or is_said(stated, product.said):
        return UNSURE
    if not agreed:
        return Finding("absent", (), f"{product.title}: the comparison states a rating of {written}, the data none")
    datum = agreed[0][0]
    if product.rating is not None and stated.value == datum.quantity.value:
        # 4.2 out of 10 for a bare 4.2: the scale is our guess, so the comparison may be right.
        return UNSURE
    note = f"{product.title}: the rating is {datum.written} in the data, {written} in the comparison"
    return Finding("contradicted", (datum.evidence,), note)


def _scale_of(product: Product) -> str:
    return (product.ratings[0].quantity.unit if product.ratings else None) or "/5"


def _check_discount(product: Product, role: Literal["discount", "savings"], stated: Quantity, written: str) -> Finding:
    """Recomputed from the two prices: so many percent off, or so much money."""
    prices = price_pair(product)
    if prices is None or product.base is None or product.final is None:
        return UNSURE
    base, final = prices
    if base < final or (base == 0):
        return UNSURE
    true = percent_off(base, final) if role == "discount" else base - final
    unit = "%" if role == "discount" else product.base.quantity.unit
    agreed = agree(stated, replace(stated, value=true, low=true, high=true, bound=Bound.EXACT, unit=unit))
    if agreed is None:
        return UNSURE
    evidence = (product.base.evidence, product.final.evidence)
    worked_out = f"{product.base.written} less {product.final.written}"
    shown = f"{in_words(true, 1)} %" if role == "discount" else in_words(true)
    if agreed:
        return Finding("supported", evidence, f"{worked_out} is a {NAMES[role]} of {shown}")
    note = f"{product.title}: {worked_out} is a {NAMES[role]} of {shown}, the comparison says {written}"
    return Finding("contradicted", evidence, note)


def price_pair(product: Product) -> tuple[Fraction, Fraction] | None:
    """Base and final price as two numbers."""
    base = product.base.amount if product.base is not None else None
    final = product.final.amount if product.final is not None else None
    return None if base is None or final is None else (base, final)
