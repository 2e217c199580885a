"""A run's records page by page, sorted and filtered by what is listed of each, without opening their scorecards."""

import hashlib
import json
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

import orjson

from assay.domain.outcome import Outcome, Verdict
from assay.domain.scorecard import Scorecard, Voice
from assay.store.digests import CARD_INTACT
from assay.store.faults import reading, require_intact

Read = Callable[..., list[Any]]
TOTAL = ""
# Of the records that a judge could answer; a metric that it declines so often is one that it can't judge.
_NEARLY_ALL = 0.9
_MOST_CHOICES = 500
_ESCAPES = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})


class Mark(NamedTuple):
    """One metric of one record, its judges and samples combined. `width` and `spread` are shares of the scale.

    `labels` is a digest of the labelled texts and their labels: two runs differ in none of them where it is the same.
    """

    metric: str
    status: str
    score: float | None = None
    goodness: float | None = None
    width: float = 0.0
    spread: float = 0.0
    flags: Sequence[str] = ()
    estimate: float | None = None
    labels: str = ""


_METRIC, _STATUS, _GOODNESS, _ESTIMATE = (
    Mark._fields.index(name) for name in ("metric", "status", "goodness", "estimate")
)


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

    def fits(self, row: "Listed") -> bool:
        marks = [mark for mark in row.kept_marks if self.metric in (TOTAL, mark[_METRIC])]
        goodness = row.find_goodness(self.metric)
        low, high = (goodness, goodness) if goodness is not None else (-inf, inf)
        return (
            bool(marks or not self.metric)
            and (self.least is None or low >= self.least)
            and (self.most is None or high <= self.most)
            and (not self.status or any(mark[_STATUS] == self.status for mark in marks))
            and (not self.flag or self.flag in row.flags)
            and (self.facet is None or row.facets.get(self.facet[0]) == self.facet[1])
            and (self.system is None or self.system == row.system)
        )


class Listed(NamedTuple):
    """One row of a list. `size_bytes` is about what must be unpacked to open the record.

    Long runs are looked through row by row, so `kept_marks` are the lists that they are kept as.
    """

    position: int
    record: str
    system: str | None
    item: str
    goodness: float | None
    scored: int
    asked: int
    size_bytes: int
    kept_marks: Sequence[Sequence[Any]]
    flags: Sequence[str]
    facets: dict[str, str]

    @property
    def marks(self) -> dict[str, Mark]:
        return {mark[_METRIC]: Mark(*mark) for mark in self.kept_marks}

    def find_goodness(self, metric: str) -> float | None:
        """Of the total, where no metric is named."""
        if metric == TOTAL:
            return self.goodness
        return next((mark[_GOODNESS] for mark in self.kept_marks if mark[_METRIC] == metric), None)

    def find_order(self, metric: str) -> float:
        """What the record is sorted by, of one metric or of all that it was asked about."""
        goodness = self.find_goodness(metric)
        marks = [mark for mark in self.kept_marks if metric in (TOTAL, mark[_METRIC])]
        estimates = [mark[_ESTIMATE] for mark in marks if mark[_GOODNESS] is None]
        scored, asked = (self.scored, self.asked) if metric == TOTAL else (len(marks) - len(estimates), len(marks))
        return compute_order(goodness, scored, asked, estimates)


def compute_order(goodness: float | None, scored: int, asked: int, estimates: Iterable[float | None]) -> float:
    """The goodness by which a record is sorted: what has no score counts by its estimate, or else as the worst.

    So no record that lacks a score stands below a good one. `goodness` is the mean of what is scored.
    """
    open_sum = sum(each for each in estimates if each is not None)
    return ((goodness or 0.0) * scored + open_sum) / asked if asked else 0.0


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


