"""A figure that the sources have under another reading is not absent; one that they lack under all of them is."""

import pytest

from assay.checks.conflicts.absent import find_absent, find_unstated
from assay.checks.conflicts.pair import find_conflicts
from assay.text.sentences import split_sentences

TRAM = (
    "The city of Harlow opened its new tram line on Monday after six years of construction. The line runs 14 kilometres"
    " from the harbour to the university and has 22 stops. It cost 410 million euros, about 60 million more than planned."
    " Trams run every eight minutes during the day and every fifteen minutes after 9 p.m. A single ticket costs 2.80"
    " euros. The operator expects 55,000 passengers a day by 2028. Ridership on the first day was 31,000. A trip from end"
    " to end takes 1 hour and 30 minutes. The old line closed on 4 March 2019 with 12 500 season tickets still valid."
)
TRIAL = (
    "Inclusion: age 50 to 75; type 2 diabetes; HbA1c 7.0 to 10.0 percent. Exclusion: heart failure; eGFR below 45;"
    " insulin use. Patients take 500 mg twice a day for 12 weeks. Between 120 and 150 patients are enrolled at a cost of"
    " $1.2 million. In the last trial 38% improved, 12 percentage points more than under placebo. The budget was"
    " $900,000. That was 300,000 less than today."
)
PATIENT = (
    "Female, 61 years old. HbA1c 7.9 percent. eGFR 75. Criteria: age 50 to 75; HbA1c 7.0 to 10.0 percent; eGFR not below"
    " 45. The fee lies between $20 and $35. Visits from 2021 to 2023 take 30 to 45 minutes each."
)
TRUE = [
    (TRAM, "The line cost about 60 million euros more than planned."),
    (TRAM, "The overrun was 60 million euros."),
    (TRAM, "The overrun was about €60m."),
    (TRAM, "It was planned to cost 350 million euros."),
    (TRAM, "The line cost €410m."),
    (TRAM, "First-day ridership was 24,000 below the 2028 target."),
    (TRAM, "Ridership is to rise above the 2028 level."),
    (TRAM, "The first day saw 31 000 riders."),
    (TRAM, "The first day saw 31\u00a0000 riders."),
    (TRAM, "About 31 000 rode the tram, and 55 000 are expected."),
    (TRAM, "The operator hopes for 55 thousand riders a day."),
    (TRAM, "The tram costs 2 euros and 80 cents per ride."),
    (TRAM, "A ticket costs €2.80."),
    (TRAM, "A trip from end to end takes 90 minutes."),
    (TRAM, "A trip from end to end takes 1.5 hours."),
    (TRAM, "A trip from end to end takes 1 hour 30 minutes."),
    (TRAM, "Construction took 72 months."),
    (TRAM, "The old line closed in March 2019 with 12,500 season tickets valid."),
    (TRAM, "The old line closed with 12 500 season tickets valid."),
    (TRAM, "More than 12,000 season tickets were still valid."),
    (TRAM, "The line is under 15 kilometres long."),
    (TRAM, "The line with 22 stops opened after 6 years."),
    (TRIAL, "Her HbA1c of 7.0 percent is not above 10.0 percent."),
    (TRIAL, "An HbA1c over 10% excludes her."),
    (TRIAL, "HbA1c must be at least 7.0 percent and at most 10.0 percent."),
    (TRIAL, "Patients must be over 50 years old."),
    (TRIAL, "Patients must be younger than 75 years."),
    (TRIAL, "No more than 150 patients are enrolled."),
    (TRIAL, "From 120 up to 150 patients are enrolled."),
    (TRIAL, "Her eGFR is above 45."),
    (TRIAL, "Patients take 1 g a day."),
    (TRIAL, "Patients take 0.5 g twice a day for 84 days."),
    (TRIAL, "The trial costs $1 200 000."),
    (TRIAL, "Today's budget is $300,000 above the last one."),
    (TRIAL, "Under placebo 26% improved."),
    (PATIENT, "Her HbA1c of 7.9 percent is not above 10.0 percent."),
    (PATIENT, "Her HbA1c of 7.9 percent is not below 7.0 percent."),
    (PATIENT, "She pays no fee over $35."),
    (PATIENT, "No visit takes more than 45 minutes."),
    (PATIENT, "No visit takes less than half an hour."),
]
FALSE = [
    (TRAM, "The line cost about 80 million euros more than planned.", "80 million euros"),
    (TRAM, "The overrun was 16 million euros.", "16 million euros"),
    (TRAM, "It was planned to cost 390 million euros.", "390 million euros"),
    (TRAM, "The line cost €510m.", "€510m"),
    (TRAM, "It cost 470 million euros.", "470 million euros"),
    (TRAM, "First-day ridership was 24,000 below the 2031 target.", "2031"),
    (TRAM, "First-day ridership was 29,500 below the target.", "29,500"),
    (TRAM, "The first day saw 37 000 riders.", "37 000"),
    (TRAM, "The first day saw 37\u00a0000 riders.", "37\u00a0000"),
    (TRAM, "About 47 300 rode the tram.", "47 300"),
    (TRAM, "The tram costs 3 euros and 80 cents per ride.", "80 cents"),
    (TRAM, "A ticket costs €2.90.", "€2.90"),
    (TRAM, "A trip from end to end takes 95 minutes.", "95 minutes"),
    (TRAM, "A trip from end to end takes 4 hours 30 minutes.", "4 hours"),
    (TRAM, "Construction took 50 months.", "50 months"),
    (TRAM, "The old line closed in April 2019.", "April 2019"),
    (TRAM, "The old line closed with 12,900 season tickets valid.", "12,900"),
    (TRAM, "The line is 16 kilometres long.", "16 kilometres"),
    (TRAM, "The line has 27 stops.", "27"),
    (TRIAL, "Her HbA1c must be below 5.8 percent.", "5.8 percent"),
    (TRIAL, "HbA1c must be 8.5 percent.", "8.5 percent"),
    (TRIAL, "Patients must be 62 years old.", "62 years"),
    (TRIAL, "Some 190 patients are enrolled.", "190"),
    (TRIAL, "Patients take 650 mg.", "650 mg"),
    (TRIAL, "Patients take it for 17 weeks.", "17 weeks"),
    (TRIAL, "The trial costs $1 700 000.", "$1 700 000"),
    (TRIAL, "In the last trial 41% improved.", "41%"),
    (PATIENT, "Her HbA1c of 7.9 percent is not above 12.0 percent.", "12.0 percent"),
    (PATIENT, "She pays no fee over $50.", "$50"),
    (PATIENT, "A visit takes 55 minutes.", "55 minutes"),
]


