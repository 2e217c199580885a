"""One owner of retries: what is sent again, how often, after how long, and what it ends in."""

import asyncio
import random
from dataclasses import replace

import pytest
from fake_chats import FakeChat, build_call
from virtual_time import now, run_virtually

from assay import errors
from assay.engine.cache import MemoryCache
from assay.engine.chat import EngineChat
from assay.engine.limits import Limiter
from assay.engine.retries import Retries
from assay.models.anthropic import AnthropicChat
from assay.models.openai import OpenAIChat
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer

QUICK = Retries(base_seconds=0.001, call_seconds=30)
# Only for who hangs: a busy machine may be silent for a quarter of a second as well.
HURRIED = Retries(base_seconds=0.001, call_seconds=0.5)
SCHEMA = {"type": "object", "properties": {"label": {"enum": ["yes", "no"]}}, "required": ["label"]}

PASSING = [
    (Fault.RATE_LIMITED, "unreachable"),
    (Fault.SERVER_ERROR, "unreachable"),
    (Fault.OVERLOADED, "unreachable"),
    (Fault.RESET, "unreachable"),
    (Fault.HANG, "timed_out"),
    (Fault.GARBAGE, "malformed"),
]
OF_THE_MODEL = [Fault.CUT, Fault.FENCED, Fault.SLOPPY, Fault.EMPTY, Fault.OUT_OF_RANGE, Fault.REFUSAL]


def ask_server(call, faults=(), *, script=None, times=1, retries=QUICK, chat_class=OpenAIChat):
    """What came of asking one engine in a row, with the server and the engine that were asked."""

    async def run():
        async with ScriptedServer(script, faults) as server:
            chat = EngineChat(
                chat_class("scripted", base_url=server.base_url), retries=retries, chance=random.Random(1)
            )
            outcomes = []
            for _ in range(times):
                try:
                    outcomes.append(await chat.complete(call))
                except (errors.InputError, errors.JudgeError) as error:
                    outcomes.append(error)
            await chat.close()
            return outcomes, server, chat

    return asyncio.run(run())


def choose(fault):
    return HURRIED if fault is Fault.HANG else QUICK


def strike(fault, *, always=False):
    return FaultRule(fault, always=always, retry_after_seconds=0)


@pytest.mark.parametrize("chat_class", [OpenAIChat, AnthropicChat])
@pytest.mark.parametrize(("fault", "_status"), PASSING)
def test_a_passing_fault_costs_one_more_call(fault, _status, chat_class):
    [completion], server, chat = ask_server(build_call(), [strike(fault)], chat_class=chat_class, retries=choose(fault))
    assert completion.text == "yes"
    assert server.calls == 2
    assert (chat.meter.sent, chat.meter.retries) == (2, 1)
    assert not chat.meter.failures


@pytest.mark.parametrize(("fault", "status"), PASSING)
def test_a_lasting_fault_costs_three_calls_and_keeps_its_status(fault, status):
    [error], server, chat = ask_server(build_call(), [strike(fault, always=True)], retries=choose(fault))
    assert isinstance(error, errors.JudgeError)
    assert error.status == status
    assert server.calls == 3
    assert chat.meter.failures == {status: 1}


@pytest.mark.parametrize("always", [False, True])
@pytest.mark.parametrize("fault", OF_THE_MODEL)
def test_what_the_model_says_is_never_asked_for_twice_here(fault, always):
    [completion], server, chat = ask_server(build_call(schema=SCHEMA), [strike(fault, always=always)])
    assert not isinstance(completion, Exception)
    assert server.calls == 1
    assert chat.meter.retries == 0


@pytest.mark.parametrize("always", [False, True])
def test_what_a_retry_can_not_mend_is_sent_once(always):
    [error], server, _ = ask_server(build_call(), [strike(Fault.TOO_LONG, always=always)])
    assert isinstance(error, errors.TooLong)
    assert server.calls == 1


