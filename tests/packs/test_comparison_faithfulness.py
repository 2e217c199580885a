"""Prices, ratings and discounts of a comparison are proven by the fields of the product, or left to the judge."""

import json

import pytest
from comparisons import ASTER, BOLT, NOVA, build_comparison, label_cell, label_texts

from assay.domain.record import Record
from assay.packs.comparison_faithfulness import pack
from assay.units.claims import cut_claims

TABLE = "| | Aster Go 2 | Nova Pulse X | Bolt Drift |\n|---|---|---|---|\n"


@pytest.mark.parametrize(
    ("row", "cell"),
    [
        ("Base price", "Rs 2,499"),
        ("MRP", "₹2,499.00"),
        ("Sale price", "**₹1,499**"),
        ("Price after discount", "₹ 1,499 only"),
        ("Price", "Rs 1,499"),
        ("Rating", "4.2/5"),
        ("Customer rating", "4.2 out of 5 stars"),
        ("Rating", "8.4/10"),
        ("Discount", "40%"),
        ("You save", "₹1,000"),
        ("Details", "Final price: Rs 1,499"),
    ],
)
def test_a_cell_that_gives_the_field_is_supported(row, cell):
    label = label_cell(row, cell)

    assert label is not None
    assert (label.label, label.by, label.part, label.qualifier) == ("supported", "code", "claim", None)
    assert label.evidence


@pytest.mark.parametrize(
    ("row", "cell"),
    [
        ("Base price", "Rs 1,499"),
        ("MRP", "2,499.50"),
        ("Price", "Rs 1,699"),
        ("Average rating", "4.4"),
        ("Rating", "4.21"),
        ("Discount", "50%"),
        ("Savings", "₹1,200"),
        ("Details", "Final price: Rs 1,399"),
    ],
)
def test_a_cell_that_gives_another_figure_is_contradicted(row, cell):
    label = label_cell(row, cell)

    assert label is not None
    assert (label.label, label.by) == ("contradicted", "code")
    assert [(piece.words, piece.severity) for piece in label.pieces] == [(cell, "serious")]
    assert label.evidence


@pytest.mark.parametrize(
    ("row", "cell"),
    [
        ("Final price", "about Rs 1,500"),
        ("Final price", "Rs 1,299 - Rs 1,399"),
        ("Final price", "~~₹2,499~~ ₹1,399"),
        ("Price", "₹1,399 (MRP ₹2,999)"),
        ("Price", "Rs 125 per month"),
        ("Price", "Rs 1,399*"),
        ("Discount", "20"),
        ("Base / final price", "₹1,499 / ₹2,499"),
        ("Price per gram", "Rs 9"),
        ("Rating", "3.9 (1,310 ratings)"),
        ("Rating", "4.2/10"),
        ("Number of ratings", "812"),
        ("Energy rating", "3 stars"),
        ("Verdict", "Cheapest of the three"),
    ],
)
def test_a_cell_that_cannot_be_read_without_doubt_has_no_label(row, cell):
    assert label_cell(row, cell) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Aster Go 2 costs Rs 1,799.",
        "Nova Pulse X is the cheapest of the three.",
        "Aster Go 2 costs Rs 1,499.",
    ],
)
def test_sentences_are_left_to_the_judge(sentence):
    assert label_texts(build_comparison(sentence)) == {}


@pytest.mark.parametrize(
    ("row", "cell"),
    [("Final price", "N/A"), ("Final price", "-"), ("Average rating", "not mentioned"), ("Warranty", "Not available")],
)
def test_a_cell_that_says_nothing_states_no_fact(row, cell):
    label = label_cell(row, cell)

    assert label is not None
    assert (label.label, label.by) == ("no_fact", "code")


@pytest.mark.parametrize(
    ("row", "cell", "column", "expected"),
    [
        ("Final price", "₹1,999", "Nova Pulse X", "supported"),
        ("Final price", "Rs 1,499", "Nova Pulse X", "contradicted"),
        ("Final price", "$1,999", "Nova Pulse X", "contradicted"),
        ("Discount", "17%", "Bolt Drift", "supported"),
        ("Final price", "Rs 1,499", "Bolt Drift", "supported"),
    ],
)
def test_a_value_is_compared_with_its_own_column(row, cell, column, expected):
    label = label_cell(row, cell, column)

    assert label is not None
    assert label.label == expected


def test_without_a_rating_field_the_average_rating_of_the_opinions_is_a_value_like_the_prices():
    label = label_cell("Average rating", "3.9/5", "Bolt Drift")

    assert label is not None
    assert label.label == "supported"
    assert [(each.source, each.quote) for each in label.evidence] == [("s3", "3.9 out of 5")]
    wrong = label_cell("Average rating", "4.1", "Bolt Drift")
    assert wrong is not None
    assert wrong.label == "contradicted"
    assert "average rating is 3.9 out of 5 but 4.1 in the cell" in wrong.note


