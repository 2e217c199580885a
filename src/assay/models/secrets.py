"""Secrets in what an endpoint says, redacted before anyone keeps or prints it."""

import base64
import json
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote

REDACTED = "[key]"
# Local servers take any word as a key, such as "none". Redacting it would only spoil replies.
_SHORTEST_CHARACTERS = 8
_LONG_CHARACTERS = 20
_CLIPPED_CHARACTERS = 24
_TELLING = re.compile(r"key|token|secret|sig|auth|pass|pwd|cred|code", re.IGNORECASE)
# A segment of a path is a token by its name, or by a run of letters and digits that no word or model's name has.
_TOKEN = re.compile(r"(?i:key|token|secret)|(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{12,}")
_ADDRESS = re.compile(r"((?:[^/?#]*//)?[^/?#]*)([^?#]*)(.*)", re.DOTALL)
_PAIR = re.compile(r"([?&#])([^?&#=]*=)?([^?&#]*)")
# A character as JSON, Markdown, addresses and HTML write it, also where one such text stands inside another.
_ESCAPED = re.compile(
    r"\\\\{0,7}+(?:u(?P<unicode>[0-9a-f]{4})|x(?P<byte>[0-9a-f]{2})|(?P<sign>[^\w\s\\]))"
    r"|%(?:25){0,3}(?P<percent>[0-9a-f]{2})|&(?P<entity>(?:#x?[0-9a-f]{1,8}|[a-z]{2,8});)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, repr=False)
class Secrets:
    """Knows keys as they are, clipped, in capitals, escaped, percent-encoded and in base64: servers echo what they get.

    A server that hides it on purpose is not caught: it has the key already.
    """

    pattern: re.Pattern[str]
    # What every match of the pattern holds, in small letters: most texts hold none, and are not searched further.
    marks: tuple[str, ...]

    def redact(self, text: str) -> str:
        """The text with every known secret replaced, and all else as it was, escapes included."""
        plain = _decode(text)
        small = plain.lower()
        if not any(mark in small for mark in self.marks):
            return text
        ends_plain, ends_text = _find_ends(text)

        def find_offset(at: int) -> int:
            place = bisect_right(ends_plain, at) - 1
            return ends_text[place] + at - ends_plain[place]

        pieces, end = [], 0
        for match in self.pattern.finditer(plain):
            pieces += [text[end : find_offset(match.start())], REDACTED]
            end = find_offset(match.end())
        return "".join(pieces) + text[end:]


def find_secrets(*keys: str | None, shortest: int = _SHORTEST_CHARACTERS) -> Secrets:
    whole = {form for key in keys if key and len(key) >= shortest for form in _spell(key)}
    # Messages clip what they echo. Half a key, and no less than any provider's prefix has, is as secret as all of it.
    clipped = {form[: max(16, len(form) // 2)] for form in whole if len(form) >= _CLIPPED_CHARACTERS}
    patterns = [re.escape(form) for form in sorted(whole, key=len, reverse=True)]
    patterns += [re.escape(form) + r"[\w.~+/=%-]*" for form in sorted(clipped, key=len, reverse=True)]
    marks = tuple({form.lower() for form in (*clipped, *(form for form in whole if len(form) < _CLIPPED_CHARACTERS))})
    return Secrets(re.compile("|".join(patterns) or r"(?!)", re.IGNORECASE), marks)


def find_address_secrets(address: str) -> tuple[str, ...]:
    """What is meant to be secret in an address: tokens in its path, and values of its query by name or length."""
    _, path, query = _split_address(address)
    found = [segment for segment in path.split("/") if _is_token(segment)]
    found += [match[3] for match in _PAIR.finditer(query) if _is_secret_pair(match)]
    return tuple(dict.fromkeys(form for value in found for form in (value, unquote(value))))


def find_login_secrets(address: str | None) -> tuple[str, ...]:
    """The password of an address, or the user where there is no password; and both as an HTTP header holds them."""
    login = (address or "").partition("://")[2].rpartition("@")[0]
    user, _, password = login.partition(":")
    forms = (password or user, unquote(password or user), f"{unquote(user)}:{unquote(password)}")
    return tuple(dict.fromkeys(form for form in forms if login and form))


def hide_secrets(address: str) -> str:
    """An address, or a slip in writing one, as it may be printed: no user, and no secret in its path or query."""
    host, path, query = _split_address(address.rpartition("@")[2])
    shown = "/".join(REDACTED if _is_token(segment) else segment for segment in path.split("/"))
    return (
        host
        + shown
        + _PAIR.sub(
            lambda match: f"{match[1]}{match[2] or ''}{REDACTED}" if _is_secret_pair(match) else match[0], query
        )
    )


def _is_secret_pair(match: re.Match[str]) -> bool:
    name, value = match[2] or "", match[3]
    return bool(value) and (bool(_TELLING.search(name)) or len(value) >= _LONG_CHARACTERS)


def _is_token(segment: str) -> bool:
    return len(segment) >= _SHORTEST_CHARACTERS and _TOKEN.search(unquote(segment)) is not None


def _split_address(address: str) -> tuple[str, str, str]:
    """Scheme and host, path, and the rest from its query on."""
    match = _ADDRESS.match(address)
    return (match[1], match[2], match[3]) if match else (address, "", "")


def _decode(text: str) -> str:
    return _ESCAPED.sub(_decode_match, text)


def _decode_match(match: re.Match[str]) -> str:
    if match.lastgroup == "sign":
        return match["sign"]
    if match.lastgroup == "entity":
        return unescape(match[0])
    return chr(int(match[match.lastgroup or 0], 16))


def _find_ends(text: str) -> tuple["array[int]", "array[int]"]:
    """Where each escape ends in the decoded text and in the text itself, after a first pair of zeros."""
    ends_plain, ends_text = array("Q", [0]), array("Q", [0])
    for match in _ESCAPED.finditer(text):
        start = ends_plain[-1] + match.start() - ends_text[-1]
        ends_plain.append(start + len(_decode_match(match)))
        ends_text.append(match.end())
    return ends_plain, ends_text


def _spell(key: str) -> Iterator[str]:
    """The key as it can be found in a decoded text: as it is, as JSON, as bytes that were decoded one by one."""
    plain = (key, json.dumps(key)[1:-1], key.encode("utf-8", "replace").decode("latin-1"))
    encoded = (form for before in range(3) for form in _spell_base64(key.encode("utf-8", "replace"), before))
    for form in {*plain, *encoded}:
        # A key that looks like an escape itself is found decoded.
        yield _decode(form)
        yield form


def _spell_base64(key: bytes, before: int) -> Iterable[str]:
    """The letters that depend on the key alone, where so many other bytes stand before it."""
    start = -(-before * 8 // 6)
    end = (before + len(key)) * 8 // 6
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(bytes(before) + key).decode()[start:end]
