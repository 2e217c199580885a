"""Scorecards and records as bytes, and back exactly."""

import hashlib
from collections.abc import Callable
from typing import TypeVar

from assay.domain.outcome import Abstention, Failure, Outcome, Score, Verdict
from assay.domain.record import Record, Source
from assay.domain.rubric import Rubric
from assay.domain.scale import Scale
from assay.domain.scorecard import Notice, Scorecard, Total
from assay.store.faults import StoreError, reading
from assay.store.trails import (
    Shared,
    pack_span,
    pack_trail,
    pack_unit,
    unpack_span,
    unpack_trail,
    unpack_unit,
)
from assay.store.values import (
    Packed,
    dump_json,
    load_json,
    maybe_pack_fraction,
    maybe_unpack_fraction,
    pack,
    pack_fraction,
    unpack,
    unpack_fraction,
)

# The layout below. A field that older readers can do without may be added; any other change takes the next number.
_VERSION = 1

Value = TypeVar("Value")


def dump_card(card: Scorecard) -> bytes:
    return dump_json(pack_card(card))


def pack_card(card: Scorecard) -> Packed:
    """Everything of a card but its record and rubric, which are kept once for many cards."""
    shared = Shared()
    outcomes = {name: _pack_outcome(outcome, shared) for name, outcome in card.outcomes.items()}
    total = card.total
    return {
        "v": _VERSION,
        "judge": card.judge,
        "run": card.run,
        "outcomes": outcomes,
        "units": [pack_unit(unit) for unit in shared.units],
        "replies": list(shared.replies),
        "total": [
            maybe_pack_fraction(total.score),
            maybe_pack_fraction(total.goodness),
            total.scored,
            total.asked,
        ],
        "notices": [[notice.check, notice.note, pack_span(notice.span)] for notice in card.notices],
        "facts": dict(card.facts),
    }


def load_card(content: bytes, record: Record, rubric: Rubric) -> Scorecard:
    return _load(content, "card", lambda packed: _unpack_card(packed, record, rubric))


def dump_record(record: Record) -> bytes:
    return dump_json(pack_record(record))


def pack_record(record: Record) -> Packed:
    return {
        "v": _VERSION,
        "id": record.id,
        "item": record.item,
        "output": record.output,
        "sources": [[source.id, source.text, source.title, source.url, source.input] for source in record.sources],
        "query": record.query,
        "system": record.system,
        "inputs": pack(dict(record.inputs)),
        "facets": dict(record.facets),
    }


def digest_record(record: Record) -> bytes:
    """The same for two records only where everything in them is the same. The store keeps records by it."""
    return hashlib.sha256(dump_record(record)).digest()


def load_record(content: bytes) -> Record:
    return _load(content, "record", _unpack_record)


def _load(content: bytes, what: str, unpack_value: Callable[[Packed], Value]) -> Value:
    with reading(what):
        packed = load_json(content)
        version = packed["v"]
        if version == _VERSION:
            return unpack_value(packed)
    raise StoreError(
        f"a stored {what} has the layout {version!r:.40}, and this version of Assay knows only {_VERSION}",
        remedy="Use the version of Assay that wrote it, or a newer one.",
    )


def _unpack_card(packed: Packed, record: Record, rubric: Rubric) -> Scorecard:
    units = [unpack_unit(each) for each in packed["units"]]
    replies: list[str] = packed["replies"]

    def unpack_outcome(outcome: Packed) -> Outcome:
        trail = unpack_trail(outcome["trail"], units, replies)
        if outcome["is"] == "verdict":
            return Verdict(_unpack_score(outcome["score"]), trail)
        if outcome["is"] == "abstention":
            return Abstention(outcome["status"], outcome["reason"], trail)
        if outcome["is"] == "failure":
            return Failure(outcome["status"], outcome["reason"], trail)
        raise ValueError(f"unknown outcome {outcome['is']!r}")

    score, goodness, scored, asked = packed["total"]
    return Scorecard(
        record=record,
        rubric=rubric,
        judge=packed["judge"],
        outcomes={name: unpack_outcome(outcome) for name, outcome in packed["outcomes"].items()},
        total=Total(maybe_unpack_fraction(score), maybe_unpack_fraction(goodness), scored, asked),
        notices=tuple(Notice(check, note, unpack_span(span)) for check, note, span in packed["notices"]),
        facts=packed["facts"],
        run=packed["run"],
    )


def _pack_outcome(outcome: Outcome, shared: Shared) -> Packed:
    trail = pack_trail(outcome.trail, shared)
    if isinstance(outcome, Verdict):
        return {"is": "verdict", "score": _pack_score(outcome.score), "trail": trail}
    kind = "abstention" if isinstance(outcome, Abstention) else "failure"
    return {"is": kind, "status": outcome.status, "reason": outcome.reason, "trail": trail}


def _pack_score(score: Score) -> Packed:
    low, high = score.interval
    scale = score.scale
    return {
        "value": pack_fraction(score.value),
        "raw": pack_fraction(score.raw),
        "interval": [pack_fraction(low), pack_fraction(high)],
        "scale": [pack_fraction(scale.low), pack_fraction(scale.high), scale.best, scale.decimals],
        "derivation": score.derivation,
        "figures": {name: pack_fraction(figure) for name, figure in score.figures.items()},
    }


def _unpack_score(packed: Packed) -> Score:
    low, high = packed["interval"]
    lowest, highest, best, decimals = packed["scale"]
    return Score(
        value=unpack_fraction(packed["value"]),
        raw=unpack_fraction(packed["raw"]),
        interval=(unpack_fraction(low), unpack_fraction(high)),
        scale=Scale(unpack_fraction(lowest), unpack_fraction(highest), best, decimals),
        derivation=packed["derivation"],
        figures={name: unpack_fraction(figure) for name, figure in packed["figures"].items()},
    )


def _unpack_record(packed: Packed) -> Record:
    return Record(
        id=packed["id"],
        item=packed["item"],
        output=packed["output"],
        sources=tuple(Source(*source) for source in packed["sources"]),
        query=packed["query"],
        system=packed["system"],
        inputs=unpack(packed["inputs"]),
        facets=packed["facets"],
    )
