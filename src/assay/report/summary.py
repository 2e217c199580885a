"""Figures of a run, counted card by card: scores per metric, answers of a panel, reasons without a score, and facts."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from assay.agreement.estimate import Estimate, estimate_from_sums
from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Comparison, Rubric
from assay.domain.scale import say_number
from assay.domain.scorecard import Scorecard
from assay.domain.wilson import place_wilson
from assay.report.display import format_estimate, format_missing, name_record, plain, shorten

_SAME_SHARE = 0.9
_ENOUGH = 10
# A reason may quote its record, and a run has many records.
_LONGEST_REASON, _LONGEST_NAME = 500, 80
_UNKNOWN = "not known"
_Z = 1.959963984540054


def list_answers(card: Scorecard, metric: str) -> Sequence[Outcome]:
    """Each answer to a metric before any mean; the outcome itself where there was only one."""
    return [voice.outcome for voice in card.voices.get(metric, ())] or [card.outcomes[metric]]


@dataclass(slots=True)
class Tally:
    """How many answers were asked for and scored; `missing` counts the others by status."""

    asked: int = 0
    scored: int = 0
    missing: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        self.asked += 1
        if isinstance(outcome, Verdict):
            self.scored += 1
        else:
            self.missing[outcome.status] += 1

    @property
    def said(self) -> str:
        why = format_missing(self.missing)
        return f"{self.scored} of {self.asked}" + (f" ({why})" if why else "")


def list_reasons(card: Scorecard) -> Iterator[str]:
    """Why metrics have no score. They are named only where not all of them share the reason."""
    metrics: dict[str, list[str]] = {}
    for name, outcome in card.outcomes.items():
        if not isinstance(outcome, Verdict):
            metrics.setdefault(f"{outcome.status}: {outcome.reason}", []).append(name)
    for reason, names in metrics.items():
        where = "" if len(names) == len(card.outcomes) else f"{', '.join(names)}: "
        yield shorten(f"{where}{reason}", _LONGEST_REASON)


@dataclass(frozen=True, slots=True)
class TruthTable:
    """Answers by truth: `rows` hold a truth with one count for each of `columns`."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    said: str


@dataclass(slots=True)
class FactCounts:
    """Counts by (truth, stated) for each comparison of a rubric; records without a known truth are left out.

    A rubric names the two facts (`- compares:`) and a cell of their table whose rate is reported (`- watch:`).
    """

    counts: dict[Comparison, Counter[tuple[str, str]]]

    def add(self, card: Scorecard) -> None:
        for comparison, counts in self.counts.items():
            truth, stated = (card.facts.get(name) for name in (comparison.truth, comparison.stated))
            if truth is not None and truth.value is not None:
                said = None if stated is None else stated.value
                counts[str(truth.value), _UNKNOWN if said is None else str(said)] += 1

    def tables(self) -> tuple[TruthTable, ...]:
        return tuple(_build_table(comparison, counts) for comparison, counts in self.counts.items() if counts)

    def sentences(self) -> Iterator[str]:
        """The watched rates, each over all records with that truth, whatever they state."""
        for comparison, counts in self.counts.items():
            alarm = comparison.alarm
            if not counts or alarm is None:
                continue
            total = sum(count for (truth, _), count in counts.items() if truth == alarm.truth)
            count = counts[alarm.truth, alarm.stated]
            rate = ""
            if total:
                share, ends = round(100 * count / total), place_wilson(count / total, total, _Z)
                rate = f", {share} % (95 % interval {round(100 * ends[0])} to {round(100 * ends[1])} %)"
            yield f"{alarm.name.capitalize()}: {count} of {total}{rate}."


def _build_table(comparison: Comparison, counts: Counter[tuple[str, str]]) -> TruthTable:
    """The accuracy is given beside what a constant answer would reach."""
    truths: Counter[str] = Counter()
    for (truth, _), count in counts.items():
        truths[truth] += count
    others = sorted({stated for _, stated in counts} - set(comparison.values))
    columns = (*comparison.values, *others)
    rows = tuple((plain(truth), tuple(counts[truth, each] for each in columns)) for truth in comparison.values)
    right, total = sum(counts[truth, truth] for truth in truths), counts.total()
    commonest, count = truths.most_common(1)[0]
    name = plain(comparison.stated)
    said = (
        f"{name.capitalize()} equals the truth in {right} of {total} records. "
        f"Always answering “{plain(commonest)}” would be right in {count} of {total}."
    )
    return TruthTable(name, tuple(map(plain, columns)), rows, said)


