"""Every record that changed between two runs, with its own change."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from io import StringIO
from itertools import count

import pytest
from cards import card, failure

from assay.domain.findings import Findings, Label
from assay.domain.listed import build_listed
from assay.domain.outcome import Trail
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit
from assay.report.comparison import (
    MetricComparison,
    RecordChange,
    RunScores,
    compare_runs,
    format_alone,
    print_comparison,
    read_scores,
)
from assay.report.record_diff import RecordDiff, diff_cards, format_claim, format_words
from assay.report.terminal import open_console

AUDIT = "article-audit"
METRIC = "hallucination"


def read_run(cards: Iterable[Scorecard]) -> RunScores:
    made = list(cards)
    return read_scores(made[0].rubric, map(build_listed, made, count()))


def compare(first: Iterable[Scorecard], second: Iterable[Scorecard]) -> MetricComparison:
    compared = compare_runs(read_run(first), read_run(second))
    return next(each for each in compared if each.metric.id == METRIC)


def show(found: MetricComparison) -> list[tuple[str, str, tuple[str, str]]]:
    return [(change.name, change.said, change.scores) for change in found.changes]


def judge_items(levels: dict[tuple[str, str], object]) -> list[Scorecard]:
    return [
        card(AUDIT, item, {METRIC: failure(level) if isinstance(level, str) else level}, item=item, system=system)
        for (item, system), level in levels.items()
    ]


def test_five_records_that_moved_by_six_points_are_each_listed_with_their_own_change() -> None:
    """The items' means move by less, and one of them up."""
    before = {(f"i{item}", system): 9 for item in range(5) for system in "ABC"}
    after = before | {(f"i{item}", "A"): 3 for item in range(5)} | {("i0", system): 10 for system in "BC"}
    found = compare(judge_items(before), judge_items(after))
    assert show(found) == [
        *((f"i{item} (A)", "−6", ("9", "3")) for item in range(5)),
        *((f"i0 ({system})", "+1", ("9", "10")) for system in "BC"),
    ]
    assert found.counted == "5 worse, 2 better"


def test_the_worst_change_comes_first_and_gains_follow() -> None:
    before = {("a", "x"): 5, ("b", "x"): 8, ("c", "x"): 1, ("d", "x"): 1}
    after = {("a", "x"): 4, ("b", "x"): 2, ("c", "x"): 2, ("d", "x"): 9}
    found = compare(judge_items(before), judge_items(after))
    assert [(change.first.record, change.said) for change in found.changes] == [
        ("b", "−6"),
        ("a", "−1"),
        ("d", "+8"),
        ("c", "+1"),
    ]


def test_a_status_that_changed_is_a_change() -> None:
    before = {("a", "x"): 5, ("b", "x"): "timed_out", ("c", "x"): "timed_out", ("d", "x"): "refused"}
    after = {("a", "x"): "refused", ("b", "x"): 7, ("c", "x"): "malformed", ("d", "x"): "refused"}
    found = compare(judge_items(before), judge_items(after))
    assert [(change.first.record, change.kind, change.scores) for change in found.changes] == [
        ("a", "unscored", ("5", "refused")),
        ("b", "scored", ("timed out", "7")),
        ("c", "status", ("timed out", "malformed")),
    ]


def test_on_a_scale_whose_best_end_is_low_a_higher_score_is_worse() -> None:
    first, second = ([card("search-summary", "r", {METRIC: level})] for level in (0, 2))
    (change,) = compare(first, second).changes
    assert (change.kind, change.said) == ("worse", "+2")


def test_several_records_of_an_item_that_are_named_otherwise_are_listed_one_by_one() -> None:
    first = [card(AUDIT, f"old-{at}", {METRIC: 9}, item="i") for at in range(2)]
    second = [card(AUDIT, f"new-{at}", {METRIC: 3}, item="i") for at in range(3)]
    found = compare(first, second)
    assert show(found) == [(f"old-{at} / new-{at}", "−6", ("9", "3")) for at in range(2)]
    alone = format_alone(read_run(first), read_run(second))
    assert alone == "Records without a partner: 1 only in the second run."
    assert format_alone(read_run(first), read_run(first)) == ""


def claim_card(texts: Sequence[tuple[str, str]], level: object = 5, identifier: str = "r") -> Scorecard:
    """A record whose output is its claims, each with its label."""
    units = tuple(Unit(f"c{at}", "claim", text) for at, (text, _) in enumerate(texts))
    labels = tuple(Label("claim", f"c{at}", label) for at, (_, label) in enumerate(texts))
    made = card(AUDIT, identifier, {METRIC: level})
    outcome = replace(made.outcomes[METRIC], trail=Trail(units=units, findings=Findings(labels=labels)))
    record = replace(made.record, output=" ".join(text for text, _ in texts))
    return replace(made, record=record, outcomes={METRIC: outcome})


