"""What a comparison says of one product is borne out by that product's data alone."""

import assay

KETTLES = [
    {
        "product_title": "Brisa Kettle 1.7 L",
        "base_price": "$39.99",
        "final_price": "$34.99",
        "product_opinion_summary": "Buyers find it quiet and fast. Some say the handle gets hot.",
    },
    {
        "product_title": "Tavo Steel Kettle",
        "base_price": "$60.00",
        "final_price": "$45.00",
        "product_opinion_summary": "Buyers praise the steel body. A few say it is loud.",
    },
    {
        "product_title": "Quillo Travel Kettle",
        "base_price": "$25.00",
        "final_price": "$25.00",
        "product_opinion_summary": "Buyers like the small size. It boils slowly.",
    },
]


def judge(summary: str) -> dict[str, tuple[str, set[str]]]:
    """By its text, a claim's label and the sources of its evidence."""
    records = [{"id": "r", "query": "kettle", "products": KETTLES, "comparative_summary": summary}]
    (result,) = assay.judge(records, rubric="comparison-faithfulness")
    findings = result.metrics["faithfulness"].findings
    return {each["text"]: (each["support"], {piece["source"] for piece in each["evidence"]}) for each in findings}


def test_a_sentence_takes_no_evidence_from_another_product():
    found = judge("The Tavo is quiet and fast. The Brisa is loud. The Brisa is quiet and fast. The Tavo is loud.")

    assert found["The Tavo is quiet and fast."][0] != "supported"
    assert found["The Brisa is loud."][0] != "supported"
    assert found["The Brisa is quiet and fast."][1] == {"s1"}
    assert found["The Tavo is loud."][1] == {"s2"}


def test_a_cell_takes_no_evidence_from_another_column():
    table = "| | Brisa Kettle 1.7 L | Tavo Steel Kettle | Quillo Travel Kettle |\n|---|---|---|---|\n| Opinion | {} | {} | {} |"
    right = judge(table.format("quiet and fast", "steel body", "small size"))
    swapped = judge(table.format("steel body", "quiet and fast", "small size"))

    assert right["quiet and fast"][1] == {"s1"}
    assert right["steel body"][1] == {"s2"}
    assert swapped["quiet and fast"][0] != "supported"
    assert swapped["steel body"][0] != "supported"


def test_a_sentence_on_two_products_may_take_evidence_from_both():
    found = judge("The handle of the Brisa gets hot, and the Tavo is loud. The Brisa is quiet.")

    assert found["The Brisa is quiet."][1] == {"s1"}
    assert all(sources <= {"s1", "s2"} for _, sources in found.values())


def test_a_product_that_is_named_in_passing_is_not_what_a_sentence_is_about():
    found = judge("Unlike the Tavo, this kettle is quiet and fast. Some say its handle gets hot, not that of the Tavo.")

    assert found["Unlike the Tavo, this kettle is quiet and fast."][1] == {"s1"}


def test_a_figure_of_another_source_is_not_called_absent_because_one_source_alone_has_the_name_beside_it():
    sources = ["Arva Trek poles", "72 euros", "Buyers praise that a pair weighs 420 g and that the clamps hold."]
    answer = "The Arva Trek poles weigh 420 g a pair, which buyers praise, and their clamps hold."
    record = {"id": "r", "question": "How heavy are they?", "sources": sources, "answer": answer}
    (result,) = assay.judge([record], rubric="grounded-answer")
    (finding,) = result.metrics["faithfulness"].findings
    assert finding["support"] != "absent"
    assert "420" not in finding["note"]
