"""A second identical call makes no request, and whatever makes a call another call makes another key."""

import asyncio
from dataclasses import replace

import pytest
from fake_chats import FakeChat, build_call
from virtual_time import now, run_virtually

from assay import errors
from assay.engine.cache import MemoryCache, digest_call
from assay.engine.chat import EngineChat
from assay.engine.limits import Limiter
from assay.engine.retries import Retries
from assay.models.chat import Call, CallKey, Completion, Message, Usage

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
CALL = Call(
    (Message("system", "You label claims."), Message("user", "Claim: the tea is green.")),
    SCHEMA,
    200,
    0.0,
    CallKey("r1", "hallucination"),
)
REPLY = Completion("yes", "stop", Usage(1, 1), "m")
PURPOSE = CallKey("r", "m")


@pytest.mark.parametrize(
    "other",
    [
        replace(CALL, messages=(CALL.messages[0], Message("user", "Claim: the tea is black."))),
        replace(CALL, messages=(Message("user", CALL.messages[0].text), CALL.messages[1])),
        replace(CALL, messages=CALL.messages[::-1]),
        replace(CALL, messages=CALL.messages[:1]),
        replace(CALL, messages=(*CALL.messages, Message("user", ""))),
        replace(CALL, messages=(Message("system", "You label claims.C"), Message("user", "laim: the tea is green."))),
        replace(CALL, schema=None),
        replace(CALL, schema={**SCHEMA, "type": "array"}),
        replace(CALL, schema={"type": "object", "properties": dict(reversed(SCHEMA["properties"].items()))}),
        replace(CALL, max_tokens=201),
        replace(CALL, temperature=None),
        replace(CALL, temperature=0.7),
        replace(CALL, key=replace(CALL.key, sample=1)),
        replace(CALL, key=replace(CALL.key, attempt=1)),
    ],
)
def test_every_field_a_reply_depends_on_is_in_the_key(other):
    assert digest_call("openai:m", CALL) != digest_call("openai:m", other)


def test_another_model_or_endpoint_is_another_key():
    asked = [("openai:m", "here"), ("anthropic:m", "here"), ("openai:m", "there")]
    assert len({digest_call(name, CALL, endpoint) for name, endpoint in asked}) == 3


class Accepting(MemoryCache):
    accepted = ()

    def accept(self, keys, purpose):
        self.accepted = (*self.accepted, (len(tuple(keys)), purpose.record))


def test_a_reply_that_could_be_read_accepts_the_earlier_attempts_at_its_ask_and_no_other():
    async def main():
        cache = Accepting()
        engine = EngineChat(FakeChat(), cache=cache)
        for record, attempts in (("a", 2), ("b", 1), ("c", 1)):
            for attempt in range(attempts):
                call = build_call(record, record=record, attempt=attempt)
                await engine.complete(call)
        for record in ("a", "c", "a"):
            engine.accept(CallKey(record, "m"))
        await engine.complete(build_call("d", record="b"))
        engine.accept(CallKey("b", "m"))
        return cache.accepted

    assert run_virtually(main) == ((2, "a"), (1, "c"), (0, "a"), (1, "b")), "a first attempt begins anew"


@pytest.mark.parametrize(
    "key",
    [
        CallKey("r2", "hallucination"),
        CallKey("r1", "coverage"),
        CallKey("r1", "hallucination", system="b"),
    ],
)
def test_what_a_call_is_for_is_not_in_the_key(key):
    assert digest_call("openai:m", CALL) == digest_call("openai:m", replace(CALL, key=key))


def test_a_whole_number_for_a_temperature_is_the_same_temperature():
    assert digest_call("m", CALL) == digest_call("m", replace(CALL, temperature=0))


def test_half_a_surrogate_pair_has_a_key_too():
    broken = replace(CALL, messages=(Message("user", "half: \ud83d"),))
    assert digest_call("m", broken) != digest_call("m", replace(CALL, messages=(Message("user", "half: ?"),)))


def test_a_second_identical_call_makes_no_request():
    async def main():
        chat = FakeChat()
        engine = EngineChat(chat)
        first = await engine.complete(build_call(record="a"))
        second = await engine.complete(build_call(record="b"))
        third = await engine.complete(build_call(sample=1))
        return first, second, third, chat, engine.meter

    first, second, third, chat, meter = run_virtually(main)
    assert first == second != third
    assert len(chat.calls) == 2
    assert (meter.sent, meter.cached) == (2, 1)
    assert (meter.prompt_tokens, meter.reply_tokens) == (20, 10)


def test_a_cache_may_outlive_its_engine_and_is_bound_to_the_model():
    async def main():
        cache = MemoryCache()
        chats = [FakeChat(name="a"), FakeChat(name="a"), FakeChat(name="b")]
        for chat in chats:
            await EngineChat(chat, cache=cache).complete(build_call())
        return [len(chat.calls) for chat in chats]

    assert run_virtually(main) == [1, 0, 1]


def test_a_failure_is_never_kept():
    async def main():
        chat = FakeChat(lambda _call, number: errors.TooLong("no") if number == 0 else None)
        cache = MemoryCache()
        engine = EngineChat(chat, cache=cache)
        with pytest.raises(errors.TooLong):
            await engine.complete(build_call())
        assert cache.get(digest_call(chat.name, build_call()), build_call().key) is None
        return (await engine.complete(build_call())).text

    assert run_virtually(main) == "reply 1"


