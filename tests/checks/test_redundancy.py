"""Claims that say the same twice, told from claims that only sound alike."""

from assay.checks.redundancy import label_repeated
from assay.domain.units import Unit
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


def test_four_in_five_stems_are_enough():
    assert repeated("The lamp has bright light. The lamp has bright green light.") == []
    assert repeated("The lamp has warm bright light. The lamp has warm bright green light.") == [
        ("c2", "redundant", "code")
    ]


def test_the_first_claim_that_said_it_is_named():
    said = "The sturdy metal arm holds well."
    [label] = label_repeated(cut_claims(f"It is bright. {said} The cable is far too short. {said}"))
    assert (label.unit, label.note) == ("c4", "says the same as c2")


def test_of_many_thousand_claims_each_finds_the_one_it_repeats():
    rows = [f"Lamp {number} costs {number + 70_000} dollars in the store" for number in range(5_000)]
    claims = [Unit(f"c{place}", "claim", row) for place, row in enumerate([*rows, *rows], 1)]
    labels = label_repeated(claims)
    assert [(label.unit, label.note) for label in labels] == [
        (f"c{place + 5_000}", f"says the same as c{place}") for place in range(1, 5_001)
    ]
