"""Units, findings and everything else that an outcome rests on, as JSON can hold them.

What is at its default is left out; units and replies that several metrics share are written once per card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.domain.findings import Citation, Evidence, Findings, Grade, Label, Pick, Remark
from assay.domain.outcome import Trail
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.store.values import Packed, pack, pack_fraction, unpack, unpack_fraction


@dataclass(slots=True)
class Shared:
    """Numbers each distinct unit and reply of a card in the order of its first use."""

    units: dict[Unit, int] = field(default_factory=dict)
    replies: dict[str, int] = field(default_factory=dict)

    def number_unit(self, unit: Unit) -> int:
        return self.units.setdefault(unit, len(self.units))

    def number_reply(self, reply: str) -> int:
        return self.replies.setdefault(reply, len(self.replies))


def pack_trail(trail: Trail, shared: Shared) -> Packed:
    findings = trail.findings
    packed: Packed = {
        "units": [shared.number_unit(unit) for unit in trail.units],
        "labels": [_pack_label(label) for label in findings.labels],
        "grades": [[grade.part, pack_fraction(grade.level), grade.reason] for grade in findings.grades],
        "picks": [[pick.part, list(pick.chosen)] for pick in findings.picks],
        "remarks": [[remark.part, dict(remark.fields)] for remark in findings.remarks],
        "flags": list(trail.flags),
        "repairs": list(trail.repairs),
        "reported": pack(dict(trail.reported)),
        "replies": [shared.number_reply(reply) for reply in trail.replies],
    }
    return _without_empty(packed)


def unpack_trail(packed: Packed, units: Sequence[Unit], replies: Sequence[str]) -> Trail:
    return Trail(
        units=tuple(units[number] for number in packed.get("units", ())),
        findings=Findings(
            labels=tuple(_unpack_label(each) for each in packed.get("labels", ())),
            grades=tuple(
                Grade(part, unpack_fraction(level), reason) for part, level, reason in packed.get("grades", ())
            ),
            picks=tuple(Pick(part, tuple(chosen)) for part, chosen in packed.get("picks", ())),
            remarks=tuple(Remark(part, fields) for part, fields in packed.get("remarks", ())),
        ),
        flags=tuple(packed.get("flags", ())),
        repairs=tuple(packed.get("repairs", ())),
        reported=unpack(packed.get("reported", {})),
        replies=tuple(replies[number] for number in packed.get("replies", ())),
    )


def pack_unit(unit: Unit) -> Packed:
    packed: Packed = {"id": unit.id, "kind": unit.kind, "text": unit.text}
    if unit.span is not None:
        packed["span"] = pack_span(unit.span)
    if unit.sources:
        packed["sources"] = list(unit.sources)
    if unit.context:
        packed["context"] = unit.context
    return packed


def unpack_unit(packed: Packed) -> Unit:
    return Unit(
        id=packed["id"],
        kind=packed["kind"],
        text=packed["text"],
        span=unpack_span(packed.get("span")),
        sources=tuple(packed.get("sources", ())),
        context=packed.get("context", ""),
    )


def pack_span(span: Span | None) -> list[int] | None:
    return None if span is None else [span.start, span.end]


def unpack_span(packed: Sequence[int] | None) -> Span | None:
    return None if packed is None else Span(*packed)


def _pack_label(label: Label) -> Packed:
    packed: Packed = {"part": label.part, "unit": label.unit, "label": label.label}
    if label.cited:
        packed["cited"] = [[each.sentence, each.quote] for each in label.cited]
    if label.evidence:
        packed["evidence"] = [[each.source, *each.span, each.quote] for each in label.evidence]
    if label.note:
        packed["note"] = label.note
    if label.looked_in:
        packed["looked_in"] = list(label.looked_in)
    if label.qualifier is not None:
        packed["qualifier"] = label.qualifier
    if label.by != "judge":
        packed["by"] = label.by
    if label.probability is not None:
        packed["probability"] = label.probability
    return packed


def _unpack_label(packed: Packed) -> Label:
    return Label(
        part=packed["part"],
        unit=packed["unit"],
        label=packed["label"],
        cited=tuple(Citation(sentence, quote) for sentence, quote in packed.get("cited", ())),
        evidence=tuple(
            Evidence(source, Span(start, end), quote) for source, start, end, quote in packed.get("evidence", ())
        ),
        qualifier=packed.get("qualifier"),
        note=packed.get("note", ""),
        by=packed.get("by", "judge"),
        looked_in=tuple(packed.get("looked_in", ())),
        probability=packed.get("probability"),
    )


def _without_empty(packed: Packed) -> Packed:
    return {name: value for name, value in packed.items() if value}
