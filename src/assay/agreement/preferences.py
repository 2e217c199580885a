"""How often a judge and people prefer the same one of two outputs, beside what needs no judge and people themselves."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.agreement.bootstrap import ClusterStatistic, divide, estimate, resample_sums
from assay.agreement.difference import compare_pairings, pair_with_others
from assay.agreement.estimate import Figure
from assay.agreement.figures import Agreement, MetricAgreement, Scope, build_sides, measure_agreement
from assay.agreement.join import NO_LABEL, Account, LabelledValue, join_labels
from assay.agreement.labels import LabelRows, PreferenceRow
from assay.agreement.pairs import Floats, Pairs, as_floats, build_pairs
from assay.agreement.standing import find_order_value
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard

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


# Two outputs in the order of their systems, and what each person makes of them: 0.5 for the first, -0.5 for the second,
# 0 for a tie.
Couple = tuple[JudgedOutput, JudgedOutput]
Told = dict[Couple, dict[str, float]]


def _subtract(couple: Couple, metric: str) -> float | None:
    """The judge's value of the first less that of the second."""
    first, second = (each.values.get(metric) for each in couple)
    return None if first is None or second is None else round(first - second, _DIGITS)


def measure_preferences(
    rubric: Rubric,
    metrics: Sequence[str],
    rows: Iterable[PreferenceRow],
    outputs: JudgedOutputs,
    account: Account,
) -> tuple[MetricAgreement, ...]:
    """One agreement for each metric with preferences. Those for outputs as a whole are held against every metric."""
    said, unsure = _collect(rubric, rows, outputs, account)
    names = {each.id: each.name for each in rubric.metrics if not metrics or each.id in metrics}
    if not metrics and len(names) > 1:
        names[_TOTAL] = "Total"
    found = []
    for metric, name in names.items():
        for about, suffix in ((metric, "preferences"), ("", "preferences for outputs as a whole")):
            told = said.get(about, {})
            is_ordered = any(_subtract(couple, metric) is not None for couple in told)
            if (told or unsure[about]) and (is_ordered or about or metric != _TOTAL):
                found.append(_measure((metric, f"{name}, {suffix}"), told, unsure[about]))
    return tuple(found)


def measure_run(scope: Scope, cards: Iterable[Scorecard], said: LabelRows) -> Agreement:
    """By labels and preferences. Raises InputError where none of them belongs to a record of the run."""
    outputs = JudgedOutputs()
    joined = join_labels(outputs.watch(cards), said.rows, scope.rubric)
    joined.account.rows = {NO_LABEL: said.blank, "belong to other runs": said.others}
    preferred = measure_preferences(scope.rubric, scope.metrics, said.preferences, outputs, joined.account)
    return measure_agreement(scope, joined, preferred)


def _collect(
    rubric: Rubric, rows: Iterable[PreferenceRow], outputs: JudgedOutputs, account: Account
) -> tuple[dict[str, Told], Counter[str]]:
    """By metric, or '' for outputs as a whole: what people told, and how often nobody could tell."""
    said, unsure = dict[str, Told](), Counter[str]()
    known = {"", *(metric.id for metric in rubric.metrics)}
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
                unsure[preference.metric] += 1
            else:
                people = said.setdefault(preference.metric, {}).setdefault((one, other), {})
                people[preference.person] = share - _CHANCE
    return said, unsure


def order_alike(pairs: Pairs) -> ClusterStatistic:
    """The share of pairs that both order alike. Values are first less second; a tie on the judge's side counts half."""
    is_ordered = (pairs.human != 0).astype(np.float64)
    alike = is_ordered * (1 + np.sign(pairs.judge) * np.sign(pairs.human)) / 2
    table = np.column_stack([alike, is_ordered])
    return resample_sums(table, pairs.clusters, pairs.cluster_count, lambda sums: divide(sums[0], sums[1]))


def _measure(titled: tuple[str, str], told: Told, unsure: int) -> MetricAgreement:
    metric, name = titled
    values = [
        LabelledValue((one.record, one.system), one.item, _subtract((one, other), metric), people)
        for (one, other), people in told.items()
    ]
    sides = build_sides(values, are_classes=False)
    # A tie has no order that a judge could have too.
    human = np.where(sides.human == 0, np.nan, sides.human)
    judged = build_pairs(sides.judge, human, sides.ratings.clusters)
    lengths = as_floats([one.length - other.length for one, other in told])
    ordered = np.where(np.isfinite(sides.judge), human, np.nan)
    longer = order_alike(build_pairs(lengths, ordered, sides.ratings.clusters)).value
    # Against the better of two answers that need no judge.
    baselines = [("chance", _CHANCE), *([] if longer is None else [("always the longer output", longer)])]
    constant, *others = sorted(baselines, key=lambda each: -each[1])
    note = ", ".join(f"{name} {value:.2f}" for name, value in others)
    figures = [Figure("pairs ordered alike", estimate(order_alike(judged)), constant=constant, note=note)]
    if sides.ratings.is_comparable:
        pairings = pair_with_others(sides.ratings, sides.judge)
        figures.append(compare_pairings("pairs ordered alike, judge vs each annotator", *pairings, order_alike))
    clusters = len(np.unique(judged.clusters))
    return MetricAgreement(
        *(
            metric,
            name,
            "pairs of outputs of which people preferred one",
            sides.people,
            judged.n,
            clusters,
            tuple(figures),
        ),
        warnings=tuple(_list_warnings(sides.judge, human, sides.human, unsure)),
        nouns=("pair", "pairs"),
    )


def _list_warnings(judge: Floats, human: Floats, mean: Floats, unsure: int) -> Iterator[str]:
    told, all_pairs = np.isfinite(human), f"{len(mean)} pairs"
    if tied := int((mean == 0).sum()):
        yield f"people find the outputs equally good, or are evenly split, in {tied} of {all_pairs}; these are left out"
    if unsure:
        yield f"{unsure} answers are “can't tell”; these are left out"
    if even := int((told & (judge == 0)).sum()):
        yield f"the judge scores both outputs the same in {even} of {all_pairs}; these count half"
    if unscored := int((told & np.isnan(judge)).sum()):
        yield f"the judge has no score for an output in {unscored} of {all_pairs}; these are left out"
    if not (told & np.isfinite(judge)).any():
        yield "no pair is ordered by both the judge and people: every figure is undefined"
