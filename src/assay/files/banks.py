"""A bank file keeps the units that were written from sources, so that every judge and system meets the same ones."""

import hashlib
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TypeAlias, cast, get_args

import orjson

from assay.domain.ask import Written
from assay.domain.json import JSON
from assay.domain.record import Source
from assay.domain.units import Weight
from assay.errors import InputError
from assay.files.json_lines import read_json_lines
from assay.files.json_values import is_blank
from assay.files.place import Place
from assay.private_files import open_private

_Key: TypeAlias = tuple[str, str, str]
_UNITS = '"units": [{"text": "…", "sources": ["S1.2"]}]'
_EXAMPLE = f'`{{"rubric": "…", "bank": "…", "source": "…", "judge": "…", {_UNITS}}}`'


def digest_sources(sources: Iterable[Source], query: str | None = None) -> str:
    """The texts in their order, and the query if there is one: a new title or address keeps the bank."""
    digest = hashlib.sha256()
    for text in (*(source.text for source in sources), *(() if query is None else (query,))):
        content = text.encode("utf-8", "surrogatepass")
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
        if self.path.exists():
            self._read()

    def create(self) -> None:
        """Creates an empty file where there is none, so that a resumed run can tell a lost file from a new one."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            open(self.path, "ab", opener=open_private).close()
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
                "units": [_build_unit(unit) for unit in units],
            }
            self._append(key, tuple(units), orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        return self._units[key]

    def _append(self, key: _Key, units: tuple[Written, ...], line: bytes) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a+b", buffering=0, opener=open_private) as file:
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
        message = f"the reference points can't be written: {error.strerror}"
        return InputError(message, path=str(self.path), remedy="Give a writable path.")

    def _read(self) -> None:
        if not self.path.is_file():
            raise InputError("this is not a file", path=str(self.path), remedy="Give a file of reference points.")
        self._read_bytes = self.path.stat().st_size
        for place, value in read_json_lines(self.path):
            if isinstance(value, InputError):
                raise InputError(value.message, path=value.path, line=value.line, remedy=f"Write {_EXAMPLE}")
            key, units = _parse_line(value, place)
            if self._units.setdefault(key, units) != units:
                message = "the units of these sources differ from an earlier line, or changed during the run"
                raise place.fault(message, "Keep one line for these sources, and leave it as it is.")


def _build_unit(unit: Written) -> dict[str, JSON]:
    direction: dict[str, JSON] = {"direction": unit.direction} if unit.direction else {}
    weight: dict[str, JSON] = {"weight": unit.weight} if unit.weight != "main" else {}
    return {"text": unit.text, "sources": unit.sentences, **weight, **direction}


def _lock(file: IO[bytes]) -> None:
    """Until the file is closed. Where the system has no such locks, runs must not share a file."""
    with suppress(ImportError):
        from fcntl import LOCK_EX, flock

        flock(file, LOCK_EX)


def _parse_line(value: JSON, place: Place) -> tuple[_Key, tuple[Written, ...]]:
    match value:
        case {"rubric": str(rubric), "bank": str(bank), "source": str(source), "units": [*units]}:
            found = tuple(_parse_unit(unit, number, place) for number, unit in enumerate(units, start=1))
            return (rubric, bank, source), found
    raise place.fault(
        "the line holds no reference points: rubric, bank and source are texts, units is a list", f"Write {_EXAMPLE}"
    )


def _parse_unit(unit: JSON, number: int, place: Place) -> Written:
    match unit:
        case {"text": str(text), **more} if not is_blank(text):
            sentences = more.get("sources") or []
            weight, direction = more.get("weight", "main"), more.get("direction", "")
            is_weight = weight in get_args(Weight) and isinstance(direction, str)
            if isinstance(sentences, list) and all(isinstance(name, str) for name in sentences) and is_weight:
                return Written(text, tuple(sentences), cast("Weight", weight), cast("str", direction))
    message = f"unit {number} has no text, or its sources are not a list of texts, or its weight is not main or minor"
    raise place.fault(message, f"Write `{_UNITS}`")
