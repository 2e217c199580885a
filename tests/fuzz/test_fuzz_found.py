"""Inputs that fuzzing found, each with what it broke."""

from assay.text.nonwords import find_nonwords


def test_a_unit_that_is_also_a_code_is_one_stretch():
    text = "The Alba costs $3s 25% dearer."

    assert [span.of(text) for span in find_nonwords(text)] == ["3s"]
