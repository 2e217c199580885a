"""The scan for slow patterns knows every place that compiles one; what it measures is for the command, not for tests."""

import re

from fuzz.patterns import PACKAGE, Compiled, find_ways, list_places
from fuzz.pumping import attacks

from assay.checks import product_names


def test_a_label_of_a_product_with_a_long_run_of_spaces_is_read_in_time():
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
