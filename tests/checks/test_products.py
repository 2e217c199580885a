import json

import pytest
from comparisons import ASTER, BOLT, NOVA, build_comparison, label_cell, label_sentence, label_texts

from assay.checks.products import check_products, find_sources, label_products
from assay.units.claims import cut_claims

RIGHT_CELLS = [
    ("Base price", "Rs 2,499"),
    ("Base Price (₹)", "2499"),
    ("MRP", "₹2,499.00"),
    ("Original price", "INR 2,499"),
    ("List price", "2,499"),
    ("Price before discount", "Rs. 2499/-"),
    ("Final price", "Rs 1,499"),
    ("Sale price", "**₹1,499**"),
    ("Discounted price", "Rs 1.5k"),
    ("Offer price", "about Rs 1,500"),
    ("Selling price", "1499 rupees"),
    ("Price after discount", "₹ 1,499 only"),
    ("Price", "Rs 1,499"),
    ("Price", "Rs 2,499"),
    ("Cost", "₹1,499 (MRP ₹2,499)"),
    ("Price", "~~₹2,499~~ ₹1,499"),
    ("Final price", "₹1,499 (40% off)"),
    ("Base / final price", "₹2,499 / ₹1,499"),
    ("Average rating", "4.2"),
    ("Rating", "4.2/5"),
    ("Customer rating", "4.2 out of 5 stars"),
    ("Avg. rating (out of 5)", "4.2 ★"),
    ("Stars", "4"),
    ("Rating", "8.4/10"),
    ("Discount", "40%"),
    ("Discount", "40.0 % off"),
    ("Discount", "₹1,000"),
    ("You save", "Rs 1,000 (40%)"),
]
WRONG_CELLS = [
    ("Base price", "Rs 2,999"),
    ("Base price", "Rs 1,499"),
    ("MRP", "2,499.50"),
    ("Final price", "Rs 1,399"),
    ("Final price", "1999"),
    ("Final price", "Rs 2,499"),
    ("Sale price", "under Rs 1,400"),
    ("Price", "Rs 1,699"),
    ("Price", "MRP 2,999"),
    ("Price", "₹1,499 (MRP ₹2,999)"),
    ("Final price", "₹1,499 (45% off)"),
    ("Base / final price", "₹1,499 / ₹2,499"),
    ("Average rating", "4.4"),
    ("Rating", "4.5/5"),
    ("Rating", "4.21"),
    ("Stars", "5 stars"),
    ("Discount", "50%"),
    ("Discount", "over 45%"),
    ("Savings", "₹1,200"),
    ("Discount", "No discount"),
]
OPEN_CELLS = [
    ("Final price", "Affordable"),
    ("Price", "Rs 1,499 with a free case"),
    ("Rating", "4.2 (1,310 ratings)"),
    ("Price", "Rs 125 per month"),
    ("Price per gram", "Rs 9"),
    ("Number of ratings", "812"),
    ("Energy rating", "3 stars"),
    ("Battery life", "40 hours"),
    ("Battery capacity", "500 mAh"),
    ("Launched", "2023"),
    ("Price", "Rs 1,450"),
    ("Rating", "★★★★☆"),
    ("Final price", "at least Rs 500 cheaper than before"),
]


@pytest.mark.parametrize(("row", "cell"), RIGHT_CELLS)
def test_a_cell_that_gives_the_products_own_figure_is_supported(row, cell):
    label = label_cell(row, cell)

    assert label is not None
    assert (label.label, label.by, label.part, label.qualifier) == ("supported", "code", "claim", None)


@pytest.mark.parametrize(("row", "cell"), WRONG_CELLS)
def test_a_cell_that_gives_another_figure_is_contradicted(row, cell):
    label = label_cell(row, cell)

    assert label is not None
    assert (label.label, label.by, label.qualifier) == ("contradicted", "code", "wrong_value")


@pytest.mark.parametrize(
    ("row", "cell"),
    [("Final price", "N/A"), ("Final price", "-"), ("Average rating", "not mentioned"), ("Warranty", "Not available")],
)
def test_a_cell_that_says_nothing_states_no_fact(row, cell):
    label = label_cell(row, cell)

    assert label is not None
    assert (label.label, label.by) == ("no_fact", "code")


@pytest.mark.parametrize(("row", "cell"), OPEN_CELLS)
def test_a_cell_that_code_cannot_decide_has_no_label(row, cell):
    assert label_cell(row, cell) is None


