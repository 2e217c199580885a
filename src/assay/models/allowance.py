"""What an endpoint says is left of its rate limits."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_LONGEST = 40
_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|us|µs|ns|d|h|m|s)")
_SECONDS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_COUNT = re.compile(r"\d{1,18}", re.ASCII)
_DIALECTS = (
    ("x-ratelimit-{}-requests", "x-ratelimit-{}-tokens"),
    ("anthropic-ratelimit-requests-{}", "anthropic-ratelimit-tokens-{}"),
)
_PLAIN = re.compile(r"\d{1,9}(?:\.\d{1,9})?")


@dataclass(frozen=True, slots=True)
class Window:
    """`reset_seconds` is the time until all of it is there again; it comes back evenly until then."""

    limit: int
    left: int
    reset_seconds: float

    def find_wait(self, needed: int) -> float:
        """Seconds until this much is there; none where it never will be, for waiting can't help that."""
        missing, used = needed - self.left, self.limit - self.left
        if missing <= 0 or used <= 0:
            return 0.0
        return self.reset_seconds * min(1.0, missing / used)


@dataclass(frozen=True, slots=True)
class Allowance:
    requests: Window | None = None
    tokens: Window | None = None

    def find_wait(self, requests: int, tokens: int = 0) -> float:
        return max(
            self.requests.find_wait(requests) if self.requests else 0.0,
            self.tokens.find_wait(tokens) if self.tokens else 0.0,
        )


def read_allowance(headers: Mapping[str, str], now: datetime | None = None) -> Allowance | None:
    """OpenAI's names or Anthropic's, whichever were sent; None where neither says anything one can use."""
    for requests, tokens in _DIALECTS:
        if requests.replace("{}", "remaining") in headers or tokens.replace("{}", "remaining") in headers:
            found = Allowance(_read_window(headers, requests, now), _read_window(headers, tokens, now))
            return found if found.requests or found.tokens else None
    return None


def _read_window(headers: Mapping[str, str], name: str, now: datetime | None) -> Window | None:
    limit, left = headers.get(name.replace("{}", "limit"), ""), headers.get(name.replace("{}", "remaining"), "")
    reset = headers.get(name.replace("{}", "reset"), "").strip()
    if len(reset) > _LONGEST:
        return None
    seconds = _read_moment(reset, headers, now) if "T" in reset else _read_duration(reset)
    if seconds is None or not (_COUNT.fullmatch(limit) and _COUNT.fullmatch(left)):
        return None
    return Window(int(limit), int(left), seconds)


def _read_duration(text: str) -> float | None:
    """6m0s, 12ms, or plain seconds."""
    if _PLAIN.fullmatch(text):
        return float(text)
    parts = _DURATION.findall(text)
    if not parts or "".join(amount + unit for amount, unit in parts) != text:
        return None
    return sum(float(amount) * _SECONDS[unit] for amount, unit in parts)


def _read_moment(text: str, headers: Mapping[str, str], now: datetime | None) -> float | None:
    """Seconds until then on the endpoint's own clock, where it shows it: its moments are not on ours."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    try:
        shown = now or parsedate_to_datetime(headers.get("Date", ""))
    except (ValueError, OverflowError):
        shown = datetime.now(UTC)
    return max(
        0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - shown.replace(tzinfo=shown.tzinfo or UTC)).total_seconds()
    )
