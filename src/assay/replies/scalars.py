"""Strings, numbers and literals of almost-JSON, each with the liberties its reading took."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from assay.domain.json import JSON
from assay.replies.wrapping import to_half_width

Place = Literal["key", "member", "element"]

_MAX_BARE_LENGTH = 200
# With an inner quote the end is a guess that grows wilder, and dearer, with every further quote.
_MAX_QUOTING_LENGTH = 10_000
_CLOSERS = {
    '"': '"', "“": '”“"', "”": '”"', "„": '“”"', "＂": '＂"',
    "'": "'", "‘": "’'", "’": "’'", "‚": "‘’'",
}  # fmt: skip
QUOTES = "".join(_CLOSERS)
_CHUNKS = {opener: re.compile(rf"[^{re.escape(closers)}\\\x00-\x1f]*") for opener, closers in _CLOSERS.items()}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "'": "'", "/": "/", "\\": "\\", "\n": ""}
_CODE_UNIT = re.compile(r"u([0-9a-fA-F]{4})")
_LOW_SURROGATE = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")

_BARE = re.compile(r"[^,，}\]｝］\n\r{\[｛［\"“”]*")
_BARE_COMMENT = re.compile(r"\s(?://|#)|/\*")
_STRICT_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LITERALS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "none": None}
_NON_FINITE = {"nan", "inf", "infinity"}

# A quote ends its string only where the rest can go on as JSON; any other quote belongs to the text. After a comma, a
# quoted piece that is closed and has no colon behind it is no key, so the comma was the text's as well.
_GOES_ON = r"\Z|[}\]｝］]|//|\#|/\*"
_NOT_A_KEY = r"[\"“][^\"”\\\n]{0,200}[\"”]\s*(?![:：\s]|\Z)"
_QUOTE = r"[\"'“”„‘’‚＂]"
_CLOSES: dict[Place, re.Pattern[str]] = {
    "key": re.compile(r"\s*(?:[:：]|\Z)"),
    "member": re.compile(
        rf"\s*(?:{_GOES_ON}|[,，]\s*(?:{_GOES_ON}|[,，]|[\w-]{{1,64}}\s*(?:[:：]|\Z)|(?!{_NOT_A_KEY}){_QUOTE}))"
        r"|[^\S\n]*\n\s*\"[^\"\\\n]{0,200}\"\s*[:：]"
    ),
    "element": re.compile(
        rf"\s*(?:{_GOES_ON}|[,，]\s*(?:{_GOES_ON}|[,，]|{_QUOTE}|[\d+\-.{{\[｛［]|[^\W\d]\w{{0,64}}\s*(?:[,，\]］]|\Z)))"
        r"|[^\S\n]*\n\s*\""
    ),
}


@dataclass(frozen=True, slots=True)
class Scalar:
    """`truncated` means that the text ended before the value did, so that the value must not be used."""

    value: JSON
    end: int
    repairs: tuple[str, ...] = ()
    truncated: bool = False


def read_quoted(text: str, start: int, place: Place) -> Scalar | None:
    """The string whose opening quote stands at `start`; None where its end cannot be told."""
    opener = text[start]
    repairs = [] if opener == '"' else ["single quotes" if opener == "'" else "smart quotes"]
    pieces: list[str] = []
    position = start + 1
    while chunk := _CHUNKS[opener].match(text, position):
        pieces.append(chunk.group())
        position = chunk.end()
        character = text[position : position + 1]
        if not character:
            break
        if character == "\\":
            piece, position, repair = _escape(text, position)
            pieces.append(piece)
            repairs += repair
        elif character not in _CLOSERS[opener]:
            pieces.append(character)
            position += 1
            repairs.append("raw line break in a string")
        elif _CLOSES[place].match(text, position + 1):
            return Scalar("".join(pieces), position + 1, tuple(repairs))
        elif place == "key" or position - start > _MAX_QUOTING_LENGTH:
            return None
        else:
            pieces.append(character)
            position += 1
            repairs.append("unescaped quote")
    # Past an inner quote the end of the text proves nothing: the string may have ended long before.
    return None if "unescaped quote" in repairs else Scalar(None, len(text), tuple(repairs), truncated=True)


def _escape(text: str, position: int) -> tuple[str, int, list[str]]:
    character = text[position + 1 : position + 2]
    if character in _ESCAPES:
        return _ESCAPES[character], position + 2, []
    unit = _CODE_UNIT.match(text, position + 1)
    if unit is None:
        return "\\", position + 1, ["invalid escape"]
    code, position = int(unit.group(1), 16), unit.end()
    low = _LOW_SURROGATE.match(text, position)
    if 0xD800 <= code < 0xDC00 and low:
        return chr(0x10000 + ((code - 0xD800) << 10) + int(low.group(1), 16) - 0xDC00), low.end(), []
    if 0xD800 <= code < 0xE000:
        return "\ufffd", position, ["invalid escape"]
    return chr(code), position, []


def read_bare(text: str, start: int) -> Scalar | None:
    """A number, a literal or unquoted words, up to the next comma, closer or line break; None for anything else."""
    run = _BARE.match(text, start)
    end = run.end() if run else start
    comment = _BARE_COMMENT.search(text, start, end)
    if comment:
        end = comment.start()
    elif end == len(text):
        return Scalar(None, end, truncated=True)
    token = to_half_width(text[start:end].strip())
    if not token or len(token) > _MAX_BARE_LENGTH:
        return None
    value, repairs = _interpret(token)
    if isinstance(value, str) and text[end] in '{[｛［"“”':
        return None
    if token != text[start:end].strip():
        repairs.insert(0, "full-width digits")
    return Scalar(value, end, tuple(repairs))


def _interpret(token: str) -> tuple[JSON, list[str]]:
    folded = token.casefold()
    if folded in _LITERALS:
        return _LITERALS[folded], [] if token in {"true", "false", "null"} else ["Python literal"]
    if folded.lstrip("+-") in _NON_FINITE:
        return None, ["non-finite number"]
    if not _NUMBER.fullmatch(token):
        return token, ["unquoted string"]
    repairs = [] if _STRICT_NUMBER.fullmatch(token) else ["number form"]
    number = float(token)
    if not math.isfinite(number):
        return None, [*repairs, "non-finite number"]
    whole = token.lstrip("+-").isdigit() and len(token) < 20
    return (int(token) if whole else number), repairs
