"""Compares two runs: records paired by item, the mean difference with its interval, and every record that changed.

In the order of every list the worst change comes first, then what is no longer scored, then the best change.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from statistics import fmean
from typing import Literal, NamedTuple

from rich.console import Console

from assay.agreement.difference import PairedDifference, compare_paired
from assay.domain.listed import Listed, MetricScore
from assay.domain.rubric import WEAKEST_SUPPORT, Metric, Rubric
from assay.domain.scale import Scale, say_number, say_scale
from assay.domain.terms import plain
from assay.errors import InputError
from assay.report.display import clip_name
from assay.report.record_diff import RecordDiff, list_lines
from assay.report.terminal import COLOURS, build_table, make_printable, print_wrapped
from assay.store.runs import RunRow

Direction = Literal["better", "worse", "unclear"]
ChangeKind = Literal["worse", "unscored", "better", "scored", "status", "labels"]
# In the order of every list, with the words of headings and of counts.
CHANGE_TITLES: Mapping[ChangeKind, tuple[str, str]] = {
    "worse": ("Worse in the second run", "worse"),
    "unscored": ("No longer scored", "no longer scored"),
    "better": ("Better in the second run", "better"),
    "scored": ("Newly scored", "newly scored"),
    "status": ("Not scored in either run, for another reason", "other status"),
    "labels": ("Same score or status, different labels", "relabelled"),
}
COMPARED = ("metric", "first", "second", "difference, 95 %", "p", "source groups", "records that changed", "detectable")
COMPARED_NOTE = (
    "Normalized score: 0–1, best 1, averaged by source group. Interval and p value: one sign-flip test of the groups' "
    "differences; it needs at least 6 groups. Detectable: minimum detectable difference (80 % power)."
)
NO_CHANGE = "No significant change: every interval includes 0, or there is too little data."
_SAME = 1e-9
_STYLES = {"worse": COLOURS["low"], "unscored": COLOURS["failed"], "better": COLOURS["high"]}
# On a terminal, without `--all`: records of one kind under one metric, claims of one record, characters of its words.
_MOST_RECORDS, _MOST_CLAIMS, _MOST_WORDS = 10, 3, 200


def check_comparable(first: RunRow, second: RunRow, *, anyway: bool = False) -> None:
    """Raises InputError for runs of two rubrics, and, unless `anyway`, where only one was judged side by side."""
    if first.rubric_id != second.rubric_id:
        raise InputError(
            f"run {first.id} was judged by {first.rubric_id}, run {second.id} by {second.rubric_id}",
            remedy="Compare two runs of one rubric.",
        )
    beside = [run.id for run in (first, second) if "side_by_side" in run.parameters]
    if len(beside) == 1 and not anyway:
        raise InputError(
            f"only {beside[0]} was judged side by side: the scores of the two can't be compared",
            remedy="Compare runs that were judged in the same way, or write --anyway.",
        )


# Records of one item that are alike: those of the first run, and those of the second.
Pairing = tuple[list[Listed], list[Listed]]


class RunScores(NamedTuple):
    """The records of a run by item, those without a score too: a failed record is still a record."""

    rubric: Rubric
    items: Mapping[str, Sequence[Listed]]


def read_scores(rubric: Rubric, rows: Iterable[Listed]) -> RunScores:
    """Estimates stand beside the scores. Flags and facets, which are not compared, would only fill the memory."""
    items: dict[str, list[Listed]] = {}
    for row in rows:
        scores: dict[str, MetricScore] = {}
        for each in row.scores.values():
            scores[each.metric] = each._replace(flags=(), reason="")
            if each.weakest_support is not None:
                name = f"{each.metric}{WEAKEST_SUPPORT}"
                scores[name] = MetricScore(name, "ok", score=each.weakest_support, goodness=each.weakest_support)
        kept = row._replace(flags=(), facets={}, facts={}, scores=scores, answers=())
        items.setdefault(row.item, []).append(kept)
    return RunScores(rubric, items)


@dataclass(frozen=True, slots=True)
class RecordChange:
    """One record under one metric, in both runs. Versions of a rubric may differ in the metric's scale."""

    metric: str
    first: Listed
    second: Listed
    is_one_scale: bool = True

    @property
    def before(self) -> MetricScore:
        return self.first.scores[self.metric]

    @property
    def after(self) -> MetricScore:
        return self.second.scores[self.metric]

    @property
    def name(self) -> str:
        """With both names where the record is named otherwise in the second run."""
        if self.first.name == self.second.name:
            return self.first.name
        return f"{self.first.name} / {self.second.name}"

    @property
    def goodness(self) -> float:
        """Second minus first, 0 where one of the two has no score."""
        if self.before.goodness is None or self.after.goodness is None:
            return 0.0
        return self.after.goodness - self.before.goodness

    @property
    def kind(self) -> ChangeKind | None:
        """None where neither score nor status nor a label changed."""
        before, after = self.before, self.after
        if before.goodness is None or after.goodness is None:
            if before.goodness is not None:
                return "unscored"
            if after.goodness is not None:
                return "scored"
            if before.status != after.status:
                return "status"
        elif abs(self.goodness) > _SAME:
            return "better" if self.goodness > 0 else "worse"
        return "labels" if before.labels != after.labels else None

    @property
    def said(self) -> str:
        """The change on the metric's scale, never rounded to 0; in normalized score where there are two scales."""
        if self.kind not in {"worse", "better"} or self.before.score is None or self.after.score is None:
            return "" if self.kind is None else CHANGE_TITLES[self.kind][1]
        if not self.is_one_scale:
            return f"{format_signed(self.goodness, 2)} normalized score"
        points = self.after.score - self.before.score
        shown = say_number(abs(points))
        return f"{'−' if points < 0 else '+'}{shown if float(shown) else f'{abs(points):.1g}'}"

    @property
    def scores(self) -> tuple[str, str]:
        return _format_score(self.before), _format_score(self.after)


