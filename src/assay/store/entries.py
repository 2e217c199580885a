"""What lists of records are sorted and filtered by, taken from the cards of one record in one run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Any, TypeAlias

from assay.domain.combining import (
    DISAGREEMENT,
    Scored,
    are_apart,
    find_range,
    mean_by_judge,
    mean_interval,
    weigh_goodness,
)
from assay.domain.scale import Scale
from assay.store.values import Packed, maybe_unpack_fraction, unpack_fraction

Weights = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Mark:
    """One metric of one record, its judges and samples combined. `width` and `spread` are shares of the scale."""

    metric: str
    status: str
    score: float | None = None
    goodness: float | None = None
    width: float = 0.0
    spread: float = 0.0
    flags: tuple[str, ...] = ()


Marked: TypeAlias = tuple[Mark, Fraction | None]
"""With the exact goodness, which a total is computed from."""
_Measured: TypeAlias = tuple[float, Fraction, float, float]


@dataclass(frozen=True, slots=True)
class Entry:
    goodness: float | None
    scored: int
    asked: int
    marks: tuple[Mark, ...]
    flags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Said:
    """A stored card, unread but for its JSON, and whose it is."""

    judge: str
    card: Packed


def build_entry(voices: Sequence[Said], weights: Weights | None) -> Entry:
    """Says what the combined card says of the same voices in the same order.

    Without weights, a total of several cards is the mean of theirs.
    """
    said = {name: _find_outcomes(name, voices) for name in voices[0].card["outcomes"]}
    marked = [_build_mark(name, outcomes) for name, outcomes in said.items()]
    marks = tuple(mark for mark, _ in marked)
    noticed = {notice[0] for each in voices for notice in each.card["notices"]}
    flags = frozenset(noticed | {flag for mark in marks for flag in mark.flags})
    return Entry(
        goodness=_find_total(voices, marked, weights),
        scored=sum(mark.goodness is not None for mark in marks),
        asked=len(marks),
        marks=marks,
        flags=flags,
    )


def build_search_text(record: Packed) -> str:
    """What a lone surrogate or a zero stands for can't be typed into a search."""
    parts = (record["id"], record["system"], record["query"], record["output"])
    text = "\n".join(part for part in parts if part).casefold().replace("\0", " ")
    return text.encode("utf-8", "replace").decode()


def _find_outcomes(metric: str, voices: Sequence[Said]) -> list[tuple[str, Packed]]:
    found = [(each.judge, each.card["outcomes"].get(metric)) for each in voices]
    return [(judge, outcome) for judge, outcome in found if outcome is not None]


def _build_mark(metric: str, outcomes: Sequence[tuple[str, Packed]]) -> Marked:
    trails = [outcome["trail"] for _, outcome in outcomes]
    flags = dict.fromkeys(flag for trail in trails for flag in trail.get("flags", ()))
    verdicts = [(judge, outcome["score"]) for judge, outcome in outcomes if outcome["is"] == "verdict"]
    if not verdicts:
        first = outcomes[0][1]
        return Mark(metric, first["status"], flags=tuple(first["trail"].get("flags", ()))), None
    repaired = any(outcome["trail"].get("repairs") for _, outcome in outcomes if outcome["is"] == "verdict")
    status = "repaired" if repaired else "ok"
    if len(outcomes) == 1:
        only = verdicts[0][1]
        score, exact, goodness, width = _measure(only["value"], *only["interval"], *only["scale"])
        return Mark(metric, status, score, goodness, width, flags=tuple(flags)), exact
    lowest, highest, best, decimals = verdicts[0][1]["scale"]
    scale = Scale(unpack_fraction(lowest), unpack_fraction(highest), best, decimals)
    value = mean_by_judge((judge, unpack_fraction(score["value"])) for judge, score in verdicts)
    voiced = [scale.goodness(unpack_fraction(score["value"])) for _, score in verdicts]
    exact = scale.goodness(value)
    low, high = mean_interval([(judge, _read_interval(score)) for judge, score in verdicts])
    if are_apart(voiced):
        flags[DISAGREEMENT] = None
    mark = Mark(
        metric=metric,
        status=status,
        score=_to_float(value),
        goodness=_to_float(exact),
        width=_to_float((high - low) / (scale.high - scale.low)),
        spread=_to_float(find_range(voiced)),
        flags=tuple(flags),
    )
    return mark, exact


def _read_interval(score: Packed) -> tuple[Fraction, Fraction]:
    low, high = score["interval"]
    return unpack_fraction(low), unpack_fraction(high)


@lru_cache(maxsize=4096)
def _measure(value: str, low: str, high: str, lowest: str, highest: str, *kind: Any) -> _Measured:
    """Score, goodness exact and as a float, and width of one answer; most scores of a run have been seen before."""
    scale = Scale(unpack_fraction(lowest), unpack_fraction(highest), *kind)
    score = unpack_fraction(value)
    width = (unpack_fraction(high) - unpack_fraction(low)) / (scale.high - scale.low)
    goodness = scale.goodness(score)
    return _to_float(score), goodness, _to_float(goodness), _to_float(width)


def _find_total(voices: Sequence[Said], marked: Sequence[Marked], weights: Weights | None) -> float | None:
    if len(voices) == 1:
        return _as_float(voices[0].card["total"][1])
    if weights is None:
        totals = [total for each in voices if (total := _as_float(each.card["total"][1])) is not None]
        return sum(totals) / len(totals) if totals else None
    scored = [(mark, exact) for mark, exact in marked if exact is not None]
    whole = weigh_goodness([Scored(weights.get(mark.metric, Fraction(1)), exact, mark.flags) for mark, exact in scored])
    return None if whole is None else _to_float(whole)


@lru_cache(maxsize=4096)
def _as_float(packed: str | None) -> float | None:
    value = maybe_unpack_fraction(packed)
    return None if value is None else _to_float(value)


def _to_float(value: Fraction) -> float:
    """Exact numbers have no limit; a column has one."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf
