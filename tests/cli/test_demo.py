"""`assay demo`: every shipped example, judged with no key and no network."""

from pathlib import Path

import pytest
from shell import run

from assay.files.rubrics import shipped_rubrics
from assay.report.screening import SCREENING


@pytest.mark.parametrize("flags", [(), ("--scripted",)], ids=["embedded", "scripted"])
def test_the_demo_judges_every_example_and_says_where_the_page_is(flags):
    ended = run("demo", *flags)
    said = " ".join(ended.out.split())
    assert (ended.code, ended.err) == (0, "")
    for name in shipped_rubrics():
        assert f"({name})" in ended.out
    assert said.count(SCREENING) == (0 if flags else len(shipped_rubrics()))
    assert ("The replies are scripted" in said) == bool(flags)
    assert f"The page of the search summaries: {Path('.assay/demo.html')}" in said
    page = Path(".assay/demo.html").read_text(encoding="utf-8")
    assert "wrong-dose" in page
    explained = said.partition("One record, explained: assay ")[2].partition(" Judge your own")[0]
    assert "“The starting dose of soralimide is 50 mg" in run(*explained.split()).out
    assert not Path(".assay/assay.db").exists()


def test_the_page_and_the_runs_go_where_they_are_told():
    ended = run("demo", "--scripted", "--html", "page.html", "--store", "runs.db")
    assert ended.code == 0
    assert Path("page.html").stat().st_size > 10_000
    assert Path("runs.db").is_file()
    assert not Path(".assay").exists()
