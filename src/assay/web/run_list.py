"""The list of runs: its query, and for each rubric its runs with their scores, and the scores over time."""

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
        trends = [] if len(lines) < 2 else list(_draw_trends(rubric.metrics, lines[:_DRAWN][::-1], root))
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
    """Of each metric that two runs have a score for. A line joins only runs that can be held against each other."""
    first, last = lines[0].run.started, lines[-1].run.started
    form = "%H:%M" if first.date() == last.date() else "%Y-%m-%d"
    across = Axis(0, len(lines) - 1, ((0, f"{first:{form}}"), (len(lines) - 1, f"{last:{form}}")))
    for metric in metrics:
        means = ((at, line, line.means.get(metric.id)) for at, line in enumerate(lines))
        found = [(at, line, mean) for at, line, mean in means if mean is not None and mean.scored]
        joined: dict[tuple[object, ...], list[Point]] = {}
        for at, line, mean in found:
            run, value = line.run, mean.drawn or 0.0
            href, said = f"{root}/runs/{quote(run.id, safe='')}", f"{line.name}: {mean.described}"
            point = Point(at, value, mean.interval, said, mean.tone, href=href)
            joined.setdefault((run.judges, run.rubric_digest, run.records_source), []).append(point)
        if len(found) > 1:
            said = f"{metric.name}: goodness of {len(found)} runs, oldest first"
            points = [point for line in joined.values() for point in line]
            yield metric, found[-1][2], draw_plot(said, points, across, lines=list(joined.values()))
