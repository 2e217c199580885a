"""Keys in what an endpoint says, redacted before anyone keeps or prints it."""

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, quote_plus, unquote, urlsplit

REDACTED = "[key]"
# Servers of one's own are given any word as a key, such as "none": to redact it would only spoil replies.
_SHORTEST_CHARACTERS = 8
_LONG_CHARACTERS = 20
_CLIPPED_CHARACTERS = 24
_TELLING = re.compile(r"key|token|secret|sig|auth|pass|pwd|cred|code", re.IGNORECASE)
_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True, repr=False)
class Secrets:
    """Knows a key as it is, clipped, percent-encoded and in base64, for servers echo what they are sent.

    A server that hides it on purpose is not caught: it has the key already.
    """

    pattern: re.Pattern[str]

    def redact(self, text: str) -> str:
        return self.pattern.sub(REDACTED, text)


def find_secrets(*keys: str | None) -> Secrets:
    forms = {form for key in keys if key and len(key) >= _SHORTEST_CHARACTERS for form in _spell(key)}
    return Secrets(re.compile("|".join(sorted(forms, key=len, reverse=True))) if forms else _NOTHING)


def find_query_secrets(address: str) -> tuple[str, ...]:
    """The values of an address's query that are meant to be secret, by their name or their length."""
    pairs = (pair.partition("=") for pair in urlsplit(address).query.split("&"))
    values = (value for name, _, value in pairs if _TELLING.search(name) or len(value) >= _LONG_CHARACTERS)
    return tuple(dict.fromkeys(form for value in values for form in (value, unquote(value)) if form))


def hide_secrets(address: str) -> str:
    """An address, or a slip in writing one, as it may be printed: no user, and nothing secret in its query."""
    head, mark, query = address.rpartition("@")[2].partition("?")
    pairs = (pair.partition("=") for pair in query.split("&"))
    shown = "&".join(
        f"{name}={REDACTED}" if find_query_secrets(f"?{name}={value}") else name + equals + value
        for name, equals, value in pairs
    )
    return head + mark + shown


def _spell(key: str) -> Iterable[str]:
    """Patterns without alternatives: the key as servers echo it, or as much of it as they leave."""
    encoded = [form for before in range(3) for form in _spell_base64(key.encode(), before)]
    yield from (re.escape(form) for form in (*_spell_percent(key), *encoded))
    # Messages clip what they echo. Half a key, and no less than any provider's prefix has, is as secret as all of it.
    if len(key) >= _CLIPPED_CHARACTERS:
        clipped = (*_spell_percent(_clip(key)), *(_clip(form) for form in encoded))
        yield from (re.escape(form) + r"[\w.~+/=%-]*" for form in clipped)


def _clip(form: str) -> str:
    return form[: max(16, len(form) // 2)]


def _spell_percent(key: str) -> Iterable[str]:
    """The key itself too. What is clipped is clipped before it is encoded, so that no %XX is cut in two."""
    return key, quote(key), quote(key, safe=""), quote_plus(key)


def _spell_base64(key: bytes, before: int) -> Iterable[str]:
    """The letters that depend on the key alone, where so many other bytes stand before it."""
    start = -(-before * 8 // 6)
    end = (before + len(key)) * 8 // 6
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(bytes(before) + key).decode()[start:end]
