"""Every page and report of the embedded judge's scores says that they are of screening grade."""

from dataclasses import replace
from pathlib import Path

import pytest
from markup import Page
from runs import example_cards, run_row

from assay.api.opening import Work, open_run
from assay.api.request import RunRequest
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.report.display import SCREENING, format_screening_notice
from assay.report.junit import format_junit
from assay.report.markdown import format_markdown
from assay.report.run_report import build_run_report
from assay.runner.run import Progress
from assay.store.runs import RunRow
from assay.web.rendering import render_report
from equipment.page_server import Served, serve_view

EMBEDDED = "embedded:0123abcd"
JUDGES = [((EMBEDDED,), True), (("openai:m", EMBEDDED), True), (("openai:m",), False), (("openai:embedded:m",), False)]


def html(run: RunRow) -> str:
    cards = example_cards("article-audit")
    return Page("".join(render_report(build_run_report(run, open_rubric("article-audit"), cards), cards))).text


def markdown(run: RunRow) -> str:
    return format_markdown(build_run_report(run, open_rubric("article-audit"), example_cards("article-audit")))


def junit(run: RunRow) -> str:
    return format_junit(run, open_rubric("article-audit"), example_cards("article-audit"))


@pytest.mark.parametrize("report", [html, markdown, junit])
@pytest.mark.parametrize(("judges", "said"), JUDGES)
def test_a_report_says_so_where_an_embedded_judge_is_among_its_judges(report, judges, said):
    text = report(run_row("article-audit", judges))
    assert (SCREENING in text) == said


def test_the_rubrics_own_notice_stands_beside_it():
    run, rubric = run_row("search-summary", (EMBEDDED,)), open_rubric("search-summary")
    text = format_markdown(build_run_report(run, rubric, example_cards("search-summary")))
    assert f"> {rubric.notice}\n\n> {SCREENING}\n" in text


def test_the_words_point_to_figures_that_are_there():
    figures = Path(__file__).parents[2] / "docs" / "embedded.md"
    assert "docs/embedded.md" in SCREENING
    assert "screening grade" in figures.read_text(encoding="utf-8")


def test_a_card_of_a_panel_names_its_judges_at_once():
    card = replace(example_cards("article-audit")[0], judge=f"openai:m + {EMBEDDED}")
    assert format_screening_notice([card.judge]) == SCREENING
    assert format_screening_notice(["openai:m + recorded:embedded.jsonl"]) == ""
    assert format_screening_notice([]) == ""


RECORD = {"id": "ore", "article": "Ore was found in May.", "summary": "Ore was found in May."}
SAID = SCREENING.replace("'", "&#39;")


@pytest.fixture
def embedded(own_store) -> str:
    rubric = open_rubric("article-audit")
    records = records_from([RECORD], rubric)
    run = open_run(RunRequest(), Work(rubric, records, "records.jsonl"), own_store)
    run.begin()
    run.carry_out(lambda _card: None, Progress())
    return run.plan.run


def test_every_page_with_scores_of_the_embedded_judge_says_so(embedded, own_store):
    two = f"first={embedded}&second={embedded}"
    run = [f"/runs/{embedded}{page}" for page in ("", "/summary", "/records/1")]
    with serve_view(own_store) as served:
        for address in (*run, f"/compare?{two}", f"/compare/records?{two}&one=1&two=1"):
            assert served.get(address).text.count(SAID) == 1, address


def test_pages_of_other_judges_do_not(pages: Served, examples):
    two = f"first={examples.first}&second={examples.second}"
    for address in (f"/runs/{examples.first}", f"/runs/{examples.first}/records/1", f"/compare?{two}"):
        assert SAID not in pages.get(address).text