@pytest.mark.parametrize("fault", [Fault.REJECTS_SCHEMA, Fault.REJECTS_TEMPERATURE, Fault.REJECTS_MAX_TOKENS])
def test_a_parameter_the_endpoint_rejects_is_no_failure(fault):
    [completion], _, chat = ask_server(build_call(schema=SCHEMA), [strike(fault, always=True)])
    assert completion.finish_reason == "stop"
    assert (chat.meter.retries, chat.meter.failures) == (0, {})


@pytest.mark.parametrize(
    ("fault", "kind"), [(Fault.BAD_KEY, errors.KeyRefused), (Fault.UNKNOWN_MODEL, errors.UnknownModel)]
)
def test_after_what_only_the_user_can_mend_nothing_more_is_sent(fault, kind):
    outcomes, server, chat = ask_server(build_call(), [strike(fault, always=True)], times=3)
    assert [type(error) for error in outcomes] == [kind] * 3
    assert all(error.remedy for error in outcomes)
    assert server.calls == 1
    assert chat.limiter.in_flight == 0


def test_a_hung_reply_costs_one_deadline():
    def hang_once(_call, number):
        return errors.TimedOut("never") if number > 5 else None

    async def main():
        chat = FakeChat(hang_once)
        slow = asyncio.Event()
        answer = chat.complete

        async def complete(call):
            if not chat.calls:
                chat.calls.append(call)
                await slow.wait()
            return await answer(call)

        chat.complete = complete
        engine = EngineChat(chat, retries=Retries(call_seconds=40, base_seconds=0.5))
        await engine.complete(build_call())
        return now(), len(chat.calls)

    seconds, calls = run_virtually(main)
    assert 40 <= seconds <= 40.5
    assert calls == 2


def test_an_endpoint_that_always_hangs_is_left_after_the_total_time():
    async def main():
        chat = FakeChat(seconds=10_000)
        engine = EngineChat(chat, retries=Retries(call_seconds=120, total_seconds=150))
        with pytest.raises(errors.TimedOut):
            await engine.complete(build_call())
        return now(), len(chat.calls)

    seconds, calls = run_virtually(main)
    assert seconds <= 150
    assert calls == 2


@pytest.mark.parametrize(
    ("told", "least", "most"), [(7.0, 7.0, 7.7), (500.0, 60.0, 66.0), (0.0, 0.5, 1.0), (None, 0.5, 1.0)]
)
def test_a_rate_limit_is_waited_out_as_long_as_it_asks_but_no_longer_than_the_cap(told, least, most):
    def refuse_once(_call, number):
        return errors.RateLimited("slow down", retry_after_seconds=told) if number == 0 else None

    async def main():
        chat = FakeChat(refuse_once)
        await EngineChat(chat, chance=random.Random(3)).complete(build_call())
        return chat.times

    first, second = run_virtually(main)
    assert least <= second - first <= most


def test_a_wait_past_the_total_time_is_not_begun():
    def refuse(_call, _number):
        return errors.RateLimited("slow down", retry_after_seconds=60)

    async def main():
        chat = FakeChat(refuse)
        with pytest.raises(errors.RateLimited):
            await EngineChat(chat, retries=Retries(total_seconds=30)).complete(build_call())
        return now(), len(chat.calls)

    assert run_virtually(main) == (0.0, 1)


def test_a_retry_that_gets_its_turn_too_late_is_not_sent():
    async def main():
        limiter = Limiter(1)
        chat = FakeChat(fail(0))
        first = EngineChat(chat, limiter=limiter, retries=Retries(total_seconds=30))
        slow = EngineChat(FakeChat(seconds=100), limiter=limiter)
        outcomes = await asyncio.gather(
            first.complete(build_call()), slow.complete(build_call()), return_exceptions=True
        )
        return [type(outcome).__name__ for outcome in outcomes], len(chat.calls), now()

    assert run_virtually(main) == (["Unreachable", "Completion"], 1, 100)


