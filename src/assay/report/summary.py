"""Figures of a run, counted record by record: means, answers of a panel, reasons without a score, and facts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import fsum

from assay.domain.listed import Listed, MetricScore
from assay.domain.outcome import FAILURE_STATUSES
from assay.domain.rubric import Comparison, Rubric
from assay.domain.scale import Scale, say_number
from assay.domain.terms import plain
from assay.domain.wilson import place_wilson
from assay.report.display import shorten
from assay.report.mean import Mean

_SAME_SHARE = 0.9
_ENOUGH = 10
# A reason may quote its record, and a run has many records.
_LONGEST_REASON, _LONGEST_SHORT_REASON, _LONGEST_NAME = 500, 160, 80
# Records and reasons that stand for all of them.
_NAMED, _MOST_REASONS = 5, 3
_UNKNOWN = "not known"
_Z = 1.959963984540054


def list_reasons(row: Listed) -> Iterator[str]:
    """Why metrics have no score. They are named only where not all of them share the reason."""
    metrics: dict[str, list[str]] = {}
    for name, found in row.scores.items():
        if found.goodness is None:
            metrics.setdefault(found.why, []).append(name)
    for reason, names in metrics.items():
        where = "" if len(names) == len(row.scores) else f"{', '.join(names)} "
        yield shorten(f"{where}not scored: {reason}", _LONGEST_REASON)


def count_more(names: str, more: int) -> str:
    """`a, b and 3 more`."""
    return f"{names} and {more} more" if more > 0 else names


@dataclass(slots=True)
class Missing:
    """Keeps a few names and one count for each reason, however many records there are."""

    names: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, row: Listed, found: MetricScore) -> None:
        why = found.why if found.goodness is None else "the judge gives no probability"
        self.reasons[shorten(why, _LONGEST_SHORT_REASON)] += 1
        if len(self.names) < _NAMED:
            self.names.append(shorten(row.name, _LONGEST_NAME))

    def describe(self, unjudged: int = 0) -> str:
        """`a, b and 3 more (4 × the judge gave no grade; 1 × timed out: …)`; empty where nothing is missing.

        `unjudged` counts records of a run that was stopped before it came to them.
        """
        ranked = self.reasons.most_common()
        said = [f"{number} × {reason}" for reason, number in ranked[:_MOST_REASONS]]
        left = sum(number for _, number in ranked[_MOST_REASONS:])
        said += [f"{left} for other reasons"] if left else []
        said += [f"{unjudged} × not judged yet: the run is not finished"] if unjudged else []
        if not self.names:
            return "; ".join(said)
        named = count_more(", ".join(self.names), self.reasons.total() - len(self.names))
        return f"{named} ({'; '.join(said)})"


@dataclass(slots=True)
class ClaimCounts:
    """A claim is at fault if it is decided and its label is below the best: partial, absent or contradicted.

    `labelled` counts the records of which a judge labelled any claim, `empty` those in which
    there is nothing to label; `unlabelled` are all others. `faulty` are the first records with a claim at fault.
    """

    records: int = 0
    labelled: int = 0
    empty: int = 0
    claims: int = 0
    decided: int = 0
    at_fault: int = 0
    faulty_records: int = 0
    faulty: list[tuple[str, int]] = field(default_factory=list)
    unlabelled: Missing = field(default_factory=Missing)

    def add(self, row: Listed, rubric: Rubric) -> None:
        self.records += 1
        asked = [each.id for each in rubric.metrics if each.labels("claim") is not None]
        labelling = [row.scores[each] for each in asked if each in row.scores]
        votes = row.votes
        if votes.claims is not None:
            self.labelled += 1
            self.claims += votes.claims
        elif {each.status for each in labelling} == {"empty_input"}:
            self.empty += 1
        else:
            self.unlabelled.add(row, next(iter((*labelling, *row.scores.values()))))
        self.decided += votes.decided
        self.at_fault += votes.at_fault
        if votes.at_fault:
            self.faulty_records += 1
            if len(self.faulty) < _NAMED:
                self.faulty.append((shorten(row.name, _LONGEST_NAME), votes.at_fault))

    @property
    def decided_share(self) -> str:
        """`5 of 12 claims decided, 42 %`."""
        share = f", {round(100 * self.decided / self.claims)} %" if self.claims else ""
        return f"{self.decided} of {self.claims} claims decided{share}"


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

    def add(self, row: Listed) -> None:
        for comparison, counts in self.counts.items():
            truth, stated = (row.facts.get(name) for name in (comparison.truth, comparison.stated))
            if truth is not None:
                counts[truth, _UNKNOWN if stated is None else stated] += 1

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


def _say_percent(share: float) -> str:
    return f"{100 * share:.0f}"


@dataclass(slots=True)
class MetricSummary(Mean):
    """Of one metric. `unscored` are the records without a score, `unrated` those without a weakest claim."""

    name: str = ""
    scale: Scale = field(kw_only=True)
    scores: Counter[float] = field(default_factory=Counter)
    unscored: Missing = field(default_factory=Missing)
    unrated: Missing = field(default_factory=Missing)

    @property
    def mean(self) -> str:
        """On the metric's own scale: the mean, or its range where too few records have a score."""
        if not self.scores:
            return "–"
        total, open_count = fsum(score * times for score, times in self.scores.items()), self.asked - self.scored
        # Of yes and no the mean is the share of yes.
        say, unit = (_say_percent, " % yes") if self.scale.is_yes_no else (say_number, "")
        if not self.is_short:
            return say(total / self.scored) + unit
        ends = (float(end) * open_count for end in (self.scale.low, self.scale.high))
        return "–".join(say((total + end) / self.asked) for end in ends) + unit

    @property
    def warning(self) -> str:
        """What to mind where nearly every record has one score; else empty."""
        if self.scored < _ENOUGH:
            return ""
        score, count = self.scores.most_common(1)[0]
        if count <= _SAME_SHARE * self.scored:
            return ""
        return f"{self.scale.say(score)} for {count} of {self.scored} records; the judge may not tell them apart"


