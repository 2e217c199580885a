"""A bank file keeps the units that were written from sources, so that every judge and system meets the same ones."""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TypeAlias

import orjson

from assay.domain.ask import Written
from assay.domain.json import JSON
from assay.domain.record import Source
from assay.errors import InputError
from assay.files.json_lines import read_json_lines
from assay.files.json_values import describe, is_blank, is_list
from assay.files.place import Place

_Key: TypeAlias = tuple[str, str, str]
_UNITS = '"units": [{"text": "…", "sources": ["S1.2"]}]'
_EXAMPLE = f'`{{"rubric": "…", "bank": "…", "source": "…", "judge": "…", {_UNITS}}}`'


def digest_sources(sources: Iterable[Source]) -> str:
    """The texts in their order, and nothing else of them: a new title or address keeps the bank."""
    digest = hashlib.sha256()
    for source in sources:
        content = source.text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8) + content)
    return digest.hexdigest()[:24]


class BankFile:
    """Units once written stay: the same sources never get a second bank, for whoever was judged by the first.

    Several runs may fill one file at once: each looks at what the others have written before it adds a line.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._read_bytes = 0
        self._units: dict[_Key, tuple[Written, ...]] = {}
        self._lines: dict[_Key, int] = {}
        if self.path.exists():
            self._read()

    def create(self) -> None:
        """Empty, where it is not there: so that a run that goes on can tell a file that is gone from one to come."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch()
        except OSError as error:
            raise self._explain(error) from error

    def get(self, rubric: str, bank: str, source: str) -> tuple[Written, ...] | None:
        return self._units.get((rubric, bank, source))

    def add(self, rubric: str, bank: str, source: str, judge: str, units: Sequence[Written]) -> tuple[Written, ...]:
        """Gives back the units that hold: the new ones, on disk by then, or those that were there before."""
        key = (rubric, bank, source)
        if key not in self._units:
            line = {
                "rubric": rubric,
                "bank": bank,
                "source": source,
                "judge": judge,
                "units": [{"text": unit.text, "sources": unit.sentences} for unit in units],
            }
            self._append(key, tuple(units), orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        return self._units[key]

    def _append(self, key: _Key, units: tuple[Written, ...], line: bytes) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b", buffering=0) as file:
                _lock(file)
                if file.seek(0, os.SEEK_END) != self._read_bytes:
                    self._read()
                if key in self._units:
                    return
                # A line that a person left without an end would swallow the next one.
                file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
                file.write(line if file.read(1) in {b"\n", b""} else b"\n" + line)
                os.fsync(file.fileno())
                self._read_bytes = file.tell()
                self._units[key] = units
        except OSError as error:
            raise self._explain(error) from error

    def _explain(self, error: OSError) -> InputError:
        message = f"the bank can't be written: {error.strerror}"
        return InputError(message, path=str(self.path), remedy="Give a path that can be written to.")

    def _read(self) -> None:
        if not self.path.is_file():
            raise InputError("this is no file", path=str(self.path), remedy="Give the path of a bank file.")
        self._read_bytes = self.path.stat().st_size
        for place, value in read_json_lines(self.path):
            if isinstance(value, InputError):
                raise InputError(value.message, path=value.path, line=value.line, remedy=f"Write {_EXAMPLE}")
            key, units = _read_line(value, place)
            if self._units.setdefault(key, units) != units:
                first = self._lines.get(key)
                if first is None or first == place.line:
                    message = "the units of these sources were changed while a run used them"
                    raise place.fault(message, "Go on with the run: it takes up what the file has now.")
                message = f"line {first} has other units for the same sources"
                raise place.fault(message, "Keep one of the two lines.")
            self._lines.setdefault(key, place.line or 0)


def _lock(file: IO[bytes]) -> None:
    """Until the file is closed. Where the system has no such locks, runs must not share a file."""
    with suppress(ImportError):
        from fcntl import LOCK_EX, flock

        flock(file, LOCK_EX)


def _read_line(value: JSON, place: Place) -> tuple[_Key, tuple[Written, ...]]:
    if not isinstance(value, Mapping):
        raise place.fault(f"the line is {describe(value)}, an object is needed", f"Write {_EXAMPLE}")
    rubric, bank, source = (_read_name(value, name, place) for name in ("rubric", "bank", "source"))
    units = value.get("units")
    if not is_list(units):
        found = "absent" if units is None else describe(units)
        raise place.fault(f"units is {found}, a list is needed", f"Write {_EXAMPLE}")
    return (rubric, bank, source), tuple(_read_unit(unit, number, place) for number, unit in enumerate(units, start=1))


def _read_name(value: Mapping[str, JSON], name: str, place: Place) -> str:
    found = value.get(name)
    if not isinstance(found, str) or is_blank(found):
        what = "absent" if found is None else "blank" if isinstance(found, str) else describe(found)
        raise place.fault(f"{name} is {what}, text is needed", f"Write {_EXAMPLE}")
    return found


def _read_unit(unit: JSON, number: int, place: Place) -> Written:
    remedy = f"Write `{_UNITS}`"
    text = unit.get("text") if isinstance(unit, Mapping) else None
    if not isinstance(unit, Mapping) or not isinstance(text, str) or is_blank(text):
        raise place.fault(f"unit {number} has no text", remedy)
    sentences = unit.get("sources") or []
    if not is_list(sentences):
        raise place.fault(f"the sources of unit {number} are {describe(sentences)}, a list is needed", remedy)
    names = tuple(name for name in sentences if isinstance(name, str))
    if len(names) != len(sentences):
        raise place.fault(f"the sources of unit {number} are not all text", remedy)
    return Written(text, names)