@pytest.mark.parametrize(
    ("row", "cell", "column", "expected"),
    [
        ("Final price", "₹1,999", "Nova Pulse X", "supported"),
        ("Final price", "Rs 1,499", "Nova Pulse X", "contradicted"),
        ("Final price", "$1,999", "Nova Pulse X", "contradicted"),
        ("Discount", "50%", "Nova Pulse X", "supported"),
        ("Average rating", "4.4", "Nova Pulse X", "supported"),
        ("Average rating", "3.9", "Bolt Drift", "supported"),
        ("Average rating", "4.1", "Bolt Drift", "contradicted"),
        ("Discount", "16%", "Bolt Drift", "supported"),
        ("Discount", "17%", "Bolt Drift", "supported"),
        ("Discount", "18%", "Bolt Drift", "contradicted"),
        ("Final price", "Rs 1,499", "Bolt Drift", "supported"),
    ],
)
def test_a_figure_is_compared_with_its_own_column(row, cell, column, expected):
    label = label_cell(row, cell, column)

    assert label is not None
    assert label.label == expected


def test_the_evidence_is_the_value_in_the_products_data():
    record = build_comparison(
        "| | Aster Go 2 | Nova Pulse X | Bolt Drift |\n|---|---|---|---|\n| Final price | Rs 1,400 | NA | NA |"
    )

    (label,) = (each for each in label_products(record, cut_claims(record.output, cells=True)) if each.evidence)

    (evidence,) = label.evidence
    assert evidence.source == "s1"
    assert evidence.span.of(record.source("s1").text) == evidence.quote == "1499"
    assert record.source("s1").text[: evidence.span.start].endswith("Final price: ")
    assert "1499" in label.note
    assert "Rs 1,400" in label.note


def test_a_rating_of_the_opinion_summary_is_quoted_where_it_stands():
    label = label_cell("Average rating", "3.9", "Bolt Drift")

    assert label is not None
    assert [(each.source, each.quote) for each in label.evidence] == [("s3", "3.9 out of 5")]


def test_a_rating_the_data_does_not_have_is_absent():
    unrated = {**BOLT, "product_opinion_summary": "Comfortable, yet the fit is loose."}

    label = label_cell("Average rating", "4.1", "Bolt Drift", products=[ASTER, NOVA, unrated])

    assert label is not None
    assert (label.label, label.qualifier, label.evidence) == ("absent", "invented", ())


def test_a_transposed_table_is_read_by_its_rows():
    labels = label_texts(
        build_comparison(
            "| Product | Base price | Final price | Rating |\n|---|---|---|---|\n"
            "| Aster Go 2 | ₹2,499 | ₹1,499 | 4.2 |\n"
            "| Nova Pulse X | ₹3,999 | ₹2,199 | 4.4 |\n"
            "| Bolt & Sons Drift | ₹1,799 | ₹1,499.00 | 3.5 |"
        )
    )

    assert {text: label.label for text, label in labels.items()} == {
        "₹2,499": "supported",
        "₹1,499": "supported",
        "4.2": "supported",
        "₹3,999": "supported",
        "₹2,199": "contradicted",
        "4.4": "supported",
        "₹1,799": "supported",
        "₹1,499.00": "supported",
        "3.5": "contradicted",
    }


@pytest.mark.parametrize(
    "heads",
    [
        ("Product 1", "Product 2", "Product 3"),
        ("Product I", "Product II", "Product III"),
        ("Product A", "Product B", "Product C"),
        ("Product One", "Product Two", "Product Three"),
        ("Option 1: Aster", "Option 2: Nova", "Option 3: Bolt"),
        ("Aster", "Nova", "Bolt"),
        (
            "Aster Go 2 Wireless Earbuds (Black)",
            "Nova Pulse X True Wireless Earbuds with Mic",
            "Bolt & Sons Drift Earbuds",
        ),
        ("**Aster Go 2 Earbuds**", "*Nova Pulse X*", "`Bolt Drift`"),
    ],
)
def test_products_are_found_under_many_names(heads):
    record = build_comparison(
        f"| Attribute | {' | '.join(heads)} |\n|---|---|---|---|\n| Base price | Rs 2,499 | Rs 3,999 | Rs 1,799 |\n"
    )

    assert [label.label for label in label_texts(record).values()] == ["supported"] * 3


