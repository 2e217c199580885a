from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span
from assay.text.quantities import find_quantities
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.quantity_matching import Relation, find_support, percent_off, relate

EQUAL, COMPATIBLE = Relation.EQUAL, Relation.COMPATIBLE
CONFLICTING, INCOMPARABLE = Relation.CONFLICTING, Relation.INCOMPARABLE


def read(text: str) -> Quantity:
    (found,) = find_quantities(text)
    return found


@pytest.mark.parametrize(
    ("claim", "source", "relation"),
    [
        ("Rs 1,299", "₹1299.00", EQUAL),
        ("$1.3k", "$1,299.00", COMPATIBLE),
        ("$1.2k", "$1,299.00", CONFLICTING),
        ("$1,300", "$1,299", CONFLICTING),
        ("Rs 1 lakh", "₹1,00,000", EQUAL),
        ("$5", "€5", INCOMPARABLE),
        ("$5", "€6", INCOMPARABLE),
        ("$5", "5 mg", INCOMPARABLE),
        ("Rs 50 per kg", "Rs 50", INCOMPARABLE),
        ("50 people", "50 voters", EQUAL),
        ("50 people", "it was 50", EQUAL),
        ("50 people", "51 people", CONFLICTING),
        ("50 people", "52 people", CONFLICTING),
        ("about 50 people", "52 people", COMPATIBLE),
        ("about 50 people", "56 people", CONFLICTING),
        ("52 people", "about 50 people", COMPATIBLE),
        ("about 50", "about 50", EQUAL),
        ("about 50", "50", COMPATIBLE),
        ("two million", "2.4 million", COMPATIBLE),
        ("two million", "2.6 million", CONFLICTING),
        ("over 50", "60", COMPATIBLE),
        ("over 50", "50", CONFLICTING),
        ("at least 50", "50", COMPATIBLE),
        ("over 50", "40", CONFLICTING),
        ("over 50", "over 60", COMPATIBLE),
        ("over 60", "over 50", INCOMPARABLE),
        ("over 50", "under 40", CONFLICTING),
        ("over 50", "under 60", INCOMPARABLE),
        ("over 50", "40-60", INCOMPARABLE),
        ("up to 20%", "15%", COMPATIBLE),
        ("up to 20%", "25%", CONFLICTING),
        ("under 20%", "20%", CONFLICTING),
        ("50", "over 50", COMPATIBLE),
        ("52", "over 50", COMPATIBLE),
        ("70", "over 50", INCOMPARABLE),
        ("40", "over 50", CONFLICTING),
        ("5%", "5 percentage points", INCOMPARABLE),
        ("5%", "5.2%", COMPATIBLE),
        ("5.0%", "5.2%", CONFLICTING),
        ("half of them", "50%", EQUAL),
        ("a third of them", "33%", COMPATIBLE),
        ("a third of them", "40%", CONFLICTING),
        ("4.2/5", "4.2 stars", EQUAL),
        ("4.2/5", "4.18 stars", COMPATIBLE),
        ("4.2/5", "4.6 out of 5", CONFLICTING),
        ("4/5", "8/10", EQUAL),
        ("4.2/5", "it is 4.2", INCOMPARABLE),
        ("1 g", "1000 mg", EQUAL),
        ("1 mg", "1000 mcg", EQUAL),
        ("5 mg", "5.0 mg", EQUAL),
        (".5 mg", "5 mg", CONFLICTING),
        ("5 mg", "5 mcg", CONFLICTING),
        ("5 mg", "5 mL", CONFLICTING),
        ("5 mcg", "5 mL", CONFLICTING),
        ("5 mg", "5 units", CONFLICTING),
        ("5 mg", "5 mg/kg", CONFLICTING),
        ("5 mg/day", "5 mg", INCOMPARABLE),
        ("10 mg", "5 mL", INCOMPARABLE),
        ("70 kg", "154 lb", COMPATIBLE),
        ("70 kg", "180 lb", CONFLICTING),
        ("100 IU", "100 units", EQUAL),
        ("60 mph", "60 miles per hour", EQUAL),
        ("twice daily", "every 12 hours", EQUAL),
        ("twice daily", "tid", CONFLICTING),
        ("1 week", "7 days", EQUAL),
        ("1 year", "12 months", EQUAL),
        ("1 year", "365 days", COMPATIBLE),
        ("two weeks", "20 days", CONFLICTING),
        ("10-12 mg", "10–12 mg", EQUAL),
        ("11 mg", "10-12 mg", COMPATIBLE),
        ("13 mg", "10-12 mg", CONFLICTING),
        ("10-12 mg", "5-20 mg", COMPATIBLE),
        ("10-12 mg", "11-15 mg", INCOMPARABLE),
        ("10-12 mg", "13-15 mg", CONFLICTING),
        ("March 2021", "12 March 2021", COMPATIBLE),
        ("in 2021", "2021-03-12", COMPATIBLE),
        ("in 2020", "2021-03-12", CONFLICTING),
        ("12 March 2021", "2021-03-12", EQUAL),
        ("03/04/2021", "3 April 2021", COMPATIBLE),
        ("12 March", "March 12, 2021", COMPATIBLE),
        ("13 March", "March 12, 2021", CONFLICTING),
        ("May 19", "May 11–22", COMPATIBLE),
        ("May 19", "May 11–22, 2021", COMPATIBLE),
        ("May 19, 2021", "May 11–22", COMPATIBLE),
        ("May 11–22", "May 19, 2021", COMPATIBLE),
        ("May 23, 2021", "May 11–22", CONFLICTING),
        ("May 19–25, 2021", "May 11–22", INCOMPARABLE),
        ("May 23–25, 2021", "May 11–22", CONFLICTING),
        ("around 1990", "in 1991", COMPATIBLE),
        ("around 1990", "in 1995", CONFLICTING),
        ("since 1990", "5%", INCOMPARABLE),
        ("the 3rd", "his 3rd goal", EQUAL),
        ("the 3rd", "his 2nd goal", CONFLICTING),
        ("the 3rd", "it is 3", INCOMPARABLE),
    ],
)
def test_a_claim_relates_to_a_source(claim, source, relation):
    assert relate(read(claim), read(source)) is relation


