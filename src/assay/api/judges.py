"""Opens judges by name, each behind an engine that retries, limits, caches and pays."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from assay.domain.defences import Defences
from assay.engine.budget import Budget
from assay.engine.cache import MemoryCache, ReplyCache
from assay.engine.chat import EngineChat
from assay.engine.costs import Prices, read_prices
from assay.engine.limits import Limiter
from assay.engine.retries import Retries
from assay.engine.usage import Meter
from assay.errors import InputError
from assay.judges.judge import Judge
from assay.judges.prompted.judge import PromptedJudge
from assay.models.catalogue import open_chat
from assay.models.recording import Recorder, Recording
from assay.models.wire import HostedChat, Timeouts

EMBEDDED = "embedded"
# Several answers of one judge are only worth asking for where they can differ.
_SAMPLING_TEMPERATURE = 0.7
_CALLS_IN_FLIGHT = 64


@dataclass(slots=True)
class Engine:
    """What all judges of a run share: the cache of replies, the budget, and the count of calls.

    Judges at one endpoint with one key share its limits too; the fixed rates hold for each endpoint and key.
    """

    cache: ReplyCache = field(default_factory=MemoryCache)
    budget: Budget = field(default_factory=Budget)
    prices: Prices = field(default_factory=read_prices)
    meter: Meter = field(default_factory=Meter)
    calls_in_flight: int = _CALLS_IN_FLIGHT
    call_seconds: float = 120.0
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    defences: Defences = field(default_factory=Defences)
    _limiters: dict[str, Limiter] = field(default_factory=dict, init=False)

    def find_limiter(self, account: str) -> Limiter:
        if account not in self._limiters:
            self._limiters[account] = Limiter(
                self.calls_in_flight,
                requests_per_minute=self.requests_per_minute,
                tokens_per_minute=self.tokens_per_minute,
            )
        return self._limiters[account]


def find_calls_in_flight(workers: int) -> int:
    """How many calls so many records at once may have under way: several metrics of one are asked together."""
    return max(_CALLS_IN_FLIGHT, 2 * workers)


def _open_embedded(base_url: str | None, samples: int) -> Judge:
    """The embedded judge has no address and always answers the same: options that suggest otherwise are refused."""
    from assay.judges.embedded.judge import EmbeddedJudge

    if base_url is not None:
        raise InputError("the embedded judge has no address", remedy="Name the model at that address: openai:MODEL.")
    if samples > 1:
        remedy = "Name a language model, or leave out `samples`."
        raise InputError("the embedded judge always answers the same, so several samples tell nothing", remedy=remedy)
    return EmbeddedJudge()


def open_judge(
    spec: str,
    base_url: str | None = None,
    *,
    joint: bool = False,
    recorder: Path | None = None,
    engine: Engine | None = None,
    samples: int = 1,
) -> Judge:
    """`embedded`, `openai:MODEL`, `anthropic:MODEL` or `recorded:FILE`; keys come from the environment.

    A recording is answered as it stands: there is nothing to retry, to cache or to pay.
    """
    if spec == EMBEDDED:
        return _open_embedded(base_url, samples)
    engine = engine or Engine()
    seconds = engine.call_seconds
    timeouts = Timeouts(read_seconds=seconds, total_seconds=seconds)
    chat = open_chat(spec, base_url, os.environ, timeouts=timeouts)
    if not isinstance(chat, Recording):
        limiter = engine.find_limiter(chat.account if isinstance(chat, HostedChat) else chat.name)
        price = engine.prices.find(chat.name)
        retries = Retries(call_seconds=seconds, total_seconds=max(2 * seconds, 240.0))
        chat = EngineChat(
            chat,
            retries=retries,
            limiter=limiter,
            cache=engine.cache,
            budget=engine.budget,
            price=price,
            meter=engine.meter,
        )
    if recorder is not None:
        chat = Recorder(chat, recorder)
    temperature = 0.0 if samples == 1 else _SAMPLING_TEMPERATURE
    return PromptedJudge(chat, joint=joint, temperature=temperature, defences=engine.defences)