def test_a_row_of_titles_says_what_product_1_means():
    record = build_comparison(
        "| Attribute | Product 1 | Product 2 | Product 3 |\n|---|---|---|---|\n"
        "| Product title | Nova Pulse X | Bolt Drift | Aster Go 2 |\n"
        "| Base price | Rs 3,999 | Rs 1,799 | Rs 2,400 |\n\nProduct 3 has a base price of Rs 2,400."
    )

    labels = label_texts(record)

    assert [labels[cell].label for cell in ("Rs 3,999", "Rs 1,799", "Rs 2,400")] == [
        "supported",
        "supported",
        "contradicted",
    ]
    assert labels["Product 3 has a base price of Rs 2,400."].label == "contradicted"


def test_the_last_column_is_the_last_product():
    titles = ["Lumo Note 12 (Green)", "Lumo Note 12 Pro (Green)", "Lumo Note 12 Pro+ (Green)"]
    prices = [9999, 13999, 18999]
    products = [
        {"product_title": title, "base_price": price, "final_price": price, "product_opinion_summary": "Fine."}
        for title, price in zip(titles, prices, strict=True)
    ]
    record = build_comparison(
        "| | Lumo Note 12 | Lumo Note 12 Pro | Lumo Note 12 Pro+ |\n|---|---|---|---|\n| Final price | 9,999 | 13,999 | 17,999 |",
        products,
        "phone",
    )

    assert [label.label for label in label_texts(record).values()] == ["supported", "supported", "contradicted"]


def test_a_star_in_a_title_is_no_rating():
    titles = ["CoolWave 1.5 Ton 5 Star Split AC", "FrostLine 1.5 Ton 3 Star Split AC", "Breeze 2 Ton 3 Star Window AC"]
    products = [
        {
            "product_title": title,
            "base_price": 50000,
            "final_price": 40000,
            "product_opinion_summary": "Rated 4.1 out of 5.",
        }
        for title in titles
    ]
    record = build_comparison(
        "| | CoolWave 5 Star | FrostLine 3 Star | Breeze 2 Ton |\n|---|---|---|---|\n"
        "| Final price | 40,000 | 40,000 | 41,000 |\n| Star rating | 5 Star | 3 Star | 3 Star |\n\n"
        "CoolWave is a 5 star model. FrostLine has a 3 star rating.",
        products,
        "split ac",
    )

    labels = label_products(record, cut_claims(record.output, cells=True))

    assert [(label.unit, label.label) for label in labels] == [
        ("c1", "supported"),
        ("c2", "supported"),
        ("c3", "contradicted"),
    ]


def test_a_table_in_json_is_read_as_well():
    record = build_comparison(
        '{"table": {"Final price": {"Aster Go 2": "Rs 1,499", "Nova Pulse X": "Rs 1,499", "Bolt Drift": "NA"}}}'
    )

    assert sorted(label.label for label in label_products(record, cut_claims(record.output, cells=True))) == [
        "contradicted",
        "no_fact",
        "supported",
    ]


def test_products_with_one_title_are_told_apart_by_number_alone():
    twins = [{**ASTER, "final_price": price} for price in (100, 200, 300)]
    table = "| | Aster Go 2 | Product 2 |\n|---|---|---|\n| Final price | 300 | 200 |"

    labels = label_texts(build_comparison(table, twins))

    assert {text: label.label for text, label in labels.items()} == {"200": "supported"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Aster Go 2 costs Rs 1,799.",
        "The Aster Go 2 is priced at ₹1,599 and feels light.",
        "At Rs 1,299, the Aster Go 2 is a steal.",
        "Aster Go 2 has a final price of Rs 2,499.",
        "Aster Go 2 has a base price of Rs 1,499.",
        "Nova Pulse X drops from Rs 2,999 to Rs 1,999.",
        "Aster Go 2 is down to Rs 1,999 this week.",
        "Nova Pulse X, rated 4.9 out of 5, has clear calls.",
        "Buyers give Nova Pulse X an average rating of 4.1.",
        "Bolt Drift is rated 4.5/5.",
        "Nova Pulse X comes with 60% off.",
        "Aster Go 2 offers a discount of 55%.",
        "With Nova Pulse X you save Rs 1,000.",
        "Nova Pulse X (Rs 1,499) beats Aster Go 2 (Rs 1,999) on bass.",
        "You pay Rs 1,999 for Aster Go 2 and Rs 1,999 for Nova Pulse X.",
        "The cheapest earbuds here cost Rs 1,199.",
        "Nova Pulse X is the cheapest of the three.",
        "Nova Pulse X is the most affordable option.",
        "The cheapest option is Nova Pulse X.",
        "Nova Pulse X has the lowest final price.",
        "Nova Pulse X offers the lowest base price among the three.",
        "Aster Go 2 is the most expensive product.",
        "The priciest pick, Bolt Drift, has a loose fit.",
        "Aster Go 2 has the highest rating of all.",
        "Bolt Drift is the highest-rated of the three.",
        "Nova Pulse X is the lowest rated.",
        "Bolt Drift has the biggest discount.",
        "Nova Pulse X is cheaper than Aster Go 2.",
        "Nova Pulse X costs less than Bolt Drift and Aster Go 2.",
        "Aster Go 2 is cheaper than Bolt Drift.",
        "Aster Go 2 costs more than Nova Pulse X.",
        "Aster Go 2 is rated higher than Nova Pulse X.",
        "Nova Pulse X is more affordable than the other two.",
        "Product 1 is priced at Rs 1,299.",
        "Bolt & Sons Drift (Rs 1,999) is no match for Nova Pulse X.",
        "Among the three, Nova Pulse X is the most budget-friendly.",
        "In terms of price, Nova Pulse X is the cheapest.",
        "The second product is the cheapest.",
    ],
)
def test_a_sentence_that_the_data_rules_out_is_contradicted(sentence):
    label = label_sentence(sentence)

    assert label is not None
    assert (label.label, label.by, label.qualifier) == ("contradicted", "code", "wrong_value")
    assert label.evidence
    assert label.note


