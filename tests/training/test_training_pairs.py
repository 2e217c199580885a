import gzip
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training.buckets import build_batches, measure_padding
from training.holdout import split_pairs
from training.measures import measure_accuracy
from training.mixture import SHARES, Mixture, draw_corruptions, share_out
from training.pace import Pace
from training.pairs import Label, Pair, PairsMissingError, clean_text, count_origins, read_pairs
from training.schedule import Schedule
from training.twins import ORIGIN, TwinMaker
from training.windows import build_neighbours, may_stand_beside

TOWNS = ("Oslo", "Lyon", "Perth", "Lima", "Porto", "Leeds", "Turin", "Ghent", "Basel", "Tampa", "Izmir", "Kyoto")
SUBJECTS = ("library", "tram", "market", "harbour", "theatre", "orchard", "quarry", "observatory")


def build_sample() -> list[Pair]:
    """Invented pairs of every origin: a page per town, a fact per subject."""
    out = []
    for origin in ("vitaminc", "mnli", "snli", "conjnli", "fever"):
        for town in TOWNS:
            for number, subject in enumerate(SUBJECTS):
                premise = (
                    f"The {subject} of {town} was opened in {1900 + number} by mayor {subject.title()}son ({origin})."
                )
                negative = Label.NOT_SUPPORTED if origin == "fever" else Label(1 + number % 2)
                group = f"{origin}:{town}"
                out.append(Pair(premise, f"{town} has a {subject}.", Label.SUPPORTED, origin, group))
                out.append(Pair(premise, f"{town} has no {subject}.", negative, origin, group))
    return out


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("Holm -LRB- born 1950 -RRB- is a judge .", "Holm (born 1950) is a judge."),
        ("`` Yes , '' he said .", '" Yes, " he said.'),
        ("It did n't end.It began .", "It didn't end. It began."),
        ("It costs $ 4.50 , or 3 % less", "It costs $4.50, or 3% less"),
    ],
)
def test_treebank_spelling_becomes_ordinary(written, clean):
    assert clean_text(written) == clean


def test_a_pair_without_a_group_is_grouped_by_its_premise(tmp_path):
    rows = [
        {"premise": "A b.", "hypothesis": "A.", "label": "neutral", "origin": "mnli", "group": None},
        {"premise": "A b.", "hypothesis": "B.", "label": "not_supported", "origin": "mnli", "group": "P"},
    ]
    path = tmp_path / "pairs.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    first, second = read_pairs(path)
    assert (first.group, first.label) == ("mnli:A b.", Label.NOT_IN_SOURCE)
    assert (second.group, second.label) == ("mnli:P", Label.NOT_SUPPORTED)


def test_missing_pairs_are_named_in_the_error(tmp_path):
    with pytest.raises(PairsMissingError, match=r"nowhere\.gz.*--pairs"):
        read_pairs(tmp_path / "nowhere.gz")


def test_the_held_out_part_shares_no_page_and_no_premise_with_training():
    split = split_pairs(build_sample(), {"vitaminc": 30, "mnli": 10}, seed=3)
    assert count_origins(split.held_out) == {"mnli": 10, "vitaminc": 30}
    assert not {pair.group for pair in split.train} & {pair.group for pair in split.held_out}
    assert not {pair.premise for pair in split.train} & {pair.premise for pair in split.held_out}
    assert count_origins(split.train)["snli"] == len(TOWNS) * len(SUBJECTS) * 2


def test_the_split_does_not_depend_on_the_order_of_the_file():
    pairs = build_sample()
    shuffled = random.Random(5).sample(pairs, len(pairs))
    sizes = {"vitaminc": 32, "mnli": 16}
    assert {p.group for p in split_pairs(pairs, sizes, 3).held_out} == {
        p.group for p in split_pairs(shuffled, sizes, 3).held_out
    }


@settings(deadline=None, derandomize=True)
@given(st.lists(st.integers(1, 256), min_size=1, max_size=300), st.integers(1, 40), st.integers(0, 9))
def test_every_pair_is_in_one_batch_and_padding_is_no_worse_than_unsorted(lengths, size, seed):
    batches = build_batches(lengths, size, seed)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert all(len(batch) <= size for batch in batches)
    plain = [list(range(start, min(start + size, len(lengths)))) for start in range(0, len(lengths), size)]
    if len(lengths) % size == 0:
        assert measure_padding(lengths, batches) <= measure_padding(lengths, plain) + 1e-9


def test_batches_of_like_length_waste_little():
    rng = random.Random(0)
    lengths = [rng.randint(10, 200) for _ in range(4096)]
    assert measure_padding(lengths, build_batches(lengths, 32, 1)) < 0.02


