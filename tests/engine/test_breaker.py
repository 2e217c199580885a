"""An endpoint that fails every call is not asked for long; one that recovers is asked again."""

import asyncio
from collections import Counter

import pytest
from fake_chats import FakeChat, build_call
from virtual_time import now, run_virtually

from assay import errors
from assay.engine.breaker import Breaker
from assay.engine.chat import EngineChat
from assay.engine.limits import Limiter

ERRORS = [
    errors.Unreachable("HTTP 500"),
    errors.RateLimited("HTTP 429"),
    errors.RateLimited("HTTP 429", retry_after_seconds=1),
    errors.Unreachable("HTTP 529", overloaded=True),
    errors.TimedOut("silence"),
    errors.Malformed("a page"),
]


def ask_many(script, count=60, *, seconds=0.01, limiter=None, at_once=None):
    """The kinds of outcomes of that many calls, with the chat, the engine and the time it took."""

    async def main():
        chat = FakeChat(script, seconds=seconds)
        engine = EngineChat(chat, limiter=limiter or Limiter())
        gate = asyncio.Semaphore(at_once or count)

        async def ask(number):
            async with gate:
                return await engine.complete(build_call(str(number), record=str(number)))

        outcomes = await asyncio.gather(*map(ask, range(count)), return_exceptions=True)
        return Counter(type(each).__name__ for each in outcomes), chat, engine, now()

    return run_virtually(main)


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("at_once", [1, 3, 60])
def test_an_endpoint_that_fails_every_call_gets_at_most_forty(error, at_once):
    outcomes, chat, engine, _ = ask_many(lambda *_: error, at_once=at_once)
    assert engine.breaker.tripped
    assert len(chat.calls) <= 40
    assert outcomes["EndpointDown"] >= 40
    assert engine.limiter.in_flight == 0


def test_an_endpoint_that_comes_back_within_the_probes_is_asked_everything():
    outcomes, chat, engine, seconds = ask_many(
        lambda *_: errors.Unreachable("HTTP 500") if now() < 3 else None, seconds=0.5
    )
    assert outcomes == {"Completion": 60}
    assert not engine.breaker.tripped
    assert 3 < seconds < 10
    assert len(chat.calls) < 60 + 40


def test_while_the_breaker_is_open_one_call_goes_at_a_time():
    _, chat, _, _ = ask_many(lambda *_: errors.Unreachable("HTTP 500"), seconds=0)
    late = [at for at in chat.times if at > 0.9]
    assert len(late) == 3
    assert late[1] - late[0] >= 3
    assert late[2] - late[1] >= 9


def test_what_waiting_does_not_help_is_not_probed():
    outcomes, chat, _, seconds = ask_many(lambda *_: errors.Rejected("HTTP 400"), at_once=1)
    assert len(chat.calls) == 10
    assert outcomes == {"Rejected": 10, "EndpointDown": 50}
    assert seconds < 1


@pytest.mark.parametrize("answer", [None, errors.TooLong("too long"), errors.Refused("filtered")], ids=repr)
def test_an_answer_in_between_begins_the_count_anew(answer):
    def fail_mostly(_call, number):
        return answer if number % 9 == 8 else errors.Unreachable("HTTP 500")

    _, _, engine, _ = ask_many(fail_mostly, at_once=1)
    assert not engine.breaker.tripped


def test_a_call_that_is_still_under_way_may_save_the_endpoint():
    async def main():
        chat = FakeChat(lambda call, _: None if call.key.record == "slow" else errors.Unreachable("HTTP 500"))
        answer = chat.complete

        async def complete(call):
            await asyncio.sleep(60 if call.key.record == "slow" else 0)
            return await answer(call)

        chat.complete = complete
        engine = EngineChat(chat)
        slow = asyncio.create_task(engine.complete(build_call("slow", record="slow")))
        calls = (engine.complete(build_call(str(number), record=str(number))) for number in range(12))
        await asyncio.gather(slow, *calls, return_exceptions=True)
        return slow.exception(), engine.breaker.tripped, engine.breaker.is_failing

    assert run_virtually(main)[0] is None


def test_a_probe_that_is_cancelled_leaves_its_turn_to_another_call():
    async def main():
        breaker = Breaker(threshold=1, probe_seconds=(1.0,))
        with pytest.raises(errors.Unreachable):
            async with breaker.watch():
                raise errors.Unreachable("HTTP 500")

        async def hang():
            async with breaker.watch():
                await asyncio.sleep(1_000)

        first = asyncio.create_task(hang())
        await asyncio.sleep(2)
        first.cancel()
        async with breaker.watch() as is_probe:
            return is_probe, now()

    assert run_virtually(main) == (True, 2.0)


def test_a_rate_limit_is_told_while_nothing_is_sent():
    async def main():
        limiter = Limiter()
        engine = EngineChat(FakeChat(lambda *_: errors.RateLimited("429", retry_after_seconds=30)), limiter=limiter)
        task = asyncio.create_task(engine.complete(build_call()))
        await asyncio.sleep(1)
        rest = limiter.find_rest(now())
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return rest, limiter.waits_until

    rest, rests = run_virtually(main)
    assert 28.9 <= rest <= 33
    assert not rests
