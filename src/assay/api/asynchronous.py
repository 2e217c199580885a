"""Runs a coroutine from synchronous code, also where an event loop is already running."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

Value = TypeVar("Value")


def run_async(work: Callable[[], Coroutine[object, object, Value]]) -> Value:
    """Runs a coroutine to its end. Where a loop is already running, in a thread of its own: no loop is ever patched."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Value]]] = []
    is_wanted: SimpleQueue[bool] = SimpleQueue()
    called_off = Event()

    async def start() -> Value:
        task = asyncio.ensure_future(work())
        started.append((asyncio.get_running_loop(), task))
        if called_off.is_set():
            task.cancel()
        return await task

    def run() -> Value:
        # Not before the other thread has begun to wait: one that an interrupt hits earlier would never be waited for.
        if not is_wanted.get():
            raise asyncio.CancelledError
        return asyncio.run(start())

    with ThreadPoolExecutor(1) as executor:
        try:
            running = executor.submit(run)
            is_wanted.put(True)
            return running.result()
        except BaseException:
            # An interrupt reaches this thread alone: without this, leaving would wait for the whole run.
            called_off.set()
            is_wanted.put(False)
            for loop, task in started:
                with suppress(RuntimeError):  # it has ended by itself
                    loop.call_soon_threadsafe(task.cancel)
            raise
