"""What calls cost: their tokens, bounded without the model's tokenizer, their price, and what a run has spent."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from decimal import ROUND_CEILING, Decimal
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from assay.errors import (
    BrokenOff,
    FailureStatus,
    InputError,
    JudgeError,
    NotRecorded,
    Refused,
    Rejected,
    TooLong,
    Unreachable,
)
from assay.models.batches import PlannedBatch
from assay.models.chat import EFFORT_MARK, MOST_TOKENS, Call, Message, Usage

# Money is counted in whole numbers: a token costs a few millionths of a dollar.
PICODOLLARS = 10**12
_PER_MILLION = 10**6
_LISTED_MODELS = 3
_EXAMPLE = '`["openai:my-model"]`, then `prompt = 0.15` and `reply = 0.60`, in dollars per million tokens'

# What chat templates put around a message and before the first one; default system prompts included.
_AROUND_MESSAGE = 16
_AROUND_CALL = 128
# Where a schema goes out as a tool, the endpoint adds instructions of its own.
_AROUND_SCHEMA = 1_000

# Calls that never reached the model, or were refused before it answered: no provider bills these.
_UNBILLED = (Unreachable, Rejected, TooLong, NotRecorded)

_LETTERS = bytes(byte for byte in range(128) if chr(byte).isalpha() or byte == 32)
_LETTERS_PER_TOKEN = 4.2
_OTHER_BYTES_PER_TOKEN = 1.6


class Size(NamedTuple):
    prompt: int
    reply: int

    @property
    def total(self) -> int:
        return self.prompt + self.reply


def bound_prompt(call: Call) -> int:
    """An upper bound: a token stands for one byte of UTF-8 at least, in every tokenizer whose alphabet is the bytes."""
    tokens = _AROUND_CALL
    for message in call.messages:
        text = message.text
        tokens += (len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))) + _AROUND_MESSAGE
    if call.schema is not None:
        tokens += len(orjson.dumps(call.schema)) + _AROUND_SCHEMA
    return tokens


def estimate_prompt(messages: Iterable[Message]) -> int:
    """An estimate: a little over four letters a token in words, far fewer in digits, signs and other scripts."""
    tokens = 0.0
    for message in messages:
        text = message.text.encode("utf-8", "surrogatepass")
        others = len(text.translate(None, _LETTERS))
        tokens += (len(text) - others) / _LETTERS_PER_TOKEN + others / _OTHER_BYTES_PER_TOKEN + _AROUND_MESSAGE / 2
    return round(tokens)


def find_bill(error: JudgeError, size: Size) -> Size:
    """What a request with this error may have been billed: all of it after a timeout or a garbled answer."""
    if isinstance(error, _UNBILLED) and not isinstance(error, BrokenOff):
        return Size(0, 0)
    return Size(size.prompt, 0) if isinstance(error, Refused) else size


@dataclass(slots=True)
class TokenBound:
    """An upper bound on the tokens of calls to one model. Raised where the usage of a reply exceeds it."""

    prompt_factor: float = 1.0
    reply_factor: float = 1.0

    def measure(self, call: Call) -> Size:
        prompt, reply = bound_prompt(call), call.max_tokens
        if self.prompt_factor > 1 or self.reply_factor > 1:
            prompt, reply = round(prompt * self.prompt_factor + 0.5), round(reply * self.reply_factor + 0.5)
        return Size(min(prompt, MOST_TOKENS), min(reply, MOST_TOKENS))

    def learn(self, size: Size, usage: Usage) -> None:
        # Calls measured before the first of them was learnt from all raise a factor, so that it needs an end.
        prompt, reply = usage.prompt_tokens / max(1, size.prompt), usage.completion_tokens / max(1, size.reply)
        self.prompt_factor = min(self.prompt_factor * max(1.0, prompt), float(MOST_TOKENS))
        self.reply_factor = min(self.reply_factor * max(1.0, reply), float(MOST_TOKENS))


@dataclass(slots=True)
class OpenBatch:
    """A batch under way, as far as the provider has counted. `stage` names its asks."""

    plan: PlannedBatch
    id: str
    stage: str
    answered: int = 0
    failed: int = 0
    reads: int = 0

    def render(self, now: float) -> str:
        minutes, seconds = divmod(max(0, round(now - self.plan.planned.timestamp())), 60)
        failed = f", {self.failed:,} failed" if self.failed else ""
        time = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
        return f"batch {self.id} ({self.stage}): {self.answered:,} of {self.plan.count:,} answered{failed}, {time}"


@dataclass(slots=True)
class Meter:
    """Shared by all chats of a run. `sent` counts retries too, `failures` calls that stay without an answer.

    `uncertain_tokens` are what replies without a usage may have been billed at most; the cost includes them. A call
    that was never answered costs nothing. `other_models` answered in the place of the one that was asked for.
    `batches` are those under way, `submitted` counts all of them.
    """

    running: int = 0
    sent: int = 0
    replies: int = 0
    retries: int = 0
    cached: int = 0
    shared: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    reply_tokens: int = 0
    uncertain_tokens: int = 0
    picodollars: int = 0
    sent_unpriced: int = 0
    unpriced: bool = False
    failures: Counter[FailureStatus] = field(default_factory=Counter)
    other_models: dict[str, None] = field(default_factory=dict)
    batches: dict[str, OpenBatch] = field(default_factory=dict)
    submitted: int = 0

    def begin(self, *, priced: bool = True) -> None:
        self.running += 1
        self.sent += 1
        self.sent_unpriced += not priced

    def pay(self, spent: Usage | Size, picodollars: int) -> None:
        """What the endpoint counted, or the most that it may have been."""
        self.replies += 1
        self.picodollars += picodollars
        if isinstance(spent, Size):
            self.uncertain_tokens += spent.total
            return
        self.prompt_tokens += spent.prompt_tokens
        self.cached_tokens += spent.cached_tokens
        self.written_tokens += spent.written_tokens
        self.reply_tokens += spent.completion_tokens

    def note_model(self, asked: str, answered: str) -> None:
        """`asked` is a chat's name. Only so many names are noted: an endpoint may make one up for every reply."""
        model = asked.partition(":")[2].partition(EFFORT_MARK)[0]
        if answered and answered != model and len(self.other_models) <= _LISTED_MODELS:
            self.other_models[answered] = None

    def render(self) -> str:
        """One line of it, for people."""
        parts = [f"{self.sent} sent"]
        parts += [f"{self.submitted} batches submitted"] if self.submitted else []
        parts += [f"{self.cached + self.shared} from cache"] if self.cached + self.shared else []
        parts += [f"{self.retries} retries"] if self.retries else []
        parts += [f"{count} {status.replace('_', ' ')}" for status, count in sorted(self.failures.items())]
        parts += [f"{self.prompt_tokens + self.reply_tokens:,} tokens"]
        cached = render_share(self.cached_tokens, self.prompt_tokens)
        parts += [f"{cached} of prompts cached"] if self.cached_tokens else []
        parts += [f"at most {self.uncertain_tokens:,} tokens not counted"] if self.uncertain_tokens else []
        parts += ["price unknown" if self.unpriced else render_usd(self.picodollars)]
        names = [*self.other_models][:_LISTED_MODELS] + ["…"] * (len(self.other_models) > _LISTED_MODELS)
        parts += [f"answered by {' and '.join(names)}"] if names else []
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Price:
    """Whole picodollars per token: sums of them are exact, so a budget is compared without a rounding error.

    Where no price is known of tokens that are read from a cache of prompts or written to it, it is that of the prompt.
    """

    prompt: int
    reply: int
    cached: int | None = None
    written: int | None = None
    batch: Decimal = Decimal(1)

    @property
    def in_batch(self) -> "Price":
        def share(price: int) -> int:
            return int((price * self.batch).to_integral_value(ROUND_CEILING))

        cached, written = (None if price is None else share(price) for price in (self.cached, self.written))
        return Price(share(self.prompt), share(self.reply), cached, written)

    def compute_cost(self, prompt_tokens: int, reply_tokens: int, cached: int = 0, written: int = 0) -> int:
        """Cached and written tokens are part of the prompt."""
        parts = ((cached, self.cached), (written, self.written))
        apart = sum(tokens * ((self.prompt if price is None else price) - self.prompt) for tokens, price in parts)
        return self.prompt * prompt_tokens + self.reply * reply_tokens + apart


