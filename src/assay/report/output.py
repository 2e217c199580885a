"""Where scorecards go as they come: a table, JSON lines, or replies in the rubric's own shape."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

import orjson

from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.replies import render_reply
from assay.report.result import build_result
from assay.report.terminal import open_console, print_records


class Output(Protocol):
    def write(self, card: Scorecard) -> None: ...

    def finish(self) -> None: ...


class JsonLines:
    """One line per record, written as soon as it is judged."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, card: Scorecard) -> None:
        line = orjson.dumps(build_result(card), option=orjson.OPT_SERIALIZE_DATACLASS, default=str)
        self._stream.write(line.decode() + "\n")
        self._stream.flush()

    def finish(self) -> None: ...


class RecordTable:
    def __init__(self, stream: IO[str], rubric: Rubric) -> None:
        self._stream = stream
        self._rubric = rubric
        self._cards: list[Scorecard] = []

    def write(self, card: Scorecard) -> None:
        self._cards.append(card)

    def finish(self) -> None:
        print_records(open_console(self._stream), self._rubric, self._cards)


class Replies:
    """The reply of each record in the rubric's own shape: to a stream for one record, to a folder for many."""

    def __init__(self, stream: IO[str] | None, folder: Path | None) -> None:
        self._stream = stream
        self._folder = folder

    def write(self, card: Scorecard) -> None:
        text = render_reply(card)
        if self._folder is not None:
            name = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in card.record.id)
            system = f".{card.record.system}" if card.record.system else ""
            suffix = ".txt" if text.lstrip()[:1] != "{" else ".json"
            (self._folder / f"{name.lstrip('.') or 'record'}{system}{suffix}").write_text(text, encoding="utf-8")
        elif self._stream is not None:
            self._stream.write(text)

    def finish(self) -> None: ...


@contextmanager
def open_output(form: str, out: Path | None, rubric: Rubric, count: int) -> Iterator[Output]:
    if form == "reply":
        yield _open_replies(out, rubric, count)
        return
    try:
        stream = sys.stdout if out is None else out.open("w", encoding="utf-8")
    except OSError as error:
        remedy = "Write a path in a folder that exists."
        raise InputError(f"can't be written ({error.strerror})", path=str(out), remedy=remedy) from None
    output: Output = JsonLines(stream) if form == "jsonl" else RecordTable(stream, rubric)
    try:
        yield output
    finally:
        output.finish()
        if out is not None:
            stream.close()


def _open_replies(out: Path | None, rubric: Rubric, count: int) -> Replies:
    if rubric.shape is None:
        raise InputError(f"the rubric {rubric.id} has no reply shape", remedy="Use --format jsonl.")
    if out is None:
        if count > 1:
            raise InputError(f"{count} replies do not go to one output", remedy="Write --out FOLDER, or --limit 1.")
        return Replies(sys.stdout, None)
    if out.is_file():
        raise InputError("is a file", path=str(out), remedy="Write --out with a folder.")
    out.mkdir(parents=True, exist_ok=True)
    return Replies(None, out)
