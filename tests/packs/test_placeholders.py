import pytest

from assay.packs.comparison_faithfulness.cells import states_nothing


@pytest.mark.parametrize(
    "cell",
    [
        "", " ", "NA", "N/A", "N.A.", "-", "—", "...", "?", "**N/A**", "(not available)", "Not Mentioned.",
        "not explicitly mentioned", "Not provided in the data", "No information available", "Rating not available",
        "Information is not given", "unknown", "nil", "nicht angegeben", "no rating yet",
    ],
)  # fmt: skip
def test_a_placeholder_states_nothing(cell):
    assert states_nothing(cell)


@pytest.mark.parametrize(
    "cell",
    [
        "None", "No", "0", "Rs 0", "A", "Not good", "No complaints", "Not waterproof", "no discount", "na na na band",
        "Available", "Not available in blue, but the red one is on sale for less", "Nails", "N/A for kids, fine for adults",
    ],
)  # fmt: skip
def test_a_cell_that_says_something_is_no_placeholder(cell):
    assert not states_nothing(cell)


def test_a_long_cell_is_read_at_once():
    assert not states_nothing("not mentioned in " + "the data " * 100_000)