def build_listing(card: Scorecard, size_bytes: int) -> bytes:
    """The fields of `Listed` from `item` on."""
    record, total = card.record, card.total
    marks = [build_mark(name, each, card.voices.get(name, ())) for name, each in card.outcomes.items()]
    flags = {notice.check for notice in card.notices} | {flag for mark in marks for flag in mark.flags}
    goodness = None if total.goodness is None else _to_float(total.goodness)
    facets = {name: str(value) for name, value in record.facets.items()}
    values = [record.item, goodness, total.scored, total.asked, size_bytes, marks, sorted(flags), facets]
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def build_mark(metric: str, outcome: Outcome, voices: Sequence[Voice]) -> Mark:
    flags, estimate, labels = outcome.trail.flags, outcome.trail.estimate, _digest_labels(outcome, voices)
    if not isinstance(outcome, Verdict):
        return Mark(metric, outcome.status, flags=flags, estimate=estimate, labels=labels)
    score = outcome.score
    low, high = score.interval
    answers = [voice.outcome.score.goodness for voice in voices if isinstance(voice.outcome, Verdict)]
    spread = max(answers) - min(answers) if answers else Fraction(0)
    width = (high - low) / (score.scale.high - score.scale.low)
    value, goodness, width_share, spread_share = map(_to_float, (score.value, score.goodness, width, spread))
    return Mark(metric, outcome.status, value, goodness, width_share, spread_share, flags, estimate, labels)


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

    def page(self, run: str, wanted: Wanted, start: int, size: int) -> Page:
        number = self.number(run)
        if replace(wanted, descending=False) == Wanted():  # everything: no row has to be looked at
            places = self.places(run)[:: -1 if wanted.descending else 1]
        else:
            rows = self._read_listed(number, *_build_search(wanted.text), checked=False)
            places = _sort(filter(wanted.fits, rows), wanted)
        shown = places[start : start + size]
        whole = self.find_places(run, shown)
        return Page(tuple(whole[place] for place in shown if place in whole), len(places))

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
        statement = "SELECT position, records.digest FROM cards JOIN records ON records.number = record WHERE run = ?"
        digests = dict(self.read(statement, self.number(run)))
        rows = [*self.all(run)]
        answers = Counter(
            (mark.metric, mark.status == "abstained")
            for row in rows
            for mark in row.marks.values()
            if mark.status == "abstained" or mark.goodness is not None
        )

        def find_width(mark: Mark) -> float:
            abstained, answered = answers[mark.metric, True], answers[mark.metric, False]
            is_open = mark.status == "abstained" and abstained < _NEARLY_ALL * (abstained + answered)
            return 1.0 if is_open else mark.width

        chosen = [(row, [mark for name, mark in row.marks.items() if not metrics or name in metrics]) for row in rows]
        return [
            (row.position, digests[row.position], max(mark.spread for mark in marks), max(map(find_width, marks)))
            for row, marks in chosen
            if marks
        ]

    def count(self, run: str) -> int:
        ((count,),) = self.read("SELECT count(*) FROM cards WHERE run = ?", self.number(run))
        return int(count)

    def choices(self, run: str) -> Choices:
        """At most so many of each, the commonest flags and statuses first."""
        statuses, flags, systems, facets = Counter[Any](), Counter[Any](), Counter[Any](), Counter[Any]()
        for row in self.all(run):
            statuses.update(mark[_STATUS] for mark in row.kept_marks)
            flags.update(row.flags)
            systems.update([] if row.system is None else [row.system])
            facets.update(row.facets.items())
        by_facet = sorted(facets.items(), key=lambda each: (each[0][0], -each[1], each[0][1]))
        return Choices(
            statuses=tuple(statuses.most_common(_MOST_CHOICES)),
            flags=tuple(sorted(flags.items(), key=lambda each: (-each[1], each[0]))[:_MOST_CHOICES]),
            systems=tuple(sorted(systems.items())[:_MOST_CHOICES]),
            facets=tuple((*facet, count) for facet, count in by_facet[:_MOST_CHOICES]),
        )

    def find_places(self, run: str, positions: Iterable[int]) -> dict[int, Listed]:
        wanted = sorted(set(positions))
        slots = ", ".join("?" * len(wanted))
        return {row.position: row for row in self._read_listed(self.number(run), f"position IN ({slots})", *wanted)}

    def _read_listed(self, run: int, condition: str = "1", *values: object, checked: bool = True) -> Iterator[Listed]:
        """In the order of the run. Rows that are only looked through need no check of their digests."""
        intact = CARD_INTACT if checked else "1"
        rows = self.read(
            f"SELECT position, record_id, system, listing, {intact} FROM cards"  # noqa: S608  # fragments of ours
            f" WHERE run = ? AND {condition} ORDER BY position",
            *(run, *values),
        )
        with reading("card"):
            for position, record, system, listing, is_intact in rows:
                require_intact(is_intact)
                yield Listed._make((position, record, system, *orjson.loads(listing)))


def _build_search(text: str) -> tuple[str, ...]:
    """A condition that a card's record holds every word of a text, and its values."""
    words = [word.encode("utf-8", "replace").decode().translate(_ESCAPES) for word in text.casefold().split()]
    holds = r" AND search_text LIKE ? ESCAPE '\'" * len(words)
    condition = f"record IN (SELECT number FROM records WHERE 1{holds})" if words else "1"  # noqa: S608  # only question marks
    return condition, *(f"%{word}%" for word in words)


def _sort(rows: Iterable[Listed], wanted: Wanted) -> list[int]:
    """The places of the rows."""
    order, down = wanted.order, wanted.descending
    if order in {"place", "id"}:
        named = sorted(((row.record if order == "id" else "", row.position) for row in rows), reverse=down)
        return [place for _, place in named]
    has_order = (row for row in rows if order == TOTAL or any(mark[_METRIC] == order for mark in row.kept_marks))
    found = sorted(((row.find_order(order), row.position) for row in has_order), reverse=down)
    return [place for _, place in found]
