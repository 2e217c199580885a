"""What a notebook shows of a run, a result and a comparison: parsed as HTML, and executed where Jupyter is installed."""

import re
from html.parser import HTMLParser

import pytest

import assay

SOURCES = ["A locker costs 22 kroner a day. Lockers close at nine in the evening."]
HOSTILE = '<script>alert(1)</script> <img src=x onerror="alert(2)"> \u202e costs 32 kroner.'
STYLE = re.compile(
    r"(?:(?:color|text-decoration-color|font-weight|white-space|line-height|overflow-x): ?[#\w.-]+;? ?)+"
)


class Page(HTMLParser):
    """The tags with their attributes, and the text. Tags must close in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def show(shown: object) -> str:
    return Page(shown._repr_html_()).text


def record(name: str, answer: str, **fields: object) -> dict[str, object]:
    return {"id": name, "question": "What does a locker cost?", "sources": SOURCES, "answer": answer, **fields}


@pytest.fixture(scope="module")
def run() -> assay.Run:
    right, wrong = "A locker costs 22 kroner a day.", "Lockers close at nine in the evening. A locker costs 32 kroner."
    records = [record("a", right), record("b", wrong, system="two"), record("<i>c</i>", HOSTILE)]
    return assay.judge(records, "grounded-answer")


def test_a_run_shows_its_records_with_scores_and_how_many_were_scored(run: assay.Run) -> None:
    said = show(run)
    assert run.id in said
    assert "0–100, best 100" in said
    assert re.search(rf"^a +{run['a'].metrics['faithfulness'].score} ", said, re.MULTILINE)
    assert re.search(r"^Faithfulness .* of 3 ", said, re.MULTILINE)
    assert "not in source: “A locker costs 32 kroner.” — words at fault: “32” (serious)" in said
    assert "for a first pass" in said


def test_of_many_records_the_first_are_shown_and_the_others_counted() -> None:
    many = [record(f"r{number}", "A locker costs 22 kroner a day.") for number in range(53)]
    said = show(assay.judge(many, "grounded-answer"))
    assert re.search(r"^r49 ", said, re.MULTILINE)
    assert not re.search(r"^r50 ", said, re.MULTILINE)
    assert "3 more records" in said


def test_a_result_shows_its_findings_and_the_most_serious_at_the_top(run: assay.Run) -> None:
    said = show(run["b"])
    assert said.index("“A locker costs 32 kroner.”") < said.index("“Lockers close at nine in the evening.”")
    assert "S1.2: “Lockers close at nine in the evening”" in said
    assert "words at fault: “32” (serious)" in said


def test_no_text_of_a_record_becomes_markup(run: assay.Run) -> None:
    for shown in (run, run["<i>c</i>"], assay.compare(run, run)):
        html = shown._repr_html_()
        page = Page(html)
        assert page.tags <= {"pre", "span"}
        assert page.attributes <= {"style"}
        assert all(STYLE.fullmatch(style) for style in re.findall('style="([^"]*)"', html))
        assert "\u202e" not in html
    assert "alert(1)" in run["<i>c</i>"]._repr_html_()


def test_a_comparison_is_still_a_list_and_shows_a_row_for_each_metric(run: assay.Run) -> None:
    compared = assay.compare(run, run)
    assert isinstance(compared, list)
    said = " ".join(show(compared).split())
    assert "difference, 95 %" in said
    assert all(each.metric.name.split()[0] in said for each in compared)


def test_inside_a_notebook_nothing_is_shown_before_it_is_asked_for(
    run: assay.Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert "Faithfulness" in run.summary()
    assert "Faithfulness" in show(run)
    assert capsys.readouterr().out == ""


def test_one_text_shows_its_result_in_a_notebook_that_is_executed() -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    code = (
        "import assay",
        f"assay.judge_text('A locker costs 32 kroner.', {SOURCES!r}, 'What does a locker cost?')",
        f"run = assay.judge([{record('a', 'A locker costs 22 kroner a day.')!r}], 'grounded-answer'); run",
        "assay.compare(run, run)",
    )
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in code])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    shown = [cell.outputs[-1].data["text/html"] for cell in book.cells[1:]]
    assert all(html.startswith("<pre") for html in shown)
