"""A record explained: every score with its rule, every unit with its label, quote and reason, at any width."""

import io
from dataclasses import replace
from fractions import Fraction

import pytest
from cards import judged

from assay.domain.findings import Findings, Grade, Label, Pick, Remark
from assay.domain.outcome import Trail, Verdict
from assay.domain.scorecard import Scorecard, Voice
from assay.domain.units import Unit
from assay.report.explanation import print_explanation
from assay.report.findings import list_findings
from assay.report.terminal import open_console
from equipment.example_runs import SCRIPTED


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def explain(card: Scorecard, width: int | None = None, stream: io.StringIO | None = None) -> str:
    stream = stream or io.StringIO()
    print_explanation(open_console(stream, width), card)
    return stream.getvalue()


def with_trail(card: Scorecard, trail: Trail) -> Scorecard:
    outcome = card.outcomes["hallucination"]
    assert isinstance(outcome, Verdict)
    return replace(card, outcomes={**card.outcomes, "hallucination": replace(outcome, trail=trail)})


def relabel(card: Scorecard, unit: Unit, label: Label) -> Scorecard:
    return with_trail(card, Trail((unit,), Findings((label,))))


def test_a_claim_stands_with_its_label_its_quote_the_quotes_sentence_and_the_reason():
    said = explain(judged("search-summary")["wrong-dose"])
    flat = " ".join(said.split())
    assert said.startswith("wrong-dose (b)\n")
    assert "  score 3\n  scale 0–3, best 0; rule: severity bands\n" in said
    assert "c1 contradicted “The starting dose of soralimide is 50 mg once daily" in flat
    assert "S1.2: “The starting dose was 5 mg once daily at bedtime” why: " in flat
    assert "Rule-based checks unsourced_quantity: “50 mg” is in none of the sources" in flat


def test_a_probability_is_that_of_the_best_label():
    card = judged("search-summary")["all-good"]
    unit = Unit("c1", "claim", "Five milligrams.")
    label = Label("claim", "c1", "absent", probability=0.125, note="no sentence says so")
    said = explain(relabel(card, unit, label))
    assert "  c1  not in source\n      “Five milligrams.”\n" in said
    assert "      why: no sentence says so\n" in said


def test_a_grade_a_pick_and_a_remark_stand_in_the_judges_own_words():
    card = judged("search-summary")["all-good"]
    findings = Findings(
        grades=(Grade("grade", Fraction(7, 2), "mostly kept"),),
        picks=(Pick("relevant_sources", ("s1", "s2")), Pick("tone", ())),
        remarks=(Remark("gaps", {"missing_point": "the dose", "why": ""}),),
    )
    said = explain(with_trail(card, Trail(findings=findings)))
    assert "\n  grade: 3.5 – mostly kept\n" in said
    assert "\n  relevant sources: s1, s2\n\n  tone: none\n" in said
    assert "\n  gaps: missing point: the dose\n" in said


@pytest.mark.parametrize(
    ("rubric", "record", "words"),
    [
        ("trial-eligibility", "judge-refuses", "Groundedness: refused\n  "),
        ("article-audit", "cut-off-reply", "Alignment: truncated\n  "),
        (
            "search-summary",
            "blank-summary",
            "Hallucination, Summary quality, Answer relevancy not scored: empty input:",
        ),
        ("article-audit", "contradicted-number", "  score 4 (6)\n"),
        ("article-audit", "contradicted-number", "flags: capped_extraneous"),
        ("comparison-faithfulness", "swapped-price", "contradicted, by code\n"),
    ],
)
def test_what_has_no_score_says_why_and_what_was_capped_or_overridden_says_so(rubric, record, words):
    assert words in explain(judged(rubric)[record])


@pytest.mark.parametrize("rubric", SCRIPTED)
@pytest.mark.parametrize("width", [80, 200, None])
def test_no_line_is_longer_than_eighty_columns_and_a_pipe_sees_no_colour(rubric, width):
    for card in judged(rubric).values():
        said = explain(card, width)
        assert max(len(line) for line in said.splitlines()) <= 80
        assert "\x1b" not in said


@pytest.mark.parametrize("rubric", SCRIPTED)
def test_every_label_and_every_quote_of_every_example_is_told(rubric):
    for card in judged(rubric).values():
        said = " ".join(explain(card).split())
        for metric in card.rubric.metrics:
            for each in list_findings(card, metric):
                assert f"{each.unit.id} {each.said}" in said
                assert all(f"“{' '.join(quote.quote.split())}”" in said for quote in each.label.evidence)


def test_labels_on_a_terminal_have_the_colours_of_scores(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    said = explain(judged("search-summary")["wrong-dose"], 80, Terminal())
    assert "\x1b[31mcontradicted" in said
    assert "\x1b[32msupported" in said


def test_a_text_can_neither_move_the_cursor_nor_pass_for_markup():
    card = judged("search-summary")["all-good"]
    unit = Unit("c1", "claim", "up\x1b[2Jnext\n\n[bold]line[/bold] \u202egnp")
    said = explain(relabel(card, unit, Label("claim", "c1", "partial", note="\x1b[31mred")))
    assert "“up�[2Jnext [bold]line[/bold] �gnp”" in said
    assert "why: �[31mred" in said


def test_several_judges_are_explained_one_by_one():
    card = judged("search-summary")["wrong-dose"]
    outcome = card.outcomes["hallucination"]
    other = judged("search-summary")["all-good"].outcomes["hallucination"]
    voices = {"hallucination": (Voice("one", 0, outcome), Voice("two", 0, other))}
    said = explain(replace(card, voices=voices))
    first, second = said.index("\n  one: 3\n"), said.index("\n  two: 0\n")
    assert "contradicted" in said[first:second]
    assert "contradicted" not in said[second : said.index("Summary quality")]
