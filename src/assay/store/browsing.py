"""A run's records page by page, sorted and filtered by the database, so that a long run is as quick as a short one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from assay.store.codec import from_cell, maybe_from_cell, maybe_to_cell, to_cell

Read = Callable[..., list[Any]]
TOTAL = ""
_OF_CARDS = frozenset({"place", "id", TOTAL})
# Of the records that a judge could answer; a metric that it declines so often is one that it can't judge.
_NEARLY_ALL = 0.9
_ESCAPES = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})


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


@dataclass(frozen=True, slots=True)
class Wanted:
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


class Listed(NamedTuple):
    """One line of a list. `marks` are in the order of the rubric's metrics only where the caller makes them so."""

    position: int
    record: str
    system: str | None
    item: str
    goodness: float | None
    scored: int
    asked: int
    marks: dict[str, Mark]


@dataclass(frozen=True, slots=True)
class Page:
    rows: tuple[Listed, ...]
    total: int


class MetricScore(NamedTuple):
    """One metric of one record as statistics need it."""

    metric: str
    item: str
    status: str
    score: float | None
    goodness: float | None


@dataclass(frozen=True, slots=True)
class Choices:
    """What a run can be filtered by, each with how many records have it."""

    statuses: tuple[tuple[str, int], ...] = ()
    flags: tuple[tuple[str, int], ...] = ()
    systems: tuple[tuple[str, int], ...] = ()
    facets: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Browser:
    """Looks through the lists of one store; `read` runs a statement and gives back all its rows."""

    read: Read
    number: Callable[[str], int]

    def page(self, run: str, wanted: Wanted, start: int, size: int) -> Page:
        number = self.number(run)
        listed, values = _build_query(number, wanted)
        chosen = f"SELECT e.position {listed} ORDER BY {_order(wanted)}"
        if wanted.text:
            # A search reads the texts: once for both the count and the page.
            found = self.read(chosen, *values)
            total, places = len(found), found[start : start + size]
        else:
            counted, same = _build_query(number, replace(wanted, order="place"))
            ((total,),) = self.read(f"SELECT count(*) {counted}", *same)
            places = self.read(f"{chosen} LIMIT ? OFFSET ?", *values, size, start)
        return Page(tuple(self._list(number, [place for (place,) in places])), total)

    def places(self, run: str) -> list[int]:
        """In the order of the run; a run that was stopped may have gaps."""
        rows = self.read("SELECT position FROM cards WHERE run = ? ORDER BY position", self.number(run))
        return [place for (place,) in rows]

    def find_position(self, run: str, record: str, system: str | None) -> int | None:
        found = self.read(
            "SELECT position FROM cards WHERE run = ? AND record_id = ? AND ifnull(system, 0) = ifnull(?, 0)",
            *(self.number(run), to_cell(record), maybe_to_cell(system)),
        )
        return found[0][0] if found else None

    def find_place(self, run: str, position: int) -> Listed | None:
        return next(self._list(self.number(run), [position]), None)

    def find_neighbours(self, run: str, position: int) -> tuple[int | None, int | None]:
        """The places before and after, in the order of the run."""
        number = self.number(run)
        ((before,),) = self.read("SELECT max(position) FROM cards WHERE run = ? AND position < ?", number, position)
        ((after,),) = self.read("SELECT min(position) FROM cards WHERE run = ? AND position > ?", number, position)
        return before, after

    def find_sizes(self, run: str, places: Sequence[int]) -> dict[int, int]:
        """About how many bytes must be unpacked to open the record at each place."""
        slots = ", ".join("?" * len(places))
        rows = self.read(
            "SELECT position, length(bodies.body) + length(records.body) FROM cards JOIN bodies ON card = cards.number"  # noqa: S608  # only question marks
            f" JOIN records ON records.number = record WHERE run = ? AND position IN ({slots})",
            *(self.number(run), *places),
        )
        return dict(rows)

    def find_doubts(self, run: str, metrics: Sequence[str] = ()) -> list[tuple[int, bytes, float, float]]:
        """Each place with its record's digest, how far its voices are apart, and how much is left open.

        Both are shares of the scale, in the worst of these metrics, or of all. A judge that abstains leaves everything
        open, unless it abstains on nearly every record under this metric: that says nothing of this one.
        """
        number = self.number(run)
        chosen = f" AND metric IN ({', '.join('?' * len(metrics))})" if metrics else ""
        return self.read(
            "WITH declined AS (SELECT metric FROM marks WHERE run = ? GROUP BY metric"  # noqa: S608  # only question marks
            " HAVING sum(status = 'abstained') >= ? * sum(status = 'abstained' OR goodness IS NOT NULL))"
            " SELECT position, digest, max(spread),"
            " max(CASE WHEN status = 'abstained' AND metric NOT IN declined THEN 1.0 ELSE width END)"
            " FROM marks JOIN cards USING (run, position) JOIN records ON records.number = cards.record"
            f" WHERE marks.run = ?{chosen} GROUP BY position",
            *(number, _NEARLY_ALL, number, *map(to_cell, metrics)),
        )

    def count(self, run: str) -> int:
        ((count,),) = self.read("SELECT count(*) FROM cards WHERE run = ?", self.number(run))
        return int(count)

    def choices(self, run: str) -> Choices:
        number = self.number(run)
        statuses = self.read(
            "SELECT status, count(*) FROM marks WHERE run = ? GROUP BY status ORDER BY count(*) DESC", number
        )
        flags = self.read(
            "SELECT name, count(*) AS found FROM tags WHERE run = ? AND kind = 'flag'"
            " GROUP BY name ORDER BY found DESC, name",
            number,
        )
        systems = self.read(
            "SELECT system, count(*) FROM cards WHERE run = ? AND system IS NOT NULL GROUP BY system ORDER BY system",
            number,
        )
        facets = self.read(
            "SELECT name, value, count(*) FROM tags WHERE run = ? AND kind = 'facet' GROUP BY name, value"
            " ORDER BY name, count(*) DESC, value LIMIT 500",
            number,
        )
        return Choices(
            tuple((status, count) for status, count in statuses),
            tuple((from_cell(flag), count) for flag, count in flags),
            tuple((from_cell(system), count) for system, count in systems),
            tuple((from_cell(name), from_cell(value), count) for name, value, count in facets),
        )

    def facet_names(self, run: str) -> tuple[str, ...]:
        """Of all records together: few have every one."""
        found = self.read(
            "SELECT DISTINCT name FROM tags WHERE run = ? AND kind = 'facet' ORDER BY name", self.number(run)
        )
        return tuple(from_cell(name) for (name,) in found)

    def scores(self, run: str) -> Iterator[MetricScore]:
        """Every metric of every record, for what a run came to."""
        rows = self.read(
            "SELECT metric, item, status, score, marks.goodness FROM marks JOIN cards USING (run, position)"
            " WHERE marks.run = ?",
            self.number(run),
        )
        return (MetricScore(from_cell(row[0]), from_cell(row[1]), *row[2:]) for row in rows)

    def totals(self, run: str) -> list[tuple[str, float]]:
        """Of the records whose every metric is scored, by item."""
        rows = self.read(
            "SELECT item, goodness FROM cards WHERE run = ? AND goodness IS NOT NULL AND scored = asked",
            self.number(run),
        )
        return [(from_cell(item), goodness) for item, goodness in rows]

    def find_items(self, run: str, items: Sequence[str]) -> dict[str, list[Listed]]:
        """The records made from these items; there may be one for each system."""
        number = self.number(run)
        wanted = {to_cell(item) for item in items}
        rows = self.read("SELECT item, position FROM cards WHERE run = ?", number)
        places = [position for item, position in rows if item in wanted]
        found: dict[str, list[Listed]] = {}
        for listed in self._list(number, places):
            found.setdefault(listed.item, []).append(listed)
        return found

    def _list(self, run: int, places: Sequence[int]) -> Iterator[Listed]:
        slots = ", ".join("?" * len(places))
        marks: dict[int, dict[str, Mark]] = {}
        for position, metric, flags, status, *numbers in self.read(
            "SELECT position, metric, flags, status, score, goodness, width, spread FROM marks"  # noqa: S608  # only question marks
            f" WHERE run = ? AND position IN ({slots})",
            *(run, *places),
        ):
            name = from_cell(metric)
            score, goodness, width, spread = numbers
            mark = Mark(name, status, score, goodness, width, spread, _split(flags))
            marks.setdefault(position, {})[name] = mark
        rows = {
            row[0]: row
            for row in self.read(
                "SELECT position, record_id, system, item, goodness, scored, asked FROM cards"  # noqa: S608  # as above
                f" WHERE run = ? AND position IN ({slots})",
                *(run, *places),
            )
        }
        for place in places:
            if place in rows:
                _, record, system, item, goodness, scored, asked = rows[place]
                names = from_cell(record), maybe_from_cell(system), from_cell(item)
                yield Listed(place, *names, goodness, scored, asked, marks.get(place, {}))


