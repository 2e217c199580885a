"""A claim is redundant by proof only where it repeats an earlier one word for word."""

from assay.checks.redundancy import label_repeated
from assay.domain.units import Unit
from assay.units.claims import cut_claims


def repeated(text):
    return [(label.unit, label.label, label.by, label.note) for label in label_repeated(cut_claims(text))]


def test_a_claim_with_the_same_words_is_redundant_whatever_its_case_and_punctuation():
    said = "The sturdy metal arm holds well. The cable is far too short. The STURDY metal arm, holds well!"
    assert repeated(said) == [("c3", "redundant", "code", "says the same as c1")]


def test_other_words_another_order_or_another_number_make_another_claim():
    assert repeated("Germany beat France in the final match. France beat Germany in the final match.") == []
    assert repeated("The battery lasts 1.5 hours in use. The battery lasts 15 hours in use.") == []
    assert repeated("It costs $5 in the shop today. It costs €5 in the shop today.") == []
    assert repeated("It went to -5 degrees at night. It went to 5 degrees at night.") == []
    assert repeated("Buyers do recommend it to others. Buyers do not recommend it to others.") == []


def test_equal_cells_in_different_places_are_not_redundant():
    cells = [Unit(f"c{at}", "claim", "Yes", context=f"Bluetooth | Product {at}") for at in (1, 2)]
    assert list(label_repeated(cells)) == []