@pytest.mark.parametrize(("source", "claim"), TRUE)
def test_a_true_figure_is_neither_absent_nor_contradicted(source, claim):
    assert find_absent(claim, [source]) == ()
    for sentence in split_sentences(source):
        assert find_conflicts(claim, sentence.of(source), sources=[source]) == ()


@pytest.mark.parametrize(("source", "claim", "figure"), FALSE)
def test_a_figure_that_no_source_has_under_any_reading_is_absent(source, claim, figure):
    assert figure in [each.span.of(claim) for each in find_absent(claim, [source])]


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("In 2019 300 people came.", "In 2019, 300 people came."),
        ("They booked rooms 12 300 and 14.", "They booked rooms 12 and 300."),
        ("In group 2 150 patients improved.", "In group 2, 150 patients improved."),
        ("It drew 12 500 people.", "It drew 12,500 people."),
        ("It drew 12,500 people.", "It drew 12 500 people."),
        ("It drew 12 and 500 people.", "It drew 12 500 people."),
        ("She took about 12 500 mg tablets.", "She took about 12 tablets of 500 mg."),
        ("She took some 20 tablets of 500 mg.", "She took some 20 500 mg tablets."),
        ("The salt weighed about 12,500 mg.", "The salt weighed about 12 500 mg."),
    ],
)
def test_digits_in_groups_are_one_number_or_several_as_the_other_text_needs(source, claim):
    assert find_absent(claim, [source], small=True) == ()
    assert find_conflicts(claim, source) == ()


def test_digits_in_groups_that_are_right_as_neither_are_absent():
    found = find_absent("It drew 12 500 people.", ["It drew 13,700 people."])
    assert [each.span.of("It drew 12 500 people.") for each in found] == ["12", "500"]


def test_a_figure_with_another_bound_is_in_the_sources_and_yet_not_borne_out():
    claim, source = "The tank holds over 500 litres.", "The tank holds 500 litres."
    assert find_absent(claim, [source]) == ()
    assert [span.of(claim) for span in find_unstated(claim, [source])] == ["500 litres"]


def test_a_count_of_something_else_lends_no_price():
    assert find_absent("The line cost 60 million euros.", ["It drew 60 million more visitors than the old one."])


@pytest.mark.parametrize(
    ("told", "right", "wrong"),
    [
        ("The bridge cost 410 million euros, 60 million more than planned.", "350 million", "470 million"),
        ("The bridge cost 410 million euros, 60 million less than planned.", "470 million", "350 million"),
        ("The bridge cost 410 million euros (about 60 million below the plan).", "470 million", "350 million"),
    ],
)
def test_an_amount_and_how_far_it_lies_from_the_plan_give_the_plan_in_one_way_alone(told, right, wrong):
    assert find_absent(f"The plan was {right} euros.", [told]) == ()
    assert find_absent(f"The plan was {wrong} euros.", [told])
    assert find_conflicts(f"The bridge cost {wrong} euros.", told, sources=[told])
