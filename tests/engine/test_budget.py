"""Money and tokens are never spent beyond, whatever fails, however much goes on at once."""

import asyncio
import random

import pytest
from fake_chats import FakeChat, build_call, count_waiting
from hypothesis import given, settings
from hypothesis import strategies as st
from virtual_time import run_virtually

from assay import errors
from assay.engine.breaker import Breaker
from assay.engine.budget import NOTHING, Budget, Charge
from assay.engine.chat import EngineChat
from assay.engine.costs import Price, bound_prompt, read_prices
from assay.engine.limits import Limiter
from assay.engine.retries import Retries
from assay.models.chat import Completion, Usage
from assay.models.openai import OpenAIChat
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer

PRICE = Price(prompt=2_000_000, reply=8_000_000)


class BillingChat(FakeChat):
    """Fails at random, and bills as providers do: what it answered, and at times what it failed to deliver."""

    def __init__(self, seed):
        super().__init__()
        self.chance = random.Random(seed)
        self.billed_tokens = 0
        self.billed_cost = 0

    async def complete(self, call):
        chance = self.chance
        self.calls.append(call)
        prompt, reply = chance.randint(1, bound_prompt(call)), chance.randint(0, call.max_tokens)
        fate = chance.choice(["ok", "ok", "ok", "no usage", "429", "500", "garbage", "silence", "filter", "broken"])
        billed = {"429": (0, 0), "500": (0, 0), "filter": (prompt, 0)}
        self.bill(*billed.get(fate, (prompt, reply)))
        await asyncio.sleep(chance.uniform(0, 2))
        match fate:
            case "429":
                raise errors.RateLimited("slow", retry_after_seconds=chance.choice([None, 0.0, 3.0]))
            case "500":
                raise errors.Unreachable("broke")
            case "broken":
                raise errors.BrokenOff("half a body")
            case "garbage":
                raise errors.Malformed("<html>")
            case "filter":
                raise errors.Refused("filtered")
            case "silence":
                await asyncio.sleep(10_000)
        return Completion("yes", "stop", None if fate == "no usage" else Usage(prompt, reply), self.name)

    def bill(self, prompt, reply):
        self.billed_tokens += prompt + reply
        self.billed_cost += PRICE.compute_cost(prompt, reply)


async def ask_many(engine, chance, count, *, at_once):
    """Calls of all sizes, some of them cancelled in the middle."""
    gate = asyncio.Semaphore(at_once)

    async def ask(number):
        async with gate:
            text = f"{number} " + chance.choice(["tea ", "茶", "é"]) * chance.randint(0, 400)
            call = build_call(text, record=str(number), max_tokens=chance.randint(1, 600))
            try:
                async with asyncio.timeout(chance.choice([0.5, 3, 10_000, 10_000, 10_000])):
                    return await engine.complete(call)
            except (errors.JudgeError, TimeoutError) as error:
                return error

    return await asyncio.gather(*(ask(number) for number in range(count)))


@pytest.mark.parametrize("at_once", [1, 50])
@given(seed=st.integers(0, 10**6), limit=st.integers(2_000, 60_000), in_dollars=st.booleans())
@settings(deadline=None, derandomize=True, max_examples=25)
def test_a_budget_is_never_exceeded_under_faults_retries_and_cancelling(at_once, seed, limit, in_dollars):
    async def main():
        chat = BillingChat(seed)
        cost = limit * PRICE.prompt
        budget = Budget(usd=cost / 10**12) if in_dollars else Budget(tokens=limit)
        retries = Retries(call_seconds=30)
        engine = EngineChat(chat, budget=budget, price=PRICE, retries=retries, limiter=Limiter(50))
        outcomes = await ask_many(engine, random.Random(seed), 80, at_once=at_once)
        if in_dollars:
            assert chat.billed_cost <= budget.spent.picodollars <= cost
        else:
            assert chat.billed_tokens <= budget.spent.tokens <= limit
        assert budget.reserved == NOTHING
        assert (engine.limiter.in_flight, engine.limiter.resting, engine.meter.running) == (0, 0, 0)
        over = [outcome for outcome in outcomes if isinstance(outcome, errors.OverBudget)]
        assert budget.exhausted or not over
        assert engine.meter.picodollars <= budget.spent.picodollars

    run_virtually(main)


