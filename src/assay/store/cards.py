"""A scorecard as rows of `cards`, `scores`, `units` and `labels`, and back exactly."""

import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from assay.domain.findings import Findings, Grade, Label, Pick, Remark
from assay.domain.listed import Listed, build_listed
from assay.domain.outcome import Outcome
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard, Voice
from assay.domain.units import Unit
from assay.store.browsing import Cell
from assay.store.codec import (
    dump,
    dump_cell,
    dump_json,
    dump_words,
    from_plain,
    load,
    load_cell,
    load_json,
    pack_bytes,
    to_cell,
    to_plain,
    unpack_bytes,
)
from assay.store.digests import INTACT, insert, order_cells
from assay.store.faults import reading, require_intact
from assay.store.writer import Write

Columns: TypeAlias = dict[str, Any]
Said: TypeAlias = Label | Grade | Pick | Remark

# The author of a judge without a name: an empty one has the score that counts.
_NAMELESS = "?"
_KINDS: Mapping[str, type[Said]] = {"label": Label, "grade": Grade, "pick": Pick, "remark": Remark}
_KIND_OF = {kind: name for name, kind in _KINDS.items()}
# The columns of a label that hold fields of its type, with what they hold where there is none.
_SAID: Mapping[str, Cell] = {
    "part": "",
    "unit": None,
    "label": "",
    "qualifier": None,
    "note": "",
    "by": "judge",
    "probability": None,
    "suspicion": "",
}
# A grade has its level in the column of the label, and its reason in that of the note.
_RENAMED = {"level": "label", "reason": "note"}
_SCORE = {"reason": ""}
_UNIT = {"id": "", "kind": "", "text": "", "context": "", "weight": "main", "direction": ""}
CARD = (
    "position, cards.number, cards.metrics, cards.answers, cards.units, cards.labels, cards.details, records.body,"
    f" records.digest, record_id, system, {INTACT['cards']}"
)


def _select(table: str, columns: str, condition: str = "1") -> str:
    """Of cards by their numbers, in a JSON list: each row begins with its card and whether it is as it was written."""
    return (
        f"SELECT card, {INTACT[table]}, {columns} FROM {table}"  # noqa: S608  # our own columns
        f" WHERE card IN (SELECT value FROM json_each(?)) AND {condition} ORDER BY card, place"
    )


SCORES = _select("scores", "author, sample, metric, reason, units, replies, texts, details")
UNITS = _select("units", f"begins, ends, details, {', '.join(_UNIT)}")
LABELS = _select("labels", f"author, sample, metric, kind, details, {', '.join(_SAID)}", "is_person = 0")


@dataclass(frozen=True, slots=True)
class CardRows:
    """By column, without those that are known when they are written: the card, and the run."""

    details: str
    scores: list[Columns] = field(default_factory=list)
    units: list[Columns] = field(default_factory=list)
    labels: list[Columns] = field(default_factory=list)

    @property
    def size_bytes(self) -> int:
        rows = ({"details": self.details}, *self.scores, *self.units, *self.labels)
        return sum(len(cell) for row in rows for cell in row.values() if isinstance(cell, str | bytes))


def build_card_write(position: int, card: Scorecard) -> Write:
    record, kept, listed = card.record, dump(card.record), build_listed(card, position)
    rows, search_text = _build_rows(card, listed), _build_search_text(record)
    names = {"record_id": to_cell(record.id), "system": to_cell(record.system), "item": to_cell(record.item)}
    row: Columns = listed._asdict() | listed.votes._asdict() | names
    row |= {name: dump_words(row[name]) for name in ("flags", "notices", "facets", "facts")}
    row |= {"judge": to_cell(listed.judge), "failed": card.lacks_answers, "size_bytes": rows.size_bytes + len(kept)}
    row |= {"metrics": len(listed.scores), "answers": len(listed.answers), "details": rows.details}
    row |= {"units": len(rows.units), "labels": len(rows.labels)}

    def write(connection: sqlite3.Connection, number: int) -> None:
        known = connection.execute(
            "SELECT 1 FROM cards WHERE run = ?1 AND position = ?2 UNION ALL"
            " SELECT 1 FROM cards WHERE run = ?1 AND record_id = ?3 AND ifnull(system, 0) = ifnull(?4, 0)",
            (number, position, names["record_id"], names["system"]),
        ).fetchall()
        if known:
            return
        keys: Columns = {"run": number, "record": _write_record(connection, kept, search_text)}
        keys["card"] = connection.execute(insert("cards"), order_cells("cards", row | keys)).lastrowid
        for table, found in (("scores", rows.scores), ("units", rows.units), ("labels", rows.labels)):
            connection.executemany(insert(table), (order_cells(table, each | keys) for each in found))
        connection.execute("UPDATE runs SET cards = cards + 1 WHERE number = ?", (number,))

    return write


