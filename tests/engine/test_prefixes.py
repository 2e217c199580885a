"""The first call with a prefix goes ahead; the others follow when it has been answered."""

import asyncio
from dataclasses import replace

import pytest
from fake_chats import FakeChat, build_call
from virtual_time import run_virtually

from assay import errors
from assay.engine.chat import EngineChat
from assay.engine.prefixes import Prefixes
from assay.models.chat import SharedPrefix

SOURCE = "The ferry leaves the pier at noon. " * 200


def build_shared(number, *, repeats=True, source=SOURCE):
    call = build_call(f"{source}Question {number}", record=str(number))
    return replace(call, shared=SharedPrefix(len(source), repeats))


def ask_all(calls, script=None, prefixes=None):
    async def main():
        chat = FakeChat(script, seconds=1)
        engine = EngineChat(chat, prefixes=prefixes or Prefixes(1_000))
        await asyncio.gather(*map(engine.complete, calls), return_exceptions=True)
        return chat

    return run_virtually(main)


def test_the_first_goes_ahead_and_the_others_follow_together():
    chat = ask_all([build_shared(number) for number in range(5)])
    assert chat.times == [0.0, 1.0, 1.0, 1.0, 1.0]
    assert all(call.shared for call in chat.calls)


def test_calls_on_other_items_do_not_wait():
    chat = ask_all([build_shared(number, source=f"{number}. {SOURCE}") for number in range(5)])
    assert chat.times == [0.0] * 5


@pytest.mark.parametrize("prefixes", [Prefixes(), Prefixes(100_000)], ids=["no cache", "too short"])
def test_where_nothing_is_cached_nothing_waits_and_nothing_is_marked(prefixes):
    chat = ask_all([build_shared(number) for number in range(5)], prefixes=prefixes)
    assert chat.times == [0.0] * 5
    assert not any(call.shared for call in chat.calls)


def test_where_the_first_fails_the_next_one_goes_ahead():
    chat = ask_all(
        [build_shared(number) for number in range(4)], lambda _, at: errors.TooLong("no") if at == 0 else None
    )
    assert chat.times == [0.0, 1.0, 2.0, 2.0]


def test_what_does_not_repeat_reads_a_cached_prefix_and_writes_none():
    async def main():
        chat = FakeChat()
        engine = EngineChat(chat, prefixes=Prefixes(1_000))
        await engine.complete(build_shared(0, repeats=False))
        await engine.complete(build_shared(1))
        await engine.complete(build_shared(2, repeats=False))
        await asyncio.sleep(600)
        await engine.complete(build_shared(3, repeats=False))
        return [call.shared is not None for call in chat.calls]

    assert run_virtually(main) == [False, True, True, False]


def test_who_is_cancelled_while_it_leads_holds_up_nobody():
    async def main():
        chat = FakeChat(seconds=10)
        engine = EngineChat(chat, prefixes=Prefixes(1_000))
        first, second = (asyncio.create_task(engine.complete(build_shared(number))) for number in range(2))
        await asyncio.sleep(5)
        first.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        return chat.times

    assert run_virtually(main) == [0.0, 5.0]
