"""How often a judge and people prefer the same one of two outputs, beside what needs no judge and people themselves."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.agreement.bootstrap import ClusterStatistic, divide, estimate, resample_sums
from assay.agreement.difference import compare_pairings, pair_with_others
from assay.agreement.estimate import Figure
from assay.agreement.figures import MetricAgreement
from assay.agreement.join import Account
from assay.agreement.pairs import Floats, Pairs, as_floats, average_rows, build_pairs, build_ratings
from assay.agreement.preference_files import PreferenceRow
from assay.agreement.standing import find_order_value
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.store.labels import ADJUDICATED

_TOTAL = "total"
_CHANCE = 0.5
_DIGITS = 9
_NO_OUTPUT = "name an output that the run does not have"
_SEVERAL = "name an item on which a system has several outputs, and no record"


@dataclass(frozen=True, slots=True, eq=False)
class JudgedOutput:
    """An output with its length and, by metric, what the judge orders it by: more is better, None without a score."""

    record: str
    system: str
    item: str
    length: int = 0
    values: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(slots=True)
class JudgedOutputs:
    """The outputs of a run, found by record or item and system."""

    by_record: dict[tuple[str, str], JudgedOutput] = field(default_factory=dict)
    by_item: dict[tuple[str, str], list[JudgedOutput]] = field(default_factory=dict)

    def add(self, output: JudgedOutput) -> None:
        self.by_record[output.record, output.system] = output
        self.by_item.setdefault((output.item, output.system), []).append(output)

    def watch(self, cards: Iterable[Scorecard]) -> Iterator[Scorecard]:
        """The same cards; their outputs are added on the way."""
        for card in cards:
            values = {metric.id: find_order_value(card.outcomes[metric.id], metric) for metric in card.rubric.metrics}
            values[_TOTAL] = None if card.total.goodness is None else float(card.total.goodness)
            record = card.record
            self.add(JudgedOutput(record.id, record.system or "", record.item, len(record.output), values))
            yield card

    def find_pair(self, row: PreferenceRow) -> tuple[JudgedOutput, JudgedOutput] | str:
        """The first and the second output of a preference, or why there are none."""
        found = []
        for system in (row.preference.first, row.preference.second):
            if row.record is not None:
                named = [self.by_record[row.record, system]] if (row.record, system) in self.by_record else []
            else:
                named = self.by_item.get((row.preference.item, system), [])
            if len(named) != 1:
                return _SEVERAL if named else _NO_OUTPUT
            found += named
        return (found[0], found[1]) if found[0].item == found[1].item else "name outputs of two items"


@dataclass(frozen=True, slots=True, eq=False)
class _JudgedPair:
    """Two outputs, and what people make of them: 0.5 for the first, -0.5 for the second, 0 for a tie."""

    first: JudgedOutput
    second: JudgedOutput
    people: dict[str, float] = field(default_factory=dict)

    def subtract(self, metric: str) -> float | None:
        """The judge's value of the first less that of the second."""
        first, second = (each.values.get(metric) for each in (self.first, self.second))
        return None if first is None or second is None else round(first - second, _DIGITS)


@dataclass(slots=True)
class _Collected:
    """By metric, or '' for outputs as a whole: the pairs by their outputs, and how often nobody could tell."""

    pairs: dict[str, dict[Hashable, _JudgedPair]] = field(default_factory=dict)
    unsure: dict[str, int] = field(default_factory=dict)


def measure_preferences(
    rubric: Rubric,
    metrics: Sequence[str],
    rows: Iterable[PreferenceRow],
    outputs: JudgedOutputs,
    account: Account,
) -> tuple[MetricAgreement, ...]:
    """One agreement for each metric with preferences. Those for outputs as a whole are held against every metric."""
    said = _collect(rubric, rows, outputs, account)
    names = {each.id: each.name for each in rubric.metrics if not metrics or each.id in metrics}
    if not metrics and len(names) > 1:
        names[_TOTAL] = "Total"
    found = []
    for metric, name in names.items():
        for about, suffix in ((metric, "preferences"), ("", "preferences for outputs as a whole")):
            pairs = list(said.pairs.get(about, {}).values())
            is_ordered = any(pair.subtract(metric) is not None for pair in pairs)
            if (pairs or said.unsure.get(about)) and (is_ordered or about or metric != _TOTAL):
                titled = (metric, f"{name}, {suffix}")
                found.append(_measure(titled, pairs, said.unsure.get(about, 0)))
    return tuple(found)


