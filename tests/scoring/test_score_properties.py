"""What holds for every rule on every count of labels, and not only on the vectors."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tallies import (
    build_tally,
    coverage_tally,
    label_counts,
    label_units,
    quoting,
    score_of,
    scored,
    shipped,
    support,
    unscored,
)

from assay.domain.findings import NO_FACT, SUPPORTS, UNDECIDED, Label
from assay.domain.outcome import Abstention, Score, Trail, Verdict
from assay.domain.parts import LabelPart
from assay.domain.rubric import Metric
from assay.domain.scale import Scale, half_up
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.scoring.score import score_metric
from assay.scoring.tally import MetricTally

QUICK = settings(deadline=None, derandomize=True, max_examples=60)

COUNTED = [
    ("article-audit", "coverage"),
    ("article-audit", "hallucination"),
    ("article-audit", "relevance"),
    ("comparison-faithfulness", "faithfulness"),
    ("opinion-relevance", "relevance"),
    ("search-summary", "hallucination"),
    ("search-summary", "summary_quality"),
    ("trial-eligibility", "hallucination"),
]
LOW_IS_BEST = [("article-audit", "relevance"), ("article-audit", "coverage"), ("search-summary", "summary_quality")]

each_counted = pytest.mark.parametrize(("rubric", "metric"), COUNTED)


@dataclass(frozen=True)
class Word:
    """A label and its qualifier, as a judge gives them to one unit."""

    label: str
    qualifier: str | None = None


def _words(part: LabelPart) -> list[Word]:
    qualifiers: list[str | None] = [None]
    if part.qualifier is not None:
        qualifiers = [option.name for option in part.qualifier.options]
    return [
        Word(option.name, qualifier if option.name != part.best else None)
        for option in part.options
        if option.name != NO_FACT
        for qualifier in qualifiers
    ]


def _tally(metric: Metric, groups: dict[str, list[Word]], ranking: tuple[str, ...] = ()) -> MetricTally:
    """Every claim has three words of the output, one its own; the group `shared` are the claims of another metric."""
    labelled = [
        label_units(part.unit, *((word.label, word.qualifier) for word in groups[part.id]))
        for part in metric.label_parts
    ]
    shared = label_units("claim", *((word.label, word.qualifier) for word in groups["shared"]))
    claims = shared if metric.claims_from else None
    count = max(len(group) for group in groups.values())
    texts = [f"aa bb c{number:03}" for number in range(1, count + 1)]
    units = {
        f"c{number}": Unit(f"c{number}", "claim", text, Span(11 * number - 11, 11 * number - 1), ("s1",))
        for number, text in enumerate(texts, 1)
    }
    return build_tally(metric, *labelled, claims=claims, output=" ".join(texts), units=units, ranking=ranking)


def _groups(metric: Metric, *, undecided: bool) -> st.SearchStrategy[dict[str, list[Word]]]:
    extra = [Word(UNDECIDED)] if undecided else []
    groups = {
        part.id: st.lists(st.sampled_from(_words(part) + extra), min_size=1, max_size=14) for part in metric.label_parts
    }
    groups["shared"] = st.lists(st.sampled_from([Word(label) for label in SUPPORTS] + extra), min_size=1, max_size=14)
    return st.fixed_dictionaries(groups)


def _outcome(tally: MetricTally) -> Verdict | Abstention:
    return score_metric(tally, Trail())


@each_counted
def test_a_score_lies_on_its_scale_and_inside_its_interval(rubric: str, metric: str) -> None:
    asked = shipped(rubric, metric)

    @QUICK
    @given(_groups(asked, undecided=True))
    def check(groups: dict[str, list[Word]]) -> None:
        outcome = _outcome(_tally(asked, groups))
        if isinstance(outcome, Abstention):
            assert any(
                sum(word.label == UNDECIDED for word in groups[part.id]) * 3 > len(groups[part.id])
                for part in asked.label_parts
            )
            return
        score = outcome.score
        low, high = score.interval
        assert low <= score.value <= high
        assert all(asked.scale.contains(value) for value in (low, high, score.value, score.raw))
        assert all(asked.scale.round(value) == value for value in (low, high, score.value, score.raw))
        assert 0 <= score.goodness <= 1
        if all(word.label != UNDECIDED for words in groups.values() for word in words):
            assert low == high

    check()


def _completions(metric: Metric, groups: dict[str, list[Word]]) -> Iterator[dict[str, list[Word]]]:
    """Every way in which the undecided units could have been answered."""
    places = [(name, at) for name, words in groups.items() for at, word in enumerate(words) if word.label == UNDECIDED]
    choices = {part.id: _words(part) for part in metric.label_parts}
    choices["shared"] = [Word(label) for label in SUPPORTS]
    for answers in product(*(choices[name] for name, _ in places)):
        filled = {name: list(words) for name, words in groups.items()}
        for (name, at), answer in zip(places, answers, strict=True):
            filled[name][at] = answer
        yield filled


@each_counted
def test_the_interval_holds_every_score_that_undecided_units_leave_open(rubric: str, metric: str) -> None:
    asked = shipped(rubric, metric)

    @settings(QUICK, max_examples=25)
    @given(_groups(asked, undecided=False), st.randoms(use_true_random=False))
    def check(groups: dict[str, list[Word]], random: Random) -> None:
        for name in [part.id for part in asked.label_parts] + ["shared"] * bool(asked.claims_from):
            words = groups[name] + [groups[name][0]] * 3
            words[random.randrange(len(words))] = Word(UNDECIDED)
            groups[name] = words
        low, high = score_of(_tally(asked, groups)).interval
        for filled in _completions(asked, groups):
            assert low <= score_of(_tally(asked, filled)).value <= high

    check()


def _is_worse(values: dict[str, Fraction], before: Word, after: Word) -> bool:
    """A lower label of the same severity, or the same label grown serious."""
    if before.label == after.label:
        return before.qualifier == "slight" and after.qualifier == "serious"
    return values[after.label] < values[before.label] and before.qualifier in {None, after.qualifier}


@each_counted
def test_a_worse_label_never_raises_goodness(rubric: str, metric: str) -> None:
    asked = shipped(rubric, metric)

    @settings(QUICK, max_examples=40)
    @given(_groups(asked, undecided=False), st.randoms(use_true_random=False))
    def check(groups: dict[str, list[Word]], random: Random) -> None:
        before = score_of(_tally(asked, groups)).goodness
        for part in asked.label_parts:
            at = random.randrange(len(groups[part.id]))
            values = {option.name: part.value(option.name) for option in part.options if option.name != NO_FACT}
            for word in _words(part):
                if _is_worse(values, groups[part.id][at], word):
                    worse = groups | {part.id: [*groups[part.id][:at], word, *groups[part.id][at + 1 :]]}
                    assert score_of(_tally(asked, worse)).goodness <= before
        if asked.claims_from:
            at = random.randrange(len(groups["shared"]))
            rank = SUPPORTS.index(groups["shared"][at].label)
            for label in SUPPORTS[rank + 1 :]:
                worse = groups | {"shared": [*groups["shared"][:at], Word(label), *groups["shared"][at + 1 :]]}
                assert score_of(_tally(asked, worse)).goodness <= before

    check()


@each_counted
def test_the_order_in_which_labels_come_does_not_matter(rubric: str, metric: str) -> None:
    asked = shipped(rubric, metric)

    @QUICK
    @given(_groups(asked, undecided=True), st.randoms(use_true_random=False))
    def check(groups: dict[str, list[Word]], random: Random) -> None:
        tally = _tally(asked, groups)
        labels = tally.findings.labels
        shuffled = replace(
            tally,
            findings=replace(tally.findings, labels=tuple(random.sample(labels, len(labels)))),
            claims=None if tally.claims is None else tuple(random.sample(tally.claims, len(tally.claims))),
        )
        before, after = _outcome(tally), _outcome(shuffled)
        if isinstance(before, Abstention) or isinstance(after, Abstention):
            assert before == after
        else:
            assert _numbers(before.score) == _numbers(after.score)
            assert before.trail.flags == after.trail.flags

    check()


def _numbers(score: Score) -> tuple[object, ...]:
    return score.value, score.raw, score.interval, score.figures


@each_counted
def test_an_undecided_unit_never_triggers_a_cap(rubric: str, metric: str) -> None:
    asked = shipped(rubric, metric)
    capping = {"absent", "contradicted", "serious", *(label for cap in asked.caps for label in cap.labels)}

    @QUICK
    @given(_groups(asked, undecided=True))
    def check(groups: dict[str, list[Word]]) -> None:
        decided = [said for words in groups.values() for word in words for said in (word.label, word.qualifier)]
        outcome = _outcome(_tally(asked, groups))
        if isinstance(outcome, Verdict) and capping.isdisjoint(decided):
            assert not any(flag.startswith("capped") for flag in outcome.trail.flags)
            assert outcome.score.value == outcome.score.raw

    check()


def test_undecided_units_alone_leave_a_capped_metric_uncapped() -> None:
    sections = label_units("section", "High", "High", UNDECIDED)
    verdict = scored(build_tally(shipped("article-audit", "relevance"), sections, claims=support(2, undecided=1)))
    assert verdict.score.value == verdict.score.raw == Fraction("8.33")
    assert verdict.score.interval == (Fraction(4), Fraction(10))
    assert verdict.trail.flags == ()


def test_the_worst_reading_of_an_undecided_claim_is_a_serious_one() -> None:
    claims = label_units("claim", "supported", "supported", UNDECIDED)
    score = score_of(build_tally(shipped("search-summary", "hallucination"), claims))
    assert (score.value, *score.interval) == (Fraction(1), Fraction(0), Fraction(3))


@each_counted
@pytest.mark.parametrize("third", [1, 2, 4])
def test_one_undecided_unit_in_three_is_scored_and_one_more_is_not(rubric: str, metric: str, third: int) -> None:
    asked = shipped(rubric, metric)
    for part in asked.label_parts:
        groups = {each.id: [Word(each.best)] * (2 * third) for each in asked.label_parts} | {
            "shared": [Word("supported")]
        }
        groups[part.id] = groups[part.id] + [Word(UNDECIDED)] * third
        assert isinstance(_outcome(_tally(asked, groups)), Verdict)
        groups[part.id] = groups[part.id] + [Word(UNDECIDED)]
        outcome = _outcome(_tally(asked, groups))
        assert isinstance(outcome, Abstention)
        assert outcome.status == "abstained"
        assert "uncertain" in outcome.reason


@each_counted
def test_no_units_are_no_number(rubric: str, metric: str) -> None:
    asked = shipped(rubric, metric)
    tally = build_tally(asked, claims=(), output="some words")
    assert unscored(tally).status == "empty_input"


@each_counted
def test_units_without_a_label_are_no_number(rubric: str, metric: str) -> None:
    asked = shipped(rubric, metric)
    for missing in asked.label_parts:
        labelled = [label_units(part.unit, part.best) for part in asked.label_parts if part is not missing]
        units = {"x1": Unit("x1", missing.unit, "some words", sources=("s1",))}
        tally = build_tally(asked, *labelled, claims=(), units=units, output="some words")
        assert unscored(tally).status == "abstained"


@each_counted
def test_units_at_their_best_are_the_best_end_of_the_scale(rubric: str, metric: str) -> None:
    asked = shipped(rubric, metric)

    @QUICK
    @given(st.integers(1, 30))
    def check(count: int) -> None:
        groups = {part.id: [Word(part.best)] * count for part in asked.label_parts} | {"shared": [Word("supported")]}
        assert score_of(_tally(asked, groups)).goodness == 1

    check()


@pytest.mark.parametrize(("rubric", "metric"), LOW_IS_BEST)
def test_the_best_labels_are_best_on_a_scale_where_low_is_best(rubric: str, metric: str) -> None:
    known = shipped(rubric, metric)
    asked = replace(known, scale=Scale(Fraction(0), Fraction(10), "low", 2), caps=())
    part = asked.label_parts[0]
    best = {part.id: [Word(part.best)] * 3, "shared": [Word("supported")]}
    worst = {part.id: [Word(part.worst)] * 3, "shared": [Word("supported")]}
    assert score_of(_tally(asked, best)).goodness == 1
    assert score_of(_tally(asked, best)).value == 0
    assert score_of(_tally(asked, worst)).goodness == 0
    assert score_of(_tally(asked, worst)).value == 10


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.sampled_from(["match", "partial", "mismatch"]), st.integers(1, 5), st.integers(1, 5))
def test_a_better_grade_or_a_better_match_never_lowers_accuracy(match: str, grade: int, other: int) -> None:
    order = ["mismatch", "partial", "match"]

    def accuracy(match: str, grade: int) -> Score:
        return score_of(
            build_tally(
                shipped("trial-eligibility", "accuracy"),
                claims=(),
                grades={"grade": grade},
                facts={"determination_match": match},
            )
        )

    here = accuracy(match, grade)
    assert 0 <= here.goodness <= 1
    assert accuracy(match, max(grade, other)).value >= here.value
    assert all(accuracy(better, grade).value >= here.value for better in order[order.index(match) :])


@QUICK
@given(st.fractions(0, 1), st.fractions(0, 1), st.booleans())
def test_more_words_in_the_expected_language_never_lower_the_score(
    share: Fraction, other: Fraction, found: bool
) -> None:
    def language(share: Fraction) -> Score:
        facts = {"language_share": share, "language_found_in_record": "yes" if found else "no"}
        return score_of(build_tally(shipped("trial-eligibility", "language_correction"), facts=facts))

    assert language(min(share, other)).value <= language(max(share, other)).value
    assert 0 <= language(share).goodness <= 1


@QUICK
@given(st.fractions(0, 10, max_denominator=1000), st.fractions(0, 10, max_denominator=1000))
def test_the_mean_of_grades_lies_between_them(bias: Fraction, toxicity: Fraction) -> None:
    score = score_of(
        build_tally(shipped("article-audit", "bias_toxicity"), grades={"bias_score": bias, "tox_score": toxicity})
    )
    assert half_up(min(bias, toxicity), 1) <= score.value <= half_up(max(bias, toxicity), 1)


@QUICK
@given(st.integers(1, 7), st.integers(0, 40), st.integers(1, 40))
def test_more_unsupported_words_never_raise_coverage(points: int, extraneous: int, words: int) -> None:
    fewer = min(extraneous, words)
    scores = [score_of(coverage_tally(points, 1, 1, count, words)).raw for count in range(fewer + 1)]
    assert scores == sorted(scores, reverse=True)


@settings(deadline=None, derandomize=True, max_examples=500)
@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6), st.integers(0, 4))
def test_rounding_is_exact(numerator: int, denominator: int, decimals: int) -> None:
    context = Context(prec=60, rounding=ROUND_HALF_UP)
    # Doubling the precision of a quotient can't create a half: a half has a finite expansion of decimals + 1 places.
    quotient = context.divide(Decimal(numerator), Decimal(denominator))
    expected = quotient.quantize(Decimal(1).scaleb(-decimals), context=context)
    assert half_up(Fraction(numerator, denominator), decimals) == Fraction(expected)


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.integers(0, 10**6), st.integers(0, 4))
def test_a_half_goes_up(whole: int, decimals: int) -> None:
    half = Fraction(2 * whole + 1, 2 * 10**decimals)
    assert half_up(half, decimals) == Fraction(whole + 1, 10**decimals)
    assert half_up(-half, decimals) == -Fraction(whole + 1, 10**decimals)


def test_a_claim_that_two_sources_carry_together_is_supported_unless_one_source_is_required() -> None:
    known = shipped("search-summary", "hallucination")
    strict = replace(known, settings={**known.settings, "single source": "yes"})
    first, second = label_counts("claim", supported=2)
    claims = (quoting(first, "s1", "s2"), quoting(second, "s1", "s1"))
    assert score_of(build_tally(known, claims)).value == 0
    assert score_of(build_tally(strict, claims)).value == 1


def test_flags_of_the_trail_stay_and_stand_once() -> None:
    labels: tuple[Label, ...] = label_counts("section", High=3)
    tally = build_tally(shipped("article-audit", "relevance"), labels)
    outcome = score_metric(tally, Trail(flags=("cap_unknown", "windowed")))
    assert outcome.trail.flags == ("cap_unknown", "windowed")


@pytest.mark.parametrize(
    ("rubric", "metric"),
    [
        ("article-audit", "hallucination"),
        ("comparison-faithfulness", "faithfulness"),
        ("search-summary", "hallucination"),
        ("trial-eligibility", "hallucination"),
    ],
)
@pytest.mark.parametrize(
    "labels", [["supported", "absent"], ["supported"] * 3, ["partial", "contradicted", "supported"]]
)
def test_a_unit_that_states_no_fact_changes_no_score(rubric, metric, labels):
    asked = shipped(rubric, metric)
    plain = score_metric(build_tally(asked, label_units("claim", *labels)), Trail())
    beside = score_metric(build_tally(asked, label_units("claim", *labels, NO_FACT, NO_FACT)), Trail())
    assert isinstance(plain, Verdict)
    assert isinstance(beside, Verdict)
    assert (plain.score.value, plain.score.raw, plain.score.interval) == (
        beside.score.value,
        beside.score.raw,
        beside.score.interval,
    )
