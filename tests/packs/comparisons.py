"""Comparisons of three products as records, and the labels code gives them."""

from typing import Any

from assay.domain.findings import Label
from assay.domain.record import Record
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.files.rubrics import open_rubric
from assay.packs.comparison_faithfulness import pack
from assay.units.claims import cut_claims

ASTER = {
    "product_title": "Aster Go 2 Wireless Earbuds (Black)",
    "base_price": 2499,
    "final_price": 1499,
    "product_opinion_summary": "Buyers like the light case and the long battery. Some find the bass thin. Many paid Rs 1,450.",
    "average_rating": 4.2,
}
NOVA = {
    "product_title": "Nova Pulse X True Wireless Earbuds with Mic",
    "base_price": "₹3,999",
    "final_price": "₹1,999",
    "product_opinion_summary": "Clear calls and deep bass. The touch controls are fiddly.",
    "average_rating": "4.4/5",
}
BOLT = {
    "product_title": "Bolt & Sons Drift Earbuds",
    "base_price": "Rs. 1,799",
    "final_price": "Rs. 1,499.00",
    "product_opinion_summary": "Rated 3.9 out of 5 on average. Comfortable, yet the fit is loose for small ears.",
}
QUERY = "wireless earbuds under Rs 2000"


def build_comparison(summary: str, products: list[dict[str, Any]] | None = None, query: str = QUERY) -> Record:
    values = {"query": query, "products": products or [ASTER, NOVA, BOLT], "comparative_summary": summary}
    return build_record(values, open_rubric("comparison-faithfulness"), Place(None, None))


def label_texts(record: Record) -> dict[str, Label]:
    """Labels by the text of their unit."""
    units = cut_claims(record.output, cells=True)
    texts = {unit.id: unit.text for unit in units}
    return {texts[label.unit]: label for label in pack.labels(record, units)}


def label_cell(row: str, cell: str, column: str = "Aster Go 2", **changes: Any) -> Label | None:
    """The label of one cell in a table with the three products as columns."""
    heads = ["Aster Go 2", "Nova Pulse X", "Bolt Drift"]
    others = [head for head in heads if head != column]
    table = f"| Feature | {column} | {others[0]} | {others[1]} |\n|---|---|---|---|\n| {row} | {cell} | NA | NA |"
    return label_texts(build_comparison(table, **changes)).get(cell)
