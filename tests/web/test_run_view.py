"""What a run came to, as the pages show it: counts that add up, and the right records first."""

import re
from dataclasses import replace
from fractions import Fraction

from markup import Page
from runs import claim_card, example_cards, example_page, example_report, page_of, run_row

from assay.domain.outcome import Abstention, Failure, Outcome, Score, Trail, Verdict
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.files.rubrics import open_rubric
from assay.report.markdown import format_markdown
from assay.report.run_report import build_run_report
from assay.runner.combine import combine
from assay.scoring.total import compute_total

RUBRIC = open_rubric("comparison-faithfulness")


def card(identifier: str, value: int, **more: object) -> Scorecard:
    return claim_card("It is.", [], [(Span(0, 6), "absent", ())], identifier=identifier, value=value, **more)


def view_of(cards: list[Scorecard]) -> object:
    return build_run_report(run_row("comparison-faithfulness"), RUBRIC, cards)


def test_a_headline_says_how_many_were_scored_of_how_many_asked() -> None:
    alignment = example_report("article-audit").summary.metrics["alignment"]
    assert (alignment.scored, alignment.asked) == (7, 9)
    assert dict(alignment.missing) == {"truncated": 1, "empty_input": 1}
    assert alignment.goodness.interval is not None
    flat = " ".join(Page(example_page("article-audit")).text.split())
    assert "7 of 9 scored; 1 truncated, 1 empty input" in flat


def test_the_breakdown_is_by_system_and_facet() -> None:
    cards = [
        card(f"n{at}", 1 + at, system="a" if at < 2 else "b", facets={"tongue": "de", "same": "x"}) for at in range(4)
    ]
    cards[0] = replace(cards[0], record=replace(cards[0].record, facets={"tongue": "fr", "same": "x"}))
    view = view_of(cards)
    assert [cut.name for cut in view.breakdowns] == ["System", "Tag tongue"]
    found = {value: means["faithfulness"] for value, means in view.breakdowns[0].rows}
    assert {value: (mean.asked, mean.goodness.mean) for value, mean in found.items()} == {
        "a": (2, 0.125),
        "b": (2, 0.625),
    }


def test_a_facet_with_many_values_lists_the_most_frequent() -> None:
    cards = [card(f"n{at}", 3, facets={"page": str(at % 30)}) for at in range(40)]
    cut = view_of(cards).breakdowns[0]
    assert (len(cut.rows), cut.unlisted) == (15, 15)
    assert {means["faithfulness"].asked for _, means in cut.rows[:10]} == {2}


def test_the_worst_come_first_and_of_equals_the_earlier() -> None:
    view = view_of([card("fine", 5), card("bad", 1), card("middling", 3), card("as-bad", 1)])
    assert [each.name for each in view.ranking.worst.records] == ["bad", "as-bad", "middling"]
    assert [each.key for each in view.ranking.worst.records] == ["r2", "r4", "r3"]
    assert view.ranking.worst.records[0].doubts[0].unit.text == "It is."


def test_a_record_that_nobody_scored_is_never_listed_below_a_good_one() -> None:
    declined = replace(card("declined", 5), outcomes={"faithfulness": Abstention("abstained", "who knows")})
    declined = replace(declined, total=compute_total(RUBRIC, declined.outcomes))
    good = claim_card("It is.", [], [(Span(0, 6), "supported", ())], identifier="good", value=4)
    view = view_of([good, declined, card("bad", 1)])
    assert [each.name for each in view.ranking.worst.records] == ["bad", "declined", "good"]
    assert view.ranking.choose(1) == {2}


def test_judges_far_apart_are_disputed() -> None:
    one, two = card("x", 1), replace(card("x", 5), judge="other")
    view = view_of([combine([one, two]), card("y", 3)])
    (disputed,) = view.ranking.disputed.records
    assert (disputed.name, disputed.why) == ("x", "Faithfulness: answers 1.00 apart in normalized score")
    assert dict(view.summary.flags) == {"judges_disagree": 1}


