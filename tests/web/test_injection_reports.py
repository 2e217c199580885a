"""A record whose texts may have spoken to its judge is told apart in every report, also where its score is good."""

from dataclasses import replace
from pathlib import Path

import xmlschema
from runs import claim_card, run_row

from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.report.ci import format_junit
from assay.report.display import is_injection_suspect
from assay.report.markdown import format_markdown
from assay.report.run_report import build_run_report
from assay.web.rendering import render_report

OUTPUT = "It rains in Lindholm."


def build_card(name: str = "one", *flags: str, value: int = 5) -> Scorecard:
    card = claim_card(OUTPUT, (), [(Span(0, len(OUTPUT)), "supported", ())], identifier=name, value=value)
    verdict = card.outcomes["faithfulness"]
    return replace(card, outcomes={"faithfulness": replace(verdict, trail=replace(verdict.trail, flags=flags))})


def comment(*cards: Scorecard) -> str:
    rubric = cards[0].rubric
    return format_markdown(build_run_report(run_row(rubric.id), rubric, cards))


def report(*cards: Scorecard) -> str:
    return format_junit(run_row(cards[0].rubric.id), cards[0].rubric, cards)


def test_suspected_injection_is_told_from_other_flags():
    assert is_injection_suspect(build_card("one", "wide_interval", "injection_suspect"))
    assert not is_injection_suspect(build_card("one", "wide_interval"))


def test_a_record_with_suspected_injection_with_the_best_score_stands_in_the_comment():
    said = comment(build_card("calm"), build_card("loud", "injection_suspect"))

    assert "- `loud` **suspected prompt injection** – Faithfulness 5" in said
    assert "calm" not in said
    assert (
        comment(build_card("loud", "injection_suspect", value=1)).count("`loud` **suspected prompt injection**") == 2
    ), "among the worst too"


def test_a_comment_lists_few_suspects_and_counts_the_others():
    said = comment(*(build_card(f"r{at}", "injection_suspect") for at in range(30)))

    assert said.count("**suspected prompt injection**") == 5
    assert "- 25 more\n" in said


def test_a_comment_without_suspects_does_not_speak_of_them():
    assert "injection" not in comment(build_card("calm", "wide_interval"))


def test_a_record_with_suspected_injection_with_the_best_score_is_shown_in_full_where_not_all_are():
    cards = [*(build_card(f"bad{at}", value=1) for at in range(30)), build_card("loud", "injection_suspect")]
    view = build_run_report(run_row(cards[0].rubric.id), cards[0].rubric, cards)

    assert 30 in view.ranking.choose(12)
    assert "the best of those with suspected prompt injection" in "".join(render_report(view, cards, most=12))


def test_a_suspect_test_case_says_so_and_keeps_to_the_schema():
    text = report(build_card("loud", "injection_suspect", "wide_interval"))

    assert "<system-out>suspected prompt injection</system-out>" in text
    xmlschema.XMLSchema(Path(__file__).parent / "junit.xsd").validate(text)
    assert "injection" not in report(build_card("calm"))