def test_a_budget_is_spent_to_within_one_call_of_its_limit():
    async def main():
        chat = FakeChat(seconds=1, usage=Usage(90, 40))
        budget = Budget(tokens=10_000)
        engine = EngineChat(chat, budget=budget)
        calls = (engine.complete(build_call(str(number), record=str(number))) for number in range(500))
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        return outcomes, budget, chat

    outcomes, budget, chat = run_virtually(main)
    largest = bound_prompt(build_call("499")) + 100
    assert 10_000 - largest <= budget.spent.tokens <= 10_000
    assert len(chat.calls) == budget.spent.tokens // 130
    assert chat.most_running > 10, "calls that will come to less than reserved are waited for, not refused"
    assert sum(isinstance(outcome, Completion) for outcome in outcomes) == len(chat.calls)
    assert all(isinstance(outcome, Completion | errors.OverBudget) for outcome in outcomes)
    assert budget.exhausted


def test_over_budget_is_a_status_a_retry_does_not_mend_and_stops_everything_after_it():
    async def main():
        chat = FakeChat()
        engine = EngineChat(chat, budget=Budget(tokens=1_000))
        assert not engine.budget.exhausted
        with pytest.raises(errors.OverBudget, match=r"0 of 1,000 tokens.* may take 5,") as caught:
            await engine.complete(build_call("tea" * 1_600))
        assert (caught.value.status, caught.value.retry_helps) == ("over_budget", False)
        assert engine.budget.exhausted
        with pytest.raises(errors.OverBudget, match="earlier call"):
            await engine.complete(build_call("small"))
        return len(chat.calls), engine.meter.failures

    assert run_virtually(main) == (0, {"over_budget": 2})


def test_a_retry_must_fit_the_budget_too():
    async def main():
        chat = FakeChat(lambda *_: errors.TimedOut("silence"))
        need = bound_prompt(build_call()) + 100
        engine = EngineChat(chat, budget=Budget(tokens=2 * need + 1))
        with pytest.raises(errors.OverBudget):
            await engine.complete(build_call())
        return len(chat.calls), engine.budget.spent.tokens - 2 * need

    assert run_virtually(main) == (2, 0)


@pytest.mark.parametrize(
    ("error", "share"),
    [
        (errors.RateLimited("x"), "nothing"),
        (errors.Rejected("x"), "nothing"),
        (errors.TooLong("x"), "nothing"),
        (errors.KeyRefused("x"), "nothing"),
        (errors.Unreachable("x"), "nothing"),
        (errors.BrokenOff("x"), "all"),
        (errors.Refused("x"), "prompt"),
        (errors.TimedOut("x"), "all"),
        (errors.Malformed("x"), "all"),
    ],
)
def test_a_failed_request_stays_charged_for_what_it_may_have_been_billed(error, share):
    async def main():
        engine = EngineChat(FakeChat(lambda *_: error), price=PRICE, retries=Retries(sends=1))
        with pytest.raises(type(error)):
            await engine.complete(build_call())
        return engine.budget.spent, engine.meter.picodollars

    prompt = bound_prompt(build_call())
    tokens, reply = {"nothing": (0, 0), "prompt": (prompt, 0), "all": (prompt + 100, 100)}[share]
    cost = PRICE.compute_cost(tokens - reply, reply)
    is_answered = not isinstance(error, errors.TimedOut | errors.BrokenOff)
    assert run_virtually(main) == (Charge(tokens, cost), cost if is_answered else 0)


def test_a_server_that_cannot_be_reached_costs_nothing():
    async def main():
        engine = EngineChat(FakeChat(lambda *_: errors.Unreachable("no connection")), price=PRICE, budget=Budget(usd=1))
        for number in range(20):
            with pytest.raises(errors.JudgeError):
                await engine.complete(build_call(record=str(number)))
        return engine.budget.spent, engine.budget.reserved, engine.meter.render()

    spent, reserved, line = run_virtually(main)
    assert spent == reserved == NOTHING
    assert line.endswith("0 tokens, $0.00")


def test_a_reply_without_usage_is_charged_at_its_largest():
    async def main():
        engine = EngineChat(FakeChat(usage=None), price=PRICE)
        await engine.complete(build_call())
        return engine.budget.spent.tokens, engine.meter.uncertain_tokens, engine.meter.prompt_tokens

    tokens = bound_prompt(build_call()) + 100
    assert run_virtually(main) == (tokens, tokens, 0)


def test_an_endpoint_that_counts_more_than_we_thought_possible_is_believed_from_then_on():
    async def main():
        chat = FakeChat(usage=Usage(3 * bound_prompt(build_call("first")), 250))
        engine = EngineChat(chat)
        await engine.complete(build_call("first"))
        size = engine._bound.measure(build_call("other"))
        return size.prompt / bound_prompt(build_call("other")), size.reply

    factor, reply = run_virtually(main)
    assert factor == pytest.approx(3, rel=0.01)
    assert reply == 250


def test_an_endpoint_that_counts_beyond_all_measure_leaves_sizes_that_can_be_counted():
    async def main():
        engine = EngineChat(FakeChat(seconds=1, usage=Usage(10**9, 10**9)), limiter=Limiter(64, start=64))
        await asyncio.gather(*(engine.complete(build_call(str(n), record=str(n))) for n in range(64)))
        return engine._bound.measure(build_call("other"))

    assert run_virtually(main) == (10**9, 10**9)


