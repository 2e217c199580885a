"""Hooks of the product comparison: values in tables and labelled lines, compared with the product's data."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from assay.domain.findings import NO_FACT, Label, Piece
from assay.domain.record import Record
from assay.domain.scorecard import Notice
from assay.domain.units import Unit
from assay.packs.comparison_faithfulness.cells import Grid, Proof, build_grid, prove_value, read_role, states_nothing
from assay.packs.comparison_faithfulness.products import BASE, FINAL, Product, build_products, match_labels

_LABELLED: Final = re.compile(r"[\s*_`-]*(?P<label>[^:\n]{1,40}):(?P<value>[^\n]+)")
_HEADING: Final = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+(?P<title>[^\n]+)|\*\*(?P<bold>[^*\n]+)\*\*:?)[ \t]*$", re.MULTILINE
)


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
            yield Label("claim", unit.id, NO_FACT, note="the cell states no fact", by="code")
            continue
        proof = _prove_cell(unit, grid) if unit.context else _prove_line(unit, headings)
        if proof is not None:
            # A value that is proved wrong is one serious fault, the value itself.
            pieces = (Piece(unit.text, "serious", unit.span),) if proof.label == "contradicted" else ()
            yield Label(
                "claim", unit.id, proof.label, evidence=proof.evidence, pieces=pieces, note=proof.note, by="code"
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
        self._starts = [start for start, _ in found]
        self._products = [named[title] for _, title in found]

    def find_product(self, unit: Unit) -> Product | None:
        """The product of the last heading before the unit."""
        at = bisect_left(self._starts, unit.span.start) if unit.span is not None else 0
        return self._products[at - 1] if at else None


def notices(record: Record) -> Iterator[Notice]:
    """Prices in the data that can't be read or can't be right."""
    for product in build_products(record):
        for name, text in product.unreadable.items():
            shown = f"“{text}”" if text.strip() else "empty"
            yield Notice("price_unreadable", f"{product.title}: {name.replace('_', ' ')} is {shown}, not one price")
        base, final = product.fields.get(BASE), product.fields.get(FINAL)
        if base and final and max(base.amount.values) < min(final.amount.values):
            prices = f"base price {base.written}, final price {final.written}"
            yield Notice("price_data_odd", f"{product.title}: the base price is below the final price: {prices}")
