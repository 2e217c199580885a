"""Reads a whole JSON reply in a rubric's own shape, as its shape table says; the lists stay the model's own."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from assay.checks.citations import find_source
from assay.domain.ask import Fault
from assay.domain.findings import UNDECIDED, Findings, Grade, Label, Pick, Remark
from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.shape import Shape, ShapeRow
from assay.domain.units import NAMES, Unit
from assay.foreign.answer import ForeignMetric, WholeAnswer, WholeAsk
from assay.foreign.explanation import locate, read_explanation
from assay.foreign.fields import REASON_KEYS, SCORE_KEYS, read_fields
from assay.foreign.outline import is_none
from assay.foreign.spelling import spell_out
from assay.models.chat import Completion
from assay.replies.salvage import Salvaged, is_list, salvage_json
from assay.replies.strict import Torn, join_members
from assay.replies.values import Misreading, Reading, read_label, read_number, read_share, read_whole
from assay.replies.wrapping import is_refusal
from assay.scoring.rules import RULES

_DEEPEST = 3
_DEEPEST_KEYS = 8
_KEY_JOINTS = re.compile(r"[\s\-]+")
_SEPARATORS = re.compile(r"[,;\n]\s*|\s+(?=https?://)")


def read_whole_reply(completion: Completion, ask: WholeAsk) -> WholeAnswer:
    """Reads a reply; the endpoint's word on why it ended explains what is missing from it."""
    shape = ask.rubric.shape
    if shape is None:
        raise AssertionError("a rubric without a reply shape is never asked whole")
    if completion.finish_reason == "refusal":
        return WholeAnswer(faults=(Fault("the reply was a refusal", "refused"),), reply=completion.text)
    read = read_explanation if shape.form in {"explanation", "score"} else _read_json
    answer = read(completion.text, ask.rubric, shape, ask.record)
    if completion.finish_reason == "length":
        return _blame(answer, Fault("the reply was cut off before its end", "truncated"))
    return answer


def _blame(answer: WholeAnswer, fault: Fault) -> WholeAnswer:
    """What can't be read at all is missing for this reason; a number off its scale is still that."""
    metrics = {
        name: replace(each, fault=fault) if each.fault is not None and each.fault.status == "malformed" else each
        for name, each in answer.metrics.items()
    }
    faults = tuple(fault if each.status == "malformed" else each for each in answer.faults)
    return replace(answer, metrics=metrics, faults=faults)


@dataclass(slots=True)
class _Bodies:
    """The object each metric is read from. `torn` metrics stand twice with different contents."""

    bodies: dict[str, Mapping[str, JSON]] = field(default_factory=dict)
    torn: set[str] = field(default_factory=set)
    repairs: list[str] = field(default_factory=list)
    last: frozenset[str] = frozenset()
    """The metrics inside which a reply that was cut off ends."""


def _read_json(text: str, rubric: Rubric, shape: Shape, record: Record) -> WholeAnswer:
    salvaged = salvage_json(text)
    find = _find_objects if shape.form == "objects" else _find_object
    found = find(replace(salvaged, values=tuple(_fold_keys(value) for value in salvaged.values)), shape)
    if not found.bodies and not found.torn and not salvaged.truncated:
        # What is no object of the shape may still say all of it, in headings and lists or under other keys.
        read = read_fields(spell_out(text), shape, rubric, record)
        if read.values:
            repairs = (*salvaged.repairs, "other keys") if salvaged.values else read.repairs
            salvaged = replace(read, repairs=repairs)
            found = find(salvaged, shape)
    repairs = (*salvaged.repairs, *dict.fromkeys(found.repairs))
    fault = _explain_nothing(found, salvaged, text, rubric, record)
    if fault is not None:
        return WholeAnswer(faults=(fault,), repairs=repairs, reply=text)
    metrics = {metric.id: _read_metric(metric, found, salvaged, shape, record) for metric in rubric.metrics}
    reported = [metrics[metric.id].reported.get("score") for metric in rubric.metrics]
    echoed = bool(shape.example) and [_as_fraction(each) for each in reported] == list(shape.example)
    return WholeAnswer(metrics, flags=("echoed_example",) if echoed else (), repairs=repairs, reply=text)


