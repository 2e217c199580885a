"""The list of runs: its query, and for each rubric its runs with their scores, and comparable ones over time."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from markupsafe import Markup

from assay.domain.rubric import Metric
from assay.engine.costs import render_usd
from assay.report.display import name_judge
from assay.report.mean import Mean
from assay.store.runs import RunRow
from assay.web.drawing import Axis, Point, draw_plot
from assay.web.library import Library

_LONGEST = 500
_FIELDS = ("q", "rubric", "judge", "all")
# Of each rubric the newest; one rubric alone may be listed whole.
_LISTED, _LISTED_ALONE = 10, 200
_DRAWN = 40
# A course over time needs at least so many runs that can be compared.
_FEWEST_DRAWN = 3


@dataclass(frozen=True, slots=True)
class RunQuery:
    """As it was typed. `all` lists every run of the rubric."""

    q: str = ""
    rubric: str = ""
    judge: str = ""
    all: str = ""

    @property
    def is_filtered(self) -> bool:
        return bool(self.q or self.rubric or self.judge)

    def address(self, rubric: str) -> str:
        """The query of an address for all runs of one rubric."""
        pairs = {"q": self.q, "rubric": rubric, "judge": self.judge, "all": "1"}
        return urlencode({name: value for name, value in pairs.items() if value}, errors="replace")

    def fits(self, run: RunRow) -> bool:
        """Every word must occur in the run's name, id, rubric, judges or records."""
        said = " ".join((run.title, run.rubric_id, *run.judges, run.records_source)).casefold()
        return (
            self.rubric in {"", run.rubric_id}
            and (not self.judge or self.judge in map(name_judge, run.judges))
            and all(word in said for word in self.q.casefold().split())
        )


def parse_run_query(given: Mapping[str, str]) -> RunQuery:
    return RunQuery(**{name: given.get(name, "").strip()[:_LONGEST] for name in _FIELDS})


@dataclass(frozen=True, slots=True)
class RunLine:
    """`means` are by metric. `cost` is empty where nothing was sent."""

    run: RunRow
    name: str
    judged: int
    failed: int
    cost: str
    means: Mapping[str, Mean]


@dataclass(frozen=True, slots=True)
class RunGroup:
    """The runs of one rubric, newest first; `unlisted` are those that are not among the lines."""

    rubric: str
    title: str
    metrics: Sequence[Metric]
    lines: Sequence[RunLine]
    unlisted: int
    trends: Sequence[tuple[Metric, Mean, Markup]]

    @property
    def can_compare(self) -> bool:
        return len(self.lines) > 1


def build_groups(library: Library, runs: Sequence[RunRow], query: RunQuery, root: str) -> Iterator[RunGroup]:
    """The rubric with the newest run first."""
    by_rubric: dict[str, list[RunRow]] = {}
    for run in filter(query.fits, runs):
        by_rubric.setdefault(run.rubric_id, []).append(run)
    most = _LISTED_ALONE if query.all else _LISTED
    for name, found in by_rubric.items():
        lines = [_build_line(library, run) for run in found[: max(most, _DRAWN)]]
        rubric = library.rubric(found[0])
        trends = list(_draw_trends(rubric.metrics, lines[:_DRAWN][::-1], root))
        yield RunGroup(name, rubric.title, rubric.metrics, lines[:most], len(found) - len(lines[:most]), trends)


def _build_line(library: Library, run: RunRow) -> RunLine:
    store = library.store
    usage = store.usage(run.id)
    cost = "" if not usage.calls else "price unknown" if usage.unpriced_calls else render_usd(usage.picodollars)
    judged, failed = store.browser.count(run.id), store.count_failed(run.id)
    return RunLine(run, run.name or run.id, judged, failed, cost, library.summary(run).metrics)


def _draw_trends(
    metrics: Sequence[Metric], lines: Sequence[RunLine], root: str
) -> Iterator[tuple[Metric, Mean, Markup]]:
    """Of each metric for which three runs or more with the same judge, rubric version and file have a score.

    From lines with the oldest run first.
    """
    sizes = Counter(map(_find_series, lines))
    lines = [line for line in lines if sizes[_find_series(line)] >= _FEWEST_DRAWN]
    for metric in metrics:
        series: dict[tuple[object, ...], list[Point]] = {}
        for at, line in enumerate(lines):
            mean = line.means.get(metric.id)
            if mean is not None and mean.scored:
                href, said = f"{root}/runs/{quote(line.run.id, safe='')}", f"{line.name}: {mean.described}"
                point = Point(at, mean.drawn or 0.0, mean.interval, said, mean.tone, href)
                series.setdefault(_find_series(line), []).append(point)
        courses = [points for points in series.values() if len(points) >= _FEWEST_DRAWN]
        points = [point for course in courses for point in course]
        if points:
            latest = lines[int(max(point.x for point in points))].means[metric.id]
            said = f"{metric.name}: goodness of {len(points)} runs, oldest first"
            yield metric, latest, draw_plot(said, _build_axis(lines), courses)


def _find_series(line: RunLine) -> tuple[object, ...]:
    """The same for runs that can be compared."""
    return line.run.judges, line.run.rubric_digest, line.run.records_source


def _build_axis(lines: Sequence[RunLine]) -> Axis:
    first, last = lines[0].run.started, lines[-1].run.started
    form = "%H:%M" if first.date() == last.date() else "%Y-%m-%d"
    return Axis(0, len(lines) - 1, ((0, f"{first:{form}}"), (len(lines) - 1, f"{last:{form}}")))
