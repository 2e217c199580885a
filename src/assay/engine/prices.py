"""What a model's tokens cost, from a dated list that anyone can override: a price not known is never guessed."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

from assay.domain.money import PICODOLLARS
from assay.errors import InputError

_PER_MILLION = 10**6
_EXAMPLE = '`["openai:my-model"]`, then `prompt = 0.15` and `reply = 0.60`, in dollars per million tokens'


@dataclass(frozen=True, slots=True)
class Price:
    """Whole picodollars per token: sums of them are exact, so a budget is compared without a rounding error."""

    prompt: int
    reply: int

    def compute_cost(self, prompt_tokens: int, reply_tokens: int) -> int:
        return self.prompt * prompt_tokens + self.reply * reply_tokens


@dataclass(frozen=True, slots=True)
class Prices:
    """By the name a model is asked for under, provider included. `read_on` dates the shipped ones."""

    by_name: Mapping[str, Price]
    read_on: str

    def find(self, name: str) -> Price | None:
        return self.by_name.get(name)


def require_price(name: str, price: Price | None) -> Price:
    """A budget in dollars means nothing without a price."""
    if price is not None:
        return price
    remedy = f"Give a prices file with {_EXAMPLE}, or limit the run by --budget-tokens"
    raise InputError(f"the price of {name} is unknown, so a budget in dollars can't be kept", remedy=remedy)


def read_prices(path: Path | None = None) -> Prices:
    """The shipped list, with a file of the user's laid over it."""
    shipped = _parse(files(__package__).joinpath("prices.toml").read_text("utf-8"), "prices.toml")
    read_on = str(shipped.pop("read_on"))
    by_name = {name: _read_price(name, entry, "prices.toml") for name, entry in shipped.items()}
    if path is not None:
        own = _parse(_read_text(path), str(path))
        own.pop("read_on", None)
        by_name |= {name: _read_price(name, entry, str(path)) for name, entry in own.items()}
    return Prices(by_name, read_on)


def render_usd(picodollars: int) -> str:
    """Cents where they say enough, two significant digits below that."""
    amount = Decimal(picodollars) / PICODOLLARS
    if amount == 0 or amount >= Decimal("0.995"):
        return f"${amount:,.2f}"
    return f"${amount:.{min(12, 1 - amount.adjusted())}f}"


def _read_text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        told = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"cannot be read ({told})", path=str(path), remedy=f"Write {_EXAMPLE}") from None


def _parse(text: str, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML: {error}", path=path, remedy=f"Write {_EXAMPLE}") from None


def _read_price(name: str, entry: object, path: str) -> Price:
    if not isinstance(entry, dict) or set(entry) != {"prompt", "reply"}:
        raise InputError(
            f'"{name}" needs a `prompt` and a `reply` price, and nothing else', path=path, remedy=f"Write {_EXAMPLE}"
        )
    return Price(_read_amount(name, entry["prompt"], path), _read_amount(name, entry["reply"], path))


def _read_amount(name: str, value: object, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise InputError(f'a price of "{name}" is not a number', path=path, remedy=f"Write {_EXAMPLE}")
    amount = Decimal(value)
    if not amount.is_finite() or not 0 <= amount <= _PER_MILLION:
        raise InputError(f'a price of "{name}" is out of range', path=path, remedy=f"Write {_EXAMPLE}")
    return int((amount * PICODOLLARS / _PER_MILLION).to_integral_value(ROUND_CEILING))
