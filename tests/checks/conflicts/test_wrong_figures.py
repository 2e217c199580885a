"""A figure in another's place, in a sentence that is otherwise the source's own."""

import pytest

from assay.checks.conflicts.pair import find_conflicts
from assay.checks.conflicts.thresholds import is_another_threshold
from assay.text.quantities import find_quantities

# Each wrong figure stands here, so that it is somewhere in the sources, as another thing's.
ELSEWHERE = (
    "Other figures of the week were 55,000, 77, 640, 9.4, 8%, 44%, $75, €12, 90 kg, 12 mg, 3 hours, 2017, 400 IU, 500"
    " and, with Brandt, 21 January 2018."
)
# Passage, claim, the wrong figure and the right one.
WRONG = [
    ("Ridership on the first day was 31,000.", "Ridership on the first day was 55,000.", "55,000", "31,000"),
    ("Attendance at the spring fair was 240.", "Attendance at the spring fair was 640.", "640", "240"),
    ("The mean score in the drug group was 7.1.", "The mean score in the drug group was 9.4.", "9.4", "7.1"),
    ("In May the number of open posts was 52.", "In May the number of open posts was 77.", "77", "52"),
    ("The share of late trains fell to 4% in May.", "The share of late trains fell to 8% in May.", "8%", "4%"),
    ("Turnout in the second round was 61%.", "Turnout in the second round was 44%.", "44%", "61%"),
    ("A day ticket for the zoo costs $25.", "A day ticket for the zoo costs $75.", "$75", "$25"),
    ("The entry fee for a family is €9.", "The entry fee for a family is €12.", "€12", "€9"),
    (
        "The patient weighed 70 kg at the first visit.",
        "The patient weighed 90 kg at the first visit.",
        "90 kg",
        "70 kg",
    ),
    ("The dose was raised to 6 mg after a week.", "The dose was raised to 12 mg after a week.", "12 mg", "6 mg"),
    (
        "The night flight to the island takes 5 hours.",
        "The night flight to the island takes 3 hours.",
        "3 hours",
        "5 hours",
    ),
    ("The new bridge over the river has 6 lanes.", "The new bridge over the river has 77 lanes.", "77", "6"),
    ("In 2016 Harlow sold 120 cars.", "In 2016 Harlow sold 640 cars.", "640", "120"),
    ("In 2016 the town of Harlow had 120 shops.", "In 2016 the town of Harlow had 640 shops.", "640", "120"),
    ("Harlow scored 12 goals in his second season.", "Harlow scored 77 goals in his second season.", "77", "12"),
    ("The club has won 14 of its last 20 games.", "The club has won 9 of its last 20 games.", "9", "14"),
    ("Sales of the new book came to 18,000 [2].", "Sales of the new book came to 55,000 [1].", "55,000", "18,000"),
    ("The city library lends 31 000 books a year.", "The city library lends 55 000 books a year.", "55 000", "31 000"),
    (
        "Doses above 4,000 IU a day raised the risk of falls.",
        "Doses above 400 IU a day raised the risk of falls [1].",
        "400 IU a day",
        "",
    ),
    (
        "Blood levels below 20 ng/ml count as low.",
        "Blood levels below 200 ng/ml count as low.",
        "200 ng/ml",
        "20 ng/ml",
    ),
    ("Blood levels below 20 ng/ml count as low.", "Blood levels below 30 ng/ml count as low.", "30 ng/ml", "20 ng/ml"),
    ("Patients with an eGFR below 45 are left out.", "Patients with an eGFR below 60 are left out.", "60", "45"),
    ("Adults over 65 may ride free of charge.", "Adults over 75 may ride free of charge.", "75", "65"),
    ("Children under 6 may enter free of charge.", "Children under 12 may enter free of charge.", "12", "6"),
    ("Orders over $50 are shipped for free.", "Orders over $75 are shipped for free.", "$75", "$50"),
    (
        "Cars weighing more than 3 tonnes pay the toll.",
        "Cars weighing more than 7 tonnes pay the toll.",
        "7 tonnes",
        "",
    ),
    ("Groups of at least 10 people get a guide.", "Groups of at least 30 people get a guide.", "30", "10"),
    ("Bags of up to 8 kg are carried for free.", "Bags of up to 23 kg are carried for free.", "23 kg", "8 kg"),
    (
        "Homes that lost 20% or more in value were sold.",
        "Homes that lost 60% or more in value were sold.",
        "60%",
        "20%",
    ),
]
# Passage and claim, which can both be true.
RIGHT = [
    ("Ridership on the first day was 31,000.", "Ridership on the first day was 31,000."),
    ("Ridership on the first day was 31,000.", "Ridership on the first day was 31 000."),
    ("Ridership on the first day was 31,240.", "Ridership on the first day was about 31,000."),
    ("Ridership on the first day was 31,000.", "Ridership on the second day was 55,000."),
    ("Ridership on the first day was 31,000.", "Ridership in the first week was 55,000."),
    ("Ridership on the first day was 31,000.", "First-day revenue was 55,000."),
    ("Attendance at the spring fair was 240.", "Attendance at the autumn fair was 640."),
    ("The mean weight of patients in the trial was 80.", "The mean age of patients in the trial was 77."),
    ("Turnout in the second round was 61%.", "Turnout in the first round was 44%."),
    ("In 2016 Harlow sold 120 cars.", "In 2017 Harlow sold 640 cars."),
    ("In 2016 Harlow sold 120 cars.", "In 2016 Brandt sold 640 cars."),
    ("In 2016 Harlow sold 120 cars and 520 vans to firms.", "In 2016 Harlow sold 640 cars."),
    ("A day ticket for the zoo costs $25 and a year ticket $75.", "A year ticket for the zoo costs $75."),
    ("The patient weighed 70 kg at the first visit.", "The patient weighed 70,000 g at the first visit."),
    ("The night flight to the island takes 5 hours.", "The flight to the island takes 300 minutes."),
    ("More than 1,200 people came to the fair.", "More than 1,000 people came to the fair."),
    ("More than 150 people came to the spring fair.", "More than 100 people came to the spring fair."),
    ("At least 37 people were hurt in the crash.", "At least 30 people were hurt in the crash."),
    ("Less than 8% of the people had heard of it.", "Less than 10% of the people had heard of it."),
    ("More than 36% of the voters stayed at home.", "More than a third of the voters stayed at home."),
    ("Doses above 4,000 IU a day raised the risk.", "Doses above 4 000 IU a day raised the risk."),
    ("Doses above 1 g a day raised the risk of falls.", "Doses above 1,000 mg a day raised the risk of falls."),
    ("Doses above 4,000 IU a day raised the risk.", "Doses above 4,000 IU did not help those under 400 IU a day."),
    ("Adults over 65 may ride free of charge.", "Adults aged over 65 may ride free of charge."),
    ("Ships weighed over 300 tonnes in the last war.", "Ships weighed 320 tonnes in the last war."),
]
# Passage and claim, whose bound is looser and so true as well.
LOOSER = [
    ("At least 20 patients were treated in the first week.", "At least 18 patients were treated in the first week."),
    ("More than 250 homes burned down near the lake.", "More than 100 homes burned down near the lake."),
    ("In the fire over 250 homes were lost near the lake.", "In the fire over 100 homes were lost near the lake."),
    ("The train takes less than 2 hours from Paris to Lyon.", "The train takes less than 3 hours from Paris to Lyon."),
    ("At least 4 people died in the blast on Friday.", "At least 3 people died in the blast on Friday."),
    ("Of the patients at least 20 died in the first winter.", "Of the patients at least 12 died in the first winter."),
    ("The disease kills more than 900 people in a year.", "The disease kills more than 400 people in a year."),
    ("The trial enrolled at least 900 patients in Europe.", "The trial enrolled at least 400 patients in Europe."),
    ("Prices fell below $2 a litre in the last summer.", "Prices fell below $3 a litre in the last summer."),
    ("Adults over 65 lose at least 8% of muscle a year.", "Adults over 65 lose at least 2% of muscle a year."),
    ("The museum drew more than 250,000 visitors in May.", "The museum drew more than 100,000 visitors in May."),
]
# Passage and claim, whose bound is looser and yet wrong: it says of whom or what the sentence holds.
SELECTING = [
    ("The drug is safe in children over 12 years of age.", "The drug is safe in children over 6 years of age."),
    ("The ticket is free for children under 6 on all lines.", "The ticket is free for children under 12 on all lines."),
    (
        "The dose is halved in patients with an eGFR below 30.",
        "The dose is halved in patients with an eGFR below 60.",
    ),
    (
        "The dose is halved if the level is below 20 ng/ml.",
        "The dose is halved if the level is below 70 ng/ml.",
    ),
    ("The toll applies to cars over 7 tonnes on all roads.", "The toll applies to cars over 3 tonnes on all roads."),
    ("People who take more than 4,000 IU risk kidney stones.", "People who take more than 400 IU risk kidney stones."),
    ("Adults aged 65 and older may ride free of charge.", "Adults aged 40 and older may ride free of charge."),
    (
        "Families earning less than $20,000 pay no school fees.",
        "Families earning less than $70,000 pay no school fees.",
    ),
    ("HbA1c below 7% is the usual target for most adults.", "HbA1c below 9% is the usual target for most adults."),
    (
        "Patients should take no more than 3 tablets in one day.",
        "Patients should take no more than 8 tablets in one day.",
    ),
    ("Take no more than 3 tablets of the drug in one day.", "Take no more than 8 tablets of the drug in one day."),
    ("Patients must be at least 21 years old to take part.", "Patients must be at least 18 years old to take part."),
]