def test_without_the_cache_every_call_is_made_and_every_reply_is_kept():
    async def main():
        chat = FakeChat(seconds=1)
        cache = SlowStore(shares=False)
        engine = EngineChat(chat, cache=cache)
        await asyncio.gather(*(engine.complete(build_call()) for _ in range(3)))
        await engine.complete(build_call())
        assert engine.meter.cached == engine.meter.shared == 0
        return len(chat.calls), len(cache.kept)

    assert run_virtually(main) == (4, 4)


class SlowStore:
    """Keeps all that is put, and can read none of it yet."""

    def __init__(self, seconds=0.0, shares=True):
        self.kept = []
        self.seconds = seconds
        self.shares = shares

    def get(self, _key, _purpose):
        return None

    def put(self, key, completion, purpose):
        self.kept.append((key, completion, purpose))

    async def committed(self):
        await asyncio.sleep(self.seconds)


def test_every_use_of_a_reply_is_told_to_the_cache_also_one_of_a_reply_it_gave():
    class Telling(MemoryCache):
        uses = ()

        def put(self, key, completion, purpose):
            self.uses = (*self.uses, purpose.record)
            super().put(key, completion, purpose)

    async def main():
        chat, cache = FakeChat(), Telling()
        engine = EngineChat(chat, cache=cache)
        await engine.complete(build_call(record="a"))
        await engine.complete(build_call(record="b"))
        return len(chat.calls), cache.uses

    assert run_virtually(main) == (1, ("a", "b"))


def test_a_call_is_under_way_until_its_reply_is_kept():
    async def main():
        chat = FakeChat(seconds=1)
        engine = EngineChat(chat, cache=SlowStore(seconds=2), limiter=Limiter(2))
        await asyncio.gather(*(engine.complete(build_call(str(number))) for number in range(4)))
        return chat.times, now()

    assert run_virtually(main) == ([0, 0, 3, 3], 6)


def test_the_longest_unused_reply_gives_way():
    cache = MemoryCache(2)
    for key in ("a", "b"):
        cache.put(key, REPLY, PURPOSE)
    assert cache.get("a", PURPOSE) == REPLY
    cache.put("c", REPLY, PURPOSE)
    assert [cache.get(key, PURPOSE) is not None for key in ("a", "b", "c")] == [True, False, True]


def test_identical_calls_under_way_share_one_request():
    async def main():
        chat = FakeChat(seconds=1)
        engine = EngineChat(chat)
        replies = await asyncio.gather(*(engine.complete(build_call(record=str(number))) for number in range(50)))
        return {reply.text for reply in replies}, len(chat.calls), engine.meter

    texts, calls, meter = run_virtually(main)
    assert texts == {"reply 0"}
    assert calls == meter.sent == 1
    assert (meter.shared, meter.cached) == (49, 0)


def test_a_shared_failure_reaches_everyone_and_costs_one_callers_tries():
    async def main():
        chat = FakeChat(lambda *_: errors.RateLimited("slow", retry_after_seconds=2.0), seconds=1)
        engine = EngineChat(chat)
        calls = (engine.complete(build_call(record=str(number))) for number in range(10))
        return await asyncio.gather(*calls, return_exceptions=True), len(chat.calls), engine.meter.failures

    outcomes, calls, failures = run_virtually(main)
    assert all(type(outcome) is errors.RateLimited for outcome in outcomes)
    assert all(outcome.retry_after_seconds == 2.0 for outcome in outcomes)
    assert len({id(outcome) for outcome in outcomes}) == 10
    assert calls == 9
    assert failures == {"unreachable": 10}


def test_a_refused_key_reaches_everyone_who_shares_the_call():
    async def main():
        chat = FakeChat(lambda *_: errors.KeyRefused("no", remedy="Set it"), seconds=1)
        calls = (EngineChat.complete(engine, build_call()) for engine in [EngineChat(chat)] * 5)
        return await asyncio.gather(*calls, return_exceptions=True), len(chat.calls)

    outcomes, calls = run_virtually(main)
    assert [(type(outcome), outcome.remedy) for outcome in outcomes] == [(errors.KeyRefused, "Set it")] * 5
    assert calls == 1


def test_when_the_first_stops_waiting_the_next_makes_the_call():
    async def main():
        chat = FakeChat(seconds=10)
        engine = EngineChat(chat)
        tasks = [asyncio.create_task(engine.complete(build_call(record=str(number)))) for number in range(4)]
        await asyncio.sleep(5)
        tasks[0].cancel()
        tasks[2].cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        return [type(outcome).__name__ for outcome in outcomes], len(chat.calls), now()

    kinds, calls, seconds = run_virtually(main)
    assert kinds == ["CancelledError", "Completion", "CancelledError", "Completion"]
    assert calls == 2
    assert seconds == 15


def test_one_records_deadline_is_not_anothers():
    async def main():
        engine = EngineChat(FakeChat(seconds=10), retries=Retries(call_seconds=60))

        async def judge(seconds):
            async with asyncio.timeout(seconds):
                return await engine.complete(build_call())

        return await asyncio.gather(judge(3), judge(30), return_exceptions=True)

    first, second = run_virtually(main)
    assert isinstance(first, TimeoutError)
    assert isinstance(second, Completion)
