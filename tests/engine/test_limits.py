"""How many calls go at a time, and who goes next."""

import asyncio
import random

import pytest
from fake_chats import FakeChat, build_call, count_waiting
from virtual_time import now, run_virtually

from assay import errors
from assay.engine.chat import EngineChat
from assay.engine.limits import Bucket, Limiter
from assay.engine.retries import Retries
from assay.models.chat import Completion, Usage
from assay.models.openai import OpenAIChat
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer


class CrowdedChat(FakeChat):
    """Turns away whoever comes while it has `room` calls under way."""

    def __init__(self, room, **settings):
        super().__init__(**settings)
        self.room = room
        self.turned_away = 0

    async def complete(self, call):
        if self.running >= self.room:
            self.turned_away += 1
            await asyncio.sleep(0.01)
            raise errors.RateLimited("full")
        return await super().complete(call)


async def ask_all(engine, count, *, prefix=""):
    calls = (engine.complete(build_call(f"{prefix}{number}", record=f"{prefix}{number}")) for number in range(count))
    return await asyncio.gather(*calls, return_exceptions=True)


def test_200_concurrent_calls_with_a_tenth_of_them_turned_away_all_end_right():
    async def run():
        faults = [FaultRule(Fault.RATE_LIMITED, share=0.1, seed=4, retry_after_seconds=0)]
        async with ScriptedServer(lambda asked: f"reply to {asked.prompt}", faults) as server:
            chat = OpenAIChat("scripted", base_url=server.base_url)
            engine = EngineChat(chat, retries=Retries(base_seconds=0.001), limiter=Limiter(200))
            outcomes = await ask_all(engine, 200)
            await engine.close()
            return outcomes, server, engine

    outcomes, server, engine = asyncio.run(run())
    assert [outcome.text for outcome in outcomes] == [f"reply to {number}" for number in range(200)]
    struck = server.struck[Fault.RATE_LIMITED]
    assert 10 <= struck <= 30
    assert server.calls == engine.meter.sent == 200 + struck
    assert engine.limiter.round > 0, "it was slowed down"
    assert engine.limiter.in_flight == 0


def test_the_limit_grows_fast_to_the_ceiling_and_no_further():
    async def main():
        chat = FakeChat(seconds=1)
        engine = EngineChat(chat, limiter=Limiter(300, start=4))
        await ask_all(engine, 2_000)
        return engine.limiter.limit, chat.most_running, now()

    limit, most_running, seconds = run_virtually(main)
    assert limit == 300
    assert most_running == 300
    assert seconds <= 2_000 / 300 + 5


def test_new_places_are_taken_at_once_while_the_replies_that_won_them_are_still_being_kept():
    async def run():
        limiter = Limiter(64, start=4)
        permits = [await limiter.acquire() for _ in range(4)]
        waiting = [asyncio.create_task(limiter.acquire()) for _ in range(20)]
        await asyncio.sleep(0)
        for _ in permits:
            limiter.speed_up()
        await asyncio.sleep(0)
        granted = sum(task.done() for task in waiting)
        for task in waiting:
            task.cancel()
        return granted, limiter.in_flight

    assert asyncio.run(run()) == (8, 12)


def test_the_limit_does_not_grow_where_it_holds_nobody_back():
    async def main():
        engine = EngineChat(FakeChat(seconds=1), limiter=Limiter(100, start=10))
        for turn in range(20):
            await ask_all(engine, 5, prefix=f"{turn} ")
        return engine.limiter.limit

    assert run_virtually(main) == 10


def test_the_limit_settles_at_what_the_endpoint_takes_and_recovers_when_it_takes_more():
    async def main():
        chat = CrowdedChat(8, seconds=1)
        engine = EngineChat(chat, limiter=Limiter(64), chance=random.Random(2))
        first = await ask_all(engine, 300, prefix="few ")
        settled, refused = engine.limiter.limit, chat.turned_away
        chat.room = 50
        second = await ask_all(engine, 1_500, prefix="many ")
        return first + second, settled, refused, engine.limiter.limit

    outcomes, settled, refused, recovered = run_virtually(main)
    assert [outcome for outcome in outcomes if isinstance(outcome, Exception)] == []
    assert 3 <= settled <= 11
    assert refused < 100
    assert recovered > 15


def test_a_few_turned_away_among_many_lower_the_limit_by_little():
    async def main():
        limiter = Limiter(100, start=100)
        for number in range(600):
            permit = await limiter.acquire()
            limiter.overload(permit) if number % 50 == 49 else limiter.speed_up()
            permit.release()
        before = limiter.limit
        permit = await limiter.acquire()
        limiter.overload(permit)
        permit.release()
        return before, limiter.limit

    before, after = run_virtually(main)
    assert 50 < 0.9 * before < after < before