@pytest.mark.parametrize(("passage", "claim"), LOOSER)
def test_a_looser_bound_on_what_was_counted_is_true_as_well(passage, claim):
    assert find_conflicts(claim, passage, sources=[passage]) == ()
    assert find_conflicts(passage, claim, sources=[claim]) != ()


@pytest.mark.parametrize(("passage", "claim"), SELECTING)
def test_a_looser_bound_that_selects_is_another_claim(passage, claim):
    assert find_conflicts(claim, passage, sources=[passage])


def test_a_bound_rounded_inwards_by_a_hair_is_no_conflict():
    passage = "More than 3,967 steps a day lower the risk of death in adults."
    assert find_conflicts(passage.replace("3,967", "4,000"), passage, sources=[passage]) == ()
    assert find_conflicts(passage.replace("3,967", "5,000"), passage, sources=[passage])


@pytest.mark.parametrize(("passage", "claim", "wrong", "right"), WRONG)
def test_a_figure_in_anothers_place_is_told_though_it_stands_elsewhere(passage, claim, wrong, right):
    found = find_conflicts(claim, passage, sources=[f"{passage} {ELSEWHERE}"])
    assert [each.claim.of(claim) for each in found] == [wrong]
    assert right in found[0].passage.of(passage)


@pytest.mark.parametrize(("passage", "claim"), RIGHT)
def test_figures_that_can_both_be_true_are_no_conflict(passage, claim):
    assert find_conflicts(claim, passage, sources=[f"{passage} {ELSEWHERE}"]) == ()


