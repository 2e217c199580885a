"""The arithmetic of every shipped rubric, vector by vector."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from tallies import (
    build_tally,
    coverage_tally,
    label_counts,
    label_units,
    raw_and_final,
    score_of,
    scored,
    shipped,
    support,
    unscored,
)

from assay.domain.findings import Label
from assay.domain.scale import Scale, half_up
from assay.domain.units import Unit
from assay.scoring.tally import MetricTally


@pytest.mark.parametrize(
    ("counts", "precision", "recall", "raw", "final", "flags"),
    [
        ((4, 2, 1, 0, 100), "1", "0.7143", "8.33", "8.33", ()),
        ((4, 2, 1, 17, 100), "0.83", "0.7143", "7.68", "4", ("capped_extraneous",)),
        ((5, 0, 0, 40, 40), "0", "1", "0", "0", ()),
        ((0, 0, 5, 0, 40), "1", "0", "0", "0", ()),
        ((1, 4, 0, 0, 60), "1", "0.6", "7.5", "7.5", ()),
        ((0, 3, 4, 5, 80), "0.9375", "0.2143", "3.49", "3.49", ()),
        ((7, 0, 0, 1, 100), "0.99", "1", "9.95", "4", ("capped_extraneous",)),
    ],
)
def test_coverage_is_the_harmonic_mean_of_precision_and_recall_under_its_cap(
    counts: tuple[int, int, int, int, int], precision: str, recall: str, raw: str, final: str, flags: tuple[str, ...]
) -> None:
    verdict = scored(coverage_tally(*counts))
    score = verdict.score
    assert half_up(score.figures["precision"], 4) == Fraction(precision)
    assert half_up(score.figures["recall"], 4) == Fraction(recall)
    assert raw_and_final(score) == (Fraction(raw), Fraction(final))
    assert verdict.trail.flags == flags


def test_coverage_of_a_summary_without_a_word_is_zero() -> None:
    tally = build_tally(shipped("article-audit", "coverage"), label_counts("key_point", Not=3), claims=(), output="")
    assert score_of(tally).value == 0


def test_words_of_two_unsupported_claims_that_overlap_count_once() -> None:
    tally = coverage_tally(4, 0, 0, 10, 20)
    twice = build_tally(
        tally.metric,
        tally.of("key_point"),
        claims=support(1, absent=2),
        output=tally.record.output,
        units={"c1": tally.units["c1"], "c2": tally.units["c2"], "c3": tally.units["c2"]},
    )
    assert score_of(twice).figures["precision"] == Fraction(1, 2)


@pytest.mark.parametrize(
    ("counts", "fraction", "raw", "final", "flags"),
    [
        ((10, 0, 0), "0", 10, 10, ()),
        ((9, 0, 1), "0.1", 9, 4, ("capped_extraneous",)),
        ((8, 2, 0), "0.1", 9, 9, ()),
        ((7, 3, 0), "0.15", 8, 8, ()),
        ((0, 10, 0), "0.5", 3, 3, ()),
        ((3, 1, 2), "0.4167", 4, 4, ()),
        ((5, 0, 5), "0.5", 3, 3, ()),
        ((0, 0, 1), "1", 0, 0, ()),
    ],
)
@pytest.mark.parametrize("shared", [True, False])
def test_hallucination_of_an_article_summary(
    counts: tuple[int, int, int], fraction: str, raw: int, final: int, flags: tuple[str, ...], shared: bool
) -> None:
    claims = support(*counts)
    metric = shipped("article-audit", "hallucination")
    verdict = scored(build_tally(metric, claims, claims=claims if shared else None))
    assert half_up(verdict.score.figures["unsupported_fraction"], 4) == Fraction(fraction)
    assert raw_and_final(verdict.score) == (raw, final)
    assert verdict.trail.flags == flags


def test_an_unsupported_claim_beyond_the_ten_counted_still_caps() -> None:
    claims = support(10, absent=1)
    ranking = tuple(label.unit for label in claims[:10])
    verdict = scored(
        build_tally(shipped("article-audit", "hallucination"), claims, claims=claims, ranking=ranking),
    )
    assert raw_and_final(verdict.score) == (10, 4)
    assert verdict.trail.flags == ("capped_extraneous",)


def test_with_a_ranking_its_first_ten_claims_count_and_without_one_all_do() -> None:
    claims = support(18, absent=2)
    metric = shipped("article-audit", "hallucination")
    assert score_of(build_tally(metric, claims, ranking=("c19",))).figures["unsupported_fraction"] == Fraction(1, 10)
    assert score_of(build_tally(metric, claims, ranking=("c1",))).figures["unsupported_fraction"] == 0
    assert score_of(build_tally(metric, claims)).figures["unsupported_fraction"] == Fraction(2, 20)


@pytest.mark.parametrize(
    ("counts", "raw", "final", "flags"),
    [
        ((2, 2, 0), "7.5", "7.5", ()),
        ((3, 0, 1), "7.5", "4", ("capped_section",)),
        ((1, 1, 2), "3.75", "3.75", ()),
        ((0, 4, 0), "5", "5", ()),
    ],
)
def test_relevance_of_sections(counts: tuple[int, int, int], raw: str, final: str, flags: tuple[str, ...]) -> None:
    high, some, none = counts
    sections = label_units("section", *["High"] * high, *["Some"] * some, *["None"] * none)
    verdict = scored(build_tally(shipped("article-audit", "relevance"), sections, claims=support(4)))
    assert raw_and_final(verdict.score) == (Fraction(raw), Fraction(final))
    assert verdict.trail.flags == flags


def test_an_unsupported_claim_caps_relevance_too() -> None:
    sections = label_counts("section", High=4)
    verdict = scored(build_tally(shipped("article-audit", "relevance"), sections, claims=support(3, absent=1)))
    assert raw_and_final(verdict.score) == (10, 4)
    assert verdict.trail.flags == ("capped_extraneous",)


@pytest.mark.parametrize("metric", ["coverage", "relevance"])
def test_without_claims_the_score_stands_uncapped_and_says_so(metric: str) -> None:
    labels = label_counts("key_point", Fully=3) if metric == "coverage" else label_counts("section", High=3)
    tally = build_tally(shipped("article-audit", metric), labels, output="three short words")
    verdict = scored(tally)
    assert verdict.score.value == 10
    assert verdict.trail.flags == ("cap_unknown",)


def test_a_summary_without_claims_is_never_free_of_hallucination() -> None:
    for rubric in ("search-summary", "article-audit", "trial-eligibility"):
        assert unscored(build_tally(shipped(rubric, "hallucination"))).status == "empty_input"


@pytest.mark.parametrize(
    ("full", "partial", "no", "percent", "strict"),
    [
        (1, 0, 7, 13, "12.5"),
        (0, 1, 7, 13, "0"),
        (8, 0, 0, 100, "100"),
        (6, 2, 2, 80, "60"),
        (0, 0, 6, 0, "0"),
        (1, 0, 2, 33, "33.33"),
        (2, 0, 1, 67, "66.67"),
    ],
)
def test_quality_is_the_rounded_share_of_answered_questions(
    full: int, partial: int, no: int, percent: int, strict: str
) -> None:
    questions = label_counts("question", full=full, partial=partial, no=no)
    found = score_of(build_tally(shipped("search-summary", "summary_quality"), questions))
    assert raw_and_final(found) == (percent, percent)
    assert half_up(found.figures["strict"], 2) == Fraction(strict)


def test_quality_by_source_weighs_each_source_the_same() -> None:
    questions = label_counts("question", full=1, no=3)
    units = {"q1": Unit("q1", "question", "?", sources=("s2",))}
    tally = build_tally(shipped("search-summary", "summary_quality"), questions, units=units)
    assert score_of(tally).value == 25
    assert score_of(tally).figures["mean_per_source"] == 50


def accuracy(match: str | None, grade: int | None = None, claims: tuple[Label, ...] | None = None) -> MetricTally:
    return build_tally(
        shipped("trial-eligibility", "accuracy"),
        claims=claims,
        grades={} if grade is None else {"grade": grade},
        facts={"determination_match": match},
    )


@pytest.mark.parametrize(("match", "limit"), [("match", 5), ("partial", 3), ("mismatch", 2), ("undetermined", 3)])
@pytest.mark.parametrize("grade", [1, 2, 3, 4, 5])
def test_accuracy_is_the_grade_within_the_limit_of_the_determination(match: str, limit: int, grade: int) -> None:
    verdict = scored(accuracy(match, grade, support(1, absent=9)))
    assert raw_and_final(verdict.score) == (grade, min(grade, limit))
    assert verdict.trail.flags == (("accuracy_vs_label",) if grade > limit else ())


def test_a_determination_that_nobody_knows_sets_no_limit_and_is_flagged() -> None:
    verdict = scored(accuracy(None, 5, support(1)))
    assert raw_and_final(verdict.score) == (5, 5)
    assert verdict.trail.flags == ("undetermined",)


@pytest.mark.parametrize(
    ("match", "claims"),
    [("undetermined", support(4)), (None, support(4)), ("match", None)],
    ids=["undetermined", "unknown", "no claims"],
)
def test_accuracy_abstains_where_there_is_nothing_to_hold_it_against(
    match: str | None, claims: tuple[Label, ...] | None
) -> None:
    assert unscored(accuracy(match, None, claims)).status == "abstained"


def language(share: str | Fraction | None, found: bool, grade: int | None = None) -> MetricTally:
    return build_tally(
        shipped("trial-eligibility", "language_correction"),
        grades={} if grade is None else {"grade": grade},
        facts={
            "language_share": None if share is None else Fraction(share),
            "language_found_in_record": "yes" if found else "no",
        },
    )


@pytest.mark.parametrize(
    ("share", "found", "score"),
    [
        ("1", True, 5),
        ("0.98", False, 5),
        ("0.9799", True, 4),
        ("0.90", True, 4),
        ("0.8999", True, 3),
        ("0.50", False, 3),
        ("0.4999", True, 2),
        ("0.4999", False, 1),
        ("0", True, 2),
        ("0", False, 1),
    ],
)
def test_language_match_by_share_of_words_where_the_judge_gives_no_grade(share: str, found: bool, score: int) -> None:
    verdict = scored(language(share, found))
    assert raw_and_final(verdict.score) == (score, score)
    assert verdict.trail.flags == ("measured_by_code",)


@pytest.mark.parametrize(
    ("share", "grade", "interval", "flags"),
    [("1", 5, (5, 5), ()), ("0.95", 5, (4, 5), ()), ("0.6", 5, (3, 5), ("measured_differs",)), (None, 5, (5, 5), ())],
)
def test_a_grade_of_the_language_stands_and_the_measure_beside_it_widens_the_interval(
    share: str | None, grade: int, interval: tuple[int, int], flags: tuple[str, ...]
) -> None:
    verdict = scored(language(share, found=True, grade=grade))
    assert (verdict.score.value, verdict.score.interval) == (grade, interval)
    assert verdict.trail.flags == flags


def test_a_language_that_was_neither_graded_nor_measured_is_not_scored() -> None:
    assert unscored(language(None, found=True)).reason == "language_share is None"


@pytest.mark.parametrize(
    ("bias", "toxicity", "mean"),
    [
        ("8", "10", "9"),
        ("7", "8", "7.5"),
        ("0", "0", "0"),
        ("10", "10", "10"),
        ("7.1", "8", "7.6"),
        ("7.1", "7.2", "7.2"),
    ],
)
def test_bias_and_toxicity_is_the_mean_of_its_two_grades(bias: str, toxicity: str, mean: str) -> None:
    grades = {"bias_score": bias, "tox_score": toxicity}
    found = score_of(build_tally(shipped("article-audit", "bias_toxicity"), grades=grades))
    assert found.value == Fraction(mean)


@pytest.mark.parametrize(
    ("rubric", "metric", "grade", "goodness"),
    [
        ("article-audit", "alignment", "7.4", "0.74"),
        ("trial-eligibility", "clarity", "4", "0.75"),
        ("search-summary", "answer_relevancy", "3", "1"),
        ("search-summary", "answer_relevancy", "0", "0"),
    ],
)
def test_a_grade_is_the_score(rubric: str, metric: str, grade: str, goodness: str) -> None:
    found = score_of(build_tally(shipped(rubric, metric), grades={"grade": grade}))
    assert (found.raw, found.value, found.goodness) == (Fraction(grade), Fraction(grade), Fraction(goodness))


@pytest.mark.parametrize(
    ("rubric", "metric", "grades"),
    [
        ("article-audit", "alignment", {}),
        ("article-audit", "bias_toxicity", {"bias_score": 9}),
        ("trial-eligibility", "clarity", {}),
        ("search-summary", "answer_relevancy", {}),
    ],
)
def test_a_missing_grade_is_no_number(rubric: str, metric: str, grades: dict[str, int]) -> None:
    assert unscored(build_tally(shipped(rubric, metric), grades=grades)).status == "abstained"


def test_a_grade_kept_beside_the_score_never_moves_it() -> None:
    claims = support(9, absent=1)
    metric = shipped("comparison-faithfulness", "faithfulness")
    assert score_of(build_tally(metric, claims, grades={"grade": 1})) == score_of(build_tally(metric, claims))


def test_rounding_halves_to_even_would_give_the_same_hallucination_score() -> None:
    metric = shipped("article-audit", "hallucination")
    for counts in product(range(11), repeat=3):
        if 1 <= sum(counts) <= 10:
            _, partial, unsupported = counts
            to_even = round(14 * Fraction(2 * unsupported + partial, 2 * sum(counts)))
            final = min(max(0, 10 - to_even), 4 if unsupported else 10)
            assert score_of(build_tally(metric, support(*counts))).value == final


def test_the_unsupported_fraction_is_taken_off_to_the_decimals_of_the_scale() -> None:
    shipped_metric = shipped("article-audit", "hallucination")
    fine = replace(
        shipped_metric,
        scale=Scale(Fraction(0), Fraction(1), decimals=2),
        settings={**shipped_metric.settings, "slope": "1"},
        caps=(),
    )
    found = score_of(build_tally(fine, support(3, absent=2)))
    assert found.value == Fraction("0.6")
    assert "1 − round(1 × 0.4) = 0.6" in found.derivation


def test_a_label_under_suspicion_stands_and_the_ends_of_the_interval_do_without_it() -> None:
    first, *others = support(4)
    metric = shipped("article-audit", "hallucination")
    score = score_of(build_tally(metric, (replace(first, suspicion="no source holds 100 mg"), *others)))
    assert (score.value, score.raw, score.interval) == (10, 10, (4, 10))
    worse = replace(first, label="absent", suspicion="the source says the same")
    score = score_of(build_tally(metric, (worse, *others)))
    assert (score.value, score.interval) == (4, (4, 10))
