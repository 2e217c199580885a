"""Annotations of a workflow: what is below a threshold, and nothing that a record could turn into a command."""

from dataclasses import replace

from runs import example_cards, run_row

from assay.files.rubrics import open_rubric
from assay.report.ci import format_github
from assay.report.gate import check_findings, check_gates, parse_thresholds
from assay.report.run_report import build_run_report

NAME = "search-summary"
RUBRIC = open_rubric(NAME)


def annotate(written: list[str], cards=None, min_scored: float = 0.8, **fields: object) -> list[str]:
    cards = example_cards(NAME) if cards is None else cards
    least = parse_thresholds(written, RUBRIC)
    run = replace(run_row(NAME), **fields)
    gates = check_gates(least, build_run_report(run, RUBRIC, cards).summary, min_scored)
    return list(format_github(run, cards, least, gates))


def test_a_failed_gate_is_an_error_and_each_record_below_it_a_warning():
    lines = annotate(["hallucination=0.9"])
    assert (
        lines[0]
        == "::error title=Assay gate::Hallucination: mean normalized score 0.7778, below 0.9 (6 scored of 7 asked)\n"
    )
    below = [line for line in lines[1:] if "below 0.9" in line]
    assert below
    assert all(line.startswith("::warning file=records.jsonl,title=") for line in lines[1:])
    assert any("50 mg" in line for line in below), "with the claim at fault"


def test_a_record_without_a_threshold_is_annotated_only_where_its_judge_failed():
    assert all("the judge failed" in line for line in annotate([]))


def test_a_record_can_not_write_a_command_of_its_own():
    hostile = "a,file=x::b\n::error title=forged::yes\r100 %"
    cards = [replace(card, record=replace(card.record, id=hostile)) for card in example_cards(NAME)]
    lines = annotate(["hallucination=1"], cards, records_source=hostile)
    assert len(lines) > 1
    for line in lines[1:]:
        assert line.count("\n") == 1
        properties = line.removeprefix("::warning ").partition("::")[0]
        assert properties.startswith("file=a%2Cfile=x%3A%3Ab%0A%3A%3Aerror title=forged%3A%3Ayes␍100 %25,title=a%2C")


def test_at_most_ten_records_are_annotated():
    cards = [card for card in example_cards(NAME) for _ in range(9)]
    assert len(annotate(["hallucination=1"], cards)) == 11


def test_where_too_few_have_a_score_each_one_without_is_a_warning():
    lines = annotate(["hallucination=0"], min_scored=0.9)
    assert lines[0].startswith(
        "::error title=Assay gate::Hallucination: only 6 of 7 records scored, wanted at least 90 %25"
    )
    assert (
        "::warning file=records.jsonl,title=blank-summary%3A Hallucination::not scored: empty input: summary is blank\n"
        in lines
    )


def test_where_claims_at_fault_fail_the_gate_each_record_with_one_is_a_warning():
    cards = example_cards(NAME)
    report = build_run_report(run_row(NAME), RUBRIC, cards)
    lines = list(format_github(run_row(NAME), cards, {}, [check_findings(0, report.summary.claims)]))
    assert lines[0].startswith("::error title=Assay gate::Findings: ")
    warned = [line for line in lines[1:] if "at fault" in line]
    assert len(warned) == report.summary.claims.faulty_records > 0
    assert any("50 mg" in line for line in warned)
