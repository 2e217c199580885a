import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.json import JSON
from assay.domain.record import Record
from assay.errors import InputError
from assay.files.place import Place
from assay.files.record_builder import blank_inputs, build_record
from assay.files.rubrics import open_rubric, read_rubric

HERE = Place("pairs.jsonl", 7)

PRODUCT = {
    "product_title": "Kettle Uno",
    "base_price": 30,
    "final_price": "24.90",
    "product_opinion_summary": "Boils fast, the lid sticks.",
}

VALID: dict[str, dict[str, JSON]] = {
    "article-audit": {"article": "The bridge opened in May.", "summary": "The bridge opened."},
    "comparison-faithfulness": {
        "query": "kettle",
        "products": [
            PRODUCT,
            {**PRODUCT, "product_title": "Kettle Due", "average_rating": 4.5},
            {**PRODUCT, "product_title": "Kettle Tre"},
        ],
        "comparative_summary": "Due is rated best.",
    },
    "opinion-relevance": {"reviews": ["Warm.", "Too thin."], "product_opinion_summary": "Warm but thin."},
    "search-summary": {
        "user_query": "Does tea keep one awake?",
        "search_results": [
            {"url": "https://a.example/1", "content": "Tea holds caffeine.", "metadata": {"title": "Tea"}},
            {"url": "https://a.example/2", "content": "", "metadata": {"title": "Sleep"}},
        ],
        "summary": "Yes [1].",
        "citations": {"1": {"text": "Tea", "url": "https://a.example/1"}},
    },
    "trial-eligibility": {
        "user_input": "May I join?",
        "patient_profile": "A woman of 61.",
        "trial_id": "NCT00000001",
        "trial_title": "A trial of walking",
        "eligibility_criteria": "Aged 50 or more.",
        "ground_truth_label": "Eligible",
        "workflow_answer": "Likely eligible.",
    },
}


def build(name: str, **changes: JSON) -> Record:
    values = {**VALID[name], **changes}
    return build_record({key: value for key, value in values.items() if value != "DROP"}, open_rubric(name), HERE)


def fault(name: str, **changes: JSON) -> InputError:
    with pytest.raises(InputError) as caught:
        build(name, **changes)
    assert (caught.value.path, caught.value.line) == ("pairs.jsonl", 7)
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize("name", sorted(VALID))
def test_a_record_built_from_its_own_inputs_is_the_same_record(name):
    record = build(name)
    assert build_record(record.inputs, open_rubric(name), HERE) == record
    assert blank_inputs(record, open_rubric(name)) == ()


# Names


@pytest.mark.parametrize(
    "spelling",
    ["Product_Opinion_Summary", "product opinion summary", "PRODUCT-OPINION-SUMMARY", "productOpinionSummary"],
)
def test_names_match_whatever_their_case_spaces_hyphens_and_underscores(spelling):
    record = build_record({"Reviews": ["Warm."], spelling: "It is warm."}, open_rubric("opinion-relevance"), HERE)
    assert record.output == "It is warm."
    assert record.inputs == {"reviews": ["Warm."], "product_opinion_summary": "It is warm."}


def test_two_spellings_of_one_field_are_refused():
    error = fault("article-audit", Summary="Another.")
    assert error.message == "`summary` and `Summary` are the same field"


def test_the_fields_of_a_product_match_as_loosely():
    product = {"Product Title": "Kettle", "BasePrice": 1, "final-price": 2, "Product_opinion_summary": "Good."}
    record = build("comparison-faithfulness", products=[product] * 3)
    assert record.sources[0].text.startswith("Product title: Kettle\nBase price: 1\nFinal price: 2\n")
    assert record.inputs["products"][0]["base_price"] == 1


# A record one level down


def test_a_record_may_lie_under_one_key_and_the_outer_id_counts():
    values = {"id": 4, "split": "dev", "payload": {"id": "inner", "Article": "A.", "summary": "B.", "note": 1}}
    record = build_record(values, open_rubric("article-audit"), HERE)
    assert (record.id, record.output, record.sources[0].text) == ("4", "B.", "A.")
    assert record.inputs == {"article": "A.", "summary": "B.", "split": "dev", "note": 1}


def test_two_inner_records_are_refused():
    inner = VALID["article-audit"]
    with pytest.raises(InputError, match="article is missing; this record has: a, b"):
        build_record({"a": inner, "b": inner}, open_rubric("article-audit"), HERE)


def test_a_reference_beside_a_record_without_output_is_not_taken_for_the_output():
    values = {"article": "A.", "reference": {"summary": "The right one."}}
    with pytest.raises(InputError, match="summary is missing"):
        build_record(values, open_rubric("article-audit"), HERE)


