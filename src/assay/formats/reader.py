"""Reads the rows of a shape table out of one metric's object; the lists stay the model's own."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from assay.checks.citations import find_source
from assay.domain.findings import UNDECIDED, Grade, Label, Remark
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Trail
from assay.domain.record import Record
from assay.domain.rubric import Metric
from assay.domain.shape import Shape, ShapeRow
from assay.domain.span import Span
from assay.domain.units import NAMES, Unit
from assay.formats.prose import REASON_KEYS, SCORE_KEYS, take_at_its_word
from assay.replies.parts import PartReader, as_text, is_nothing, list_objects, read_on_scale, text_of
from assay.replies.salvage import is_list
from assay.replies.values import Misreading, Reading, read_label, read_number
from assay.scoring.rules import RULES
from assay.text.quotes import find_quote

_QUOTED = re.compile(r"[\"“‘]([^\"“”‘’]{3,200})[\"”’]")


@dataclass(slots=True)
class MetricReader:
    """Reads the rows of one metric out of its object."""

    metric: Metric
    body: Mapping[str, JSON]
    shape: Shape
    record: Record
    parts: PartReader = field(default_factory=PartReader)
    units: list[Unit] = field(default_factory=list)
    reported: dict[str, object] = field(default_factory=dict)
    unplaced_words: int | None = None
    ended: Outcome | None = None

    def read(self) -> Trail:
        readers = {
            "reason": self._read_reason,
            "unit": self._read_units,
            "figure": self._read_figure,
            "grade": self._read_grade,
            "list": self._read_list,
            "pick": self._read_pick,
            "score": self._read_score,
        }
        # A score says what it is once the reason and the lists beside it are known.
        rows = sorted(self.shape.of(self.metric.id), key=lambda row: row.holds == "score")
        for row in rows:
            if row.holds in readers:
                readers[row.holds](row)
        faults = tuple(self.parts.faults[:1])
        trail = Trail(
            tuple(self.units),
            self.parts.findings,
            reported=self.reported,
            ended=None if faults else self.ended,
            faults=faults,
            unplaced_words=self.unplaced_words,
        )
        return trail.noted(self.parts.flags, self.parts.repairs)

    def _find(self, row: ShapeRow) -> JSON:
        """At its path; a score and its reason may stand in an object together."""
        value = self._follow(row.steps)
        if row.holds == "score":
            value = self._follow((f"{row.place}_score",)) if value is None else value
            return _take(value, SCORE_KEYS) if isinstance(value, Mapping) else value
        if row.holds == "reason" and value is None:
            scores = (each for each in self.shape.of(self.metric.id) if each.holds == "score")
            held = next((self._follow(each.steps) for each in scores), None)
            return _take(held, REASON_KEYS) if isinstance(held, Mapping) else None
        return value

    def _follow(self, steps: Sequence[str]) -> JSON:
        value: JSON = self.body
        for step in steps:
            value = value.get(step.removesuffix("[]")) if isinstance(value, Mapping) else None
        return value

    def _read_reason(self, row: ShapeRow) -> None:
        reason = as_text(self._find(row))
        self.reported["reason"] = reason
        self.parts.flags += [] if reason else ["missing_reasoning"]

    def _read_score(self, row: ShapeRow) -> None:
        """A grade where the rule takes one; else it stands beside the lists, or alone where there are none."""
        value, scale = self._find(row), self.metric.scale
        number = _read_percentage(value) if scale.high == 100 else value
        reading = read_on_scale(number, scale)
        self.reported["score"] = value if isinstance(reading, Misreading) else reading.value
        takes = RULES[self.metric.rule].grades
        rows = self.shape.of(self.metric.id)
        lists_units = bool(self.units) or any(each.holds == "unit" and each.label is None for each in rows)
        is_graded = takes == "several" and any(each.holds == "grade" for each in rows)
        if is_graded or (self.metric.label_parts and lists_units):
            return
        level = self.parts.read_level(number, scale, "score")
        if level is not None and takes in {"one", "optional"}:
            self.parts.grades.append(Grade(self.metric.grade_parts[0].id, level, self._reason))
        elif level is not None:
            self.ended = take_at_its_word(level, self.metric)

    @property
    def _reason(self) -> str:
        return str(self.reported.get("reason", ""))

    def _read_grade(self, row: ShapeRow) -> None:
        part = next(part for part in self.metric.grade_parts if part.id == row.name)
        self.parts.read_grade(self._find(row), part, self._reason)

    def _read_figure(self, row: ShapeRow) -> None:
        value = self._find(row)
        if value is not None:
            share = self.parts.accept(read_number(value, 0.0, 1.0))
            self.reported[row.name] = value if isinstance(share, Misreading) else share

    def _read_list(self, row: ShapeRow) -> None:
        part, _, key = row.name.partition(".")
        value = self._find(row)
        if key:
            if text := as_text(value):
                self.parts.remarks.append(Remark(part, {key: text}))
            return
        first = next(each for each in self.metric.list_parts if each.id == part).fields[0].name
        for entry in list_objects(value, first):
            self.parts.remarks.append(Remark(part, {name: text_of(entry, name) for name in entry}))

    def _read_pick(self, row: ShapeRow) -> None:
        part = next(each for each in self.metric.pick_parts if each.id == row.name)
        value = self._find(row)
        if part.over != "sources":
            # A spelling of an option that is read is no repair: nothing is counted from it.
            reading = read_label(value, [option.name for option in part.options])
            if isinstance(reading, Reading):
                self.parts.add_pick(part, [reading.value])
            return
        if is_list(value):
            known = [source.id for each in value if (source := find_source(each, self.record)) is not None]
            self.parts.flags += ["unknown_source"] if len(known) < len(value) else []
            self.parts.add_pick(part, known)

    def _read_units(self, row: ShapeRow) -> None:
        """Units and labels from a list of objects; a label that can't be read is undecided."""
        rows = [each for each in self.shape.of(self.metric.id) if row.listing.startswith(each.listing)]
        beside: dict[str, ShapeRow] = {each.holds: each for each in rows if each.listing == row.listing}
        origin = next((each for each in rows if each.holds == "source"), None)
        kind = row.unit
        if kind is None:
            raise AssertionError("a row that holds units names their kind")
        before = len(self.units)
        if row.label is not None and self._find_listing(row) is not None:
            self.unplaced_words = 0
        for group, entry in self._walk_list(row, origin, beside):
            text = text_of(entry, row.key)
            span = _locate(text, self.record.output) if kind in {"claim", "section"} else None
            unit = Unit("", kind, text, span, (group,) if group else ()).numbered(len(self.units) - before + 1)
            if row.label is not None:
                unit = replace(unit, id=f"x{len(self.units) - before + 1}")
            self.units.append(unit)
            self.parts.labels.append(self._read_label(unit, entry, row, beside))
            if row.label is not None and span is None:
                self.unplaced_words = (self.unplaced_words or 0) + len(text.split())
                self.parts.flags.append("unlocated_extraneous")
        is_empty_claims = kind == "claim" and self._find_listing(row) == []
        if len(self.units) == before and row.label is None and not is_empty_claims:
            self.parts.add_fault(f"{self.metric.id} lists no {NAMES[kind][1]}")

    def _find_listing(self, row: ShapeRow) -> JSON:
        return self._find(replace(row, place=row.listing))

    def _walk_list(
        self, row: ShapeRow, origin: ShapeRow | None, beside: Mapping[str, ShapeRow]
    ) -> Iterator[tuple[str, Mapping[str, JSON]]]:
        """Each entry of the list with the source it is about, where a list around it names one."""
        if origin is None or origin.listing == row.listing:
            yield from (("", entry) for entry in self._list_entries(self._find_listing(row), row, beside))
            return
        inner = row.listing.removeprefix(origin.listing).removeprefix(".").removesuffix("[]")
        seen: set[str] = set()
        for group in list_objects(self._find(replace(origin, place=origin.listing))):
            source = find_source(group.get(origin.key), self.record)
            if source is None or source.id in seen:
                known = "an unknown" if source is None else "a repeated"
                self.parts.repairs.append(f"entries for {known} {origin.key} dropped")
                continue
            seen.add(source.id)
            yield from ((source.id, entry) for entry in self._list_entries(group.get(inner), row, beside))

    def _list_entries(self, value: JSON, row: ShapeRow, beside: Mapping[str, ShapeRow]) -> list[Mapping[str, JSON]]:
        name = row.listing.removesuffix("[]")
        kept = self.parts.list_objects(value, name, [row.key], bare=row.key)
        textless = [entry for entry in list_objects(value) if is_nothing(entry.get(row.key))]
        if any(self._may_lower(entry, row, beside) for entry in textless):
            self.parts.add_fault(f"an entry of {name} that may lower the score has no {row.key}")
        return kept

    def _may_lower(self, entry: Mapping[str, JSON], row: ShapeRow, beside: Mapping[str, ShapeRow]) -> bool:
        """Whether an entry without its text is more than an empty one, and not labelled as the best."""
        part = self.metric.labels(row.unit) if row.unit is not None else None
        said = self._read_word(entry, row, beside)
        if isinstance(said, Reading):
            return part is None or said.value != part.best
        return not text_of(entry, row.key) and not all(map(is_nothing, entry.values()))

    def _read_label(
        self, unit: Unit, entry: Mapping[str, JSON], row: ShapeRow, beside: Mapping[str, ShapeRow]
    ) -> Label:
        note = text_of(entry, beside["note"].key) if "note" in beside else ""
        if row.label is not None:
            return Label(unit.kind, unit.id, row.label, note=note)
        said = self.parts.accept(self._read_word(entry, row, beside))
        if isinstance(said, Misreading):
            self.parts.repairs.append(f"{unit.id}: {said.reason}")
            return Label(unit.kind, unit.id, UNDECIDED, note=f"{note} ({said.reason})".strip())
        return Label(unit.kind, unit.id, said, note=note)

    def _read_word(
        self, entry: Mapping[str, JSON], row: ShapeRow, beside: Mapping[str, ShapeRow]
    ) -> Reading[str] | Misreading:
        """The label that the reply's word for it means."""
        words = [word for word in self.shape.words if word.unit == row.unit]
        synonyms = {synonym: word.word for word in words for synonym in word.synonyms}
        value = entry.get(beside["label"].key) if "label" in beside else None
        said = read_label(value, [word.word for word in words], synonyms)
        if isinstance(said, Misreading):
            return said
        return replace(said, value=next(word.label for word in words if word.word == said.value))


def _read_percentage(value: JSON) -> JSON:
    """80, "80%" and "8 out of 10 (80%)" are one number; a share is rounded."""
    share = re.match(r"\s*(\d{1,4})\s*(?:out of|/)\s*(\d{1,4})\b", value) if isinstance(value, str) else None
    if share is None or not int(share[2]):
        return value
    return int(Fraction(int(share[1]) * 100, int(share[2])) + Fraction(1, 2))


def _take(value: JSON, keys: Sequence[str]) -> JSON:
    return next((value[key] for key in keys if key in value), None) if isinstance(value, Mapping) else None


def _locate(text: str, output: str) -> Span | None:
    """Where a text, or else the words that it quotes, stands in the output."""
    for words in (text.strip("\"'“”‘’ "), *_QUOTED.findall(text)):
        found = find_quote(words, output)
        if found is not None:
            return found
    return None