def _fold_keys(value: JSON, depth: int = 0) -> JSON:
    """`Overall Score` and `overall-score` are overall_score; an address that serves as a key is left as it is."""
    if depth > _DEEPEST_KEYS:
        return value
    if isinstance(value, Mapping):
        pairs = (
            (key if "/" in key else _KEY_JOINTS.sub("_", key.strip()).lower(), each) for key, each in value.items()
        )
        return join_members((key, _fold_keys(each, depth + 1)) for key, each in pairs)
    return [_fold_keys(each, depth + 1) for each in value] if is_list(value) else value


def _as_fraction(value: object) -> Fraction | None:
    return Fraction(str(value)) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _explain_nothing(found: _Bodies, salvaged: Salvaged, text: str, rubric: Rubric, record: Record) -> Fault | None:
    """Why nothing at all can be taken from a reply."""
    if not found.bodies and not found.torn:
        errors = [each for each in _list_objects(salvaged.values) if "error" in each]
        if errors:
            return Fault(f"the reply is an error object: {_text_of(errors[0], 'error')}", "refused")
        if is_refusal(text):
            return Fault("the reply was a refusal", "refused")
        if salvaged.truncated:
            return Fault("the reply was cut off before the first metric ended", "truncated")
        return Fault("the reply holds none of the metrics", "malformed")
    query = rubric.input("query")
    for body in found.bodies.values():
        said = _text_of(body, query.name) if query is not None else ""
        if said and said.casefold().split() != (record.query or "").casefold().split():
            return Fault("the reply is about another query", "malformed")
    return None


def _list_objects(values: Sequence[JSON]) -> list[Mapping[str, JSON]]:
    """Every object of a reply, those of a wrapping array included."""
    return [each for value in values for each in _list_entries(value)]


def _find_object(salvaged: Salvaged, shape: Shape) -> _Bodies:
    """One object with the keys of all metrics: bare, wrapped, or spread over several objects."""
    keys = set().union(*(_list_keys(row) for row in shape.rows))
    found = _Bodies()
    holders = []
    for each in _list_objects(salvaged.values):
        inner = [value for value in each.values() if isinstance(value, Mapping) and not keys.isdisjoint(value)]
        is_nested = keys.isdisjoint(each) and bool(inner)
        found.repairs += ["nested under one key"] if is_nested else []
        holders.append(inner[0] if is_nested else each)
    found.repairs += ["several objects"] if sum(not keys.isdisjoint(each) for each in holders) > 1 else []
    body = join_members((key, value) for each in holders for key, value in each.items())
    last = list(body)[-1:] if salvaged.truncated else []
    for metric in dict.fromkeys(row.metric for row in shape.rows):
        own = set().union(*(_list_keys(row) for row in shape.of(metric)))
        if any(isinstance(body.get(key), Torn) for key in own):
            found.torn.add(metric)
        elif not own.isdisjoint(body):
            found.bodies[metric] = body
            found.last |= {metric} if not own.isdisjoint(last) else set()
    return found


def _list_keys(row: ShapeRow) -> set[str]:
    """The keys that tell that an object holds a row: its path's first, or its last where the path was left out."""
    outer, last = row.steps[0].removesuffix("[]"), row.steps[-1].removesuffix("[]")
    return {outer, last, f"{last}_score"} if row.holds == "score" else {outer} if "[]" in row.place else {outer, last}


def _find_objects(salvaged: Salvaged, shape: Shape) -> _Bodies:
    """One object per metric, each naming its metric: bare, or inside arrays and objects that wrap them."""
    names = _list_metrics(shape)
    found = _Bodies()
    values = [_name_by_keys(value, shape) for value in salvaged.values]
    for name, value in _find_named(values, names, shape.named_by, found.repairs, _DEEPEST):
        if isinstance(value, Torn) or found.bodies.get(name, value) != value:
            found.torn.add(name)
        elif name in found.bodies:
            found.repairs.append("repeated object dropped")
        if isinstance(value, Mapping):
            found.bodies[name] = value
    if list(found.bodies) != sorted(found.bodies, key=names.index):
        found.repairs.append("out of order")
    found.last = frozenset(list(found.bodies)[-1:]) if salvaged.truncated else frozenset()
    found.bodies = {name: value for name, value in found.bodies.items() if name not in found.torn}
    return found