@pytest.mark.parametrize("claim", [claim for _, claim, *_ in WRONG])
def test_a_figure_that_the_source_says_in_just_these_words_is_no_conflict(claim):
    passage = next(passage for passage, other, *_ in WRONG if other == claim)
    assert find_conflicts(claim, passage, sources=[f"{passage} {claim}"]) == ()


def test_a_sentence_with_the_figure_and_all_the_words_in_another_order_may_tell_just_that():
    claim, passage = "Ridership on the first day was 55,000.", "Ridership on the first day was 31,000."
    elsewhere = "With transfers, first day ridership came to 55,000."
    assert find_conflicts(claim, passage, sources=[f"{passage} {elsewhere}"]) == ()


def test_a_bare_number_needs_all_the_words_around_it():
    passage = "Attendance at the spring fair was 240."
    assert find_conflicts("Attendance at the fair was 250.", passage)
    assert not find_conflicts("Evening attendance at the fair was 250.", passage)


@pytest.mark.parametrize(
    ("claim", "source", "differ"),
    [
        ("over 400 IU", "over 4,000 IU", True),
        ("over 4 g", "over 4,000 mg", False),
        ("over 400 IU", "under 4,000 IU", False),
        ("400 IU", "over 4,000 IU", False),
        ("over 1,000 people", "over 1,200 people", False),
        ("over 1,200 people", "over 1,000 people", True),
        ("over 1,000 people", "over 9,200 people", True),
        ("over 250 people", "over 287 people", False),
        ("over 500 people", "over 730 people", False),
        ("over 400 people", "over 560 people", True),
        ("over 4,000 people", "over 3,967 people", False),
        ("under 4,000 people", "under 4,035 people", False),
        ("over 4,000 people", "over 3,700 people", True),
        ("over 3,990 people", "over 3,967 people", True),
        ("under 50 kg", "under 45 kg", False),
        ("under 60 kg", "under 45 kg", True),
        ("under 100 kg", "under 20 kg", True),
        ("over 0.5 mg", "over 0.52 mg", False),
        ("at least 12 people", "at least 0 people", False),
    ],
)
def test_thresholds_differ_on_one_side_and_by_more_than_rounding(claim, source, differ):
    (one,), (other,) = find_quantities(claim), find_quantities(source)
    assert is_another_threshold(one, other) is differ
