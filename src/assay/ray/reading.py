"""Any dataset that Ray reads, as a dataset of records that are checked: one row each, with its name and digest."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.records import InvalidRecord, open_records, records_from
from assay.files.rubrics import read_rubric
from assay.files.tables import as_plain, import_arrow
from assay.ray.coordinator import RecordKey, key_of
from assay.runner.walk import stand_in
from assay.store import codec

_BLOCK_ROWS = 256


def open_dataset(records: Any, rubric: Rubric, mapping: Mapping[str, str], limit: int | None) -> tuple[Any, str]:
    """The records as a Ray dataset, and what they are called. A path is read by Assay, a folder of Parquet by Ray."""
    import ray.data

    name = "a Ray dataset"
    if isinstance(records, str | Path):
        name = str(records)
        if "://" not in name and not any(Path(name).glob("*.parquet")):
            found = open_records(name, rubric, mapping=mapping, skip_invalid=True, limit=limit)
            blocks = [build_block(each) for each in batch(found)]
            return ray.data.from_arrow(blocks), name
        records = ray.data.read_parquet(name)
    if not isinstance(records, ray.data.Dataset):
        raise InputError("records are neither a path nor a Ray dataset", remedy="Give what `ray.data.read_…` returns.")
    rows = records if limit is None else records.limit(limit)
    options = {"text": rubric.text, "name": rubric.id, "mapping": dict(mapping), "label_map": dict(rubric.label_map)}
    return rows.map_batches(read_batch, batch_size=_BLOCK_ROWS, batch_format="pyarrow", fn_kwargs=options), name


def batch(records: Iterable[Record | InvalidRecord]) -> Iterator[list[Record | InvalidRecord]]:
    stream = iter(records)
    while rows := list(islice(stream, _BLOCK_ROWS)):
        yield rows


def read_batch(table: Any, *, text: str, name: str, mapping: Mapping[str, str], label_map: Mapping[str, str]) -> Any:
    """Runs in a Ray task. What can't be read is a row too: the driver says which, or keeps it as invalid."""
    rubric = replace(read_rubric(text, f"{name}.md"), label_map=label_map)
    return build_block(_read_row(values, rubric, mapping) for values in table.to_pylist())


def _read_row(values: dict[str, Any], rubric: Rubric, mapping: Mapping[str, str]) -> Record | InvalidRecord:
    # A row of a dataset has no number that stays the same: one without an id is named by what it holds.
    digest = hashlib.sha256(repr(sorted(values.items())).encode("utf-8", "replace")).hexdigest()[:12]
    try:
        plain = {key: as_plain(value) for key, value in values.items()}
        [found] = records_from([plain], rubric, mapping=mapping, skip_invalid=True, is_table=True)
    except (InputError, UnicodeDecodeError) as error:
        return InvalidRecord(f"row {digest}", str(error))
    return replace(found, id=f"row {digest}") if isinstance(found, InvalidRecord) and found.id == "record 1" else found


def build_block(records: Iterable[Record | InvalidRecord]) -> Any:
    """An Arrow table; `reason` says why a record is invalid, which then has no body."""
    arrow, _ = import_arrow()
    rows = []
    for each in records:
        record = stand_in(each) if isinstance(each, InvalidRecord) else each
        name, system = key_of(record)
        row: dict[str, object] = {"id": name, "system": system, "digest": codec.digest_record(record)}
        kept = {"reason": codec.to_cell(each.reason)} if isinstance(each, InvalidRecord) else {"body": codec.dump(each)}
        rows.append(row | kept)
    texts, contents = ("id", "system", "reason"), ("digest", "body")
    schema = [*((name, arrow.string()) for name in texts), *((name, arrow.binary()) for name in contents)]
    return arrow.Table.from_pylist(rows, schema=arrow.schema(schema))


def load_record(row: Mapping[str, Any]) -> Record | InvalidRecord:
    if row["reason"] is not None:
        return InvalidRecord(row["id"], row["reason"], row["system"])
    return codec.load(row["body"], Record, "record")


def list_places(dataset: Any, judged: Mapping[RecordKey, bytes], *, skip_invalid: bool) -> dict[RecordKey, int]:
    """The position of every record. Raises InputError for the first that is invalid, named twice or has changed."""
    places: dict[RecordKey, int] = {}
    execution, dataset.context.enable_progress_bars = dataset.context.execution_options, False
    is_ordered, execution.preserve_order = execution.preserve_order, True
    rows = dataset.select_columns(["id", "system", "digest", "reason"]).take_all()
    execution.preserve_order = is_ordered
    for row in rows:
        key, name = (row["id"], row["system"]), f"record {len(places) + 1}, {row['id']!r:.80},"
        if row["reason"] is not None and not skip_invalid:
            raise InputError(f"{name} is invalid: {row['reason']}", remedy="Correct it, or use `skip_invalid`.")
        if key in places:
            remedy = "Give each record its own id, or each of its outputs its own `system`."
            raise InputError(f"{name} has the id of record {places[key] + 1}", remedy=remedy)
        if judged.get(key, row["digest"]) != row["digest"]:
            remedy = "Give the records that were judged, unchanged, or name another folder as `out`."
            raise InputError(f"{name} differs from what the run in this folder judged", remedy=remedy)
        places[key] = len(places)
    if not places:
        raise InputError("there is no record in the dataset", remedy="Give one row per record.")
    return places
