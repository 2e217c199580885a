"""Writes a run to a file that other programs read: JSON lines, CSV or Parquet."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.tables import guard_cell, import_arrow
from assay.private_files import open_private
from assay.report.result import Result, build_result, encode

_ENDINGS = (".jsonl", ".csv", ".parquet")


def export_cards(cards: Iterable[Scorecard], path: Path, facets: Sequence[str]) -> int:
    """How many records were written. Lines and cells come as the cards do, so that memory stays flat.

    `facets` are those of all records: the columns are known before the last of them is read.
    """
    if path.suffix not in _ENDINGS:
        raise InputError(f"{path.name} has an unknown file extension", remedy=f"Use one of {', '.join(_ENDINGS)}.")
    results = (build_result(card) for card in cards)
    if path.suffix == ".jsonl":
        return _write_lines(results, path)
    rows = (flatten(result, facets) for result in results)
    return _write_csv(rows, path) if path.suffix == ".csv" else _write_parquet(list(rows), path)


def flatten(result: Result, facets: Sequence[str]) -> dict[str, object]:
    """One row per record: score, interval, goodness, weakest_support, status and flags of every metric."""
    row: dict[str, object] = {"record": result.record, "item": result.item, "system": result.system}
    row |= {f"facet_{name}": result.facets.get(name) for name in facets}
    for name, metric in result.metrics.items():
        low, high = metric.interval or (None, None)
        row |= {
            f"{name}_score": metric.score,
            f"{name}_low": low,
            f"{name}_high": high,
            f"{name}_goodness": metric.goodness,
            f"{name}_weakest_support": metric.weakest_support,
            f"{name}_status": metric.status,
            f"{name}_reason": metric.reason,
            f"{name}_flags": " ".join(metric.flags),
        }
    total = {f"total_{name}": result.total[name] for name in ("goodness", "scored", "asked")}
    return row | total | {"judge": result.judge, "run": result.run}


def _write_lines(results: Iterable[Result], path: Path) -> int:
    count = 0
    with open(path, "wb", opener=open_private) as stream:
        for result in results:
            stream.write(encode(result) + b"\n")
            count += 1
    return count


def _write_csv(rows: Iterator[Mapping[str, object]], path: Path) -> int:
    count = 0
    with open(path, "w", encoding="utf-8", newline="", opener=open_private) as stream:
        writer = csv.writer(stream)
        for row in rows:
            if not count:
                writer.writerow(guard_cell(name) for name in row)
            writer.writerow(guard_cell(cell) for cell in row.values())
            count += 1
    return count


def _write_parquet(rows: list[dict[str, object]], path: Path) -> int:
    arrow, parquet = import_arrow()
    with open(path, "wb", opener=open_private) as stream:
        parquet.write_table(arrow.Table.from_pylist(rows), stream)
    return len(rows)