def _collect(rubric: Rubric, rows: Iterable[PreferenceRow], outputs: JudgedOutputs, account: Account) -> _Collected:
    said, known = _Collected(), {"", *(metric.id for metric in rubric.metrics)}
    for row in rows:
        preference = row.preference
        account.labels += 1
        pair = outputs.find_pair(row)
        if preference.metric not in known:
            account.leave_out("are for metrics that the rubric does not have", preference.metric)
        elif isinstance(pair, str):
            account.leave_out(pair, f"{row.record or preference.item} ({', '.join(preference.systems)})")
        else:
            account.used += 1
            one, other = sorted(pair, key=lambda each: each.system)
            share = preference.share(one.system)
            if share is None:
                said.unsure[preference.metric] = said.unsure.get(preference.metric, 0) + 1
                continue
            of_metric = said.pairs.setdefault(preference.metric, {})
            of_metric.setdefault((one, other), _JudgedPair(one, other)).people[preference.person] = share - _CHANCE
    return said


def order_alike(pairs: Pairs) -> ClusterStatistic:
    """The share of pairs that both order alike. Values are first less second; a tie on the judge's side counts half."""
    is_ordered = (pairs.human != 0).astype(np.float64)
    alike = is_ordered * (1 + np.sign(pairs.judge) * np.sign(pairs.human)) / 2
    table = np.column_stack([alike, is_ordered])
    return resample_sums(table, pairs.clusters, pairs.cluster_count, lambda sums: divide(sums[0], sums[1]))


def _measure(titled: tuple[str, str], pairs: Sequence[_JudgedPair], unsure: int) -> MetricAgreement:
    metric, name = titled
    people = tuple(sorted({person for pair in pairs for person in pair.people} - {ADJUDICATED}))
    rows = [[pair.people.get(person, np.nan) for person in people] for pair in pairs]
    table = np.array(rows, dtype=np.float64).reshape(len(pairs), len(people))
    adjudicated = as_floats([pair.people.get(ADJUDICATED) for pair in pairs])
    mean = np.where(np.isfinite(adjudicated), adjudicated, average_rows(table))
    # A tie has no order that a judge could have too.
    human = np.where(mean == 0, np.nan, mean)
    items = [pair.first.item for pair in pairs]
    judge = as_floats([pair.subtract(metric) for pair in pairs])
    judged = build_pairs(judge, human, items)
    figures = [_measure_main(pairs, judged, np.where(np.isfinite(judge), human, np.nan), items)]
    ratings = build_ratings(table, items)
    if ratings.is_comparable:
        pairings = pair_with_others(ratings, judge)
        figures.append(compare_pairings("pairs ordered alike, judge vs each annotator", *pairings, order_alike))
    clusters = len(np.unique(judged.clusters))
    return MetricAgreement(
        *(metric, name, "pairs of outputs that people told apart", people, judged.n, clusters, tuple(figures)),
        warnings=tuple(_list_warnings(judge, human, mean, unsure)),
        nouns=("pair", "pairs"),
    )


def _measure_main(pairs: Sequence[_JudgedPair], judged: Pairs, human: Floats, items: Sequence[str]) -> Figure:
    """Against the better of two answers that need no judge."""
    lengths = as_floats([pair.first.length - pair.second.length for pair in pairs])
    longer = order_alike(build_pairs(lengths, human, items)).value
    baselines = [("chance", _CHANCE), *([] if longer is None else [("always the longer output", longer)])]
    constant, *others = sorted(baselines, key=lambda each: -each[1])
    note = ", ".join(f"{name} {value:.2f}" for name, value in others)
    return Figure("pairs ordered alike", estimate(order_alike(judged)), constant=constant, note=note)


def _list_warnings(judge: Floats, human: Floats, mean: Floats, unsure: int) -> Iterator[str]:
    told, all_pairs = np.isfinite(human), f"{len(mean)} pairs"
    if tied := int((mean == 0).sum()):
        yield f"people find the outputs alike, or are evenly split, in {tied} of {all_pairs}; these are left out"
    if unsure:
        yield f"{unsure} times “can't tell”; left out"
    if even := int((told & (judge == 0)).sum()):
        yield f"the judge finds the outputs alike in {even} of {all_pairs}; these count half"
    if unscored := int((told & np.isnan(judge)).sum()):
        yield f"the judge has no score for an output in {unscored} of {all_pairs}; these are left out"
    if not (told & np.isfinite(judge)).any():
        yield "no pair has both an order of the judge and one of people: every figure is undefined"
