"""Reads a whole reply: JSON by the rubric's shape, object by object; of anything else only its scores."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.domain.ask import REFUSAL, Fault, WholeAsk
from assay.domain.json import JSON
from assay.domain.outcome import Trail
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.shape import Shape, ShapeRow
from assay.formats.prose import list_said, read_named_scores, read_single_score
from assay.formats.reader import MetricReader
from assay.models.chat import Completion
from assay.replies.parts import list_objects, text_of
from assay.replies.salvage import Salvaged, is_list, salvage_json
from assay.replies.strict import Torn, join_members
from assay.replies.wrapping import is_refusal

_DEEPEST = 3
_DEEPEST_KEYS = 8
_KEY_JOINTS = re.compile(r"[\s\-]+")


def read_whole_reply(completion: Completion, ask: WholeAsk) -> dict[str, Trail]:
    """What a reply says about each metric; the endpoint's word on why it ended explains what is missing from it."""
    shape, text = ask.rubric.shape, completion.text
    if shape is None:
        raise AssertionError("a rubric without a reply shape is never asked whole")
    if completion.finish_reason == "refusal":
        read = {metric.id: Trail(faults=(REFUSAL,)) for metric in ask.rubric.metrics}
    elif shape.form in {"explanation", "score"}:
        first, *others = ask.rubric.metrics
        read = {first.id: read_single_score(text, first)}
        read |= {each.id: Trail(faults=(_name_missing(each),)) for each in others}
    else:
        read = _read_json(text, ask.rubric, shape, ask.record)
    if completion.finish_reason == "length":
        # What can't be read at all is missing for this reason; a number off its scale is still that.
        cut = Fault("the reply was cut off before its end", "truncated")
        faults = {
            name: tuple(cut if fault.status == "malformed" else fault for fault in each.faults)
            for name, each in read.items()
        }
        read = {name: replace(each, faults=faults[name]) for name, each in read.items()}
    return {name: replace(each, replies=(text,)) for name, each in read.items()}


def _name_missing(metric: Metric) -> Fault:
    return Fault(f"{metric.id} is missing from the reply")


@dataclass(slots=True)
class _Bodies:
    """The object each metric is read from. `torn` metrics stand twice with different contents."""

    bodies: dict[str, Mapping[str, JSON]] = field(default_factory=dict)
    torn: set[str] = field(default_factory=set)
    repairs: list[str] = field(default_factory=list)
    last: frozenset[str] = frozenset()
    """The metrics inside which a reply that was cut off ends."""


def _read_json(text: str, rubric: Rubric, shape: Shape, record: Record) -> dict[str, Trail]:
    salvaged = salvage_json(text)
    find = _find_objects if shape.form == "objects" else _find_object
    found = find(replace(salvaged, values=tuple(_fold_keys(value) for value in salvaged.values)), shape)
    if not found.bodies and not found.torn and not salvaged.truncated:
        # What is no object of the shape may still say its scores, in prose or under other keys.
        found.bodies = read_named_scores(text, salvaged.values, rubric, shape)
        if found.bodies:
            shape = replace(shape, rows=tuple(row for metric in rubric.metrics for row in list_said(metric)))
            found.repairs.append("other keys" if salvaged.values else "no JSON")
    fault = _explain_nothing(found, salvaged, text, rubric, record)
    read = {
        metric.id: _read_metric(metric, found, salvaged, shape, record) if fault is None else Trail(faults=(fault,))
        for metric in rubric.metrics
    }
    repairs = (*salvaged.repairs, *dict.fromkeys(found.repairs))
    return {name: replace(each, repairs=(*repairs, *each.repairs)) for name, each in read.items()}


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


def _explain_nothing(found: _Bodies, salvaged: Salvaged, text: str, rubric: Rubric, record: Record) -> Fault | None:
    """Why nothing at all can be taken from a reply."""
    if not found.bodies and not found.torn:
        errors = [each for each in _list_objects(salvaged.values) if "error" in each]
        if errors:
            return Fault(f"the reply is an error object: {text_of(errors[0], 'error')}", "refused")
        if is_refusal(text):
            return REFUSAL
        if salvaged.truncated:
            return Fault("the reply was cut off before the first metric ended", "truncated")
        return Fault("the reply holds none of the metrics", "malformed")
    query = rubric.input("query")
    for body in found.bodies.values():
        said = text_of(body, query.name) if query is not None else ""
        if said and said.casefold().split() != (record.query or "").casefold().split():
            return Fault("the reply is about another query", "malformed")
    return None


def _list_objects(values: Sequence[JSON]) -> list[Mapping[str, JSON]]:
    """Every object of a reply, those of a wrapping array included."""
    return [each for value in values for each in list_objects(value)]


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


def _read_metric(metric: Metric, found: _Bodies, salvaged: Salvaged, shape: Shape, record: Record) -> Trail:
    name, reported = metric.id, dict[str, object]()
    if name in found.torn:
        fault = Fault(f"{name} stands twice with different contents", "ambiguous")
    elif name in found.bodies:
        read = MetricReader(metric, found.bodies[name], shape, record).read()
        is_lacking = any(fault.status == "malformed" for fault in read.faults)
        if name not in found.last or not (is_lacking or _ends_in_list(found.bodies[name])):
            return read
        # Half a list would count as a short one.
        fault, reported = Fault(f"the reply was cut off inside {name}", "truncated"), dict(read.reported)
    else:
        cut = Fault(f"the reply was cut off before {name}", "truncated")
        fault = cut if salvaged.truncated else _name_missing(metric)
    return Trail(reported=reported, faults=(fault,))


def _ends_in_list(value: JSON) -> bool:
    while isinstance(value, Mapping) and value:
        value = list(value.values())[-1]
    return isinstance(value, Mapping) or is_list(value)
