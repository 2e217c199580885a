"""Checks what a comparison says of prices, ratings and discounts against the data of its three products."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assay.checks.product_attributes import names_figures, read_label
from assay.checks.product_cells import Grid, build_grid, check_cell
from assay.checks.product_data import Product, build_products
from assay.checks.product_figures import UNSURE, Finding, price_pair
from assay.checks.product_names import Naming, build_naming, match_labels, tokenise
from assay.checks.product_ranks import speaks_of_rank
from assay.checks.product_sentences import Reader
from assay.domain.findings import NO_FACT, Label
from assay.domain.record import Record
from assay.domain.scorecard import Notice
from assay.domain.units import Unit
from assay.text.placeholders import states_nothing
from assay.text.quantities import find_quantities
from assay.text.tables import find_tables

# Words that hold a product to others, or leave it out.
_COMPARED: Final = re.compile(
    r"\b(?:than|unlike|compared|others?|both|none|neither|only|except|apart|aside|besides|versus|vs)\b", re.IGNORECASE
)
_QUALIFIERS: Final = {"contradicted": "wrong_value", "absent": "invented"}


def label_products(record: Record, units: Sequence[Unit], language: str = "en") -> tuple[Label, ...]:
    """Labels for the units whose figures code can decide. `language` is the comparison's.

    A cell or a sentence is supported where its figures are all it says; a cell states no fact where it says that
    nothing is known. Rankings and prices in sentences are read in English.
    """
    products = build_products(record, language)
    if not products:
        return ()
    grid, naming = _read_names(record, units, products)
    reader = Reader(naming, find_quantities(record.query or "", language), language)
    findings = [(unit, _check_unit(unit, grid, reader)) for unit in units]
    empty = tuple(
        Label("claim", unit.id, NO_FACT, note="the cell states nothing", by="code")
        for unit, finding in findings
        if finding.label is None and unit.context and states_nothing(unit.text)
    )
    return empty + tuple(
        Label(
            part="claim",
            unit=unit.id,
            label=finding.label,
            evidence=finding.evidence,
            qualifier=_QUALIFIERS.get(finding.label),
            note=finding.note,
            by="code",
        )
        for unit, finding in findings
        if finding.label is not None
    )


def find_sources(record: Record, units: Sequence[Unit], language: str = "en") -> dict[str, str]:
    """By unit, the source of the one product that it speaks of; a unit that names none, or several, has no entry.

    The cheapest is so by the prices of the others, which makes such a unit one on all of them. So does a word that
    holds a product to others: "unlike the one" speaks of another.
    """
    products = build_products(record, language)
    if not products:
        return {}
    grid, naming = _read_names(record, units, products)
    found = {}
    for unit in units:
        if speaks_of_rank(unit.text) or _COMPARED.search(unit.text):
            continue
        named = [mention.product for mention in naming.find_mentions(unit.text)]
        placed = grid.place(unit) if unit.context else None
        if placed is not None:
            named.append(placed[0])
        sources = {None if product is None else product.source for product in named}
        if len(sources) == 1 and (source := sources.pop()) is not None:
            found[unit.id] = source
    return found


def _read_names(record: Record, units: Sequence[Unit], products: tuple[Product, ...]) -> tuple[Grid, Naming]:
    grid = build_grid(units, products)
    return grid, build_naming(products, [record.query or "", record.output], grid.products)


def _check_unit(unit: Unit, grid: Grid, reader: Reader) -> Finding:
    if not unit.context:
        return reader.check(unit.text)
    placed = grid.place(unit)
    if placed is None or states_nothing(unit.text):
        return UNSURE
    product, label = placed
    roles = read_label(label)
    if not roles:
        # Under "price per gram" a figure is no price of the product.
        return UNSURE if names_figures(label) else reader.check(unit.text, implied=product)
    others = tuple(each for each in reader.naming.products if each is not product)
    return check_cell(unit.text, product, roles, others, reader.language)


def check_products(record: Record) -> Iterator[Notice]:
    """What no single unit can show: data that can't be right, and a product that the comparison leaves out."""
    products = build_products(record)
    for product in products:
        for field, text in product.unreadable:
            shown = f"“{text}”" if text.strip() else "empty"
            yield Notice("price_unreadable", f"{product.title}: the {field.replace('_', ' ')} is {shown}, no price")
        pair = price_pair(product)
        if pair is not None and pair[0] < pair[1] and product.base is not None and product.final is not None:
            prices = f"base price {product.base.written}, final price {product.final.written}"
            yield Notice("price_data_odd", f"{product.title}: the data has a base price below the final: {prices}")
    if record.output.strip():
        yield from _check_missing(record, products)


def _check_missing(record: Record, products: Sequence[Product]) -> Iterator[Notice]:
    """A product is missing where nothing that only its title says, nor its number, is anywhere in the comparison."""
    tables = find_tables(record.output)
    labels = [label for table in tables for label in (*table.columns, *table.rows)]
    matched = match_labels(labels, products)
    named = {product.number for product in matched.values()}
    naming = build_naming(tuple(products), [record.query or "", record.output], matched)
    named |= {mention.product.number for mention in naming.find_mentions(record.output) if mention.product is not None}
    words = {*tokenise(record.output)}
    for product in products:
        elsewhere = {word for other in products if other is not product for word in tokenise(other.title)}
        own = {*tokenise(product.title)} - elsewhere
        if own and not own & words and product.number not in named:
            yield Notice("missing_product", f"the comparison never names {product.title}")