OLD = [("It opened in May.", "supported"), ("It cost 86 million euros in all.", "supported"), ("It is red.", "absent")]
NEW = [("It opened in May.", "absent"), ("It cost 68 million euros in all.", "contradicted"), ("Cats sleep.", "absent")]


def test_claims_are_matched_by_text_then_by_the_words_they_share() -> None:
    found = diff_cards(METRIC, claim_card(OLD), claim_card(NEW))
    assert [format_claim(each) for each in found.claims] == [
        'claim relabelled, supported → not in source: "It opened in May."',
        f'claim relabelled, supported → contradicted: "{NEW[1][0]}" (was "{OLD[1][0]}")',
        'claim added, not in source: "Cats sleep."',
        'claim removed, not in source: "It is red."',
    ]


def test_a_reworded_claim_with_the_same_label_is_in_the_words_alone() -> None:
    found = diff_cards(
        METRIC, claim_card(OLD), claim_card([OLD[0], ("It cost 80 million euros in all.", "supported"), OLD[2]])
    )
    assert found.claims == ()
    assert format_words(found.clip()[0]) == "It opened in May. It cost [-86-] {+80+} million euros in all. It is red."


def test_two_claims_with_the_same_text_are_two_claims() -> None:
    once, twice = [("It is.", "supported")], [("It is.", "supported"), ("It is.", "absent")]
    (claim,) = diff_cards(METRIC, claim_card(once), claim_card(twice)).claims
    assert (claim.kind, claim.claim.said) == ("added", "not in source")


def test_the_same_claims_are_no_change() -> None:
    assert diff_cards(METRIC, claim_card(OLD), claim_card(OLD)) == RecordDiff()


def test_a_label_that_changed_under_the_same_score_is_a_change() -> None:
    """Also where the record has no score in either run."""
    for level in (5, failure("malformed")):
        first, second = claim_card(OLD, level), claim_card([("It opened in May.", "partial"), *OLD[1:]], level)
        (change,) = compare([first], [second]).changes
        assert (change.kind, change.said) == ("labels", "relabelled")
        assert compare([first], [first]).changes == ()


def test_thousands_of_other_claims_are_counted_without_comparing_every_pair() -> None:
    first, second = (
        claim_card([(f"{side} {at} is here now.", "absent") for at in range(3_000)]) for side in ("A", "B")
    )
    found = diff_cards(METRIC, first, second)
    assert {each.kind for each in found.claims} == {"added", "removed"}
    assert len(found.claims) >= 2 * 2_800


def test_what_is_beyond_the_longest_text_is_said_to_be_unread() -> None:
    found = diff_cards(METRIC, claim_card([("a " * 40_000, "absent")]), claim_card([("b " * 40_000, "absent")]))
    assert found.unread == 2 * 20_000


def print_changes(
    first: Sequence[Scorecard], second: Sequence[Scorecard], *, metric: str | None = None, has_all: bool = False
) -> str:
    stream = StringIO()

    def diff(change: RecordChange) -> RecordDiff:
        return diff_cards(change.metric, first[change.first.position], second[change.second.position])

    compared = compare_runs(read_run(first), read_run(second))
    command = None if has_all else lambda name: f"assay runs compare a b --metric {name} --all"
    print_comparison(open_console(stream, 200), compared, diff, command, metric)
    return stream.getvalue()


def test_a_long_list_is_cut_with_a_count_and_the_command_for_the_rest() -> None:
    first, second = ([claim_card(OLD, level, f"r{at:02}") for at in range(25)] for level in (9, 3))
    text = print_changes(first, second)
    assert text.count("worse −6: r") == 10
    assert "… 15 more worse" in text
    assert "All of them: assay runs compare a b --metric hallucination --all" in text
    whole = print_changes(first, second, metric=METRIC, has_all=True)
    assert (whole.count("worse −6: r"), "more worse" in whole) == (25, False)


def test_it_says_that_nothing_changed_only_where_nothing_did() -> None:
    same = [claim_card(OLD)]
    assert "Hallucination: no score, status or label changed." in print_changes(same, same, metric=METRIC)
    relabelled = [claim_card([("It opened in May.", "partial"), *OLD[1:]])]
    text = print_changes(same, relabelled, metric=METRIC)
    assert "no score, status or label changed" not in text
    assert 'claim relabelled, supported → partly supported: "It opened in May."' in text


@pytest.mark.parametrize("has_all", [True, False])
def test_hostile_texts_send_nothing_to_the_terminal_but_text(has_all: bool) -> None:
    evil = "\x1b[2J\x1b]0;owned\x07 [bold]x[/bold] \u202egnp.exe"
    first, second = [claim_card([(evil, "absent")], 9, evil)], [claim_card([(f"{evil} y", "partial")], 3, evil)]
    text = print_changes(first, second, has_all=has_all)
    assert not set(text) & set("\x1b\x07\u202e")
    assert "[bold]x[/bold]" in text
