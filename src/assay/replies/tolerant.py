"""A reader of almost-JSON that names every liberty it takes."""

# Own code rather than a repair library: those aim to return something for any text, inventing closers, keys and
# quotes on the way, and do not say what they did. A judge's reply may be read only as far as a person would read it
# the same way, each repair goes into the record, and an incomplete element must be lost, not completed.

import re
from dataclasses import dataclass, field

from assay.domain.json import JSON
from assay.replies.scalars import QUOTES, Place, Scalar, read_bare, read_quoted

MAX_DEPTH = 64

_BLANK = re.compile(r"[\s\ufeff\u200b]*")
_COMMENT = re.compile(r"(?://|#)[^\n]*")
_KEY = re.compile(r"[\w-]{1,128}")
_OBJECT, _ARRAY = ("{｛", "}｝"), ("[［", "]］")
_FULL_WIDTH = "｛｝［］，："


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
        members: dict[str, JSON] = {}
        while not self.at_close():
            key = self.key()
            if key is None:
                break
            value = self.value("member")
            # An empty part would claim that there is nothing, where only nothing had arrived yet.
            if not self.truncated or (isinstance(value, (dict, list)) and value):
                members[key] = value
            self.separate()
        return members

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
            if self.peek() not in QUOTES + _OBJECT[0]:
                raise _FaultError
            self.note("missing comma")

    def key(self) -> str | None:
        """The key, past its colon; None where the text ends first."""
        character = self.peek()
        if character in QUOTES:
            key = str(self.scalar(read_quoted(self.text, self.position, "key")))
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

    def value(self, place: Place) -> JSON:
        character = self.peek()
        if self.truncated:
            return None
        if character in _OBJECT[0] + _ARRAY[0]:
            return self.container()
        if character in QUOTES:
            return self.scalar(read_quoted(self.text, self.position, place))
        return self.scalar(read_bare(self.text, self.position))

    def scalar(self, scalar: Scalar | None) -> JSON:
        if scalar is None:
            raise _FaultError
        self.note(*scalar.repairs)
        self.position = scalar.end
        self.truncated = self.truncated or scalar.truncated
        return scalar.value
