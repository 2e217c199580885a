"""Writes scorecards as they come: a table, JSON lines, or replies in the rubric's own format."""

import hashlib
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.formats.writer import build_reply, find_ending
from assay.private_files import open_private
from assay.report.result import build_result, dump, encode
from assay.report.terminal import RecordRow, build_row, open_console, print_records
from assay.store.locking import lock_descriptor

# A longer table is written to a file in parts, so that memory stays flat; each part has its own widths. A screen shows
# the worst records alone.
_TABLE_ROWS = 1_000
_WORST = 10
_UNSAFE = re.compile(r"[^\w.-]+")
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
_LONGEST_BYTES = 80


@dataclass(slots=True)
class Output:
    """Writes to `stream`, or without one a file for each record's reply into the folder `out`.

    A table without `out` is for a screen: of many records it lists the worst.

    A file keeps what it held until the first scorecard comes.
    """

    form: str
    rubric: Rubric
    out: Path | None
    stream: IO[str] | None
    _rows: list[RecordRow] = field(default_factory=list)
    _count: int = 0
    _is_stale: bool = True
    _is_closed: bool = False

    def write(self, card: Scorecard) -> None:
        with self._writing():
            if self.stream is None:
                name = name_file(card.record.id, card.record.system, find_ending(self.rubric))
                with open((self.out or Path()) / name, "w", encoding="utf-8", opener=open_private) as stream:
                    stream.write(format_reply(card))
                return
            if self._is_stale and self.out is not None and stat.S_ISREG(os.fstat(self.stream.fileno()).st_mode):
                self.stream.truncate(0)
            self._is_stale = False
            if self.form == "table":
                self._count += 1
                self._rows.append(build_row(card))
                if len(self._rows) == _TABLE_ROWS:
                    if self.out is None:
                        self._keep_worst()
                    else:
                        self._print_rows()
            elif self.form == "jsonl":
                self.stream.write(encode(build_result(card)).decode() + "\n")
                self.stream.flush()
            else:
                self.stream.write(format_reply(card))

    def finish(self) -> None:
        """Writes what is left, such as rows of a table. A second call does nothing."""
        with self._writing():
            if self.stream is not None and not self._is_closed:
                if self.out is None and self._count > _WORST and self._rows:
                    self._keep_worst()
                    print(f"The {_WORST} worst of {self._count} records:", file=self.stream)
                self._print_rows()
                self.stream.flush()

    @property
    def unlisted(self) -> int:
        """How many records were judged and are not in the table."""
        return max(0, self._count - _WORST) if self.out is None and self.form == "table" else 0

    def _keep_worst(self) -> None:
        self._rows = sorted(self._rows, key=lambda row: row.order)[:_WORST]

    def _print_rows(self) -> None:
        rows, self._rows = self._rows, []
        if rows and self.stream is not None:
            print_records(open_console(self.stream), self.rubric, rows)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A pipe that its reader has closed raises once for each card, and no more at the end."""
        try:
            with _explain_errors(self.out):
                yield
        except BrokenPipeError:
            self._is_closed = True
            raise


@contextmanager
def open_output(form: str, out: Path | None, rubric: Rubric, count: int) -> Iterator[Output]:
    """Raises InputError before any call where it can't be written. Ends the output also when a run breaks off."""
    _check(form, out, rubric, count)
    stream: IO[str] | None = sys.stdout
    with ExitStack() as stack:
        if out is not None:
            with _explain_errors(out):
                if form == "reply" and (count > 1 or out.is_dir()):
                    out.mkdir(parents=True, exist_ok=True)
                    stream, descriptor = None, os.open(out, os.O_RDONLY)
                    stack.callback(os.close, descriptor)
                else:
                    stream = open(out, "a", encoding="utf-8", opener=open_private)  # noqa: SIM115  # closed below
                    stack.callback(_close, stream, out)
                    descriptor = stream.fileno()
            _claim(descriptor, out)
        output = Output(form, rubric, out, stream)
        stack.callback(output.finish)
        yield output


def _close(stream: IO[str], out: Path) -> None:
    with _explain_errors(out), suppress(BrokenPipeError):
        stream.close()


def format_reply(card: Scorecard) -> str:
    """In the rubric's own format, with the computed numbers in it."""
    reply = build_reply(card)
    return reply if isinstance(reply, str) else "".join(dump(each) for each in reply)


def _claim(descriptor: int, out: Path) -> None:
    """Refuses a file or folder that another process writes to; the results of two runs would be mixed."""
    mode = os.fstat(descriptor).st_mode
    if (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and not lock_descriptor(descriptor):
        remedy = "Wait until it has finished, or name another `out`."
        raise InputError("another assay process is writing its results here", path=str(out), remedy=remedy)


@contextmanager
def _explain_errors(out: Path | None) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        remedy = "Name a file in an existing, writable folder as `out`."
        where = None if out is None else str(out)
        raise InputError(f"the results can't be written: {error.strerror}", path=where, remedy=remedy) from None


def _check(form: str, out: Path | None, rubric: Rubric, count: int) -> None:
    if form != "reply":
        if out is not None and out.is_dir():
            raise InputError("is a folder", path=str(out), remedy="Name a file as `out`.")
        return
    if rubric.shape is None:
        raise InputError(f"the rubric {rubric.id} has no reply format", remedy="Write `format` jsonl.")
    if count > 1 and (out is None or (out.exists() and not out.is_dir())):
        where = None if out is None else str(out)
        raise InputError(
            f"{count} replies can't go to one file or to standard output",
            path=where,
            remedy="Name a folder as `out`, or set `limit` to 1.",
        )


def name_file(identifier: str, system: str | None, ending: str) -> str:
    """A file name for a record, safe on every system. A name that could meet another one carries a digest."""
    given = identifier if system is None else f"{identifier}.{system}"
    cut = _UNSAFE.sub("_", given).encode("utf-8", "replace")[:_LONGEST_BYTES].decode("utf-8", "ignore")
    safe = cut.strip("._-") or "record"
    if safe == given and safe == safe.lower() and safe.partition(".")[0] not in _RESERVED and "." not in identifier:
        return f"{safe}{ending}"
    digest = hashlib.sha256(repr((identifier, system)).encode()).hexdigest()[:8]
    bare = safe if safe.partition(".")[0].lower() not in _RESERVED else f"record-{safe}"
    return f"{bare}-{digest}{ending}"