def _build_rows(card: Scorecard, listed: Listed) -> CardRows:
    rows = CardRows(dump_cell(to_plain(replace(card, outcomes={}, voices={}))))
    units, replies, keys = dict[Unit, int](), dict[str, int](), set[tuple[str, str, int]]()
    voiced = (voice.outcome for voices in card.voices.values() for voice in voices)
    scores = zip((*listed.scores.values(), *listed.answers), (*card.outcomes.values(), *voiced), strict=True)
    for place, (score, outcome) in enumerate(scores):
        trail, is_answer = outcome.trail, place >= len(card.outcomes)
        author = (to_cell(score.author) or _NAMELESS) if is_answer else ""
        if (score.metric, author, score.sample) in keys:
            twice = f"{author!r} has two answers as sample {score.sample} about {score.metric!r}"
            raise ValueError(f"record {card.record.id!r}: the judge {twice}; give each its own sample")
        keys.add((score.metric, author, score.sample))
        plain = to_plain(replace(outcome, trail=replace(trail, units=(), findings=Findings(), replies=())), Outcome)
        plain |= {"author": score.author} if is_answer else {}
        used = [units.setdefault(unit, len(units)) for unit in trail.units]
        new = [reply for reply in dict.fromkeys(trail.replies) if reply not in replies]
        heard = [replies.setdefault(reply, len(replies)) for reply in trail.replies]
        row: Columns = score._asdict() | {"place": place, "author": author, "rank": score.rank}
        row |= {"flags": dump_words(score.flags), "repairs": dump_words(score.repairs)}
        row |= {"units": json.dumps(used), "replies": json.dumps(heard)}
        row |= {"texts": pack_bytes(dump_json(new)) if new else None} | _split(plain, _SCORE)
        rows.scores.append(row)
        places = {unit.id: at for unit, at in zip(trail.units, used, strict=True)}
        for at, said in enumerate(_list_said(trail.findings)):
            of: Columns = {
                "metric": score.metric,
                "is_person": 0,
                "author": author,
                "sample": score.sample,
                "place": at,
            }
            unit_place = places.get(said.unit) if isinstance(said, Label) else None
            rows.labels.append(of | {"unit_place": unit_place} | _build_label(said))
    rows.units.extend({"place": place} | _build_unit(unit) for unit, place in units.items())
    return rows


def _list_said(findings: Findings) -> Iterator[Said]:
    for said in (findings.labels, findings.grades, findings.picks, findings.remarks):
        yield from said


def _build_label(said: Said) -> Columns:
    plain = {_RENAMED.get(name, name): value for name, value in to_plain(said).items()}
    if isinstance(said, Grade):
        plain["label"] = plain["label"].removesuffix("/1")
    return {"kind": _KIND_OF[type(said)]} | _split(plain, _SAID)


def _build_unit(unit: Unit) -> Columns:
    plain = to_plain(unit)
    begins, ends = plain.pop("span", (None, None))
    return {"begins": begins, "ends": ends} | _split(plain, _UNIT)


def _split(plain: dict[str, Any], columns: Mapping[str, Cell]) -> Columns:
    """The cells of these columns, and the details: what has no column, and texts that no column takes as they are."""
    cells: Columns = {name: plain.pop(name, default) for name, default in columns.items()}
    exact = {name: cell for name, cell in cells.items() if isinstance(cell, str) and to_cell(cell) != cell}
    return cells | {name: to_cell(cell) for name, cell in exact.items()} | {"details": dump_cell(plain | exact)}


