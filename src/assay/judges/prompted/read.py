"""Reads a model's reply to one ask into findings; what is missing or wrong becomes a fault that names it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from assay.domain.ask import Answer, BankAsk, Fault, MetricAsk, Written
from assay.domain.findings import UNDECIDED, Citation, Findings, Grade, Label, Pick, Remark
from assay.domain.json import JSON
from assay.domain.parts import GradePart, LabelPart, ListPart, PickPart
from assay.judges.prompted.schema import labels_key, options_of, units_of, wanted_parts
from assay.models.chat import Completion
from assay.replies.fields import read_label, read_number, read_text, read_whole
from assay.replies.reading import Misreading
from assay.replies.refusals import is_refusal
from assay.replies.salvage import Salvaged, salvage_json

SUPPORT_WORDS = {
    "fully supported": "supported",
    "partially": "partial",
    "partially supported": "partial",
    "weakly supported": "partial",
    "unsupported": "absent",
    "not supported": "absent",
    "not found": "absent",
    "contradictory": "contradicted",
    "refuted": "contradicted",
}


@dataclass(slots=True)
class Sheet:
    """What has been read so far, and what was wrong with the rest."""

    labels: list[Label] = field(default_factory=list)
    grades: list[Grade] = field(default_factory=list)
    picks: list[Pick] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)

    def answer(self, reply: str) -> Answer:
        findings = Findings(tuple(self.labels), tuple(self.grades), tuple(self.picks), tuple(self.remarks))
        return Answer(findings, faults=tuple(self.faults), repairs=_once(self.repairs), reply=reply)


def read_metric_reply(completion: Completion, ask: MetricAsk) -> Answer:
    sheet = Sheet()
    salvaged = salvage_json(completion.text)
    parts = wanted_parts(ask)
    keys = [labels_key(part) if isinstance(part, LabelPart) else part.id for part in parts]
    body = _find_body(salvaged, keys, sheet)
    if body is None:
        sheet.faults.append(_explain_nothing(completion, salvaged))
        return sheet.answer(completion.text)
    cut = salvaged.truncated or completion.finish_reason == "length"
    for part, key in zip(parts, keys, strict=True):
        if isinstance(part, LabelPart):
            _read_labels(body.get(key), part, ask, sheet, cut=cut)
        elif isinstance(part, GradePart):
            _read_grade(body, part, sheet, cut=cut)
        elif isinstance(part, PickPart):
            _read_pick(body.get(key), part, options_of(ask, part), sheet)
        else:
            _read_list(body.get(key), part, sheet)
    return sheet.answer(completion.text)


def read_bank_reply(completion: Completion, ask: BankAsk) -> Answer:
    sheet = Sheet()
    salvaged = salvage_json(completion.text)
    body = _find_body(salvaged, [ask.bank.id], sheet)
    entries = body.get(ask.bank.id) if body is not None else None
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        return Answer(faults=(_explain_nothing(completion, salvaged),), reply=completion.text)
    written = []
    for entry in entries:
        if isinstance(entry, str):
            written.append(Written(entry))
        elif isinstance(entry, Mapping) and isinstance(text := entry.get("text") or entry.get(ask.bank.unit), str):
            sentences = entry.get("sentences")
            names = sentences if isinstance(sentences, Sequence) and not isinstance(sentences, str) else [sentences]
            written.append(Written(text, tuple(str(name) for name in names if name)))
    return Answer(written=tuple(written), repairs=_once(sheet.repairs), reply=completion.text)


def _find_body(salvaged: Salvaged, keys: Sequence[str], sheet: Sheet) -> Mapping[str, JSON] | None:
    """The object with the keys asked for: bare, wrapped under one key, spread over several objects, or its bare list."""
    sheet.repairs.extend(salvaged.repairs)
    body: dict[str, JSON] = {}
    holders = 0
    for value in salvaged.values:
        found = _unwrap(value, keys)
        if found is None and isinstance(value, Sequence) and not isinstance(value, str) and value:
            found = {keys[0]: value}
            sheet.repairs.append("bare list")
        elif found is not value and found is not None:
            sheet.repairs.append("wrapped object")
        if found is not None:
            holders += 1
            body = {**found, **body}
    if holders > 1:
        sheet.repairs.append("several objects")
    return body or None


def _unwrap(value: JSON, keys: Sequence[str]) -> Mapping[str, JSON] | None:
    if isinstance(value, Mapping):
        if any(key in value for key in keys):
            return value
        inner = [each for each in value.values() if isinstance(each, Mapping) and any(key in each for key in keys)]
        return inner[0] if len(inner) == 1 else None
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 1:
        return _unwrap(value[0], keys)
    return None


def _explain_nothing(completion: Completion, salvaged: Salvaged) -> Fault:
    if completion.finish_reason == "refusal" or is_refusal(completion.text) or _is_error(salvaged):
        return Fault("the reply was a refusal", "refused")
    if completion.finish_reason == "length" or salvaged.truncated:
        return Fault("the reply was cut off before its end", "truncated")
    if not completion.text.strip():
        return Fault("the reply was empty", "malformed")
    return Fault("the reply holds no JSON object with the keys asked for", "malformed")


def _is_error(salvaged: Salvaged) -> bool:
    return len(salvaged.values) == 1 and isinstance(value := salvaged.values[0], Mapping) and set(value) == {"error"}


def _read_labels(entries: JSON, part: LabelPart, ask: MetricAsk, sheet: Sheet, *, cut: bool) -> None:
    wanted = {unit.id.lower(): unit.id for unit in units_of(ask, part)}
    if isinstance(entries, Mapping):
        entries = [{"unit": key, **value} for key, value in entries.items() if isinstance(value, Mapping)]
        sheet.repairs.append("labels by key")
    read: dict[str, Label] = {}
    torn: set[str] = set()
    for entry in entries if isinstance(entries, Sequence) and not isinstance(entries, str) else ():
        if not isinstance(entry, Mapping):
            continue
        unit = wanted.get(str(entry.get("unit", "")).strip(" []().").lower())
        if unit is None:
            sheet.repairs.append("unknown unit dropped")
            continue
        label = _read_label_entry(entry, unit, part, sheet)
        if label is None:
            continue
        if unit in read and read[unit].label != label.label:
            torn.add(unit)
        read[unit] = label
    for unit in torn:
        del read[unit]
        sheet.faults.append(Fault(f"{unit} has two different labels", "ambiguous"))
    faulted = {fault.words.split(" ")[0].rstrip(":") for fault in sheet.faults}
    missing = [unit for unit in wanted.values() if unit not in read and unit not in faulted]
    if missing:
        why = "the reply was cut off before" if cut else "there is no label for"
        sheet.faults.append(Fault(f"{why} {', '.join(missing)}", "truncated" if cut else "malformed"))
    sheet.labels.extend(read.values())


def _read_label_entry(entry: Mapping[str, JSON], unit: str, part: LabelPart, sheet: Sheet) -> Label | None:
    options = [*(option.name for option in part.options), UNDECIDED]
    synonyms = SUPPORT_WORDS if part.evidence == "source" else {}
    reading = read_label(entry.get("label"), options, synonyms)
    if isinstance(reading, Misreading):
        sheet.faults.append(Fault(f"{unit}: {reading.reason}", reading.status))
        return None
    _keep_repair(reading.repaired, sheet)
    qualifier = None
    if part.qualifier is not None and reading.value not in {part.best, UNDECIDED}:
        named = read_label(entry.get(part.qualifier.name), [option.name for option in part.qualifier.options])
        qualifier = None if isinstance(named, Misreading) else named.value
    return Label(part.id, unit, reading.value, _read_citations(entry), qualifier=qualifier, note=_text(entry, "note"))


def _read_citations(entry: Mapping[str, JSON]) -> tuple[Citation, ...]:
    evidence = entry.get("evidence")
    listed = evidence if isinstance(evidence, Sequence) and not isinstance(evidence, str) else [evidence]
    citations = []
    for each in listed:
        if isinstance(each, Mapping) and isinstance(each.get("quote"), str) and str(each["quote"]).strip():
            citations.append(Citation(str(each.get("sentence") or ""), str(each["quote"])))
        elif isinstance(each, str) and each.strip():
            citations.append(Citation("", each))
    return tuple(citations)


def _read_grade(body: Mapping[str, JSON], part: GradePart, sheet: Sheet, *, cut: bool) -> None:
    value = body.get(part.id)
    reason = _text(body, "reason")
    if isinstance(value, Mapping):
        reason = _text(value, "reason") or reason
        value = value.get("level", value.get("score", value.get("grade")))
    if value is None:
        words = f"the reply was cut off before {part.id}" if cut else f"there is no {part.id}"
        sheet.faults.append(Fault(words, "truncated" if cut else "malformed"))
        return
    read = read_number if part.scale.decimals else read_whole
    reading = read(value, int(part.scale.low), int(part.scale.high))
    if isinstance(reading, Misreading):
        sheet.faults.append(Fault(f"{part.id}: {reading.reason}", reading.status))
        return
    _keep_repair(reading.repaired, sheet)
    sheet.grades.append(Grade(part.id, Fraction(str(reading.value)), reason))


def _read_pick(value: JSON, part: PickPart, options: Sequence[str], sheet: Sheet) -> None:
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    chosen = []
    for each in listed:
        reading = read_label(each, options)
        if isinstance(reading, Misreading):
            continue
        _keep_repair(reading.repaired, sheet)
        chosen.append(reading.value)
    if len(chosen) >= max(1, part.least):
        sheet.picks.append(Pick(part.id, tuple(dict.fromkeys(chosen))[: part.most]))


def _read_list(value: JSON, part: ListPart, sheet: Sheet) -> None:
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    for each in listed[: part.most]:
        if isinstance(each, Mapping):
            sheet.remarks.append(Remark(part.id, {field.name: _text(each, field.name) for field in part.fields}))
        elif isinstance(each, str) and each.strip() and len(part.fields) == 1:
            sheet.remarks.append(Remark(part.id, {part.fields[0].name: each}))


def _text(entry: Mapping[str, JSON], key: str) -> str:
    reading = read_text(entry.get(key))
    return "" if isinstance(reading, Misreading) else reading.value


def _keep_repair(repaired: str | None, sheet: Sheet) -> None:
    if repaired is not None:
        sheet.repairs.append(repaired)


def _once(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
