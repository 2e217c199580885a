"""A reader of almost-JSON that names every repair it makes."""

# Own code rather than a repair library: those aim to return something for any text, inventing closers, keys and
# quotes on the way, and do not say what they did. A judge's reply may be read only as far as a person would read it
# the same way, each repair goes into the record, and an incomplete element must be lost, not completed.

import math
import re
from dataclasses import dataclass, field
from typing import Literal

from assay.domain.json import JSON
from assay.replies.strict import MAX_DEPTH, join_members
from assay.replies.wrapping import to_half_width

_MAX_BARE_LENGTH = 200
# With an inner quote the end is a guess that grows wilder, and dearer, with every further quote.
_MAX_QUOTING_LENGTH = 10_000
_CLOSERS = {
    '"': '"', "“": '”“"', "”": '”"', "„": '“”"', "＂": '＂"',
    "'": "'", "‘": "’'", "’": "’'", "‚": "‘’'",
}  # fmt: skip
_QUOTES = "".join(_CLOSERS)
_CHUNKS = {opener: re.compile(rf"[^{re.escape(closers)}\\\x00-\x1f]*") for opener, closers in _CLOSERS.items()}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "'": "'", "/": "/", "\\": "\\", "\n": ""}
_CODE_UNIT = re.compile(r"u([0-9a-fA-F]{4})")
_LOW_SURROGATE = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")

_BLANK = re.compile(r"[\s\ufeff\u200b]*")
_COMMENT = re.compile(r"(?://|#)[^\n]*")
_KEY = re.compile(r"[\w-]{1,128}")
_BARE = re.compile(r"[^,，}\]｝］\n\r{\[｛［\"“”]*")
_BARE_COMMENT = re.compile(r"\s(?://|#)|/\*")
_STRICT_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LITERALS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "none": None}
_OBJECT, _ARRAY = ("{｛", "}｝"), ("[［", "]］")
_FULL_WIDTH = "｛｝［］，："

