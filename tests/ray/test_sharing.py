"""What workers share holds without Ray too: one budget, one rate, one bank per source, whatever dies."""

import asyncio
from pathlib import Path

import pytest

import assay.ray
from assay.api.config import RunConfig
from assay.domain.ask import Written
from assay.engine.budget import NOTHING, Charge
from assay.errors import InputError, OverBudget
from assay.ray.coordinator import Coordinator
from assay.ray.judging import refuse_few_processors
from assay.ray.worker import SharedBudget, SharedLimiter
from assay.units.banks import FilledBank
from engine.virtual_time import run_virtually

KEY = ("tea", "points", "0a1b")
BANK = FilledBank((Written("The tea is green.", ("S1.1",)),))


class Handle:
    """The coordinator as a worker sees it, in this process: `handle.method.remote(…)` can be awaited."""

    def __init__(self, coordinator: Coordinator) -> None:
        self._coordinator = coordinator

    def __getattr__(self, name: str) -> "Method":
        return Method(getattr(self._coordinator, name))


class Method:
    def __init__(self, method) -> None:
        self._method = method

    def remote(self, *arguments, **options):
        return asyncio.ensure_future(self._method(*arguments, **options))


def open_coordinator(folder: Path, records: int = 0, **options) -> Coordinator:
    places = {(f"r{number}", None): number for number in range(records)}
    return Coordinator(RunConfig(**options), places, set(), str(folder / "banks.jsonl"))


def test_many_workers_together_spend_no_more_than_the_budget(tmp_path: Path):
    async def work() -> tuple[int, int]:
        coordinator = open_coordinator(tmp_path, budget_tokens=10_000)
        sent = refused = 0

        async def call(budget: SharedBudget, number: int) -> None:
            nonlocal sent, refused
            charge = Charge(100 + number % 7, 0)
            try:
                await budget.reserve(charge)
            except OverBudget:
                refused += 1
                return
            sent += charge.tokens
            await asyncio.sleep(0.01 * (number % 5))
            budget.settle(charge, charge)

        budgets = [SharedBudget(Handle(coordinator), name, coordinator.request) for name in "abc"]
        await asyncio.gather(*(call(budgets[number % 3], number) for number in range(300)))
        await asyncio.sleep(0.1)
        assert coordinator._budget.spent.tokens == sent
        return sent, refused

    sent, refused = asyncio.run(work())
    assert 10_000 - 200 < sent <= 10_000
    assert refused > 100


def test_a_call_waits_for_those_of_another_worker_and_gets_what_is_left_of_them(tmp_path: Path):
    async def work() -> None:
        coordinator = open_coordinator(tmp_path, budget_tokens=1_000)
        first, second = (SharedBudget(Handle(coordinator), name, coordinator.request) for name in "ab")
        await first.reserve(Charge(900, 0))
        waiting = asyncio.create_task(second.reserve(Charge(500, 0)))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        first.settle(Charge(900, 0), Charge(300, 0))
        await asyncio.wait_for(waiting, 60)

    asyncio.run(work())


def test_a_grant_that_nobody_waits_for_any_more_goes_back(tmp_path: Path):
    async def work() -> None:
        coordinator = open_coordinator(tmp_path, budget_tokens=1_000)
        first, second = (SharedBudget(Handle(coordinator), name, coordinator.request) for name in "ab")
        await first.reserve(Charge(900, 0))
        waiting = asyncio.create_task(second.reserve(Charge(500, 0)))
        await asyncio.sleep(0.05)
        waiting.cancel()
        first.settle(Charge(900, 0), NOTHING)
        await asyncio.sleep(0.05)
        await asyncio.wait_for(first.reserve(Charge(1_000, 0)), 60)

    asyncio.run(work())


def test_all_that_a_lost_worker_held_counts_as_spent_and_it_is_told_so(tmp_path: Path):
    async def work() -> None:
        coordinator = open_coordinator(tmp_path, budget_tokens=1_000)
        assert await coordinator.beat("lost")
        assert await coordinator.reserve("lost", Charge(900, 0)) is None
        waiting = asyncio.create_task(coordinator.reserve("other", Charge(500, 0)))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        coordinator.lost_seconds = 0.0
        await coordinator.beat("other")
        assert "900 of 1,000 tokens are spent" in str(await asyncio.wait_for(waiting, 60))
        await coordinator.settle("lost", Charge(900, 0), NOTHING)
        assert coordinator._budget.spent.tokens == 900
        assert not await coordinator.beat("lost")
        assert await coordinator.reserve("lost", Charge(1, 0)) is not None

    asyncio.run(work())


