"""A gate fails where the mean is below, where there is none, and where too few records were judged."""

from dataclasses import replace

import pytest
from runs import claim_card, example_cards, example_report, run_row

from assay.domain.listed import MetricScore, build_listed
from assay.domain.outcome import Abstention
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.errors import InputError
from assay.files.rubrics import open_rubric
from assay.report.gate import (
    Gate,
    check_findings,
    check_gates,
    parse_share,
    parse_thresholds,
    refuse_means_of_scores,
)
from assay.report.run_report import build_run_report
from assay.report.summary import ClaimCounts, Summary
from assay.runner.combine import combine

RUBRIC = open_rubric("search-summary")


def hold(least: float, values: list[float], asked: int | None = None) -> Gate:
    summary = Summary(RUBRIC)
    found = summary.metrics["hallucination"]
    for place, value in enumerate(values):
        found.add(f"item {place}", MetricScore("hallucination", "ok", score=0, goodness=value))
    return check_gates({"hallucination": least}, summary, unjudged=(asked or len(values)) - len(values))[0]


@pytest.mark.parametrize("count", [3, 10, 39])
@pytest.mark.parametrize("least", [0.1, 0.7, 0.9])
def test_many_that_are_each_at_the_threshold_pass_together(least: float, count: int) -> None:
    assert hold(least, [least] * count).passed


@pytest.mark.parametrize("mean", [0.7999999, 0.79])
def test_a_mean_below_by_more_than_rounding_fails(mean: float) -> None:
    assert not hold(0.8, [mean] * 10).passed


def gate(written: str, records: int | None = None, min_scored: float = 0.9) -> Gate:
    """Of the first records of the example, which are seven."""
    view = build_run_report(run_row("search-summary"), RUBRIC, example_cards("search-summary")[:records])
    (found,) = check_gates(parse_thresholds([written], RUBRIC), view.summary, min_scored)
    return found