def _split(flags: str | bytes) -> tuple[str, ...]:
    return tuple(from_cell(flags).split("\n")) if flags else ()


def _build_query(run: int, wanted: Wanted) -> tuple[str, list[object]]:
    """FROM and WHERE of a list. All fragments are our own; values only ever go in as parameters."""
    source = "cards e"
    where: list[tuple[str, list[object]]] = [("e.run = ?", [run])]
    if wanted.order not in _OF_CARDS:
        source = "marks o CROSS JOIN cards e ON e.run = o.run AND e.position = o.position"
        where.insert(0, ("o.run = ? AND o.metric = ?", [run, to_cell(wanted.order)]))
    span = {"goodness >= ?": wanted.least, "goodness <= ?": wanted.most}
    in_marks: dict[str, object] = {"status = ?": wanted.status or None}
    if wanted.metric:
        in_marks |= {**span, "metric = ?": to_cell(wanted.metric)}
    else:
        where += [(f"e.{condition}", [value]) for condition, value in span.items() if value is not None]
    if any(value is not None for value in in_marks.values()):
        where.append(_find_in("marks", run, in_marks))
    if wanted.flag:
        where.append(_find_in("tags", run, {"kind = ?": "flag", "name = ?": to_cell(wanted.flag)}))
    if wanted.facet is not None:
        name, value = map(to_cell, wanted.facet)
        where.append(_find_in("tags", run, {"kind = ?": "facet", "name = ?": name, "value = ?": value}))
    if wanted.system is not None:
        where.append(("e.system = ?", [to_cell(wanted.system)]))
    for word in wanted.text.casefold().split():
        sought = word.encode("utf-8", "replace").decode().translate(_ESCAPES)
        found = r"EXISTS (SELECT 1 FROM records WHERE number = e.record AND search_text LIKE ? ESCAPE '\')"
        where.append((found, [f"%{sought}%"]))
    conditions = " AND ".join(condition for condition, _ in where)
    return f"FROM {source} WHERE {conditions}", [value for _, values in where for value in values]


def _find_in(table: str, run: int, wanted: Mapping[str, object]) -> tuple[str, list[object]]:
    """The condition that a record has a row in this table with all these values; None stands for any."""
    given = {condition: value for condition, value in wanted.items() if value is not None}
    conditions = " AND ".join(("run = ?", *given))
    return f"e.position IN (SELECT position FROM {table} WHERE {conditions})", [run, *given.values()]  # noqa: S608


def _order(wanted: Wanted) -> str:
    """What has no score comes last either way. Ties run the same way: so the index has them."""
    way = "DESC" if wanted.descending else "ASC"
    if wanted.order == "place":
        return f"e.position {way}"
    if wanted.order == "id":
        return f"e.record_id {way}, e.position {way}"
    table = "e" if wanted.order in _OF_CARDS else "o"
    return f"{table}.goodness {way} NULLS LAST, {table}.position {way}"
