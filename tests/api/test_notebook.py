"""What a notebook shows of a run, a result and a comparison: parsed as HTML, and executed where Jupyter is installed."""

import re
from html.parser import HTMLParser

import pytest

import assay
from assay.domain.ask import Ask
from assay.units.passages import Passages

SOURCES = ["A locker costs 22 kroner a day. Lockers close at nine in the evening."]
HOSTILE = '<script>alert(1)</script> <img src=x onerror="alert(2)"> \u202e costs 32 kroner.'
PLAIN = {"div", "b", "table", "thead", "tbody", "tr", "th", "td", "p", "span", "blockquote"}
CELL = "text-align:left;vertical-align:top;padding:2px 8px"
STYLE = re.compile(
    rf"border-collapse:collapse;margin:4px 0|font-size:smaller|{CELL}(?:;border-left:3px solid #[0-9a-f]{{6}})?"
)
VOID = {"img", "br", "meta", "link", "input"}


class Page(HTMLParser):
    """The tags with their attributes, and the tables as lists of rows of cells. Tags must close in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.tables: list[list[list[str]]] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in {"td", "th"}:
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self._open):
            self.tables[-1][-1][-1] += data


def record(name: str, answer: str, **fields: object) -> dict[str, object]:
    return {"id": name, "question": "What does a locker cost?", "sources": SOURCES, "answer": answer, **fields}


class HalfDecided(assay.Judge):
    """Leaves the last of several claims undecided."""

    name = "half-decided/1"

    async def answer(self, ask: Ask, passages: Passages) -> assay.Answer:
        if not isinstance(ask, assay.MetricAsk) or ask.metric.id != "faithfulness":
            return assay.Answer(abstained="this judge only labels claims")
        quoted = [(claim, passages.of("s1")[at]) for at, claim in enumerate(ask.units[:-1])]
        part = ask.metric.label_parts[0].id
        labels = [
            assay.Label(part, claim.id, "supported", (assay.Citation(each.id, each.text),)) for claim, each in quoted
        ]
        return assay.Answer(assay.Findings(labels=tuple(labels)))


@pytest.fixture(scope="module")
def run() -> assay.Run:
    right, wrong = "A locker costs 22 kroner a day.", "Lockers close at nine in the evening. A locker costs 32 kroner."
    records = [record("a", right), record("b", wrong, system="two"), record("<i>c</i>", HOSTILE)]
    return assay.judge(records, "grounded-answer")


def test_a_run_shows_its_records_with_scores_and_how_many_were_scored(run: assay.Run) -> None:
    html = run._repr_html_()
    [[head, mean, scored, weakest, *rows]] = Page(html).tables
    assert head[0] == "record"
    assert "(0–100, best 100)" in head[1]
    assert (mean[0], scored[0], weakest[0]) == ("mean", "scored", "weakest claim")
    assert all(" of 3" in cell for cell in scored[1:])
    assert [row[0] for row in rows] == ["a", "b (two)", "<i>c</i>"]
    expected = str(run["a"].metrics["faithfulness"].score)
    faithfulness = [metric.id for metric in run.rubric.metrics].index("faithfulness")
    assert rows[0][1 + faithfulness].split()[0] == expected
    assert run.id in html
    assert "for a first pass" in html


def test_of_many_records_the_first_are_shown_and_the_others_counted() -> None:
    many = [record(f"r{number}", "A locker costs 22 kroner a day.") for number in range(53)]
    html = assay.judge(many, "grounded-answer")._repr_html_()
    [[_, _, _, _, *rows]] = Page(html).tables
    assert (len(rows), rows[-1][0]) == (50, "r49")
    assert "3 more records" in html


def test_a_result_shows_its_findings_first_and_the_most_serious_at_the_top(run: assay.Run) -> None:
    findings, scores = Page(run["b"]._repr_html_()).tables
    assert findings[0][0] == "finding"
    texts = [row[1] for row in findings[1:]]
    faulty, right = texts.index("A locker costs 32 kroner."), texts.index("Lockers close at nine in the evening.")
    assert faulty < right
    assert "s1 “Lockers close at nine in the evening" in findings[1 + right][2]
    assert "Words at fault: “32” (serious)" in findings[1 + faulty][2]
    assert [row[0].partition(" (")[0] for row in scores[1:]] == [name.replace("_", " ") for name in run["b"].metrics]


def test_an_interval_is_shown_and_explained_only_where_there_is_one(run: assay.Run) -> None:
    answer = "A locker costs 22 kroner a day. Lockers close at nine in the evening. They are popular with hikers."
    other = assay.judge_text(answer, SOURCES, "What does a locker cost?", judge=HalfDecided())
    low, high = other.metrics["faithfulness"].interval
    assert low < high
    assert f" [{low:.4g}–{high:.4g}]" in other._repr_html_()
    assert "range if the uncertain" in other._repr_html_()
    assert "range if the uncertain" not in run["a"]._repr_html_()


def test_a_metric_without_a_score_shows_its_status_and_reason() -> None:
    result = assay.judge([record("a", " ")], "grounded-answer")["a"]
    unscored = {name.replace("_", " "): each for name, each in result.metrics.items() if each.score is None}
    assert unscored
    shown = {row[0].partition(" (")[0]: row for row in Page(result._repr_html_()).tables[-1]}
    for name, metric in unscored.items():
        assert shown[name][1:3] == [metric.status.replace("_", " "), metric.reason]


def test_no_text_of_a_record_becomes_markup(run: assay.Run) -> None:
    for shown in (run, run["<i>c</i>"], assay.compare(run, run)):
        page = Page(shown._repr_html_())
        assert set(page.tags) <= PLAIN
        assert page.attributes <= {"style", "class", "dir", "title"}
        assert all(STYLE.fullmatch(style) for style in re.findall('style="([^"]*)"', shown._repr_html_()))
        assert "\u202e" not in shown._repr_html_()
    assert "alert(1)" in run["<i>c</i>"]._repr_html_()


def test_a_comparison_is_still_a_list_and_shows_a_row_for_each_metric(run: assay.Run) -> None:
    compared = assay.compare(run, run)
    assert isinstance(compared, list)
    [[head, *rows]] = Page(compared._repr_html_()).tables
    assert head[3] == "difference, 95 %"
    assert [row[0] for row in rows] == [each.metric.name for each in compared]


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
    assert [len(Page(html).tables) for html in shown] == [2, 1, 1]