def test_a_worker_that_is_lost_while_it_waits_takes_nothing_from_the_others(tmp_path: Path):
    async def work() -> None:
        coordinator = open_coordinator(tmp_path, budget_tokens=1_000)
        await coordinator.beat("lost")
        await coordinator.reserve("other", Charge(900, 0))
        await coordinator.claim_bank("other", KEY)
        waiting = [coordinator.reserve("lost", Charge(500, 0)), coordinator.claim_bank("lost", KEY)]
        answers = asyncio.gather(*waiting)
        await asyncio.sleep(0.05)
        coordinator.lost_seconds = 0.0
        await coordinator.beat("other")
        await coordinator.settle("other", Charge(900, 0), NOTHING)
        await coordinator.settle_bank("other", KEY, "judge", None)
        await asyncio.wait_for(answers, 60)
        assert await asyncio.wait_for(coordinator.reserve("other", Charge(1_000, 0)), 60) is None
        assert await asyncio.wait_for(coordinator.claim_bank("other", KEY), 60) is None

    asyncio.run(work())


def test_two_workers_send_no_faster_than_the_rate_of_one(tmp_path: Path):
    async def work() -> float:
        coordinator = open_coordinator(tmp_path, requests_per_minute=60)
        limiters = [SharedLimiter(Handle(coordinator), "account", coordinator.request) for _ in range(2)]

        async def call(number: int) -> None:
            permit = await limiters[number % 2].acquire(10)
            permit.release()

        await asyncio.gather(*(call(number) for number in range(31)))
        return asyncio.get_running_loop().time()

    assert run_virtually(work) == pytest.approx(30, abs=0.5)


def test_the_first_worker_asks_for_a_bank_and_the_others_wait_for_it(tmp_path: Path):
    async def work() -> None:
        coordinator = open_coordinator(tmp_path)
        assert await coordinator.claim_bank("a", KEY) is None
        waiting = [asyncio.create_task(coordinator.claim_bank(name, KEY)) for name in "bc"]
        await asyncio.sleep(0.05)
        assert not any(each.done() for each in waiting)
        await coordinator.settle_bank("a", KEY, "judge", BANK)
        assert await asyncio.gather(*waiting) == [BANK, BANK]

    asyncio.run(work())


def test_a_bank_of_an_earlier_start_is_not_asked_for_again(tmp_path: Path):
    asyncio.run(open_coordinator(tmp_path).settle_bank("a", KEY, "judge", BANK))
    assert asyncio.run(open_coordinator(tmp_path).claim_bank("b", KEY)) == BANK.units


@pytest.mark.parametrize("lost", [True, False])
def test_where_the_first_worker_fails_or_is_lost_the_next_one_asks(tmp_path: Path, lost: bool):
    async def work() -> None:
        coordinator = open_coordinator(tmp_path)
        await coordinator.beat("a")
        assert await coordinator.claim_bank("a", KEY) is None
        waiting = asyncio.create_task(coordinator.claim_bank("b", KEY))
        await asyncio.sleep(0.05)
        if lost:
            coordinator.lost_seconds = 0.0
            await coordinator.beat("b")
        else:
            await coordinator.settle_bank("a", KEY, "judge", None)
        assert await asyncio.wait_for(waiting, 10) is None

    asyncio.run(work())


def test_a_cluster_whose_workers_leave_no_processor_for_reading_is_refused_and_not_waited_for():
    refuse_few_processors(2, 2)
    refuse_few_processors(0, 2)
    with pytest.raises(InputError, match="2 workers leave none of the 1 processors for reading"):
        refuse_few_processors(1, 2)


@pytest.mark.parametrize("bank", ["last", "20261118-0801"])
def test_the_bank_of_a_run_is_refused_and_not_taken_for_a_file(tmp_path: Path, bank: str):
    with pytest.raises(InputError, match=f"no store is open, so run {bank} can't be read"):
        assay.ray.judge([], "article-audit", out=tmp_path, bank=bank)


def test_records_that_are_kept_are_not_begun_again_and_a_limit_of_failures_ends_the_run(tmp_path: Path):
    async def work() -> None:
        coordinator = open_coordinator(tmp_path, 4, max_failures=1)
        keys = [(f"r{number}", None) for number in range(4)]
        await coordinator.keep(keys[:2], 1)
        assert await coordinator.begin(keys) == [None, None, 2, 3]
        await coordinator.keep(keys[2:3], 1)
        assert await coordinator.begin(keys) == [None] * 4
        standing = await coordinator.get_standing()
        assert (standing.judged, standing.stopped) == (3, "more than 1 records failed")

    asyncio.run(work())