def _format_score(found: MetricScore) -> str:
    return plain(found.status) if found.score is None else say_number(found.score)


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """`unpaired` counts records that only one of the runs has a score for; `changes` has every record that changed."""

    metric: Metric
    difference: PairedDifference
    unpaired: int
    changes: tuple[RecordChange, ...] = ()

    @property
    def direction(self) -> Direction:
        """Which way the mean changed, where the interval shows that it did."""
        interval = self.difference.interval
        if interval is None or interval[0] <= 0 <= interval[1]:
            return "unclear"
        return "better" if self.difference.mean > 0 else "worse"

    @property
    def counts(self) -> dict[ChangeKind, int]:
        """How many records changed in each way, in the order of the list."""
        found = Counter(change.kind for change in self.changes)
        return {kind: found[kind] for kind in CHANGE_TITLES if found[kind]}

    @property
    def counted(self) -> str:
        return ", ".join(f"{count} {CHANGE_TITLES[kind][1]}" for kind, count in self.counts.items()) or "none"


def format_p_value(p_value: float | None) -> str:
    """Never 0: no test can show that. Never 0.050 for less than that: the interval beside it excludes 0."""
    if p_value is None:
        return "–"
    limit = next((each for each in (0.001, 0.05) if p_value < each), None)
    shown = f"{p_value:.3f}"
    return f"<{limit:.3f}" if limit is not None and (limit == 0.001 or shown == f"{limit:.3f}") else shown


def format_signed(value: float, digits: int = 3) -> str:
    """With a sign, and never rounded to 0: whether an interval includes 0 must be seen."""
    if value == 0:
        return f"{0:.{digits}f}"
    shown = f"{value:+.{digits}f}"
    return (shown if float(shown) else f"{value:+.1g}").replace("-", "−")


def find_largest(differences: Sequence[MetricComparison]) -> MetricComparison:
    """That whose mean changed most, of metrics and not weakest claims; then the one with the most changed records."""
    scored = [each for each in differences if not each.metric.id.endswith(WEAKEST_SUPPORT)]

    def measure(each: MetricComparison) -> tuple[float, int]:
        return abs(each.difference.mean) if each.difference.n else -1.0, len(each.changes)

    return max(scored, key=measure)


