"""Many records: in order, bounded, stopped when it must be, kept as they are done, and nothing left running."""

import asyncio
import json
from dataclasses import dataclass, field

import pytest
from clerks import AUDIT, Clerk, audit, build, label, only, rubric_of

from assay import errors
from assay.domain.ask import Answer, BankAsk, Fault
from assay.domain.findings import Findings
from assay.files.records import InvalidRecord
from assay.gather import gather_or_cancel
from assay.judges.prompted.judge import PromptedJudge
from assay.models.openai import OpenAIChat
from assay.runner.planning import Deadline
from assay.runner.run import Limits, Plan, Progress, describe_run, judge_records
from assay.store.store import Store
from engine.virtual_time import run_virtually
from equipment.chat_server.faults import Fault as ServerFault
from equipment.chat_server.faults import FaultRule
from equipment.chat_server.server import ScriptedServer, answer_by_schema

SPENT = errors.OverBudget("all is spent")
UNREADABLE = Answer(faults=(Fault("the reply holds no JSON"),), reply="?")
SECONDS = 0.5


@pytest.fixture(scope="module", autouse=True)
def _warm():
    """What is loaded once per process is no part of the time that a record takes."""
    run([Clerk()], records(1))


def records(count):
    return [
        build("article-audit", {**AUDIT, "id": f"r-{number}", "summary": f"{AUDIT['summary']} {number}."})
        for number in range(count)
    ]


@dataclass
class Busy(Clerk):
    """Counts how many records are under way; some are slow, some fail, some end the run, some never answer."""

    slow: frozenset[str] = frozenset()
    failing: frozenset[str] = frozenset()
    fatal: frozenset[str] = frozenset()
    stuck: frozenset[tuple[str, str]] = frozenset()
    begun: list[str] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)
    under_way: int = 0
    most: int = 0

    async def answer(self, ask, passages):
        name = ask.record if isinstance(ask, BankAsk) else ask.record.id
        if {(name, ask.id), ("", ask.id)} & self.stuck and name not in self.fatal:
            try:
                await asyncio.Event().wait()
            finally:
                self.given_up.append(f"{name} {ask.id}")
        if ask.id == "alignment":
            await self._work(name)
        return await super().answer(ask, passages)

    async def _work(self, name):
        self.begun.append(name)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await asyncio.sleep(0.05 if name in self.slow else 0.001)
        finally:
            self.under_way -= 1
        if name in self.fatal:
            raise errors.KeyRefused("no such key")
        if name in self.failing:
            raise errors.Unreachable("down")