@settings(deadline=None, derandomize=True)
@given(st.integers(1, 5000))
def test_shares_add_up_and_stay_within_one_of_what_they_should_be(count):
    parts = share_out(count, SHARES)
    assert sum(parts.values()) == count
    assert all(abs(parts[name] - share * count) < 1.01 for name, share in SHARES.items())


def test_a_shard_holds_its_shares_and_the_same_seed_draws_it_again():
    pairs = build_sample()
    one, two = (Mixture(pairs, build_neighbours(pairs), 4).draw_shard(400) for _ in range(2))
    assert one == two
    assert count_origins(one) == dict(sorted(share_out(400, SHARES).items()))


def test_mistakes_take_three_tenths_of_a_shard():
    pairs = build_sample()
    wrong = Pair("Only here.", "Nowhere else.", Label.SUPPORTED, "mnli", "mnli:wrong")
    shard = Mixture(pairs, build_neighbours(pairs), 4, [wrong]).draw_shard(400)
    assert len(shard) == 400
    assert shard.count(wrong) == 120


def test_a_window_keeps_the_deciding_sentence_whole():
    pairs = build_sample()
    neighbours, rng = build_neighbours(pairs), random.Random(2)
    widened = [(pair, neighbours.widen(pair, rng)) for pair in pairs]
    assert all(pair.premise in wide.premise for pair, wide in widened)
    assert all((pair.hypothesis, pair.label) == (wide.hypothesis, wide.label) for pair, wide in widened)
    assert any(pair.premise != wide.premise for pair, wide in widened)


def test_a_sentence_about_the_hypothesis_may_not_stand_beside_it():
    premise, hypothesis = "The tram of Oslo opened in 1904.", "Oslo has a tram with red seats."
    assert not may_stand_beside("Oslo sold its tram and the red seats.", premise, hypothesis)
    assert may_stand_beside("Lima exports copper.", premise, hypothesis)


def test_an_open_hypothesis_gets_only_strangers_beside_it():
    page = [Pair(f"Fact {word} stands alone here.", "x", Label.SUPPORTED, "vitaminc", "v:p") for word in SUBJECTS]
    neighbours = build_neighbours([*page, Pair("Quite another page says this.", "x", Label.SUPPORTED, "fever", "f:q")])
    asked = Pair("Nothing said.", "Something unheard of.", Label.NOT_IN_SOURCE, "vitaminc", "v:p")
    decided = [neighbours.widen(asked, random.Random(seed)).premise for seed in range(40)]
    assert any("another page" in premise for premise in decided)


def test_twins_come_with_both_labels_and_never_verbatim_when_false():
    maker = TwinMaker(build_sample(), 1)
    drawn = [maker.draw() for _ in range(600)]
    assert {pair.origin for pair in drawn} == {ORIGIN}
    false = [pair for pair in drawn if pair.label != Label.SUPPORTED]
    assert all(pair.hypothesis != pair.premise for pair in false)
    assert 0.35 < 1 - len(false) / len(drawn) < 0.6
    assert any(pair.hypothesis == pair.premise for pair in drawn)


def test_held_out_corruptions_come_from_held_out_pages_alone():
    split = split_pairs(build_sample(), {"vitaminc": 48, "fever": 48}, 3)
    drawn = draw_corruptions(split.held_out, build_neighbours(split.held_out), 100, 9)
    trained = {pair.premise for pair in split.train}
    assert len(drawn) == 100
    assert not any(premise in pair.premise for pair in drawn for premise in trained)


def test_the_rate_rises_stays_and_falls_to_nothing():
    schedule = Schedule(budget=1000, peak=2.0, rise=100, fall_share=0.5)
    assert schedule.rate_at(0) == pytest.approx(0.02)
    assert schedule.rate_at(300) == 2.0
    assert schedule.rate_at(750) == pytest.approx(1.0)
    assert schedule.rate_at(1000) == 0.0


def test_the_budget_may_change_while_the_rate_is_level():
    assert Schedule(1000, rise=10).rate_at(400) == Schedule(3000, rise=10).rate_at(400)


def test_a_pace_fits_the_passes_to_the_time_left():
    pace = Pace(deadline=1000.0)
    assert pace.guess_budget(100.0, 50) is None
    assert pace.guess_budget(200.0, 1050) == 1050 + 10 * 800
    assert pace.guess_budget(300.0, 1050) == 1050 + 5 * 700
    assert pace.guess_budget(1000.0, 4000) == 4000


def test_balanced_accuracy_weighs_both_kinds_alike():
    labels = [0, 0, 0, 2]
    measured = measure_accuracy(labels, [0, 0, 0, 0], [True, True, True, True])
    assert (measured.three_way, measured.balanced) == (0.75, 0.5)


def test_two_way_labels_have_no_three_way_figure():
    assert measure_accuracy([0, 3], [0, 1], [True, False]).three_way is None
