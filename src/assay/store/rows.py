"""Replies, banks and the names of judged records: rows built from what is queued, or read and built into it."""

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, NamedTuple

from assay.domain.ask import Written
from assay.models.chat import CallKey, Completion
from assay.store.codec import dump, dump_json, load, load_json, pack_bytes, to_cell, unpack_bytes
from assay.store.digests import INTACT, insert
from assay.store.faults import reading, require_intact
from assay.store.writer import Row

# Stands in the key of a reply between the call's digest and the run that the reply belongs to.
OWN_REPLY = "/"
# The columns of a judged record without its contents.
JUDGED = f"position, record_id, system, records.digest, {INTACT['cards']}"


class Judged(NamedTuple):
    """A judged record, by name and digest. The digest (`codec.digest_record`) covers everything in the record."""

    position: int
    record: str
    system: str | None
    digest: bytes


@dataclass(frozen=True, slots=True)
class KeptReply:
    key: str
    purpose: CallKey
    reply: Completion


def build_reply_row(run: str, key: str, reply: Completion, purpose: CallKey) -> Row:
    body, cell = dump(reply), to_cell(key)

    def write(connection: sqlite3.Connection, number: int) -> None:
        if not connection.execute("SELECT 1 FROM replies WHERE key = ?", (cell,)).fetchall():
            connection.execute(insert("replies"), (cell, pack_bytes(body)))
        connection.execute(
            "INSERT INTO reply_uses (run, record_id, ask, sample, attempt, reply)"
            " SELECT ?, ?, ?, ?, ?, number FROM replies WHERE key = ? ON CONFLICT DO NOTHING",
            (number, to_cell(purpose.record), to_cell(purpose.ask), purpose.sample, purpose.attempt, cell),
        )

    return Row(run, write)


def build_reply_rename(run: str, key: str, new_key: str) -> Row:
    def write(connection: sqlite3.Connection, _number: int) -> None:
        names = (to_cell(new_key), to_cell(key))
        connection.execute(
            "UPDATE OR IGNORE replies SET key = ?1, digest = row_digest(?1, body)"  # noqa: S608  # our own columns
            f" WHERE key = ?2 AND {INTACT['replies']}",
            names,
        )

    return Row(run, write)


def build_bank_row(run: str, key: tuple[str, str, str], units: Sequence[Written]) -> Row:
    """`key` is the rubric, the bank and the digest of the sources."""
    content = dump_json([[unit.text, list(unit.sentences), unit.weight, unit.direction] for unit in units])

    def write(connection: sqlite3.Connection, number: int) -> None:
        cells = (*map(to_cell, key), hashlib.sha256(content).digest())
        connection.execute(
            "INSERT INTO banks (rubric, bank, source, digest, units) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (*cells, pack_bytes(content)),
        )
        connection.execute(
            "INSERT INTO bank_uses (run, bank) SELECT ?, number FROM banks"
            " WHERE rubric = ? AND bank = ? AND source = ? AND digest = ? ON CONFLICT DO NOTHING",
            (number, *cells),
        )

    return Row(run, write)


def build_judged(row: Sequence[Any]) -> Judged:
    position, identifier, system, digest, intact = row
    with reading("card"):
        require_intact(intact)
        return Judged(index(position), identifier, system, digest)


def build_reply(body: bytes, intact: object) -> Completion:
    with reading("reply"):
        require_intact(intact)
        return load(unpack_bytes(body), Completion, "reply")


def build_units(run: str, body: bytes, digest: bytes) -> tuple[Written, ...]:
    with reading(f"bank of run {run}"):
        content = unpack_bytes(body)
        require_intact(hashlib.sha256(content).digest() == digest)
        return tuple(Written(text, tuple(sentences), *rest) for text, sentences, *rest in load_json(content))