def _join(columns: Mapping[str, Cell], cells: Sequence[Cell], details: str) -> dict[str, Any]:
    plain: dict[str, Any] = {name: cell for name, cell in zip(columns, cells, strict=True) if cell is not None}
    plain.update(load_cell(details))
    return plain


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


def build_cards(
    run: str, rubric: Rubric, cards: Sequence[Sequence[Any]], others: Sequence[Sequence[Sequence[Any]]]
) -> Iterator[Scorecard]:
    """`cards` have the columns of CARD; `others` are the rows that SCORES, UNITS and LABELS read of them."""
    by_card: list[dict[int, list[Sequence[Any]]]] = []
    for rows in others:
        by_card.append(defaultdict(list))
        for card, *row in rows:
            by_card[-1][card].append(row)
    for _, number, *row in cards:
        with reading(f"card of run {run}"):
            card = _build_card(run, rubric, row, [each[number] for each in by_card])
        yield card


def _build_card(run: str, rubric: Rubric, row: Sequence[Any], others: Sequence[Sequence[Sequence[Any]]]) -> Scorecard:
    metrics, answers, *counts, details, packed, digest, identifier, system, is_intact = row
    scores, units, labels = others
    content = unpack_bytes(packed)
    require_intact(is_intact, hashlib.sha256(content).digest() == digest)
    require_intact([len(each) for each in others] == [metrics + answers, *counts])
    require_intact(all(each[0] for rows in others for each in rows))
    record = load(content, Record, "record")
    require_intact([to_cell(each) for each in (record.id, record.system)] == [identifier, system])
    known = [_read_unit(*each) for _, *each in units]
    said: dict[tuple[Any, ...], list[Said]] = defaultdict(list)
    for _, author, sample, metric, *each in labels:
        said[author, sample, metric].append(_read_label(*each))
    outcomes: dict[str, Outcome] = {}
    voices: dict[str, tuple[Voice, ...]] = {}
    replies: list[str] = []
    for _, author, sample, metric, reason, used, heard, new, kept in scores:
        replies += [] if new is None else load_json(unpack_bytes(new))
        plain = _join(_SCORE, [reason], kept)
        judge = plain.pop("author", "")
        outcome: Outcome = from_plain(plain, Outcome)
        trail = replace(
            outcome.trail,
            units=tuple(known[place] for place in json.loads(used)),
            findings=_collect(said.get((author, sample, metric), ())),
            replies=tuple(replies[place] for place in json.loads(heard)),
        )
        outcome = replace(outcome, trail=trail)
        if author:
            voices[metric] = (*voices.get(metric, ()), Voice(judge, sample, outcome))
        else:
            outcomes[metric] = outcome
    kept = {"record": record, "rubric": rubric, "run": run, "outcomes": {}}
    card: Scorecard = from_plain(load_cell(details) | kept, Scorecard)
    return replace(card, outcomes=outcomes, voices=voices)


def _read_unit(begins: int | None, ends: int | None, details: str, *cells: Cell) -> Unit:
    span = None if begins is None else [begins, ends]
    unit: Unit = from_plain(_join(_UNIT, cells, details) | {"span": span}, Unit)
    return unit


def _read_label(kind: str, details: str, *cells: Cell) -> Said:
    plain = _join(_SAID, cells, details)
    if kind == "grade":
        plain |= {"level": plain["label"] if "/" in plain["label"] else f"{plain['label']}/1", "reason": plain["note"]}
    said: Said = from_plain(plain, _KINDS[kind])
    return said


def _collect(said: Sequence[Said]) -> Findings:
    return Findings(
        tuple(each for each in said if isinstance(each, Label)),
        tuple(each for each in said if isinstance(each, Grade)),
        tuple(each for each in said if isinstance(each, Pick)),
        tuple(each for each in said if isinstance(each, Remark)),
    )
