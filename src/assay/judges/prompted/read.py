"""Reads a model's reply to one ask into findings; what is missing or wrong becomes a fault that names it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

from assay.domain.ask import REFUSAL, Answer, BankAsk, Fault, MetricAsk, Written
from assay.domain.findings import NO_FACT, UNDECIDED, Citation, Label, Piece, Remark, Severity
from assay.domain.json import JSON
from assay.domain.parts import Field, GradePart, LabelPart, ListPart, PickPart
from assay.domain.units import PREFIXES, Unit, Weight
from assay.judges.prompted.material import find_sentence
from assay.judges.prompted.schema import labels_key, options_of, units_of, wanted_parts
from assay.models.chat import Completion
from assay.replies.parts import PartReader, list_entries, text_of
from assay.replies.salvage import Salvaged, find_body, is_list, salvage_json
from assay.replies.values import Misreading, Reading, read_label
from assay.replies.wrapping import declines_beside, is_refusal
from assay.units.passages import Passages

SUPPORT_SYNONYMS = {
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

# Every quote is looked for in the sources, which takes time from the other asks of the run.
_MOST_CITATIONS = 10
_LONGEST_QUOTE = 5_000


def read_metrics_reply(
    completion: Completion, asks: Sequence[MetricAsk], passages: Passages | None = None
) -> list[Answer]:
    """The reply to one metric or several: one object keyed by metric. A single metric may also stand there bare."""
    salvaged = salvage_json(completion.text)
    if _is_declined(completion, salvaged):
        return [Answer(faults=(REFUSAL,), reply=completion.text) for _ in asks]
    body = find_body(salvaged, [ask.id for ask in asks], asks[0].id)
    answers = []
    for ask in asks:
        if isinstance(body.values.get(ask.id), Mapping):
            own = replace(salvaged, values=(body.values[ask.id],), repairs=body.repairs)
            answers.append(_read_metric(completion, own, ask, passages))
        elif len(asks) == 1 and ask.id not in body.torn:
            answers.append(_read_metric(completion, salvaged, ask, passages))
        else:
            torn = [fault for key, fault in zip(body.torn, body.faults, strict=True) if key == ask.id]
            missing = Fault(f"{ask.id} is missing from the reply", _explain_nothing(completion, salvaged).status)
            answers.append(Answer(faults=tuple(torn) or (missing,), reply=completion.text))
    return answers


def _is_declined(completion: Completion, salvaged: Salvaged) -> bool:
    """Whatever else it holds: a model that declines in words, or a filter that cut in, has not judged."""
    return completion.finish_reason == "refusal" or any(map(declines_beside, salvaged.prose if salvaged.values else ()))


def _read_metric(completion: Completion, salvaged: Salvaged, ask: MetricAsk, passages: Passages | None) -> Answer:
    parts = wanted_parts(ask)
    keys = [labels_key(part) if isinstance(part, LabelPart) else part.id for part in parts]
    listed = next((labels_key(part) for part in parts if isinstance(part, LabelPart)), keys[0])
    body = find_body(salvaged, keys, listed)
    if not body.values and not body.faults:
        fault = _explain_nothing(completion, salvaged)
        return Answer(faults=(fault,), repairs=_once(body.repairs), reply=completion.text)
    reader = PartReader(faults=list(body.faults), repairs=list(body.repairs))
    cut = salvaged.truncated or completion.finish_reason == "length"
    reader.repairs += ["cut off"] if cut else []
    for part, key in zip(parts, keys, strict=True):
        value = body.values.get(key)
        if isinstance(part, LabelPart):
            _read_labels(value, part, _name_units(units_of(ask, part), part, passages), reader, cut=cut)
        elif isinstance(part, GradePart):
            reader.read_grade(value, part, text_of(body.values, "reason"), cut=cut)
        elif isinstance(part, PickPart):
            _read_pick(value, part, ask, reader)
        else:
            _read_list(value, part, reader)
    remarks = {part.id: body.values.get(part.id) for part in parts if isinstance(part, ListPart)}
    lists = frozenset(name for name, value in remarks.items() if is_list(value) or isinstance(value, Mapping))
    faults, flags, repairs = tuple(reader.faults), _once(reader.flags), _once(reader.repairs)
    return Answer(reader.findings, faults=faults, flags=flags, repairs=repairs, reply=completion.text, lists=lists)


def read_bank_reply(completion: Completion, ask: BankAsk) -> Answer:
    """A list that was cut off is read as far as it goes, with the fault beside it."""
    salvaged = salvage_json(completion.text)
    if _is_declined(completion, salvaged):
        return Answer(faults=(REFUSAL,), reply=completion.text)
    body = find_body(salvaged, [ask.bank.id], ask.bank.id)
    entries, repairs = body.values.get(ask.bank.id), _once(body.repairs)
    if not is_list(entries):
        missing = tuple(body.faults) or (_explain_nothing(completion, salvaged),)
        return Answer(faults=missing, repairs=repairs, reply=completion.text)
    written = []
    for entry in entries:
        if isinstance(entry, str):
            written.append(Written(entry))
        elif isinstance(entry, dict) and isinstance(text := entry.get("text") or entry.get(ask.bank.unit), str):
            # "S1.1, S2.1" in one text names two sentences.
            names = [each for each in list_entries(entry.get("sentences")) if each]
            split = [name.strip() for each in names for name in str(each).split(",")]
            weight: Weight = "minor" if text_of(entry, "weight").strip().lower() == "minor" else "main"
            direction = read_label(entry.get("direction"), ask.bank.directions) if ask.bank.directions else None
            towards = direction.value if isinstance(direction, Reading) else ""
            written.append(Written(text, tuple([name for name in split if name]), weight, towards))
    cut = salvaged.truncated or completion.finish_reason == "length"
    faults = [Fault("the reply was cut off before its end", "truncated")] if cut else []
    if entries and not written:
        faults.append(Fault(f"no entry of {ask.bank.id} has a text"))
    return Answer(written=tuple(written), faults=tuple(faults), repairs=repairs, reply=completion.text)


def _explain_nothing(completion: Completion, salvaged: Salvaged) -> Fault:
    if is_refusal(completion.text) or _is_error(salvaged):
        return REFUSAL
    if completion.finish_reason == "length" or salvaged.truncated:
        return Fault("the reply was cut off before its end", "truncated")
    if not completion.text.strip():
        return Fault("the reply was empty", "malformed")
    return Fault("the reply holds no JSON object with the keys asked for", "malformed")


def _is_error(salvaged: Salvaged) -> bool:
    return len(salvaged.values) == 1 and isinstance(value := salvaged.values[0], Mapping) and set(value) == {"error"}


def _name_units(units: Sequence[Unit], part: LabelPart, passages: Passages | None) -> dict[str, str]:
    """Every name by which a reply may call a unit: `c3`, a bare `3`, or the sentence of the output that it is."""
    names = {unit.id.lower(): unit.id for unit in units}
    names |= {unit.id.lower().removeprefix(PREFIXES[part.unit]): unit.id for unit in units}
    if passages is not None:
        names |= {name.lower(): unit.id for unit in units if (name := find_sentence(unit, passages)) is not None}
    return names


def _read_labels(entries: JSON, part: LabelPart, names: Mapping[str, str], reader: PartReader, *, cut: bool) -> None:
    wanted = tuple(dict.fromkeys(names.values()))
    read: dict[str, Label] = {}
    torn: set[str] = set()
    unread: set[str] = set()
    options = [*(option.name for option in part.options), UNDECIDED]
    for entry in _list_labels(entries, reader):
        unit = names.get(str(entry.get("unit")).strip(" []().:").lower())
        if unit is None:
            reader.repairs.append("unknown unit dropped")
            continue
        label = _read_label_entry(entry, unit, part, options, reader)
        if label is None:
            unread.add(unit)
            continue
        if unit in read and read[unit].label != label.label:
            torn.add(unit)
        read.setdefault(unit, label)
    reader.faults += [Fault("it has two different labels", "ambiguous", unit=unit) for unit in wanted if unit in torn]
    missing = [unit for unit in wanted if unit not in read and unit not in unread]
    if missing and not any(fault.part == labels_key(part) for fault in reader.faults):
        why = "the reply was cut off before" if cut else "there is no label for"
        reader.add_fault(f"{why} {', '.join(missing)}", "truncated" if cut else "malformed")
    reader.labels.extend(label for unit, label in read.items() if unit not in torn | unread)


def _list_labels(entries: JSON, reader: PartReader) -> list[Mapping[str, JSON]]:
    """Labels as a list of objects, or an object that names each unit by its key."""
    if isinstance(entries, list):
        return [entry for entry in entries if isinstance(entry, dict)]
    if isinstance(entries, Mapping):
        reader.repairs.append("labels by key")
        return [
            {**value, "unit": key} if isinstance(value, Mapping) else {"unit": key, "label": value}
            for key, value in entries.items()
        ]
    return [entry for entry in entries if isinstance(entry, Mapping)] if is_list(entries) else []


def _read_label_entry(
    entry: Mapping[str, JSON], unit: str, part: LabelPart, options: Sequence[str], reader: PartReader
) -> Label | None:
    synonyms = {
        word: label for word, label in SUPPORT_SYNONYMS.items() if part.evidence == "source" and label in options
    }
    label = reader.read_word(entry.get("label"), options, synonyms, alone=True)
    if isinstance(label, Misreading):
        reader.faults.append(Fault(label.reason, label.status, unit=unit))
        return None
    pieces = _read_pieces(entry.get("pieces"), reader) if part.qualifier is not None else ()
    if label in {part.best, NO_FACT, UNDECIDED}:
        if label == part.best and any(piece.severity == "serious" for piece in pieces):
            reader.faults.append(Fault(f"it is called {part.best}, with a serious fault in it", "ambiguous", unit=unit))
            return None
        pieces = ()
    cited = _read_citations(entry, reader)
    return Label(part.id, unit, label, cited, note=text_of(entry, "note"), pieces=pieces)


def _read_pieces(value: JSON, reader: PartReader) -> tuple[Piece, ...]:
    """Words at fault. One without a readable severity is slight: nothing is made graver than was said."""
    pieces = []
    for each in list_entries(value):
        words = text_of(each, "words") if isinstance(each, Mapping) else each if isinstance(each, str) else ""
        if not words.strip():
            continue
        severity = read_label(each.get("severity") if isinstance(each, Mapping) else None, get_args(Severity))
        if isinstance(severity, Misreading):
            reader.repairs.append("a fault without its severity")
        is_serious = isinstance(severity, Reading) and severity.value == "serious"
        pieces.append(Piece(words[:_LONGEST_QUOTE], "serious" if is_serious else "slight"))
    return tuple(pieces)


def _read_citations(entry: Mapping[str, JSON], reader: PartReader) -> tuple[Citation, ...]:
    citations = []
    for each in list_entries(entry.get("evidence")):
        if isinstance(each, dict):
            if isinstance(quote := each.get("quote"), str) and quote.strip():
                citations.append(Citation(str(each.get("sentence") or "")[:_LONGEST_QUOTE], quote))
        elif isinstance(each, str) and each.strip():
            citations.append(Citation("", each))
    kept = [each for each in citations if len(each.quote) <= _LONGEST_QUOTE][:_MOST_CITATIONS]
    reader.repairs += ["evidence without measure dropped"] if len(kept) < len(citations) else []
    return tuple(kept)


def _read_pick(value: JSON, part: PickPart, ask: MetricAsk, reader: PartReader) -> None:
    """An empty list is an answer where nothing has to be picked; what names no option is dropped, visibly."""
    listed = list_entries(value)
    addresses = {
        source.url: source.id.upper() for source in ask.record.sources if source.url and part.over == "sources"
    }
    chosen = []
    for each in listed:
        word = reader.read_word(each, options_of(ask, part), addresses, alone=part.over == "options")
        if not isinstance(word, Misreading):
            chosen.append(word)
        elif word.status == "ambiguous":
            reader.add_fault(f"{part.id}: {word.reason}", "ambiguous", part.id)
            return
        else:
            reader.repairs.append(f"unknown choice dropped from {part.id}")
            reader.flags += ["unknown_source"] if part.over == "sources" else []
    if part.most == 1 and len(set(chosen)) > 1:
        reader.add_fault(f"{part.id}: it has two different choices", "ambiguous", part.id)
    elif chosen or (value is not None and not listed and part.least == 0 and part.most > 1):
        reader.add_pick(part, chosen)


def _read_list(value: JSON, part: ListPart, reader: PartReader) -> None:
    names = [wanted.name for wanted in part.fields]
    for each in reader.list_objects(value, part.id, names, bare=names[0] if len(names) == 1 else "")[: part.most]:
        reader.remarks.append(
            Remark(part.id, {wanted.name: _read_field(each, wanted, reader) for wanted in part.fields})
        )


def _read_field(entry: Mapping[str, JSON], wanted: Field, reader: PartReader) -> str:
    """`Likely Eligible` is the option likely_eligible; words that name no option stay as they are."""
    word = reader.read_word(entry.get(wanted.name), wanted.options) if wanted.options else None
    return word if isinstance(word, str) else text_of(entry, wanted.name)


def _once(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
