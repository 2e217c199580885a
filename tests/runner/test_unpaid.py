"""What a spent budget leaves undone is not finished, and what failed before is not counted again."""

import asyncio

import pytest
from assay.runner.banking import BankShelf
from assay.runner.panel import Panel
from assay.runner.plan import Plan, describe_run
from clerks import AUDIT, Clerk, audit, build, only, rubric_of

from assay import errors
from assay.domain.ask import Answer, Fault
from assay.runner.run import Limits, Progress, run_panel
from assay.runner.walk import Walk
from assay.store.store import Store

SPENT = errors.OverBudget("all is spent")
UNREADABLE = Answer(faults=(Fault("the reply holds no JSON"),), reply="?")


@pytest.mark.parametrize(
    ("script", "metric"),
    [
        ({"hallucination": [only("c1"), SPENT]}, "hallucination"),
        ({"hallucination": [UNREADABLE, SPENT]}, "hallucination"),
        ({"key_points": [UNREADABLE, SPENT]}, "coverage"),
    ],
    ids=["half labelled", "unreadable", "bank"],
)
def test_a_reask_that_cannot_be_paid_for_leaves_the_record_unfinished(script, metric):
    card, _ = audit(script)
    assert card.outcomes[metric].status == "over_budget"
    assert card.unpaid


def test_a_reask_that_fails_otherwise_takes_nothing_away():
    card, _ = audit({"hallucination": [only("c1", "c2", "c3"), errors.Unreachable("down")]})
    assert card.outcomes["hallucination"].status == "ok"
    assert not card.unpaid


def begin(store):
    plan = Plan(rubric_of("article-audit"), (Clerk(),), store=store, run="run-1")
    store.begin_run(describe_run(plan, "records.jsonl", 6, "0", {}))


def collect(clerk, store, names, *, beside=(), **limits):
    walks = [Walk(rubric_of("article-audit"), each, BankShelf(), run="run-1") for each in (clerk, *beside)]
    records = [build("article-audit", {**AUDIT, "id": name}) for name in names]
    progress = Progress()

    async def run():
        cards = run_panel(Panel(tuple(walks), store), records, Limits(workers=1, **limits), progress)
        return [card async for card in cards]

    return asyncio.run(run()), progress


def test_an_unpaid_record_is_told_but_neither_done_nor_kept_nor_failed(tmp_path):
    with Store(tmp_path / "a.db") as store:
        begin(store)
        cards, progress = collect(Clerk({"hallucination": [only("c1"), SPENT]}), store, ["a"], max_failures=0)
        assert [card.unpaid for card in cards] == [True]
        assert (progress.done, progress.failed, progress.stopped) == (0, 0, True)
        store.flush()
        assert store.count("run-1") == 0


def test_of_a_panel_of_which_one_judge_cannot_be_paid_nothing_is_kept(tmp_path):
    spent = Clerk({"hallucination": [only("c1"), SPENT]}, name="spent")
    with Store(tmp_path / "a.db") as store:
        begin(store)
        [card], first = collect(Clerk(), store, ["a"], beside=[spent])
        # What one judge says meanwhile is not the panel's word.
        assert card.outcomes["hallucination"].status == "over_budget"
        assert [voice.outcome.status for voice in card.voices["hallucination"]] == ["ok", "over_budget"]
        store.flush()
        assert (first.done, first.stopped, store.count("run-1")) == (0, True, 0)
        _, second = collect(Clerk(), store, ["a"], beside=[Clerk(name="spent")])
        store.flush()
        assert (second.done, second.stopped, store.count("run-1")) == (1, False, 1)


def test_a_run_that_stopped_for_its_failures_goes_on_behind_them(tmp_path):
    with Store(tmp_path / "a.db") as store:
        begin(store)
        down = Clerk({metric.id: [errors.Refused("no")] for metric in rubric_of("article-audit").metrics})
        _, first = collect(down, store, "abcdef", max_failures=1)
        assert (first.done, first.failed, first.stopped) == (2, 2, True)
        cards, second = collect(Clerk(), store, "abcdef", max_failures=1)
        assert (second.done, second.failed, second.stopped) == (6, 0, False)
        assert [card.failed for card in cards] == [True, True, False, False, False, False]
