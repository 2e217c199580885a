"""Where scorecards go as they come: a table, JSON lines, or replies in the rubric's own shape."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.file_names import name_file
from assay.report.json_text import encode
from assay.report.reply import find_ending, format_reply
from assay.report.result import build_result
from assay.report.terminal import RecordRow, build_row, open_console, print_records

# A table of more rows than this goes out in parts, each with its own widths: nobody's memory holds a million rows.
_TABLE_ROWS = 1_000


class Output(Protocol):
    def write(self, card: Scorecard) -> None: ...

    def finish(self) -> None:
        """Writes what was held back. A second call finds nothing to write."""
        ...


class JsonLines:
    """One line per record, written as soon as it is judged."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, card: Scorecard) -> None:
        self._stream.write(encode(build_result(card)).decode() + "\n")
        self._stream.flush()

    def finish(self) -> None: ...


class RecordTable:
    """Keeps a row per record and no more of it until a table is full: it needs all its rows to find its widths."""

    def __init__(self, stream: IO[str], rubric: Rubric) -> None:
        self._stream = stream
        self._rubric = rubric
        self._rows: list[RecordRow] = []

    def write(self, card: Scorecard) -> None:
        self._rows.append(build_row(card))
        if len(self._rows) == _TABLE_ROWS:
            self.finish()

    def finish(self) -> None:
        rows, self._rows = self._rows, []
        if rows:
            print_records(open_console(self._stream), self._rubric, rows)


class OneReply:
    """The reply of a single record in the rubric's own shape."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, card: Scorecard) -> None:
        self._stream.write(format_reply(card))

    def finish(self) -> None: ...


class ReplyFolder:
    """A file for each record's reply in the rubric's own shape."""

    def __init__(self, folder: Path, rubric: Rubric) -> None:
        self._folder = folder
        self._ending = find_ending(rubric)

    def write(self, card: Scorecard) -> None:
        path = self._folder / name_file(card.record.id, card.record.system, self._ending)
        path.write_text(format_reply(card), encoding="utf-8")

    def finish(self) -> None: ...


class _Checked:
    """What can't be written is a message with its place. A file keeps what it held until the first scorecard comes."""

    def __init__(self, output: Output, out: Path | None, stream: IO[str] | None = None) -> None:
        self._output = output
        self._out = out
        self._stale = stream

    def write(self, card: Scorecard) -> None:
        with _explained(self._out):
            if self._stale is not None and stat.S_ISREG(os.fstat(self._stale.fileno()).st_mode):
                self._stale.truncate(0)
            self._stale = None
            self._output.write(card)

    def finish(self) -> None:
        with _explained(self._out):
            self._output.finish()


@contextmanager
def _explained(out: Path | None) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        remedy = "Write --out with a path in a folder that exists and takes files."
        where = None if out is None else str(out)
        raise InputError(f"the results can't be written: {error.strerror}", path=where, remedy=remedy) from None


@contextmanager
def open_output(form: str, out: Path | None, rubric: Rubric, count: int) -> Iterator[Output]:
    """Whether it can be written is found out before any call. What was judged is kept also when a run breaks off."""
    _check(form, out, rubric, count)
    with _open(form, out, rubric, count) as output:
        try:
            yield output
        finally:
            output.finish()


@contextmanager
def _open(form: str, out: Path | None, rubric: Rubric, count: int) -> Iterator[Output]:
    if out is None:
        yield _Checked(_choose(form, sys.stdout, rubric), None)
    elif form == "reply" and (count > 1 or out.is_dir()):
        with _explained(out):
            out.mkdir(parents=True, exist_ok=True)
        yield _Checked(ReplyFolder(out, rubric), out)
    else:
        with _explained(out):
            stream = out.open("a", encoding="utf-8")
        try:
            yield _Checked(_choose(form, stream, rubric), out, stream)
        finally:
            with _explained(out):
                stream.close()


def _choose(form: str, stream: IO[str], rubric: Rubric) -> Output:
    if form == "reply":
        return OneReply(stream)
    return JsonLines(stream) if form == "jsonl" else RecordTable(stream, rubric)


def _check(form: str, out: Path | None, rubric: Rubric, count: int) -> None:
    if form != "reply":
        if out is not None and out.is_dir():
            raise InputError("is a folder", path=str(out), remedy="Write --out with a file.")
        return
    if rubric.shape is None:
        raise InputError(f"the rubric {rubric.id} has no reply shape", remedy="Use --format jsonl.")
    if count > 1 and out is None:
        raise InputError(f"{count} replies do not go to one output", remedy="Write --out FOLDER, or --limit 1.")
    if count > 1 and out is not None and out.exists() and not out.is_dir():
        raise InputError(f"{count} replies do not go to one file", path=str(out), remedy="Write --out with a folder.")
