"""A number in an address may be anything that someone types: too long, negative, in other digits, or none."""

from urllib.parse import quote

import pytest

from equipment.page_server import Served

NO_NUMBERS = (
    "9" * 500,
    "9" * 5_000,
    str(2**63),
    str(2**64),
    "-1",
    "+1",
    "1.5",
    "1e3",
    "0x1",
    " 1",
    "1_0",
    "²",
    "１",
    "١",
)
NO_PLACES = tuple(map(quote, (*NO_NUMBERS, "0" * 500, "999999999")))


@pytest.mark.parametrize("number", NO_PLACES)
def test_a_500_digit_id_in_a_labelling_address_is_no_page(labelling: Served, number: str):
    """It was an error of ours, HTTP 500."""
    for path in (f"/label/{number}/0", f"/label/0/{number}", f"/label/{number}/{number}"):
        assert labelling.get(path).status == 404, path[:80]
        assert labelling.post(path, {"label": "x", "key": labelling.keys.write}).status == 404, path[:80]
    assert labelling.get(f"/label?after={number}").status == 303


@pytest.mark.parametrize("number", NO_PLACES)
def test_a_record_number_that_is_none_is_no_page(pages: Served, examples, number: str):
    record, both = f"/runs/{examples.first}/records", f"first={examples.first}&second={examples.second}"
    group = f"/runs/{examples.first}/groups/{number}"
    for path in (f"{record}/{number}", f"{record}/{number}/raw", f"{record}/0", f"/runs/{number}", group):
        assert pages.get(path).status == 404, path[:80]
    for numbers in (f"one={number}&two=1", f"one=1&two={number}"):
        assert pages.get(f"/compare/records?{both}&{numbers}").status == 404


@pytest.mark.parametrize("number", NO_PLACES)
def test_a_page_number_that_is_none_shows_a_list_all_the_same(pages: Served, examples, number: str):
    run = f"/runs/{examples.first}"
    for path in (f"{run}?page={number}", f"{run}/records/1?at={number}&page={number}", f"/?page={number}"):
        assert pages.get(path).status == 200, path[:80]
