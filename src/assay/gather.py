"""`asyncio.gather` that cancels the others when one fails."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

Value = TypeVar("Value")


async def gather_or_cancel(*work: Coroutine[object, object, Value]) -> list[Value]:
    """All results in order. Where one raises, the others are cancelled and waited for before the error goes on."""
    if len(work) == 1:
        return [await work[0]]
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