def nothing_runs():
    return [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


def run(judges, items, *, store=None, keep=None, **limits):
    """The cards and the progress of a run that is over within ten seconds and leaves no task behind."""
    cards, progress = [], Progress()
    plan = Plan(rubric_of("article-audit"), tuple(judges), Limits(**limits), store=store, run="run-1")

    async def collect():
        async with asyncio.timeout(10):
            try:
                await judge_records(plan, items, keep or cards.append, progress)
            finally:
                assert nothing_runs()

    # Threads of a store know no virtual time.
    asyncio.run(collect()) if store else run_virtually(collect)
    return cards, progress


def ids(cards):
    return [card.record.id for card in cards]


def statuses(card):
    return {name: outcome.status for name, outcome in card.outcomes.items()}


def test_results_come_in_the_order_of_the_records_however_long_each_takes():
    cards, progress = run([Busy(slow=frozenset({"r-0", "r-3"}))], records(8))
    assert ids(cards) == [f"r-{number}" for number in range(8)]
    assert (progress.done, progress.failed, progress.stopped) == (8, 0, False)


def test_no_more_records_are_under_way_than_there_are_workers():
    clerk = Busy()
    run([clerk], records(12), workers=3)
    assert 1 <= clerk.most <= 3


def test_a_failed_record_keeps_its_place_and_the_run_goes_on():
    cards, progress = run([Busy(failing=frozenset({"r-1"}))], records(4))
    assert [card.outcomes["alignment"].status for card in cards] == ["ok", "unreachable", "ok", "ok"]
    assert (progress.done, progress.failed, progress.stopped) == (4, 1, False)


def test_past_the_limit_of_failures_nothing_new_is_begun():
    clerk = Busy(failing=frozenset(f"r-{number}" for number in range(40)))
    cards, progress = run([clerk], records(40), workers=2, max_failures=1)
    assert progress.stopped
    assert progress.failed == len(cards) <= 4, "what was under way ends"
    assert len(clerk.begun) == len(cards)
    assert ids(cards) == [f"r-{number}" for number in range(len(cards))]


def test_failures_within_the_limit_stop_nothing():
    cards, progress = run([Busy(failing=frozenset({"r-0", "r-1"}))], records(5), max_failures=2)
    assert len(cards) == 5
    assert not progress.stopped


def test_a_record_that_cannot_be_read_keeps_its_row():
    first, second = records(2)
    cards, progress = run([Busy()], [first, InvalidRecord("r-x", "summary is absent"), second])
    assert ids(cards) == ["r-0", "r-x", "r-1"]
    assert set(statuses(cards[1]).values()) == {"invalid_record"}
    assert progress.failed == 1


@pytest.mark.parametrize("fatal", ["r-0", "r-2"])
def test_a_refused_key_ends_the_run_at_once_and_leaves_nothing_running(fatal):
    """Whoever waits for the others to end waits for ever."""
    with pytest.raises(errors.KeyRefused):
        run([Busy(fatal=frozenset({fatal}), stuck=frozenset({("", "alignment")}))], records(4))


def test_a_key_refused_while_a_bank_is_asked_for_ends_the_run_too():
    clerk = Clerk({"key_points": [errors.KeyRefused("no such key")]})
    with pytest.raises(errors.KeyRefused):
        run([clerk], records(3))
    assert len(clerk.asked("key_points")) == 1


class LeftError(Exception):
    """Ends a run from outside."""


def test_a_run_that_is_left_early_leaves_nothing_running_and_reads_no_further():
    taken = []

    def stream():
        for record in records(60):
            taken.append(record.id)
            yield record

    def leave(_):
        raise LeftError

    with pytest.raises(LeftError):
        run([Busy(slow=frozenset({"r-1", "r-2"}))], stream(), keep=leave, workers=2)
    assert len(taken) <= 2 * 4, "a file of a million records is not read ahead"


@pytest.mark.parametrize("stuck", [frozenset(), frozenset({("r-0", "key_points")})], ids=["metric", "bank"])
def test_a_run_that_is_cancelled_leaves_nothing_running(stuck):
    plan = Plan(rubric_of("article-audit"), (Busy(slow=frozenset({"r-0"}), stuck=stuck),))

    async def cancel():
        task = asyncio.create_task(judge_records(plan, records(6), lambda _: None, Progress()))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert nothing_runs()

    asyncio.run(cancel())


class Disk:
    """A store that has committed nothing until it is told to."""

    def __init__(self):
        self.cards, self.told = [], asyncio.Event()

    def get_record(self, *_):
        return None

    def add_record(self, _run, _position, card):
        self.cards.append(card.record.id)

    async def committed(self):
        await self.told.wait()

    def flush(self):
        pass

    def update_run(self, *_):
        pass


def test_a_card_waits_for_the_disk_and_the_next_record_does_not():
    async def collect():
        disk, cards = Disk(), []
        plan = Plan(rubric_of("article-audit"), (Busy(),), Limits(workers=1), store=disk)
        task = asyncio.create_task(judge_records(plan, records(3), cards.append, Progress()))
        while len(disk.cards) < 3:
            await asyncio.sleep(0.001)
        assert cards == [], "nothing is told that a crash could still take away"
        disk.told.set()
        await task
        return ids(cards)

    assert asyncio.run(asyncio.wait_for(collect(), 10)) == ["r-0", "r-1", "r-2"]


def test_the_first_error_ends_the_rest_and_results_keep_their_order():
    ended = []

    async def wait():
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waiting")

    async def fail():
        await asyncio.sleep(0)
        raise errors.KeyRefused("no such key")

    async def number(value, steps):
        for _ in range(steps):
            await asyncio.sleep(0)
        return value

    async def both():
        with pytest.raises(errors.KeyRefused):
            await gather_or_cancel(wait(), fail())
        assert ended == ["waiting"]
        return await gather_or_cancel(number(1, 5), number(2, 0), number(3, 2))

    assert asyncio.run(both()) == [1, 2, 3]


def test_a_metric_that_hangs_times_out_and_the_others_keep_their_scores():
    clerk = Busy(stuck=frozenset({("r-1", "alignment")}))
    (first, second, third), _ = run([clerk], records(3), record_seconds=SECONDS)
    assert statuses(second) == {**dict.fromkeys(statuses(second), "ok"), "alignment": "timed_out"}
    assert second.outcomes["alignment"].reason == "the record was not done in 0.5 s"
    assert set(statuses(first).values()) == set(statuses(third).values()) == {"ok"}
    assert clerk.given_up == ["r-1 alignment"]


def test_a_reply_that_came_in_time_counts_though_its_re_ask_did_not():
    class Slow(Clerk):
        async def answer(self, ask, passages):
            if ask.attempt:
                await asyncio.Event().wait()
            return await super().answer(ask, passages)

    def all_but_the_last(ask):
        units = [unit.id for unit in ask.units if ask.metric.labels(unit.kind) is not None]
        return Answer(Findings(tuple(label(ask, name) for name in units[:-1])), reply="all but one")

    (card,), _ = run([Slow({"hallucination": [all_but_the_last]})], records(1), record_seconds=SECONDS)
    assert card.outcomes["hallucination"].status == "ok"
    assert "undecided_units" in card.outcomes["hallucination"].trail.flags


def test_a_bank_that_hangs_times_out_every_record_that_waits_for_it_and_no_other():
    clerk = Busy(stuck=frozenset({("r-0", "key_points"), ("r-1", "key_points")}))
    other = build("article-audit", {**AUDIT, "id": "r-2", "article": AUDIT["article"] + " It rained."})
    (first, second, third), _ = run([clerk], [*records(2), other], record_seconds=SECONDS)
    for card in (first, second):
        assert set(statuses(card).values()) == {"timed_out"}
    assert "key points could not be generated" in first.outcomes["coverage"].reason
    assert set(statuses(third).values()) <= {"ok", "repaired"}
    assert clerk.given_up == ["r-0 key_points"], "asked once for both, and ended with the run"


def test_a_bank_that_comes_too_late_for_one_record_is_there_for_the_next():
    class Late(Clerk):
        async def answer(self, ask, passages):
            if isinstance(ask, BankAsk):
                await asyncio.sleep(1.5 * SECONDS)
            return await super().answer(ask, passages)

    clerk = Late()
    (first, second), _ = run([clerk], records(2), workers=1, record_seconds=SECONDS)
    assert (first.outcomes["coverage"].status, second.outcomes["coverage"].status) == ("timed_out", "ok")
    assert len(clerk.asked("key_points")) == 1


def test_all_judges_of_a_record_share_its_deadline():
    judges = [Clerk(name="quick"), Busy(name="stuck", stuck=frozenset({("", "alignment")}))]
    (card,), _ = run(judges, records(1), record_seconds=SECONDS)
    voices = {voice.judge: voice.outcome.status for voice in card.voices["alignment"]}
    assert voices == {"quick": "ok", "stuck": "timed_out"}
    assert card.outcomes["alignment"].status == "ok"


def test_past_the_deadline_nothing_is_begun_and_other_time_outs_are_not_taken_for_it():
    begun = []

    async def work():
        begun.append(1)

    async def fail():
        raise TimeoutError("mine")

    async def main():
        deadline = Deadline.begin(0.01)
        await asyncio.sleep(1)
        with pytest.raises(errors.TimedOut, match=r"not done in 0\.01 s"):
            await deadline.hold(work)
        with pytest.raises(TimeoutError, match="mine"):
            await Deadline.begin(60).hold(fail)

    run_virtually(main)
    assert begun == []


def answer_bank(asked):
    """A bank that names a sentence, and whatever else the schema allows."""
    fields = asked.schema["properties"].get("items", {}).get("items", {}).get("properties", {}) if asked.schema else {}
    if "sentences" in fields:
        return json.dumps({"items": [{"sentences": ["S1.1"], "text": "The lamp is bright."}]})
    return answer_by_schema(1)(asked)


def test_a_server_that_hangs_for_one_record_costs_that_record_its_time_and_the_run_nothing_more():
    """The call itself would be waited for two minutes."""
    fault = FaultRule(ServerFault.HANG, always=True, containing="It is the third lamp.")
    items = [
        build(
            "opinion-relevance",
            {"id": lamp, "reviews": ["The lamp is bright."], "product_opinion_summary": f"It is the {lamp} lamp."},
        )
        for lamp in ("first", "second", "third", "fourth", "fifth", "sixth")
    ]
    cards = []

    async def judge():
        async with ScriptedServer(answer_bank, [fault]) as server:
            judge = PromptedJudge(OpenAIChat("scripted", base_url=server.base_url))
            limits = Limits(workers=2, record_seconds=1.0)
            plan = Plan(rubric_of("opinion-relevance"), (judge,), limits, owned=(judge,))
            async with asyncio.timeout(20):
                await judge_records(plan, items, cards.append, Progress())

    asyncio.run(judge())
    assert len(cards) == 6
    assert [card.record.id for card in cards if card.outcomes["relevance"].status == "timed_out"] == ["third"]
    assert "1 s" in cards[2].outcomes["relevance"].reason


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


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "a.db") as opened:
        plan = Plan(rubric_of("article-audit"), (Clerk(),), store=opened, run="run-1")
        opened.begin_run(describe_run(plan, "records.jsonl", 6, "0", {}))
        yield opened