def name_changed(differences: Iterable[MetricComparison], direction: Direction) -> str:
    """The metrics whose change the interval shows."""
    return ", ".join(each.metric.name for each in differences if each.direction == direction)


def list_cells(compared: MetricComparison) -> tuple[str, ...]:
    """A row under the columns of `COMPARED`."""
    found = compared.difference
    ends = "" if found.interval is None else f" [{', '.join(map(format_signed, found.interval))}]"
    return (
        compared.metric.name,
        *((f"{found.first_mean:.3f}", f"{found.second_mean:.3f}") if found.n else ("–", "–")),
        f"{format_signed(found.mean)}{ends}" if found.n else "–",
        format_p_value(found.p_value),
        f"{found.n}",
        compared.counted + (f"; {compared.unpaired} scored in one run only" if compared.unpaired else ""),
        "–" if found.detectable is None else f"{found.detectable:.3f}",
    )


def compare_runs(first: RunScores, second: RunScores) -> list[MetricComparison]:
    """The metrics of the second run's rubric, then those that only the first one's version has: they have no pairs.

    The weakest claims of a metric follow it where both runs have some.
    """
    scales: dict[str, set[Scale]] = {}
    metrics: dict[str, Metric] = {}
    for metric in (*second.rubric.metrics, *first.rubric.metrics):
        metrics.setdefault(metric.id, metric)
        scales.setdefault(metric.id, set()).add(metric.scale)
    compared, groups = [], pair_items(first, second)
    for metric in (one for each in metrics.values() for one in (each, each.weakest_support)):
        means, unpaired = average_items(metric.id, groups)
        if not means and metric.id not in metrics:
            continue
        ordered = [means[item] for item in sorted(means)]
        difference = compare_paired([each[0] for each in ordered], [each[1] for each in ordered])
        changes = _list_changes(metric.id, groups, is_one_scale=len(scales.get(metric.id, ())) < 2)
        compared.append(MetricComparison(metric, difference, unpaired, tuple(changes)))
    return compared


def _list_changes(metric: str, groups: Iterable[Pairing], *, is_one_scale: bool) -> list[RecordChange]:
    """Every record whose score, status or labels changed, in the order of `CHANGE_TITLES`, the largest first."""
    order: list[ChangeKind | None] = list(CHANGE_TITLES)
    found = [
        RecordChange(metric, ours, theirs, is_one_scale)
        for ours, theirs in _pair_records(groups)
        if ours is not None and theirs is not None and metric in ours.scores and metric in theirs.scores
    ]
    changed = [each for each in found if each.kind is not None]
    return sorted(
        changed, key=lambda each: (order.index(each.kind), -abs(each.goodness), each.name, each.second.position)
    )


def _pair_records(groups: Iterable[Pairing]) -> Iterator[tuple[Listed | None, Listed | None]]:
    """One by one, None without a partner. Of several records of an item that are alike, in the order of the runs."""
    return (pair for group in groups for pair in zip_longest(*group))


def format_alone(first: RunScores, second: RunScores) -> str:
    """How many records only one of the runs has; empty where there are none."""
    missing = Counter(pair.index(None) for pair in _pair_records(pair_items(first, second)) if None in pair)
    said = [f"{missing[side]} only in the {name} run" for side, name in ((1, "first"), (0, "second")) if missing[side]]
    return f"Records without a partner: {', '.join(said)}." if said else ""


