"""Readers of people's files: rubrics, records in every format, and labels. Each reads, or says what is wrong where."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from assay.agreement.label_files import read_label_file
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.records import open_records
from assay.files.rubrics import open_rubric, read_rubric
from assay.packs import list_packs
from fuzz.choices import Choices
from fuzz.rules import hold, read_twice

_MEMORY = Path("/dev/shm")  # noqa: S108  # a new folder of our own is made in it
ENDINGS = (".jsonl", ".json", ".csv", ".ndjson", "", ".txt", ".eval")


@cache
def shipped(name: str) -> Rubric:
    return open_rubric(name)


@contextmanager
def folder() -> Iterator[Path]:
    """In memory where there is such a place: a fuzzer writes a file a thousand times a second."""
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as made:
        yield Path(made)


def hold_error(error: InputError, most_lines: int) -> None:
    hold(error.message.strip(), "an error without words")
    hold(error.line is None or 1 <= error.line <= most_lines + 1, f"line {error.line} of {most_lines}")


def check_rubric(data: bytes) -> None:
    """A rubric, or an error that names a line of the file; the same content has the same digest."""
    text = Choices(data).text()
    try:
        rubric = read_rubric(text, "fuzzed.md")
    except InputError as error:
        hold_error(error, len(text.splitlines()))
        return
    hold(rubric.digest == read_rubric(text, "again.md").digest, "two digests of one rubric")
    hold(rubric.metrics and rubric.input("output") and rubric.input("source"), "a rubric that asks nothing")
    for metric in rubric.metrics:
        hold(metric.scale.low < metric.scale.high, f"{metric.id} has no scale")


def check_records(data: bytes) -> None:
    """Records from one file: all or none, the same at every pass, no two of one name."""
    choices = Choices(data)
    rubric = shipped(choices.pick(tuple(list_packs())))
    ending = choices.pick(ENDINGS)
    skip_invalid = bool(choices.number(2))
    content = choices.bytes()
    with folder() as place:
        path = place / f"records{ending}"
        path.write_bytes(content)
        _check_opened(path, rubric, content.count(b"\n") + content.count(b"\r") + 1, skip_invalid=skip_invalid)


def check_record_folder(data: bytes) -> None:
    """Records from a folder, one to a file."""
    choices = Choices(data)
    rubric = shipped(choices.pick(tuple(list_packs())))
    skip_invalid = bool(choices.number(2))
    with folder() as place:
        lines = 1
        for position in range(1 + choices.number(4)):
            content = choices.bytes()
            lines = max(lines, content.count(b"\n") + content.count(b"\r") + 1)
            (place / f"record-{position}{choices.pick(('.json', '.JSON', '.txt'))}").write_bytes(content)
        _check_opened(place, rubric, lines, skip_invalid=skip_invalid)


def _check_opened(path: Path, rubric: Rubric, lines: int, *, skip_invalid: bool) -> None:
    try:
        records = open_records(path, rubric, skip_invalid=skip_invalid)
    except InputError as error:
        hold_error(error, lines)
        return
    kept = read_twice(lambda: list(records))
    hold(len(kept) == len(records), f"{len(kept)} records of {len(records)}")
    names = {(each.id, each.system) for each in kept}
    hold(len(names) == len(kept), "two records of one name")
    hold(skip_invalid or all(isinstance(each, Record) for each in kept), "an invalid record among valid ones")


def check_labels(data: bytes) -> None:
    """People's labels: rows that each say something, or an error; nobody answers one question twice."""
    choices = Choices(data)
    ending = choices.pick((".csv", ".jsonl", ".ndjson", ".CSV", ".txt"))
    run = choices.pick((None, "r1"))
    content = choices.bytes()
    with folder() as place:
        path = place / f"labels{ending}"
        path.write_bytes(content)
        try:
            read = read_twice(lambda: [(row.question, row.label.label) for row in read_label_file(path, run).rows])
        except InputError as error:
            hold_error(error, content.count(b"\n") + content.count(b"\r") + 1)
            return
    hold(len({question for question, _ in read}) == len(read), "a question is answered twice")
    for question, said in read:
        hold(said and question[1] and question[3][0] and question[4], f"{question} says nothing")