@pytest.mark.parametrize(
    "sentence",
    [
        "At about Rs 1,500 the Aster Go 2 is a steal.",
        "Aster Go 2 is 40% off, which saves you Rs 1,000.",
        "Nova Pulse X (Rs 1,999) beats Aster Go 2 (Rs 1,499) on bass.",
        "Aster Go 2 and Nova Pulse X cost Rs 1,499 and Rs 1,999 respectively.",
        "Aster Go 2 and Nova Pulse X cost Rs 1,499 and Rs 1,999.",
        "Nova Pulse X costs Rs 500 more than Aster Go 2.",
        "For Rs 500 more, Nova Pulse X adds deep bass.",
        "All three are under Rs 2,000.",
        "Aster Go 2 fits a budget of Rs 2,000.",
        "If you can spend Rs 2,500, wait for a sale.",
        "Many buyers of Aster Go 2 paid Rs 1,450.",
        "Nova Pulse X has a 500 mAh case.",
        "Nova Pulse X has many 5-star reviews.",
        "Nova Pulse X lasts 30 hours and is 20% lighter.",
        "Delivery of the Nova Pulse X is Rs 40 extra.",
        "Aster Go 2 is the cheapest of the three.",
        "Bolt Drift is the cheapest option.",
        "Nova Pulse X is one of the cheapest earbuds with ANC.",
        "Nova Pulse X is not the cheapest of the three.",
        "Nova Pulse X is the cheapest with deep bass.",
        "Nova Pulse X is among the most affordable.",
        "Nova Pulse X is the second cheapest.",
        "Nova Pulse X offers more than the cheapest option.",
        "Unlike Nova Pulse X, Aster Go 2 is the cheapest.",
        "Aster Go 2 is the cheapest: Nova Pulse X costs more.",
        "Nova Pulse X would be cheaper than Aster Go 2 in a sale.",
        "Is Nova Pulse X the cheapest?",
        "Nova Pulse X is the best value.",
        "Nova Pulse X has the highest rating, 4.4 out of 5.",
        "Bolt Drift is rated 3.9 by buyers.",
        "It is the cheapest of the three.",
        "Among earbuds with a microphone, Aster Go 2 is the most expensive.",
        "The cheapest, Aster Go 2, and the most expensive, Nova Pulse X, differ by Rs 500.",
        "For those on a tight budget, the Aster Go 2 or the Bolt Drift at Rs 1,499 are the best picks.",
        "Aster Go 2 outperforms the more expensive Nova Pulse X in battery.",
        "Priced at Rs 1,499 each, Aster Go 2 and Bolt Drift cost less than Nova Pulse X.",
        "Nova Pulse X has the highest rating of 4.4/5, followed by Aster Go 2 with 4.2/5 and Bolt Drift with 3.9/5.",
        "Bolt Drift costs the same as Aster Go 2, Rs 1,499, but has a lower discount of 17%.",
        "Aster Go 2's discount of Rs 1,000 (40%) is smaller than Nova Pulse X's Rs 2,000 (50%).",
        "The final prices range from Rs 1,499 to Rs 1,999.",
        "The earbuds were launched in 2021.",
    ],
)
def test_a_sentence_that_may_be_true_has_no_label(sentence):
    assert label_sentence(sentence) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Aster Go 2 costs Rs 1,499.",
        "Verdict: **Aster Go 2** is priced at Rs 1,499.",
        "Aster Go 2 costs Rs 1,499, down from Rs 2,499.",
        "Nova Pulse X has the biggest discount of the three.",
        "Aster Go 2 has a base price of Rs 2,499.",
        "Aster Go 2 is 40% off.",
        "Aster Go 2 costs Rs 1,499 and Nova Pulse X costs Rs 1,999.",
        "Nova Pulse X is the most expensive of the three.",
        "Overall, Nova Pulse X has the highest rating.",
        "The most expensive is Nova Pulse X.",
        "Aster Go 2 is cheaper than Nova Pulse X.",
    ],
)
def test_a_sentence_of_nothing_but_right_figures_is_supported(sentence):
    label = label_sentence(sentence)

    assert label is not None
    assert (label.label, label.by, label.qualifier) == ("supported", "code", None)
    assert label.evidence
    assert label.note


