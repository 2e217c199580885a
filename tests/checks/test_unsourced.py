import pytest
from records import build_search, build_trial

from assay.checks.unsourced import check_quantities


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
        ("It lowered LDL by 52% in 1,240 adults.", ["52%"]),
        ("It took 36 weeks.", ["36 weeks"]),
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
    assert unsourced(build_trial("At 52 years you may not take 450 mcg.")) == ["52 years", "450 mcg"]


def test_a_point_within_a_sources_range_is_not_sourced_but_its_ends_and_a_narrower_range_are():
    assert unsourced(build_trial("You are 30 years old.")) == ["30 years"]
    assert unsourced(build_trial("You must be 18 years or more, and at most 65 years.")) == []
    assert unsourced(build_trial("You must be between 18 and 65 years.")) == []


def test_numbers_are_read_as_each_text_writes_them():
    answer = "Su FEV1 es del 72,0 % y usted toma 200 mcg de budesonida cada día según el perfil que nos ha enviado."

    assert unsourced(build_trial(answer)) == []


def test_a_number_that_reads_as_a_name_in_the_source_is_still_a_number():
    results = [{"url": "https://a.example", "content": "Age 57. Grade 3.", "metadata": {"title": "t"}}]

    assert unsourced(build_search("The patient is 57 years old.", search_results=results)) == []


def test_a_sum_is_looked_for_in_the_sentences_nearest_to_the_claim():
    filler = " ".join(f"Ward {n} had {n * 7} beds." for n in range(100, 180))
    content = f"{filler} The morning group had 3,111 runners. The evening group had 4,222 runners."
    results = [{"url": "https://a.example", "content": content, "metadata": {"title": "t"}}]

    assert unsourced(build_search("Morning and evening group had 7,333 runners in all.", search_results=results)) == []
    assert unsourced(build_search("Morning and evening group had 7,331 runners in all.", search_results=results)) == [
        "7,331"
    ]


def test_many_distinct_numbers_on_both_sides_are_compared_to_the_end():
    content = " ".join(f"{n}.5 mg" for n in range(7_000, 9_000))
    summary = " ".join(f"{n} mg" for n in range(1, 50)) + " 8999.5 mg"
    results = [{"url": "https://a.example", "content": content, "metadata": {"title": "t"}}]

    assert unsourced(build_search(summary, search_results=results))[-1] == "49 mg"


def test_an_output_without_quantities_is_no_work():
    assert list(check_quantities(build_search("Statins work."))) == []