@dataclass(slots=True)
class Summary:
    """Flags, repairs and notices are counted by records. Totals are of the records whose every metric is scored.

    `failed` counts records with a failure in any answer, `missing` answers without a score by status. `answers` are
    means by judge, then by the name of the metric; empty where each record was judged once.
    `reasons` are why records have no score, each with the names of its records.
    Of a record there remain a few numbers and words, so that a run may be as long as it likes.
    """

    rubric: Rubric
    records: int = 0
    failed: int = 0
    metrics: dict[str, MetricSummary] = field(init=False)
    totals: Mean = field(default_factory=Mean)
    claims: ClaimCounts = field(default_factory=ClaimCounts)
    missing: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, list[str]] = field(default_factory=dict)
    answers: dict[str, dict[str, Mean]] = field(default_factory=dict)
    facts: FactCounts = field(init=False)
    judges: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        metrics = self.rubric.metrics
        self.facts = FactCounts({metric.compares: Counter() for metric in metrics if metric.compares is not None})
        self.metrics = {metric.id: MetricSummary(name=metric.name, scale=metric.scale) for metric in metrics}

    def add(self, row: Listed) -> None:
        self.records += 1
        self.failed += any(each.status in FAILURE_STATUSES for each in (*row.scores.values(), *row.answers))
        self.judges.add(row.judge)
        self.facts.add(row)
        self.notices.update(row.notices)
        self.flags.update({flag for found in row.scores.values() for flag in found.flags})
        self.repairs.update({repair for found in row.scores.values() for repair in found.repairs})
        for reason in list_reasons(row):
            self.reasons.setdefault(reason, []).append(shorten(row.name, _LONGEST_NAME))
        for answer in row.answers:
            name = self.metrics[answer.metric].name
            self.answers.setdefault(answer.author, {}).setdefault(name, Mean()).add(row.item, answer)
        self.claims.add(row, self.rubric)
        goodness = row.goodness if row.scored == row.asked else None
        self.totals.add(row.item, MetricScore("total", "incomplete", goodness=goodness))
        for name, metric in self.metrics.items():
            found = row.scores.get(name)
            if found is None:
                continue
            self.missing.update(each.status for each in row.list_answers(name) if each.goodness is None)
            metric.add(row.item, found)
            if found.score is not None:
                metric.scores[found.score] += 1
            else:
                metric.unscored.add(row, found)
            if found.weakest_support is None:
                metric.unrated.add(row, found)


def summarize(rubric: Rubric, rows: Iterable[Listed]) -> Summary:
    summary = Summary(rubric)
    for row in rows:
        summary.add(row)
    return summary


def list_notes(summary: Summary) -> Iterator[str]:
    """How to read the means, where some are ranges or weakest claims stand beside them."""
    metrics = summary.metrics.values()
    if any(found.is_short for found in metrics):
        yield "low–high: fewer than 90 % scored; the mean if the rest were worst or best."
    if any(found.weakest_support for found in metrics):
        yield (
            "Weakest claim: mean support probability of each record's weakest claim. Use it to sort; it is not a score."
        )
