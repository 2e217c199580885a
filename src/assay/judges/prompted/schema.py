"""The reply a prompt asks for, as a JSON schema and as the form shown in the prompt: one description, two uses."""

from collections.abc import Mapping, Sequence

from assay.domain.ask import MetricAsk
from assay.domain.findings import UNDECIDED
from assay.domain.json import JSON
from assay.domain.parts import GradePart, LabelPart, ListPart, Part, PickPart
from assay.domain.rubric import Bank
from assay.domain.scale import Scale, in_words, number
from assay.domain.units import NAMES, Unit

Schema = Mapping[str, JSON]


def build_bank_schema(bank: Bank, least: int) -> Schema:
    entry = _object({"sentences": _array(_text(), least=1), "text": _text()})
    return _object({bank.id: _array(entry, least, bank.most)})


def build_joint_schema(asks: Sequence[MetricAsk]) -> Schema:
    """One object for several metrics, keyed by metric."""
    return _object({ask.id: build_schema(ask) for ask in asks})


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


def wanted_parts(ask: MetricAsk) -> tuple[Part, ...]:
    """The parts this ask is about, in the order of a reply: lists, labels, picks, grades."""
    order = (ListPart, LabelPart, PickPart, GradePart)
    wanted = [part for part in ask.metric.parts if ask.wants(part.id) and not _is_idle(ask, part)]
    return tuple(sorted(wanted, key=lambda part: order.index(type(part))))


def _is_idle(ask: MetricAsk, part: Part) -> bool:
    """Ranking ten claims out of ten asks nothing."""
    if isinstance(part, LabelPart):
        return not units_of(ask, part)
    return isinstance(part, PickPart) and part.over == "claims" and len(options_of(ask, part)) <= part.most


def build_schema(ask: MetricAsk) -> Schema:
    properties: dict[str, JSON] = {}
    grades = False
    for part in wanted_parts(ask):
        if isinstance(part, LabelPart):
            units = units_of(ask, part)
            properties[labels_key(part)] = _array(_label_schema(part, units), len(units), len(units))
        elif isinstance(part, PickPart):
            options: JSON = {"type": "string", "enum": list(options_of(ask, part))}
            properties[part.id] = options if part.most == 1 else _array(options)
        elif isinstance(part, ListPart):
            entry = _object({field.name: _text(field.options) for field in part.fields})
            properties[part.id] = entry if part.least == part.most == 1 else _array(entry)
        else:
            grades = True
            properties[part.id] = _grade_schema(part.scale)
    if grades:
        properties["reason"] = _text()
    return _object(properties)


def _label_schema(part: LabelPart, units: Sequence[Unit]) -> Schema:
    properties: dict[str, JSON] = {"unit": {"type": "string", "enum": [unit.id for unit in units]}}
    if part.evidence != "none":
        properties["evidence"] = _array(_object({"sentence": _text(), "quote": _text()}))
    properties["label"] = {"type": "string", "enum": [*(option.name for option in part.options), UNDECIDED]}
    if part.qualifier is not None:
        names = [option.name for option in part.qualifier.options]
        properties[part.qualifier.name] = {"type": "string", "enum": [*names, "none"]}
    properties["note"] = _text()
    return _object(properties)


def _grade_schema(scale: Scale) -> Schema:
    kind = "number" if scale.decimals else "integer"
    return {"type": kind, "minimum": number(scale.low), "maximum": number(scale.high)}


def _object(properties: Mapping[str, JSON]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: JSON, least: int = 0, most: int | None = None) -> Schema:
    """Both limits are ours: an endpoint that decodes by the schema can't leave a unit out."""
    limits: dict[str, JSON] = {"minItems": least} if least else {}
    return {"type": "array", "items": items, **limits, **({} if most is None else {"maxItems": most})}


def _text(options: Sequence[str] = ()) -> Schema:
    return {"type": "string", "enum": list(options)} if options else {"type": "string"}


def render_form(schema: JSON, name: str = "") -> str:
    """The schema as a person would sketch it. It holds no example values: models copy them."""
    assert isinstance(schema, Mapping)  # noqa: S101  # built above
    kind, options = schema["type"], schema.get("enum")
    if kind == "object" and isinstance(properties := schema["properties"], Mapping):
        return "{" + ", ".join(f'"{key}": {render_form(value, key)}' for key, value in properties.items()) + "}"
    if kind == "array":
        return f"[{render_form(schema['items'], name)}, …]"
    if isinstance(options, Sequence) and not isinstance(options, str):
        shown = [str(option) for option in options]
        return f"<{' | '.join(shown)}>" if len(shown) <= 8 else f"<{name}>"
    return f"<{'a number' if kind == 'number' else 'a whole number' if kind == 'integer' else _HINTS.get(name, name)}>"


_HINTS = {
    "sentence": "sentence id",
    "sentences": "sentence id",
    "quote": "words copied exactly from that sentence",
    "note": "why, in one short sentence",
    "reason": "why, in one short sentence",
}


def say_scale(scale: Scale) -> str:
    """The range in words, so that no form has to carry a number."""
    kind = "a number" if scale.decimals else "a whole number"
    best = scale.high if scale.best == "high" else scale.low
    return f"Give {kind} from {in_words(scale.low)} to {in_words(scale.high)}; {in_words(best)} is best."
