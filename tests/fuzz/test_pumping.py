"""The scan for slow patterns knows every place that compiles one; what it measures is for the command, not for tests."""

import re

import pytest
from fuzz.pattern_report import render
from fuzz.patterns import PACKAGE, Compiled, list_places
from fuzz.pumping import Suspect, attacks
from fuzz.uses import KNOWN, Use, find_use

from assay.packs.comparison_faithfulness import products
from assay.replies.wrapping import is_refusal
from assay.text.quotes import find_quote
from assay.text.scripts import read_language

pytestmark = pytest.mark.integration


def test_a_label_of_a_product_with_a_long_run_of_spaces_is_read_in_time():
    assert products._NUMBERED.match("Product 2 x")["number"] == "2"
    assert products._NUMBERED.match("option#3")["number"] == "3"
    assert products._NUMBERED.match("Item " + " " * 200_000) is None


def test_attacks_lead_to_the_repetition_and_repeat_what_fits_it():
    assert ("<score>", "0") in set(attacks(re.compile(r"<score>[0-9]+<")))


def test_every_place_that_compiles_a_pattern_is_listed_with_its_ways():
    places = list_places()
    assert len(places) > 200
    lines = (PACKAGE / "packs/comparison_faithfulness/products.py").read_text(encoding="utf-8").splitlines()
    line = 1 + next(at for at, text in enumerate(lines) if text.startswith("_NUMBERED: "))
    assert ("packs/comparison_faithfulness/products.py", line) in places
    assert find_use(Compiled("packs/comparison_faithfulness/products.py", line, "", 0)) == Use(("match",))


def test_a_table_of_patterns_is_used_as_its_entries_are():
    lines = (PACKAGE / "replies/tolerant.py").read_text(encoding="utf-8").splitlines()
    line = 2 + next(at for at, text in enumerate(lines) if text.startswith("_CLOSES: "))
    assert find_use(Compiled("replies/tolerant.py", line, "", 0)) == Use(("match",))


def test_the_report_names_what_grows_and_what_only_sees_a_few_characters():
    slow = Compiled("text/quotes.py", 1, "(a|b)*`c", 0)
    text = render(
        {slow: Suspect("search", "x", "ab", 0.5, 16.0), Compiled("a.py", 2, "a", 0): None}, {("b.py", 3)}, 120.0
    )
    row = r"| text/quotes.py:1 | `(a\|b)*'c` | search | `x` | `ab` | 0.500 | × 16 |"
    assert row in text
    assert "took 2.0 CPU-minutes" in text
    assert "- b.py, line 3: built from what is read there" in text
    assert all(file in text for file, _ in KNOWN)
    assert "None." in render({}, set(), 0.0)


def test_long_runs_of_spaces_and_of_letters_are_read_in_time():
    """Each of these once cost the square of its length, or its cube."""
    assert not is_refusal("sorry" + " ," * 500)
    assert find_quote("a" * 200_000 + " ... " + "b c", "a b c") is None
    assert read_language("a" * 200_000 + " (" * 50_000) is None