def test_an_unpaid_record_is_told_but_neither_done_nor_kept_nor_failed(store):
    clerk = Clerk({"hallucination": [only("c1"), SPENT]})
    cards, progress = run([clerk], records(1), store=store, max_failures=0)
    assert [card.unpaid for card in cards] == [True]
    assert (progress.done, progress.failed, progress.stopped) == (0, 0, True)
    assert store.count("run-1") == 0


def test_of_a_panel_of_which_one_judge_cannot_be_paid_nothing_is_kept(store):
    spent = Clerk({"hallucination": [only("c1"), SPENT]}, name="spent")
    (card,), first = run([Clerk(), spent], records(1), store=store)
    # What one judge says meanwhile is not the panel's word.
    assert card.outcomes["hallucination"].status == "over_budget"
    assert [voice.outcome.status for voice in card.voices["hallucination"]] == ["ok", "over_budget"]
    assert (first.done, first.stopped, store.count("run-1")) == (0, True, 0)
    _, second = run([Clerk(), Clerk(name="spent")], records(1), store=store)
    assert (second.done, second.stopped, store.count("run-1")) == (1, False, 1)


def test_a_run_that_stopped_for_its_failures_goes_on_behind_them(store):
    down = Clerk({metric.id: [errors.Refused("no")] for metric in rubric_of("article-audit").metrics})
    _, first = run([down], records(6), store=store, workers=1, max_failures=1)
    assert (first.done, first.failed, first.stopped) == (2, 2, True)
    cards, second = run([Clerk()], records(6), store=store, workers=1, max_failures=1)
    assert (second.done, second.failed, second.stopped) == (6, 0, False)
    assert [card.failed for card in cards] == [True, True, False, False, False, False]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"limits": {"record_seconds": 0}}, "more than 0 seconds"),
        ({"limits": {"workers": 0}}, "workers must be a whole number"),
        ({"samples": 1.5}, "samples must be a whole number"),
        ({"judges": ()}, "no judge is given"),
        ({"judges": (Clerk(), Clerk())}, "the judge clerk is given twice"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_an_input_error(arguments, said):
    with pytest.raises(errors.InputError, match=said):
        Plan(
            rubric_of("article-audit"),
            arguments.get("judges", (Clerk(),)),
            Limits(**arguments.get("limits", {})),
            samples=arguments.get("samples", 1),
        )
