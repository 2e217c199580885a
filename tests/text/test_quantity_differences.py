"""Differences that leave their unit to the amount before them, and years that say which level is meant."""

import pytest

from assay.text.quantities import find_quantities
from assay.text.quantity import Bound


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("It cost 410 million euros, about 60 million more than planned.", "EUR"),
        ("It costs $45, 5 more than last year.", "USD"),
        ("It costs $45 (5 more than last year).", "USD"),
        ("It costs £300 – some 20 below the estimate.", "GBP"),
        ("He weighs 80 kg, 5 less than in May.", "kg"),
        ("It cost 410 million euros, 60,000 more than planned.", "EUR"),
        ("It cost 20 million euros, 5 more than planned.", None),
        ("The line is 14 km long, 2 more than the old one.", None),
        ("It drew 120 runners, 30 more than last year.", None),
        ("It costs $45, 30 people more than expected paid.", None),
        ("It costs $45 and 30 more than expected came.", None),
        ("It costs $45. 30 more than expected came.", None),
        ("It costs $45 a week, 30 more than expected.", None),
        ("It took 3 hours, 30 more than expected came.", None),
        ("In 2019, 30 more than expected came.", None),
        ("It costs $45, 30 of them new.", None),
    ],
)
def test_a_bare_difference_right_behind_an_amount_has_its_unit(text, unit):
    assert find_quantities(text)[-1].unit == unit


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("It was 24,000 below the 2028 target.", Bound.EXACT),
        ("It lies above the 2019 average.", Bound.EXACT),
        ("It is higher than the 2020 peak.", Bound.EXACT),
        ("It lies below 2028 target.", Bound.EXACT),
        ("It was above 2000.", Bound.OVER),
        ("at least 2019", Bound.AT_LEAST),
        ("around the 2019 vote", Bound.APPROXIMATE),
    ],
)
def test_a_year_that_says_which_level_is_meant_is_not_bounded(text, bound):
    assert find_quantities(text)[-1].bound == bound


def test_two_readings_of_two_figures_are_no_range():
    found = find_quantities("Blood pressure fell from 142/91 to 131/84 mmHg.")
    assert [(int(each.value), each.unit, each.bound) for each in found] == [
        (figure, "mmHg", Bound.EXACT) for figure in (142, 91, 131, 84)
    ]
