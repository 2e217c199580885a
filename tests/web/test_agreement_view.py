"""Agreement with people in reports: shown where labels are, and only there."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from markup import Page
from runs import claim_card, run_row

from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.report.agreement_view import AgreementView, build_agreement_view
from assay.report.markdown import format_markdown
from assay.report.run_report import build_run_report
from assay.store.labels import PersonLabel
from assay.web.rendering import render_report

CARDS = [
    claim_card("It is.", [], [(Span(0, 6), "supported", ())], identifier=f"n{at}", value=1 + at % 5) for at in range(60)
]
RUBRIC = CARDS[0].rubric
EVIL = "<img src=x onerror=alert(1)> | @everyone [x](https://evil.example) `"


def label(at: int, said: str, person: str = "Ada", drawn_by: str | None = "random") -> PersonLabel:
    return PersonLabel(f"n{at}", None, "faithfulness", "", None, person, said, drawn_by=drawn_by)


def graded(people: Sequence[str] = ("Ada", "Bo"), records: int = 30) -> list[PersonLabel]:
    """People give one less than the judge, and differ from each other now and then."""
    return [
        label(at, str(max(1, at % 5 - (at % 7 == number))), person)
        for at in range(records)
        for number, person in enumerate(people)
    ]


def measure(labels: Sequence[PersonLabel], cards: Sequence[Scorecard] = CARDS) -> AgreementView | None:
    return build_agreement_view("run", RUBRIC, labels, lambda: cards)


def html_of(agreement: AgreementView | None) -> str:
    view = build_run_report(run_row(RUBRIC.id), RUBRIC, CARDS)
    return "".join(render_report(view, CARDS, agreement=agreement))


def markdown_of(agreement: AgreementView | None) -> str:
    return format_markdown(build_run_report(run_row(RUBRIC.id), RUBRIC, CARDS), agreement=agreement)


def test_the_page_shows_the_judge_the_ceiling_and_the_corrected_mean() -> None:
    found = measure(graded())
    (row,) = found.rows
    page = Page(html_of(found))
    assert (page.open, page.misnested) == ([], [])
    assert max(page.ids.values()) == 1
    assert page.of("h2", id="agreement")
    assert page.of("a", href="#agreement")
    assert re.fullmatch(r"Spearman 0\.\d\d \[0\.\d\d, \S+\]", row.judge)
    assert re.match(r"Spearman 0\.\d\d \[.*\], judge in their place 0\.\d\d", row.ceiling)
    assert (row.records, row.people, row.mean) == (30, ("Ada", "Bo"), "mean goodness")
    for words in ("Agreement with people", row.judge, row.ceiling, row.raw, row.corrected, *found.warnings):
        assert words in page.text


def test_the_comment_shows_the_same_row() -> None:
    found = measure(graded())
    (row,) = found.rows
    (line,) = [each for each in markdown_of(found).splitlines() if "Spearman" in each]
    assert "| 30 | `Ada`, `Bo` | Spearman 0." in line
    assert line.endswith(f"| {row.corrected.replace('[', '(').replace(']', ')')} |")
    assert "drawn at random" in markdown_of(found)


def test_people_who_are_stricter_move_the_corrected_mean_below_the_raw_one() -> None:
    (row,) = measure(graded()).rows
    assert row.raw.startswith("0.50 [")
    assert float(row.corrected.split()[0]) < 0.4


def test_each_mean_of_the_judge_says_how_many_records_it_is_of() -> None:
    sought = [label(at, "1", drawn_by="uncertainty") for at in range(30, 60) if at % 5 == 0]
    found = measure([*graded(), *sought])
    assert found.rows[0].raw.endswith("], n 54")
    flat = " ".join(Page(html_of(found)).text.split())
    assert re.search(r"Goodness 0\.50 \[0\.\d\d, 0\.\d\d\], n 60", flat)
    assert f"mean goodness {found.rows[0].raw}" in flat
    assert "), n 54 |" in markdown_of(found)


def test_good_and_bad_are_held_to_balanced_accuracy_and_a_share() -> None:
    (row,) = measure([label(at, "good" if at % 5 > 2 else "bad") for at in range(30)]).rows
    assert row.judge.startswith("balanced accuracy 0.83 [")
    assert (row.ceiling, row.mean) == ("–", "share of good records")
    assert row.raw.startswith("0.60 [")
    assert row.corrected.startswith("0.40 [")


def test_records_that_were_sought_out_are_in_neither_mean() -> None:
    sought = [label(at, "1", drawn_by="uncertainty") for at in range(30, 60) if at % 5 == 0]
    found = measure([*graded(), *sought])
    assert found.rows[0].raw.startswith("0.56 [")
    assert any("6 records are left out" in sentence for sentence in found.warnings)


def test_without_labels_nothing_is_shown_and_no_card_is_opened() -> None:
    def refuse() -> list[Scorecard]:
        raise AssertionError("a card was opened")

    assert build_agreement_view("run", RUBRIC, (), refuse) is None
    assert "greement" not in Page(html_of(None)).text
    assert "greement" not in markdown_of(None)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([label(1, "2"), label(2, "good")], "has numbers and good or bad"),
        ([label(99, "2")], "no label belongs to a record"),
        ([label(1, EVIL)], "does not fit the scale"),
    ],
)
def test_labels_that_can_not_be_used_are_told_and_stop_no_report(labels: list[PersonLabel], said: str) -> None:
    found = measure(labels)
    assert found.rows == ()
    assert said in Page(html_of(found)).text
    assert said in markdown_of(found)


def test_too_few_labels_say_why_there_is_no_corrected_mean() -> None:
    found = measure(graded(records=5))
    assert found.rows[0].corrected == "–"
    assert any("no corrected mean goodness" in sentence for sentence in found.warnings)


def test_labels_of_some_units_are_told_where_no_record_is_scored_by_them() -> None:
    output = "It is. It was."
    claims = [(Span(0, 6), "supported", ()), (Span(7, 14), "absent", ())]
    cards = [claim_card(output, [], claims, identifier=f"n{at}") for at in range(3)]
    labels = [PersonLabel("n0", None, "faithfulness", "claim", "c1", "Ada", "supported")]
    found = measure(labels, cards)
    assert found.rows == ()
    assert any("labels of units (claim): 1, and of no record in full" in sentence for sentence in found.warnings)


def test_no_figure_is_pooled_over_domains_without_each_of_them() -> None:
    cards = [
        replace(card, record=replace(card.record, facets={"domain": f"{EVIL} {at % 2}"}))
        for at, card in enumerate(CARDS)
    ]
    found = measure(graded(), cards)
    said = [re.search(r"15 records, Spearman 0\.\d\d", sentence) for sentence in found.account]
    assert len(said) == 2
    assert all(said)
    outside = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", markdown_of(found))
    assert not re.search(r"@|evil|<img", outside)


def test_a_hostile_name_is_text_on_the_page_and_code_in_the_comment() -> None:
    found = measure([*graded((EVIL, *"abcdef")), label(99, "1", EVIL)])
    page = Page(html_of(found))
    assert (page.open, page.misnested) == ([], [])
    assert not page.of("img")
    assert "<img src=x onerror=alert(1)>" in page.text
    assert "and 2 more" in page.text
    outside = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", markdown_of(found))
    assert not re.search(r"@|evil|<img", outside)