@pytest.mark.parametrize(
    ("written", "records", "min_scored", "said"),
    [
        ("hallucination=0.9", None, 0.8, "Hallucination: mean normalized score 0.7778, below 0.9 (6 scored of 7 asked)"),
        ("hallucination=0", 0, 0.9, "Hallucination: no record has a score"),
        ("hallucination.low=0", 1, 0.9, "one source group has no interval"),
        (
            *("hallucination=0.5", None, 0.9),
            "Hallucination: only 6 of 7 records scored, wanted at least 90 % (their mean normalized score is 0.7778, at least 0.5). Not scored: blank-summary (1 × empty input: summary is blank)",
        ),
    ],
    ids=["below", "nobody scored", "one item", "fewer than nine in ten"],
)  # fmt: skip
def test_a_gate_that_fails_says_why(written: str, records: int | None, min_scored: float, said: str) -> None:
    found = gate(written, records, min_scored)
    assert (found.passed, said in found.said) == (False, True)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            ["clarity=0.5"],
            "search-summary has no metric 'clarity'. Write one of: hallucination, summary_quality, answer_relevancy.",
        ),
        (["hallucination"], "has no threshold"),
        (["hallucination=high"], "'high' is not a number from 0 to 1"),
        (["hallucination=1.5"], "'1.5' is not a number from 0 to 1"),
        (["hallucination=nan"], "'nan' is not a number from 0 to 1"),
        (["hallucination=0.5", "hallucination=0.6"], "twice"),
    ],
)
def test_a_threshold_that_can_not_be_read_says_what_to_write(written: list[str], said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_thresholds(written, RUBRIC)
    assert said in str(caught.value)


def test_the_mean_itself_passes_and_the_lower_end_of_its_interval_is_a_stricter_gate() -> None:
    goodness = example_report("search-summary").summary.metrics["hallucination"].goodness
    low = goodness.interval[0]
    assert gate(f"hallucination={goodness.mean!r}", min_scored=0.8).passed
    assert gate("hallucination=0.7", min_scored=0.8).passed
    assert gate(f"hallucination.low={low:.3f}", min_scored=0.8).passed is (low >= round(low, 3))
    found = gate("hallucination.low=0.7", min_scored=0.8)
    assert (found.passed, found.said) == (
        *(False, f"Hallucination: lower end of the mean normalized score {low:.4f}, below 0.7 (6 scored of 7 asked)"),
    )


@pytest.mark.parametrize(("scored", "passed"), [(9, True), (8, False)])
def test_nine_of_ten_are_enough(scored: int, passed: bool) -> None:
    assert hold(0.8, [0.9] * scored, asked=10).passed is passed


def test_of_many_without_a_score_the_first_are_named_and_the_others_counted() -> None:
    cards = [claim_card("It is.", [], [(Span(0, 6), "supported", ())], identifier=f"n{at}") for at in range(8)]
    declined = [replace(each, outcomes={"faithfulness": Abstention("abstained", f"reason {at // 2}")}) for at, each in enumerate(cards)]  # fmt: skip
    view = build_run_report(run_row("comparison-faithfulness"), cards[0].rubric, declined)
    (gate,) = check_gates(parse_thresholds(["faithfulness=0.5"], cards[0].rubric), view.summary)
    assert gate.said.endswith(
        "(0 scored of 8 asked). Not scored: n0, n1, n2, n3, n4 and 3 more (2 × reason 0; 2 × "
        "reason 1; 2 × reason 2; 2 for other reasons)"
    )


def test_records_that_a_stopped_run_did_not_come_to_have_not_passed() -> None:
    made = claim_card("It is.", [], [(Span(0, 6), "supported", ())], value=5)
    run = run_row("comparison-faithfulness", state="stopped", record_count=10)
    view = build_run_report(run, made.rubric, [made])
    (gate,) = check_gates(parse_thresholds(["faithfulness=0.5"], made.rubric), view.summary, unjudged=view.unjudged)
    assert (gate.passed, "only 1 of 10 records scored" in gate.said) == (False, True)
    assert gate.said.endswith("Not scored: 9 × not judged yet: the run is not finished")
    findings = check_findings(0, view.summary.claims, view.unjudged)
    assert (findings.passed, "only 1 of 10 records were judged" in findings.said) == (False, True)


@pytest.mark.parametrize(
    ("written", "share"), [("0.9", 0.9), ("90%", 0.9), ("90 %", 0.9), ("0", 0), ("1", 1), (0.5, 0.5)]
)
def test_a_share_is_a_number_or_a_percentage(written: str | float, share: float) -> None:
    assert parse_share(written) == share


@pytest.mark.parametrize("written", ["90", "-0.1", "101%", "many", "nan", ""])
def test_what_is_no_share_says_what_to_write(written: str) -> None:
    with pytest.raises(InputError, match=r"is not a share. Write .* such as 0.9 or 90%"):
        parse_share(written)


def claims(*labels: str, identifier: str = "one") -> Scorecard:
    spans = [(Span(2 * at, 2 * at + 1), label, ()) for at, label in enumerate(labels)]
    return claim_card("a b c d e f g", [], spans, identifier=identifier)


def count(*cards: Scorecard) -> ClaimCounts:
    counts = ClaimCounts()
    for each in cards:
        counts.add(build_listed(each), each.rubric)
    return counts


def test_claims_at_fault_are_those_decided_and_below_the_best_label() -> None:
    found = count(claims("supported", "partial", "absent", "contradicted", "undecided", "no_fact"))
    assert (found.claims, found.decided, found.at_fault) == (5, 4, 3)
    assert check_findings(3, found).passed
    gate = check_findings(2, found)
    assert not gate.passed
    assert gate.said == "Findings: 3 claims with problems, at most 2 allowed (4 of 5 claims decided, 80 %): one (3)"


def test_of_many_records_with_claims_at_fault_the_first_are_named() -> None:
    gate = check_findings(0, count(*(claims("absent", identifier=f"n{at}") for at in range(7))))
    assert gate.said.endswith("n0 (1), n1 (1), n2 (1), n3 (1), n4 (1) and 2 more")


def test_a_run_of_which_no_claim_was_decided_does_not_pass_unless_told() -> None:
    found = count(claims("undecided", "undecided"))
    gate = check_findings(0, found)
    assert not gate.passed
    assert gate.said.endswith("(0 of 2 claims decided, 0 %); no claim was decided, so nothing was judged")
    assert check_findings(0, found, min_scored=0).passed


def test_records_without_a_labelled_claim_have_not_passed_but_blank_ones_hold_none() -> None:
    good = claims("supported")
    declined = replace(good, outcomes={"faithfulness": Abstention("abstained", "not in English")})
    blank = replace(good, outcomes={"faithfulness": Abstention("empty_input", "it is blank")})
    assert check_findings(0, count(good, blank)).passed
    gate = check_findings(0, count(good, declined))
    assert not gate.passed
    assert gate.said.endswith(
        "the claims of only 1 of 2 records were judged, wanted at least 90 %. Not judged: one (1 × not in English)"
    )


def test_where_judges_differ_half_of_those_who_decide_must_find_the_fault() -> None:
    def panel(*labels: str) -> ClaimCounts:
        return count(combine([replace(claims(label), judge=f"j{at}") for at, label in enumerate(labels)]))

    assert panel("supported", "absent").at_fault == 1
    assert panel("supported", "absent", "supported").at_fault == 0
    assert panel("undecided", "absent").at_fault == 1


@pytest.mark.parametrize(
    ("judges", "refused"),
    [(("embedded:1",), True), (("local:tiny:1",), True), (("embedded:1", "openai:m"), False), (("openai:m",), False)],
)
def test_a_mean_of_the_built_in_judge_is_refused_with_advice(judges: tuple[str, ...], refused: bool) -> None:
    refuse_means_of_scores(["hallucination.weakest_support"], judges)
    if not refused:
        refuse_means_of_scores(["hallucination"], judges)
        return
    for name in ("hallucination", "hallucination.low"):
        with pytest.raises(InputError, match="Write `fail_on_findings` 0"):
            refuse_means_of_scores([name], judges)