def explain_unpriced(name: str) -> InputError:
    remedy = f"Give a prices file with {_EXAMPLE}, or limit the run by `budget_tokens`"
    return InputError(f"the price of {name} is unknown, so a budget in dollars can't be kept", remedy=remedy)


def read_prices(path: Path | None = None) -> Mapping[str, Price]:
    """By the name of a model with its provider: the shipped list, with the user's file laid over it."""
    prices: dict[str, Price] = {}
    for file in (files(__package__).joinpath("prices.toml"), path):
        if file is not None:
            entries = _read_toml(file)
            entries.pop("read_on", None)
            prices |= {name: _parse_price(name, entry, str(file)) for name, entry in entries.items()}
    return prices


def render_share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "0 %"


def render_usd(picodollars: int) -> str:
    """Cents where they say enough, two significant digits below that."""
    amount = Decimal(picodollars) / PICODOLLARS
    if amount == 0 or amount >= Decimal("0.995"):
        return f"${amount:,.2f}"
    return f"${amount:.{min(12, 1 - amount.adjusted())}f}"


def _read_toml(path: Path | Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
    except OSError as error:
        raise _refuse(f"cannot be read ({error.strerror})", str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _refuse(f"is not TOML: {error}", str(path)) from None


def _parse_price(name: str, entry: object, path: str) -> Price:
    known = [each.name for each in fields(Price)]
    if not isinstance(entry, dict) or not {"prompt", "reply"} <= set(entry) <= set(known):
        others = ", ".join(f"`{each}`" for each in known[2:])
        raise _refuse(f'"{name}" needs a `prompt` and a `reply` price, and may have {others} and nothing else', path)
    amounts = {}
    share = entry.get("batch", 1)
    if isinstance(share, bool) or not isinstance(share, int | Decimal) or not 0 <= share <= 1:
        raise _refuse(f'the `batch` share of "{name}" is not a number from 0 to 1', path)
    for kind in {*entry} - {"batch"}:
        value = entry[kind]
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise _refuse(f'a price of "{name}" is not a number', path)
        amount = Decimal(value)
        if not amount.is_finite() or not 0 <= amount <= _PER_MILLION:
            raise _refuse(f'a price of "{name}" is out of range', path)
        amounts[kind] = int((amount * PICODOLLARS / _PER_MILLION).to_integral_value(ROUND_CEILING))
    return Price(**amounts, batch=Decimal(share))


def _refuse(message: str, path: str) -> InputError:
    return InputError(message, path=path, remedy=f"Write {_EXAMPLE}")
