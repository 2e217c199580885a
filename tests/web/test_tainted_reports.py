"""A record whose texts may have spoken to its judge is told apart in every report, also where its score is good."""

from dataclasses import replace
from pathlib import Path

import pytest
import xmlschema
from runs import claim_card, run_row

from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.report.display import TAINTS, list_taints
from assay.report.junit import format_junit
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


def test_taints_are_told_from_other_flags_each_once():
    card = build_card("one", "wide_interval", "injection_suspect", "injection_suspect")
    assert list_taints(card) == ("injection_suspect",)


@pytest.mark.parametrize("taint", TAINTS)
def test_a_tainted_record_with_the_best_score_stands_in_the_comment(taint: str):
    said = comment(build_card("calm"), build_card("loud", taint))

    assert f"- `loud` **tainted** (`{taint}`) – Faithfulness 5" in said
    assert "calm" not in said
    assert comment(build_card("loud", taint, value=1)).count("`loud` **tainted**") == 2, "among the worst too"


def test_a_comment_lists_few_tainted_records_and_counts_the_others():
    said = comment(*(build_card(f"r{at}", "injection_suspect") for at in range(30)))

    assert said.count("**tainted**") == 5
    assert "- 25 more\n" in said


def test_a_comment_without_taints_does_not_speak_of_them():
    assert "ainted" not in comment(build_card("calm", "wide_interval"))


def test_a_tainted_record_with_the_best_score_is_shown_in_full_where_not_all_are():
    cards = [*(build_card(f"bad{at}", value=1) for at in range(30)), build_card("loud", "injection_suspect")]
    view = build_run_report(run_row(cards[0].rubric.id), cards[0].rubric, cards)

    assert 30 in view.ranking.choose(12)
    assert "the best of the tainted ones" in "".join(render_report(view, cards, most=12))


def test_a_tainted_test_case_says_so_and_keeps_to_the_schema():
    text = report(build_card("loud", "injection_suspect", "wide_interval"))

    assert "<system-out>tainted: injection_suspect</system-out>" in text
    xmlschema.XMLSchema(Path(__file__).parent / "junit.xsd").validate(text)
    assert "tainted" not in report(build_card("calm"))
