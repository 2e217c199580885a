"""Keeps the lists of records beside the cards they are derived from, in the same transaction."""

import contextlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from assay.domain.combining import find_turn
from assay.store.entries import Entry, Said, Weights, build_entry, build_search_text
from assay.store.faults import StoreError, reading
from assay.store.packing import from_cell, to_cell, unpack_bytes
from assay.store.run_rows import read_judges
from assay.store.transactions import transaction
from assay.store.values import Packed, load_json

_CHORE_ROWS = 500
_UNLISTED = (
    "SELECT DISTINCT run, position FROM cards WHERE (run, position) > (?, ?)"
    " AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.run = cards.run AND entries.position = cards.position)"
    " ORDER BY run, position LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Which record of which run an entry is of, as the columns have it; of a new record no run knows anything."""

    run: int
    position: int
    record: int
    record_id: str | bytes
    system: str | bytes | None
    is_new: bool = False


def list_card(
    connection: sqlite3.Connection, place: Place, said: Said, content: Packed, weights: Weights | None = None
) -> None:
    """The entry of a record whose card was just written; made anew where it has others by now."""
    where = (place.run, place.position)
    found = connection.execute("SELECT 1 FROM cards WHERE run = ? AND position = ? LIMIT 2", where).fetchall()
    if len(found) == 1:
        _write_entry(connection, place, build_entry([said], weights), content)
        return
    cards = connection.execute("SELECT judge, sample, body FROM cards WHERE run = ? AND position = ?", where).fetchall()
    for table in ("entries", "marks", "entry_flags", "entry_facets"):
        connection.execute(f"DELETE FROM {table} WHERE run = ? AND position = ?", where)  # noqa: S608  # names from the line above
    with reading("card"):
        entry = build_entry(_read_cards(cards, _find_judges(connection, place.run)), weights)
    _write_entry(connection, place, entry, content)


def is_list_pending(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT 1 FROM chores WHERE name = 'list'").fetchall())


def list_if_pending(connection: sqlite3.Connection) -> None:
    """Lists what was judged before there were lists; a few records at a time, so that others can write in between."""
    left = is_list_pending(connection)
    last: tuple[int, int] = (-1, -1)
    while left:
        with transaction(connection):
            places = connection.execute(_UNLISTED, (*last, _CHORE_ROWS)).fetchall()
            for last in places:
                # A damaged card must not keep the store from being opened: its run could then not even be deleted.
                with contextlib.suppress(StoreError), reading("card"):
                    _relist(connection, *last)
            left = len(places) == _CHORE_ROWS
            if not left:
                connection.execute("DELETE FROM chores WHERE name = 'list'")


def _relist(connection: sqlite3.Connection, run: int, position: int) -> None:
    cards = connection.execute(
        "SELECT judge, sample, cards.body, record, record_id, system, records.body FROM cards"
        " JOIN records ON record = records.number WHERE run = ? AND position = ?",
        (run, position),
    ).fetchall()
    _, _, _, record, identifier, system, content = cards[0]
    entry = build_entry(_read_cards([card[:3] for card in cards], _find_judges(connection, run)), None)
    _write_entry(connection, Place(run, position, record, identifier, system), entry, load_json(unpack_bytes(content)))


def _find_judges(connection: sqlite3.Connection, run: int) -> Sequence[str]:
    ((judges,),) = connection.execute("SELECT judges FROM runs WHERE number = ?", (run,)).fetchall()
    return read_judges(judges)


def _read_cards(cards: Sequence[tuple[str | bytes, int, bytes]], judges: Sequence[str]) -> list[Said]:
    """In the run's own order, as its cards are combined: where nobody scored, the first one's reason stands."""
    named = [(from_cell(judge), sample, body) for judge, sample, body in cards]
    named.sort(key=lambda each: find_turn(judges, *each[:2]))
    return [Said(judge, load_json(unpack_bytes(body))) for judge, _, body in named]


def _write_entry(connection: sqlite3.Connection, place: Place, entry: Entry, content: Packed) -> None:
    run, position = place.run, place.position
    add = partial(_insert, connection)
    names = (place.record, place.record_id, place.system, to_cell(content["item"]))
    add("entries", [(run, position, *names, entry.goodness, entry.scored, entry.asked)])
    add(
        "marks",
        [
            (
                *(run, to_cell(mark.metric), position, mark.status, mark.score, mark.goodness),
                *(mark.width, mark.spread, to_cell("\n".join(mark.flags))),
            )
            for mark in entry.marks
        ],
    )
    add("entry_flags", [(run, to_cell(flag), position) for flag in sorted(entry.flags)])
    facets = content["facets"].items()
    add("entry_facets", [(run, to_cell(name), to_cell(str(value)), position) for name, value in facets])
    if place.is_new or not connection.execute("SELECT 1 FROM texts WHERE record = ?", (place.record,)).fetchall():
        add("texts", [(place.record, build_search_text(content))])


def _insert(connection: sqlite3.Connection, table: str, rows: Sequence[Sequence[object]]) -> None:
    if rows:
        places = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({places}) ON CONFLICT DO NOTHING", rows)  # noqa: S608  # our own names