def average_items(metric: str, groups: Iterable[Pairing]) -> tuple[dict[str, tuple[float, float]], int]:
    """The mean goodness of each item in both runs, and how many records only one of the runs has a score for.

    Pairs records, then averages by item, so that a record which only one run scored moves no mean.
    """
    items: dict[str, list[tuple[float, float]]] = {}
    unpaired = 0
    for group in groups:
        found = ([each.find_goodness(metric) for each in side] for side in group)
        ours, theirs = ([value for value in side if value is not None] for side in found)
        if ours and theirs:
            items.setdefault(group[0][0].item, []).append((fmean(ours), fmean(theirs)))
        else:
            unpaired += len(ours) + len(theirs)
    return {
        item: (fmean(each[0] for each in both), fmean(each[1] for each in both)) for item, both in items.items()
    }, unpaired


def pair_items(first: RunScores, second: RunScores) -> list[Pairing]:
    """The records of each item in groups that are the same in both runs: by id and system, else by system, else all."""
    items = {**first.items, **second.items}
    return [group for item in items for group in _pair_item(first.items.get(item, ()), second.items.get(item, ()))]


def _pair_item(*sides: Sequence[Listed]) -> list[Pairing]:
    groups: dict[tuple[str | None, ...], Pairing] = {}
    for name_parts in (2, 1, 0):
        groups = {}
        for side, records in enumerate(sides):
            for each in records:
                groups.setdefault((each.system, each.record)[:name_parts], ([], []))[side].append(each)
        if any(ours and theirs for ours, theirs in groups.values()):
            break
    return list(groups.values())


def print_comparison(
    console: Console,
    compared: Sequence[MetricComparison],
    diff: Callable[[RecordChange], RecordDiff],
    command: Callable[[str], str] | None = None,
    metric: str | None = None,
    alone: str = "",
) -> None:
    """Changes of weakest claims are counted in the table, and listed where they are asked for.

    `diff` compares the texts and claims of a record. `command` is what prints all changes of a metric; without it all
    are printed.
    """
    console.print(build_table(*COMPARED, rows=map(list_cells, compared)))
    print_wrapped(console, COMPARED_NOTE, style="dim")
    worse, better = name_changed(compared, "worse"), name_changed(compared, "better")
    for title, names in (("Worse in the second run", worse), ("Better in the second run", better)):
        if names:
            print_wrapped(console, f"{title}: {names}.")
    if not worse and not better:
        print_wrapped(console, NO_CHANGE)
    if alone:
        print_wrapped(console, alone)
    for each in compared:
        if each.metric.id == metric if metric else each.changes and not each.metric.id.endswith(WEAKEST_SUPPORT):
            console.print()
            if _print_changes(console, each, diff, has_all=command is None) and command:
                print_wrapped(console, f"All of them: {command(each.metric.id)}", "  ", style="dim")


def _print_changes(
    console: Console, compared: MetricComparison, diff: Callable[[RecordChange], RecordDiff], *, has_all: bool
) -> bool:
    """Whether some are left out."""
    metric, is_cut = compared.metric, False
    if not compared.changes:
        print_wrapped(console, f"{metric.name}: no score, status or label changed.")
        return is_cut
    print_wrapped(console, f"{metric.name} ({say_scale(metric.scale)}): {compared.counted}", style="bold")
    most, limits = (None, (None, None)) if has_all else (_MOST_RECORDS, (_MOST_WORDS, _MOST_CLAIMS))
    for kind, group in groupby(compared.changes, key=lambda change: change.kind):
        changes = list(group)
        for change in changes[:most]:
            print_wrapped(console, _format_change(change), "  ", style=_STYLES.get(kind or ""))
            for line in list_lines(diff(change), *limits):
                print_wrapped(console, make_printable(line), "      ")
        left = len(changes) - len(changes[:most])
        if kind is not None and left:
            print_wrapped(console, f"… {left} more {CHANGE_TITLES[kind][1]}", "  ")
            is_cut = True
    return is_cut


def _format_change(change: RecordChange) -> str:
    before, after = change.scores
    scores = before if change.kind == "labels" else f"{before} → {after}"
    # On a scale whose best end is the low one, a change of +2 is worse.
    said = f"{change.kind} {change.said}" if change.kind in {"worse", "better"} else change.said
    return make_printable(f"{said}: {clip_name(change.name)}, {scores}")
