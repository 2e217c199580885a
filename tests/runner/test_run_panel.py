"""Many records: in order, bounded, stopped when it must be, and nothing left running."""

import asyncio
from dataclasses import dataclass, field

import pytest
from clerks import AUDIT, Clerk, build, rubric_of

from assay import errors
from assay.files.records import InvalidRecord
from assay.runner.banking import BankShelf
from assay.runner.panel import Panel
from assay.runner.run import Limits, Progress, run_panel
from assay.runner.together import together
from assay.runner.walk import Walk


def records(count):
    return [
        build("article-audit", {**AUDIT, "id": f"r-{number}", "summary": f"{AUDIT['summary']} {number}."})
        for number in range(count)
    ]


@dataclass
class Busy(Clerk):
    """Counts how many records are under way; some are slow, some fail, some end the run."""

    slow: frozenset[str] = frozenset()
    failing: frozenset[str] = frozenset()
    fatal: frozenset[str] = frozenset()
    begun: list[str] = field(default_factory=list)
    under_way: int = 0
    most: int = 0

    async def answer(self, ask, passages):
        name = ask.record if isinstance(ask.record, str) else ask.record.id
        if ask.id == "alignment":
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
        return await super().answer(ask, passages)


def run(clerk, items, workers=8, max_failures=None, shelf=None):
    progress = Progress()
    walk = Walk(rubric_of("article-audit"), clerk, shelf or BankShelf())

    async def collect():
        cards = [card async for card in run_panel(Panel((walk,)), items, Limits(workers, max_failures), progress)]
        assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
        return cards

    return asyncio.run(collect()), progress


def ids(cards):
    return [card.record.id for card in cards]


def test_results_come_in_the_order_of_the_records_however_long_each_takes():
    clerk = Busy(slow=frozenset({"r-0", "r-3"}))
    cards, progress = run(clerk, records(8))
    assert ids(cards) == [f"r-{number}" for number in range(8)]
    assert (progress.done, progress.failed, progress.stopped) == (8, 0, False)


def test_no_more_records_are_under_way_than_there_are_workers():
    clerk = Busy()
    run(clerk, records(12), workers=3)
    assert 1 <= clerk.most <= 3


def test_a_failed_record_keeps_its_place_and_the_run_goes_on():
    cards, progress = run(Busy(failing=frozenset({"r-1"})), records(4))
    assert [card.outcomes["alignment"].status for card in cards] == ["ok", "unreachable", "ok", "ok"]
    assert (progress.done, progress.failed, progress.stopped) == (4, 1, False)


def test_past_the_limit_of_failures_nothing_new_is_begun():
    clerk = Busy(failing=frozenset(f"r-{number}" for number in range(40)))
    cards, progress = run(clerk, records(40), workers=2, max_failures=1)
    assert progress.stopped
    assert progress.failed == len(cards) <= 4, "two failures close the desk; what was under way ends"
    assert len(clerk.begun) == len(cards)
    assert ids(cards) == [f"r-{number}" for number in range(len(cards))]


def test_failures_within_the_limit_stop_nothing():
    cards, progress = run(Busy(failing=frozenset({"r-0", "r-1"})), records(5), max_failures=2)
    assert len(cards) == 5
    assert not progress.stopped


def test_a_record_that_cannot_be_read_keeps_its_row():
    invalid = InvalidRecord("r-x", 2, "summary is absent")
    first, second = records(2)
    cards, progress = run(Busy(), [first, invalid, second])
    assert ids(cards) == ["r-0", "r-x", "r-1"]
    assert {outcome.status for outcome in cards[1].outcomes.values()} == {"invalid_record"}
    assert progress.failed == 1


@dataclass
class Hanging(Busy):
    """Never answers but for the record whose key is refused."""

    async def answer(self, ask, passages):
        if ask.id == "alignment" and ask.record.id not in self.fatal:
            await asyncio.Event().wait()
        return await super().answer(ask, passages)


