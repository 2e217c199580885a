"""What a run may spend: a budget that is never exceeded, and a forecast before the first call."""

import asyncio
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from decimal import ROUND_FLOOR, Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple

from assay.engine.costs import PICODOLLARS, Price, estimate_prompt, render_usd
from assay.errors import InputError, OverBudget
from assay.models.chat import Message


class Charge(NamedTuple):
    """Tokens of prompt and reply together, and their price in millionths of a millionth of a dollar."""

    tokens: int
    picodollars: int

    def plus(self, other: "Charge", sign: int = 1) -> "Charge":
        return Charge(self.tokens + sign * other.tokens, self.picodollars + sign * other.picodollars)


NOTHING = Charge(0, 0)
_LARGEST_USD = 10**12
# Limits leave room for the longest reply; a usual one fills about a third of it.
_USUAL_SHARE = 3


class Budget:
    """A call that does not fit beside those under way waits for them: they were reserved at their dearest.

    One that does not fit what has been spent can never fit. From then on the budget is exhausted: nothing more is
    granted, so that a run ends at one clear point. Without limits it only counts.
    """

    def __init__(self, usd: float | Decimal | str | None = None, tokens: int | None = None) -> None:
        self.limit_picodollars = None if usd is None else _read_picodollars(usd)
        self.limit_tokens = tokens
        if tokens is not None and tokens < 1:
            remedy = "Write `budget_tokens` as a number, such as 1000000"
            raise InputError(f"a budget of {tokens} tokens allows no call", remedy=remedy)
        self.spent = NOTHING
        self.reserved = NOTHING
        self.exhausted = False
        self.held = False
        self._waiting: list[asyncio.Future[None]] = []

    async def reserve(self, charge: Charge) -> None:
        """Returns once the charge is reserved; raises OverBudget if it can never be."""
        while True:
            self.exhausted = self.exhausted or self._exceeds(self.spent.plus(charge))
            if self.exhausted:
                raise self._refuse(charge)
            if not self.held and not self._exceeds(self.spent.plus(charge).plus(self.reserved)):
                self.reserved = self.reserved.plus(charge)
                return
            settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(settled)
            await settled

    def hold(self) -> None:
        """From now on nothing is reserved: calls that are not in flight wait until the run ends."""
        self.held = True

    def settle(self, reserved: Charge, spent: Charge) -> None:
        """Replaces a reservation by what the call cost. Waiting calls are checked again, in order."""
        self.reserved, self.spent = self.reserved.plus(reserved, -1), self.spent.plus(spent)
        waiting, self._waiting = self._waiting, []
        for settled in waiting:
            if not settled.done():  # else cancelled while it waited
                settled.set_result(None)

    def _exceeds(self, charge: Charge) -> bool:
        return (self.limit_tokens is not None and charge.tokens > self.limit_tokens) or (
            self.limit_picodollars is not None and charge.picodollars > self.limit_picodollars
        )

    def _refuse(self, charge: Charge) -> OverBudget:
        if self.limit_tokens is not None and self.spent.tokens + charge.tokens > self.limit_tokens:
            rest = f"{self.spent.tokens:,} of {self.limit_tokens:,} tokens are spent"
            return OverBudget(f"{rest}, and this call may take {charge.tokens:,}")
        if self.limit_picodollars is not None and self.spent.picodollars + charge.picodollars > self.limit_picodollars:
            rest = f"{render_usd(self.spent.picodollars)} of {render_usd(self.limit_picodollars)} are spent"
            return OverBudget(f"{rest}, and this call may cost {render_usd(charge.picodollars)}")
        return OverBudget("the budget could not pay for an earlier call, and nothing is sent after it")


def _read_picodollars(usd: float | Decimal | str) -> int:
    try:
        amount = Decimal(str(usd))
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount <= 0:
        remedy = "Write `budget_usd` as an amount, such as 2.50"
        raise InputError(f"a budget of {usd} dollars allows no call", remedy=remedy)
    if amount > _LARGEST_USD:
        raise InputError(f"a budget of {usd} dollars is too large", remedy="Leave `budget_usd` out")
    return int((amount * PICODOLLARS).to_integral_value(ROUND_FLOOR))


@dataclass(frozen=True, slots=True)
class Bill:
    calls: int
    tokens: int
    picodollars: int | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """From replies that are usable at once and of usual length, to every ask re-asked to the end at full length."""

    model: str
    low: Bill
    high: Bill
    is_rough: bool = False

    def render(self, budget: Budget | None = None) -> str:
        calls = format_calls(self.low.calls, self.high.calls, is_rough=self.is_rough)
        tokens = _render_range(f"{self.low.tokens:,}", f"{self.high.tokens:,}")
        warning = "" if budget is None else self._find_warning(budget)
        return f"{self.model}: {calls}, {tokens} tokens, {self.render_cost()}.{warning}"

    def render_cost(self) -> str:
        if self.low.picodollars is None or self.high.picodollars is None:
            return "cost unknown (no price is known for this model)"
        return _render_range(render_usd(self.low.picodollars), render_usd(self.high.picodollars))

    def _find_warning(self, budget: Budget) -> str:
        for bill, words in ((self.low, "will stop"), (self.high, "may stop")):
            tokens, cost = budget.limit_tokens, budget.limit_picodollars
            if tokens is not None and bill.tokens > tokens:
                return f" The budget of {tokens:,} tokens {words} the run early."
            if cost is not None and bill.picodollars is not None and bill.picodollars > cost:
                return f" The budget of {render_usd(cost)} {words} the run early."
        return ""


def format_calls(low: int, high: int, *, is_rough: bool = False) -> str:
    """As a dry run and a run say it."""
    calls = f"{'about ' if is_rough else ''}{low:,} {'call' if low == 1 else 'calls'}"
    return calls if high == low else f"{calls} (up to {high:,} with retries for invalid replies)"


@dataclass(slots=True)
class Load:
    """Calls that are to be made: their number, and the tokens of their prompts and of replies that fill their limit."""

    calls: int = 0
    prompt: int = 0
    reply: int = 0
    cached: int = 0
    written: int = 0

    def add(self, messages: Sequence[Message], max_tokens: int, times: int) -> None:
        self.calls += times
        self.prompt += times * estimate_prompt(messages)
        self.reply += times * max_tokens

    def times(self, share: Fraction) -> "Load":
        """So many times as many calls of the same size."""
        return Load(*(round(count * share) for count in astuple(self)))

    def plus(self, other: "Load") -> "Load":
        return Load(*(one + two for one, two in zip(astuple(self), astuple(other), strict=True)))

    def forecast(self, model: str, price: Price | None, *, reasks: int = 2, is_rough: bool = False) -> Forecast:
        def bill(asked: int, share: int) -> Bill:
            sent, received = self.prompt * asked, self.reply * asked // share
            cost = None
            if price is not None:
                # A re-ask begins as the ask did.
                again = (self.cached + self.written) * (asked - 1)
                cost = price.compute_cost(sent, received, self.cached + again, self.written)
            return Bill(self.calls * asked, sent + received, cost)

        return Forecast(model, bill(1, _USUAL_SHARE), bill(1 + reasks, 1), is_rough)


def _render_range(low: str, high: str) -> str:
    return f"about {low}" if low == high else f"about {low} to {high}"
