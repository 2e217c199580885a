"""Rows of the store's tables: built from what is queued and written, or read and built into what was queued."""

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from operator import index
from typing import Any, NamedTuple

from assay.domain.ask import Written
from assay.domain.outcome import Failure, Outcome, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard, Voice
from assay.models.chat import CallKey, Completion
from assay.store.browsing import Mark
from assay.store.codec import (
    dump,
    dump_json,
    from_cell,
    load,
    load_card,
    load_json,
    maybe_from_cell,
    pack_bytes,
    to_cell,
    unpack_bytes,
)
from assay.store.digests import (
    BODY_COLUMNS,
    BODY_INTACT,
    CARD_COLUMNS,
    CARD_INTACT,
    MARK_COLUMNS,
    REPLY_COLUMNS,
    REPLY_INTACT,
    insert,
)
from assay.store.faults import reading, require_intact
from assay.store.writer import Row

# Stands in the key of a reply between the call's digest and the run that the reply belongs to.
OWN_REPLY = "/"
# The columns of a scorecard with its record, and of a judged record without its contents.
CARD = f"position, bodies.body, records.body, records.digest, record_id, system, item, {CARD_INTACT}, {BODY_INTACT}"
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
    record, total = card.record, card.total
    marks = [_build_mark(name, each, card.voices.get(name, ())) for name, each in card.outcomes.items()]
    flags = {notice.check for notice in card.notices} | {flag for mark in marks for flag in mark.flags}
    answers = [voice.outcome for voices in card.voices.values() for voice in voices]
    failed = any(isinstance(outcome, Failure) for outcome in (*card.outcomes.values(), *answers))
    goodness = None if total.goodness is None else _to_float(total.goodness)
    names = (to_cell(record.id), to_cell(record.system), to_cell(record.item))
    tags = [("flag", flag, "") for flag in sorted(flags)]
    tags += [("facet", name, str(value)) for name, value in record.facets.items()]
    kept, body, search_text = dump(record), dump(card), _build_search_text(record)

    def write(connection: sqlite3.Connection, number: int) -> None:
        known = connection.execute(
            "SELECT 1 FROM cards WHERE run = ?1 AND position = ?2 UNION ALL"
            " SELECT 1 FROM cards WHERE run = ?1 AND record_id = ?3 AND ifnull(system, 0) = ifnull(?4, 0)",
            (number, position, *names[:2]),
        ).fetchall()
        if known:
            return
        stored = _write_record(connection, kept, search_text)
        written = connection.execute(
            insert("cards", CARD_COLUMNS),
            (number, position, stored, *names, goodness, total.scored, total.asked, failed),
        )
        connection.execute(insert("bodies", BODY_COLUMNS), (written.lastrowid, pack_bytes(body)))
        connection.executemany(
            insert("marks", MARK_COLUMNS),
            [
                (
                    *(number, to_cell(each.metric), position, each.status, each.score, each.goodness),
                    *(each.width, each.spread, to_cell("\n".join(each.flags))),
                )
                for each in marks
            ],
        )
        connection.executemany(
            "INSERT INTO tags VALUES (?, ?, ?, ?, ?)",
            [(number, kind, to_cell(name), to_cell(value), position) for kind, name, value in tags],
        )
        counts = (len(marks), len(tags), number)
        connection.execute(
            "UPDATE runs SET cards = cards + 1, marks = marks + ?, tags = tags + ? WHERE number = ?", counts
        )

    return Row(run, write)


def _write_record(connection: sqlite3.Connection, content: bytes, search_text: str) -> int:
    """The number of the record, which may be there from another run."""
    digest = hashlib.sha256(content).digest()
    found = connection.execute("SELECT number FROM records WHERE digest = ?", (digest,)).fetchall()
    if found:
        return int(found[0][0])
    values = (digest, search_text, pack_bytes(content))
    return connection.execute("INSERT INTO records (digest, search_text, body) VALUES (?, ?, ?)", values).lastrowid or 0


def _build_mark(metric: str, outcome: Outcome, voices: Sequence[Voice]) -> Mark:
    flags = outcome.trail.flags
    if not isinstance(outcome, Verdict):
        return Mark(metric, outcome.status, flags=flags)
    score = outcome.score
    low, high = score.interval
    answers = [voice.outcome.score.goodness for voice in voices if isinstance(voice.outcome, Verdict)]
    spread = max(answers) - min(answers) if answers else Fraction(0)
    return Mark(
        metric=metric,
        status=outcome.status,
        score=_to_float(score.value),
        goodness=_to_float(score.goodness),
        width=_to_float((high - low) / (score.scale.high - score.scale.low)),
        spread=_to_float(spread),
        flags=flags,
    )


def _build_search_text(record: Record) -> str:
    """Lone surrogates and zeros can't be typed into a search, so they are replaced."""
    parts = (record.id, record.system, record.query, record.output)
    text = "\n".join(part for part in parts if part).casefold().replace("\0", " ")
    return text.encode("utf-8", "replace").decode()


def _to_float(value: Fraction) -> float:
    """Exact numbers have no limit; a column has one."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def build_reply_row(run: str, key: str, reply: Completion, purpose: CallKey) -> Row:
    # What the endpoint said of its limits was about the moment.
    kept = replace(reply, allowance=None)

    def write(connection: sqlite3.Connection, number: int) -> None:
        cell = to_cell(key)
        if not connection.execute("SELECT 1 FROM replies WHERE key = ?", (cell,)).fetchall():
            body = pack_bytes(dump(kept))
            connection.execute(insert("replies", REPLY_COLUMNS), (cell, body))
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
    content = dump_json([[unit.text, list(unit.sentences)] for unit in units])

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
        require_intact([to_cell(each) for each in (record.id, record.system, record.item)] == names)
        return load_card(unpack_bytes(body), record, rubric, run)


def build_judged(row: Sequence[Any]) -> Judged:
    position, identifier, system, digest, intact = row
    with reading("card"):
        require_intact(intact)
        return Judged(index(position), from_cell(identifier), maybe_from_cell(system), digest)


def build_reply(body: bytes, intact: object) -> Completion:
    with reading("reply"):
        require_intact(intact)
        return load(unpack_bytes(body), Completion, "reply")


def build_units(run: str, body: bytes, digest: bytes) -> tuple[Written, ...]:
    with reading(f"bank of run {run}"):
        content = unpack_bytes(body)
        require_intact(hashlib.sha256(content).digest() == digest)
        return tuple(Written(text, tuple(sentences)) for text, sentences in load_json(content))
