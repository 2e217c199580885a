"""Chats without a network, for questions of timing and counting."""

import asyncio

from assay.models.chat import Call, CallKey, Completion, Message, Usage

USAGE = Usage(10, 5)


def build_call(text="Is the tea green?", *, record="r1", ask="m", sample=0, attempt=0, max_tokens=100, schema=None):
    return Call((Message("user", text),), schema, max_tokens, 0.0, CallKey(record, ask, sample, attempt))


class FakeChat:
    """Takes `seconds` for each call and then does what the script says: an error to raise, or anything else to answer.

    The script is called with the call and its number; without one every call is answered.
    """

    context_tokens = None
    reasons = False
    shares_schema = False

    def __init__(self, script=None, *, seconds=0.0, name="fake:model", usage=USAGE):
        self.name = name
        self.calls = []
        self.times = []
        self.running = 0
        self.most_running = 0
        self.closed = False
        self._script = script
        self._seconds = seconds
        self._usage = usage

    async def complete(self, call):
        number = len(self.calls)
        self.calls.append(call)
        self.times.append(asyncio.get_running_loop().time())
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await asyncio.sleep(self._seconds)
        finally:
            self.running -= 1
        said = self._script(call, number) if self._script else None
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Completion):
            return said
        return Completion(f"reply {number}", "stop", self._usage, self.name.partition(":")[2])

    async def close(self):
        self.closed = True


def count_waiting(limiter):
    return sum(not waiter.future.done() for queue in (limiter._begun, limiter._new) for waiter in queue)