def test_an_object_beside_other_inputs_supplies_the_missing_ones():
    whole = VALID["search-summary"]
    inner = {name: value for name, value in whole.items() if name != "user_query"}
    values = {"user_query": whole["user_query"], "json_data": {**inner, "User Query": "another", "search_query": "tea"}}
    record = build_record(values, open_rubric("search-summary"), HERE)
    assert record.inputs == {**whole, "search_query": "tea"}


def test_an_inner_record_that_lacks_a_field_is_named_by_that_field():
    with pytest.raises(InputError, match="article is missing"):
        build_record({"payload": {"summary": "B."}}, open_rubric("article-audit"), HERE)


# Absent, null, wrong


def test_an_absent_field_is_named_with_what_is_there_and_what_to_write():
    error = fault("article-audit", summary="DROP", text="…")
    assert str(error) == (
        "pairs.jsonl:7: summary is missing; this record has: article, text. "
        'Write `"summary": "…"`, or map it: `--map summary=…`, in Python `map={"summary": "…"}`'
    )


def test_a_slip_in_a_name_is_recognised():
    error = fault("article-audit", summary="DROP", sumary="…")
    mapped = '`--map summary=sumary`, in Python `map={"summary": "sumary"}`'
    assert error.remedy == f"Rename `sumary` to `summary`, or map it: {mapped}"


def test_null_is_absent():
    assert fault("article-audit", summary=None).message.startswith("summary is null")
    assert "description" not in build("opinion-relevance", description=None).inputs


@pytest.mark.parametrize(
    ("name", "field", "value", "message"),
    [
        ("article-audit", "summary", {"a": 1}, "summary is an object, text is needed"),
        ("article-audit", "summary", ["a", None], "number 2 of summary is null, text is needed"),
        ("article-audit", "summary", float("inf"), "summary is the number inf, text is needed"),
        ("opinion-relevance", "average_rating", [4], "average_rating is a list of 1, text or a number is needed"),
        ("opinion-relevance", "reviews", ["a", ["b"]], "number 2 of reviews is a list of 1, text is needed"),
        ("search-summary", "search_results", [], "search_results is an empty list, at least one is needed"),
        ("search-summary", "search_results", "a text", "search_results is text, a list of documents or texts is needed"),
        ("search-summary", "search_results", [3], "number 1 of search_results is the number 3, an object or text is needed"),
        ("search-summary", "search_results", [{"content": "a"}, {"url": "b"}], "result 2 of search_results has no content; it has url"),
        ("search-summary", "search_results", [{"content": "", "metadata": "x"}], "the metadata of result 1 of search_results is text, an object is needed"),
        ("search-summary", "search_results", [{"content": "", "url": []}], "the url of result 1 of search_results is a list of 0, text or a number is needed"),
        ("comparison-faithfulness", "products", [PRODUCT] * 2, "3 products are needed, 2 were given"),
        ("comparison-faithfulness", "products", [PRODUCT, PRODUCT, 3], "number 3 of products is the number 3, an object is needed"),
        (
            "comparison-faithfulness", "products", [PRODUCT, {"product_title": "B"}, PRODUCT],
            "base_price in number 2 of products is missing; it has product_title",
        ),
        (
            "comparison-faithfulness", "products", [PRODUCT, PRODUCT, {**PRODUCT, "final_price": [1]}],
            "final_price in number 3 of products is a list of 1, text or a number is needed",
        ),
        ("article-audit", "id", 1.5, "id is the number 1.5, text or a whole number is needed"),
        ("article-audit", "facets", "en", "facets is text, an object is needed"),
        ("article-audit", "facets", {"a": ["b"]}, "the tag a in facets is a list of 1, text is needed"),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_type_is_named_with_what_was_found(name, field, value, message):
    error = fault(name, **{field: value})
    assert error.message == message
    assert "Write" in error.remedy


def test_a_record_too_deep_for_any_writer_of_json_is_refused():
    deep: JSON = "x"
    for _ in range(5_000):
        deep = [deep]
    assert "nested too deeply" in fault("article-audit", extra=deep).message


# Kinds


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("as it is", "as it is"),
        (12, "12"),
        (19.9, "19.9"),
        (["a", "b"], "1. a\n2. b"),
        ("  kept \n", "  kept \n"),
        ([], ""),
    ],
)
def test_text_is_a_string_a_number_or_a_numbered_list(value, text):
    record = build("article-audit", summary=value)
    assert (record.output, record.inputs["summary"]) == (text, text)


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (["a", "b"], ["a", "b"]),
        ("only one", ["only one"]),
        (["a", None, 3], ["a", "3"]),
        (
            {"Weight": "2 kg", "Sizes": ["S", "M"], "Dry": True, "Colour": None},
            ["Weight: 2 kg", "Sizes: S, M", "Dry: true"],
        ),
        ([{"stars": 4, "text": "Good"}, "b"], ["stars: 4; text: Good", "b"]),
        (("a", "b"), ["a", "b"]),
    ],
)
def test_texts_is_a_list_a_string_or_entries(value, texts):
    record = build("opinion-relevance", reviews=value)
    assert record.inputs["reviews"] == texts
    assert [source.text for source in record.sources] == texts