def _name_by_keys(value: JSON, shape: Shape) -> JSON:
    """An object that does not name its metric is that metric's whose own keys it has."""
    if not isinstance(value, Mapping) or shape.named_by in value:
        return value
    keys = {metric: {row.steps[0].removesuffix("[]") for row in shape.of(metric)} for metric in _list_metrics(shape)}
    own = {
        name: each - set().union(*(other for key, other in keys.items() if key != name)) for name, each in keys.items()
    }
    named = [name for name, each in own.items() if not each.isdisjoint(value)]
    return {shape.named_by: named[0], **value} if len(named) == 1 else value


def _list_metrics(shape: Shape) -> list[str]:
    return list(dict.fromkeys(row.metric for row in shape.rows))


def _find_named(
    values: Sequence[JSON], names: Sequence[str], key: str, repairs: list[str], depth: int
) -> list[tuple[str, JSON]]:
    found: list[tuple[str, JSON]] = []
    for value in values:
        inner: list[tuple[str, JSON]] = []
        if isinstance(value, Mapping):
            if name := _match_name(value.get(key), names):
                found.append((name, value))
                continue
            if set(value) == {"error"}:
                repairs.append("an error object beside the metrics")
                continue
            named = [(_match_name(raw, names), each) for raw, each in value.items() if isinstance(each, Mapping | Torn)]
            inner = [(name, each) for name, each in named if name]
            if not inner and depth:
                inner = _find_named(list(value.values()), names, key, repairs, depth - 1)
        elif is_list(value) and depth:
            inner = _find_named(value, names, key, repairs, depth - 1)
        wrapper = "one object" if isinstance(value, Mapping) else "an array"
        repairs += [f"wrapped in {wrapper}"] if inner else []
        found += inner
    return found


def _match_name(value: JSON, names: Sequence[str]) -> str | None:
    """`Bias & Toxicity`, `bias-toxicity` and `BiasToxicity` are one metric."""
    if not isinstance(value, str):
        return None
    letters = "".join(letter for letter in value.lower() if letter.isalpha()).replace("and", "")
    return next((name for name in names if name.replace("_", "") == letters), None)


def _read_metric(metric: Metric, found: _Bodies, salvaged: Salvaged, shape: Shape, record: Record) -> ForeignMetric:
    name = metric.id
    if name in found.torn:
        return ForeignMetric(fault=Fault(f"{name} stands twice with different contents", "ambiguous"))
    if name not in found.bodies:
        if salvaged.truncated:
            return ForeignMetric(fault=Fault(f"the reply was cut off before {name}", "truncated"))
        return ForeignMetric(fault=Fault(f"{name} is missing from the reply", "malformed"))
    read = _MetricReader(metric, found.bodies[name], shape, record).read()
    is_lacking = read.fault is not None and read.fault.status == "malformed"
    if name in found.last and (is_lacking or _ends_in_list(found.bodies[name])):
        # Half a list would count as a short one.
        return ForeignMetric(reported=read.reported, fault=Fault(f"the reply was cut off inside {name}", "truncated"))
    return read


def _ends_in_list(value: JSON) -> bool:
    while isinstance(value, Mapping) and value:
        value = list(value.values())[-1]
    return isinstance(value, Mapping) or is_list(value)


