"""Where people look first, and with what chance the rest comes up."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.agreement.label_queue import order_places

Doubt = tuple[int, bytes, float, float]


def doubt(place: int, spread: float = 0.0, width: float = 0.0) -> Doubt:
    return place, f"digest {place}".encode(), spread, width


def test_disputed_records_come_first_then_unsure_ones_then_the_others():
    doubts = [doubt(0), doubt(1, width=0.2), doubt(2, spread=0.3), doubt(3, spread=0.9, width=1.0), doubt(4, width=0.7)]
    queue = order_places("run", doubts)
    assert list(queue.items()) == [
        (3, "disagreement"),
        (2, "disagreement"),
        (4, "uncertainty"),
        (1, "uncertainty"),
        (0, "random"),
    ]


def test_few_are_sought_out_however_many_are_disputed_so_that_chance_has_its_turn():
    queue = order_places("run", [doubt(place, spread=1.0, width=1.0) for place in range(500)])
    counts = Counter(by for by in queue.values())
    assert counts == {"disagreement": 10, "uncertainty": 10, "random": 480}
    assert [*queue.values()][20:] == ["random"] * 480


def test_the_order_of_chance_is_the_same_for_everybody_and_another_in_another_run():
    doubts = [doubt(place) for place in range(50)]
    first = list(order_places("run", doubts))
    assert first == list(order_places("run", list(reversed(doubts))))
    assert first != list(order_places("other", doubts))
    assert first != sorted(first)


def test_every_record_has_the_same_chance_of_coming_early():
    doubts = [doubt(place) for place in range(20)]
    early = Counter(next(iter(order_places(f"run {number}", doubts))) for number in range(2000))
    assert set(early) == set(range(20))
    assert max(early.values()) < 160  # 100 are expected; 160 is six standard deviations away


@settings(deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=60))
def test_every_record_is_in_the_queue_once(amounts: list[tuple[float, float]]):
    queue = order_places("run", [doubt(place, *each) for place, each in enumerate(amounts)])
    assert sorted(queue) == list(range(len(amounts)))
