"""Joins people's labels with a run's results by key, or reads both from one table, and counts what did not match."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Literal

from assay.agreement.labels import BAD, GOOD, PersonAnswer, PersonAnswers, find_goodness
from assay.domain.findings import UNDECIDED
from assay.domain.outcome import Outcome, Verdict
from assay.domain.parts import LabelPart, PickPart
from assay.domain.rubric import Metric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.labels import NOBODY, read_cells
from assay.files.place import Place

# Labels are good or bad, or numbers on the metric's scale.
Kind = Literal["graded", "binary"]
Key = tuple[str, str | None]
Ends = tuple[float, float]

_DOMAIN = "domain"
_NAMED = 5
# To as many digits two thirds are the same value, whoever gives it.
_DIGITS = 9
_TABLE = {
    "record": ("record", "key", "id"),
    "person": ("person", "annotator"),
    **{name: (name,) for name in ("judge", "score", "label", "metric", "system", "item", "domain")},
}
_COLUMNS = "record, judge, score or label, and optionally metric, system, item, domain and person"
_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"


@dataclass(frozen=True, slots=True)
class ScoredRecord:
    """One record under one metric: the judge's goodness and each person's.

    `is_targeted` where the record was not drawn at random.
    """

    key: Key
    item: str
    domain: str | None
    judge: float | None
    people: Mapping[str, float]
    is_targeted: bool = False


@dataclass(frozen=True, slots=True)
class LabelledUnit:
    """One unit, or a choice about the whole: the judge's option under one part and each person's; None is undecided."""

    item: str
    judge: str | None
    people: Mapping[str, str | None]


@dataclass(slots=True)
class Account:
    """What became of the labels; `names` are the first few of each kind."""

    labels: int = 0
    used: int = 0
    blank: int = 0
    of_other_runs: int = 0
    without_record: int = 0
    ambiguous: int = 0
    without_unit: int = 0
    unknown_metrics: Mapping[str, int] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)

    def note(self, kind: Literal["without_record", "ambiguous", "without_unit"], name: str) -> None:
        setattr(self, kind, getattr(self, kind) + 1)
        named = self.names.setdefault(kind, [])
        if name not in named and len(named) < _NAMED:
            named.append(name)

    def explain(self) -> Iterator[str]:
        """A sentence for each kind of label that was not used."""
        kinds = {
            "without_record": "name a record that the run does not have",
            "ambiguous": "name a record that several systems answered, but no system",
            "without_unit": "name a unit that the record does not have",
        }
        for kind, words in kinds.items():
            if count := getattr(self, kind):
                more = ", …" if count > len(self.names[kind]) else ""
                yield f"{count} of {self.labels} labels {words}: {', '.join(self.names[kind])}{more}"
        if self.unknown_metrics:
            names = ", ".join(list(self.unknown_metrics)[:_NAMED])
            count = sum(self.unknown_metrics.values())
            yield f"{count} of {self.labels} labels are for metrics that the rubric does not have: {names}"
        for count, words in ((self.blank, "have no label"), (self.of_other_runs, "belong to other runs")):
            if count:
                yield f"{count} rows {words} and are left out"


@dataclass(slots=True)
class Joined:
    """Records by metric, units by metric and part. `kinds` are of the metrics that have scores."""

    records: dict[str, list[ScoredRecord]] = field(default_factory=dict)
    units: dict[tuple[str, str], list[LabelledUnit]] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    account: Account = field(default_factory=Account)
    people: dict[str, int] = field(default_factory=dict)
    judge: str = ""


def join_labels(cards: Iterable[Scorecard], given: PersonAnswers) -> Joined:
    """Every record of the run is kept, labelled or not: a corrected mean needs them all."""
    joined = Joined(kinds={each.metric.id: "binary" for each in given.answers if each.is_good is not None})
    account = joined.account
    account.unknown_metrics = given.unknown
    account.labels = len(given.answers) + sum(given.unknown.values())
    by_key: dict[Key, list[PersonAnswer]] = {}
    for answer in given.answers:
        by_key.setdefault((answer.row.record, answer.row.system), []).append(answer)
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
        for _ in answers:
            is_ambiguous = system is None and len(waiting[name]) > 1
            account.note("ambiguous" if is_ambiguous else "without_record", f"{name} ({system})" if system else name)
    return joined


def _add_record(joined: Joined, card: Scorecard, answers: list[PersonAnswer]) -> None:
    people: dict[str, dict[str, list[PersonAnswer]]] = {}
    for answer in answers:
        if _has_unit(card, answer):
            people.setdefault(answer.row.person, {}).setdefault(answer.metric.id, []).append(answer)
            joined.account.used += 1
        else:
            joined.account.note("without_unit", f"{card.record.id}: {answer.row.unit} under {answer.metric.id}")
    for person in people:
        joined.people[person] = joined.people.get(person, 0) + 1
    record = card.record
    for metric in card.rubric.metrics:
        found = {person: find_goodness(card, metric, said) for person, said in people.items()}
        own = [answer for said in people.values() for answer in said.get(metric.id, ())]
        joined.records.setdefault(metric.id, []).append(
            ScoredRecord(
                (record.id, record.system),
                record.item,
                record.facets.get(_DOMAIN),
                _find_judge_goodness(card.outcomes[metric.id]),
                {person: round(value, _DIGITS) for person, value in found.items() if value is not None},
                any(answer.row.by_chance is False for answer in own),
            )
        )
        for (part, unit), chosen in _collect_options(own).items():
            unit_labels = LabelledUnit(record.item, _find_judge_option(card, metric, part, unit), chosen)
            joined.units.setdefault((metric.id, part.id), []).append(unit_labels)


def _find_judge_goodness(outcome: Outcome) -> float | None:
    return round(float(outcome.score.goodness), _DIGITS) if isinstance(outcome, Verdict) else None


def _has_unit(card: Scorecard, answer: PersonAnswer) -> bool:
    units = card.outcomes[answer.metric.id].trail.units
    return not isinstance(answer.part, LabelPart) or any(unit.id == answer.row.unit for unit in units)


def _collect_options(
    answers: Iterable[PersonAnswer],
) -> dict[tuple[LabelPart | PickPart, str | None], dict[str, str | None]]:
    found: dict[tuple[str, str | None], tuple[LabelPart | PickPart, dict[str, str | None]]] = {}
    for answer in answers:
        if isinstance(answer.part, LabelPart | PickPart):
            option = None if answer.option == UNDECIDED else answer.option
            found.setdefault((answer.part.id, answer.row.unit), (answer.part, {}))[1][answer.row.person] = option
    return {(part, unit): chosen for (_, unit), (part, chosen) in found.items()}


def _find_judge_option(card: Scorecard, metric: Metric, part: LabelPart | PickPart, unit: str | None) -> str | None:
    findings = card.outcomes[metric.id].trail.findings
    if isinstance(part, PickPart):
        picked = findings.picked(part.id) or ()
        return picked[0] if len(picked) == 1 else None
    said = next((label.label for label in findings.of(part.id) if label.unit == unit), None)
    return None if said == UNDECIDED else said


@dataclass(slots=True)
class _Entry:
    judge: float | None
    item: str
    domain: str | None
    people: dict[str, float] = field(default_factory=dict)


def read_value_table(path: Path, ends: Ends = (0.0, 1.0)) -> Joined:
    """A judge's and people's values from one file, without a run. `ends` are the worst and the best value.

    A number that is not between them is refused with its line.
    """
    entries: dict[str, dict[Key, _Entry]] = {}
    found = Joined(judge="the column `judge`")
    account = found.account
    for place, cells in read_cells(path, _TABLE, _COLUMNS, ("record",), frozenset()):
        metric, key = cells.get("metric", "judge"), (cells["record"], cells.get("system"))
        judge = None if "judge" not in cells else _parse_goodness(cells["judge"], ends, place)
        fresh = _Entry(judge, cells.get("item", key[0]), cells.get("domain"))
        entry = entries.setdefault(metric, {}).setdefault(key, fresh)
        if (entry.judge, entry.item, entry.domain) != (fresh.judge, fresh.item, fresh.domain):
            message = f"another row of {key[0]} has another judge, item or domain"
            raise place.fault(message, "Repeat the same values, or name systems.")
        said = cells.get("score") or cells.get("label")
        if said is None:
            account.blank += 1
            continue
        account.labels += 1
        kind: Kind = "binary" if said.casefold() in (*GOOD, *BAD) else "graded"
        if found.kinds.setdefault(metric, kind) != kind:
            raise place.fault(f"{metric} has numbers and good or bad", "Use one kind for a metric.")
        value = float(said.casefold() in GOOD) if kind == "binary" else _parse_goodness(said, ends, place)
        person = cells.get("person", NOBODY)
        if entry.people.setdefault(person, value) != value:
            raise place.fault(f"{person} has two values for {key[0]}", "Keep one, or name the person in `person`.")
    account.used = account.labels
    for metric, rows in entries.items():
        found.records[metric] = [
            ScoredRecord(key, each.item, each.domain, each.judge, each.people) for key, each in rows.items()
        ]
    named = {(person, key) for rows in entries.values() for key, each in rows.items() for person in each.people}
    found.people = dict(Counter(person for person, _ in named))
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