def test_the_first_agreeing_source_supports():
    sources = find_quantities("It was Rs 1,500, is now Rs 1,299, and costs $16.")
    supporting = find_support(read("Rs 1,299.00"), sources)
    assert supporting is sources[1]
    assert find_support(read("Rs 1,199"), sources) is None


@pytest.mark.parametrize(
    ("list_price", "sale_price", "percent"), [(500, 400, 20), (400, 500, -25), (3, 2, Fraction(100, 3))]
)
def test_percent_off_is_the_reduction_from_the_list_price(list_price, sale_price, percent):
    assert percent_off(Fraction(list_price), Fraction(sale_price)) == percent


def test_a_list_price_of_zero_has_no_percent_off():
    with pytest.raises(ValueError, match="above zero"):
        percent_off(Fraction(0), Fraction(5))


@st.composite
def quantities(draw):
    kind, unit = draw(
        st.sampled_from(
            [
                (Kind.PRICE, "INR"),
                (Kind.PRICE, "USD"),
                (Kind.MEASURE, "mg"),
                (Kind.MEASURE, "g"),
                (Kind.MEASURE, "mL"),
                (Kind.DURATION, "week"),
                (Kind.DURATION, "day"),
                (Kind.COUNT, None),
                (Kind.NUMBER, None),
                (Kind.PERCENTAGE, "%"),
                (Kind.RATING, "/5"),
            ]
        )
    )
    value = Fraction(draw(st.integers(-20, 2000)), draw(st.sampled_from([1, 2, 10])))
    half = Fraction(1, draw(st.sampled_from([1, 2, 20])))
    bound = draw(st.sampled_from(list(Bound)))
    return Quantity(value - half, value + half, value, unit, kind, bound, Span(0, 1))


@settings(deadline=None, derandomize=True)
@given(quantities(), quantities())
def test_equality_is_symmetric(one, other):
    assert (relate(one, other) is EQUAL) == (relate(other, one) is EQUAL)


@settings(deadline=None, derandomize=True)
@given(quantities())
def test_a_quantity_equals_itself(quantity):
    assert relate(quantity, quantity) is EQUAL


@settings(deadline=None, derandomize=True)
@given(quantities(), quantities())
def test_numbers_printed_alike_agree_both_ways(one, other):
    if one.bound is other.bound is Bound.EXACT:
        assert relate(one, other) is relate(other, one)
