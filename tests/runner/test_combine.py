"""Several answers as one card: the mean, what is left open of it, and what each of them came to."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.outcome import Abstention, Failure, Outcome, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import Scale
from assay.domain.scorecard import Scorecard
from assay.runner.combine import combine
from assay.scoring.total import compute_total

SCALE = Scale(Fraction(0), Fraction(10), decimals=2)
METRIC = Metric("support", "Support", "Is it so?", SCALE, "share", {}, (), ())
RUBRIC = Rubric("tea", "1", "Tea", "About tea.", (), (), (METRIC,), "d1", "# Tea")


def score(value: object, low: object = None, high: object = None, **trail: object) -> Verdict:
    level = Fraction(str(value))
    ends = tuple(level if end is None else Fraction(str(end)) for end in (low, high))
    return Verdict(Score(level, level, (ends[0], ends[1]), SCALE, "so"), Trail(**trail))


def card(judge: str, outcome: Outcome, sample: int = 0) -> Scorecard:
    outcomes = {"support": outcome}
    record = Record("r", "i", "output", ())
    return Scorecard(record, RUBRIC, judge, outcomes, compute_total(RUBRIC, outcomes), sample=sample)


def whole(*cards: Scorecard) -> Outcome:
    return combine(cards).outcomes["support"]


def test_the_interval_of_a_panel_is_what_its_mean_can_reach() -> None:
    mean = whole(card("a", score(4)), card("b", score(4)), card("c", score("5.49", 3, 10)))
    assert mean.score.interval == (Fraction("3.6667"), 6)
    assert mean.score.value == Fraction("4.4967")


def test_the_samples_of_a_judge_are_averaged_before_the_judges_are() -> None:
    mean = whole(card("a", score(2, 0, 4)), card("a", score(4, 4, 8), 1), card("b", score(9, 8, 10)))
    assert (mean.score.value, mean.score.interval) == (6, (5, 8))


def test_answers_that_leave_nothing_open_leave_nothing_open_of_their_mean() -> None:
    mean = whole(card("a", score(1)), card("a", score(3), 1), card("b", score(9)))
    assert mean.score.interval == (mean.score.value, mean.score.value)


answers = st.tuples(st.sampled_from("abc"), st.lists(st.integers(0, 1000), min_size=3, max_size=3).map(sorted))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(answers, min_size=2, max_size=6))
def test_the_mean_lies_within_its_interval(said: list[tuple[str, list[int]]]) -> None:
    cards = [
        card(judge, score(Fraction(middle, 100), Fraction(low, 100), Fraction(high, 100)), sample)
        for sample, (judge, (low, middle, high)) in enumerate(said)
    ]
    mean = whole(*cards)
    low, high = mean.score.interval
    assert low <= mean.score.value <= high


def test_a_reply_that_stayed_unreadable_is_no_repair_of_the_others() -> None:
    unreadable = Failure("malformed", "no score", Trail(repairs=("asked 3 times",)))
    mean = combine([card("a", score(4)), card("a", unreadable, 1)])
    assert mean.outcomes["support"].status == "ok"
    assert [voice.outcome.status for voice in mean.voices["support"]] == ["ok", "malformed"]
    assert whole(card("a", score(4, repairs=("code fence",))), card("a", unreadable, 1)).trail.repairs == (
        "code fence",
    )


def test_where_nobody_scored_the_reason_is_that_of_the_judge_the_run_named_first() -> None:
    refused, abstained = card("a", Failure("refused", "no")), card("z", Abstention("abstained", "who knows"))
    assert whole(abstained, refused).status == "abstained"
    assert whole(refused, abstained).status == "refused"
    assert combine([refused, abstained]).judge == "a + z"
