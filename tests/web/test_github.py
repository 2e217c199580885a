"""Annotations of a workflow: what is below a threshold, and nothing that a record could turn into a command."""

from dataclasses import replace

from runs import example_cards, run_row

from assay.files.rubrics import open_rubric
from assay.report.gate import check_gates, parse_thresholds
from assay.report.github import format_github
from assay.report.run_report import build_run_report

NAME = "search-summary"
RUBRIC = open_rubric(NAME)


def annotate(written: list[str], cards=None, **fields: object) -> list[str]:
    cards = example_cards(NAME) if cards is None else cards
    least = parse_thresholds(written, RUBRIC)
    run = replace(run_row(NAME), **fields)
    gates = check_gates(least, build_run_report(run, RUBRIC, cards).summary)
    return list(format_github(run, cards, least, gates))


def test_a_failed_gate_is_an_error_and_each_record_below_it_a_warning():
    lines = annotate(["hallucination=0.9"])
    assert (
        lines[0] == "::error title=Assay gate::Hallucination: mean goodness 0.7778, below 0.9 (6 scored of 7 asked)\n"
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