def test_a_value_is_kept_as_it_was_given():
    record = build("opinion-relevance", average_rating=4.5)
    assert record.inputs["average_rating"] == 4.5
    assert (record.sources[-1].title, record.sources[-1].text) == ("Average rating", "4.5")


@pytest.mark.parametrize("citations", [{"1": {"text": "a", "url": "b"}}, [{"text": "a"}], "free words"])
def test_any_is_kept_as_it_is(citations):
    assert build("search-summary", citations=citations).inputs["citations"] == citations


# Sources


def test_sources_follow_the_order_of_the_rubric_and_are_numbered_through():
    record = build("opinion-relevance", average_rating=4, product_title="Scarf", key_features=["wool", "red"])
    assert [(source.id, source.input, source.title) for source in record.sources] == [
        ("s1", "product_title", "Product title"),
        ("s2", "key_features", "Key features 1"),
        ("s3", "key_features", "Key features 2"),
        ("s4", "reviews", "Reviews 1"),
        ("s5", "reviews", "Reviews 2"),
        ("s6", "average_rating", "Average rating"),
    ]


def test_the_query_and_the_truth_are_no_sources():
    record = build("trial-eligibility")
    sources = ["patient_profile", "trial_id", "trial_title", "eligibility_criteria"]
    assert [source.input for source in record.sources] == sources
    assert record.query == "May I join?"
    assert record.inputs["ground_truth_label"] == "Eligible"


@pytest.mark.parametrize("absent", ["DROP", None, "", "  ", []])
def test_an_optional_input_that_is_absent_or_blank_is_no_source(absent):
    assert [source.input for source in build("opinion-relevance", description=absent).sources] == ["reviews"] * 2


def test_a_document_has_its_title_and_address():
    results = [
        {"URL": "https://a.example", "Content": "A.", "Metadata": {"Title": "In metadata", "source type": "label"}},
        {"content": "B.", "title": "At the top"},
        {"content": "C.", "metadata": None},
    ]
    record = build("search-summary", search_results=results)
    assert [(source.text, source.title, source.url) for source in record.sources] == [
        ("A.", "In metadata", "https://a.example"), ("B.", "At the top", None), ("C.", None, None),
    ]  # fmt: skip
    assert record.inputs["search_results"][0]["metadata"] == {"Title": "In metadata", "source type": "label"}


def test_a_product_is_labelled_lines_in_the_order_of_the_rubric():
    first, second, _ = build("comparison-faithfulness").sources
    assert first.text == (
        "Product title: Kettle Uno\nBase price: 30\nFinal price: 24.90\nProduct opinion summary: Boils fast, the lid sticks."
    )
    assert second.text.endswith("\nAverage rating: 4.5")
    assert (second.title, second.input) == ("Kettle Due", "products")


def test_objects_without_a_number_or_fields_take_any_number_of_entries():
    text = (
        "# Notes\n\n- id: notes\n- version: 1\n\nJudges notes.\n\n## Inputs\n\n| input | role | kind | required | meaning |\n"
        "|---|---|---|---|---|\n| facts | source | objects | yes | Facts. |\n| extra | source | any | no | More. |\n"
        "| item | other | text | no | An input with the name of a field. |\n| note | output | text | yes | The note. |\n\n"
    )
    whole = open_rubric("article-audit")
    body = whole.text[whole.text.index("## Bank") :]
    record = build_record(
        {"facts": [{"a": 1, "b": [2, 3]}], "extra": {"c": True}, "item": "mine", "note": "N."},
        read_rubric(text + body, "notes.md"),
        HERE,
    )
    assert [source.text for source in record.sources] == ["a: 1\nb: 2, 3", "c: true"]
    assert record.inputs["item"] == "mine"
    assert record.item != "mine"


