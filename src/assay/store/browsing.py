"""A run's records page by page, filtered and sorted by SQL, without opening their scorecards."""

import hashlib
import json
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

import orjson

from assay.domain.outcome import Outcome, Verdict
from assay.domain.scorecard import Scorecard, Voice
from assay.store.digests import CARD_INTACT, SCORE_INTACT
from assay.store.faults import reading, require_intact

Read = Callable[..., list[Any]]
Cell = str | int | float | None
TOTAL = ""
# Of the records that a judge could answer; a metric that it declines so often is one that it can't judge.
_NEARLY_ALL = 0.9
_MOST_CHOICES = 500
_ESCAPES = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})


class MetricScore(NamedTuple):
    """One metric of one record, its judges and samples combined: a row of `scores`.

    `width` of the interval and `spread` of the answers are shares of the scale. `labels` is a digest of the labelled
    texts and their labels: two runs differ in none of them where it is the same.
    """

    metric: str
    status: str
    score: float | None = None
    raw: float | None = None
    low: float | None = None
    high: float | None = None
    goodness: float | None = None
    width: float = 0.0
    spread: float = 0.0
    estimate: float | None = None
    flags: Sequence[str] = ()
    labels: str = ""

    @property
    def rank(self) -> float:
        return compute_order(self.goodness, int(self.goodness is not None), 1, [self.estimate])

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The columns of `scores` from the metric on."""
        *numbers, flags, labels = self
        return (*numbers, self.rank, _dump(flags), labels)


@dataclass(frozen=True, slots=True)
class RecordQuery:
    """Which records, in which order. `metric` is what `least`, `most` and `status` are about; none means the total.

    Without a metric a status is that of any metric. `order` is `place`, `id`, or a metric's id, or empty for the total.
    """

    text: str = ""
    metric: str = TOTAL
    least: float | None = None
    most: float | None = None
    status: str = ""
    flag: str = ""
    facet: tuple[str, str] | None = None
    system: str | None = None
    order: str = "place"
    descending: bool = False

    def build_condition(self) -> tuple[str, list[Cell]]:
        """What a row of `cards` must fulfil, in SQL, and its values."""
        condition, values = _build_search(self.text)
        clauses = [condition]

        def add(clause: str, *cells: Cell) -> None:
            clauses.append(clause)
            values.extend(cells)

        if self.metric or self.status:
            add(
                "EXISTS (SELECT 1 FROM scores WHERE card = cards.number"
                " AND metric = ifnull(?, metric) AND status = ifnull(?, status))",
                self.metric or None,
                self.status or None,
            )
        goodness = "cards.goodness"
        if self.metric and (self.least is not None or self.most is not None):
            goodness = "(SELECT goodness FROM scores WHERE card = cards.number AND metric = ?)"
        about = [self.metric] if goodness != "cards.goodness" else []
        if self.least is not None:
            add(f"{goodness} >= ?", *about, self.least)
        if self.most is not None:
            add(f"{goodness} <= ?", *about, self.most)
        if self.flag:
            add("EXISTS (SELECT 1 FROM json_each(cards.flags) WHERE value = ?)", self.flag)
        if self.facet is not None:
            add("EXISTS (SELECT 1 FROM json_each(cards.facets) WHERE key = ? AND value = ?)", *self.facet)
        if self.system is not None:
            add("cards.system = ?", self.system)
        return " AND ".join(clauses), values

    def build_order(self) -> tuple[str, str, list[Cell]]:
        """What is joined and how it is sorted, in SQL, and the values of the join."""
        way = " DESC" if self.descending else ""
        if self.order in _ORDERS:
            return "", ", ".join(f"{column}{way}" for column in _ORDERS[self.order]), []
        joined = "JOIN scores ON scores.card = cards.number AND scores.metric = ?"
        return joined, f"scores.rank{way}, position{way}", [self.order]


_ORDERS: Mapping[str, tuple[str, ...]] = {
    "place": ("position",),
    "id": ("record_id", "position"),
    TOTAL: ("cards.rank", "position"),
}


class Listed(NamedTuple):
    """One row of a list: a row of `cards` with its scores."""

    position: int
    record: str
    system: str | None
    item: str
    goodness: float | None
    scored: int
    asked: int
    rank: float
    flags: Sequence[str]
    facets: Mapping[str, str]
    size_bytes: int
    scores: Mapping[str, MetricScore]

    @property
    def name(self) -> str:
        return f"{self.record} ({self.system})" if self.system else self.record

    def find_goodness(self, metric: str) -> float | None:
        found = self.scores.get(metric)
        return None if found is None else found.goodness

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The columns of `cards` from the goodness on."""
        counts = (self.goodness, self.scored, self.asked, self.rank)
        return (*counts, _dump(self.flags), _dump(self.facets), self.size_bytes, len(self.scores))


