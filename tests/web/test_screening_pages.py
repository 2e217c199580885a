"""Live pages of the embedded judge's scores say that they are of screening grade."""

from collections.abc import Iterator

import pytest

from assay import __version__
from assay.api import run_async
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.report.screening import SCREENING
from assay.runner.opening import open_judge
from assay.runner.plan import Plan, carry_out, describe_run
from assay.runner.run import Progress
from assay.testing.page_server import Served, serve_pages
from assay.web.app import build_application
from assay.web.library import Library
from assay.web.reading import ViewPages

RECORD = {"id": "ore", "article": "Ore was found in May.", "summary": "Ore was found in May."}
SAID = SCREENING.replace("'", "&#39;")


@pytest.fixture
def embedded(own_store) -> str:
    rubric = open_rubric("article-audit")
    records = records_from([RECORD], rubric)
    plan = Plan(rubric, (open_judge("embedded"),), store=own_store)
    own_store.begin_run(describe_run(plan, "records.jsonl", 1, __version__, {"samples": 1}))
    run_async(lambda: carry_out(plan, records, lambda _card: None, Progress()))
    return plan.run


@pytest.fixture
def own_pages(own_store) -> Iterator[Served]:
    routes = ViewPages(Library(own_store)).routes()
    with serve_pages(lambda port, keys: build_application(routes, port, keys)) as served:
        yield served


def test_every_page_with_scores_of_the_embedded_judge_says_so(embedded, own_pages):
    two = f"first={embedded}&second={embedded}"
    for address in (
        f"/runs/{embedded}",
        f"/runs/{embedded}/summary",
        f"/runs/{embedded}/records/1",
        f"/compare?{two}",
        f"/compare/records?{two}&one=1&two=1",
    ):
        assert own_pages.get(address).text.count(SAID) == 1, address


def test_pages_of_other_judges_do_not(pages: Served, examples):
    two = f"first={examples.first}&second={examples.second}"
    for address in (f"/runs/{examples.first}", f"/runs/{examples.first}/records/1", f"/compare?{two}"):
        assert SAID not in pages.get(address).text
