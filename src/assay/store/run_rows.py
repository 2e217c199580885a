"""Runs as rows of a table, and the names people call them by."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from assay.errors import InputError
from assay.store.faults import DamagedError, reading
from assay.store.packing import from_cell, pack_text, to_cell, unpack_text
from assay.store.store import DamagedRun, RunRow
from assay.store.values import dump_json, load_json, pack, unpack

COLUMNS = (
    "id, started, finished, state, rubric_id, rubric_digest, rubric_text, judges, parameters, code_version,"
    " records_source, record_count"
)
_LISTED = 5


def to_columns(run: RunRow) -> tuple[object, ...]:
    return (
        run.id,
        to_time(run.started),
        None if run.finished is None else to_time(run.finished),
        run.state,
        to_cell(run.rubric_id),
        run.rubric_digest,
        pack_text(run.rubric_text),
        dump_json(run.judges),
        dump_json(pack(dict(run.parameters))),
        run.code_version,
        to_cell(run.records_source),
        run.record_count,
    )


def from_columns(row: Sequence[Any]) -> RunRow:
    identifier, started, finished, state, rubric_id, digest, text, judges, parameters, code, source, count = row
    with reading(f"run {str(identifier)[:80]}"):
        if not (isinstance(identifier, str) and isinstance(count, int | None)):
            raise TypeError("its id is no text, or its count no number")
        return RunRow(
            id=identifier,
            started=datetime.fromisoformat(started),
            finished=None if finished is None else datetime.fromisoformat(finished),
            state=state,
            rubric_id=from_cell(rubric_id),
            rubric_digest=digest,
            rubric_text=unpack_text(text),
            judges=read_judges(judges),
            parameters=dict(unpack(load_json(parameters))),
            code_version=code,
            records_source=from_cell(source),
            record_count=count,
        )


def maybe_from_columns(row: Sequence[Any]) -> RunRow | DamagedRun:
    try:
        return from_columns(row)
    except DamagedError as error:
        return DamagedRun(str(row[0]), error)


def read_judges(column: bytes) -> tuple[str, ...]:
    """As a run named them, in its order."""
    return tuple(name.strip() for name in load_json(column))


def to_time(moment: datetime) -> str:
    """One zone and one length, so that times sort as texts."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def resolve(name: str, identifiers: Sequence[str]) -> str:
    """The id that a name stands for, of ids newest first."""
    if not identifiers:
        raise InputError("the store holds no runs", remedy="Judge some records first, or give --store its path.")
    if name == "last":
        return identifiers[0]
    if name in identifiers:
        return name
    found = [identifier for identifier in identifiers if name and identifier.startswith(name)]
    if len(found) == 1:
        return found[0]
    listed = ", ".join((found or identifiers)[:_LISTED]) + (" …" if len(found or identifiers) > _LISTED else "")
    if found:
        raise InputError(f"{len(found)} runs begin with {name!r}", remedy=f"Write more of it: {listed}")
    raise InputError(f"there is no run {name!r}", remedy=f"Write `last`, or the beginning of one of: {listed}")
