"""A chat that answers through a provider's batch endpoint.

It collects the calls that wait for a reply, submits them when no new one comes, and gives each its result. So whatever
can be asked at the same time is one batch, and what depends on its replies is the next.
"""

import asyncio
import hashlib
import uuid
import warnings
from collections.abc import Awaitable, Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Protocol, TypeVar

from assay.engine.cache import digest_call
from assay.engine.costs import Meter, OpenBatch
from assay.errors import InputError, JudgeError, Malformed, RateLimited, Suspended, Unreachable
from assay.models.batches import BatchApi, BatchState, PlannedBatch
from assay.models.chat import Call, CallKey, Completion, WrappedChat
from assay.models.responses import ErrorReply
from assay.models.wire import HostedChat, Json, Request

Value = TypeVar("Value")

# With no new call for so long, all that can be asked now has been asked. Shorter where batches are polled more often.
_QUIET_SECONDS = 5.0
# After so many failures in a row the server is no longer asked. Its batches continue there.
_MOST_FAILURES = 30
# A file of results that lacks some is read so many times before these count as lost.
_MOST_READS = 3
_KEY_CHARACTERS = 32
_LISTED_STAGES = 3


class BatchRows(Protocol):
    """What is kept of batches, so that no request is submitted twice. See `store.batches.Batches`."""

    @property
    def run(self) -> str: ...

    def plan(self, batch: PlannedBatch, keys: Sequence[str]) -> None: ...

    def name(self, token: str, identifier: str) -> None: ...

    def drop(self, token: str) -> None: ...

    async def mark_failed(self, token: str, key: str) -> None: ...

    def list_unnamed(self) -> list[PlannedBatch]: ...

    def list_ids(self) -> frozenset[str]: ...

    def find(self, key: str) -> tuple[PlannedBatch, str] | None: ...

    def list_keys(self, token: str) -> frozenset[str]: ...


@dataclass(slots=True)
class _Waiting:
    """A request that somebody waits for; `token` is that of its batch, once it is in one."""

    key: str
    request: Request
    stage: str
    answer: "asyncio.Future[Json | ErrorReply]"
    token: str = ""


