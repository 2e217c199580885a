"""Every answer is counted, also where the outcome of its record is a mean of the others."""

import io
from dataclasses import replace

from cards import card, failure

from assay.domain.outcome import Abstention, Outcome
from assay.domain.scorecard import Scorecard
from assay.report.conclusion import print_summary
from assay.report.summary import Summary
from assay.report.terminal import build_row, open_console, print_records
from assay.runner.combine import combine


def answer(identifier: str, outcome: Outcome | float, judge: str = "m", sample: int = 0) -> Scorecard:
    return replace(card("opinion-relevance", identifier, {"relevance": outcome}), judge=judge, sample=sample)


def sampled(identifier: str, *outcomes: Outcome | float) -> Scorecard:
    return combine([answer(identifier, each, sample=sample) for sample, each in enumerate(outcomes)])


def summarise(*cards: Scorecard) -> Summary:
    summary = Summary(cards[0].rubric)
    for each in cards:
        summary.add(each)
    return summary


def conclude(*cards: Scorecard) -> str:
    stream = io.StringIO()
    print_summary(open_console(stream, 200), summarise(*cards))
    return stream.getvalue()


MALFORMED = failure("malformed")


def test_answers_without_a_score_are_counted_though_every_record_has_one() -> None:
    cards = [sampled("a", 4, MALFORMED, 4, 5), sampled("b", 3, 3, 3, 3), sampled("c", MALFORMED, 2, 2, 2)]
    assert "3 of 3" in conclude(*cards)
    assert "Answers scored: Relevance 10 of 12 (2 malformed)\n" in conclude(*cards)


def test_each_judge_of_a_panel_has_its_own_count() -> None:
    declined = Abstention("abstained", "who knows")
    cards = [combine([answer(name, declined, "toy"), answer(name, 4, "embedded")]) for name in "abcde"]
    shown = conclude(*cards)
    assert "Answers scored, toy: Relevance 0 of 5 (5 abstained)\n" in shown
    assert "Answers scored, embedded: Relevance 5 of 5\n" in shown
    assert summarise(*cards).answers.add_up("relevance").said == "5 of 10 (5 abstained)"


def test_where_each_record_was_judged_once_its_outcomes_are_all_there_is_to_count() -> None:
    assert "Answers" not in conclude(answer("a", 4), answer("b", MALFORMED))


def test_the_brackets_behind_a_mean_are_said_to_be_averaged() -> None:
    def show(*cards: Scorecard) -> str:
        stream = io.StringIO()
        print_records(open_console(stream, 200), cards[0].rubric, [build_row(each) for each in cards])
        return stream.getvalue()

    sure = answer("a", 4).outcomes["relevance"]
    unsure = replace(sure, score=replace(sure.score, interval=(sure.score.value - 2, sure.score.value + 1)))
    shown = show(sampled("a", sure, unsure))
    assert "4 [3–4.5]" in shown
    assert "go either way, averaged over the answers." in shown
    assert "averaged" not in show(answer("a", unsure))
