"""How well judges agree with people: what `assay agree --keep` measured, by judge, rubric and metric."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass
from typing import Any

from assay.store.codec import to_cell
from assay.store.digests import insert, is_intact, transaction
from assay.store.faults import reading, require_intact

# The first three say whose agreement it is.
_COLUMNS = ("judge", "rubric_digest", "metric", "run", "n", "figure", "value", "low", "high", "constant")


@dataclass(frozen=True, slots=True)
class KeptAgreement:
    """The main figure of a metric with its 95 % interval, beside that of a constant answer.

    It outlives its run, of which it holds no text. `judge` has the digest of its prompts, `rubric_digest` the rubric's.
    """

    judge: str
    rubric_digest: str
    metric: str
    run: str
    n: int
    figure: str
    value: float | None
    low: float | None
    high: float | None
    constant: float


@dataclass(frozen=True, slots=True)
class Agreements:
    """The agreements of one store. A later one takes the place of an earlier one."""

    read: Callable[..., list[Any]]
    alone: Callable[[], AbstractContextManager[sqlite3.Connection]]

    def put(self, found: Iterable[KeptAgreement]) -> None:
        with self.alone() as connection, transaction(connection):
            for each in found:
                cells = [to_cell(cell) if isinstance(cell, str) else cell for cell in astuple(each)]
                connection.execute(
                    "DELETE FROM agreements WHERE judge = ? AND rubric_digest = ? AND metric = ?", cells[:3]
                )
                connection.execute(insert("agreements", _COLUMNS), cells)

    def find(self, judge: str, rubric_digest: str, metric: str) -> KeptAgreement | None:
        rows = self.read(
            f"SELECT {is_intact('agreements', _COLUMNS)}, {', '.join(_COLUMNS)} FROM agreements"  # noqa: S608  # our own columns
            " WHERE judge = ? AND rubric_digest = ? AND metric = ?",
            *(judge, rubric_digest, metric),
        )
        for intact, *cells in rows:
            with reading(f"agreement of {judge:.80}"):
                require_intact(intact)
                return KeptAgreement(*cells)
        return None
