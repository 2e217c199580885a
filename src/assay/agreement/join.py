"""Joins people's labels with a run's results by key, or reads both from one table, and counts what did not match."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from assay.agreement.labels import LabelRow, find_goodness, match_label
from assay.agreement.people import Key, QuestionKey, differ
from assay.domain.findings import Findings
from assay.domain.outcome import Verdict
from assay.domain.parts import LabelPart, PickPart
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.store.labels import ADJUDICATED, PersonLabel

# Labels are good or bad, or numbers on the metric's scale.
Kind = Literal["graded", "binary"]

_NAMED = 5
NO_LABEL = "have no label"
# To as many digits two thirds are the same value, whoever gives it.
DIGITS = 9


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A record under a metric, with goodness, or a unit under a part, with the numbers of the part's options.

    The judge's value is None without a score; an undecided label is no value. `is_targeted` where the record was not
    drawn at random. `unit` is the unit's id.
    """

    key: Key
    item: str
    judge: float | None
    people: dict[str, float]
    is_targeted: bool = False
    unit: str | None = None


@dataclass(slots=True)
class Account:
    """What became of the labels. `left_out` has the names of those not used by the reason, `rows` counts other rows."""

    labels: int = 0
    used: int = 0
    left_out: dict[str, list[str]] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)

    def leave_out(self, reason: str, name: str) -> None:
        self.left_out.setdefault(reason, []).append(name)

    def explain(self) -> Iterator[str]:
        """A sentence for each reason."""
        for reason, names in self.left_out.items():
            named = list(dict.fromkeys(names))
            more = ", …" if len(named) > _NAMED else ""
            yield f"{len(names)} of {self.labels} labels {reason}: {', '.join(named[:_NAMED])}{more}"
        for reason, count in self.rows.items():
            if count:
                yield f"{count} rows {reason} and are left out"


@dataclass(slots=True)
class Joined:
    """Records by metric, units by metric and part. `kinds` are of the metrics that have scores.

    A judge's estimates are a metric of their own beside its scores.
    """

    records: dict[str, list[LabelledValue]] = field(default_factory=dict)
    units: dict[tuple[str, str], list[LabelledValue]] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    account: Account = field(default_factory=Account)
    people: dict[str, int] = field(default_factory=dict)
    judge: str = ""


def join_labels(cards: Iterable[Scorecard], rows: Iterable[LabelRow], rubric: Rubric) -> Joined:
    """Every record of the run is kept, labelled or not: a corrected mean needs them all.

    Raises InputError at the first label that does not fit the rubric, with its line and what would fit.
    """
    joined = Joined()
    account = joined.account
    by_key: dict[Key, list[LabelRow]] = {}
    for row in _match_labels(rows, rubric, joined):
        by_key.setdefault((row.label.record, row.label.system), []).append(row)
    # A label that names no system belongs to the record's only system; whether there is one is known at the end.
    waiting: dict[str, list[Scorecard]] = {record: [] for record, system in by_key if system is None}
    for card in cards:
        joined.judge = card.judge
        key = (card.record.id, card.record.system)
        if key[1] is not None and key[0] in waiting:
            waiting[key[0]].append(card)
        else:
            _add_record(joined, card, by_key.pop(key, []))
    for name, found in waiting.items():
        for card in found:
            loose = by_key.pop((name, None), []) if len(found) == 1 else []
            _add_record(joined, card, [*by_key.pop((name, card.record.system), []), *loose])
    for (name, system), left in by_key.items():
        reason = "name a record that the run does not have"
        if system is None and len(waiting[name]) > 1:
            reason = "name a record that several systems answered, but no system"
        for _ in left:
            account.leave_out(reason, f"{name} ({system})" if system else name)
    return joined


