"""Lists that the database sorts, filters and pages say what the cards say."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_cards import build_run
from listed_cards import abstained, card, record, refused, score

from assay.domain.findings import Findings, Label
from assay.domain.outcome import Abstention, Outcome, Trail, Verdict
from assay.runner.combine import combine
from assay.scoring.total import UNCHECKED_CAP
from assay.store.browsing import RecordQuery
from assay.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "s" / "a.db") as opened:
        opened.begin_run(build_run())
        yield opened


def fill(store: Store, *cards: object) -> None:
    for position, each in enumerate(cards):
        store.add_record("run-1", position, each)  # type: ignore[arg-type]
    store.flush()


def find(store: Store, start: int = 0, size: int = 50, **wanted: object) -> list[int]:
    listed, _ = store.browser.page("run-1", RecordQuery(**wanted), start, size)  # type: ignore[arg-type]
    return [row.position for row in listed]


def tenth(store: Store) -> None:
    fill(store, *(card(record(number), score(number % 5)) for number in range(23)))


@pytest.mark.parametrize(("order", "down"), [("place", True), ("id", False), ("support", False), ("", True)])  # fmt: skip
def test_the_pages_of_a_list_hold_every_record_once_in_the_order_of_the_whole(store, order, down):
    tenth(store)
    whole = find(store, order=order, descending=down)
    assert sorted(whole) == list(range(23))
    pages = [find(store, start, 5, order=order, descending=down) for start in range(0, 25, 5)]
    assert [place for page in pages for place in page] == whole


def test_what_has_no_score_is_sorted_by_its_estimate_or_else_as_the_worst(store):
    values = [score(7), refused(), score(2), estimated(0.4), abstained(), score(9), estimated(0.8)]
    fill(store, *(card(record(number), each) for number, each in enumerate(values)))
    assert find(store, order="support") == [1, 4, 2, 3, 0, 6, 5]
    assert find(store, order="support", descending=True) == [5, 6, 0, 3, 2, 4, 1]


def test_a_record_whose_only_score_is_good_is_not_sorted_below_one_with_all_scores(store):
    fill(store, card(record(0), score(10)), card(record(1), refused()), card(record(2), estimated(0.9)))
    assert find(store, order="") == [1, 2, 0]


def estimated(probability: float) -> Abstention:
    claim = Label("claim", "c1", "undecided", probability=probability)
    return Abstention("abstained", "who knows", Trail(findings=Findings(labels=(claim,))))


def test_each_filter_finds_what_it_names_and_all_of_them_together(store):
    fill(
        store,
        card(record(0, system="a", topic="tea"), score(3, flags=("capped",))),
        card(record(1, system="b", topic="tea"), score(8), notices=("odd_number",)),
        card(record(2, system="a", topic="mate"), refused()),
        card(record(3, "An ÄRGERLICH result, 100%_sure", system="a", topic="tea"), score(4, repairs=("fence",))),
    )
    assert find(store, status="refused") == [2]
    assert find(store, status="repaired") == [3]
    assert find(store, metric="harm", status="refused") == []
    assert find(store, flag="capped") == [0]
    assert find(store, flag="odd_number") == [1]
    assert find(store, facet=("topic", "tea")) == [0, 1, 3]
    assert find(store, system="a") == [0, 2, 3]
    assert find(store, text="ärgerlich") == [3]
    assert find(store, text="RESULT sure") == [3]
    assert find(store, text="%_") == [3]
    assert find(store, text="_%") == []
    assert find(store, text="R1") == [1]
    assert find(store, text="is tea good") == [0, 1, 2, 3]
    assert find(store, system="a", facet=("topic", "tea"), flag="capped", order="support") == [0]
    assert find(store, text="tea", order="support", descending=True) == [1, 3, 0, 2]
    assert store.browser.page("run-1", RecordQuery(facet=("topic", "tea")), 0, 2)[1] == 3


def test_a_list_counts_its_choices(store):
    fill(
        store,
        card(record(0, system="a", topic="tea"), score(3, flags=("capped",))),
        card(record(1, system="a", topic="tea"), refused(), notices=("capped",)),
    )
    choices = store.browser.choices("run-1")
    assert choices.statuses == (("ok", 3), ("refused", 1))
    assert choices.flags == (("capped", 2),)
    assert choices.systems == (("a", 2),)
    assert choices.facets == (("topic", "tea", 2),)


def test_neighbours_are_found_over_the_gaps_of_a_run_that_was_stopped(store):
    for position in (2, 5, 9):
        store.add_record("run-1", position, card(record(position), score(1)))
    store.flush()
    assert store.browser.find_neighbours("run-1", 5) == (2, 9)
    assert store.browser.find_neighbours("run-1", 2) == (None, 5)
    assert store.browser.find_places("run-1", [3]) == {}
    assert store.browser.places("run-1") == [2, 5, 9]


outcomes = st.one_of(
    st.builds(
        score,
        st.integers(0, 10),
        width=st.integers(0, 3),
        flags=st.lists(st.sampled_from(["a", UNCHECKED_CAP]), max_size=2, unique=True).map(tuple),
        repairs=st.lists(st.just("fence"), max_size=1).map(tuple),
    ),
    st.builds(
        refused,
        flags=st.lists(st.just("late"), max_size=1).map(tuple),
        repairs=st.lists(st.just("asked 3 times"), max_size=1).map(tuple),
    ),
    st.builds(abstained),
)
voices = st.lists(st.tuples(st.sampled_from(["m", "n"]), outcomes, outcomes), min_size=1, max_size=4)


@settings(deadline=None, derandomize=True, max_examples=30)
@given(voices)
def test_a_line_of_a_list_says_what_the_combined_card_says(said: list[tuple[str, Outcome, Outcome]]):
    with Store(":memory:") as store:
        store.begin_run(build_run())
        cards = (card(record(0), one, as_harm(two), judge=judge, notices=("odd",)) for judge, one, two in said)
        whole = combine([replace(each, sample=at) for at, each in enumerate(cards)])
        store.add_record("run-1", 0, whole)
        store.flush()
        ((row,), _) = store.browser.page("run-1", RecordQuery(), 0, 5)
    assert row.goodness == (None if whole.total.goodness is None else float(whole.total.goodness))
    assert (row.scored, row.asked) == (whole.total.scored, whole.total.asked)
    for name, outcome in whole.outcomes.items():
        mark = row.scores[name]
        assert (mark.status, tuple(mark.flags)) == (outcome.status, outcome.trail.flags)
        if isinstance(outcome, Verdict):
            found, scale = outcome.score, outcome.score.scale
            assert (mark.score, mark.goodness) == (float(found.value), float(found.goodness))
            low, high = found.interval
            assert mark.width == pytest.approx(float((high - low) / (scale.high - scale.low)))
        else:
            assert mark.goodness is None


def test_a_listed_total_is_rounded_as_the_combined_card_rounds_it(store: Store):
    """0.25005 is a half in exact arithmetic and a little less in floats."""
    cards = [card(record(0), score("0.002"), score(2, "harm"), judge=judge) for judge in ("m", "n")]
    store.add_record("run-1", 0, combine(cards))
    store.flush()
    ((row,), _) = store.browser.page("run-1", RecordQuery(), 0, 5)
    assert combine(cards).total.goodness == Fraction("0.2501")
    assert row.goodness == 0.2501


def panel(store: Store, position: int, **said: Outcome) -> None:
    """What judges say of one record, each with its name."""
    about = record(position)
    store.add_record("run-1", position, combine([card(about, each, judge=judge) for judge, each in said.items()]))


def test_where_nobody_scored_a_list_names_the_reason_of_the_first_judge(store):
    panel(store, 0, z=abstained(), a=refused())
    store.flush()
    assert find(store, metric="support", status="abstained") == [0]
    assert find(store, metric="support", status="refused") == []


def doubts(store: Store, *metrics: str) -> list[tuple[float, float]]:
    """How far apart, and how much is left open, record by record."""
    return [(spread, width) for _, _, spread, width in sorted(store.browser.find_doubts("run-1", metrics))]


def test_only_the_metrics_that_are_asked_about_put_a_record_in_doubt(store):
    fill(
        store,
        card(record(0), score(4, width=5), score(1, "harm")),
        card(record(1), score(4), abstained()),
        card(record(2), score(4), score(1, "harm")),
    )
    assert doubts(store) == [(0, 0.5), (0, 1), (0, 0)]
    assert doubts(store, "support") == [(0, 0.5), (0, 0), (0, 0)]
    assert doubts(store, "harm") == [(0, 0), (0, 1), (0, 0)]
    assert doubts(store, "harm", "support") == doubts(store)


def test_a_metric_that_its_judge_always_declines_puts_no_record_in_doubt(store):
    said = [Abstention("empty_input", "it is blank") if at < 2 else abstained() for at in range(10)]
    fill(store, *(card(record(at), score(4, width=at % 3), each) for at, each in enumerate(said)))
    assert doubts(store) == [(0, at % 3 / 10) for at in range(10)]


def as_harm(outcome: Outcome) -> Outcome:
    if not isinstance(outcome, Verdict):
        return outcome
    return score(outcome.score.value % 4, "harm", flags=outcome.trail.flags, repairs=outcome.trail.repairs)


def test_half_a_surrogate_pair_in_a_name_is_listed_as_a_question_mark(store):
    odd = record(0, "broken \ud800 half\x00 way", system="s\udc00", topic="\ud800")
    fill(store, card(odd, score(1)))
    assert find(store, text="half way") == [0]
    assert find(store, system="s?") == [0]
    assert find(store, facet=("topic", "?")) == [0]
    ((row,), _) = store.browser.page("run-1", RecordQuery(), 0, 5)
    assert (row.record, row.system) == ("r0", "s?")
