"""Rows of the store's tables: built from what is queued and written, or read and built into what was queued."""

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, NamedTuple

from assay.domain.ask import Written
from assay.domain.outcome import Failure
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.models.chat import CallKey, Completion
from assay.store.browsing import build_listed
from assay.store.codec import dump, dump_json, load, load_card, load_json, pack_bytes, to_cell, unpack_bytes
from assay.store.digests import (
    BODY_COLUMNS,
    BODY_INTACT,
    CARD_COLUMNS,
    CARD_INTACT,
    REPLY_COLUMNS,
    REPLY_INTACT,
    SCORE_COLUMNS,
    insert,
)
from assay.store.faults import reading, require_intact
from assay.store.writer import Row

# Stands in the key of a reply between the call's digest and the run that the reply belongs to.
OWN_REPLY = "/"
# The columns of a scorecard with its record, and of a judged record without its contents.
CARD = f"position, bodies.body, records.body, records.digest, record_id, system, {CARD_INTACT}, {BODY_INTACT}"
JUDGED = f"position, record_id, system, records.digest, {CARD_INTACT}"


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


def build_record_row(run: str, position: int, card: Scorecard) -> Row:
    record = card.record
    answers = [voice.outcome for voices in card.voices.values() for voice in voices]
    failed = any(isinstance(outcome, Failure) for outcome in (*card.outcomes.values(), *answers))
    kept, body, search_text = dump(record), pack_bytes(dump(card)), _build_search_text(record)
    listed = build_listed(card, position, len(body) + len(kept))
    names = (to_cell(record.id), to_cell(record.system))

    def write(connection: sqlite3.Connection, number: int) -> None:
        known = connection.execute(
            "SELECT 1 FROM cards WHERE run = ?1 AND position = ?2 UNION ALL"
            " SELECT 1 FROM cards WHERE run = ?1 AND record_id = ?3 AND ifnull(system, 0) = ifnull(?4, 0)",
            (number, position, *names),
        ).fetchall()
        if known:
            return
        stored = _write_record(connection, kept, search_text)
        values = (number, position, stored, *names, to_cell(record.item), failed, *listed.cells)
        written = connection.execute(insert("cards", CARD_COLUMNS), values).lastrowid
        scores = ((written, number, place, *each.cells) for place, each in enumerate(listed.scores.values()))
        connection.executemany(insert("scores", SCORE_COLUMNS), scores)
        connection.execute(insert("bodies", BODY_COLUMNS), (written, body))
        connection.execute("UPDATE runs SET cards = cards + 1 WHERE number = ?", (number,))

    return Row(run, write)


def _write_record(connection: sqlite3.Connection, content: bytes, search_text: str) -> int:
    """The number of the record, which may be there from another run."""
    digest = hashlib.sha256(content).digest()
    found = connection.execute("SELECT number FROM records WHERE digest = ?", (digest,)).fetchall()
    if found:
        return int(found[0][0])
    values = (digest, search_text, pack_bytes(content))
    return connection.execute("INSERT INTO records (digest, search_text, body) VALUES (?, ?, ?)", values).lastrowid or 0


def _build_search_text(record: Record) -> str:
    parts = (record.id, record.system, record.query, record.output)
    return to_cell("\n".join(part for part in parts if part).casefold().replace("\0", " ")) or ""


def build_reply_row(run: str, key: str, reply: Completion, purpose: CallKey) -> Row:
    body, cell = dump(reply), to_cell(key)

    def write(connection: sqlite3.Connection, number: int) -> None:
        if not connection.execute("SELECT 1 FROM replies WHERE key = ?", (cell,)).fetchall():
            connection.execute(insert("replies", REPLY_COLUMNS), (cell, pack_bytes(body)))
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
            f" WHERE key = ?2 AND {REPLY_INTACT}",
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


def build_card(run: str, rubric: Rubric, row: Sequence[Any]) -> Scorecard:
    """`row` has the columns of CARD."""
    _, body, packed, digest, *names, card_intact, body_intact = row
    with reading(f"card of run {run}"):
        content = unpack_bytes(packed)
        require_intact(card_intact, body_intact, hashlib.sha256(content).digest() == digest)
        record = load(content, Record, "record")
        require_intact([to_cell(each) for each in (record.id, record.system)] == names)
        return load_card(unpack_bytes(body), record, rubric, run)


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