@pytest.mark.parametrize(("room", "seconds", "count"), [(4, 1.0, 300), (30, 0.2, 500), (1, 2.0, 60)])
def test_no_call_is_lost_to_a_crowded_endpoint(room, seconds, count):
    async def main():
        engine = EngineChat(CrowdedChat(room, seconds=seconds), limiter=Limiter(128), chance=random.Random(1))
        return await ask_all(engine, count)

    assert all(isinstance(outcome, Completion) for outcome in run_virtually(main))


def test_one_round_turned_away_together_halves_once_and_then_counts_who_got_through():
    async def main():
        limiter = Limiter(100, start=40)
        permits = [await limiter.acquire() for _ in range(40)]
        limiter.overload(permits[0])
        assert limiter.limit == 20
        limiter.overload(permits[1])
        assert limiter.limit == 20
        for permit in permits[2:35]:
            limiter.overload(permit)
        assert limiter.limit == 5
        for permit in permits:
            permit.release()
        late = await limiter.acquire()
        limiter.overload(late)
        assert limiter.limit == 2.5
        limiter.overload(permits[36])
        assert limiter.limit == 2.5, "news from before the round before last"
        late.release()

    run_virtually(main)


def test_replies_that_never_come_do_not_stand_in_each_others_way():
    def hang(call, _number):
        return errors.TimedOut("silence") if int(call.key.record) % 5 == 0 else None

    async def main():
        chat = FakeChat(hang, seconds=1)
        engine = EngineChat(chat, limiter=Limiter(20), retries=Retries(base_seconds=0.01))
        outcomes = await ask_all(engine, 200)
        return sum(isinstance(outcome, Exception) for outcome in outcomes), engine.limiter.limit, now()

    failed, limit, seconds = run_virtually(main)
    assert failed == 40
    assert 5 <= limit < 20
    assert seconds < 60


def test_a_hung_reply_is_asked_for_once_more_and_no_further():
    async def main():
        chat = FakeChat(seconds=10_000)
        with pytest.raises(errors.TimedOut):
            await EngineChat(chat).complete(build_call())
        return len(chat.calls), now()

    assert run_virtually(main) == (2, 240)


@pytest.mark.parametrize(
    ("error", "slows"),
    [
        (errors.RateLimited("x"), True),
        (errors.Unreachable("x", overloaded=True), True),
        (errors.TimedOut("x"), True),
        (errors.Unreachable("x"), False),
        (errors.Malformed("x"), False),
        (errors.TooLong("x"), False),
    ],
)
def test_only_what_fewer_calls_would_help_slows_down(error, slows):
    async def main():
        engine = EngineChat(FakeChat(lambda *_: error), retries=Retries(sends=1), limiter=Limiter(8))
        with pytest.raises(type(error)):
            await engine.complete(build_call())
        return engine.limiter.limit < 8

    assert run_virtually(main) is slows


def test_who_was_turned_away_keeps_a_place_empty_until_its_time():
    def refuse_first(_call, number):
        return errors.RateLimited("slow", retry_after_seconds=10) if number == 0 else None

    async def main():
        chat = FakeChat(refuse_first, seconds=1)
        engine = EngineChat(chat, limiter=Limiter(2), chance=random.Random(0))
        await ask_all(engine, 5)
        return chat

    chat = run_virtually(main)
    assert [call.key.record for call in chat.calls] == ["0", "1", "0", "2", "3", "4"]
    assert 11 <= chat.times[2] <= 12


def test_a_call_that_failed_otherwise_leaves_its_place_to_others_while_it_waits():
    async def main():
        chat = FakeChat(lambda _call, number: errors.Unreachable("down") if number == 0 else None, seconds=1)
        await ask_all(EngineChat(chat, limiter=Limiter(1), retries=Retries(base_seconds=0.1)), 4)
        return [call.key.record for call in chat.calls]

    assert run_virtually(main) == ["0", "1", "0", "2", "3"]


def test_a_thousand_who_wait_go_one_by_one_in_their_order():
    async def main():
        chat = FakeChat(seconds=0.01)
        limiter = Limiter(10)
        await ask_all(EngineChat(chat, limiter=limiter), 1_000)
        return [int(call.key.record) for call in chat.calls], chat.most_running

    order, most_running = run_virtually(main)
    assert order == list(range(1_000))
    assert most_running == 10


def test_a_place_given_free_wakes_one_waiter():
    async def main():
        limiter = Limiter(1)
        first = await limiter.acquire()
        woken = []

        async def wait(number):
            permit = await limiter.acquire()
            woken.append(number)
            await asyncio.sleep(1)
            permit.release()

        tasks = [asyncio.create_task(wait(number)) for number in range(1_000)]
        await asyncio.sleep(0.5)
        assert count_waiting(limiter) == 1_000
        first.release()
        assert sum(waiter.future.done() for waiter in limiter._new) == 0
        assert count_waiting(limiter) == 999
        await asyncio.gather(*tasks)
        return woken

    assert run_virtually(main) == list(range(1_000))


