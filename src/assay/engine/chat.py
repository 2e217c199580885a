"""A chat model with an engine around it: cached, limited, retried, metered and paid for."""

import asyncio
import random
from collections import OrderedDict
from copy import copy
from dataclasses import astuple, dataclass, field

from assay.engine.breaker import Breaker
from assay.engine.budget import Budget, Charge
from assay.engine.cache import MemoryCache, ReplyCache, SingleFlight, digest_call
from assay.engine.costs import Meter, Price, Size, TokenBound, explain_unpriced, find_bill
from assay.engine.limits import Limiter, Permit
from assay.engine.prefixes import Prefixes
from assay.engine.retries import AskCalls, AskKey, Retries, ask_of, find_retry_after, is_overload, is_turned_away
from assay.errors import InputError, JudgeError, NoCallsLeft, TimedOut, Unreachable
from assay.models.chat import Call, CallKey, Chat, Completion, Usage, WrappedChat

# Far more asks than are ever under way at once. A later run only has to send a forgotten one again.
_REMEMBERED_ASKS = 100_000


@dataclass(slots=True)
class EngineChat(WrappedChat):
    """Answers as the chat inside it would, or raises the error that ended the retries.

    Meter, budget and cache may be shared by all chats of a run, limiter and breaker by all chats of one endpoint and
    key. After an error that only the user can mend, such as a refused key, nothing more is sent. `endpoint` tells
    servers apart that serve models of one name.
    """

    chat: Chat
    endpoint: str = ""
    retries: Retries = field(default_factory=Retries)
    limiter: Limiter = field(default_factory=Limiter)
    breaker: Breaker = field(default_factory=Breaker)
    prefixes: Prefixes = field(default_factory=Prefixes)
    cache: ReplyCache = field(default_factory=MemoryCache)
    budget: Budget = field(default_factory=Budget)
    price: Price | None = None
    meter: Meter = field(default_factory=Meter)
    chance: random.Random = field(default_factory=random.Random)
    _in_flight: SingleFlight = field(default_factory=SingleFlight, init=False)
    _bound: TokenBound = field(default_factory=TokenBound, init=False)
    _calls: AskCalls = field(default_factory=AskCalls, init=False)
    _unread: OrderedDict[AskKey, tuple[str, ...]] = field(default_factory=OrderedDict, init=False)
    _permanent_error: InputError | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.price is None:
            if self.budget.limit_picodollars is not None:
                raise explain_unpriced(self.chat.name)
            self.meter.unpriced = True

    async def close(self) -> None:
        await self.chat.close()

    async def complete(self, call: Call) -> Completion:
        key = digest_call(self.chat.name, call, self.endpoint)
        completion = self.cache.get(key, call.key)
        try:
            if completion is not None:
                self.meter.cached += 1
                self.cache.put(key, completion, call.key)
            elif not self.cache.shares:
                completion = await self._ask(call, key)
            else:
                completion, shared = await self._in_flight.share(key, lambda: self._ask(call, key))
                if shared:
                    self.meter.shared += 1
                    self.cache.put(key, completion, call.key)
        except JudgeError as error:
            self.meter.failures[error.status] += 1
            raise
        # The replies to an ask, all attempts of it, until one of them could be read.
        ask = ask_of(call.key)
        earlier = self._unread.pop(ask, ()) if call.key.attempt else ()
        self._unread[ask] = (*earlier, key)
        if len(self._unread) > _REMEMBERED_ASKS:
            self._unread.popitem(last=False)
        self.meter.note_model(self.chat.name, completion.model)
        return completion

    def accept(self, key: CallKey) -> None:
        self.cache.accept(self._unread.pop(ask_of(key), ()), key)

    async def _ask(self, call: Call, key: str) -> Completion:
        """A call is under way until its reply is kept, so a crash loses none that a later call rests on."""
        left = self._calls.count_left(call.key, self.retries)
        if left < 1:
            raise NoCallsLeft(f"all {self.retries.calls_per_ask} calls for this prompt are used up")
        size = self._bound.measure(call)
        async with self.prefixes.follow(call) as sent:
            permit = await self.limiter.acquire(size.total)
            try:
                completion = await self._send_until_answered(sent, size, permit, left)
                self.cache.put(key, completion, call.key)
                await self.cache.committed()
            finally:
                permit.release()
        return completion

    async def _send_until_answered(self, call: Call, size: Size, permit: Permit, left: int) -> Completion:
        """Sends until there is an answer, or one of the bounds is reached; then the last error stands.

        A probe of the breaker is no try, and the wait for it no part of the time: neither tells about this call.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + self.retries.total_seconds
        sent = retry_after_waits = 0
        while True:
            begun, is_probe = loop.time(), False
            try:
                async with self.breaker.watch() as is_probe:
                    end += loop.time() - begun
                    return await self._send(call, size, permit, end - loop.time(), is_probe=is_probe)
            except JudgeError as error:
                has_retry_after = find_retry_after(error) is not None
                sent += not has_retry_after and not is_probe
                retry_after_waits += has_retry_after and not is_probe
                is_last = sent >= left or retry_after_waits > self.retries.retry_after_waits
                wait = None if is_last else self.retries.find_wait(error, sent, self.chance)
                if wait is None or loop.time() + wait >= end:
                    raise
                await permit.renew(wait, hold=is_turned_away(error))
                if loop.time() >= end:
                    raise
                self.meter.retries += 1

    async def _send(self, call: Call, size: Size, permit: Permit, seconds: float, *, is_probe: bool) -> Completion:
        if self._permanent_error is not None:
            raise copy(self._permanent_error)
        reserved = self._charge(call, size)
        await self.budget.reserve(reserved)
        # Until the endpoint says otherwise, a request may be billed in full: the budget pays for that. What people are
        # shown are the calls that were answered.
        spent, answered = size, False
        usage: Usage | None = None
        self.meter.begin(priced=self.price is not None)
        try:
            completion = await self._complete_within(min(seconds, self.retries.call_seconds), call)
            usage, answered = completion.usage, True
            if usage is not None:
                spent = Size(usage.prompt_tokens, usage.completion_tokens)
                self._bound.learn(size, usage)
            self.limiter.speed_up()
        except JudgeError as error:
            spent, answered = find_bill(error, size), not isinstance(error, TimedOut | Unreachable)
            retry_after = find_retry_after(error)
            if retry_after is None and not is_probe:
                self._calls.count_failure(call.key)
            if is_overload(error):
                self.limiter.overload(permit, silent=isinstance(error, TimedOut), wait_seconds=retry_after)
            raise
        except InputError as error:
            spent, self._permanent_error = Size(0, 0), error
            raise
        finally:
            charge = self._charge(call, usage or spent)
            self.budget.settle(reserved, charge)
            self.limiter.correct(size.total - spent.total)
            if answered:
                self.meter.pay(usage or spent, charge.picodollars)
            self.meter.running -= 1
        return completion

    async def _complete_within(self, seconds: float, call: Call) -> Completion:
        try:
            async with asyncio.timeout(seconds):
                return await self.chat.complete(call)
        except TimeoutError:
            raise TimedOut(f"{self.chat.name}: no whole answer in {seconds:.3g} s") from None

    def _charge(self, call: Call, spent: Size | Usage) -> Charge:
        """What a usage costs; of a size, the most that it can: a shared prefix may be written to the cache."""
        price, cost = self.price, 0
        if isinstance(spent, Usage):
            cost = 0 if price is None else price.compute_cost(*astuple(spent))
            return Charge(spent.prompt_tokens + spent.completion_tokens, cost)
        if price is not None:
            written = {0, spent.prompt if call.shared is not None else 0}
            cost = max(price.compute_cost(spent.prompt, spent.reply, written=each) for each in written)
        return Charge(spent.total, cost)
