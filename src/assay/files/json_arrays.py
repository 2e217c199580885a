"""Reads a JSON list element by element, so that each one's line is known."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files.json_lines import parse_json, read_whole
from assay.files.place import Place

_SPACE = re.compile(r"[ \t\r\n]*")
_REMEDY = "Write `[{…}, {…}]`"


def read_json_array(path: Path) -> Iterator[tuple[Place, JSON | InputError]]:
    cursor = _Cursor(read_whole(path), str(path))
    cursor.take("[")
    more = not cursor.take("]")
    number = 0
    while more:
        number += 1
        yield cursor.take_value()
        more = cursor.take(",")
        if not more and not cursor.take("]"):
            raise cursor.place.fault(f"after record {number} there is neither a comma nor the closing `]`", _REMEDY)
    if not cursor.is_at_end:
        raise cursor.place.fault("there is more after the closing `]`", "Write one list per file.")


class _Cursor:
    """Where the reading stands in the text; white space never holds it up."""

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._position = 0
        self._line = 1
        self._decoder = json.JSONDecoder()
        self._move(0)

    @property
    def place(self) -> Place:
        return Place(self._path, self._line)

    @property
    def is_at_end(self) -> bool:
        return self._position == len(self._text)

    def take(self, mark: str) -> bool:
        if not self._text.startswith(mark, self._position):
            return False
        self._move(self._position + 1)
        return True

    def take_value(self) -> tuple[Place, JSON | InputError]:
        """A value that is not strict JSON is an error in its place; one whose end can't be found stops the reading."""
        place, start = self.place, self._position
        try:
            _, end = self._decoder.raw_decode(self._text, start)
        except RecursionError as error:
            raise place.fault("lists and objects lie too deep in each other", "Flatten the record.") from error
        except json.JSONDecodeError as error:
            # The strict reader has the better words, and says them here as it does for lines.
            parse_json(self._text[start:], place)
            raise place.fault(f"the JSON is broken: {error.msg}", _REMEDY) from error
        self._move(end)
        try:
            return place, parse_json(self._text[start:end], place)
        except InputError as fault:
            return place, fault

    def _move(self, position: int) -> None:
        match = _SPACE.match(self._text, position)
        end = match.end() if match else position
        self._line += self._text.count("\n", self._position, end)
        self._position = end