@dataclass(slots=True)
class _MetricReader:
    """Reads the rows of one metric out of its object."""

    metric: Metric
    body: Mapping[str, JSON]
    shape: Shape
    record: Record
    units: list[Unit] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    grades: list[Grade] = field(default_factory=list)
    picks: list[Pick] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    reported: dict[str, object] = field(default_factory=dict)
    flags: list[str] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)
    unplaced_words: int = 0
    level: Fraction | None = None
    fault: Fault | None = None

    def read(self) -> ForeignMetric:
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
        return ForeignMetric(
            tuple(self.units),
            Findings(tuple(self.labels), tuple(self.grades), tuple(self.picks), tuple(self.remarks)),
            self.reported,
            self.level,
            self.unplaced_words,
            tuple(dict.fromkeys(self.flags)),
            tuple(dict.fromkeys(self.repairs)),
            self.fault,
        )

    def _find(self, row: ShapeRow) -> JSON:
        """At its path, or at the end of it where the objects around were left out; a score may be an object's."""
        value = self._follow(row.steps)
        for start in range(1, len(row.steps)):
            value = self._follow(row.steps[start:]) if value is None else value
        if row.holds == "score":
            value = self._follow((f"{row.steps[-1]}_score",)) if value is None else value
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
        reason = _as_text(self._find(row))
        self.reported["reason"] = reason
        self.flags += [] if reason else ["missing_reasoning"]

    def _read_score(self, row: ShapeRow) -> None:
        """A grade where the rule takes one; else it stands beside the lists, or alone where there are none."""
        value, scale = self._find(row), self.metric.scale
        number = _read_percentage(value) if scale.high == 100 else value
        reading = _read_on_scale(number, scale.low, scale.high, whole=scale.decimals == 0)
        self.reported["score"] = value if isinstance(reading, Misreading) else _plain(reading.value)
        takes = RULES[self.metric.rule].grades
        lists_units = any(each.holds == "unit" and each.label is None for each in self.shape.of(self.metric.id))
        if takes == "several" or (self.metric.label_parts and (self.units or lists_units)):
            return
        level = self._accept(reading, value, "score")
        if level is not None and takes in {"one", "optional"}:
            self.grades.append(Grade(self.metric.grade_parts[0].id, level, str(self.reported.get("reason", ""))))
        else:
            self.level = level

    def _read_grade(self, row: ShapeRow) -> None:
        part = next(part for part in self.metric.grade_parts if part.id == row.name)
        value = self._find(row)
        level = self._accept(_read_on_scale(value, part.scale.low, part.scale.high, whole=False), value, row.name)
        if level is not None:
            self.grades.append(Grade(part.id, level, str(self.reported.get("reason", ""))))

    def _accept(self, reading: Reading[float] | Misreading, value: JSON, name: str) -> Fraction | None:
        if isinstance(reading, Misreading):
            self.fault = self.fault or Fault(
                f"there is no {name}" if value is None else reading.reason, reading.status, part=name
            )
            return None
        self._note(reading.repaired)
        return Fraction(str(reading.value))

    def _read_figure(self, row: ShapeRow) -> None:
        value = self._find(row)
        if value is not None:
            reading = read_share(value)
            self.reported[row.name] = value if isinstance(reading, Misreading) else reading.value
            self._note(None if isinstance(reading, Misreading) else reading.repaired)

    def _read_list(self, row: ShapeRow) -> None:
        part, _, key = row.name.partition(".")
        value = self._find(row)
        if key:
            if text := _as_text(value):
                self.remarks.append(Remark(part, {key: text}))
            return
        first = next(each for each in self.metric.list_parts if each.id == part).fields[0].name
        for entry in _list_entries(value, first):
            self.remarks.append(Remark(part, {name: _text_of(entry, name) for name in entry}))

    def _read_pick(self, row: ShapeRow) -> None:
        part = next(each for each in self.metric.pick_parts if each.id == row.name)
        value = self._find(row)
        if part.over != "sources":
            reading = read_label(value, [option.name for option in part.options])
            self.picks += [Pick(part.id, (reading.value,))] if isinstance(reading, Reading) else []
            return
        if isinstance(value, str):
            value = [each for each in _SEPARATORS.split(value) if each]
        if is_list(value):
            known = [source.id for each in value if (source := find_source(each, self.record)) is not None]
            self.flags += ["unknown_source"] if len(known) < len(value) else []
            self.picks.append(Pick(part.id, tuple(dict.fromkeys(known))))

    def _read_units(self, row: ShapeRow) -> None:
        """Units and labels from a list of objects; a label that can't be read is undecided."""
        rows = [each for each in self.shape.of(self.metric.id) if row.listing.startswith(each.listing)]
        beside: dict[str, ShapeRow] = {each.holds: each for each in rows if each.listing == row.listing}
        origin = next((each for each in rows if each.holds == "source"), None)
        kind = row.unit
        if kind is None:
            raise AssertionError("a row that holds units names their kind")
        before = len(self.units)
        for group, entry in self._walk_list(row, origin):
            text = _text_of(entry, row.key)
            span = locate(text, self.record.output) if kind in {"claim", "section"} else None
            unit = Unit("", kind, text, span, (group,) if group else ()).numbered(len(self.units) - before + 1)
            if row.label is not None:
                unit = replace(unit, id=f"x{len(self.units) - before + 1}")
            self.units.append(unit)
            self.labels.append(self._read_label(unit, entry, row, beside))
            if row.label is not None and span is None:
                self.unplaced_words += len(text.split())
                self.flags.append("unlocated_extraneous")
        is_empty_claims = kind == "claim" and self._find_listing(row) == []
        if len(self.units) == before and row.label is None and not is_empty_claims:
            self.fault = self.fault or Fault(f"{self.metric.id} lists no {NAMES[kind][1]}", "malformed")

    def _find_listing(self, row: ShapeRow) -> JSON:
        return self._find(replace(row, place=row.listing))

    def _walk_list(self, row: ShapeRow, origin: ShapeRow | None) -> Iterator[tuple[str, Mapping[str, JSON]]]:
        """Each entry of the list with the source it is about, where a list around it names one."""
        if origin is None or origin.listing == row.listing:
            yield from (("", entry) for entry in _list_entries(self._find_listing(row), row.key))
            return
        inner = row.listing.removeprefix(origin.listing).removeprefix(".").removesuffix("[]")
        seen: set[str] = set()
        for group in _list_groups(self._find(replace(origin, place=origin.listing)), origin.key, inner):
            source = find_source(group.get(origin.key), self.record)
            if source is None or source.id in seen:
                known = "an unknown" if source is None else "a repeated"
                self.repairs.append(f"entries for {known} {origin.key} dropped")
                continue
            seen.add(source.id)
            yield from ((source.id, entry) for entry in _list_entries(group.get(inner), row.key))

    def _read_label(
        self, unit: Unit, entry: Mapping[str, JSON], row: ShapeRow, beside: Mapping[str, ShapeRow]
    ) -> Label:
        note = _text_of(entry, beside["note"].key) if "note" in beside else ""
        if row.label is not None:
            return Label(unit.kind, unit.id, row.label, note=note)
        value = entry.get(beside["label"].key) if "label" in beside else None
        words = [word for word in self.shape.words if word.unit == unit.kind]
        synonyms = {synonym: word.word for word in words for synonym in word.synonyms}
        reading = read_label(value, [word.word for word in words], synonyms)
        if isinstance(reading, Misreading):
            self.repairs.append(f"{unit.id}: {reading.reason}")
            return Label(unit.kind, unit.id, UNDECIDED, note=f"{note} ({reading.reason})".strip())
        self._note(reading.repaired)
        label = next(word.label for word in words if word.word == reading.value)
        return Label(unit.kind, unit.id, label, note=note)

    def _note(self, repaired: str | None) -> None:
        self.repairs += [repaired] if repaired else []


