import pytest
from training.card import Agreement, Making, render_card, render_licence
from training.provenance import ENCODER, SOURCES

pytestmark = pytest.mark.integration
FIGURES = {
    "mnli": {"pairs": 2000, "three_way": 0.6543, "balanced": 0.7},
    "fever": {"pairs": 500, "three_way": None, "balanced": 0.81},
}
SHIPPED = {
    "mnli": {"pairs": 2000, "three_way": 0.6501, "balanced": 0.69},
    "fever": {"pairs": 500, "three_way": None, "balanced": 0.8},
}
MAKING = Making("2031-02-03", 123_456, 23_456, 7, 98_765, FIGURES, SHIPPED, Agreement(2500, 0.987, 0.21, 0.004))


def test_the_card_states_the_figures_of_its_run():
    card = render_card(MAKING)
    assert "| mnli | 2,000 | 65.4% | 70.0% | 65.0% | 69.0% |" in card
    assert "| fever | 500 | – | 81.0% | – | 80.0% |" in card
    for part in ("2031-02-03", "123,456", "98,765", "98.7% of 2,500", "0.210", "0.004"):
        assert part in card


def test_card_and_licence_name_everything_the_weights_came_from():
    card, licence = render_card(MAKING), render_licence("APACHE TEXT")
    for source in (*SOURCES, ENCODER):
        for paper in (card, licence):
            assert source.name in paper
            assert source.licence in paper
    assert licence.rstrip().endswith("APACHE TEXT")
    assert "creativecommons.org/licenses/by-sa/4.0" in licence


def test_every_set_that_is_drawn_from_has_its_papers():
    pytest.importorskip("torch", reason="torch is installed in the training environment only")
    from training.steady import SHARES

    named = {origin for source in SOURCES for origin in source.origins.split(", ")}
    assert set(SHARES) <= named
