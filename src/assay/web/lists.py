"""Lists of runs and records: what an address asks of them, and the runs of each rubric with their scores over time."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import quote, unquote, urlencode

from assay.domain.rubric import Metric, Rubric
from assay.domain.terms import plain
from assay.report.display import format_count, name_judge
from assay.report.mean import Mean
from assay.report.summary import Summary
from assay.runner.run import rubric_of
from assay.store.browsing import TOTAL, Choices, RecordQuery
from assay.store.runs import RunRow, RunUsage
from assay.web.library import Library

PAGE_ROWS = 50
_LONGEST = 500
_OF_RUNS = ("q", "rubric", "judge", "all")
_OF_RECORDS = ("q", "metric", "status", "flag", "facet", "system", "order", "down")
_FILTERS = ("q", "rubric", "judge", "status", "flag", "facet", "system")
# Of each rubric the newest; one rubric alone may be listed whole.
_LISTED, _LISTED_ALONE = 10, 200
_DRAWN = 40
# A course over time needs at least so many runs that can be compared.
_FEWEST_DRAWN = 3
# A run in a drawing: its place, the oldest first, and its mean.
Point = tuple[int, RunRow, Mean]


@dataclass(frozen=True, slots=True)
class ListQuery:
    """As it was typed, of runs or of records. `all` lists every run of a rubric."""

    q: str = ""
    rubric: str = ""
    judge: str = ""
    all: str = ""
    metric: str = ""
    status: str = ""
    flag: str = ""
    facet: str = ""
    system: str = ""
    order: str = ""
    down: str = ""
    page: int = 1

    def address(self, **changes: object) -> str:
        """The query of an address; another order or another filter begins on its first page."""
        changed = replace(self, **({"page": 1} | changes))  # type: ignore[arg-type]  # names are those of the fields
        pairs = [(name, getattr(changed, name)) for name in self.__slots__]
        return urlencode([pair for pair in pairs if pair[1] not in {"", 1}], errors="replace")

    @property
    def is_filtered(self) -> bool:
        return any(getattr(self, name) for name in _FILTERS)

    @property
    def start(self) -> int:
        """How many records are on the pages before."""
        return (self.page - 1) * PAGE_ROWS

    def fits(self, run: RunRow) -> bool:
        """Every word must occur in the run's name, id, rubric, judges or records."""
        said = " ".join((run.title, run.rubric_id, *run.judges, run.records_source)).casefold()
        return (
            self.rubric in {"", run.rubric_id}
            and (not self.judge or self.judge in map(name_judge, run.judges))
            and all(word in said for word in self.q.casefold().split())
        )

    def build_wanted(self) -> RecordQuery:
        name, _, value = self.facet.partition("=")
        return RecordQuery(
            text=self.q,
            metric=self.metric or TOTAL,
            status=self.status,
            flag=self.flag,
            facet=(unquote(name), unquote(value)) if self.facet else None,
            system=self.system or None,
            order={"": "place", "total": TOTAL}.get(self.order, self.order),
            descending=bool(self.down),
        )


def parse_query(given: Mapping[str, str], rubric: Rubric | None = None) -> ListQuery:
    """Of records with their rubric, else of runs. A metric or an order that the rubric does not have is left out."""
    names = _OF_RUNS if rubric is None else _OF_RECORDS
    texts = {name: given.get(name, "").strip()[:_LONGEST] for name in names}
    if rubric is not None:
        metrics = {metric.id for metric in rubric.metrics}
        known = {"metric": metrics, "order": metrics | {"id", "total"}}
        texts |= {name: "" for name, values in known.items() if texts[name] not in values}
    return ListQuery(**texts, page=parse_page(given))


def parse_page(given: Mapping[str, str]) -> int:
    return max(1, parse_digits(given.get("page", "")) or 1)


def count_pages(rows: int, size: int) -> int:
    return max(1, -(-rows // size))


def parse_digits(text: str) -> int | None:
    """A number of an address; None where it is not one, or too long for any list."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def list_filters(rubric: Rubric, choices: Choices) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """What the records of a run can be filtered by: the parameter, its name, and its values with their words."""

    def tag(name: str, value: str) -> str:
        return f"{quote(name, safe='', errors='replace')}={quote(value, safe='', errors='replace')}"

    def say(words: str, count: int) -> str:
        return f"{words} ({format_count(count)})"

    return [
        ("metric", "Metric", [(metric.id, metric.name) for metric in rubric.metrics]),
        ("status", "Status", [(name, say(plain(name), count)) for name, count in choices.statuses]),
        ("flag", "Flag", [(name, say(plain(name), count)) for name, count in choices.flags]),
        ("system", "System", [(name, say(name, count)) for name, count in choices.systems]),
        ("facet", "Tag", [(tag(name, value), say(f"{name}: {value}", count)) for name, value, count in choices.facets]),
    ]


class RunGroup(NamedTuple):
    """The runs of one rubric, newest first; `unlisted` are those that are not among the lines.

    `trends` are drawn over `drawn` places, whose ends have these words: a metric, its latest mean, and courses of runs.
    """

    rubric: Rubric
    lines: Sequence[tuple[RunRow, Summary, RunUsage]]
    unlisted: int
    trends: Sequence[tuple[Metric, Mean, Sequence[Sequence[Point]]]]
    ends: Sequence[str]
    drawn: int


def build_groups(library: Library, runs: Sequence[RunRow], query: ListQuery) -> Iterator[RunGroup]:
    """The rubric with the newest run first."""
    by_rubric: dict[str, list[RunRow]] = {}
    for run in filter(query.fits, runs):
        by_rubric.setdefault(run.rubric_id, []).append(run)
    most = _LISTED_ALONE if query.all else _LISTED
    for found in by_rubric.values():
        lines = [(run, library.summary(run), library.store.usage(run.id)) for run in found[: max(most, _DRAWN)]]
        rubric = rubric_of(found[0])
        series = Counter(_find_series(run) for run, _, _ in lines[:_DRAWN])
        drawn = [line[:2] for line in lines[:_DRAWN][::-1] if series[_find_series(line[0])] >= _FEWEST_DRAWN]
        trends, ends = list(_list_trends(rubric.metrics, drawn)), _name_ends([run.started for run, _ in drawn])
        yield RunGroup(rubric, lines[:most], len(found) - len(lines[:most]), trends, ends, len(drawn))


def _list_trends(
    metrics: Sequence[Metric], runs: Sequence[tuple[RunRow, Summary]]
) -> Iterator[tuple[Metric, Mean, list[list[Point]]]]:
    """Of each metric for which three runs or more with the same judge, rubric version and file have a score."""
    for metric in metrics:
        series: dict[tuple[object, ...], list[Point]] = {}
        for at, (run, summary) in enumerate(runs):
            mean = summary.metrics.get(metric.id)
            if mean is not None and mean.scored:
                series.setdefault(_find_series(run), []).append((at, run, mean))
        courses = [points for points in series.values() if len(points) >= _FEWEST_DRAWN]
        if courses:
            _, _, latest = max((course[-1] for course in courses), key=itemgetter(0))
            yield metric, latest, courses


def _find_series(run: RunRow) -> tuple[object, ...]:
    """The same for runs that can be compared."""
    return run.judges, run.rubric_digest, run.records_source


def _name_ends(moments: Sequence[datetime]) -> list[str]:
    """Of the first and the last of them; the time alone where they are of one day."""
    ends = [moments[0], moments[-1]] if moments else []
    form = "%H:%M" if len({each.date() for each in ends}) == 1 else "%Y-%m-%d"
    return [f"{each:{form}}" for each in ends]
