"""`assay.judge`: one synchronous call, whatever the records come as and wherever it is called."""

import asyncio
import importlib.util
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import assay
from assay.domain.ask import Answer, Ask
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import InputError, Unreachable
from assay.judges.prompted.judge import PromptedJudge
from assay.models.recording import Recording
from assay.units.passages import Passages

RUBRIC = "opinion-relevance"


def opinion(identifier: str, **fields: object) -> dict:
    return {
        "id": identifier,
        "reviews": ["The lamp is bright.", "Bright, but the arm sags."],
        "product_opinion_summary": "Buyers like the bright light.",
        **fields,
    }


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    path = tmp_path / "replies.jsonl"
    scores = {"a": 5, "b": 2, "c": 3}
    lines = [
        {"record": name, "ask": RUBRIC, "text": f"The summary covers the light.\nScore- <score>{score}</score>"}
        for name, score in scores.items()
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


class PandasLike:
    """As pandas gives its rows: a missing value is not-a-number."""

    def __init__(self, rows: list[dict]) -> None:
        self._rows = rows

    def to_dict(self, orient: str) -> list[dict]:
        assert orient == "records"
        return [{**row, "description": float("nan")} for row in self._rows]


class PolarsLike:
    def __init__(self, rows: list[dict]) -> None:
        self._rows = rows

    def to_dicts(self) -> list[dict]:
        return [{**row, "description": None} for row in self._rows]

    def to_dict(self) -> dict:
        raise AssertionError("columns are not rows")


def generate(rows: list[dict]) -> Iterator[dict]:
    yield from rows


@pytest.mark.parametrize("form", [list, tuple, generate, PandasLike, PolarsLike], ids=lambda form: form.__name__)
def test_records_may_be_dicts_in_any_iterable_or_a_frame(form: Callable, replies: Path) -> None:
    run = assay.judge(form([opinion("a"), opinion("b")]), RUBRIC, f"recorded:{replies}")
    assert [result.record for result in run] == ["a", "b"]
    assert [result.metrics["relevance"].score for result in run] == [5, 2]
    assert len(run) == 2


@pytest.mark.parametrize("form", [str, Path])
def test_records_may_be_a_path(form: Callable, replies: Path, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(opinion("a")) + "\n")
    assert assay.judge(form(path), RUBRIC, f"recorded:{replies}")["a"].metrics["relevance"].score == 5


@pytest.mark.parametrize("records", [opinion("a"), 3, [3], [opinion("a"), opinion("a")], [{"id": "a"}]])
def test_records_that_are_none_are_an_input_error(records: object, replies: Path) -> None:
    with pytest.raises(InputError):
        assay.judge(records, RUBRIC, f"recorded:{replies}")


def test_no_records_are_an_empty_run(replies: Path) -> None:
    assert len(assay.judge([], RUBRIC, f"recorded:{replies}")) == 0


def test_a_bad_record_is_a_result_under_skip_invalid(replies: Path) -> None:
    run = assay.judge([{"id": "x"}, opinion("a")], RUBRIC, f"recorded:{replies}", skip_invalid=True)
    assert run["x"].metrics["relevance"].status == "invalid_record"
    assert run["a"].metrics["relevance"].status == "ok"


def test_it_works_inside_a_running_event_loop(replies: Path) -> None:
    async def notebook() -> assay.Run:
        return assay.judge([opinion("a")], RUBRIC, f"recorded:{replies}")

    assert asyncio.run(notebook())["a"].metrics["relevance"].score == 5


def test_an_error_inside_a_running_event_loop_is_the_same_error() -> None:
    async def notebook() -> assay.Run:
        return assay.judge([opinion("a")], RUBRIC, Refusing())

    with pytest.raises(InputError, match="no key"):
        asyncio.run(notebook())
    with pytest.raises(InputError, match="no key"):
        assay.judge([opinion("a")], RUBRIC, Refusing())


def test_results_are_found_by_id_or_by_id_and_system(replies: Path) -> None:
    records = [opinion("a", system="one"), opinion("a", system="two"), opinion("b")]
    run = assay.judge(records, RUBRIC, f"recorded:{replies}")
    assert run["b"].metrics["relevance"].score == 2
    assert run["b", None].record == "b"
    assert run["a", "two"].system == "two"
    for key in ("a", "nobody", ("a", "three"), ("b", "one")):
        with pytest.raises(KeyError):
            run[key]


def test_bytes_are_refused_with_what_to_do(replies: Path) -> None:
    with pytest.raises(InputError, match=r"record 1: bytes were given where text is needed.*decode"):
        assay.judge([opinion("a") | {"product_title": b"A bag"}], RUBRIC, f"recorded:{replies}")


def test_rows_are_flat_and_hold_no_number_without_a_verdict(replies: Path) -> None:
    run = assay.judge([opinion("a"), opinion("x")], RUBRIC, f"recorded:{replies}")
    first, second = run.rows()
    assert first["relevance_score"] == 5
    assert (first["relevance_status"], first["relevance_goodness"], first["total_goodness"]) == ("ok", 1, 1)
    assert (second["relevance_score"], second["relevance_goodness"], second["total_goodness"]) == (None, None, None)
    assert second["relevance_status"] == "unreachable"
    assert [(row["total_scored"], row["total_asked"]) for row in (first, second)] == [(1, 1), (0, 1)]


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) for name in ("pandas", "polars")), reason="pandas or polars is installed"
)
def test_a_frame_without_pandas_and_polars_says_what_to_do(replies: Path) -> None:
    run = assay.judge([opinion("a")], RUBRIC, f"recorded:{replies}")
    with pytest.raises(InputError, match=r"pandas or polars.*rows\(\)"):
        run.to_frame()


