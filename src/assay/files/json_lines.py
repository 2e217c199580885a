"""Reads JSON files, line by line or whole, and names the line of what can't be read."""

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import orjson

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files import bounds
from assay.files.json_values import is_list
from assay.files.place import Place, Row

KEEP_ONE = "Keep one of the two."
_BEFORE_ELEMENT = re.compile(r"\s*[\[,]\s*")


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Each line with its number, without a byte order mark."""
    try:
        bounds.check_file(path)
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(bounds.ARRAY_BYTES + 1), b""), start=1):
                if len(line) > bounds.ARRAY_BYTES:
                    what = "the bytes of the line are"
                    raise bounds.refuse(Place(str(path), number), what, "ARRAY_BYTES", "Split the record")
                yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
    except OSError as error:
        raise InputError(
            f"the file can't be read: {error.strerror}", path=str(path), remedy="Check the path and its rights."
        ) from error


def read_json_lines(path: Path) -> Iterator[Row]:
    """One value per line that is not blank. An unreadable line yields its error; the lines after it are read."""
    for number, line in read_lines(path):
        if not line.strip():
            continue
        place = Place(str(path), number)
        try:
            if len(line) > bounds.RECORD_BYTES:
                what = f"the record has {len(line):,} bytes,"
                raise bounds.refuse(place, what, "RECORD_BYTES", "Shorten its texts")
            yield place, parse_json(decode(line, place), place)
        except InputError as error:
            yield place, error


def read_json(path: Path) -> JSON:
    """A whole file that is one record."""
    text = read_whole(path, "RECORD_BYTES", "Shorten its texts")
    return parse_json(text, Place(str(path), None))


def read_json_array(path: Path) -> Iterator[Row]:
    """The elements of a file that is one JSON array, each with the line it starts in."""
    text = read_whole(path, "ARRAY_BYTES", "Write one record per line (JSON lines)")
    values = _load(text, Place(str(path), 1))
    line, counted, end = 1, 0, text.find("[")
    for value in values if is_list(values) else ():
        # Past the bracket, or the comma after the last element.
        start = end + len(_BEFORE_ELEMENT.match(text, end)[0])  # type: ignore[index]  # the JSON is valid
        line, counted = line + text.count("\n", counted, start), start
        place = Place(str(path), line)
        end, fault = _read_names(text, start, place)
        yield place, fault or value


def read_whole(path: Path, bound: str, advice: str) -> str:
    """The text of a file that is held in memory. Raises InputError past the bound of this name, with the advice."""
    bounds.check_file(path)
    size = path.stat().st_size if path.exists() else 0
    if size > getattr(bounds, bound):
        raise bounds.refuse(Place(str(path), None), f"the file has {size:,} bytes,", bound, advice)
    return decode(b"".join(line for _, line in read_lines(path)), Place(str(path), 1))


def decode(content: bytes, place: Place) -> str:
    """UTF-8 only: a guess at another encoding could change names and prices unnoticed."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        where = Place(place.path, (place.line or 1) + content.count(b"\n", 0, error.start))
        raise where.fault(f"the file is not UTF-8: byte {content[error.start]:#04x}", "Save it as UTF-8.") from error


def parse_json(text: str, place: Place) -> JSON:
    """Strict JSON: no NaN, no half surrogate pairs, no trailing commas, no key twice in an object.

    `place` is that of its first line.
    """
    value = _load(text, place)
    _, fault = _read_names(text, len(text) - len(text.lstrip()), place)
    if fault is not None:
        raise fault
    return value


def is_json(text: str) -> bool:
    try:
        _load(text, Place(None, None))
    except InputError:
        return False
    return True


def _load(text: str, place: Place) -> JSON:
    text = text.rstrip()  # so that an early end is reported in the last line with content
    try:
        value: JSON = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        line = None if place.line is None and error.lineno == 1 else (place.line or 1) + error.lineno - 1
        message = f"the JSON is broken at column {error.colno}: {error.msg}"
        raise Place(place.path, line).fault(message, _suggest(text, error.pos)) from error
    return value


def _read_names(text: str, start: int, place: Place) -> tuple[int, InputError | None]:
    """Where the valid JSON at `start` ends, and what is wrong where an object of it has a key twice.

    Of several values orjson keeps the last in silence.
    """
    twice: list[str] = []

    def check_names(members: list[tuple[str, object]]) -> None:
        if len(dict(members)) < len(members):
            twice.append(Counter(name for name, _ in members).most_common(1)[0][0])

    try:
        # Numbers stay text, and of an object nothing is kept.
        decoder = json.JSONDecoder(object_pairs_hook=check_names, parse_int=str, parse_float=str)
        _, end = decoder.raw_decode(text, start)
    except RecursionError:
        return len(text), place.fault("the record is nested too deeply", "Flatten it.")
    message = f"the key {twice[0]!r:.80} appears twice in one object" if twice else ""
    return end, place.fault(message, KEEP_ONE) if twice else None


def _suggest(text: str, position: int) -> str:
    if text.startswith(("NaN", "Infinity", "-Infinity"), position):
        return "JSON has no such number: write `null`"
    if text.startswith("'", position):
        return 'Write texts and names in double quotes: `"…"`'
    if position >= len(text):
        return "It ends too early: close its quotes and brackets; in JSON lines a record is one line."
    return 'Write one object per record, such as `{"id": "1", …}`'
