"""`assay.judge`: one synchronous call, whatever the records come as and wherever it is called."""

import asyncio
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
from assay import Answer, InputError
from assay.domain.ask import Ask
from assay.domain.findings import Findings, Grade, Label
from assay.errors import Unreachable
from assay.store.store import open_store
from assay.units.passages import Passages

RUBRIC = "opinion-relevance"


def opinion(identifier: str, **fields: object) -> dict[str, object]:
    return {
        "id": identifier,
        "reviews": ["The lamp is bright.", "Bright, but the arm sags."],
        "product_opinion_summary": "Buyers like the bright light.",
        **fields,
    }


@pytest.fixture
def replies(tmp_path: Path) -> str:
    path = tmp_path / "replies.jsonl"
    text = "The summary covers the light.\nScore- <score>{}</score>"
    scores = {"a": 5, "b": 2, "c": 3}
    lines = [{"record": name, "ask": RUBRIC, "text": text.format(score)} for name, score in scores.items()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"recorded:{path}"


class PandasLike:
    """As pandas gives its rows: a missing value is not-a-number."""

    columns = ("id", "description")

    def __init__(self, rows: list[dict[str, object]]) -> None:
        self._rows = rows

    def to_dict(self, orient: str) -> list[dict[str, object]]:
        assert orient == "records"
        return [{**row, "description": float("nan")} for row in self._rows]


class PolarsLike:
    def __init__(self, rows: list[dict[str, object]]) -> None:
        self._rows = rows

    def to_dicts(self) -> list[dict[str, object]]:
        return [{**row, "description": None} for row in self._rows]

    def to_dict(self) -> dict[str, object]:
        raise AssertionError("columns are not rows")


def generate(rows: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    yield from rows


@pytest.mark.parametrize("form", [list, tuple, generate, PandasLike, PolarsLike], ids=lambda form: form.__name__)
def test_records_may_be_dicts_in_any_iterable_or_a_frame(form: Callable, replies: str) -> None:
    run = assay.judge(form([opinion("a"), opinion("b")]), RUBRIC, replies)
    assert [result.metrics["relevance"].score for result in run] == [5, 2]
    assert len(run) == 2


@pytest.mark.parametrize("form", [str, Path])
def test_records_may_be_a_path(form: Callable, replies: str, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(opinion("a")) + "\n")
    assert assay.judge(form(path), RUBRIC, replies)["a"].metrics["relevance"].score == 5


@pytest.mark.parametrize(
    ("wrong", "remedy"),
    [
        ("worker", "Did you mean 'workers'?"),
        ("judges", "Did you mean 'judge'?"),
        ("labelmap", "Did you mean 'label_map'?"),
        ("zzz", "See help(assay.judge)."),
    ],
)
def test_an_unknown_argument_is_a_type_error_about_the_call_and_not_about_its_configuration(
    wrong: str, remedy: str
) -> None:
    with pytest.raises(TypeError) as raised:
        assay.judge([opinion("a")], RUBRIC, **{wrong: 1})
    assert str(raised.value) == f"assay.judge() has no argument {wrong!r}. {remedy}"


@pytest.mark.parametrize(
    "records", [opinion("a"), 3, [3], [opinion("a"), opinion("a")], [{"id": "a"}], [opinion("a", product_title=b"x")]]
)
def test_records_that_are_none_are_an_input_error(records: object, replies: str) -> None:
    with pytest.raises(InputError):
        assay.judge(records, RUBRIC, replies)


def test_a_bad_record_is_a_result_under_skip_invalid(replies: str) -> None:
    run = assay.judge([{"id": "x"}, opinion("a")], RUBRIC, replies, skip_invalid=True)
    assert [run[name].metrics["relevance"].status for name in "xa"] == ["invalid_record", "ok"]


def test_columns_are_mapped_and_a_limit_takes_the_first_records(replies: str) -> None:
    rows = [{"id": name, "opinions": ["Bright."], "text": "It is bright."} for name in "abc"]
    mapping = {"reviews": "opinions", "product_opinion_summary": "text"}
    run = assay.judge(rows, RUBRIC, replies, map=mapping, limit=2)
    assert [result.metrics["relevance"].score for result in run] == [5, 2]


def test_it_works_inside_a_running_event_loop(replies: str) -> None:
    async def notebook() -> assay.Run:
        return assay.judge([opinion("a")], RUBRIC, replies)

    assert asyncio.run(notebook())["a"].metrics["relevance"].score == 5


def test_results_are_found_by_id_or_by_id_and_system(replies: str) -> None:
    records = [opinion("a", system="one"), opinion("a", system="two"), opinion("b")]
    run = assay.judge(records, RUBRIC, replies)
    assert run["b"].metrics["relevance"].score == 2
    assert (run["b", None].record, run["a", "two"].system) == ("b", "two")
    for key in ("a", "nobody", ("a", "three"), ("b", "one")):
        with pytest.raises(KeyError):
            run[key]


def test_rows_are_flat_and_hold_no_number_without_a_verdict(replies: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = assay.judge([opinion("a"), opinion("x")], RUBRIC, replies)
    first, second = run.rows()
    assert (first["relevance_score"], first["relevance_status"], first["total_goodness"]) == (5, "ok", 1)
    assert (second["relevance_score"], second["relevance_status"], second["total_goodness"]) == (
        None,
        "unreachable",
        None,
    )
    assert [(row["total_scored"], row["total_asked"]) for row in (first, second)] == [(1, 1), (0, 1)]
    library = ModuleType("pandas")
    library.DataFrame = list
    monkeypatch.setitem(sys.modules, "pandas", library)
    assert run.to_frame() == run.rows()


def test_a_run_tells_its_summary_as_the_command_does(replies: str) -> None:
    summary = assay.judge([opinion("a"), opinion("x")], RUBRIC, replies).summary()
    assert "1 of 2" in summary
    assert "unreachable" in summary


def test_a_run_is_kept_in_a_store_and_resumed_from_it(replies: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    first = assay.judge([opinion("a"), opinion("b")], RUBRIC, replies, store=path)
    with open_store(path) as store:
        again = assay.judge([opinion("a"), opinion("b")], RUBRIC, replies, store=store, resume=first.id)
        assert store.count(first.id) == 2, "a store that was passed in stays open"
    assert (again.id, [result.metrics for result in again]) == (first.id, [result.metrics for result in first])
    with pytest.raises(InputError, match="only from a store"):
        assay.judge([opinion("a")], RUBRIC, replies, resume=first.id)


def test_two_runs_are_compared_metric_by_metric(replies: str) -> None:
    records = [opinion(name) for name in "abc"]
    first = assay.judge(records, RUBRIC, replies)
    (metric,) = assay.compare(first, assay.judge(records, RUBRIC, replies))
    assert (metric.metric.id, metric.unpaired) == ("relevance", 0)
    other = assay.judge([], "article-audit", "embedded")
    with pytest.raises(InputError, match="one rubric"):
        assay.compare(first, other)


def test_the_installed_rubrics_are_listed() -> None:
    found = [rubric.id for rubric in assay.rubrics()]
    assert RUBRIC in found
    assert found == sorted(found)


class Counting(assay.Judge):
    """A judge of one's own: counts how often it was asked, how many asks ran at once, and whether it was closed."""

    name = "counting"

    def __init__(self, error: Exception | None = None) -> None:
        self.asked = self.under_way = self.at_once = 0
        self.closed = False
        self._error = error

    async def answer(self, ask: Ask, _passages: Passages) -> Answer:
        self.asked += 1
        self.under_way += 1
        self.at_once = max(self.at_once, self.under_way)
        await asyncio.sleep(0.001)
        self.under_way -= 1
        if self._error is not None:
            raise self._error
        if isinstance(ask, assay.BankAsk):
            return Answer(written=(assay.Written("The lamp is bright.", ("S1.1",)),))
        labels = tuple(Label(unit.kind, unit.id, "missed" if unit.kind == "item" else "excess") for unit in ask.units)
        return Answer(Findings(labels, (Grade("grade", ask.metric.scale.low),)))

    async def close(self) -> None:
        self.closed = True


def test_a_judge_of_ones_own_needs_a_name_and_an_answer_and_is_not_closed() -> None:
    judge = Counting()
    run = assay.judge([opinion("a")], RUBRIC, judge)
    assert (run["a"].judge, run["a"].metrics["relevance"].score, judge.asked) == ("counting", 1, 2)
    assert not judge.closed, "whoever opened it closes it"


def test_no_more_records_than_workers_are_under_way() -> None:
    judge = Counting(Unreachable("nobody there"))
    run = assay.judge([opinion(str(at)) for at in range(30)], RUBRIC, judge, workers=3)
    assert (len(run), run.stopped) == (30, False)
    assert 1 <= judge.at_once <= 3


def test_past_the_failures_allowed_nothing_new_is_asked() -> None:
    judge = Counting(Unreachable("nobody there"))
    run = assay.judge([opinion(str(at)) for at in range(100)], RUBRIC, judge, workers=4, max_failures=5)
    assert run.stopped
    assert 6 <= len(run) <= 9


def test_an_input_error_ends_the_run_at_once() -> None:
    judge = Counting(InputError("there is no key"))
    with pytest.raises(InputError, match="no key"):
        assay.judge([opinion(str(at)) for at in range(200)], RUBRIC, judge, workers=2)
    assert judge.asked <= 8


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        *(({"workers": each}, "workers must be a whole number of at least 1") for each in (0, "x", 2.5)),
        ({"samples": "5"}, "samples must be a whole number of at least 1"),
        ({"max_failures": -1}, "max_failures must be a whole number of at least 0"),
    ],
)
def test_what_is_no_count_is_an_input_error_that_speaks_of_arguments(
    replies: str, wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said) as caught:
        assay.judge([opinion("a")], RUBRIC, replies, **wrong)
    assert "--" not in str(caught.value)


@pytest.mark.parametrize("wrong", [None, 5, ["embedded", 5], {"embedded"}, []])
def test_what_is_no_judge_is_an_input_error(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"is not a judge|no judge is given"):
        assay.judge([opinion("a")], RUBRIC, wrong)


class Hanging(Counting):
    def __init__(self) -> None:
        super().__init__()
        self.ended = threading.Event()

    async def answer(self, _ask: Ask, _passages: Passages) -> Answer:
        self.asked += 1
        try:
            await asyncio.sleep(3600)
        finally:
            self.ended.set()
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
    # An interrupt that falls into the start of the run's thread leaves without joining it: it ends a moment later.
    assert judge.ended.wait(30)
