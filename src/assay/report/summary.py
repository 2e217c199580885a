"""Figures of a run, counted card by card: scores per metric, answers of a panel, reasons without a score, and facts."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum
from statistics import fmean

from assay.agreement.estimate import estimate_from_sums
from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Comparison, Rubric
from assay.domain.scale import say_number
from assay.domain.scorecard import Scorecard
from assay.domain.wilson import place_wilson
from assay.report.display import format_missing, name_record, plain

_SAME_SHARE = 0.9
_ENOUGH = 10
# A reason may quote its record; then no two are alike.
_MOST_REASONS = 1000
_LONGEST_REASON, _LONGEST_NAME = 500, 80
_NAMED = 3
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


@dataclass(slots=True)
class Answers:
    """Tallies by judge, then by metric. Empty where each record was judged once."""

    by_judge: dict[str, dict[str, Tally]] = field(default_factory=dict)

    def add(self, card: Scorecard) -> None:
        for metric, voices in card.voices.items():
            for voice in voices:
                self.by_judge.setdefault(voice.judge, {}).setdefault(metric, Tally()).add(voice.outcome)

    def add_up(self, metric: str) -> Tally | None:
        """Over all judges."""
        found = [tallies[metric] for tallies in self.by_judge.values() if metric in tallies]
        if not found:
            return None
        missing = sum((tally.missing for tally in found), Counter[str]())
        return Tally(sum(tally.asked for tally in found), sum(tally.scored for tally in found), missing)


@dataclass(slots=True)
class Reason:
    """A reason why records have no score; `count` is by records, `first` names the first few."""

    words: str
    count: int = 0
    first: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Reasons:
    """Each reason once; those past a bound are only counted, in `others`."""

    found: dict[str, Reason] = field(default_factory=dict)
    others: int = 0

    def add(self, card: Scorecard) -> None:
        for words in _list_reasons(card):
            if words not in self.found and len(self.found) >= _MOST_REASONS:
                self.others += 1
                continue
            reason = self.found.setdefault(words, Reason(words))
            reason.count += 1
            if len(reason.first) < _NAMED:
                reason.first.append(_cut(name_record(card.record), _LONGEST_NAME))

    def rank(self) -> list[Reason]:
        """The most frequent first; of equals the earlier."""
        return sorted(self.found.values(), key=lambda reason: -reason.count)


def _list_reasons(card: Scorecard) -> Iterator[str]:
    """Metrics are named only where not all of them share the reason."""
    metrics: dict[str, list[str]] = {}
    for name, outcome in card.outcomes.items():
        if not isinstance(outcome, Verdict):
            metrics.setdefault(f"{outcome.status}: {outcome.reason}", []).append(name)
    for reason, names in metrics.items():
        where = "" if len(names) == len(card.outcomes) else f"{', '.join(names)}: "
        yield _cut(f"{where}{reason}", _LONGEST_REASON)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


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

    counts: dict[Comparison, Counter[tuple[str, str]]] = field(default_factory=dict)

    @classmethod
    def begin(cls, rubric: Rubric) -> "FactCounts":
        return cls({metric.compares: Counter() for metric in rubric.metrics if metric.compares is not None})

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
    """Values from 0 to 1 with the item each belongs to: outputs made from one source are not independent.

    Only the sum and the count of an item's values are kept. `numbers` may be shared: it says which place an item has,
    not that it has a value here.
    """

    numbers: dict[str, int] = field(default_factory=dict)
    count: int = 0
    items: int = 0
    _sums: "array[float]" = field(default_factory=lambda: array("d"))
    _counts: "array[int]" = field(default_factory=lambda: array("L"))

    def add(self, item: str, value: float) -> None:
        place = self.numbers.setdefault(item, len(self.numbers))
        while place >= len(self._counts):
            self._sums.append(0.0)
            self._counts.append(0)
        self.count += 1
        self.items += not self._counts[place]
        self._sums[place] += value
        self._counts[place] += 1

    @property
    def mean(self) -> float:
        return fsum(self._sums) / self.count

    @property
    def said(self) -> str:
        """The mean with its interval, in words."""
        if not self.count:
            return "–"
        interval = self.interval
        return f"{self.mean:.2f}" + ("" if interval is None else f" [{interval[0]:.2f}, {interval[1]:.2f}]")

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean, clustered by item; none for a single item."""
        return estimate_from_sums(self._sums, self._counts, (0.0, 1.0)).interval


@dataclass(slots=True)
class MetricSummary:
    """Means are over scored records only; `missing` says by status what became of the others."""

    name: str
    asked: int = 0
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    goodness: Goodness = field(default_factory=Goodness)
    missing: Counter[str] = field(default_factory=Counter)

    @property
    def mean(self) -> str:
        return say_number(fmean(self.scores)) if self.scores else "–"

    @property
    def warning(self) -> str:
        """What to mind where nearly every record has one score; else empty."""
        if not self.is_constant:
            return ""
        score, count = self.commonest
        return f"{say_number(score)} for {count} of {len(self.scores)} records; the judge may not tell them apart"

    @property
    def commonest(self) -> tuple[float, int]:
        """The score that most records have, and how many have it."""
        return Counter(self.scores).most_common(1)[0]

    @property
    def is_constant(self) -> bool:
        """One value for nearly every record."""
        return len(self.scores) >= _ENOUGH and self.commonest[1] > _SAME_SHARE * len(self.scores)


@dataclass(slots=True)
class Summary:
    """Flags and notices are counted by records. Totals are of the records whose every metric is scored.

    Of a record there remain a few numbers, so that a run may be as long as it likes.
    """

    rubric: Rubric
    metrics: dict[str, MetricSummary] = field(default_factory=dict)
    totals: Goodness = field(default_factory=Goodness)
    flags: Counter[str] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    reasons: Reasons = field(default_factory=Reasons)
    answers: Answers = field(default_factory=Answers)
    records: int = 0
    facts: FactCounts = field(default_factory=FactCounts)
    judges: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        numbers = self.totals.numbers
        self.facts = FactCounts.begin(self.rubric)
        self.metrics = {
            metric.id: MetricSummary(metric.name, goodness=Goodness(numbers)) for metric in self.rubric.metrics
        }

    def add(self, card: Scorecard) -> None:
        self.records += 1
        self.judges.add(card.judge)
        self.reasons.add(card)
        self.answers.add(card)
        self.notices.update({notice.check for notice in card.notices})
        self.flags.update({flag for outcome in card.outcomes.values() for flag in outcome.trail.flags})
        self.facts.add(card)
        if card.total.goodness is not None and card.total.scored == card.total.asked:
            self.totals.add(card.record.item, float(card.total.goodness))
        for name, outcome in card.outcomes.items():
            metric = self.metrics[name]
            metric.asked += 1
            if isinstance(outcome, Verdict):
                metric.scores.append(float(outcome.score.value))
                metric.goodness.add(card.record.item, float(outcome.score.goodness))
            else:
                metric.missing[outcome.status] += 1
