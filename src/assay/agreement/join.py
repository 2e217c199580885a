"""Joins people's labels with a run's results by key, or reads both from one table, and counts what did not match."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Literal

from assay.agreement.label_files import NOBODY, read_cells
from assay.agreement.labels import BAD, GOOD, PersonAnswer, PersonAnswers, find_goodness
from assay.agreement.people import Key, QuestionKey, differ
from assay.domain.outcome import Verdict
from assay.domain.parts import LabelPart, PickPart
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.place import Place
from assay.store.labels import SETTLED

# Labels are good or bad, or numbers on the metric's scale.
Kind = Literal["graded", "binary"]
Ends = tuple[float, float]

_NAMED = 5
NO_LABEL = "have no label"
# To as many digits two thirds are the same value, whoever gives it.
_DIGITS = 9
_TABLE = ("record", "person", "judge", "score", "label", "metric", "system", "item")
_COLUMNS = "record, judge, score or label, and optionally metric, system, item and person"
_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A record under a metric, with goodness, or a unit under a part, with the numbers of the part's options.

    The judge's value is None without a score; an undecided label is no value. `is_targeted` where the record was not
    drawn at random.
    """

    key: Key
    item: str
    judge: float | None
    people: Mapping[str, float]
    is_targeted: bool = False


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


def join_labels(cards: Iterable[Scorecard], given: PersonAnswers) -> Joined:
    """Every record of the run is kept, labelled or not: a corrected mean needs them all."""
    joined = Joined(kinds={each.metric.id: "binary" for each in given.answers if each.is_good is not None})
    account = joined.account
    account.labels = len(given.answers) + len(given.unknown)
    for name in given.unknown:
        account.leave_out("are for metrics that the rubric does not have", name)
    by_key: dict[Key, list[PersonAnswer]] = {}
    for answer in given.answers:
        by_key.setdefault((answer.label.record, answer.label.system), []).append(answer)
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
    for (name, system), answers in by_key.items():
        reason = "name a record that the run does not have"
        if system is None and len(waiting[name]) > 1:
            reason = "name a record that several systems answered, but no system"
        for _ in answers:
            account.leave_out(reason, f"{name} ({system})" if system else name)
    return joined


def _add_record(joined: Joined, card: Scorecard, answers: list[PersonAnswer]) -> None:
    people: dict[str, dict[str, list[PersonAnswer]]] = {}
    for answer in answers:
        label = answer.label
        units = card.outcomes[label.metric].trail.units
        if label.unit is None or any(unit.id == label.unit for unit in units):
            people.setdefault(label.person, {}).setdefault(label.metric, []).append(answer)
            joined.account.used += 1
        else:
            name = f"{card.record.id}: {label.unit} under {label.metric}"
            joined.account.leave_out("name a unit that the record does not have", name)
    for person in people:
        joined.people[person] = joined.people.get(person, 0) + 1
    if SETTLED in people:
        _complete_settled(people)
    key, item = (card.record.id, card.record.system), card.record.item
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        judge = round(float(outcome.score.goodness), _DIGITS) if isinstance(outcome, Verdict) else None
        found = {person: find_goodness(card, metric, said) for person, said in people.items()}
        goodness = {person: round(value, _DIGITS) for person, value in found.items() if value is not None}
        own = [answer for said in people.values() for answer in said.get(metric.id, ())]
        is_targeted = any(answer.label.drawn_by not in {None, "random"} for answer in own)
        said = {metric.id: judge}
        if outcome.trail.estimate is not None:
            said[metric.estimate.id] = round(outcome.trail.estimate, _DIGITS)
        for name, number in said.items():
            joined.records.setdefault(name, []).append(LabelledValue(key, item, number, goodness, is_targeted))
        for part in metric.parts:
            if isinstance(part, LabelPart | PickPart):
                answered = [answer for answer in own if answer.label.part == part.id]
                for unit in dict.fromkeys(answer.label.unit for answer in answered):
                    chosen = [answer for answer in answered if answer.label.unit == unit]
                    value = LabelledValue(key, item, *_number_options(card, part, unit, chosen))
                    joined.units.setdefault((metric.id, part.id), []).append(value)


