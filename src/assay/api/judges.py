"""Opens judges by name, each behind an engine that retries, limits, caches and pays."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.api.config import EMBEDDED, LOCAL, RunConfig
from assay.engine.batching import BatchChat, BatchRows
from assay.engine.breaker import Breaker
from assay.engine.budget import Budget
from assay.engine.cache import MemoryCache, ReplyCache
from assay.engine.chat import EngineChat
from assay.engine.costs import Meter, Price, read_prices
from assay.engine.limits import Limiter
from assay.engine.prefixes import Prefixes
from assay.engine.retries import Retries
from assay.errors import InputError
from assay.judges.judge import Judge
from assay.judges.own_prompt import OwnPrompt, OwnPromptJudge
from assay.judges.prompted.judge import PromptedJudge
from assay.models.batches import open_batch_api
from assay.models.catalogue import open_chat
from assay.models.chat import Chat
from assay.models.providers import Provider, read_providers
from assay.models.recording import Recorder
from assay.models.wire import HostedChat

# Several answers of one judge are only worth asking for where they can differ.
_SAMPLING_TEMPERATURE = 0.7
_CALLS_IN_FLIGHT = 64
# A batch waits for nobody, and is answered or has expired within days.
_ANY_CALLS = 10**9
_LONGEST_SECONDS = 7 * 24 * 3600.0


class Quotas:
    """Opens what bounds the calls of a run. Processes that share one run share them by a kind of their own."""

    def open_budget(self, request: RunConfig) -> Budget:
        return Budget(request.budget_usd, request.budget_tokens)

    def open_limiter(self, request: RunConfig, account: str) -> Limiter:
        del account
        return Limiter(
            count_places(request),
            requests_per_minute=request.requests_per_minute,
            tokens_per_minute=request.tokens_per_minute,
        )


def count_places(request: RunConfig) -> int:
    """Calls in flight at an endpoint: several metrics of a record are asked together."""
    return max(_CALLS_IN_FLIGHT, 2 * request.records_under_way)


@dataclass(slots=True)
class Engine:
    """What all judges of a run share: the cache of replies, the budget, and the count of calls.

    Judges at one endpoint with one key share its limits too; the fixed rates hold for each endpoint and key.
    """

    request: RunConfig = field(default_factory=RunConfig)
    cache: ReplyCache = field(default_factory=MemoryCache)
    meter: Meter = field(default_factory=Meter)
    own_prompt: OwnPrompt | None = None
    open_batches: Callable[[str], BatchRows] | None = None
    quotas: Quotas = field(default_factory=Quotas)
    budget: Budget = field(init=False)
    prices: Mapping[str, Price] = field(init=False)
    providers: Mapping[str, Provider] = field(init=False)
    endpoints: dict[str, None] = field(default_factory=dict, init=False)
    caches_prompts: bool = field(default=False, init=False)
    limiters: dict[str, Limiter] = field(default_factory=dict, init=False)
    breakers: dict[str, Breaker] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        prices = self.request.prices
        self.budget = self.quotas.open_budget(self.request)
        self.prices = read_prices(None if prices is None else Path(prices))
        self.providers = read_providers(None if self.request.providers is None else Path(self.request.providers))

    def open_judge(self, name: str) -> Judge:
        """`embedded`, or a model of the catalogue; keys come from the environment."""
        if name == EMBEDDED or name.startswith(LOCAL):
            return self._open_embedded(name)
        request, chat = self.request, self.open_model(name)
        temperature = 0.0 if request.samples == 1 else _SAMPLING_TEMPERATURE
        if self.own_prompt is not None:
            return OwnPromptJudge(chat, self.own_prompt, temperature=temperature)
        return PromptedJudge(chat, joint=request.joint, temperature=temperature)

    def open_model(self, name: str) -> Chat:
        """A chat model of the catalogue behind this engine, or a recording of one."""
        request = self.request
        chat: Chat = open_chat(
            name,
            request.base_url,
            os.environ,
            providers=self.providers,
            timeout_seconds=request.timeout,
            reasoning_effort=request.reasoning_effort,
        )
        if isinstance(chat, HostedChat):  # a recording has nothing to retry, to cache or to pay
            if request.reasoning_effort != chat.reasoning_effort and len(request.judges) == 1:
                message = f"{chat.settings.name} has no setting for the reasoning effort of {chat.model}"
                raise InputError(message, remedy="Leave out `reasoning_effort`.")
            self.endpoints[chat.connection.digest] = None
            chat = self._wrap_in_batches(chat) if request.batch else self._wrap(chat)
        elif request.batch:
            raise InputError("a recording has no batch endpoint", remedy="Leave out `batch`.")
        if request.recorder is not None:
            chat = Recorder(chat, Path(request.recorder))
        return chat

    def _wrap(self, chat: HostedChat) -> EngineChat:
        timeout, prefixes = self.request.timeout, Prefixes()
        if chat.caching != "none":
            self.caches_prompts = True
            prefixes = Prefixes(chat.settings.cache_min_tokens, chat.shares_schema)
        if chat.connection.account not in self.limiters:
            self.limiters[chat.connection.account] = self.quotas.open_limiter(self.request, chat.connection.account)
        return EngineChat(
            chat,
            chat.connection.digest,
            retries=Retries(call_seconds=timeout, total_seconds=max(2 * timeout, 240.0)),
            limiter=self.limiters[chat.connection.account],
            prefixes=prefixes,
            breaker=self.breakers.setdefault(chat.connection.account, Breaker()),
            cache=self.cache,
            budget=self.budget,
            price=self.prices.get(chat.priced_as),
            meter=self.meter,
        )

    def _wrap_in_batches(self, chat: HostedChat) -> EngineChat:
        """The provider limits and times what is in a batch; what fails there goes into the next one at once.

        Failures of a batch come all at once, and tell a breaker nothing. No call goes ahead to fill a cache of prompts.
        """
        api = open_batch_api(chat)
        if self.open_batches is None:
            remedy = "Give a `store`: it keeps the ids of the batches."
            raise InputError("a batch run needs a store", remedy=remedy)
        price = self.prices.get(chat.priced_as)
        rows = self.open_batches(f"{chat.name} {chat.connection.digest}")
        shares, request = self.cache.shares, self.request
        return EngineChat(
            BatchChat(chat, api, rows, self.meter, request.poll, shares, request.resubmit),
            chat.connection.digest,
            retries=Retries(base_seconds=0.0, call_seconds=_LONGEST_SECONDS, total_seconds=_LONGEST_SECONDS),
            limiter=Limiter(_ANY_CALLS, start=_ANY_CALLS),
            breaker=Breaker(_ANY_CALLS),
            cache=self.cache,
            budget=self.budget,
            price=None if price is None else price.in_batch,
            meter=self.meter,
        )

    def _open_embedded(self, name: str) -> Judge:
        """With its own model or a local one.

        It has no address and always answers the same: options that suggest otherwise are refused.
        """
        from assay.judges.embedded.judge import EmbeddedJudge

        # In a panel the address is that of the judges that have one.
        if self.request.base_url is not None and len(self.request.judges) == 1:
            remedy = "Name the model at that address: openai:MODEL."
            raise InputError("the built-in judge has no address", remedy=remedy)
        if self.request.reasoning_effort is not None and len(self.request.judges) == 1:
            message = "the built-in judge has no reasoning effort to set"
            raise InputError(message, remedy="Name a language model, or leave out `reasoning_effort`.")
        if self.request.samples > 1:
            message = "the built-in judge is deterministic: several samples would be the same"
            raise InputError(message, remedy="Name a language model, or leave out `samples`.")
        if name == EMBEDDED:
            return EmbeddedJudge()
        from assay.judges.local import open_checker

        return EmbeddedJudge(open_checker(name.removeprefix(LOCAL)))

    def describe_wait(self) -> str | None:
        """Why nothing is sent for the moment, and how long. Only of whole seconds, and for people."""
        now = time.monotonic()  # the clock of every event loop
        probes = [each.probe_at - now for each in self.breakers.values() if each.probe_at is not None]
        rests = [wait for each in self.limiters.values() if (wait := each.find_rest(now)) is not None]
        for waits, why in ((probes, "calls fail"), (rests, "rate limited")):
            if waits and min(waits) >= 0.5:
                return f"{why}, next call in {round(min(waits))} s"
        return None