@pytest.mark.parametrize("fatal", ["r-0", "r-2"])
def test_a_refused_key_ends_the_run_at_once_and_leaves_nothing_running(fatal):
    """Whoever waits for the others to end waits for ever."""
    walk = Walk(rubric_of("article-audit"), Hanging(fatal=frozenset({fatal})), BankShelf())

    async def collect():
        async with asyncio.timeout(5):
            with pytest.raises(errors.KeyRefused):
                async for _ in run_panel(Panel((walk,)), records(4), Limits(), Progress()):
                    pass
        assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []

    asyncio.run(collect())


def test_a_key_refused_while_a_bank_is_asked_for_ends_the_run_too():
    clerk = Clerk({"key_points": [errors.KeyRefused("no such key")]})
    with pytest.raises(errors.KeyRefused):
        run(clerk, records(3))
    assert len(clerk.asked("key_points")) == 1


def test_a_run_that_is_left_early_leaves_nothing_running():
    walk = Walk(rubric_of("article-audit"), Busy(slow=frozenset({"r-1", "r-2"})), BankShelf())

    async def leave():
        stream = run_panel(Panel((walk,)), records(6), Limits(), Progress())
        async for _ in stream:
            break
        await stream.aclose()
        assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []

    asyncio.run(leave())


async def cancel_and_look(walk: Walk, count: int) -> None:
    """Cancels a run in its midst, and looks for what it left running."""

    async def consume():
        async for _ in run_panel(Panel((walk,)), records(count), Limits(), Progress()):
            pass

    task = asyncio.create_task(consume())
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [each for each in asyncio.all_tasks() if each is not asyncio.current_task()] == []


def test_a_run_that_is_cancelled_leaves_nothing_running():
    walk = Walk(rubric_of("article-audit"), Busy(slow=frozenset({"r-0"})), BankShelf())

    asyncio.run(cancel_and_look(walk, 6))


def test_a_run_that_is_cancelled_while_a_bank_is_asked_for_leaves_nothing_running():
    """A bank is asked for all records at once, so that no single record's end is its own."""

    @dataclass
    class Pondering(Busy):
        async def answer(self, ask, passages):
            if ask.id == "key_points":
                await asyncio.Event().wait()
            return await super().answer(ask, passages)

    walk = Walk(rubric_of("article-audit"), Pondering(), BankShelf())

    asyncio.run(cancel_and_look(walk, 3))


def test_records_are_taken_from_the_stream_as_they_are_needed():
    taken = []

    def stream():
        for record in records(60):
            taken.append(record.id)
            yield record

    async def first():
        walk = Walk(rubric_of("article-audit"), Busy(), BankShelf())
        cards = run_panel(Panel((walk,)), stream(), Limits(workers=2), Progress())
        async for _ in cards:
            break
        await cards.aclose()

    asyncio.run(first())
    assert len(taken) <= 2 * 4, "a file of a million records is not read ahead"


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


def test_a_card_waits_for_the_disk_and_the_next_record_does_not():
    async def collect():
        disk = Disk()
        panel = Panel((Walk(rubric_of("article-audit"), Busy(), BankShelf()),), disk)
        cards = run_panel(panel, records(3), Limits(workers=1), Progress())
        first = asyncio.ensure_future(anext(cards))
        while len(disk.cards) < 3:
            await asyncio.sleep(0.001)
        assert not first.done(), "nothing is told that a crash could still take away"
        disk.told.set()
        rest = [await first, *[card async for card in cards]]
        return ids(rest)

    assert asyncio.run(asyncio.wait_for(collect(), 10)) == ["r-0", "r-1", "r-2"]


def test_the_first_error_ends_the_rest():
    ended = []

    async def wait():
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waiting")

    async def fail():
        await asyncio.sleep(0)
        raise errors.KeyRefused("no such key")

    async def both():
        with pytest.raises(errors.KeyRefused):
            await together(wait(), fail())
        assert ended == ["waiting"]

    asyncio.run(both())


def test_together_keeps_the_order_of_the_work():
    async def number(value, steps):
        for _ in range(steps):
            await asyncio.sleep(0)
        return value

    assert asyncio.run(together(number(1, 5), number(2, 0), number(3, 2))) == [1, 2, 3]
