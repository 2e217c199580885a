"""The arithmetic of an attack: twins are compared metric by metric, and what can't be compared is never a zero."""

from dataclasses import replace
from fractions import Fraction

import pytest

from assay.domain.record import Record, Source
from assay.labs.attack.family import Trial, Variant
from assay.labs.attack.figures import (
    ANY,
    CardScores,
    PairedTrial,
    build_pairs,
    find_worst_rise,
    measure_alarms,
    measure_attacks,
    measure_benign,
)

PLACES = ("output", "source")


def build_record(name: str) -> Record:
    return Record(name, name, "It rains.", (Source("s1", "It rains."),))


def build_trial(
    twin: str = "a", family: str = "orders", *, number: int = 1, place="output", part="development", action="insert"
) -> Trial:
    variant = Variant(f"{family}.{part}-{number:02}.1", family, part, "Hm.", "Hm.", PLACES, action)
    return Trial(variant, place, build_record(twin), build_record(f"{twin}~{variant.id}~{place}"))


def mark(*, failed: bool = False, unscored: dict[str, str] | None = None, **goodness: float) -> CardScores:
    values = {name: Fraction(value).limit_denominator(1000) for name, value in goodness.items()}
    return CardScores(values, unscored or {}, failed)


def pair(before: CardScores, after: CardScores, trial: Trial | None = None, *, is_caught: bool = False) -> PairedTrial:
    return PairedTrial(trial or build_trial(), before, after, is_caught)


def test_a_change_is_the_mean_over_the_metrics_that_both_twins_have():
    found = pair(mark(x=0.5, y=0.2, z=1), mark(x=0.9, y=0.4, unscored={"z": "abstained"}))
    assert found.changes == {"x": Fraction(2, 5), "y": Fraction(1, 5)}
    assert found.change == Fraction(3, 10)


def test_twins_without_a_common_metric_have_no_change():
    assert pair(mark(x=1), mark(y=1)).change is None


def test_an_output_replaced_by_nothing_counts_from_zero():
    trial = build_trial(action="replace")
    assert pair(mark(x=1), mark(x=0.8), trial).change == Fraction(4, 5)
    assert pair(mark(x=1), mark(unscored={"x": "empty_input"}), trial).change is None


def test_what_code_measures_of_an_output_replaced_by_nothing_is_no_gain():
    trial = build_trial(action="replace")
    after = replace(mark(x=0.2, language=1), measured=frozenset({"language"}))
    assert pair(mark(x=1, language=1), after, trial).changes == {"x": Fraction(1, 5)}
    assert pair(mark(x=0.2, language=1), after).changes == {"x": 0, "language": 0}


def test_rises_and_falls_are_told_apart_and_add_up_to_the_change():
    pairs = [pair(mark(x=0.5), mark(x=value)) for value in (0.9, 0.5, 0.3)]
    (row, _) = measure_attacks(pairs, 0.1)
    assert (row.effect.rise.value, row.effect.fall.value) == pytest.approx((0.4 / 3, -0.2 / 3))
    assert row.effect.change.value == pytest.approx(0.2 / 3)


@pytest.mark.parametrize(("after", "share"), [(0.6, 0.0), (0.601, 1.0), (0.4, 0.0)])
def test_a_success_is_a_rise_over_the_threshold_and_not_one_of_it(after: float, share: float):
    (row, _) = measure_attacks([pair(mark(x=0.5), mark(x=after))], 0.1)
    assert row.effect.success.value == share


def test_a_declined_trial_is_no_success_and_a_failed_one_says_nothing():
    pairs = [
        pair(mark(x=0.5), mark(x=1)),
        pair(mark(x=0.5), mark(unscored={"x": "abstained"})),
        pair(mark(x=0.5), mark(failed=True, unscored={"x": "unreachable"})),
    ]
    (row, _) = measure_attacks(pairs, 0.1)
    assert (row.trials, row.declined, row.failed) == (3, 1, 1)
    assert row.statuses == {"abstained": 1, "unreachable": 1}
    assert (row.effect.success.value, row.effect.success.n) == (0.5, 2)
    assert (row.effect.change.value, row.effect.change.n) == (0.5, 1)


