"""What is queued for the store: each row knows how to write itself under its run's number."""

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from assay.domain.ask import Written
from assay.domain.money import PICODOLLARS
from assay.domain.scorecard import Scorecard
from assay.store.codec import pack_card, pack_record
from assay.store.entries import Said, Weights
from assay.store.listing import Place, list_card
from assay.store.packing import maybe_to_cell, pack_bytes, pack_text, to_cell
from assay.store.store import CardKey, Purpose, StoredReply, Usage
from assay.store.values import Packed, dump_json

# Takes a record's id, a judge, a sample and a system, in this order; the words of the index `card_key`.
SAME_CARD = "record_id = ? AND judge = ? AND sample = ? AND ifnull(system, 0) = ifnull(?, 0)"
_LARGEST_INTEGER = 2**63 - 1


class Row(Protocol):
    """`size_bytes` is about what it holds in memory while it waits."""

    @property
    def run(self) -> str: ...

    @property
    def size_bytes(self) -> int: ...

    def write(self, connection: sqlite3.Connection, run: int) -> None: ...


@dataclass(frozen=True, slots=True)
class CardRow:
    """`record` and `body` are `content` and `said` as bytes."""

    run: str
    position: int
    key: CardKey
    failed: bool
    record: bytes
    body: bytes
    content: Packed
    said: Packed
    weights: Weights | None = None

    @property
    def size_bytes(self) -> int:
        return len(self.record) + len(self.body)

    def write(self, connection: sqlite3.Connection, run: int) -> None:
        identifier, system, judge, sample = self.key
        key = (to_cell(identifier), to_cell(judge), sample, maybe_to_cell(system))
        if connection.execute(f"SELECT 1 FROM cards WHERE run = ? AND {SAME_CARD}", (run, *key)).fetchall():  # noqa: S608
            return
        digest = hashlib.sha256(self.record).digest()
        found = connection.execute("SELECT number FROM records WHERE digest = ?", (digest,)).fetchall()
        if found:
            record = found[0][0]
        else:
            values = (digest, pack_bytes(self.record))
            record = connection.execute("INSERT INTO records (digest, body) VALUES (?, ?)", values).lastrowid or 0
        connection.execute(
            "INSERT INTO cards (run, position, record, failed, body, record_id, judge, sample, system)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (run, self.position, record, self.failed, pack_bytes(self.body), *key),
        )
        place = Place(run, self.position, record, key[0], key[3], is_new=not found)
        list_card(connection, place, Said(judge, self.said), self.content, self.weights)


@dataclass(frozen=True, slots=True)
class RecordRow:
    """Every voice on one record: one row, so that no transaction ends between two of them."""

    run: str
    cards: tuple[CardRow, ...]

    @property
    def size_bytes(self) -> int:
        return sum(card.size_bytes for card in self.cards)

    def write(self, connection: sqlite3.Connection, run: int) -> None:
        for card in self.cards:
            card.write(connection, run)


def build_record_row(run: str, position: int, voices: Iterable[tuple[str, int, Scorecard]]) -> RecordRow:
    cards = (_build_card_row(run, position, judge, sample, card) for judge, sample, card in voices)
    return RecordRow(run, tuple(cards))


def _build_card_row(run: str, position: int, judge: str, sample: int, card: Scorecard) -> CardRow:
    key = CardKey(card.record.id, card.record.system, judge, sample)
    weights = {metric.id: metric.weight for metric in card.rubric.metrics}
    content, said = pack_record(card.record), pack_card(card)
    return CardRow(run, position, key, card.failed, dump_json(content), dump_json(said), content, said, weights)


@dataclass(frozen=True, slots=True)
class ReplyRow:
    run: str
    key: str
    reply: StoredReply
    purpose: Purpose

    @property
    def size_bytes(self) -> int:
        return len(self.reply.text)

    def write(self, connection: sqlite3.Connection, run: int) -> None:
        reply, purpose, key = self.reply, self.purpose, to_cell(self.key)
        connection.execute(
            "INSERT INTO replies (key, text, finish_reason, prompt_tokens, completion_tokens, model, dropped)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (
                key,
                pack_text(reply.text),
                to_cell(reply.finish_reason),
                _as_count(reply.prompt_tokens),
                _as_count(reply.completion_tokens),
                to_cell(reply.model),
                dump_json(reply.dropped),
            ),
        )
        connection.execute(
            "INSERT INTO reply_uses (run, record_id, ask, sample, attempt, reply)"
            " SELECT ?, ?, ?, ?, ?, number FROM replies WHERE key = ? ON CONFLICT DO NOTHING",
            (run, to_cell(purpose.record), to_cell(purpose.ask), purpose.sample, purpose.attempt, key),
        )


def _as_count(tokens: int | None) -> int | None:
    """An endpoint may say anything; a number that can't be a count is as good as none."""
    return tokens if tokens is not None and 0 <= tokens <= _LARGEST_INTEGER else None


@dataclass(frozen=True, slots=True)
class BankRow:
    run: str
    rubric: str
    bank: str
    source: str
    units: bytes

    @property
    def size_bytes(self) -> int:
        return len(self.units)

    def write(self, connection: sqlite3.Connection, run: int) -> None:
        digest = hashlib.sha256(self.units).digest()
        key = (to_cell(self.rubric), to_cell(self.bank), to_cell(self.source), digest)
        connection.execute(
            "INSERT INTO banks (rubric, bank, source, digest, units) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (*key, pack_bytes(self.units)),
        )
        connection.execute(
            "INSERT INTO bank_uses (run, bank) SELECT ?, number FROM banks"
            " WHERE rubric = ? AND bank = ? AND source = ? AND digest = ? ON CONFLICT DO NOTHING",
            (run, *key),
        )


def build_bank_row(run: str, key: tuple[str, str, str], units: Sequence[Written]) -> BankRow:
    rubric, bank, source = key
    return BankRow(run, rubric, bank, source, dump_json([[unit.text, list(unit.sentences)] for unit in units]))


@dataclass(frozen=True, slots=True)
class UsageRow:
    run: str
    usage: Usage

    @property
    def size_bytes(self) -> int:
        return 0

    def write(self, connection: sqlite3.Connection, run: int) -> None:
        usage = self.usage
        connection.execute(
            "INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " calls = calls + excluded.calls, cache_hits = cache_hits + excluded.cache_hits,"
            " prompt_tokens = prompt_tokens + excluded.prompt_tokens,"
            " completion_tokens = completion_tokens + excluded.completion_tokens,"
            " cost_picodollars = cost_picodollars + excluded.cost_picodollars,"
            " unpriced_calls = unpriced_calls + excluded.unpriced_calls",
            (
                run,
                usage.calls,
                usage.cache_hits,
                usage.prompt_tokens,
                usage.completion_tokens,
                ceil(usage.cost_usd * PICODOLLARS),
                usage.unpriced_calls,
            ),
        )
