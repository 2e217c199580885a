"""Records from real data frames, and results as such. What is not installed is skipped."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import assay
from assay import InputError

RUBRIC = "grounded-answer"
COLUMNS = ["record", "system", "metric", "score", "low", "high", "weakest_support", "status", "flags"]
DOCUMENTS = [
    {"content": "A locker costs 22 kroner a day.", "title": "Prices", "url": None},
    {"content": "Lockers close at nine in the evening.", "title": None, "url": None},
]
ROWS = [
    {"id": "a", "system": "one", "question": "What does a locker cost?", "sources": DOCUMENTS, "answer": "It costs 22 kroner a day.", "citations": None, "rank": 1},
    {"id": "b", "system": None, "question": "What does a locker cost?", "sources": DOCUMENTS, "answer": "It costs 32 kroner a day.", "citations": "Prices", "rank": None},
]  # fmt: skip


def as_pandas(rows: list[dict[str, Any]]) -> object:
    return pytest.importorskip("pandas", reason="pandas is not installed").DataFrame(rows)


def as_polars(rows: list[dict[str, Any]]) -> object:
    return pytest.importorskip("polars", reason="polars is not installed").DataFrame(rows)


def as_arrow(rows: list[dict[str, Any]]) -> object:
    return pytest.importorskip("pyarrow", reason="pyarrow is not installed").Table.from_pylist(rows)


def as_dataset(rows: list[dict[str, Any]]) -> object:
    return pytest.importorskip("datasets", reason="datasets is not installed").Dataset.from_list(rows)


FORMS = pytest.mark.parametrize("form", [as_pandas, as_polars, as_arrow, as_dataset], ids=lambda form: form.__name__)


@pytest.fixture(scope="module")
def run() -> assay.Run:
    return assay.judge(ROWS, RUBRIC)


@FORMS
def test_a_frame_gives_the_records_that_its_rows_give(form: Callable, run: assay.Run) -> None:
    found = assay.judge(form(ROWS), RUBRIC)
    assert [card.record.sources for card in found.cards] == [card.record.sources for card in run.cards]
    assert [card.record.item for card in found.cards] == [card.record.item for card in run.cards]
    assert [(each.record, each.system) for each in found] == [("a", "one"), ("b", None)]
    assert [each.metrics["faithfulness"].score for each in found] == [
        each.metrics["faithfulness"].score for each in run
    ]


@FORMS
def test_a_missing_value_is_an_absent_field(form: Callable) -> None:
    found = assay.judge(form(ROWS), RUBRIC)
    assert [card.record.citations for card in found.cards] == [None, "Prices"]
    assert found.cards[0].record.sources[1].title is None


@FORMS
def test_a_required_value_that_is_missing_is_named(form: Callable) -> None:
    with pytest.raises(InputError, match="record 2: answer is null"):
        assay.judge(form([ROWS[0], {**ROWS[1], "answer": None}]), RUBRIC)


@FORMS
def test_a_limit_and_a_map_hold_for_frames(form: Callable) -> None:
    renamed = [{("reply" if name == "answer" else name): value for name, value in row.items()} for row in ROWS]
    found = assay.judge(form(renamed), RUBRIC, map={"answer": "reply"}, limit=1)
    assert [each.record for each in found] == ["a"]


@pytest.mark.parametrize("missing", ["NA", "NaT"])
def test_the_missing_values_of_pandas_are_no_words(missing: str) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame([{**ROWS[0], "citations": getattr(pandas, missing), "system": getattr(pandas, missing)}])
    [card] = assay.judge(frame.astype(object), RUBRIC).cards
    assert (card.record.citations, card.record.system) == (None, None)


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_frame_read_from_csv_is_judged_as_the_file_is(package: str, tmp_path: Path) -> None:
    reader = pytest.importorskip(package, reason=f"{package} is not installed")
    path = tmp_path / "records.csv"
    sources = json.dumps(DOCUMENTS).replace('"', '""')
    path.write_text(f'id,question,sources,answer,system\na,What?,"{sources}",It costs 22 kroner.,\n')
    [card] = assay.judge(reader.read_csv(path), RUBRIC).cards
    [expected] = assay.judge(path, RUBRIC).cards
    assert (card.record.id, card.record.sources, card.record.system) == ("a", expected.record.sources, None)


def test_results_become_a_pandas_frame(run: assay.Run) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = run.to_pandas()
    assert list(frame.columns) == COLUMNS
    assert len(frame) == sum(len(each.metrics) for each in run)
    assert [str(frame[name].dtype) for name in ("score", "low", "high")] == ["float64"] * 3
    row = frame[(frame.record == "a") & (frame.metric == "faithfulness")].iloc[0]
    expected = run["a"].metrics["faithfulness"]
    assert (row.score, (row.low, row.high), row.status) == (expected.score, expected.interval, "ok")


@pytest.mark.parametrize(("method", "package"), [("to_polars", "polars"), ("to_arrow", "pyarrow")])
def test_results_become_a_polars_frame_or_an_arrow_table(method: str, package: str, run: assay.Run) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed")
    frame = getattr(run, method)()
    rows = frame.to_dicts() if package == "polars" else frame.to_pylist()
    assert list(rows[0]) == COLUMNS
    expected = [
        (each.record, each.system, name, metric.score, metric.interval or (None, None), metric.status)
        for each in run
        for name, metric in each.metrics.items()
    ]
    found = [
        (row["record"], row["system"], row["metric"], row["score"], (row["low"], row["high"]), row["status"])
        for row in rows
    ]
    assert found == expected


@pytest.mark.parametrize("method", ["to_pandas", "to_polars", "to_arrow"])
def test_a_metric_without_a_score_has_no_number_and_the_column_keeps_its_type(method: str) -> None:
    package = {"to_arrow": "pyarrow"}.get(method, method.removeprefix("to_"))
    pytest.importorskip(package, reason=f"{package} is not installed")
    frame = getattr(assay.judge([{**ROWS[0], "answer": " "}], RUBRIC, skip_invalid=True), method)()
    kind = str(frame.schema.field("low").type if method == "to_arrow" else frame["low"].dtype)
    assert kind.lower() in {"float64", "double"}
    assert "None" not in str(frame["status"])


@pytest.mark.parametrize("method", ["to_pandas", "to_polars", "to_arrow"])
def test_a_package_that_is_not_installed_is_named(method: str, run: assay.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    package = {"to_arrow": "pyarrow"}.get(method, method.removeprefix("to_"))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=f"{package} is not installed.*pip install {package}"):
        getattr(run, method)()
