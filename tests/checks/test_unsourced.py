import pytest
from records import build_search

from assay.checks.catalogue import check_quantities
from packs.trials import build_trial


def unsourced(record):
    return [notice.span.of(record.output) for notice in check_quantities(record)]


@pytest.mark.parametrize(
    "summary",
    [
        "Atorvastatin 40 mg once daily lowered LDL by 38% in 1240 adults.",
        "It took 24 weeks [1], nearly six months [2].",
        "A dose of 0.04 g lowered LDL by about 40%.",
        "Over 1,000 adults took part.",
        "Of 200 patients 7% stopped early.",
        "186 patients of 200 went on.",
        "A 45-year-old may start with 10 mg.",
        "It began in 2019, in March 2019 to be exact, and cost USD 2.5m.",
        "There were 3 arms and 2 doses.",
        "In the first trial, the 2nd arm did best.",
        "Statins work. See [12] and https://a.example/99.",
        "Of LDL, 0.38 went away.",
        "it began in march of 2019, and 38 is its number.",
    ],
)
def test_a_quantity_that_a_source_states_or_yields_is_sourced(summary):
    assert unsourced(build_search(summary)) == []


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ("Atorvastatin 80 mg lowered LDL.", ["80 mg"]),
        ("The trial began in 2017.", ["2017"]),
        ("It cost $4 million.", ["$4 million"]),
        ("1,875 adults took part.", ["1,875"]),
        ("Start with 11 mL.", ["11 mL"]),
        ("A mean of 17.3 was found.", ["17.3"]),
    ],
)
def test_a_quantity_that_no_source_has_is_reported_where_it_stands(summary, expected):
    assert unsourced(build_search(summary)) == expected


def test_the_question_is_a_source_of_quantities_too():
    record = build_search("For 750 mg no result was found.", user_query="Is 750 mg too much?")

    assert unsourced(record) == []


def test_quantities_are_taken_from_profile_and_criteria():
    answer = "At 46 you are within 18 to 65 years. Your FEV1 of 72% is 12 percentage points above 60%."

    assert unsourced(build_trial(answer)) == []


def test_numbers_are_read_as_each_text_writes_them():
    answer = "Su FEV1 es del 72,0 % y usted toma 200 mcg de budesonida cada día según el perfil que nos ha enviado."

    assert unsourced(build_trial(answer)) == []


def test_a_number_that_reads_as_a_name_in_the_source_is_still_a_number():
    results = [{"url": "https://a.example", "content": "Age 57. Grade 3.", "metadata": {"title": "t"}}]

    assert unsourced(build_search("The patient is 57 years old.", search_results=results)) == []


def test_an_output_without_quantities_is_no_work():
    assert list(check_quantities(build_search("Statins work."))) == []
