"""A run's records page by page, sorted and filtered by the database, so that a long run is as quick as a short one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from assay.store.codec import from_cell, maybe_from_cell, to_cell
from assay.store.digests import CARD_INTACT, MARK_INTACT
from assay.store.faults import reading, require_intact

Read = Callable[..., list[Any]]
_Condition = tuple[str, list[Any]]
TOTAL = ""
_MARK = f"metric, status, score, marks.goodness, width, spread, flags, {MARK_INTACT}"
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
    """One row of a list. `size_bytes` is about what must be unpacked to open the record."""

    position: int
    record: str
    system: str | None
    item: str
    goodness: float | None
    scored: int
    asked: int
    size_bytes: int
    marks: dict[str, Mark]


@dataclass(frozen=True, slots=True)
class Page:
    rows: tuple[Listed, ...]
    total: int


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
        conditions = _build_conditions(number, wanted)
        source = "cards e"
        if wanted.order not in _OF_CARDS:
            source = "marks o JOIN cards e USING (run, position)"
            conditions.append(("o.metric = ?", [to_cell(wanted.order)]))
        where = " AND ".join(condition for condition, _ in conditions)
        found = self.read(
            f"SELECT e.position FROM {source} WHERE {where} ORDER BY {_order(wanted)}",  # noqa: S608  # fragments of ours
            *(value for _, values in conditions for value in values),
        )
        return Page(tuple(self._list(number, [place for (place,) in found[start : start + size]])), len(found))

    def places(self, run: str) -> list[int]:
        """In the order of the run; a run that was stopped may have gaps."""
        rows = self.read("SELECT position FROM cards WHERE run = ? ORDER BY position", self.number(run))
        return [place for (place,) in rows]

    def find_position(self, run: str, record: str, system: str | None) -> int | None:
        found = self.read(
            "SELECT position FROM cards WHERE run = ? AND record_id = ? AND ifnull(system, 0) = ifnull(?, 0)",
            *(self.number(run), to_cell(record), to_cell(system)),
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
            " SELECT position, records.digest, max(spread),"
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

        def count(columns: str, source: str, order: str) -> tuple[Any, ...]:
            grouped = f"SELECT {columns}, count(*) AS found FROM {source} GROUP BY {columns} ORDER BY {order} LIMIT 500"  # noqa: S608
            return tuple((*map(from_cell, cells), found) for *cells, found in self.read(grouped, number))

        return Choices(
            statuses=count("status", "marks WHERE run = ?", "found DESC"),
            flags=count("name", "tags WHERE run = ? AND kind = 'flag'", "found DESC, name"),
            systems=count("system", "cards WHERE run = ? AND system IS NOT NULL", "system"),
            facets=count("name, value", "tags WHERE run = ? AND kind = 'facet'", "name, found DESC, value"),
        )

    def facet_names(self, run: str) -> tuple[str, ...]:
        """Of all records together: few have every one."""
        found = self.read(
            "SELECT DISTINCT name FROM tags WHERE run = ? AND kind = 'facet' ORDER BY name", self.number(run)
        )
        return tuple(from_cell(name) for (name,) in found)

    def scores(self, run: str) -> Iterator[tuple[str, Mark]]:
        """Every metric of every record with the record's item, for the summary of a run."""
        rows = self.read(
            f"SELECT {CARD_INTACT}, item, {_MARK} FROM marks JOIN cards USING (run, position) WHERE marks.run = ?",  # noqa: S608
            self.number(run),
        )
        for intact, item, *values in rows:
            _check_card(intact)
            yield from_cell(item), _build_mark(values)

    def totals(self, run: str) -> list[tuple[str, float]]:
        """Of the records whose every metric is scored, by item."""
        rows = self.read(
            f"SELECT {CARD_INTACT}, item, goodness FROM cards"  # noqa: S608
            " WHERE run = ? AND goodness IS NOT NULL AND scored = asked",
            self.number(run),
        )
        _check_card(*(intact for intact, _, _ in rows))
        return [(from_cell(item), goodness) for _, item, goodness in rows]

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
        """The records at these places, in this order."""
        marks: dict[int, dict[str, Mark]] = {}
        for position, *values in self._read_at(f"SELECT position, {_MARK} FROM marks", run, places):  # noqa: S608
            mark = _build_mark(values)
            marks.setdefault(position, {})[mark.metric] = mark
        rows = self._read_at(
            f"SELECT position, {CARD_INTACT}, record_id, system, item, goodness, scored, asked,"  # noqa: S608
            " length(bodies.body) + length(records.body) FROM cards JOIN bodies ON card = cards.number"
            " JOIN records ON records.number = record",
            *(run, places),
        )
        found = {row[0]: row for row in rows}
        for position, intact, record, system, item, *figures in (found[place] for place in places if place in found):
            _check_card(intact)
            names = [from_cell(record), maybe_from_cell(system), from_cell(item)]
            values = [position, *names, *figures, marks.get(position, {})]
            yield Listed(*values)

    def _read_at(self, statement: str, run: int, places: Sequence[int]) -> list[Any]:
        slots = ", ".join("?" * len(places))
        return self.read(f"{statement} WHERE run = ? AND position IN ({slots})", run, *places)


