"""Three kettles, and the labels code gives to what a comparison says of them."""

from comparisons import build_comparison, label_texts

from assay.domain.findings import Label

KETTLES = [
    {
        "product_title": "Brisa Kettle 1.7 L",
        "base_price": "$39.99",
        "final_price": "$34.99",
        "average_rating": 4.2,
        "product_opinion_summary": "Buyers find it quiet and fast. Some say the handle gets hot.",
    },
    {
        "product_title": "Tavo Steel Kettle",
        "base_price": "$60.00",
        "final_price": "$45.00",
        "average_rating": 4.6,
        "product_opinion_summary": "Buyers praise the steel body. A few say it is loud.",
    },
    {
        "product_title": "Quillo Travel Kettle",
        "base_price": "$25.00",
        "final_price": "$25.00",
        "average_rating": 3.9,
        "product_opinion_summary": "Buyers like the small size. It boils slowly.",
    },
]


def label_kettles(summary: str) -> list[Label]:
    return list(label_texts(build_comparison(summary, KETTLES, "kettle")).values())


def label_kettle_cell(row: str, cell: str) -> Label | None:
    """The label of a cell in the column of the Brisa."""
    heads = " | ".join(each["product_title"] for each in KETTLES)
    table = f"| | {heads} |\n|---|---|---|---|\n| {row} | {cell} | NA | NA |"
    return label_texts(build_comparison(table, KETTLES, "kettle")).get(cell)