def _read_on_scale(value: JSON, low: Fraction, high: Fraction, *, whole: bool) -> Reading[float] | Misreading:
    reading = (read_whole if whole else read_number)(value, int(low), int(high))
    return reading if isinstance(reading, Misreading) else Reading(float(reading.value), reading.repaired)


def _plain(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def _read_percentage(value: JSON) -> JSON:
    """80, "80%" and "8 out of 10 (80%)" are one number; a share is rounded."""
    share = re.match(r"\s*(\d{1,4})\s*(?:out of|/)\s*(\d{1,4})\b", value) if isinstance(value, str) else None
    if share is None or not int(share[2]):
        return value
    return int(Fraction(int(share[1]) * 100, int(share[2])) + Fraction(1, 2))


def _list_groups(value: JSON, key: str, inner: str) -> list[Mapping[str, JSON]]:
    """The objects of a list, also where an object has the sources for keys and their entries for values."""
    if isinstance(value, Mapping) and key not in value and inner not in value:
        return [{key: name, inner: _take(each, (inner,)) or each} for name, each in value.items()]
    return _list_entries(value)


def _take(value: JSON, keys: Sequence[str]) -> JSON:
    return next((value[key] for key in keys if key in value), None) if isinstance(value, Mapping) else None


def _list_entries(value: JSON, bare: str = "") -> list[Mapping[str, JSON]]:
    """The objects of a list; a bare text stands for an object with that text under the key `bare`."""
    found: list[Mapping[str, JSON]] = []
    for each in value if is_list(value) else [value]:
        if isinstance(each, Mapping):
            found += [] if bare and is_none(_text_of(each, bare)) else [each]
        elif bare and isinstance(each, str) and each.strip() and not is_none(each):
            found.append({bare: each})
    return found


def _text_of(entry: Mapping[str, JSON], key: str) -> str:
    return _as_text(entry.get(key))


def _as_text(value: JSON) -> str:
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)
