"""Writes a scorecard as an explanation with numbered lists that ends in a score tag."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from assay.domain.findings import Label
from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Input, Metric
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.domain.shape import Shape, ShapeRow
from assay.domain.units import Unit
from assay.report.reply_words import find_score, format_quotes, list_labelled, resolve_label, spell_ids
from assay.scoring.severity import find_pieces

# A judged text must not bring a score tag of its own into the reply.
_TAG = re.compile(r"<(?=\s*(?:/\s*)?score)|\[(?=\s*/?\s*score\s*\])", re.IGNORECASE)
_SCORE_LINE = re.compile(r"^.*<\s*score\s*>.*$", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def format_explanation(card: Scorecard, shape: Shape) -> str:
    """The model's own explanation, or one made of its labels; our count; the score in its tag on the last line."""
    metric = card.rubric.metrics[0]
    outcome = card.outcomes[metric.id]
    own = str(outcome.trail.reported.get("explanation") or "").strip()
    if own:
        checked = [spell_ids(each, card) for each in (*_list_values(card), *_say_score(outcome))]
        lines = [_defuse(_SCORE_LINE.sub("", own).strip()), "", "Checked by code:", *map(_defuse, checked), ""]
    else:
        lines = [shape.opening or f"{metric.name}: {metric.question}", ""]
        for row in shape.rows:
            said = [
                _defuse(" ".join(spell_ids(each, card).split())) for each in _write_part(row, card, metric, outcome)
            ]
            lines += [f"{row.place}:", *said, ""] if said else []
    if not isinstance(outcome, Verdict):
        return "\n".join([*lines, f"Not scored: {outcome.status}: {outcome.reason}", ""])
    return "\n".join([*lines, f"Score- <score>{find_score(outcome)}</score>", ""])


def _defuse(text: str) -> str:
    return _TAG.sub("‹", text)


def _write_part(row: ShapeRow, card: Scorecard, metric: Metric, outcome: Outcome) -> list[str]:
    """What stands under one heading."""
    if row.holds == "text":
        texts: Mapping[str, Iterable[str]] = {
            "steps": (metric.question,),
            "values": _list_values(card),
            "facts": _say_facts(metric, outcome),
            "extent": _say_extent(metric, outcome),
        }
        return list(texts[row.name])
    entries = _list_entries(row, card, metric, outcome)
    return [f"{at}. {entry}" for at, entry in enumerate(entries, 1)] or ["None"]


def _say_extent(metric: Metric, outcome: Outcome) -> Iterator[str]:
    grade = next((outcome.trail.findings.grade(part.id) for part in metric.grade_parts), None)
    if isinstance(outcome, Verdict) and grade is not None and grade.reason:
        yield grade.reason
    yield from _say_score(outcome)


def _say_score(outcome: Outcome) -> Iterator[str]:
    if not isinstance(outcome, Verdict):
        return
    yield f"{outcome.score.derivation}."
    own = outcome.trail.reported.get("grade")
    if isinstance(own, int | float) and own != number(outcome.score.value):
        yield f"The model's own score is {own}."


def _say_facts(metric: Metric, outcome: Outcome) -> Iterator[str]:
    """Claims that are right but for a word: they are no unsupported items."""
    labelled = list_labelled(outcome, "claim")
    loose = [(unit, label) for unit, label in labelled if _find_gravest(unit, label) == "slight"]
    names = _tell_apart([unit for unit, _ in labelled])
    for unit, label in loose:
        words = ", ".join(f"“{each.words}”" for each in label.pieces if each.words)
        yield f"- Loosely worded: {names[unit.id]} ({words or label.label}{f'; {label.note}' if label.note else ''})"
    if labelled and not loose and metric.labels("claim") is not None:
        yield "All other claims were verified."


def _find_gravest(unit: Unit, label: Label) -> str | None:
    severities = {piece.severity for piece in find_pieces(label, unit)}
    return "serious" if "serious" in severities else "slight" if severities else None


