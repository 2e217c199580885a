"""What the options of a part say about each other."""

from fractions import Fraction
from itertools import permutations

import pytest

from assay.domain.parts import LabelPart, Option

OPTIONS = (
    Option("supported", "it is there", Fraction(1)),
    Option("partial", "half of it is there", Fraction(1, 2)),
    Option("absent", "it is not there", Fraction(0)),
    Option("no_fact", "it states nothing", Fraction(1)),
)


@pytest.mark.parametrize("options", [*permutations(OPTIONS)])
def test_the_order_of_a_rubrics_rows_does_not_say_which_label_needs_evidence(options):
    part = LabelPart("claim", "claim", options, "source")
    assert (part.best, part.middle, part.worst) == ("supported", "partial", "absent")
    assert [option.name for option in OPTIONS if part.needs_evidence(option.name)] == ["supported"]
