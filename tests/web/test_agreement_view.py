"""Agreement with people in reports: shown where labels are, and only there."""

import re
from collections.abc import Sequence

import pytest
from markup import Page
from runs import claim_card, run_row

from assay.agreement.labels import LabelRow, LabelRows
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.report.agreement import AgreementView, build_agreement_view
from assay.report.markdown import format_markdown
from assay.report.run_report import build_run_report
from assay.store.agreements import AgreementVerdict, KeptAgreement, KeptFigure
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


def measure(
    labels: Sequence[PersonLabel], cards: Sequence[Scorecard] = CARDS, kept: Sequence[KeptAgreement] = ()
) -> AgreementView | None:
    said = LabelRows(tuple(map(LabelRow, labels)))
    return build_agreement_view(run_row(RUBRIC.id), RUBRIC, said, kept, lambda: cards)


def read_row(found: AgreementView | None) -> tuple[str, str]:
    """The verdict and the corrected mean of the only metric."""
    (row,) = found.rows
    return row.verdict, row.mean


def html_of(agreement: AgreementView | None) -> str:
    view = build_run_report(run_row(RUBRIC.id), RUBRIC, CARDS)
    return "".join(render_report(view, CARDS, agreement=agreement))


def markdown_of(agreement: AgreementView | None) -> str:
    return format_markdown(build_run_report(run_row(RUBRIC.id), RUBRIC, CARDS), agreement=agreement)


def test_page_and_comment_show_the_verdict_the_ceiling_and_the_corrected_mean() -> None:
    found = measure(graded())
    (row,) = found.rows
    name, verdict, mean = row.name, row.verdict, row.mean
    page = Page(html_of(found))
    assert (page.open, page.misnested) == ([], [])
    assert max(page.ids.values()) == 1
    assert page.of("h2", id="agreement")
    assert page.of("a", href="#agreement")
    assert "(30 records from 30 source groups). " in verdict
    assert re.search(r"Spearman, all records 0\.\d\d \[0\.\d\d, \S+\]; .* 0\.\d\d .*, people 0\.\d\d", verdict)
    assert "valid only if the labelled records were drawn at random" in mean
    for words in ("Agreement with people", name, verdict, mean, "Labels by Ada (30 records), Bo (30 records)"):
        assert words in page.text
    (line,) = [each for each in markdown_of(found).splitlines() if "Spearman" in each]
    assert line.startswith(f"- **{name}**: {verdict.partition('(')[0]}")


def test_people_who_are_stricter_move_the_corrected_mean_below_the_raw_one() -> None:
    _, mean = read_row(measure(graded()))
    raw, corrected = re.search(
        r"mean normalized score is (0\.\d+) .* corrected with \d+ labels it is (0\.\d+)", mean
    ).groups()
    assert float(raw) == 0.5
    assert float(corrected) < 0.4


def test_good_and_bad_are_held_to_balanced_accuracy_and_a_share() -> None:
    verdict, mean = read_row(measure([label(at, "good" if at % 5 > 2 else "bad") for at in range(30)]))
    assert "balanced accuracy 0.83 [" in verdict
    assert "share of good records is 0.60 [" in mean
    assert "corrected with 30 labels it is 0.40 [" in mean


def test_records_that_were_sought_out_are_in_neither_mean() -> None:
    sought = [label(at, "1", drawn_by="uncertainty") for at in range(30, 60) if at % 5 == 0]
    _, mean = read_row(measure([*graded(), *sought]))
    assert "mean normalized score is 0.56 [" in mean
    assert "(54 records scored)" in mean
    assert "6 records are left out" in mean


def test_without_labels_nothing_is_shown_and_no_card_is_opened() -> None:
    def refuse() -> list[Scorecard]:
        raise AssertionError("a card was opened")

    assert build_agreement_view(run_row(RUBRIC.id), RUBRIC, LabelRows(()), (), refuse) is None
    assert "greement" not in Page(html_of(None)).text
    assert "greement" not in markdown_of(None)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([label(1, "2"), label(2, "good")], "has both numbers and good/bad labels"),
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
    _, mean = read_row(measure(graded(records=5)))
    assert mean.startswith("Corrected mean normalized score: none. 5 labelled records are too few")


def test_labels_of_some_units_are_shown_where_no_record_is_scored_by_them() -> None:
    output = "It is. It was."
    claims = [(Span(0, 6), "supported", ()), (Span(7, 14), "absent", ())]
    cards = [claim_card(output, [], claims, identifier=f"n{at}") for at in range(3)]
    labels = [PersonLabel("n0", None, "faithfulness", "claim", "c1", "Ada", "supported")]
    verdict, mean = read_row(measure(labels, cards))
    assert verdict.startswith("Too few labels for a verdict (1 claim from 1 source group). Label more.")
    assert mean == ""


def test_a_hostile_name_is_text_on_the_page_and_code_in_the_comment() -> None:
    found = measure([*graded((EVIL, *"abcdef")), label(99, "1", EVIL)])
    page = Page(html_of(found))
    assert (page.open, page.misnested) == ([], [])
    assert not page.of("img")
    assert "<img src=x onerror=alert(1)>" in page.text
    outside = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", markdown_of(found))
    assert not re.search(r"@|evil|<img", outside)


def draw(page: Page) -> list[str]:
    return [
        each.attributes["aria-label"]
        for each in page.of("svg")
        if "records by score" not in each.attributes["aria-label"]
    ]


def test_the_judge_is_drawn_beside_people() -> None:
    said = draw(Page(html_of(measure(graded()))))
    assert any(each.startswith("this judge: Spearman, judge vs each annotator: 0.") for each in said)
    assert any(each.startswith("people with each other: 0.") for each in said)


def test_what_was_kept_is_shown_where_the_run_has_no_labels() -> None:
    kept = KeptAgreement(
        *("made", RUBRIC.digest, "faithfulness", "earlier", 71, "Spearman, all records", 0.6, 0.5, 0.7, 0.0),
        name="Faithfulness",
        ceiling="Spearman, judge vs each annotator",
        in_place=KeptFigure(0.58, 0.4, 0.7),
        people=KeptFigure(0.7),
        verdict=AgreementVerdict("unclear", "Needs more labels (71 records from 9 source groups).", 71, 9, 2),
    )
    found = measure((), kept=[kept])
    page = Page(html_of(found))
    assert (page.open, page.misnested) == ([], [])
    saved = "Saved result, 71 records: Spearman, all records 0.60 [0.50, 0.70] (baseline 0.00)."
    assert f"Needs more labels (71 records from 9 source groups). {saved}" in page.text
    assert "Needs more labels (71 records from 9 source groups). Saved result, 71 records" in markdown_of(found)
    assert "people with each other: 0.70" in draw(page)


def test_without_a_second_person_the_judge_stands_beside_a_constant_answer() -> None:
    said = draw(Page(html_of(measure(graded(("Ada",))))))
    assert "a constant answer: 0.00" in said
    assert not any("people with each other" in each for each in said)
