"""Patterns that cost the square of their text are told from those that do not."""

import re

import pytest
from fuzz.patterns import PACKAGE, Compiled, find_ways, list_places
from fuzz.pumping import attacks, pump

from assay.checks import product_names


@pytest.mark.parametrize(
    ("pattern", "way"),
    [(r"(a+)+$", "match"), (r"x\s*(?:no)?\s*y", "match"), (r"\s+stars", "search"), (r"\w*z", "search")],
)
def test_a_pattern_that_grows_faster_than_its_text_is_a_suspect(pattern, way):
    assert pump(re.compile(pattern), (way,)) is not None


@pytest.mark.parametrize(
    ("pattern", "way"), [(r"x\s*(?:no\s*)?y", "match"), (r"\s{1,9}stars", "search"), (r"[^;]{1,200}", "search")]
)
def test_a_pattern_that_grows_with_its_text_is_none(pattern, way):
    assert pump(re.compile(pattern), (way,), most=6) is None


def test_a_label_of_a_product_with_a_long_run_of_spaces_is_read_in_time():
    assert pump(product_names._NUMBERED, ("match",), most=12) is None
    assert product_names._NUMBERED.match("Product  no. 2 x")["number"] == "2"
    assert product_names._NUMBERED.match("option#3")["number"] == "3"
    assert product_names._NUMBERED.match("Item " + " " * 200_000) is None


def test_attacks_lead_to_the_repetition_and_repeat_what_fits_it():
    assert ("<score>", "0") in set(attacks(re.compile(r"<score>[0-9]+<")))


def test_every_place_that_compiles_a_pattern_is_listed_with_its_ways():
    places = list_places()
    assert len(places) > 200
    lines = (PACKAGE / "checks/product_names.py").read_text(encoding="utf-8").splitlines()
    line = 1 + next(at for at, text in enumerate(lines) if text.startswith("_NUMBERED: "))
    assert ("checks/product_names.py", line) in places
    assert find_ways(Compiled("checks/product_names.py", line, "", 0)) == ("match",)