def _complete_settled(people: dict[str, dict[str, list[PersonAnswer]]]) -> None:
    """Only differences are settled. What the others all say the same is settled too."""
    settled = people[SETTLED]
    done = {answer.label.question for answers in settled.values() for answer in answers}
    others: dict[QuestionKey, list[PersonAnswer]] = {}
    for answer in (each for said in people.values() for answers in said.values() for each in answers):
        if answer.label.question not in done:
            others.setdefault(answer.label.question, []).append(answer)
    for (metric, _, _), answers in others.items():
        if not differ(answer.label for answer in answers):
            one = replace(answers[0], label=replace(answers[0].label, person=SETTLED))
            settled.setdefault(metric, []).append(one)


def _number_options(
    card: Scorecard, part: LabelPart | PickPart, unit: str | None, answers: list[PersonAnswer]
) -> tuple[float | None, dict[str, float]]:
    """The judge's option and each person's by its number among the part's; an undecided label has none."""
    numbers = {option.name: float(number) for number, option in enumerate(part.options)}
    findings = card.outcomes[answers[0].metric.id].trail.findings
    if isinstance(part, PickPart):
        said = findings.picked(part.id) or ()
    else:
        said = tuple(label.label for label in findings.of(part.id) if label.unit == unit)[:1]
    people = {answer.label.person: numbers[answer.label.label] for answer in answers if answer.label.label in numbers}
    return numbers.get(said[0]) if len(said) == 1 else None, people


def read_value_table(path: Path, ends: Ends = (0.0, 1.0)) -> Joined:
    """A judge's and people's values from one file, without a run. `ends` are the worst and the best value.

    A number that is not between them is refused with its line.
    """
    entries: dict[tuple[str, Key], tuple[LabelledValue, dict[str, float]]] = {}
    found = Joined(judge="the column `judge`")
    account = found.account
    for place, cells in read_cells(path, _TABLE, _COLUMNS, ("record",), frozenset()):
        metric, key = cells.get("metric", "judge"), (cells["record"], cells.get("system"))
        judge = None if "judge" not in cells else _parse_goodness(cells["judge"], ends, place)
        people: dict[str, float] = {}
        fresh = LabelledValue(key, cells.get("item", key[0]), judge, people)
        if (metric, key) not in entries:
            entries[metric, key] = fresh, people
            found.records.setdefault(metric, []).append(fresh)
        entry, people = entries[metric, key]
        if replace(entry, people={}) != fresh:
            message = f"another row of {key[0]} has another judge or item"
            raise place.fault(message, "Repeat the same values, or name systems.")
        said = cells.get("score") or cells.get("label")
        if said is None:
            account.rows[NO_LABEL] = account.rows.get(NO_LABEL, 0) + 1
            continue
        account.labels += 1
        kind: Kind = "binary" if said.casefold() in (*GOOD, *BAD) else "graded"
        if found.kinds.setdefault(metric, kind) != kind:
            raise place.fault(f"{metric} has numbers and good or bad", "Use one kind for a metric.")
        value = float(said.casefold() in GOOD) if kind == "binary" else _parse_goodness(said, ends, place)
        person = cells.get("person", NOBODY)
        if people.setdefault(person, value) != value:
            raise place.fault(f"{person} has two values for {key[0]}", "Keep one, or name the person in `person`.")
    account.used = account.labels
    found.people = Counter(
        person for person, _ in {(who, key) for (_, key), (_, said) in entries.items() for who in said}
    )
    return found


def parse_ends(text: str) -> Ends:
    """The worst and the best value of a scale. Either may be the larger, and either below 0: `10-0`, `-1-10`."""
    found = re.fullmatch(rf"\s*({_NUMBER})\s*-\s*({_NUMBER})\s*", text)
    ends = (float(found[1]), float(found[2])) if found is not None else (0.0, 0.0)
    if ends[0] == ends[1] or not isfinite(ends[1] - ends[0]):
        raise InputError(f"--scale {text!r} can't be read", remedy="Write the worst and the best value: --scale 1-5.")
    return ends


def _parse_goodness(text: str, ends: Ends, place: Place) -> float:
    value = float(text) if re.fullmatch(_NUMBER, text) else float("nan")
    low, high = sorted(ends)
    if not low <= value <= high:
        remedy = f"Write a number from {low:g} to {high:g}, or name the scale: --scale 1-5."
        raise place.fault(f"{text!r} does not fit the scale", remedy)
    return round((value - ends[0]) / (ends[1] - ends[0]), _DIGITS)
