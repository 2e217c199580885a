"""A finding reads the same in every report: its label in plain words, what is at fault, and the closest sentence."""

from dataclasses import replace

import pytest
from cards import judged

from assay.domain.scorecard import Scorecard
from assay.domain.terms import name_label
from assay.report.display import format_flag
from assay.report.findings import (
    Nearest,
    add_closest,
    explain_doubts,
    format_doubts,
    list_doubts,
    list_findings,
)
from equipment.example_runs import SCRIPTED


def relabel(card: Scorecard, metric: str, old: str, new: str) -> Scorecard:
    outcome = card.outcomes[metric]
    labels = tuple(replace(each, label=new) if each.label == old else each for each in outcome.trail.findings.labels)
    findings = replace(outcome.trail.findings, labels=labels)
    return replace(card, outcomes={metric: replace(outcome, trail=replace(outcome.trail, findings=findings))})


def test_a_key_point_that_is_not_covered_is_missing() -> None:
    card = judged("article-audit")["contradicted-number"]
    coverage = card.rubric.metric("coverage")
    names = {each.label.label: each.title for each in list_findings(card, coverage)}
    assert names == {"Fully": "covered key point", "Partial": "partly covered key point", "Not": "missing key point"}
    assert [line for line in format_doubts(card, most=20) if line.startswith("missing key point: “")]


def test_labels_of_one_value_keep_their_names() -> None:
    metric = next(each for each in judged("opinion-relevance").values()).rubric.metric("relevance")
    (part,) = metric.label_parts
    named = {option.name: name_label(option.name, part.unit, part) for option in part.options}
    assert named == {"stated": "covered", "general": "partly covered", "reversed": "reversed", "missed": "missed"}


def test_a_cap_says_what_it_did_and_other_flags_are_words() -> None:
    metric = judged("article-audit")["contradicted-number"].rubric.metric("coverage")
    assert format_flag("capped_extraneous", metric) == "Score capped at 4: unsupported claim"
    assert format_flag("injection_suspect", metric) == "suspected prompt injection"


def test_a_cell_that_is_at_fault_as_a_whole_is_named_once() -> None:
    card = judged("comparison-faithfulness")["swapped-price"]
    assert format_doubts(card)[0].count("Rs. 2,400") == 1


def test_a_claim_in_no_source_stands_beside_the_closest_sentence_in_every_text() -> None:
    card = judged("search-summary")["two-minor-doubts"]
    quote = "“The rinse did not reduce the number of infections.”"
    assert f"closest source sentence (s1): {quote}" in format_doubts(card)[0]
    assert f"  Closest source sentence ([1] Mirrofen mouth rinse: a review): {quote}" in list(explain_doubts(card))


def test_a_quote_of_the_output_is_no_sentence_of_a_source() -> None:
    card = relabel(judged("article-audit")["contradicted-number"], "coverage", "Fully", "undecided")
    lines = [
        line for line in format_doubts(replace(card, rubric=only(card, "coverage")), most=20) if "uncertain" in line
    ]
    assert lines
    assert all("— closest sentence (output): “" in line for line in lines if "closest" in line)
    assert not any("closest source sentence" in line for line in lines)


def only(card: Scorecard, metric: str):
    return replace(card.rubric, metrics=(card.rubric.metric(metric),))


@pytest.mark.parametrize("rubric", SCRIPTED)
def test_only_claims_that_are_undecided_or_in_no_source_are_given_a_sentence(rubric: str) -> None:
    for card in judged(rubric).values():
        for plain, cited in zip(found := list_doubts(card), add_closest(Nearest(card), found), strict=True):
            is_open = plain.unit.kind == "claim" and plain.label.label in {"undecided", "absent"}
            assert cited.quotes == plain.quotes or (is_open and not plain.quotes)