def _match_labels(rows: Iterable[LabelRow], rubric: Rubric, joined: Joined) -> Iterator[LabelRow]:
    """Numbers beside good or bad under one metric are refused: they have no common scale."""
    metrics = {metric.id: metric for metric in rubric.metrics}
    scored: dict[str, LabelRow] = {}
    for given in rows:
        name = given.label.metric
        joined.account.labels += 1
        if name not in metrics:
            joined.account.leave_out("are for metrics that the rubric does not have", name)
            continue
        row = match_label(given, metrics[name])
        if row.level is not None or row.is_good is not None:
            earlier = scored.setdefault(name, row)
            if (earlier.is_good is None) != (row.is_good is None):
                message = f"{name} has both numbers and good/bad labels: {earlier.place} has {earlier.label.label!r}"
                raise row.place.fault(message, "Use one kind of label for each metric.")
            joined.kinds[name] = "graded" if row.is_good is None else "binary"
        yield row


def _add_record(joined: Joined, card: Scorecard, rows: list[LabelRow]) -> None:
    people: dict[str, dict[str, list[LabelRow]]] = {}
    for row in rows:
        label = row.label
        units = card.outcomes[label.metric].trail.units
        if label.unit is None or any(unit.id == label.unit for unit in units):
            people.setdefault(label.person, {}).setdefault(label.metric, []).append(row)
            joined.account.used += 1
        else:
            name = f"{card.record.id}: {label.unit} under {label.metric}"
            joined.account.leave_out("name a unit that the record does not have", name)
    for person in people:
        joined.people[person] = joined.people.get(person, 0) + 1
    if ADJUDICATED in people:
        _complete_adjudicated(people)
    key, item = (card.record.id, card.record.system), card.record.item
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        judge = round(float(outcome.score.goodness), DIGITS) if isinstance(outcome, Verdict) else None
        found = {person: find_goodness(card, metric, said) for person, said in people.items()}
        goodness = {person: round(value, DIGITS) for person, value in found.items() if value is not None}
        own = [row for said in people.values() for row in said.get(metric.id, ())]
        is_targeted = any(row.label.drawn_by not in {None, "random"} for row in own)
        said = {metric.id: judge}
        if outcome.trail.weakest_support is not None:
            said[metric.weakest_support.id] = round(outcome.trail.weakest_support, DIGITS)
        for name, number in said.items():
            joined.records.setdefault(name, []).append(LabelledValue(key, item, number, goodness, is_targeted))
        for part in metric.parts:
            if isinstance(part, LabelPart | PickPart):
                chosen = [row.label for row in own if row.part == part]
                for unit in dict.fromkeys(label.unit for label in chosen):
                    labels = [label for label in chosen if label.unit == unit]
                    value = LabelledValue(key, item, *_number_options(outcome.trail.findings, part, labels), unit=unit)
                    joined.units.setdefault((metric.id, part.id), []).append(value)


def _complete_adjudicated(people: dict[str, dict[str, list[LabelRow]]]) -> None:
    """Only differences are adjudicated. What the others all say the same counts as adjudicated too."""
    adjudicated = people[ADJUDICATED]
    done = {row.label.question for rows in adjudicated.values() for row in rows}
    others: dict[QuestionKey, list[LabelRow]] = {}
    for row in (each for said in people.values() for rows in said.values() for each in rows):
        if row.label.question not in done:
            others.setdefault(row.label.question, []).append(row)
    for (metric, _, _), rows in others.items():
        if not differ(row.label for row in rows):
            one = replace(rows[0], label=replace(rows[0].label, person=ADJUDICATED))
            adjudicated.setdefault(metric, []).append(one)


def _number_options(
    findings: Findings, part: LabelPart | PickPart, labels: list[PersonLabel]
) -> tuple[float | None, dict[str, float]]:
    """The judge's option and each person's by its number among the part's; an undecided label has none."""
    numbers = {option.name: float(number) for number, option in enumerate(part.options)}
    if isinstance(part, PickPart):
        said = findings.picked(part.id) or ()
    else:
        said = tuple(label.label for label in findings.of(part.id) if label.unit == labels[0].unit)[:1]
    people = {label.person: numbers[label.label] for label in labels if label.label in numbers}
    return numbers.get(said[0]) if len(said) == 1 else None, people