def _list_values(card: Scorecard) -> Iterator[str]:
    """The values of each object of the input, and whether the output states them; and those proven wrong by code."""
    stated = {_read_number(each) for each in _NUMBER.findall(card.record.output)}
    for spec in card.rubric.inputs:
        fields = [each for each in spec.fields if each.kind == "value"]
        objects = card.record.inputs.get(spec.name)
        for each in objects if fields and isinstance(objects, Sequence) else ():
            if isinstance(each, Mapping):
                said = ", ".join(_say_value(field, each.get(field.name), stated) for field in fields)
                yield f"- {each.get(spec.fields[0].name)}: {said}"
    outcome = card.outcomes[card.rubric.metrics[0].id]
    for unit, label in list_labelled(outcome, "claim"):
        if label.by == "code" and label.label == "contradicted":
            yield f"- Wrong value: {unit.context or unit.text}: {label.note}"


def _say_value(field: Input, value: object, stated: set[float]) -> str:
    found = _NUMBER.search(str(value)) if value not in (None, "") else None
    if found is None:
        return f"{field.label.lower()} not given"
    is_stated = _read_number(found[0]) in stated
    return f"{field.label.lower()} {value} ({'stated' if is_stated else 'not stated'})"


def _read_number(written: str) -> float:
    """Groups of thousands apart: 1,00,000 and 100000 are one number."""
    head, point, tail = written.rpartition(".")
    if point and len(tail) != 3:
        return float(f"{re.sub(r'[.,]', '', head) or 0}.{re.sub(r'[.,]', '', tail)}")
    return float(re.sub(r"[.,]", "", written))


def _list_entries(row: ShapeRow, card: Scorecard, metric: Metric, outcome: Outcome) -> list[str]:
    if row.holds == "list":
        name, _, key = row.name.partition(".")
        remarks = [remark.fields for remark in outcome.trail.findings.remarked(name)]
        return [f"{each.get(key, '')}{f' ({kind})' if (kind := each.get('kind')) else ''}" for each in remarks]
    pairs = list_labelled(outcome, row.unit or "")
    # The score counts main units; where there are none, all of them.
    pairs = [(unit, label) for unit, label in pairs if unit.weight == "main"] or pairs
    part = metric.labels(row.unit) if row.unit is not None else None
    if part is None:
        return []
    names = _tell_apart([unit for unit, _ in pairs])
    if row.label is None and row.holds == "unit":
        return list(names.values())
    if row.unit == "claim":
        grave = [(unit, label) for unit, label in pairs if _find_gravest(unit, label) == "serious"]
        return [f"{names[unit.id]} ({_explain(label, card)})" for unit, label in grave]
    chosen = [(unit, label) for unit, label in pairs if part.value(resolve_label(label, part)) > 0]
    if row.holds == "count":
        quotes = {unit.id: "; ".join(f"“{each.quote}”" for each in label.evidence) for unit, label in chosen}
        return [f"{names[unit.id]} ({quotes[unit.id] or label.note or label.label})" for unit, label in chosen]
    return [names[unit.id] for unit, _ in chosen]


def _tell_apart(units: Sequence[Unit]) -> dict[str, str]:
    """Entries that read alike are numbered: whoever reads the lists back must find as many as there are."""
    names: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for unit in units:
        name = f"{unit.context}: {unit.text}" if unit.context else unit.text
        words = " ".join(_WORD.findall(name.lower()))
        seen[words] += 1
        names[unit.id] = name if seen[words] == 1 else f"{name} ({seen[words]})"
    return names


def _explain(label: Label, card: Scorecard) -> str:
    words = ", ".join(f"“{each.words}”" for each in label.pieces if each.words and each.severity == "serious")
    quotes = format_quotes(label, card)
    return " — ".join(part for part in (f"{label.label}{f': {words}' if words else ''}", label.note, quotes) if part)