@pytest.mark.parametrize(
    ("opinion", "right", "wrong"),
    [
        ("Average rating 4.4. Light and loud.", "supported", "contradicted"),
        ("Rated 4.4 stars.", "supported", "contradicted"),
        ("Light. Rated 4.4/5 from 210 reviews.", "supported", "contradicted"),
        ("It is rated 4.4, and buyers like it.", "supported", "contradicted"),
        ("The average rating is 4.4 out of 5 stars.", "supported", "contradicted"),
        ("Avg. rating: 4.4 (87 ratings).", "supported", "contradicted"),
        ("A 4.4 average rating speaks for it.", "supported", "contradicted"),
        ("4.4 stars on average.", "supported", "contradicted"),
        ("It is light; average rating 4,4.", "supported", "contradicted"),
        ("One buyer gave it 4.4 stars.", "supported", None),
        ("Rated 4.4 stars by one buyer.", "supported", None),
        ("Rated 4.4 stars for its sound.", "supported", None),
        ("Average rating 4.4 for sound. Average rating 3 for fit.", None, None),
        ("Average rating 4.1 in May, average rating 4.4.", "supported", "contradicted"),
        ("Average rating 4.4, average rating 4.1.", None, None),
        ("Average rating 4.4 to 5.", None, None),
        ("Average rating above 4.4.", None, None),
        ("Overrated 4.4 times.", None, None),
        ("It holds 4.4 litres.", None, None),
    ],
)
def test_only_one_average_of_the_whole_product_is_held_against_a_cell(opinion, right, wrong):
    products = [{**ASTER, "average_rating": None, "product_opinion_summary": opinion}, NOVA, BOLT]
    for cell, expected in (("4.4", right), ("4.1", wrong)):
        label = label_cell("Average rating", cell, products=products)
        assert (label.label if label else None) == expected, cell


def test_a_rating_field_is_held_against_a_cell_whatever_the_opinions_say():
    products = [{**ASTER, "product_opinion_summary": "Average rating 4.4."}, NOVA, BOLT]
    for cell, expected in (("4.2", "supported"), ("4.4", "contradicted")):
        label = label_cell("Rating", cell, products=products)
        assert label is not None
        assert label.label == expected


def test_evidence_and_note_name_both_places():
    record = build_comparison(f"{TABLE}| Final price | Rs 1,400 | NA | NA |")

    label = label_texts(record)["Rs 1,400"]

    (evidence,) = label.evidence
    assert evidence.source == "s1"
    assert evidence.span.of(record.source("s1").text) == evidence.quote == "1499"
    assert record.source("s1").text[: evidence.span.start].endswith("Final price: ")
    assert "final price is 1499 but Rs 1,400 in the cell “Final price | Aster Go 2”" in label.note


def test_a_transposed_table_is_read_by_its_rows():
    labels = label_texts(
        build_comparison(
            "| Product | Base price | Final price | Rating |\n|---|---|---|---|\n"
            "| Aster Go 2 | ₹2,499 | ₹1,499 | 4.2 |\n| Nova Pulse X | ₹3,999 | ₹2,199 | 4.4 |"
        )
    )

    assert {text: label.label for text, label in labels.items() if label.label != "supported"} == {
        "₹2,199": "contradicted"
    }
    assert len(labels) == 6


@pytest.mark.parametrize(
    "heads",
    [
        ("Product 1", "Product 2", "Product 3"),
        ("Product A", "Product B", "Product C"),
        ("Option 1: Aster", "Option 2: Nova", "Option 3: Bolt"),
        ("Aster", "Nova", "Bolt"),
        ("**Aster Go 2 Earbuds**", "*Nova Pulse X*", "`Bolt Drift`"),
    ],
)
def test_products_are_found_by_their_titles_or_numbers(heads):
    record = build_comparison(
        f"| Attribute | {' | '.join(heads)} |\n|---|---|---|---|\n| Base price | Rs 2,499 | Rs 3,999 | Rs 1,799 |\n"
    )

    assert [label.label for label in label_texts(record).values()] == ["supported"] * 3


def test_a_row_of_titles_says_what_product_1_means():
    record = build_comparison(
        "| Attribute | Product 1 | Product 2 | Product 3 |\n|---|---|---|---|\n"
        "| Product title | Nova Pulse X | Bolt Drift | Aster Go 2 |\n| Base price | Rs 3,999 | Rs 1,799 | Rs 2,400 |"
    )

    labels = label_texts(record)

    assert [labels[cell].label for cell in ("Rs 3,999", "Rs 1,799", "Rs 2,400")] == [
        "supported",
        "supported",
        "contradicted",
    ]


def _price(title: str, price: int) -> dict[str, object]:
    return {"product_title": title, "base_price": price, "final_price": price, "product_opinion_summary": "Fine."}


