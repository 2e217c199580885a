"""Hooks of the product comparison: values in tables and labelled lines, held to the fields of the product."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from assay.domain.findings import NO_FACT, Label
from assay.domain.record import Record
from assay.domain.scorecard import Notice
from assay.domain.units import Unit
from assay.packs.comparison_faithfulness.cells import Grid, Proof, build_grid, prove_value, read_role
from assay.packs.comparison_faithfulness.products import BASE, FINAL, Product, build_products, match_labels
from assay.text.placeholders import states_nothing

_LABELLED: Final = re.compile(r"[\s*_`-]*(?P<label>[^:\n]{1,40}):(?P<value>[^\n]+)")
_HEADING: Final = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+(?P<title>[^\n]+)|\*\*(?P<bold>[^*\n]+)\*\*:?)[ \t]*$", re.MULTILINE
)
_WORD: Final = re.compile(r"\w+")
_NUMBERED: Final = re.compile(r"\b(?:product|option|item)s? ?#?(?:[1-3]|i{1,3}|[abc]|one|two|three)\b", re.IGNORECASE)


def labels(record: Record, units: Sequence[Unit]) -> Iterator[Label]:
    """A cell is supported where its value is the field's, contradicted where it is not, and states no fact if empty.

    A value that can't be read without doubt has no label.
    """
    products = build_products(record)
    if not products:
        return
    grid = build_grid(units, products)
    headings = _Headings(record.output, products)
    for unit in units:
        if unit.kind != "claim":
            continue
        if unit.context and states_nothing(unit.text):
            yield Label("claim", unit.id, NO_FACT, note="the cell states nothing", by="code")
            continue
        proof = _prove_cell(unit, grid) if unit.context else _prove_line(unit, headings)
        if proof is not None:
            qualifier = "wrong_value" if proof.label == "contradicted" else None
            yield Label(
                "claim", unit.id, proof.label, evidence=proof.evidence, qualifier=qualifier, note=proof.note, by="code"
            )


def _prove_cell(unit: Unit, grid: Grid) -> Proof | None:
    placed = grid.place(unit)
    if placed is None:
        return None
    product, label = placed
    role = read_role(label)
    if role is not None:
        return prove_value(unit.text, role, product, f"in the cell “{unit.context}”")
    return _prove_labelled(unit.text, product, f"in the cell “{unit.context}”")


def _prove_line(unit: Unit, headings: "_Headings") -> Proof | None:
    """A line such as "Price: Rs. 2,400" belongs to the product that its heading names."""
    product = headings.find_product(unit)
    return None if product is None else _prove_labelled(unit.text, product, f"under the heading of {product.title}")


def _prove_labelled(text: str, product: Product, place: str) -> Proof | None:
    found = _LABELLED.fullmatch(text)
    role = read_role(found["label"]) if found else None
    return None if found is None or role is None else prove_value(found["value"], role, product, place)


class _Headings:
    """The headings of an output with the product that each names, if it names one."""

    def __init__(self, output: str, products: Sequence[Product]) -> None:
        found = [(match.start(), match["title"] or match["bold"]) for match in _HEADING.finditer(output)]
        named = {title: match_labels([title], products).get(title) for _, title in found}
        self._products = [(start, named[title]) for start, title in found]

    def find_product(self, unit: Unit) -> Product | None:
        """The product of the last heading before the unit."""
        if unit.span is None:
            return None
        before = [product for start, product in self._products if start < unit.span.start]
        return before[-1] if before else None


def notices(record: Record) -> Iterator[Notice]:
    """Prices that can't be right, and a product that the comparison never names."""
    products = build_products(record)
    for product in products:
        for name, text in product.unreadable.items():
            shown = f"“{text}”" if text.strip() else "empty"
            yield Notice("price_unreadable", f"{product.title}: {name.replace('_', ' ')} is {shown}, not one price")
        base, final = product.fields.get(BASE), product.fields.get(FINAL)
        if base and final and max(base.amount.values) < min(final.amount.values):
            prices = f"base price {base.written}, final price {final.written}"
            yield Notice("price_data_odd", f"{product.title}: the base price is below the final price: {prices}")
    if products and record.output.strip():
        yield from _note_missing(record, products)


def _note_missing(record: Record, products: Sequence[Product]) -> Iterable[Notice]:
    """A product is missing where no word of its title alone is in the comparison, which counts no products either."""
    written = {word.casefold() for word in _WORD.findall(record.output)}
    if _NUMBERED.search(record.output):
        return
    for product in products:
        others = frozenset[str]().union(*(each.words for each in products if each is not product))
        own = product.words - others
        if own and not own & written:
            yield Notice("missing_product", f"the comparison never names {product.title}")