def test_who_stops_waiting_takes_no_place():
    async def main():
        limiter = Limiter(1)
        first = await limiter.acquire()
        tasks = [asyncio.create_task(limiter.acquire()) for _ in range(5)]
        await asyncio.sleep(1)
        for task in tasks[:4]:
            task.cancel()
        first.release()
        last = await tasks[4]
        last.release()
        await asyncio.gather(*tasks[:4], return_exceptions=True)
        return limiter.in_flight, count_waiting(limiter)

    assert run_virtually(main) == (0, 0)


def test_a_place_granted_in_the_moment_of_cancelling_is_given_back():
    async def main():
        limiter = Limiter(1)
        first = await limiter.acquire()
        task = asyncio.create_task(limiter.acquire())
        await asyncio.sleep(1)
        first.release()
        assert limiter.in_flight == 1, "granted, and not yet taken up"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return limiter.in_flight

    assert run_virtually(main) == 0


def test_a_fixed_rate_of_requests_is_never_exceeded_in_any_minute():
    async def main():
        chat = FakeChat()
        await ask_all(EngineChat(chat, limiter=Limiter(64, requests_per_minute=300)), 1_000)
        return chat.times

    times = run_virtually(main)
    in_a_minute = [sum(begin <= time < begin + 60 for time in times) for begin in times]
    assert max(in_a_minute) <= 300
    assert times[-1] == pytest.approx(1_000 / 300 * 60, rel=0.05)


def test_a_fixed_rate_of_tokens_counts_what_was_used_and_not_what_was_feared():
    async def main():
        chat = FakeChat(usage=Usage(900, 100))
        engine = EngineChat(chat, limiter=Limiter(64, tokens_per_minute=60_000))
        await ask_all(engine, 600)
        return chat.times

    times = run_virtually(main)
    in_a_minute = [sum(begin <= time < begin + 60 for time in times) for begin in times]
    assert max(in_a_minute) <= 61
    assert times[-1] == pytest.approx(600, rel=0.1)


def test_a_call_that_was_turned_away_does_not_use_up_a_rate_of_tokens():
    """It was thought to need 261 tokens, which at this rate are two minutes, and no endpoint counts what it did not take."""

    async def main():
        chat = FakeChat(lambda _call, number: errors.RateLimited("full") if number == 0 else None)
        engine = EngineChat(chat, limiter=Limiter(8, tokens_per_minute=120), chance=random.Random(1))
        await engine.complete(build_call())
        return chat.times

    first, second = run_virtually(main)
    assert second - first < 2


def test_a_fixed_rate_of_tokens_is_never_exceeded_while_replies_take_their_time():
    async def main():
        chat = FakeChat(seconds=5, usage=Usage(150, 50))
        await ask_all(EngineChat(chat, limiter=Limiter(64, tokens_per_minute=12_000)), 240)
        return chat.times

    times = run_virtually(main)
    in_a_minute = [sum(begin <= time < begin + 60 for time in times) for begin in times]
    assert max(in_a_minute) <= 12_000 / 200
    assert times[-1] == pytest.approx(240, rel=0.1)


def test_a_call_larger_than_a_bucket_still_goes_and_leaves_a_debt():
    bucket = Bucket(60)
    assert bucket.find_wait(100, now=0.0) == 0
    bucket.take(100, now=0.0)
    assert bucket.find_wait(1, now=0.0) == pytest.approx(100)
    bucket.give_back(40)
    assert bucket.find_wait(1, now=0.0) == pytest.approx(60)


@pytest.mark.parametrize("settings", [{"requests_per_minute": 0}, {"tokens_per_minute": -1}, {"ceiling": 0}])
def test_a_limit_of_nothing_is_an_input_error(settings):
    with pytest.raises(errors.InputError):
        Limiter(**settings)


def test_what_an_endpoint_tells_one_call_holds_for_all():
    def answer(_call, number):
        return errors.RateLimited("slow", retry_after_seconds=20.0) if number == 0 else None

    async def main():
        chat = FakeChat(answer, seconds=1)
        outcomes = await ask_all(EngineChat(chat, limiter=Limiter(2), chance=random.Random(1)), 4)
        return chat.times, outcomes

    times, outcomes = run_virtually(main)
    assert times[:2] == [0, 0]
    assert min(times[2:]) >= 21
    assert all(isinstance(outcome, Completion) for outcome in outcomes)


def test_an_account_of_few_requests_a_minute_gets_all_its_replies():
    """Three every twenty seconds, and a burst of twenty at the start."""

    async def main():
        taken = []

        def answer(_call, _number):
            taken[:] = [moment for moment in taken if now() - moment < 20]
            if len(taken) >= 3:
                return errors.RateLimited("slow", retry_after_seconds=taken[0] + 20 - now())
            return taken.append(now())

        outcomes = await ask_all(EngineChat(FakeChat(answer), limiter=Limiter(64), chance=random.Random(1)), 20)
        return sum(isinstance(outcome, Completion) for outcome in outcomes)

    assert run_virtually(main) == 20