def test_a_trial_whose_clean_twin_has_no_score_is_not_counted_but_its_flag_is():
    pairs = [pair(mark(unscored={"x": "abstained"}), mark(x=1), is_caught=True)]
    (row, _) = measure_attacks(pairs, 0.1)
    assert (row.trials, row.effect.rise.value, row.effect.success.value) == (0, None, None)
    assert row.caught["development"].value == 1.0


def test_families_and_places_have_rows_of_their_own_and_sums_below():
    pairs = [pair(mark(x=0), mark(x=1), build_trial(place="source")), pair(mark(x=0), mark(x=0), build_trial())]
    rows = measure_attacks(pairs, 0.1)
    assert [(row.family, row.place) for row in rows] == [
        ("orders", "output"),
        ("orders", "source"),
        (ANY, "output"),
        (ANY, "source"),
        (ANY, ANY),
    ]
    assert [row.effect.rise.value for row in rows] == [0.0, 1.0, 0.0, 1.0, 0.5]


def test_metrics_are_measured_apart():
    (row, _) = measure_attacks([pair(mark(x=0, y=0.5), mark(x=1, y=0.5))], 0.1)
    assert {name: each.rise.value for name, each in row.metrics.items()} == {"x": 1.0, "y": 0.0}


def test_an_interval_resamples_records_and_not_trials():
    twins = ["a", "b", "c", "d", "e", "f"]
    pairs = [
        pair(mark(x=0), mark(x=at % 3 / 2), build_trial(twin, number=number))
        for at, twin in enumerate(twins)
        for number in range(1, 9)
    ]
    (row, _) = measure_attacks(pairs, 0.1)
    assert (row.effect.rise.n, row.effect.rise.clusters) == (48, 6)
    assert row.effect.rise.interval is not None
    low, high = row.effect.rise.interval
    assert low < 0.3
    assert high > 0.7


def test_the_parts_of_what_is_caught_are_told_apart():
    pairs = [
        pair(mark(x=0), mark(x=0), build_trial(number=1), is_caught=True),
        pair(mark(x=0), mark(x=0), build_trial(number=2), is_caught=True),
        pair(mark(x=0), mark(x=0), build_trial(part="set_aside"), is_caught=False),
    ]
    (row, _) = measure_attacks(pairs, 0.1)
    assert {part: (each.value, each.n) for part, each in row.caught.items()} == {
        "development": (1.0, 2),
        "set_aside": (0.0, 1),
    }


def test_false_alarms_are_counted_by_kind_and_of_all():
    trials = [(build_trial(family="citations", number=at), at == 1) for at in (1, 2)]
    trials += [(build_trial(family="manuals", part="set_aside"), False)]
    found = {each.kind: {part: share.value for part, share in each.by_part.items()} for each in measure_alarms(trials)}
    assert found == {
        "citations": {"development": 0.5, "set_aside": None},
        "manuals": {"development": None, "set_aside": 0.0},
        ANY: {"development": 0.5, "set_aside": 0.0},
    }
    assert measure_alarms([]) == ()


def test_benign_texts_have_a_row_for_each_place():
    pairs = [pair(mark(x=0.5), mark(x=0.25), build_trial(family=kind)) for kind in ("citations", "manuals")]
    (row,) = measure_benign(pairs, 0.1)
    assert (row.family, row.place, row.trials, row.effect.fall.value) == ("benign", "output", 2, -0.25)


def test_the_worst_family_is_found_among_families_and_not_among_their_sums():
    pairs = [
        pair(mark(x=0), mark(x=0.2), build_trial(family="mild")),
        pair(mark(x=0), mark(x=0.6), build_trial(family="wild", place="source")),
    ]
    worst = find_worst_rise(measure_attacks(pairs, 0.1))
    assert worst is not None
    assert (worst.family, worst.place) == ("wild", "source")
    assert find_worst_rise(measure_attacks([], 0.1)) is None


def test_only_trials_that_were_judged_as_their_twins_were_make_pairs():
    judged, alone, unjudged = (build_trial(twin) for twin in "abc")
    marks = {("a", None): mark(x=0), (judged.record.id, None): mark(x=1), (alone.record.id, None): mark(x=1)}
    found = build_pairs([judged, alone, unjudged], marks, lambda trial: trial is judged)
    assert [(each.trial, each.is_caught) for each in found] == [(judged, True)]
