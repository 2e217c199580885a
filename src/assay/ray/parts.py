"""The folder of results: Parquet files with one row per record, how the run was begun, and its banks."""

import asyncio
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.tables import import_arrow
from assay.private_files import open_private
from assay.ray.coordinator import RecordKey, key_of
from assay.report.export import flatten
from assay.report.result import build_result
from assay.runner.run import rubric_of
from assay.store import codec
from assay.store.runs import RunRow, RunState, RunUsage
from assay.store.store import Store

# Readers of Parquet pass over names that begin so.
RUN_FILE, BANK_FILE = "_assay_run.json", "_assay_banks.jsonl"
_COMMIT_SECONDS = 1.0
_FLUSH_RECORDS = 1_000
_NUMBERS = ("_score", "_low", "_high", "_goodness")
_COUNTS = ("position", "total_scored", "total_asked")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run as its folder describes it, with what all its starts have used."""

    row: RunRow
    usage: RunUsage = field(default_factory=RunUsage)


def read_run(folder: Path) -> KeptRun | None:
    """None where no run was begun in the folder."""
    path = folder / RUN_FILE
    return codec.load(path.read_bytes(), KeptRun, f"run in {folder}") if path.is_file() else None


def write_run(folder: Path, run: KeptRun) -> None:
    _replace(folder / RUN_FILE, codec.dump(run))


def read_judged(folder: Path) -> dict[RecordKey, bytes]:
    """The records whose results the folder holds, each with its digest."""
    rows = _read_rows(folder, ["record", "system", "record_digest"])
    return {(row["record"], row["system"]): row["record_digest"] for row in rows}


def read_cards(folder: Path, row: RunRow) -> Iterator[tuple[int, Scorecard]]:
    """Every scorecard with its place among the others, file by file. A record that was judged twice counts once."""
    rubric, columns = rubric_of(row), ["record", "system", "position"]
    placed = {(each["record"], each["system"]): each["position"] for each in _read_rows(folder, columns)}
    order = sorted(placed, key=lambda key: (placed[key], key[0], key[1] or ""))
    places = {key: place for place, key in enumerate(order)}
    for each in _read_rows(folder, [*columns, "record_body", "card_body"]):
        place = places.pop((each["record"], each["system"]), None)
        if place is not None:
            record = codec.load(codec.unpack_bytes(each["record_body"]), Record, "record")
            yield place, codec.load_card(codec.unpack_bytes(each["card_body"]), record, rubric, row.id)


def import_results(folder: Path, store: Store) -> str:
    """Brings the run into a store, and returns its id. What can't be read leaves the store as it was."""
    kept = read_run(folder)
    if kept is None:
        remedy = f"Name the folder that was given as --out; it holds {RUN_FILE}."
        raise InputError("there are no results of a run on Ray", path=str(folder), remedy=remedy)
    run = kept.row.id
    if run in store.run_ids():
        remedy = f"To import it again, first run `assay runs delete {run}`."
        raise InputError(f"the store already holds run {run}", remedy=remedy)
    # Where `--bank RUN` finds its banks.
    parameters = {"bank": str((folder / BANK_FILE).resolve()), **kept.row.parameters}
    store.begin_run(replace(kept.row, state="running", finished=None, parameters=parameters))
    try:
        for count, (place, card) in enumerate(read_cards(folder, kept.row), start=1):
            store.add_record(run, place, card)
            if count % _FLUSH_RECORDS == 0:
                store.flush()
        store.add_usage(run, kept.usage)
        store.flush()
    except BaseException:
        store.delete_run(run)
        raise
    # Of a run that was killed the folder still says that it goes on.
    store.update_run(run, "done" if kept.row.state == "done" else "stopped", kept.row.finished)
    return run


def _read_rows(folder: Path, columns: list[str]) -> Iterator[Mapping[str, Any]]:
    arrow, parquet = import_arrow()
    for path in sorted(folder.glob("*.parquet")):
        try:
            yield from parquet.read_table(path, columns=columns, partitioning=None).to_pylist()
        except (arrow.ArrowException, OSError, KeyError) as error:
            remedy = "Move it out of the folder: its records are then judged again."
            raise InputError(f"the results can't be read: {error}", path=str(path), remedy=remedy) from error


@dataclass(slots=True)
class Parts:
    """Keeps what a worker judges of one batch, as `CardStore` says: the cards of a second in one file.

    A file is written whole or not at all, and has a name of its own, so workers never meet. Once it is there, the
    coordinator knows its records: nobody judges them again. `places` are the positions of the batch in the run.
    """

    folder: Path
    coordinator: Any
    places: Sequence[int] = ()
    _cards: list[tuple[int, Scorecard]] = field(default_factory=list)
    _writing: "asyncio.Task[None] | None" = None

    def get_record(self, run: str, record: str, system: str | None, rubric: Rubric) -> Scorecard | None:
        """None: the coordinator leaves out what is judged."""
        del run, record, system, rubric
        return None

    def add_record(self, run: str, position: int, card: Scorecard) -> None:
        self._cards.append((self.places[position], replace(card, run=run)))

    async def committed(self) -> None:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_later())
        await asyncio.shield(self._writing)

    async def _write_later(self) -> None:
        await asyncio.sleep(_COMMIT_SECONDS)
        self.flush()

    def flush(self) -> None:
        if not self._cards:
            return
        arrow, parquet = import_arrow()
        rows = [build_row(card, place) for place, card in self._cards]
        table = arrow.Table.from_pylist(rows, schema=arrow.schema(_list_columns(arrow, rows[0])))
        sink = arrow.BufferOutputStream()
        parquet.write_table(table, sink, compression="zstd")
        _replace(self.folder / f"part-{uuid.uuid4().hex}.parquet", sink.getvalue())
        cards = [card for _, card in self._cards]
        self.coordinator.keep.remote([key_of(card.record) for card in cards], sum(card.failed for card in cards))
        self._cards.clear()

    def add_usage(self, run: str, usage: RunUsage) -> None:
        del run
        self.coordinator.add_usage.remote(usage)

    def update_run(self, run: str, state: RunState, finished: datetime | None) -> None:
        """How the whole run ends is written where it was begun."""


def build_row(card: Scorecard, position: int) -> dict[str, object]:
    """The columns of `assay runs export`, and the whole card for `assay runs import`."""
    body, content = codec.pack_bytes(codec.dump(card)), codec.dump(card.record)
    kept = {"record_digest": codec.digest_record(card.record), "record_body": codec.pack_bytes(content)}
    shown = flatten(build_result(card), ())
    texts = {name: codec.to_cell(value) for name, value in shown.items() if isinstance(value, str)}
    return {**shown, **texts, "position": position, **kept, "card_body": body}


def _list_columns(arrow: Any, row: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
    """The same types in every file, also where all values of a column are missing."""
    for name in row:
        if name in _COUNTS:
            yield name, arrow.int64()
        elif name.endswith(_NUMBERS):
            yield name, arrow.float64()
        else:
            yield name, arrow.binary() if name.endswith(("_digest", "_body")) else arrow.string()


def _replace(path: Path, content: Any) -> None:
    """Writes a file under another name, and gives it its own when it is on disk."""
    unfinished = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        with open(unfinished, "wb", opener=open_private) as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(path)
    except OSError as error:
        remedy = "Name a folder that every node can write to as `out`."
        raise InputError(f"the results can't be written: {error.strerror}", path=str(path), remedy=remedy) from error
