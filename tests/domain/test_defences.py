"""Defences: one switch each, and words for what is not as usual."""

import pytest

from assay.domain.defences import DEFENCES, Defences


def test_all_are_on():
    assert [name for name in DEFENCES if not getattr(Defences(), name)] == []
    assert Defences().unusual == ()
    assert Defences().marks_in_prompts == ""


@pytest.mark.parametrize("name", DEFENCES)
def test_one_switched_off_is_said_and_leaves_the_others_on(name):
    weak = Defences().without(name)
    assert weak.unusual == (f"without {name}",)
    assert [each for each in DEFENCES if getattr(weak, each) != getattr(Defences(), each)] == [name]


def test_only_what_changes_a_prompt_changes_a_judges_name():
    weak = Defences().without("delimiters").without("detector")
    assert weak.unusual == ("without delimiters", "without detector")
    assert weak.marks_in_prompts == "/without-delimiters"


def test_a_name_that_is_no_defence_is_refused():
    with pytest.raises(KeyError):
        Defences().without("moat")