@pytest.mark.parametrize(
    "sentence",
    [
        "Aster Go 2 costs Rs 2,499.",  # its base price
        "Aster Go 2 is the cheapest of the three.",  # a tie
        "Aster Go 2 costs Rs 1,499 only with a coupon.",
        "Aster Go 2 costs Rs 1,499 and is light.",
        "Only Aster Go 2 costs Rs 1,499.",
        "Aster Go 2 no longer costs Rs 1,499.",
        "The case of Aster Go 2 costs Rs 1,499.",
        "Aster Go 2 costs about Rs 1,500.",
        "Aster Go 2 costs under Rs 5,000.",
        "Is Nova Pulse X the most expensive?",
        "Nova Pulse X is the most expensive with ANC.",
        "Nova Pulse X costs ₹1,999, its original price.",
        "Nova Pulse X is the highest rated, and is currently at its list price.",
        "Nova Pulse X is rated 4.4, down from the Aster Go 2.",
        "Nova Pulse X costs ₹1,999 and comes with a Bolt Drift.",
        "Nova Pulse X is rated 4.4 and has all the stars.",
        "Nova Pulse X costs ₹1,999 and is the final option.",
        "Aster Go 2 costs $1,499.",
    ],
)
def test_a_sentence_that_may_say_more_than_its_figures_is_left_to_the_judge(sentence):
    assert label_sentence(sentence) is None


def test_a_tie_makes_neither_cheaper_than_the_other():
    label = label_sentence("Bolt Drift is cheaper than Aster Go 2.")

    assert label is not None
    assert {each.source for each in label.evidence} == {"s1", "s3"}


def test_a_ranking_in_a_cell_is_its_columns():
    record = build_comparison(
        "| | Aster Go 2 | Nova Pulse X | Bolt Drift |\n|---|---|---|---|\n"
        "| Verdict | The cheapest, with a light case | Cheapest of the three | Good value at Rs 1,299 |\n"
        "| Final price | Rs 1,499 (lowest price) | Rs 1,999 (lowest price) | Rs 1,499 |"
    )

    labels = label_texts(record)

    assert {text: label.label for text, label in labels.items()} == {
        "Cheapest of the three": "contradicted",
        "Good value at Rs 1,299": "contradicted",
        "Rs 1,499 (lowest price)": "supported",
        "Rs 1,999 (lowest price)": "contradicted",
        "Rs 1,499": "supported",
    }


def test_numbers_are_read_as_the_comparisons_language_writes_them():
    products = [
        {**each, "base_price": price, "final_price": price} for each, price in ((ASTER, 1299.5), (NOVA, 20), (BOLT, 30))
    ]
    table = "| | Aster Go 2 | Nova Pulse X | Bolt Drift |\n|---|---|---|---|\n| Final price | 1.299,50 € | 20,00 € | 31,00 € |"

    labels = label_texts(build_comparison(table, products), "de")

    assert [label.label for label in labels.values()] == ["supported", "supported", "contradicted"]


def test_sentences_of_other_languages_are_left_to_the_judge():
    record = build_comparison("Aster Go 2 kostet nur Rs 999.")

    assert label_products(record, cut_claims(record.output, "de"), "de") == ()


def test_a_price_range_holds_the_prices_within_it():
    ranged = {**ASTER, "final_price": "Rs 1,299 - Rs 1,499"}

    assert label_cell("Final price", "Rs 1,399", products=[ranged, NOVA, BOLT]).label == "supported"
    assert label_cell("Final price", "Rs 1,699", products=[ranged, NOVA, BOLT]).label == "contradicted"