def test_what_undecided_units_leave_open_is_a_dispute() -> None:
    made = card("x", 3)
    score = Score(Fraction(3), Fraction(3), (Fraction(2), Fraction(4)), RUBRIC.metrics[0].scale, "by hand")
    open_card = replace(made, outcomes={"faithfulness": Verdict(score, Trail())})
    assert view_of([open_card]).ranking.disputed.records[0].why == "Faithfulness: between 2 and 4"


def judged(identifier: str, *answers: Outcome | int, judges: tuple[str, ...] = ()) -> Scorecard:
    """One record with several answers: a score, or what there is instead of one."""
    cards = []
    for sample, each in enumerate(answers):
        made = card(identifier, each if isinstance(each, int) else 3)
        outcomes = made.outcomes if isinstance(each, int) else {"faithfulness": each}
        cards.append(replace(made, outcomes=outcomes, judge=judges[sample] if judges else "m", sample=sample))
    return combine(cards)


MALFORMED = Failure("malformed", "no score", Trail(repairs=("asked 3 times",)))


def test_failures_of_single_answers_are_counted_by_kind() -> None:
    cards = [judged("x", 4, MALFORMED, MALFORMED), judged("y", 4, 4, 4), judged("z", MALFORMED, 2, 2)]
    summary = view_of(cards).summary
    assert dict(summary.missing) == {"malformed": 3}
    assert not summary.repairs
    flat = " ".join(Page(page_of(cards)).text.split())
    assert "Answers without a score 3 malformed Flags" in flat


def test_a_judge_that_never_scored_is_seen_beside_one_that_always_did() -> None:
    declined = Abstention("abstained", "who knows")
    cards = [judged(name, declined, 4, judges=("toy", "embedded")) for name in "xyz"]
    view = view_of(cards)
    flat = " ".join(Page(page_of(cards)).text.split())
    assert "toyFaithfulness033 not scored embeddedFaithfulness33" in flat
    assert "- Answers scored, `toy`: Faithfulness 0 of 3 (3 not scored)" in format_markdown(view)


def test_each_voice_shows_what_it_leaves_open() -> None:
    sure = card("x", 4).outcomes["faithfulness"]
    unsure = replace(sure, score=replace(sure.score, interval=(Fraction(2), Fraction(5))))
    made = judged("x", 4, unsure)
    html = page_of([made])
    assert re.search(r"Answers: ● 4 ● 4 \[2–5\]", " ".join(Page(html).text.split()))
    assert [f'title="m, sample {at}"' in html for at in (1, 2)] == [True, True]
    assert "● 4 [3–4.5]" in " ".join(Page(html).text.split())


def test_when_not_all_fit_the_worst_and_the_disputed_are_chosen() -> None:
    apart = combine([card("apart", 3), replace(card("apart", 5), judge="other")])
    view = view_of([*(card(f"bad{at}", 1) for at in range(30)), card("fine", 5), apart])
    chosen = view.ranking.choose(12)
    assert (len(chosen), 31 in chosen, 30 in chosen) == (12, True, False)
    assert view.ranking.choose(32) == set(range(32))


def test_a_capped_score_shows_what_it_was_before() -> None:
    made = next(each for each in example_cards("article-audit") if each.record.id == "contradicted-number")
    html = page_of([made])
    assert "Coverage ○ 4 (7.23)" in " ".join(Page(html).text.split())
    assert 'class="chip g-low" title="Coverage, 0–10, best 10:' in html


def test_a_judge_that_declined_everything_is_not_said_to_have_answered() -> None:
    declined = replace(card("x", 3), outcomes={"faithfulness": Abstention("abstained", "nothing to go by")})
    text = Page(page_of([declined])).text
    flat = " ".join(text.split())
    assert "Answers without a score 1 not scored" in flat
    assert "Repairs, by records None." in flat
