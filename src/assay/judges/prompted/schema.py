"""The reply a prompt asks for, as a JSON schema and as the form shown in the prompt: one description, two uses.

A reply is one object with a key for each bank and metric of the rubric. It holds no ids of units, so that all calls
of a rubric can share one schema.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from assay.domain.ask import MetricAsk
from assay.domain.findings import UNDECIDED
from assay.domain.json import JSON
from assay.domain.parts import GradePart, LabelPart, ListPart, Part, PickPart
from assay.domain.rubric import Bank, Rubric
from assay.domain.scale import YES_NO, Scale, number
from assay.domain.units import NAMES, Unit

Schema = Mapping[str, JSON]


def build_whole_schema(rubric: Rubric) -> Schema:
    """All keys of a rubric, the same in each of its calls; what is not asked for is null."""
    keys: dict[str, Schema] = {bank.id: _describe_bank(bank) for bank in rubric.banks}
    keys |= {metric.id: describe_parts(order_parts(metric.parts)) for metric in rubric.metrics if metric.parts}
    return describe_object({name: {"anyOf": [each, {"type": "null"}]} for name, each in keys.items()})


def build_bank_schema(bank: Bank) -> Schema:
    return describe_object({bank.id: _describe_bank(bank)})


def build_schema(asks: Sequence[MetricAsk]) -> Schema:
    """The keys of these metrics, with the parts that are asked for."""
    return describe_object({ask.id: describe_parts(wanted_parts(ask)) for ask in asks})


def labels_key(part: LabelPart) -> str:
    return NAMES[part.unit][1].replace(" ", "_")


def units_of(ask: MetricAsk, part: LabelPart) -> tuple[Unit, ...]:
    return tuple(unit for unit in ask.units if unit.kind == part.unit)


def options_of(ask: MetricAsk, part: PickPart) -> tuple[str, ...]:
    if part.over == "claims":
        return tuple(unit.id for unit in ask.units if unit.kind == "claim")
    if part.over == "sources":
        return tuple(source.id.upper() for source in ask.record.sources)
    return tuple(option.name for option in part.options)


def order_parts(parts: Sequence[Part]) -> tuple[Part, ...]:
    """In the rubric's order, with grades last: an opinion comes after all else was looked at."""
    return tuple(sorted(parts, key=lambda part: isinstance(part, GradePart)))


def wanted_parts(ask: MetricAsk) -> tuple[Part, ...]:
    """The parts this ask is about."""
    return order_parts([part for part in ask.metric.parts if ask.wants(part.id) and not _is_idle(ask, part)])


def find_unlisted(part: LabelPart) -> str | None:
    """The label of a point of a bank that needs no entry side by side: the last one that counts for nothing."""
    is_carried = part.evidence == "output" and part.unit != "criterion"
    return [option.name for option in part.options if not option.value][-1] if is_carried else None


def _is_idle(ask: MetricAsk, part: Part) -> bool:
    """Ranking ten claims out of ten asks nothing."""
    if isinstance(part, LabelPart):
        return not units_of(ask, part)
    return isinstance(part, PickPart) and part.over == "claims" and len(options_of(ask, part)) <= part.most


def _describe_bank(bank: Bank) -> Schema:
    entry: dict[str, JSON] = {"sentences": describe_array(describe_text()), "text": describe_text()}
    if bank.directions:
        entry["direction"] = describe_text(bank.directions)
    if bank.weights:
        entry["weight"] = describe_text(("main", "minor"))
    return describe_array(describe_object(entry))


def describe_parts(parts: Sequence[Part], *, side_by_side: bool = False) -> Schema:
    properties: dict[str, JSON] = {}
    for part in parts:
        if isinstance(part, LabelPart):
            properties[labels_key(part)] = describe_array(_describe_label(part, side_by_side=side_by_side))
        elif isinstance(part, PickPart):
            option = describe_text([option.name for option in part.options])
            properties[part.id] = option if part.most == 1 else describe_array(option)
        elif isinstance(part, ListPart):
            entry = describe_object({field.name: describe_text(field.options) for field in part.fields})
            properties[part.id] = entry if part.least == part.most == 1 else describe_array(entry)
        else:
            properties.setdefault("reason", describe_text())
            properties[part.id] = _describe_grade(part.scale)
    return describe_object(properties)


def _describe_grade(scale: Scale) -> Schema:
    if scale.is_yes_no:
        return describe_text(YES_NO)
    kind = "number" if scale.decimals else "integer"
    return {"type": kind, "minimum": number(scale.low), "maximum": number(scale.high)}


def _describe_label(part: LabelPart, *, side_by_side: bool) -> Schema:
    """Side by side it has one quote and no note, and is not the one of what is not listed."""
    properties: dict[str, JSON] = {"unit": describe_text()}
    quote = {"sentence": describe_text(), "quote": describe_text()}
    if part.evidence != "none":
        properties |= quote if side_by_side else {"evidence": describe_array(describe_object(quote))}
    unlisted = find_unlisted(part) if side_by_side else None
    names = [option.name for option in part.options if option.name != unlisted]
    properties["label"] = describe_text([*names, UNDECIDED])
    if part.qualifier is not None:
        severities = describe_text([option.name for option in part.qualifier.options])
        properties["pieces"] = describe_array(describe_object({"words": describe_text(), "severity": severities}))
    if part.evidence != "none" and not side_by_side:
        properties["note"] = describe_text()
    return describe_object(properties)


def describe_object(properties: Mapping[str, JSON]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def describe_array(items: JSON) -> Schema:
    return {"type": "array", "items": items}


def describe_text(options: Sequence[str] = ()) -> Schema:
    return {"type": "string", "enum": list(options)} if options else {"type": "string"}


def share_definitions(schema: Schema) -> Schema:
    """The same schema, where an object that several keys have stands once. Providers bill a schema like a prompt."""
    counts = Counter(map(json.dumps, _list_objects(schema)))
    shared: dict[str, tuple[str, JSON]] = {}

    def share(value: JSON) -> JSON:
        if not isinstance(value, Mapping) or not isinstance(keys := value.get("properties"), Mapping):
            return value
        content = json.dumps(value)
        if counts[content] > 1:
            return {"$ref": f"#/$defs/{shared.setdefault(content, (f'd{len(shared) + 1}', value))[0]}"}
        return {**value, "properties": {key: share(each) for key, each in keys.items()}}

    keys = schema["properties"]
    assert isinstance(keys, Mapping)  # noqa: S101  # built above
    found = {**schema, "properties": {key: share(each) for key, each in keys.items()}}
    return {**found, "$defs": dict(shared.values())} if shared else found


def _list_objects(schema: JSON) -> Iterator[JSON]:
    if isinstance(schema, Mapping) and isinstance(keys := schema.get("properties"), Mapping):
        yield schema
        for each in keys.values():
            yield from _list_objects(each)


def render_form(schema: JSON) -> str:
    """The schema as a person would sketch it. What the values are is said above it; models copy example values."""
    assert isinstance(schema, Mapping)  # noqa: S101  # built above
    if isinstance(properties := schema.get("properties"), Mapping):
        return "{" + ", ".join(f'"{key}": {render_form(value)}' for key, value in properties.items()) + "}"
    return f"[{render_form(schema['items'])}]" if schema.get("type") == "array" else "…"


def render_notes(schema: JSON) -> str:
    """How long the remarks of a reply are, if it has any."""
    form = render_form(schema)
    said = {"note": 'a few words on a label below the best, or "" where it is plain', "reason": "one short sentence"}
    return "".join(f' "{key}" is {meaning}.' for key, meaning in said.items() if f'"{key}"' in form)