def test_cancelled_calls_give_their_places_and_reservations_back():
    async def main():
        chat = FakeChat(seconds=10)
        budget = Budget(tokens=6_000)
        engine = EngineChat(chat, budget=budget, limiter=Limiter(15))
        tasks = [asyncio.create_task(engine.complete(build_call(str(n), record=str(n)))) for n in range(40)]
        await asyncio.sleep(1)
        sent = len(chat.calls)
        assert 0 < sent < 40
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert budget.reserved == NOTHING
        assert (engine.limiter.in_flight, count_waiting(engine.limiter), engine.meter.running) == (0, 0, 0)
        assert budget.spent.tokens > 0, "what was sent may still be answered and billed"
        assert engine.meter.picodollars == 0
        assert len(chat.calls) == sent, "and nothing was sent in the course of it"

    run_virtually(main)


def test_who_stops_waiting_for_money_frees_nothing_and_takes_nothing():
    async def main():
        budget = Budget(tokens=100)
        await budget.reserve(Charge(80, 0))
        tasks = [asyncio.create_task(budget.reserve(Charge(50, 0))) for _ in range(3)]
        await asyncio.sleep(1)
        tasks[0].cancel()
        budget.settle(Charge(80, 0), Charge(10, 0))
        tasks[1].cancel()  # granted just now, and not yet taken up
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes[:2]] == [asyncio.CancelledError] * 2
        return outcomes[2], budget.reserved, budget.spent

    assert run_virtually(main) == (None, Charge(50, 0), Charge(10, 0))


def test_a_budget_in_dollars_needs_a_price():
    with pytest.raises(errors.InputError, match=r"openai:mystery.*prices file.*`budget_tokens`"):
        EngineChat(FakeChat(name="openai:mystery"), budget=Budget(usd=1))


def test_a_budget_in_tokens_needs_none():
    assert EngineChat(FakeChat(name="openai:mystery"), budget=Budget(tokens=10)).meter.unpriced


@pytest.mark.parametrize("budget", [{"usd": 0}, {"usd": -1}, {"usd": "nan"}, {"usd": "much"}, {"tokens": 0}])
def test_a_budget_of_nothing_is_an_input_error(budget):
    with pytest.raises(errors.InputError, match="allows no call"):
        Budget(**budget)


def test_dollars_are_counted_exactly():
    async def main():
        budget = Budget(usd=0.3)
        for _ in range(3):
            await budget.reserve(Charge(1, 10**11))
            budget.settle(Charge(1, 10**11), Charge(1, 10**11))
        assert not budget.exhausted, "0.1 + 0.1 + 0.1 is 0.3 here"
        with pytest.raises(errors.OverBudget, match=r"\$0\.30 of \$0\.30"):
            await budget.reserve(Charge(1, 1))

    run_virtually(main)


@pytest.mark.parametrize("fault", [Fault.RATE_LIMITED, Fault.SERVER_ERROR, Fault.RESET, Fault.GARBAGE, Fault.CUT])
@pytest.mark.parametrize("always", [False, True])
def test_a_budget_holds_over_a_real_connection(fault, always):
    async def run():
        spent = 0

        def answer(asked):
            nonlocal spent
            spent += max(1, len(asked.prompt) // 4) + 1
            return "yes"

        rules = [FaultRule(fault, always=always, share=0.3, retry_after_seconds=0)]
        async with ScriptedServer(answer, rules) as server:
            budget = Budget(tokens=5_000)
            chat = OpenAIChat("scripted", base_url=server.base_url)
            # The same asks always fail here, so that many may fail in a row.
            engine = EngineChat(chat, budget=budget, retries=Retries(base_seconds=0.001), breaker=Breaker(1_000))
            calls = (
                engine.complete(build_call(f"{number} " + "tea " * 100, record=str(number))) for number in range(120)
            )
            outcomes = await asyncio.gather(*calls, return_exceptions=True)
            await engine.close()
            return spent, budget, outcomes

    spent, budget, outcomes = asyncio.run(run())
    assert spent <= budget.spent.tokens <= 5_000
    assert budget.exhausted
    assert any(isinstance(outcome, Completion) for outcome in outcomes)
    assert all(isinstance(outcome, Completion | errors.JudgeError) for outcome in outcomes)


def test_the_shipped_prices_are_plausible():
    prices = read_prices()
    assert len(prices) >= 10
    for name, price in prices.items():
        assert name.partition(":")[0] in ("openai", "anthropic")
        assert 10_000 <= price.prompt < price.reply <= 100_000_000