@dataclass(slots=True)
class BatchChat(WrappedChat):
    """Answers as the chat inside it would, hours later and for less. One per judge; it needs an engine around it.

    With `is_shared`, equal calls are one request, whatever record they are for. `resubmits` sends a batch again of
    which the provider's list does not tell whether it was submitted.
    """

    chat: HostedChat
    api: BatchApi
    rows: BatchRows
    meter: Meter
    poll_seconds: float = 30.0
    is_shared: bool = True
    resubmits: bool = False
    _queue: list[_Waiting] = field(default_factory=list, init=False)
    _waiting: dict[str, _Waiting] = field(default_factory=dict, init=False)
    _open: dict[str, OpenBatch] = field(default_factory=dict, init=False)
    _most_requests: int = field(init=False)
    _quiet_until: float = field(default=0.0, init=False)
    _poll_at: float = field(default=0.0, init=False)
    _refusals: int = field(default=0, init=False)
    _is_turned_away: bool = field(default=False, init=False)
    _recovering: "asyncio.Task[None] | None" = field(default=None, init=False)
    _worker: "asyncio.Task[None] | None" = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._most_requests = self.api.most_requests

    @property
    def shares_schema(self) -> bool:
        """Batches fill no cache of prompts, so a schema of all metrics would be paid for in every request."""
        return False

    def accept(self, key: CallKey) -> None:
        """Nothing is kept here."""

    async def close(self) -> None:
        tasks = [task for task in (self._recovering, self._worker) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._recovering = self._worker = None
        await self.chat.close()

    async def complete(self, call: Call) -> Completion:
        if self._recovering is None:
            self._recovering = asyncio.create_task(self._recover())
        await asyncio.shield(self._recovering)
        key = self._identify(call)
        stage = f"{call.key.ask} again" if call.key.attempt else call.key.ask
        while True:
            request = self.chat.build_request(call)
            waiting = _Waiting(key, request, stage, asyncio.get_running_loop().create_future())
            try:
                answer = await self._ask(waiting)
                if isinstance(answer, dict):
                    return self.chat.read_completion(answer, request)
                self.chat.connection.learn(answer, request)
            except JudgeError as error:
                if error.retry_helps:
                    await self.rows.mark_failed(waiting.token, key)
                # Fewer calls at a time would not help: the provider decides how many are answered at once.
                raise Unreachable(str(error)) if isinstance(error, Unreachable) else error from None
            await self.rows.mark_failed(waiting.token, key)

    def _identify(self, call: Call) -> str:
        """Finds a request again, whatever its limit of tokens, which grows after replies that were cut off."""
        digest = digest_call(self.chat.name, replace(call, max_tokens=0), self.chat.connection.digest)
        if not self.is_shared:
            purpose = f"{digest}\n{call.key.ask}\n{call.key.record}\n{call.key.system}"
            digest = hashlib.sha256(purpose.encode("utf-8", "surrogatepass")).hexdigest()
        return digest[:_KEY_CHARACTERS]

    async def _ask(self, waiting: _Waiting) -> Json | ErrorReply:
        earlier = self._waiting.get(waiting.key)
        if earlier is not None:  # the same call but for its limit of tokens
            try:
                return await asyncio.shield(earlier.answer)
            finally:
                waiting.token = earlier.token
        found = self.rows.find(waiting.key)
        if found is None:
            self._queue.append(waiting)
        else:
            self._attach(waiting, *found)
        self._waiting[waiting.key] = waiting
        now, quiet = asyncio.get_running_loop().time(), min(_QUIET_SECONDS, self.poll_seconds)
        self._quiet_until = max(self._quiet_until, now + quiet)
        if self._worker is None:
            self._poll_at = now + self.poll_seconds
            self._worker = asyncio.create_task(self._work())
            self._worker.add_done_callback(self._pass_on)
        elif self._worker.done():
            self._pass_on(self._worker)
        try:
            return await waiting.answer
        finally:
            self._waiting.pop(waiting.key, None)

    def _attach(self, waiting: _Waiting, plan: PlannedBatch, identifier: str) -> None:
        """The request is in a batch already, submitted before the run was resumed."""
        waiting.token = plan.token
        if plan.token not in self._open:
            self._begin(OpenBatch(plan, identifier, waiting.stage))
            self._poll_at = 0.0

    def _begin(self, batch: OpenBatch) -> None:
        self._open[batch.plan.token] = self.meter.batches[batch.plan.token] = batch

    def _pass_on(self, worker: "asyncio.Task[None]") -> None:
        """An error that ends the work ends every wait for it."""
        error = None if worker.cancelled() else worker.exception()
        if error is not None:
            for waiting in self._waiting.values():
                if not waiting.answer.done():
                    waiting.answer.set_exception(copy(error))

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(min(_QUIET_SECONDS, self.poll_seconds) / 2)
            # Nothing is read while records are still prepared: one reading serves all who wait for a result.
            while self._queue and (self._is_quiet() or len(self._queue) >= self._most_requests):
                if self._is_turned_away and self._open:
                    break
                await self._submit(self._take())
            if self._is_quiet() and loop.time() >= self._poll_at:
                for batch in list(self._open.values()):
                    await self._look_at(batch)
                self._poll_at = loop.time() + self.poll_seconds

    def _is_quiet(self) -> bool:
        return asyncio.get_running_loop().time() >= self._quiet_until

    def _take(self) -> list[tuple[_Waiting, bytes]]:
        """The first calls of the queue, as many as one batch holds."""
        taken: list[tuple[_Waiting, bytes]] = []
        size, token = 0, uuid.uuid4().hex[:16]
        for waiting in self._queue[: self._most_requests]:
            line = self.api.build_line(f"{token}-{waiting.key}", waiting.request)
            size += len(line) + 1
            if taken and size > self.api.most_bytes:
                break
            waiting.token = token
            taken.append((waiting, line))
        del self._queue[: len(taken)]
        return [each for each in taken if not each[0].answer.done()]

    async def _submit(self, taken: list[tuple[_Waiting, bytes]]) -> None:
        """Planned, submitted, named. After a crash in between, the provider's list tells how far it came."""
        if not taken:
            return
        plan = PlannedBatch(self.rows.run, taken[0][0].token, len(taken), datetime.now(UTC))
        self.rows.plan(plan, [waiting.key for waiting, _ in taken])
        lines = [line for _, line in taken]
        try:
            state = await self._patiently(partial(self.api.create, plan, lines), partial(self._find, plan))
        except RateLimited as error:
            self._put_back(plan, error)
            return
        self.rows.name(plan.token, state.id)
        self._refusals = 0
        stages = list(dict.fromkeys(waiting.stage for waiting, _ in taken))
        stage = ", ".join([*stages[:_LISTED_STAGES], *(["…"] if len(stages) > _LISTED_STAGES else [])])
        self._begin(OpenBatch(plan, state.id, stage))
        self.meter.submitted += 1

    def _put_back(self, plan: PlannedBatch, error: RateLimited) -> None:
        """The provider's queue is full. The next try comes when a batch has ended; without one, with half as many."""
        self.rows.drop(plan.token)
        self._queue[:0] = [waiting for waiting in self._waiting.values() if waiting.token == plan.token]
        self._is_turned_away = True
        if not self._open:
            self._refusals += 1
            if self._refusals > _MOST_FAILURES:
                raise _suspend(error)
            self._most_requests = max(1, plan.count // 2)
            wait = max(self.poll_seconds, error.retry_after_seconds or 0.0)
            self._quiet_until = asyncio.get_running_loop().time() + wait

    async def _find(self, plan: PlannedBatch) -> BatchState | None:
        try:
            return await self.api.find(plan, self.rows.list_ids())
        except Suspended:
            if self.resubmits:
                return None
            raise

    async def _recover(self) -> None:
        """Looks in the provider's list for batches that were planned when the process ended. Drops those not in it."""
        for plan in self.rows.list_unnamed():
            state = await self._patiently(partial(self._find, plan))
            if state is None:
                self.rows.drop(plan.token)
            else:
                self.rows.name(plan.token, state.id)

    async def _look_at(self, batch: OpenBatch) -> None:
        state = await self._patiently(partial(self._get, batch))
        batch.answered, batch.failed = state.answered, state.failed
        if not state.has_ended:
            return
        if state.rejection is None:
            await self._read_results(batch, state)
            return
        self._close(batch)
        error = state.rejection.as_error(f"batch {state.id}", self.chat.settings.key_variable)
        if isinstance(error, RateLimited):
            self._put_back(batch.plan, error)
            return
        for waiting in self._list_waiting(batch):
            waiting.answer.set_result(state.rejection)

    async def _get(self, batch: OpenBatch) -> BatchState:
        try:
            return await self.api.get(batch.id)
        except Suspended:
            if not self.resubmits:
                raise
            batch.reads = _MOST_READS
            return BatchState(batch.id, has_ended=True)

    async def _read_results(self, batch: OpenBatch, state: BatchState) -> None:
        """Each result goes to the request that its custom id names, in whatever order they come."""
        keys, unknown = self.rows.list_keys(batch.plan.token), 0
        awaited = self._list_waiting(batch)
        try:
            async for result in self.api.read_results(state):
                token, _, key = result.custom_id.partition("-")
                if token != batch.plan.token or key not in keys:
                    unknown += 1
                    continue
                waiting = self._waiting.get(key)
                if waiting is None or waiting.token != token or waiting.answer.done():
                    continue
                if result.answer is None:
                    waiting.answer.set_exception(
                        Unreachable(f"batch {state.id} ended before this request was answered")
                    )
                else:
                    waiting.answer.set_result(result.answer)
                await asyncio.sleep(0)  # the reply is read and kept before the next one takes its room
        except JudgeError as error:
            problem = str(error)
        else:
            problem = "it is not in the results"
        batch.reads += 1
        missing = [waiting for waiting in awaited if not waiting.answer.done()]
        if missing and batch.reads < _MOST_READS:
            return
        for waiting in missing:
            waiting.answer.set_exception(Malformed(f"batch {state.id} holds no answer to this request: {problem}"))
        if unknown:
            text = f"batch {state.id}: {unknown} results are left out, whose ids belong to none of its requests"
            warnings.warn(text, stacklevel=2)
        if self._list_waiting(batch):  # they came while the results were read
            batch.reads = 0
        else:
            self._close(batch)

    def _list_waiting(self, batch: OpenBatch) -> list[_Waiting]:
        token = batch.plan.token
        return [each for each in self._waiting.values() if each.token == token and not each.answer.done()]

    def _close(self, batch: OpenBatch) -> None:
        del self._open[batch.plan.token]
        self.meter.batches.pop(batch.plan.token, None)
        self._is_turned_away = False

    async def _patiently(
        self, act: Callable[[], Awaitable[Value]], look: Callable[[], Awaitable[Value | None]] | None = None
    ) -> Value:
        """Retries transient failures. Before something is sent again, `look` finds out whether it has arrived."""
        for left in reversed(range(_MOST_FAILURES)):
            try:
                return await act()
            except JudgeError as error:
                if look is not None and isinstance(error, RateLimited):
                    raise
                if not error.retry_helps:
                    raise InputError(str(error), remedy="Leave out `batch`.") from None
                if not left:
                    raise _suspend(error) from None
            await asyncio.sleep(self.poll_seconds)
            if look is not None:
                found = await self._patiently(look)
                if found is not None:
                    return found
        raise AssertionError  # the last failure was raised


def _suspend(error: JudgeError) -> Suspended:
    return Suspended(f"the batches go on, but the provider does not answer: {error}", remedy="Resume the run later.")