def compute_order(goodness: float | None, scored: int, asked: int, estimates: Iterable[float | None]) -> float:
    """The goodness by which a record is sorted: what has no score counts by its estimate, or else as the worst.

    So no record that lacks a score stands below a good one. `goodness` is the mean of what is scored.
    """
    open_sum = sum(each for each in estimates if each is not None)
    return ((goodness or 0.0) * scored + open_sum) / asked if asked else 0.0


@dataclass(frozen=True, slots=True)
class ListPage:
    rows: tuple[Listed, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Choices:
    """What a run can be filtered by, each with how many records have it."""

    statuses: tuple[tuple[str, int], ...] = ()
    flags: tuple[tuple[str, int], ...] = ()
    systems: tuple[tuple[str, int], ...] = ()
    facets: tuple[tuple[str, str, int], ...] = ()


def build_listed(card: Scorecard, position: int = 0, size_bytes: int = 0) -> Listed:
    """A scorecard as a list shows it."""
    record, total = card.record, card.total
    scores = {name: build_score(name, each, card.voices.get(name, ())) for name, each in card.outcomes.items()}
    flags = {notice.check for notice in card.notices} | {flag for each in scores.values() for flag in each.flags}
    goodness = None if total.goodness is None else _to_float(total.goodness)
    estimates = [each.estimate for each in scores.values() if each.goodness is None]
    return Listed(
        position,
        record.id,
        record.system,
        record.item,
        goodness,
        total.scored,
        total.asked,
        compute_order(goodness, total.scored, total.asked, estimates),
        sorted(flags),
        {name: str(value) for name, value in record.facets.items()},
        size_bytes,
        scores,
    )


def build_score(metric: str, outcome: Outcome, voices: Sequence[Voice] = ()) -> MetricScore:
    flags, estimate, labels = outcome.trail.flags, outcome.trail.estimate, _digest_labels(outcome, voices)
    if not isinstance(outcome, Verdict):
        return MetricScore(metric, outcome.status, estimate=estimate, flags=flags, labels=labels)
    score = outcome.score
    answers = [voice.outcome.score.goodness for voice in voices if isinstance(voice.outcome, Verdict)]
    spread = max(answers) - min(answers) if answers else Fraction(0)
    width = (score.interval[1] - score.interval[0]) / (score.scale.high - score.scale.low)
    numbers = (score.value, score.raw, *score.interval, score.goodness, width, spread)
    return MetricScore._make((metric, outcome.status, *map(_to_float, numbers), estimate, flags, labels))


def _digest_labels(outcome: Outcome, voices: Sequence[Voice]) -> str:
    """Of all judges and samples; how many of them say the same is no difference."""
    said = set()
    for trail in (outcome.trail, *(voice.outcome.trail for voice in voices)):
        texts = {unit.id: unit.text for unit in trail.units}
        labels = (label for label in trail.findings.labels if label.unit in texts)
        said |= {(label.part, texts[label.unit], label.label, label.qualifier or "") for label in labels}
    content = repr(sorted(said)).encode("utf-8", "replace")
    return hashlib.blake2b(content, digest_size=8).hexdigest() if said else ""


def _to_float(value: Fraction) -> float:
    """Exact numbers have no limit; a column has one."""
    try:
        return float(value)
    except OverflowError:
        return sys.float_info.max if value > 0 else -sys.float_info.max


@dataclass(frozen=True, slots=True)
class Browser:
    """Looks through the lists of one store; `read` runs a statement and gives back all its rows."""

    read: Read
    number: Callable[[str], int]

    def page(self, run: str, wanted: RecordQuery, start: int, size: int) -> ListPage:
        number = self.number(run)
        condition, values = wanted.build_condition()
        joined, order, names = wanted.build_order()
        found = f"FROM cards {joined} WHERE cards.run = ? AND {condition}"
        given = (*names, number, *values)
        ((total,),) = self.read(f"SELECT count(*) {found}", *given)  # fragments of ours
        rows = self.read(f"SELECT position {found} ORDER BY {order} LIMIT ? OFFSET ?", *given, size, start)
        shown = [place for (place,) in rows]
        whole = self.find_places(run, shown)
        return ListPage(tuple(whole[place] for place in shown if place in whole), int(total))

    def all(self, run: str) -> Iterator[Listed]:
        """Every record, in the order of the run."""
        return self._read_listed(self.number(run))

    def places(self, run: str) -> list[int]:
        """In the order of the run; a run that was stopped may have gaps."""
        rows = self.read("SELECT position FROM cards WHERE run = ? ORDER BY position", self.number(run))
        return [place for (place,) in rows]

    def find_position(self, run: str, record: str, system: str | None) -> int | None:
        found = self.read(
            "SELECT position FROM cards WHERE run = ? AND record_id = ? AND ifnull(system, 0) = ifnull(?, 0)",
            *(self.number(run), record, system),
        )
        return found[0][0] if found else None

    def find_place(self, run: str, position: int) -> Listed | None:
        return next(self._read_listed(self.number(run), "position = ?", position), None)

    def find_neighbours(self, run: str, position: int) -> tuple[int | None, int | None]:
        """The places before and after, in the order of the run."""
        places = self.places(run)
        at, after = bisect_left(places, position), bisect_right(places, position)
        return places[at - 1] if at else None, places[after] if after < len(places) else None

    def find_doubts(self, run: str, metrics: Sequence[str] = ()) -> list[tuple[int, bytes, float, float]]:
        """Each place with its record's digest, how far its voices are apart, and how much is left open.

        Both are shares of the scale, in the worst of these metrics, or of all. A judge that abstains leaves everything
        open, unless it abstains on nearly every record under this metric: that says nothing of this one.
        """
        number = self.number(run)
        return self.read(
            "WITH counts AS (SELECT metric, sum(status = 'abstained') AS abstained, count(goodness) AS answered"
            " FROM scores WHERE run = ?1 GROUP BY metric)"
            " SELECT position, records.digest, max(spread), max(CASE WHEN status = 'abstained'"
            " AND abstained < ?2 * (abstained + answered) THEN 1.0 ELSE width END)"
            " FROM scores JOIN counts USING (metric) JOIN cards ON cards.number = card"
            " JOIN records ON records.number = record"
            " WHERE scores.run = ?1 AND (?3 = '[]' OR metric IN (SELECT value FROM json_each(?3)))"
            " GROUP BY cards.number ORDER BY position",
            *(number, _NEARLY_ALL, _dump(metrics)),
        )

    def count(self, run: str) -> int:
        ((count,),) = self.read("SELECT count(*) FROM cards WHERE run = ?", self.number(run))
        return int(count)

    def choices(self, run: str) -> Choices:
        """At most so many of each, the commonest flags and statuses first."""
        number = self.number(run)

        def count(columns: str, table: str, order: str) -> tuple[tuple[Any, ...], ...]:
            statement = f"SELECT {columns}, count(*) AS times FROM {table} WHERE run = ? GROUP BY {columns}"  # noqa: S608
            return tuple(self.read(f"{statement} ORDER BY {order} LIMIT {_MOST_CHOICES}", number))

        return Choices(
            statuses=count("status", "scores", "times DESC, status"),
            flags=count("value", "cards, json_each(cards.flags)", "times DESC, value"),
            systems=tuple(row for row in count("system", "cards", "system") if row[0] is not None),
            facets=count("key, value", "cards, json_each(cards.facets)", "key, times DESC, value"),
        )

    def find_places(self, run: str, positions: Iterable[int]) -> dict[int, Listed]:
        wanted = sorted(set(positions))
        slots = ", ".join("?" * len(wanted))
        return {row.position: row for row in self._read_listed(self.number(run), f"position IN ({slots})", *wanted)}

    def _read_listed(self, run: int, condition: str = "1", *values: object) -> Iterator[Listed]:
        """In the order of the run."""
        given, chosen = (run, *values), f"WHERE cards.run = ? AND {condition} ORDER BY position"
        columns = ", ".join(f"cards.{name}" for name in _LISTED)
        cards = self.read(f"SELECT {columns}, metrics, {CARD_INTACT} FROM cards {chosen}", *given)  # noqa: S608  # ours
        columns = ", ".join(f"scores.{name}" for name in MetricScore._fields)
        joined = f"{SCORE_INTACT} FROM cards JOIN scores ON scores.card = cards.number"
        scores = iter(self.read(f"SELECT {columns}, {joined} {chosen}, place", *given))
        with reading("card"):
            for *fields, flags, facets, size_bytes, metrics, is_intact in cards:
                require_intact(is_intact)
                of_card = (_build_row(each) for each in islice(scores, metrics))
                by_metric = {each.metric: each for each in of_card}
                require_intact(len(by_metric) == metrics)
                yield Listed._make((*fields, orjson.loads(flags), orjson.loads(facets), size_bytes, by_metric))


_LISTED = (
    *("position", "record_id", "system", "item", "goodness", "scored", "asked", "rank", "flags", "facets"),
    "size_bytes",
)


def _build_row(row: Sequence[Any]) -> MetricScore:
    *fields, flags, labels, is_intact = row
    require_intact(is_intact)
    return MetricScore._make((*fields, orjson.loads(flags), labels))


def _dump(value: object) -> str:
    """JSON for a column. Half a surrogate pair, which no column takes, becomes a question mark."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()


def _build_search(text: str) -> tuple[str, list[Cell]]:
    """A condition that a card's record holds every word of a text, and its values."""
    words = [word.encode("utf-8", "replace").decode().translate(_ESCAPES) for word in text.casefold().split()]
    holds = r" AND search_text LIKE ? ESCAPE '\'" * len(words)
    condition = f"record IN (SELECT number FROM records WHERE 1{holds})" if words else "1"  # noqa: S608  # only question marks
    return condition, [f"%{word}%" for word in words]
