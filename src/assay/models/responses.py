"""Reads an endpoint's error responses: the error, how long to wait, and parameters that it does not take."""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any

from assay import errors
from assay.models.secrets import Secrets
from assay.replies.strict import parse_strictly

_CLIPPED_CHARACTERS = 2_000
_SHOWN_CHARACTERS = 300

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+|\s{2,}")


@cache
def _read_rejections(table: str) -> Mapping[str, re.Pattern[str]]:
    """What endpoints say where they reject a request, by its cause or by the parameter that they name."""
    listed = tomllib.loads(files(__package__).joinpath("rejections.toml").read_text("utf-8"))[table]
    return {name: re.compile("|".join(words), re.IGNORECASE) for name, words in listed.items()}


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """What the endpoint says is wrong: its own words, clipped, free of the key and of terminal codes."""

    status: int
    message: str
    code: str
    parameter: str
    retry_after_seconds: float | None = None

    @property
    def text(self) -> str:
        return f"{self.parameter} {self.code} {self.message}"

    def _says(self, cause: str) -> bool:
        return _read_rejections("causes")[cause].search(self.text) is not None

    @property
    def is_about_request(self) -> bool:
        return self.status in (400, 422) and not self._says("too_long")

    def as_error(self, endpoint: str, key_variable: str) -> errors.InputError | errors.JudgeError:
        """The one error this reply means, most specific first: providers spread one cause over several statuses."""
        reason = self.message[:_SHOWN_CHARACTERS] or "no reason given"
        message = f"{endpoint} answered HTTP {self.status}: {reason}"
        if self.status == 413 or (self.status != 429 and self._says("too_long")):
            return errors.TooLong(message)
        if self.status in (400, 403, 422) and self._says("filtered"):
            return errors.Refused(message)
        if self.status == 402 or (self.status in (400, 403, 429) and self._says("no_credit")):
            return errors.KeyRefused(message, remedy=f"Top up the account behind {key_variable}, or use another key")
        if self.status in (401, 403) or (self.status == 400 and self._says("bad_key")):
            return errors.KeyRefused(message, remedy=f"Set {key_variable} to a key that this endpoint accepts")
        if self.status == 404 or (self.status == 400 and self._says("no_model")):
            remedy = "Write a model that this endpoint serves, and the base URL as in its documentation"
            return errors.UnknownModel(message, remedy=remedy)
        if self.status < 400:
            return errors.InputError(f"{message} (a redirect)", remedy="Write the address it points to as the base URL")
        return self._as_judge_error(message)

    def _as_judge_error(self, message: str) -> errors.JudgeError:
        if self.status == 408:
            return errors.TimedOut(message)
        if self.status == 429:
            return errors.RateLimited(message, retry_after_seconds=self.retry_after_seconds)
        if self.status in (409, 425) or self.status >= 500:
            overloaded = self.status in (503, 529)
            return errors.Unreachable(message, retry_after_seconds=self.retry_after_seconds, overloaded=overloaded)
        if "json_validate_failed" in self.code:  # the model broke its own grammar: a fault of this one reply
            return errors.Malformed(message)
        return errors.Rejected(message)


def read_error_reply(
    status: int, body: bytes, secrets: Secrets, retry_after_seconds: float | None = None
) -> ErrorReply:
    """Reads every shape of error in use: OpenAI's, Anthropic's, FastAPI's `detail`, a bare string, a page of HTML."""
    try:
        value: Any = parse_strictly(body)
    except ValueError:
        value = body[: 4 * _CLIPPED_CHARACTERS].decode("utf-8", "replace")
    error: Any = (value.get("error") or value) if isinstance(value, dict) else value
    if not isinstance(error, dict):
        error = {"message": error}
    message = error.get("message") or error.get("detail") or ""
    if isinstance(message, list):
        message = "; ".join(_render_detail(item) for item in message)
    code = " ".join(str(error[name]) for name in ("code", "type") if error.get(name))
    return ErrorReply(
        status=status,
        message=clean(secrets.redact(str(message))),
        code=clean(secrets.redact(code)),
        parameter=clean(secrets.redact(str(error.get("param") or ""))),
        retry_after_seconds=retry_after_seconds,
    )


def read_retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """From milliseconds, seconds or a date, whichever the endpoint wrote; None where it wrote no usable time."""
    milliseconds, written = headers.get("retry-after-ms"), headers.get("Retry-After")
    try:
        seconds = float(milliseconds) / 1000 if milliseconds else float(written or "")
    except ValueError:
        try:
            moment = parsedate_to_datetime(written or "")
        except (ValueError, OverflowError):
            return None
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if isfinite(seconds) else None


def clean(text: str) -> str:
    """A server's words, redacted before they are clipped here, without control characters."""
    return _UNPRINTABLE.sub(" ", text[:_CLIPPED_CHARACTERS]).strip()


def _render_detail(item: object) -> str:
    """A validation error without its `input`, which echoes the whole request, names of innocent parameters included."""
    if not isinstance(item, dict):
        return str(item)
    location = item.get("loc")
    place = ".".join(str(part) for part in location) if isinstance(location, list) else ""
    return f"{place}: {item.get('msg', '')}"


def find_refused(rejection: str, sent: Collection[str]) -> str | None:
    """The parameter that a rejection is about, if this request really carried it."""
    named = (name for name, words in _read_rejections("parameters").items() if name in sent and words.search(rejection))
    return next(named, None)