def test_a_record_without_products_has_no_labels():
    from assay.domain.record import Record

    record = Record("r", "i", "It costs Rs 10.", ())

    assert label_products(record, cut_claims(record.output)) == ()
    assert list(check_products(record)) == []


def test_data_that_cannot_be_right_is_reported():
    products = [{**ASTER, "base_price": 900}, {**NOVA, "final_price": "NA"}, {**BOLT, "base_price": "Rs 10 or Rs 20"}]

    notices = list(check_products(build_comparison("Aster, Nova and Bolt are fine.", products)))

    assert [notice.check for notice in notices] == ["price_data_odd", "price_unreadable", "price_unreadable"]
    assert "900" in notices[0].note
    assert "“NA”" in notices[1].note
    assert label_cell("Discount", "10%", products=products) is None
    assert label_cell("Final price", "Rs 5", "Nova Pulse X", products=products) is None


@pytest.mark.parametrize(
    ("summary", "missing"),
    [
        ("Aster Go 2 is light, Nova Pulse X has bass.", ["Bolt & Sons Drift Earbuds"]),
        ("Aster is light, Nova has bass, Drift fits.", []),
        ("Product 1 is light, products 2 and 3 have bass.", []),
        ("| | Product A | Product B | Product C |\n|---|---|---|---|\n| Bass | thin | deep | fair |", []),
        ("", []),
    ],
)
def test_a_product_that_is_never_named_is_missing(summary, missing):
    notices = [
        notice for notice in check_products(build_comparison(summary or " ")) if notice.check == "missing_product"
    ]

    assert [title for title in missing if any(title in notice.note for notice in notices)] == missing
    assert len(notices) == len(missing)


@pytest.mark.parametrize(
    "piece", ["Aster Go 2 is cheaper than ", "Rs 1,499 ", "the cheapest of ", "| Rs 5 ", "discount of a "]
)
def test_a_long_comparison_is_read_to_its_end(piece):
    record = build_comparison(piece * 3000 + "Aster Go 2 costs Rs 7.")

    labels = label_products(record, cut_claims(record.output, cells=True))

    assert {label.by for label in labels} <= {"code"}


def test_a_unit_that_speaks_of_one_product_has_its_source():
    record = build_comparison(
        "| | Aster Go 2 | Nova Pulse X | Bolt Drift |\n|---|---|---|---|\n"
        "| Sound | thin bass | deeper than on the Aster | fair |\n\n"
        "Nova Pulse X has deep bass. Aster Go 2 and Nova Pulse X are light. They all have a case. Product 3 fits well. "
        "Aster Go 2 is the cheapest."
    )
    units = cut_claims(record.output, cells=True)

    found = find_sources(record, units)

    assert {unit.text: found.get(unit.id) for unit in units} == {
        "thin bass": "s1",
        "deeper than on the Aster": None,
        "fair": "s3",
        "Nova Pulse X has deep bass.": "s2",
        "Aster Go 2 and Nova Pulse X are light.": None,
        "They all have a case.": None,
        "Product 3 fits well.": "s3",
        "Aster Go 2 is the cheapest.": None,
    }


def test_a_measure_of_a_title_is_no_name_of_its_product():
    products = [{**ASTER, "product_title": "Aster Kettle 1.7 L"}, NOVA, BOLT]
    record = build_comparison("Nova Pulse X holds 1.7 L. The Aster Kettle 1.7 L costs Rs 7.", products)
    units = cut_claims(record.output)

    assert list(find_sources(record, units).values()) == ["s2", "s1"]
    assert [label.unit for label in label_products(record, units)] == ["c2"]


def test_a_record_without_products_has_no_product_to_speak_of():
    from assay.domain.record import Record

    record = Record("r", "i", "It costs Rs 10.", ())

    assert find_sources(record, cut_claims(record.output)) == {}


@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_a_price_in_json_is_read_however_its_sign_is_written(ensure_ascii):
    prices = {"Aster Go 2": "₹1,399", "Nova Pulse X": "₹1,999", "Bolt Drift": "₹1,499"}
    summary = json.dumps({"Final price": prices}, ensure_ascii=ensure_ascii)
    labels = label_texts(build_comparison(summary))
    assert {text: label.label for text, label in labels.items()} == {
        "₹1,399": "contradicted",
        "₹1,999": "supported",
        "₹1,499": "supported",
    }