# A quote ends its string only where the rest can go on as JSON; any other quote belongs to the text. After a comma, a
# quoted piece that is closed and has no colon behind it is no key, so the comma was the text's as well.
_Place = Literal["key", "member", "element"]
_GOES_ON = r"\Z|[}\]｝］]|//|\#|/\*"
_NOT_A_KEY = r"[\"“][^\"”\\\n]{0,200}[\"”]\s*(?![:：\s]|\Z)"
_QUOTE = r"[\"'“”„‘’‚＂]"
_CLOSES: dict[_Place, re.Pattern[str]] = {
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
class Tolerated:
    """A container read as far as it goes; `truncated` where the text ended inside it."""

    value: dict[str, JSON] | list[JSON]
    end: int
    repairs: tuple[str, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Broken:
    """No value can be read; `begun` says that a part of one was, so that this was meant as JSON."""

    end: int
    begun: bool


class _FaultError(Exception):
    """The text cannot go on as JSON from here."""


def read_tolerantly(text: str, start: int) -> Tolerated | Broken:
    """The object or array whose opening bracket stands at `start`. Time grows with the length of what is read."""
    reader = _Reader(text, start)
    try:
        value = reader.container()
    except _FaultError:
        return Broken(max(reader.position, start + 1), reader.begun)
    return Tolerated(value, reader.position, tuple(reader.repairs), reader.truncated)


@dataclass(slots=True)
class _Reader:
    """Stands at a position of the text and moves on; once the text has ended, every part still open is incomplete."""

    text: str
    position: int
    repairs: dict[str, None] = field(default_factory=dict)
    open_closers: list[str] = field(default_factory=list)
    truncated: bool = False
    begun: bool = False

    def note(self, *repairs: str) -> None:
        self.repairs.update(dict.fromkeys(repairs))

    def peek(self) -> str:
        """The next character that means something; "" at the end of the text."""
        while True:
            blank = _BLANK.match(self.text, self.position)
            self.position = blank.end() if blank else self.position
            if self.text.startswith("/*", self.position):
                end = self.text.find("*/", self.position + 2)
                self.position = len(self.text) if end < 0 else end + 2
            elif comment := _COMMENT.match(self.text, self.position):
                self.position = comment.end()
            else:
                break
            self.note("comment")
        character = self.text[self.position : self.position + 1]
        self.truncated = self.truncated or not character
        return character

    def take(self, characters: str) -> bool:
        """Moves past the next character if it is one of these."""
        character = self.peek()
        if not character or character not in characters:
            return False
        if character in _FULL_WIDTH:
            self.note("full-width punctuation")
        self.position += 1
        return True

    def container(self) -> dict[str, JSON] | list[JSON]:
        if len(self.open_closers) == MAX_DEPTH:
            self.begun = True
            raise _FaultError
        is_object = self.take(_OBJECT[0])
        if not is_object:
            self.take(_ARRAY[0])
        self.open_closers.append(_OBJECT[1] if is_object else _ARRAY[1])
        value = self.members() if is_object else self.elements()
        self.open_closers.pop()
        return value

    def members(self) -> dict[str, JSON]:
        members: list[tuple[str, JSON]] = []
        while not self.at_close():
            key = self.key()
            if key is None:
                break
            value = self.value("member")
            # An empty part would claim that there is nothing, where only nothing had arrived yet.
            if not self.truncated or (isinstance(value, dict | list) and value):
                members.append((key, value))
            self.separate()
        return join_members(members)

    def elements(self) -> list[JSON]:
        elements: list[JSON] = []
        while not self.at_close():
            element = self.value("element")
            if not self.truncated:
                elements.append(element)
            self.separate()
        return elements

    def at_close(self) -> bool:
        """Whether the container ends here: by its closer, by an outer one's, or because the text does."""
        character = self.peek()
        if self.truncated or self.take(self.open_closers[-1]):
            return True
        if any(character in closer for closer in self.open_closers[:-1]):
            self.note("missing closer")
            return True
        return False

    def separate(self) -> None:
        """Moves past the comma, or does without one where the next thing plainly begins."""
        if self.take(",，"):
            while self.take(",，"):
                self.note("stray comma")
            if self.peek() and self.peek() in "}｝]］":
                self.note("trailing comma")
        elif not self.truncated and self.peek() not in "}｝]］":
            if self.peek() not in _QUOTES + _OBJECT[0]:
                raise _FaultError
            self.note("missing comma")

    def key(self) -> str | None:
        """The key, past its colon; None where the text ends first."""
        if self.peek() in _QUOTES:
            key = str(self.quoted("key"))
            self.begun = True
        else:
            word = _KEY.match(self.text, self.position)
            if word is None:
                raise _FaultError
            self.position, key = word.end(), word.group()
            self.note("unquoted key")
        if self.take(":："):
            return key
        if self.truncated:
            return None
        raise _FaultError

    def value(self, place: _Place) -> JSON:
        character = self.peek()
        if self.truncated:
            return None
        if character in _OBJECT[0] + _ARRAY[0]:
            return self.container()
        return self.quoted(place) if character in _QUOTES else self.bare()

    def quoted(self, place: _Place) -> str | None:
        """A string in quotes of any kind; None where the text ends inside it."""
        text, start, opener = self.text, self.position, self.text[self.position]
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
                piece, position, repair = _read_escape(text, position)
                repairs += repair
            elif character not in _CLOSERS[opener]:
                piece, position = character, position + 1
                repairs.append("raw line break in a string")
            elif _CLOSES[place].match(text, position + 1):
                self.note(*repairs)
                self.position = position + 1
                return "".join(pieces)
            elif place == "key" or position - start > _MAX_QUOTING_LENGTH:
                raise _FaultError
            else:
                piece, position = character, position + 1
                repairs.append("unescaped quote")
            pieces.append(piece)
        # Past an inner quote the end of the text proves nothing: the string may have ended long before.
        if "unescaped quote" in repairs:
            raise _FaultError
        self.note(*repairs)
        self.position, self.truncated = len(text), True
        return None

    def bare(self) -> JSON:
        """A number, a literal or unquoted words, up to the next comma, closer or line break."""
        start = self.position
        run = _BARE.match(self.text, start)
        end = run.end() if run else start
        comment = _BARE_COMMENT.search(self.text, start, end)
        if comment:
            end = comment.start()
        elif end == len(self.text):
            self.position, self.truncated = end, True
            return None
        written = self.text[start:end].strip()
        token = to_half_width(written)
        if not token or len(token) > _MAX_BARE_LENGTH:
            raise _FaultError
        value, repairs = _read_token(token)
        if isinstance(value, str) and self.text[end] in '{[｛［"“”':
            raise _FaultError
        self.note(*(["full-width digits"] if token != written else []), *repairs)
        self.position = end
        return value


def _read_escape(text: str, position: int) -> tuple[str, int, list[str]]:
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


def _read_token(token: str) -> tuple[JSON, list[str]]:
    folded = token.casefold()
    if folded in _LITERALS:
        return _LITERALS[folded], [] if token in {"true", "false", "null"} else ["Python literal"]
    if folded.lstrip("+-") in {"nan", "inf", "infinity"}:
        return None, ["non-finite number"]
    if not _NUMBER.fullmatch(token):
        return token, ["unquoted string"]
    repairs = [] if _STRICT_NUMBER.fullmatch(token) else ["number form"]
    number = float(token)
    if not math.isfinite(number):
        return None, [*repairs, "non-finite number"]
    whole = token.lstrip("+-").isdigit() and len(token) < 20
    return (int(token) if whole else number), repairs
