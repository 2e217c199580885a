from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.quantities import find_quantities
from assay.text.quantity_spaces import find_loose_groups, harden_spaces

ONE = [
    ("The first day saw 31 000 riders.", "31000"),
    ("It drew 1 000 people.", "1000"),
    ("It drew 250 000 people.", "250000"),
    ("It drew 3 000 000 people.", "3000000"),
    ("It drew 2 000 500 people.", "2000500"),
    ("About 12 500 people came.", "12500"),
    ("nearly 12 500 people", "12500"),
    ("An estimated 12 500 people came.", "12500"),
    ("a total of 12 500 votes", "12500"),
    ("It cost $12 500 in all.", "12500"),
    ("It cost € 12 500 in all.", "12500"),
    ("It cost EUR 12 500 in all.", "12500"),
    ("It cost Rs. 12 500 in all.", "12500"),
    ("The fee is 31 000 euros.", "31000"),
    ("a 10 000 km trip", "10000"),
    ("It weighs 31 000 kg.", "31000"),
    ("(31 000 of them)", "31000"),
    ("Since then 31 000 came.", "31000"),
    ("more than 31 000", "31000"),
    ("about 12 500 km of road", "12500"),
    ("some 12 500 m across", "12500"),
    ("nearly 12 500 kg was sold", "12500"),
    ("about 12 340 mg", "12340"),
    ("It rose by 31 000.", "31000"),
]
SEVERAL = [
    ("In 2019 300 people came.", ["300"]),
    ("They booked rooms 12 300 and 14.", ["12", "300", "14"]),
    ("In group 2 150 patients improved.", ["150"]),
    ("On day 14 200 mg was given.", ["200"]),
    ("Of those over 65 500 were ill.", ["65", "500"]),
    ("In week 12 300 patients remained.", ["300"]),
    ("He ran 10 300 times.", ["10", "300"]),
    ("sizes 38 400 and 42", ["38", "400", "42"]),
    ("the numbers 7 120 and 8 140", ["7", "120", "8", "140"]),
    ("lines 12 30 and 400", ["12", "30", "400"]),
    ("columns 1 2 300", ["1", "2", "300"]),
    ("It took 12 4000 litre tanks.", ["12", "4000"]),
    ("a ratio of 3 100/200", ["3", "100", "200"]),
    ("scores of 12 3000", ["12", "3000"]),
    ("2.5 100 mg tablets", ["2.5", "100"]),
    ("1,200 300 mg tablets", ["1200", "300"]),
    ("in 1998 1999 and 2000", []),
    ("seats 12a 300", ["300"]),
    ("9 20 and 300", ["9", "20", "300"]),
    ("aged 12 300 children came", ["12", "300"]),
    ("She took about 12 500 mg tablets.", ["12", "500"]),
    ("She took some 20 500 mg tablets.", ["20", "500"]),
    ("She took about 12 500-mg tablets.", ["12", "500"]),
    ("about 12 500 mg", ["12", "500"]),
    ("The team won about 3 100 m races.", ["3", "100"]),
    ("around 6 330 ml cans", ["6", "330"]),
]


@pytest.mark.parametrize(("text", "value"), ONE)
def test_a_plain_space_before_three_zeros_or_after_a_word_for_an_amount_groups_thousands(text, value):
    assert _values(text) == [Fraction(value)]


@pytest.mark.parametrize(("text", "values"), SEVERAL)
def test_two_numbers_that_meet_are_not_joined(text, values):
    assert _values(text) == [Fraction(value) for value in values]


@pytest.mark.parametrize("text", ["Call 800 555 000 now.", "tel. 555 000", "+1 800 000 000", "phone: 12 000 000"])
def test_a_telephone_number_is_no_amount(text):
    assert not any(value >= 1000 for value in _values(text))


def _values(text):
    return [quantity.value for quantity in find_quantities(text) if quantity.kind not in {"ordinal", "date"}]


def test_a_year_before_a_group_of_thousands_is_not_joined_to_it():
    _, people = find_quantities("In 2019 1 000 people came.")
    assert people.value == 1000


def test_groups_that_may_be_one_number_or_several_are_found_where_they_stand():
    text = "Rooms 12 300, some 14 500 guests and 31 000 meals."
    assert [text[start:end] for start, end in find_loose_groups(text)] == ["12 300"]
    assert harden_spaces(text, sure=False).count("\u00a0") == 3


@pytest.mark.parametrize("piece", ["1 000 ", "111 ", "1 234 ", "000 111 ", "about 1 234, ", "$1 23"])
def test_a_page_full_of_groups_is_read_to_its_end(piece):
    text = piece * (100_000 // len(piece))
    assert len(harden_spaces(text)) == len(text)
    find_loose_groups(text)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.text(alphabet="a 0123.,$", max_size=40))
def test_every_offset_stays(text):
    for sure in (True, False):
        hardened = harden_spaces(text, sure=sure)
        assert len(hardened) == len(text)
        assert hardened.replace("\u00a0", " ") == text
