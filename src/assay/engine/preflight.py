"""What a run will send and cost, before the first call."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.engine.budget import Budget
from assay.engine.prices import Price, render_usd
from assay.engine.tokens import estimate_prompt
from assay.models.chat import Message

# Limits leave room for the longest reply; a usual one fills about a third of it.
_USUAL_SHARE = 3


@dataclass(frozen=True, slots=True)
class Bill:
    calls: int
    tokens: int
    picodollars: int | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """From every reply being usable at once and of usual length, to every ask re-asked to the end at full length."""

    model: str
    low: Bill
    high: Bill
    reasks: int

    def render(self, budget: Budget | None = None) -> str:
        calls = f"{self.low.calls:,} calls to {self.model}"
        if self.high.calls > self.low.calls:
            calls += f" without re-asks, at most {self.high.calls:,} with {self.reasks} each"
        sentences = [
            f"{calls}: {_render_range(f'{self.low.tokens:,}', f'{self.high.tokens:,}')} tokens, {self._render_cost()}."
        ]
        warning = self._find_warning(budget) if budget is not None else None
        return " ".join([*sentences, warning] if warning else sentences)

    def _render_cost(self) -> str:
        if self.low.picodollars is None or self.high.picodollars is None:
            return "cost unknown (no price is known for this model)"
        return _render_range(render_usd(self.low.picodollars), render_usd(self.high.picodollars))

    def _find_warning(self, budget: Budget) -> str | None:
        for bill, words in ((self.low, "will stop"), (self.high, "may stop")):
            tokens, cost = budget.limit_tokens, budget.limit_picodollars
            if tokens is not None and bill.tokens > tokens:
                return f"The budget of {tokens:,} tokens {words} the run before its end."
            if cost is not None and bill.picodollars is not None and bill.picodollars > cost:
                return f"The budget of {render_usd(cost)} {words} the run before its end."
        return None


class Preflight:
    """Adds up planned calls as they are named, and keeps none of them."""

    def __init__(self, model: str, price: Price | None, *, reasks: int = 2) -> None:
        self._model = model
        self._price = price
        self._reasks = reasks
        self._calls = 0
        self._prompt_tokens = 0
        self._reply_tokens = 0

    def add(self, messages: Sequence[Message], max_tokens: int, *, times: int = 1) -> None:
        """A planned call; with `times`, one that stands for that many like it."""
        self._calls += times
        self._prompt_tokens += times * estimate_prompt(messages)
        self._reply_tokens += times * max_tokens

    def forecast(self) -> Forecast:
        asked = 1 + self._reasks
        low = self._bill(self._calls, self._prompt_tokens, self._reply_tokens // _USUAL_SHARE)
        high = self._bill(self._calls * asked, self._prompt_tokens * asked, self._reply_tokens * asked)
        return Forecast(self._model, low, high, self._reasks)

    def _bill(self, calls: int, prompt: int, reply: int) -> Bill:
        cost = None if self._price is None else self._price.compute_cost(prompt, reply)
        return Bill(calls, prompt + reply, cost)


def _render_range(low: str, high: str) -> str:
    return f"about {low}" if low == high else f"about {low} to {high}"
