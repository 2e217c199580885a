"""Several things at once, and none of them left behind."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

Value = TypeVar("Value")


async def together(*work: Coroutine[object, object, Value]) -> list[Value]:
    """All results in the order of the work. The first error ends the rest before it is raised as itself."""
    if len(work) == 1:
        return [await work[0]]
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