def test_a_frame_is_made_by_whichever_library_is_there(replies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = ModuleType("pandas")
    library.DataFrame = list
    monkeypatch.setitem(sys.modules, "pandas", library)
    run = assay.judge([opinion("a")], RUBRIC, f"recorded:{replies}")
    assert run.to_frame() == run.rows()


def test_a_judge_may_be_an_object(replies: Path) -> None:
    judge = PromptedJudge(Recording(replies))
    run = assay.judge([opinion("a")], RUBRIC, judge)
    assert run["a"].judge == judge.name == run.judge


class Counting:
    """A judge that never answers, and counts how often it was asked and how many asks ran at once."""

    name = "counting"
    reasks = 0

    def __init__(self) -> None:
        self.asked = self.under_way = self.at_once = 0
        self.closed = False

    def answers_whole(self, _record: Record, _rubric: Rubric) -> bool:
        return True

    async def answer(self, _ask: Ask, _passages: Passages) -> Answer:
        self.asked += 1
        self.under_way += 1
        self.at_once = max(self.at_once, self.under_way)
        await asyncio.sleep(0.001)
        self.under_way -= 1
        raise Unreachable("nobody there")

    async def close(self) -> None:
        self.closed = True


class Refusing(Counting):
    async def answer(self, _ask: Ask, _passages: Passages) -> Answer:
        self.asked += 1
        raise InputError("there is no key")


def test_no_more_records_than_workers_are_under_way() -> None:
    judge = Counting()
    run = assay.judge([opinion(str(at)) for at in range(30)], RUBRIC, judge, workers=3)
    assert (len(run), judge.asked, judge.at_once, judge.closed) == (30, 30, 3, True)
    assert not run.stopped


def test_past_the_failures_allowed_nothing_new_is_asked() -> None:
    judge = Counting()
    run = assay.judge([opinion(str(at)) for at in range(100)], RUBRIC, judge, workers=4, max_failures=5)
    assert run.stopped
    assert judge.asked == len(run)
    assert 6 <= judge.asked <= 9


def test_an_input_error_ends_the_run_at_once_and_closes_the_judge() -> None:
    judge = Refusing()
    with pytest.raises(InputError):
        assay.judge([opinion(str(at)) for at in range(200)], RUBRIC, judge, workers=2)
    assert judge.asked <= 8
    assert judge.closed


@pytest.mark.parametrize(
    "wrong",
    [
        *({"workers": each} for each in (0, "x", 2.5)),
        *({"samples": each} for each in (0, "5")),
        *({"max_failures": each} for each in (-1, "3")),
    ],
)
def test_what_is_no_count_is_an_input_error(replies: Path, wrong: dict) -> None:
    with pytest.raises(InputError, match=r"must be a whole number of at least [01], not") as caught:
        assay.judge([opinion("a")], RUBRIC, f"recorded:{replies}", **wrong)
    assert next(iter(wrong)).replace("_", "-") in str(caught.value.remedy)


@pytest.mark.parametrize("wrong", [None, 5, ["embedded", 5], {"embedded"}, []])
def test_what_is_no_judge_is_an_input_error(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"is no judge|no judge is named"):
        assay.judge([opinion("a")], RUBRIC, wrong)


class Hanging(Counting):
    async def answer(self, _ask: Ask, _passages: Passages) -> Answer:
        self.asked += 1
        await asyncio.sleep(3600)
        raise Unreachable("never")


def test_an_interrupt_inside_a_running_event_loop_does_not_wait_for_the_run() -> None:
    judge = Hanging()

    async def notebook() -> None:
        assay.judge([opinion("a")], RUBRIC, judge)

    def interrupt() -> None:
        while not judge.asked:
            threading.Event().wait(0.01)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=interrupt)
    # Whoever starts the tests in the background may have told them to ignore interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            loop.run_until_complete(notebook())
    finally:
        thread.join()
        loop.close()
        signal.signal(signal.SIGINT, before)
    assert judge.closed
