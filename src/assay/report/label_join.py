"""Joins people's labels with a run's results by key, and keeps account of what did not match."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from assay.domain.findings import UNDECIDED
from assay.domain.outcome import Outcome, Verdict
from assay.domain.parts import LabelPart, PickPart
from assay.domain.rubric import Metric
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.report.human_values import find_goodness
from assay.report.human_words import Word, Words

DOMAIN = "domain"
_NAMED = 5
_DIGITS = 9

Key = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class ScoredRecord:
    """One record under one metric: the judge's goodness, and each person's. `sought` where it was not drawn by chance.

    `voices` are the answers that a panel or several samples gave, by judge and sample.
    """

    key: Key
    item: str
    domain: str | None
    judge: float | None
    people: Mapping[str, float]
    sought: bool = False
    voices: Mapping[tuple[str, int], float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LabelledUnit:
    """One unit, or a choice about the whole: the judge's word under one part and each person's; None is undecided."""

    key: Key
    unit: str | None
    item: str
    domain: str | None
    judge: str | None
    people: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class MarkedRecord:
    """The stretches of one output that the judge, and that each person, finds wrong under one metric."""

    key: Key
    item: str
    judge: tuple[Span, ...]
    people: Mapping[str, tuple[Span, ...]]


@dataclass(slots=True)
class Account:
    """What became of the labels. Names are the first few of each kind; nothing is left out in silence."""

    labels: int = 0
    used: int = 0
    blank: int = 0
    of_other_runs: int = 0
    without_record: int = 0
    ambiguous: int = 0
    without_unit: int = 0
    strange_metrics: dict[str, int] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)

    def note(self, kind: str, name: str) -> None:
        setattr(self, kind, getattr(self, kind) + 1)
        named = self.names.setdefault(kind, [])
        if name not in named and len(named) < _NAMED:
            named.append(name)

    def say(self) -> Iterator[str]:
        """What a person must know before trusting the rest, in words."""
        kinds = {
            "without_record": "name a record that the run does not have",
            "ambiguous": "name a record that several systems answered, and no system",
            "without_unit": "name a unit that the record does not have",
        }
        for kind, words in kinds.items():
            count = getattr(self, kind)
            if count:
                more = ", …" if count > len(self.names[kind]) else ""
                yield f"{count} of {self.labels} labels {words}: {', '.join(self.names[kind])}{more}"
        if self.strange_metrics:
            names = ", ".join(list(self.strange_metrics)[:_NAMED])
            count = sum(self.strange_metrics.values())
            yield f"{count} of {self.labels} labels are of metrics that the rubric does not have: {names}"
        if self.blank:
            yield f"{self.blank} rows say nothing and are left out"
        if self.of_other_runs:
            yield f"{self.of_other_runs} rows are of other runs and are left out"


@dataclass(slots=True)
class Joined:
    records: dict[str, list[ScoredRecord]] = field(default_factory=dict)
    units: dict[tuple[str, str], list[LabelledUnit]] = field(default_factory=dict)
    marks: dict[str, list[MarkedRecord]] = field(default_factory=dict)
    account: Account = field(default_factory=Account)
    people: dict[str, int] = field(default_factory=dict)
    judge: str = ""


def join_labels(cards: Iterable[Scorecard], words: Words) -> Joined:
    """Every record of the run is kept, labelled or not: a corrected mean needs them all."""
    joined = Joined()
    account = joined.account
    account.strange_metrics = words.strange
    account.labels = len(words.words) + sum(words.strange.values())
    by_key: dict[Key, list[Word]] = {}
    for word in words.words:
        by_key.setdefault((word.row.record, word.row.system), []).append(word)
    met: dict[Key, int] = {}
    # A label that names no system belongs to the record's only system; whether there is one is known at the end.
    loose = {record for record, system in by_key if system is None}
    systems: dict[str, set[str | None]] = {}
    waiting: dict[str, Scorecard] = {}

    def take(card: Scorecard, *more: Word) -> None:
        key = (card.record.id, card.record.system)
        met[key] = 1
        _take(joined, card, [*by_key.get(key, []), *more])

    for card in cards:
        record = card.record
        joined.judge = card.judge
        if record.system is not None and record.id in loose:
            known = systems.setdefault(record.id, set())
            known.add(record.system)
            if len(known) == 1:
                waiting[record.id] = card
                continue
            if record.id in waiting:
                take(waiting.pop(record.id))
        take(card)
    for name, card in waiting.items():
        take(card, *by_key[name, None])
        met[name, None] = 1
    for key, mine in by_key.items():
        if key not in met:
            kind = "ambiguous" if key[1] is None and len(systems.get(key[0], ())) > 1 else "without_record"
            for _ in mine:
                account.note(kind, key[0] if key[1] is None else f"{key[0]} ({key[1]})")
    return joined


def _take(joined: Joined, card: Scorecard, words: list[Word]) -> None:
    people: dict[str, dict[str, list[Word]]] = {}
    for word in words:
        if _has_unit(card, word):
            people.setdefault(word.row.person, {}).setdefault(word.metric.id, []).append(word)
            joined.account.used += 1
        else:
            joined.account.note("without_unit", f"{card.record.id}: {word.row.unit} under {word.metric.id}")
    for person in people:
        joined.people[person] = joined.people.get(person, 0) + 1
    record = card.record
    key, domain = (record.id, record.system), record.facets.get(DOMAIN)
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        found = {person: find_goodness(card, metric, said) for person, said in people.items()}
        spoken = [word for said in people.values() for word in said.get(metric.id, ())]
        joined.records.setdefault(metric.id, []).append(
            ScoredRecord(
                key,
                record.item,
                domain,
                _measure(outcome),
                {person: round(value, _DIGITS) for person, value in found.items() if value is not None},
                any(word.row.by_chance is False for word in spoken),
                _collect_voices(card, metric),
            )
        )
        if marks := _collect_marks(card, spoken):
            marked = MarkedRecord(key, record.item, _find_judge_marks(card, metric), marks)
            joined.marks.setdefault(metric.id, []).append(marked)
        for (part, unit), chosen in _choices(spoken).items():
            judged = _judge_word(card, metric, part, unit)
            joined.units.setdefault((metric.id, part.id), []).append(
                LabelledUnit(key, unit, record.item, domain, judged, chosen)
            )


def _collect_voices(card: Scorecard, metric: Metric) -> dict[tuple[str, int], float]:
    found = ((voice, _measure(voice.outcome)) for voice in card.voices.get(metric.id, ()))
    return {(voice.judge, voice.sample): value for voice, value in found if value is not None}


def _measure(outcome: Outcome) -> float | None:
    """To as many digits as a person's: two thirds are the same value whoever says so."""
    return round(float(outcome.score.goodness), _DIGITS) if isinstance(outcome, Verdict) else None