def test_back_off_doubles_jitters_fully_and_repeats_with_its_seed():
    retries = Retries(sends=9, base_seconds=1.0, longest_wait_seconds=16.0)
    error = errors.Unreachable("reset")
    chance = random.Random(5)
    waits = {sent: [retries.find_wait(error, sent, chance) for _ in range(500)] for sent in range(1, 9)}
    for sent, drawn in waits.items():
        ceiling = min(16.0, 2.0 ** (sent - 1))
        assert max(drawn) <= ceiling
        assert max(drawn) > 0.9 * ceiling
        assert min(drawn) < 0.1 * ceiling
    assert retries.find_wait(error, 9, chance) is None
    again = random.Random(5)
    assert waits[1] == [retries.find_wait(error, 1, again) for _ in range(500)]


def fail(*failing):
    return lambda _call, number: errors.Unreachable("down") if number in failing else None


def ask_again_and_again(script):
    """A judge that finds every reply unusable and asks twice more, as judges may; what each attempt came to."""

    async def attempts(engine):
        outcomes = []
        for attempt in range(3):
            try:
                await engine.complete(build_call(f"attempt {attempt}", attempt=attempt))
                outcomes.append("ok")
            except errors.JudgeError as error:
                outcomes.append(type(error).__name__)
                break
        return outcomes

    async def main():
        chat = FakeChat(script)
        return await attempts(EngineChat(chat)), len(chat.calls)

    return run_virtually(main)


@pytest.mark.parametrize(
    ("failing", "outcomes", "calls"),
    [
        ((), ["ok", "ok", "ok"], 3),
        ((0,), ["ok", "ok", "ok"], 4),
        ((0, 1), ["ok", "ok", "NoCallsLeft"], 4),
        ((1, 2), ["ok", "ok", "NoCallsLeft"], 4),
        ((1, 2, 3), ["ok", "Unreachable"], 4),
        ((0, 1, 2), ["Unreachable"], 3),
        ((2, 3), ["ok", "ok", "Unreachable"], 4),
    ],
)
def test_retries_and_re_asks_of_one_ask_share_four_calls(failing, outcomes, calls):
    assert ask_again_and_again(fail(*failing)) == (outcomes, calls)


@pytest.mark.parametrize(
    "other", [{"record": "r2"}, {"system": "b"}, {"ask": "n"}, {"sample": 1}], ids=lambda other: next(iter(other))
)
def test_two_asks_do_not_spend_each_others_calls(other):
    async def main():
        chat = FakeChat(fail(0, 1, 2))
        engine = EngineChat(chat)
        call = build_call("one", attempt=1)
        with pytest.raises(errors.Unreachable):
            await engine.complete(call)
        with pytest.raises(errors.NoCallsLeft):
            await engine.complete(call)
        return (await engine.complete(replace(call, key=replace(call.key, **other)))).text

    assert run_virtually(main) == "reply 3"


def test_a_first_attempt_starts_the_count_anew():
    async def main():
        engine = EngineChat(FakeChat(fail(0, 1, 2)))
        with pytest.raises(errors.Unreachable):
            await engine.complete(build_call())
        return (await engine.complete(build_call())).text

    assert run_virtually(main) == "reply 3"


def test_only_so_many_failed_asks_are_remembered(monkeypatch):
    monkeypatch.setattr("assay.engine.retries._REMEMBERED_ASKS", 1_000)

    async def main():
        engine = EngineChat(FakeChat(lambda *_: errors.TooLong("no")), cache=MemoryCache(1))
        for number in range(1_050):
            with pytest.raises(errors.TooLong):
                await engine.complete(build_call(str(number), record=str(number)))
        return len(engine._calls._failures)

    assert run_virtually(main) == 1_000


def test_closing_closes_the_chat_inside():
    async def main():
        chat = FakeChat()
        engine = EngineChat(chat)
        assert (engine.name, engine.context_tokens) == (chat.name, None)
        await engine.close()
        return chat.closed

    assert run_virtually(main)


def test_an_engine_works_again_in_the_next_event_loop():
    engine = EngineChat(FakeChat(fail(0)))

    async def ask(text):
        completion = await engine.complete(build_call(text))
        await engine.close()
        return completion.text

    assert [run_virtually(lambda: ask("one")), run_virtually(lambda: ask("two"))] == ["reply 1", "reply 2"]
