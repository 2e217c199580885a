"""The relevance of an opinion summary: a grade, what the judge's own labels prove against it, the level beside it."""

from dataclasses import replace
from fractions import Fraction

import pytest
from tallies import build_tally, label_units, raw_and_final, score_of, scored, shipped

from assay.domain.findings import Remark
from assay.domain.record import Source
from assay.domain.units import Unit
from assay.scoring.tally import MetricTally
from assay.units.evidence import find_words

RELEVANCE = shipped("opinion-relevance", "relevance")


def summary(items: str, excess: int = 0, words: int = 100, grade: int | None = None) -> MetricTally:
    """Items by letters: S stated, G general, M missed, R reversed; small ones are minor. `excess` words of `words`."""
    names = {"s": "stated", "g": "general", "m": "missed", "r": "reversed", "u": "undecided"}
    labels = label_units("item", *(names[letter.lower()] for letter in items))
    units = {
        label.unit: Unit(label.unit, "item", f"point {number}", weight="minor" if letter.islower() else "main")
        for number, (label, letter) in enumerate(zip(labels, items, strict=True))
    }
    output = " ".join(f"w{number}" for number in range(words))
    copied = " ".join(output.split()[words - excess :])
    remarks = (Remark("excess", {"words": copied, "kind": "redundant"}, find_words(copied, output)),) if excess else ()
    grades = {} if grade is None else {"grade": grade}
    return build_tally(RELEVANCE, labels, units=units, output=output, remarks=remarks, grades=grades)


@pytest.mark.parametrize(
    ("items", "excess", "level"),
    [
        ("SSSSSSSS", 0, 5),
        ("SSSSSSSS", 20, 4),
        ("SSSSSSSS", 1, 4),
        ("SSSSSMMM", 17, 4),
        ("SSSSSSSS", 21, 3),
        ("SSSSSSSS", 51, 2),
        ("SSSMMMMM", 0, 3),
        ("SSMMMMMM", 0, 2),
        ("SSSMMMMM", 57, 2),
        ("MMMMMMMM", 30, 1),
        ("RRMMMMMM", 0, 1),
        ("GGGGGGGG", 0, 3),
        ("SGGGGGGG", 0, 4),
        ("SSSSmmmm", 0, 5),
        ("MMMMssss", 0, 1),
        ("ssm", 0, 4),
    ],
)
def test_the_level_goes_by_the_main_points_and_the_share_of_words_in_excess(
    items: str, excess: int, level: int
) -> None:
    found = score_of(summary(items, excess))
    assert raw_and_final(found) == (level, level)
    assert found.computed is None
    assert found.derivation.endswith("no grade")


@pytest.mark.parametrize(
    ("items", "excess", "grade", "score", "because"),
    [
        ("SSSSmm", 0, 5, 5, ""),
        ("SSGGmm", 0, 5, 5, ""),
        ("SSSSss", 1, 5, 4, "words in excess are named"),
        ("SSSMss", 0, 5, 4, "i4 is not carried"),
        ("SSRMss", 0, 5, 4, "i3, i4 are not carried"),
        ("SSSSrm", 0, 5, 5, ""),
        ("MMMMmm", 0, 3, 1, "nothing that matters is carried"),
        ("MMMMms", 0, 3, 3, ""),
        ("SSSMss", 9, 2, 2, ""),
    ],
)
def test_a_grade_is_held_down_only_by_what_the_judges_own_labels_prove(
    items: str, excess: int, grade: int, score: int, because: str
) -> None:
    found = score_of(summary(items, excess, grade=grade))
    assert raw_and_final(found) == (grade, score)
    assert because in found.derivation
    assert ("at most" in found.derivation) == bool(because)


@pytest.mark.parametrize(
    ("grade", "flags", "interval"),
    [(5, ("computed_differs",), (2, 4)), (4, ("computed_differs",), (2, 4)), (3, (), (2, 3)), (2, (), (2, 2))],
)
def test_a_grade_two_levels_from_the_computed_one_is_flagged_and_the_interval_spans_both(
    grade: int, flags: tuple[str, ...], interval: tuple[int, int]
) -> None:
    verdict = scored(summary("SMMM", grade=grade))
    assert verdict.score.computed == 2
    assert verdict.trail.flags == flags
    assert verdict.score.interval == interval


@pytest.mark.parametrize(
    ("items", "excess", "value"),
    [
        ("SSss", 0, "1"),
        ("SMsm", 0, "0.5"),
        ("Sm", 0, "2/3"),
        ("Gg", 0, "0.6"),
        ("Gs", 0, "2.2/3"),
        ("Rr", 0, "0"),
        ("SSss", 30, "0.85"),
        ("Mm", 30, "0"),
        ("SGMRsgmr", 10, "0.35"),
    ],
)
def test_the_value_is_weighted_coverage_less_half_the_share_of_excess(items: str, excess: int, value: str) -> None:
    over, _, under = value.partition("/")
    found = score_of(summary(items, excess, grade=3))
    assert found.figures["value"] == Fraction(over) / Fraction(under or 1)


def test_words_in_two_entries_of_excess_count_once():
    tally = summary("S", 10)
    twice = replace(tally.findings, remarks=tally.findings.remarks * 2)
    assert score_of(replace(tally, findings=twice)).figures["excess_share"] == Fraction(1, 10)


def test_an_undecided_main_point_counts_as_general_and_may_hold_the_grade_down():
    found = score_of(summary("SSSSu", grade=5))
    assert found.value == 5
    found = score_of(summary("SSSSU", grade=5))
    assert (found.value, *found.interval) == (5, 4, 5)
    assert found.figures["main_coverage"] == Fraction("0.92")


def test_coverage_by_input_stands_beside_the_coverage():
    tally = summary("SM")
    units = {
        "i1": replace(tally.units["i1"], sources=("s1",)),
        "i2": replace(tally.units["i2"], sources=("s1", "s2")),
    }
    sources = (Source("s1", "", input="reviews"), Source("s2", "", input="key_features"))
    found = score_of(replace(tally, units=units, record=replace(tally.record, sources=sources)))
    assert found.figures["coverage_of_reviews"] == Fraction(1, 2)
    assert found.figures["coverage_of_key_features"] == 0