def test_a_label_that_fits_several_titles_is_read_by_what_the_others_leave():
    products = [
        _price("Lumo Note 12 (Green)", 9999),
        _price("Lumo Note 12 Pro (Green)", 13999),
        _price("Lumo Note 12 Pro+ (Green)", 18999),
    ]
    heads = "| | Lumo Note 12 | Lumo Note 12 Pro | Lumo Note 12 Pro+ |\n|---|---|---|---|\n"
    record = build_comparison(f"{heads}| Final price | 9,999 | 13,999 | 17,999 |", products)
    alone = build_comparison("| | Lumo Note 12 |\n|---|---|\n| Final price | 13,999 |", products)

    assert [label.label for label in label_texts(record).values()] == ["supported", "supported", "contradicted"]
    assert label_texts(alone) == {}


def test_products_with_one_title_are_told_apart_by_number_alone():
    twins = [{**ASTER, "final_price": price} for price in (100, 200, 300)]
    table = "| | Aster Go 2 | Product 2 |\n|---|---|---|\n| Final price | 300 | 200 |"

    assert {text: label.label for text, label in label_texts(build_comparison(table, twins)).items()} == {
        "200": "supported"
    }


def test_a_number_that_can_be_read_in_two_ways_contradicts_only_if_neither_fits():
    products = [{**ASTER, "base_price": 1299.5, "final_price": 1299}, {**NOVA, "final_price": 20}, BOLT]
    table = f"{TABLE}| Final price | 1.299 € | 20,00 € | NA |\n| Base price | 1.299,50 € | NA | 1.798 |"

    labels = label_texts(build_comparison(table, products))

    assert {text: label.label for text, label in labels.items() if text != "NA"} == {
        "1.299 €": "supported",
        "20,00 €": "supported",
        "1.299,50 €": "supported",
        "1.798": "contradicted",
    }


@pytest.mark.parametrize("heading", ["## Aster Go 2", "**Aster Go 2**"])
def test_a_labelled_line_belongs_to_the_product_of_its_heading(heading):
    record = build_comparison(
        f"{heading}\n\n- Final price: Rs 1,399\n- Rating: 4.2/5\n\n## Wireless\n\n- Rating: 3/5\n\n## Mic\n\n- Rating: 2/5\n"
    )

    labels = label_texts(record)

    assert {text: label.label for text, label in labels.items()} == {
        "Final price: Rs 1,399": "contradicted",
        "Rating: 4.2/5": "supported",
    }


@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_a_table_in_json_is_read_however_its_signs_are_written(ensure_ascii):
    prices = {"Aster Go 2": "₹1,399", "Nova Pulse X": "₹1,999", "Bolt Drift": "NA"}
    labels = label_texts(build_comparison(json.dumps({"Final price": prices}, ensure_ascii=ensure_ascii)))

    assert {text: label.label for text, label in labels.items()} == {
        "₹1,399": "contradicted",
        "₹1,999": "supported",
        "NA": "no_fact",
    }


def test_a_record_without_products_has_no_labels():
    record = Record("r", "i", "It costs Rs 10.", ())

    assert list(pack.labels(record, cut_claims(record.output))) == []
    assert list(pack.notices(record)) == []


def test_data_that_cannot_be_right_is_noticed_and_proves_nothing():
    products = [{**ASTER, "base_price": 900}, {**NOVA, "final_price": "NA"}, {**BOLT, "base_price": "Rs 10 or Rs 20"}]

    notices = list(pack.notices(build_comparison("Aster, Nova and Bolt are fine.", products)))

    assert [notice.check for notice in notices] == ["price_data_odd", "price_unreadable", "price_unreadable"]
    assert "900" in notices[0].note
    assert "“NA”" in notices[1].note
    assert label_cell("Discount", "10%", products=products) is None
    assert label_cell("Final price", "Rs 5", "Nova Pulse X", products=products) is None
    assert label_cell("Price", "Rs 5", "Nova Pulse X", products=products) is None


@pytest.mark.parametrize("piece", ["Rs 1,499 ", "| Rs 5 ", "1 " * 50, "Price: ", "**Aster** "])
def test_a_long_comparison_is_read_to_its_end(piece):
    record = build_comparison(piece * 1000 + "\n" + TABLE + f"| Price | {piece * 300} | {'9' * 3000} | x |")

    assert {label.by for label in pack.labels(record, cut_claims(record.output, cells=True))} <= {"code"}


@pytest.mark.parametrize("break_", [" ", "\n"])
def test_a_structured_price_is_compared_with_its_field_whatever_the_prose_beside_it_says(break_):
    said = f"Liked.{break_}One says he paid $100.{break_}Final price: $100"
    products = [{**ASTER, "final_price": "$800", "base_price": "$900", "product_opinion_summary": said}, NOVA, BOLT]
    for label in ("Final price", "Price"):
        wrong = label_cell(label, "$100", products=products)
        assert (wrong.label, len(wrong.pieces)) == ("contradicted", 1)
        assert label_cell(label, "$800", products=products).label == "supported"