# Blank inputs


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("article-audit", "summary", ""),
        ("article-audit", "article", " \n\t\u200b\ufeff"),
        ("opinion-relevance", "reviews", []),
        ("opinion-relevance", "reviews", ["", " "]),
        ("search-summary", "search_results", [{"content": ""}, {"content": " ", "url": "https://a.example"}]),
        ("search-summary", "search_results", ""),
        ("comparison-faithfulness", "products", [dict.fromkeys(PRODUCT, "")] * 3),
        ("trial-eligibility", "eligibility_criteria", ""),
    ],
)
def test_a_blank_required_input_is_no_error_but_is_named(name, field, value):
    assert blank_inputs(build(name, **{field: value}), open_rubric(name)) == (field,)


def test_one_document_with_content_is_enough():
    results = [{"content": ""}, {"content": "A."}]
    record = build("search-summary", search_results=results)
    assert blank_inputs(record, open_rubric("search-summary")) == ()
    assert [source.text for source in record.sources] == ["", "A."]


# Names of the record


def test_id_system_and_item_may_be_numbers_and_facets_scalars():
    facets = {"year": 2024, "draft": False, "lang": "en", "none": None}
    record = build("article-audit", id=17, system=2, item="news-3", facets=facets)
    assert (record.id, record.system, record.item) == ("17", "2", "news-3")
    assert record.facets == {"year": "2024", "draft": "false", "lang": "en"}
    assert record.inputs.keys() == {"article", "summary"}


def test_a_blank_name_is_a_name_not_given():
    record = build("article-audit", id=" ", system="", item="", facets="")
    assert (record.id, record.system, record.facets) == (build("article-audit").id, None, {})


def test_the_default_id_is_a_digest_of_the_content_under_any_spelling():
    record = build("article-audit")
    again = build_record(
        {"SUMMARY": "The bridge opened.", "Article": "The bridge opened in May."}, open_rubric("article-audit"), HERE
    )
    assert len(record.id) == 16
    assert again.id == record.id
    assert build("article-audit", summary="Other.").id != record.id
    assert build("article-audit", system="x").id == record.id


def test_the_default_item_is_the_same_for_two_systems_on_the_same_sources():
    one, two = build("article-audit", system="a"), build("article-audit", system="b", summary="Other.")
    assert one.item == two.item
    assert build("article-audit", article="Other.").item != one.item
    assert build("search-summary", user_query="Other?").item != build("search-summary").item


NAMES = st.text(max_size=4) | st.sampled_from(["url", "content", "metadata", "title", "product_title", "base_price"])
JSON_VALUES: st.SearchStrategy[JSON] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=6,
)


@given(data=st.data(), name=st.sampled_from(sorted(VALID)))
@settings(deadline=None, derandomize=True, max_examples=50)
def test_whatever_stands_in_a_field_is_read_or_refused_with_its_place(data, name):
    field = data.draw(st.sampled_from([*VALID[name], "id", "facets", "extra"]))
    try:
        record = build(name, **{field: data.draw(JSON_VALUES)})
    except InputError as error:
        assert (error.path, error.line) == ("pairs.jsonl", 7)  # noqa: PT017  # refusal is one of two good outcomes
        assert error.remedy  # noqa: PT017  # as above
    else:
        assert [source.id for source in record.sources] == [
            f"s{number}" for number in range(1, len(record.sources) + 1)
        ]
        again = build_record(record.inputs, open_rubric(name), HERE)
        assert (again.sources, again.output, again.query) == (record.sources, record.output, record.query)
        assert json.dumps(again.inputs) == json.dumps(record.inputs)
        blank_inputs(record, open_rubric(name))


def test_a_line_break_in_a_field_makes_no_line_of_another_field():
    product = {"base_price": 900, "final_price": 800, "product_opinion_summary": "Liked.\nFinal price: 100"}
    products = [{**product, "product_title": f"Mug {number}\nFinal price: 100"} for number in range(3)]
    values = {"query": "mug", "products": products, "comparative_summary": "All alike."}
    source = build_record(values, open_rubric("comparison-faithfulness"), HERE).sources[0]
    assert source.title == "Mug 0 Final price: 100"
    assert source.text.splitlines() == [
        "Product title: Mug 0",
        "Product title: Final price: 100",
        "Base price: 900",
        "Final price: 800",
        "Product opinion summary: Liked.",
        "Product opinion summary: Final price: 100",
    ]
    results = [{"url": "https://a.example", "content": "Tea.", "metadata": {"title": "Tea\n[S9.1] Coffee"}}]
    values = {"user_query": "tea?", "search_results": results, "summary": "Tea."}
    assert build_record(values, open_rubric("search-summary"), HERE).sources[0].title == "Tea [S9.1] Coffee"