def _check_card(*intact: object) -> None:
    with reading("card"):
        require_intact(*intact)


def _build_mark(values: Sequence[Any]) -> Mark:
    metric, status, *figures, flags, intact = values
    _check_card(intact)
    score, goodness, width, spread = figures
    told = tuple(from_cell(flags).split("\n")) if flags else ()
    return Mark(from_cell(metric), status, score, goodness, width, spread, told)


def _build_conditions(run: int, wanted: Wanted) -> list[_Condition]:
    """Fragments of our own; what the user wrote only ever goes in as a parameter."""
    conditions: list[_Condition] = [("e.run = ?", [run])]
    bounds: list[_Condition] = []
    if wanted.least is not None:
        bounds.append(("goodness >= ?", [wanted.least]))
    if wanted.most is not None:
        bounds.append(("goodness <= ?", [wanted.most]))
    status: list[_Condition] = [("status = ?", [wanted.status])] if wanted.status else []
    if wanted.metric:
        conditions.append(_any_row(run, "marks", ("metric = ?", [to_cell(wanted.metric)]), *bounds, *status))
    else:
        conditions += [(f"e.{condition}", values) for condition, values in bounds]
        conditions += [_any_row(run, "marks", each) for each in status]
    if wanted.flag:
        conditions.append(_any_row(run, "tags", ("kind = 'flag' AND name = ?", [to_cell(wanted.flag)])))
    if wanted.facet is not None:
        named = [to_cell(each) for each in wanted.facet]
        conditions.append(_any_row(run, "tags", ("kind = 'facet' AND name = ? AND value = ?", named)))
    if wanted.system is not None:
        conditions.append(("e.system = ?", [to_cell(wanted.system)]))
    for word in wanted.text.casefold().split():
        sought = word.encode("utf-8", "replace").decode().translate(_ESCAPES)
        found = r"EXISTS (SELECT 1 FROM records WHERE number = e.record AND search_text LIKE ? ESCAPE '\')"
        conditions.append((found, [f"%{sought}%"]))
    return conditions


def _any_row(run: int, table: str, *conditions: _Condition) -> _Condition:
    """Records of which a row of this table meets every condition."""
    where = " AND ".join(("run = ?", *(condition for condition, _ in conditions)))
    values = [run, *(value for _, values in conditions for value in values)]
    return f"e.position IN (SELECT position FROM {table} WHERE {where})", values  # noqa: S608  # fragments of ours


def _order(wanted: Wanted) -> str:
    """What has no score comes last either way. Ties run the same way: so the index has them."""
    way = "DESC" if wanted.descending else "ASC"
    if wanted.order == "place":
        return f"e.position {way}"
    if wanted.order == "id":
        return f"e.record_id {way}, e.position {way}"
    table = "e" if wanted.order in _OF_CARDS else "o"
    return f"{table}.goodness {way} NULLS LAST, {table}.position {way}"