def _has_unit(card: Scorecard, word: Word) -> bool:
    return not isinstance(word.part, LabelPart) or any(
        unit.id == word.row.unit for unit in card.outcomes[word.metric.id].trail.units
    )


def _choices(words: Iterable[Word]) -> dict[tuple[LabelPart | PickPart, str | None], dict[str, str | None]]:
    found: dict[tuple[str, str | None], tuple[LabelPart | PickPart, dict[str, str | None]]] = {}
    for word in words:
        if isinstance(word.part, LabelPart | PickPart):
            chosen = None if word.option == UNDECIDED else word.option
            found.setdefault((word.part.id, word.row.unit), (word.part, {}))[1][word.row.person] = chosen
    return {(part, unit): chosen for (_, unit), (part, chosen) in found.items()}


def _judge_word(card: Scorecard, metric: Metric, part: LabelPart | PickPart, unit: str | None) -> str | None:
    findings = card.outcomes[metric.id].trail.findings
    if isinstance(part, PickPart):
        picked = findings.picked(part.id) or ()
        return picked[0] if len(picked) == 1 else None
    said = next((label.label for label in findings.of(part.id) if label.unit == unit), None)
    return None if said == UNDECIDED else said


def _collect_marks(card: Scorecard, words: Iterable[Word]) -> dict[str, tuple[Span, ...]]:
    """By person. Whoever calls the whole good has marked nothing, which is a mark too."""
    found: dict[str, tuple[Span, ...]] = {}
    for word in words:
        row = word.row
        if row.span is not None:
            if row.span.end > len(card.record.output):
                message = f"{row.span.start}-{row.span.end} is past the output of {card.record.id}"
                raise row.place.fault(message, f"It has {len(card.record.output)} characters.")
            found[row.person] = (*found.get(row.person, ()), row.span)
        elif word.is_good:
            found.setdefault(row.person, ())
    return found


def _find_judge_marks(card: Scorecard, metric: Metric) -> tuple[Span, ...]:
    """Where units stand that the judge decided, and labels below their best."""
    trail = card.outcomes[metric.id].trail
    spans = {unit.id: unit.span for unit in trail.units}
    return tuple(
        span
        for part in metric.label_parts
        for label in trail.findings.of(part.id)
        if label.decided and part.value(label.label) < part.value(part.best)
        if (span := spans.get(label.unit)) is not None
    )