@dataclass(slots=True)
class Goodness:
    """Values from 0 to 1, of which each item's sum and count are kept.

    Outputs made from one source are not independent, so the interval of the mean is clustered by item.
    """

    sums: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, item: str, value: float) -> None:
        self.sums[item] += value
        self.counts[item] += 1

    @property
    def count(self) -> int:
        return self.counts.total()

    @property
    def items(self) -> int:
        return len(self.counts)

    @property
    def mean(self) -> float | None:
        return self._estimate().value

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean; none for a single item."""
        return self._estimate().interval

    @property
    def said(self) -> str:
        """The mean with its interval, in words."""
        return format_estimate(self._estimate()) if self.counts else "–"

    def _estimate(self) -> Estimate:
        return estimate_from_sums(tuple(self.sums.values()), tuple(self.counts.values()), (0.0, 1.0))


@dataclass(slots=True)
class MetricSummary(Tally):
    """Means are over scored records only. `estimates` are of all records that have one."""

    name: str = ""
    scores: list[float] = field(default_factory=list)
    goodness: Goodness = field(default_factory=Goodness)
    estimates: Goodness = field(default_factory=Goodness)

    def add_estimate(self, item: str, estimate: float | None) -> None:
        if estimate is not None:
            self.estimates.add(item, estimate)

    @property
    def mean(self) -> str:
        return say_number(fmean(self.scores)) if self.scores else "–"

    @property
    def warning(self) -> str:
        """What to mind where nearly every record has one score; else empty."""
        if len(self.scores) < _ENOUGH:
            return ""
        score, count = Counter(self.scores).most_common(1)[0]
        if count <= _SAME_SHARE * len(self.scores):
            return ""
        return f"{say_number(score)} for {count} of {len(self.scores)} records; the judge may not tell them apart"


@dataclass(slots=True)
class Summary:
    """Flags, repairs and notices are counted by records. Totals are of the records whose every metric is scored.

    `missing` counts answers without a score by status. `answers` are tallies by judge, then by metric; empty where each
    record was judged once.
    `reasons` are why records have no score, each with the names of its records.
    Of a record there remain a few numbers and words, so that a run may be as long as it likes.
    """

    rubric: Rubric
    records: int = 0
    metrics: dict[str, MetricSummary] = field(init=False)
    totals: Goodness = field(default_factory=Goodness)
    missing: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, list[str]] = field(default_factory=dict)
    answers: dict[str, dict[str, Tally]] = field(default_factory=dict)
    facts: FactCounts = field(init=False)
    judges: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        metrics = self.rubric.metrics
        self.facts = FactCounts({metric.compares: Counter() for metric in metrics if metric.compares is not None})
        self.metrics = {metric.id: MetricSummary(name=metric.name) for metric in metrics}

    def add(self, card: Scorecard) -> None:
        self.records += 1
        self.judges.add(card.judge)
        self.facts.add(card)
        self.notices.update({notice.check for notice in card.notices})
        self.flags.update({flag for outcome in card.outcomes.values() for flag in outcome.trail.flags})
        self.repairs.update({repair for outcome in card.outcomes.values() for repair in outcome.trail.repairs})
        for reason in list_reasons(card):
            self.reasons.setdefault(reason, []).append(shorten(name_record(card.record), _LONGEST_NAME))
        for name, voices in card.voices.items():
            for voice in voices:
                self.answers.setdefault(voice.judge, {}).setdefault(name, Tally()).add(voice.outcome)
        if card.total.goodness is not None and card.total.scored == card.total.asked:
            self.totals.add(card.record.item, float(card.total.goodness))
        for name, outcome in card.outcomes.items():
            metric = self.metrics[name]
            metric.add(outcome)
            metric.add_estimate(card.record.item, outcome.trail.estimate)
            answers = list_answers(card, name)
            self.missing.update(each.status for each in answers if not isinstance(each, Verdict))
            if isinstance(outcome, Verdict):
                metric.scores.append(float(outcome.score.value))
                metric.goodness.add(card.record.item, float(outcome.score.goodness))
