"""A run's records page by page, filtered and sorted by SQL, without opening their scorecards."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson

from assay.domain.listed import ClaimVotes, Listed, MetricScore
from assay.store.codec import dump_words
from assay.store.database import Database
from assay.store.digests import INTACT
from assay.store.faults import reading, require_intact

Cell = str | int | float | None
TOTAL = ""
# Of the records that a judge could answer; a metric that it declines so often is one that it can't judge.
_NEARLY_ALL = 0.9
_MOST_CHOICES = 500
_ESCAPES = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})


@dataclass(frozen=True, slots=True)
class RecordQuery:
    """Which records, in which order. `metric` is what `status` is about; none means the total.

    Without a metric a status is that of any metric. `order` is `place`, `id`, or a metric's id, or empty for the total.
    Source groups are found if one of their outputs fits, and sorted by the difference of their scores in the metric;
    `place` stands for the largest difference in any metric.
    """

    text: str = ""
    metric: str = TOTAL
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
                "EXISTS (SELECT 1 FROM scores WHERE card = cards.number AND author = ''"
                " AND metric = ifnull(?, metric) AND status = ifnull(?, status))",
                self.metric or None,
                self.status or None,
            )
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
        joined = "JOIN scores ON scores.card = cards.number AND scores.metric = ? AND scores.author = ''"
        return joined, f"scores.rank{way}, position{way}", [self.order]


_ORDERS: Mapping[str, tuple[str, ...]] = {
    "place": ("position",),
    "id": ("record_id", "position"),
    TOTAL: ("cards.rank", "position"),
}


@dataclass(frozen=True, slots=True)
class Choices:
    """What a run can be filtered by, each with how many records have it. `groups` counts those of several systems."""

    statuses: tuple[tuple[str, int], ...] = ()
    flags: tuple[tuple[str, int], ...] = ()
    systems: tuple[tuple[str, int], ...] = ()
    facets: tuple[tuple[str, str, int], ...] = ()
    groups: int = 0


@dataclass(frozen=True, slots=True)
class Browser:
    """Looks through the lists of one store."""

    database: Database

    def page(self, run: str, wanted: RecordQuery, start: int, size: int) -> tuple[list[Listed], int]:
        """So many records from the start on, and how many there are in all."""
        number = self.database.number(run)
        condition, values = wanted.build_condition()
        joined, order, names = wanted.build_order()
        found = f"FROM cards {joined} WHERE cards.run = ? AND {condition}"
        given = (*names, number, *values)
        statement = f"SELECT position {found} ORDER BY {order}"
        if wanted.text:
            # A search looks at every text: once, and not a second time to count.
            rows = self.database.read(statement, *given)
            total, rows = len(rows), rows[start : start + size]
        else:
            ((total,),) = self.database.read(f"SELECT count(*) {found}", *given)  # fragments of ours
            rows = self.database.read(f"{statement} LIMIT ? OFFSET ?", *given, size, start)
        shown = [place for (place,) in rows]
        whole = self.find_places(run, shown)
        return [whole[place] for place in shown if place in whole], int(total)

    def page_groups(self, run: str, wanted: RecordQuery, start: int, size: int) -> tuple[list[list[Listed]], int]:
        """Source groups with outputs of several systems, those that differ most first, and how many there are in all.

        An output without a score is no part of the difference. Groups with fewer than two scores come last.
        """
        number = self.database.number(run)
        condition, values = wanted.build_condition()
        is_any, of_total = wanted.order == "place", wanted.order in {TOTAL, "id"}
        way = " DESC" if wanted.descending or is_any else ""
        about = [] if is_any or of_total else [wanted.order]
        differences = _APART_IN_TOTAL if of_total else _APART.format(" AND metric = ?" if about else "")
        order = "name" if wanted.order == "id" else "difference"
        found = self.database.read(
            f"WITH differences AS ({differences})"  # noqa: S608  # fragments of ours
            f" SELECT item FROM ({_SEVERAL}) LEFT JOIN differences USING (item)"
            f" WHERE item IN (SELECT item FROM cards WHERE run = ? AND {condition})"
            f" ORDER BY {order} IS NULL, {order}{way}, place",
            *(number, *about, number, number, *values),
        )
        groups: dict[str, list[Listed]] = {item: [] for (item,) in found[start : start + size]}
        for row in self._read_listed(number, f"item IN ({', '.join('?' * len(groups))})", *groups):
            groups[row.item].append(row)
        return list(groups.values()), len(found)

    def find_group(self, run: str, item: str) -> list[Listed]:
        """The records of one source group, in the order of the run."""
        return list(self._read_listed(self.database.number(run), "item = ?", item))

    def outputs(self, run: str) -> list[tuple[str, str, str, int]]:
        """Item, system (empty where there is none), record and place of each, in the order of the run."""
        columns = "SELECT item, ifnull(system, ''), record_id, position FROM cards"
        return self.database.read(f"{columns} WHERE run = ? ORDER BY position", self.database.number(run))

    def all(self, run: str) -> Iterator[Listed]:
        """Every record, in the order of the run."""
        return self._read_listed(self.database.number(run))

    def places(self, run: str) -> list[int]:
        """In the order of the run; a run that was stopped may have gaps."""
        rows = self.database.read(
            "SELECT position FROM cards WHERE run = ? ORDER BY position", self.database.number(run)
        )
        return [place for (place,) in rows]

    def find_position(self, run: str, record: str, system: str | None) -> int | None:
        found = self.database.read(
            "SELECT position FROM cards WHERE run = ? AND record_id = ? AND ifnull(system, 0) = ifnull(?, 0)",
            *(self.database.number(run), record, system),
        )
        return found[0][0] if found else None

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
        number = self.database.number(run)
        return self.database.read(
            "WITH counts AS (SELECT metric, sum(status = 'abstained') AS abstained, count(goodness) AS answered"
            " FROM scores WHERE run = ?1 AND author = '' GROUP BY metric)"
            " SELECT position, records.digest, max(spread), max(CASE WHEN status = 'abstained'"
            " AND abstained < ?2 * (abstained + answered) THEN 1.0 ELSE width END)"
            " FROM scores JOIN counts USING (metric) JOIN cards ON cards.number = card"
            " JOIN records ON records.number = record"
            " WHERE scores.run = ?1 AND author = '' AND (?3 = '[]' OR metric IN (SELECT value FROM json_each(?3)))"
            " GROUP BY cards.number ORDER BY position",
            *(number, _NEARLY_ALL, dump_words(metrics)),
        )

    def choices(self, run: str) -> Choices:
        """At most so many of each, the commonest flags and statuses first."""
        number = self.database.number(run)

        def count(columns: str, table: str, order: str, condition: str = "1") -> tuple[tuple[Any, ...], ...]:
            found = f"FROM {table} WHERE run = ? AND {condition}"
            statement = f"SELECT {columns}, count(*) AS times {found} GROUP BY {columns}"
            return tuple(self.database.read(f"{statement} ORDER BY {order} LIMIT {_MOST_CHOICES}", number))

        return Choices(
            statuses=count("status", "scores", "times DESC, status", "author = ''"),
            flags=count("value", "cards, json_each(cards.flags)", "times DESC, value"),
            systems=tuple(row for row in count("system", "cards", "system") if row[0] is not None),
            facets=count("key, value", "cards, json_each(cards.facets)", "key, times DESC, value"),
            groups=len(self.database.read(_SEVERAL, number)),
        )

    def find_places(self, run: str, positions: Iterable[int]) -> dict[int, Listed]:
        wanted = sorted(set(positions))
        slots = ", ".join("?" * len(wanted))
        return {
            row.position: row for row in self._read_listed(self.database.number(run), f"position IN ({slots})", *wanted)
        }

    def _read_listed(self, run: int, condition: str = "1", *values: object) -> Iterator[Listed]:
        """In the order of the run."""
        given, chosen = (run, *values), f"WHERE cards.run = ? AND {condition} ORDER BY position"
        columns = ", ".join(f"cards.{name}" for name in _LISTED)
        cards = self.database.read(f"SELECT {columns}, {INTACT['cards']} FROM cards {chosen}", *given)  # noqa: S608  # ours
        columns = ", ".join(f"scores.{name}" for name in MetricScore._fields)
        joined = f"{INTACT['scores']} FROM cards JOIN scores ON scores.card = cards.number"
        scores = iter(self.database.read(f"SELECT {columns}, {joined} {chosen}, place", *given))
        with reading("card"):
            for *fields, metrics, answers, is_intact in cards:
                require_intact(is_intact)
                found = [_build_row(each) for each in islice(scores, metrics + answers)]
                by_metric = {each.metric: each for each in found if not each.author}
                require_intact(len(found) == metrics + answers, len(by_metric) == metrics)
                yield Listed._make((*_build_fields(*fields), by_metric, [each for each in found if each.author]))


_APART_IN_TOTAL = (
    "SELECT item, max(goodness) - min(goodness) AS difference FROM cards"
    " WHERE run = ? GROUP BY item HAVING count(goodness) > 1"
)
_APART = (
    "SELECT item, max(apart) AS difference FROM (SELECT item, max(scores.goodness) - min(scores.goodness) AS apart"
    " FROM scores JOIN cards ON cards.number = card WHERE scores.run = ? AND author = ''{}"
    " GROUP BY item, metric HAVING count(scores.goodness) > 1) GROUP BY item"
)
# Records without a system are a system of their own, as in the table.
_SEVERAL = (
    "SELECT item, min(position) AS place, min(record_id) AS name FROM cards WHERE run = ?"
    " GROUP BY item HAVING count(DISTINCT ifnull(system, 0)) > 1"
)
_LISTED = (
    *("position", "record_id", "system", "item", "goodness", "scored", "asked", "rank", "judge", "flags", "notices"),
    *("facets", "facts", "claims", "decided", "at_fault", "size_bytes", "metrics", "answers"),
)


def _build_fields(*cells: Any) -> tuple[Any, ...]:
    """Of a record, from the cells of _LISTED before its counts."""
    *fields, flags, notices, facets, facts, claims, decided, at_fault, size_bytes = cells
    words = map(orjson.loads, (flags, notices, facets, facts))
    return (*fields, *words, ClaimVotes(claims, decided, at_fault), size_bytes)


def _build_row(row: Sequence[Any]) -> MetricScore:
    *fields, is_intact = row
    require_intact(is_intact)
    found = MetricScore._make(fields)
    return found._replace(flags=orjson.loads(str(found.flags)), repairs=orjson.loads(str(found.repairs)))


def _build_search(text: str) -> tuple[str, list[Cell]]:
    """A condition that a card's record holds every word of a text, and its values."""
    words = [word.encode("utf-8", "replace").decode().translate(_ESCAPES) for word in text.casefold().split()]
    holds = r" AND search_text LIKE ? ESCAPE '\'" * len(words)
    condition = f"record IN (SELECT number FROM records WHERE 1{holds})" if words else "1"  # noqa: S608  # only question marks
    return condition, [f"%{word}%" for word in words]
