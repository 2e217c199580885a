"""Systems ranked on the same items, and the effect of the place in which an output was shown."""

import random

import pytest

from assay.agreement.standing import PlacedScore, SystemScore, measure_position, rank_systems


def score(table: dict[str, list[float | None]]) -> list[SystemScore]:
    return [
        SystemScore(item, system, value)
        for system, values in table.items()
        for item, value in enumerate(values)
        if value is not None
    ]


def test_wins_are_counted_within_items_and_a_tie_counts_half():
    found = rank_systems(score({"a": [0.9, 0.2, 0.5], "b": [0.1, 0.8, 0.5]}))
    assert [(each.system, each.win_rate.value) for each in found.systems] == [("a", 0.5), ("b", 0.5)]
    assert found.wins == ((0.0, 1.5), (1.5, 0.0))
    assert found.meetings == ((0, 3), (3, 0))


def test_the_mean_orders_the_systems_and_an_item_that_one_lacks_is_no_loss():
    found = rank_systems(score({"weak": [0.1, 0.2, None], "strong": [0.8, 0.9, 0.7]}))
    assert [(each.system, each.items) for each in found.systems] == [("strong", 3), ("weak", 2)]
    assert found.meetings[0][1] == 2
    assert found.systems[0].win_rate.value == 1.0


def test_several_records_of_a_system_on_one_item_are_averaged():
    scores = [SystemScore(1, "a", 0.2), SystemScore(1, "a", 0.6), SystemScore(1, "b", 0.5)]
    assert [(each.system, each.mean.value) for each in rank_systems(scores).systems] == [("b", 0.5), ("a", 0.4)]


def test_the_interval_is_over_items_and_needs_five_of_them():
    few = rank_systems(score({"a": [0.9, 0.8, 0.7, 0.9], "b": [0.1, 0.2, 0.9, 0.3]}))
    assert few.systems[0].win_rate.interval is None
    chance = random.Random(4)
    many = rank_systems(score({name: [chance.random() for _ in range(40)] for name in "ab"}))
    interval = many.systems[0].win_rate.interval
    assert interval is not None
    assert interval[0] < 0.5 < interval[1]


@pytest.mark.parametrize("orders", [1, 2])
def test_the_effect_of_the_first_place_is_found_beside_how_good_the_outputs_are(orders: int):
    chance = random.Random(2)
    answers = []
    for item in range(80):
        places = list(range(4))
        chance.shuffle(places)
        for order in range(orders):
            shown = places if order == 0 else places[::-1]
            answers += [
                PlacedScore(item, (item, output), at, output / 4 + (0.1 if at == 0 else 0))
                for at, output in enumerate(shown)
            ]
    found = measure_position(answers)
    if orders == 2:
        assert found.value == pytest.approx(0.1)
    else:
        assert found.interval is not None
        assert found.interval[0] < 0.1 < found.interval[1]


def test_without_an_effect_the_interval_of_the_position_holds_0():
    chance = random.Random(3)
    answers = [PlacedScore(item, (item, at), at, chance.random()) for item in range(60) for at in range(5)]
    found = measure_position(answers)
    assert found.interval is not None
    assert found.interval[0] < 0 < found.interval[1]


def test_a_system_without_a_score_stands_last_and_is_not_lost():
    """Also where the best is low, so that values are negative."""
    found = rank_systems(score({"a": [-2.0, -3.0], "b": [-4.0, -5.0]}), ["a", "b", "silent"])
    assert [(each.system, each.mean.value) for each in found.systems] == [("a", -2.5), ("b", -4.5), ("silent", None)]
    assert found.meetings == ((0, 2, 0), (2, 0, 0), (0, 0, 0))
