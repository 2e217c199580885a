"""Claims that say the same twice, told from claims that only sound alike."""

from assay.checks.redundancy import label_repeated
from assay.units.claims import cut_claims


def repeated(text):
    return [(label.unit, label.label, label.by) for label in label_repeated(cut_claims(text))]


def test_a_claim_in_other_order_is_redundant():
    said = "Buyers praise the bright light and the sturdy metal arm. The sturdy metal arm and the bright light are praised by buyers."
    assert repeated(said) == [("c2", "redundant", "code")]


def test_another_number_or_another_thing_is_another_claim():
    assert (
        repeated("The battery lasts 10 hours on a full charge. The battery lasts 20 hours on a full charge, if dimmed.")
        == []
    )
    assert repeated("The lamp is bright. The lamp is heavy.") == []


def test_a_short_echo_is_left_to_the_judge():
    assert repeated("It is bright. It is bright.") == []
