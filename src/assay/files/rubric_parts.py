"""Reads what a metric of a rubric asks: its label tables, grades, picks and lists, each under its own heading."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, cast, get_args

from assay.domain.findings import NO_FACT, SUPPORTS, UNDECIDED, Severity
from assay.domain.parts import (
    EvidenceFrom,
    Field,
    GradePart,
    LabelPart,
    Level,
    ListPart,
    Option,
    Part,
    PickPart,
    Qualifier,
)
from assay.domain.scale import Scale
from assay.domain.units import NAMES, UnitKind
from assay.files.markdown import MarkdownSection, identifier

UNIT_NAMES: dict[str, UnitKind] = {names[0]: kind for kind, names in NAMES.items()}
CUT_BY_CODE: tuple[UnitKind, ...] = ("claim", "section")
SEVERITY = "Severity"
SUPPORT_LABELS = (*SUPPORTS, NO_FACT)


def read_parts(metric: MarkdownSection, scale: Scale) -> tuple[Part, ...]:
    parts: list[Part] = []
    qualifier = _read_qualifier(metric)
    for section in metric.sections:
        prefix = next((prefix for prefix in PART_PREFIXES if f"{section.title}: ".startswith(prefix)), None)
        if prefix is None:
            continue
        part = PART_PREFIXES[prefix](section, section.title.removeprefix(prefix.strip()).strip(), scale)
        if any(part.id == each.id for each in parts):
            raise section.fault(f"two parts of {metric.title!r} are called {part.id!r}", "Give each its own name.")
        if isinstance(part, LabelPart) and part.unit == "claim" and qualifier:
            part = LabelPart(part.id, part.unit, part.options, part.evidence, qualifier)
        parts.append(part)
    return tuple(parts)


def _read_options(section: MarkdownSection, column: str) -> tuple[Option, ...]:
    rows = section.get_table((column, "meaning")).rows
    return tuple(Option(row[column].text, row["meaning"].filled()) for row in rows)


def _read_qualifier(metric: MarkdownSection) -> Qualifier | None:
    section = next((section for section in metric.sections if section.title == SEVERITY), None)
    if section is None:
        return None
    if "Label each claim" not in [each.title for each in metric.sections]:
        remedy = "Add `### Label each claim` to this metric, or take the heading out."
        raise section.fault(f"{SEVERITY!r} without labelled claims", remedy)
    section.refuse_unread("tables")
    options = _read_options(section, SEVERITY.lower())
    if tuple(option.name for option in options) != get_args(Severity):
        remedy = f"Give it the rows {' and '.join(get_args(Severity))}, in this order."
        raise section.fault("the severities are others than those that are counted", remedy)
    return Qualifier(SEVERITY.lower(), options)


def _read_labels(section: MarkdownSection, name: str, _: Scale) -> LabelPart:
    section.expect(name, UNIT_NAMES, f"unknown unit {name!r}")
    unit = UNIT_NAMES[name]
    evidence = _read_evidence(section, unit)
    section.refuse_unread("tables")
    table = section.get_table(("label", "value", "meaning"))
    options = []
    for row in table.rows:
        label = row["label"]
        if identifier(label.text.casefold()) == UNDECIDED:
            remedy = "It is the word for a unit without an answer: choose another."
            raise label.fault(f"the label {label.text!r} is taken", remedy)
        value = row["value"].number(Fraction(0), Fraction(1))
        options.append(Option(label.text, row["meaning"].filled(), value))
    if len({option.value for option in options}) < 2:
        remedy = "Give two labels or more, the best the value 1 and the worst the value 0."
        raise section.fault("all labels have the same value", remedy, table.line)
    if evidence == "source":
        _check_support(options, section, table.line)
    return LabelPart(unit, unit, tuple(options), evidence)


def _check_support(options: Sequence[Option], section: MarkdownSection, line: int) -> None:
    """Judges and checks know these labels by name, so no table makes a contradiction the best label."""
    values = {option.name: option.value or Fraction(0) for option in options}
    best = SUPPORTS[0]
    if unknown := [name for name in values if name not in SUPPORT_LABELS]:
        remedy = f"Units that need evidence from a source are labelled {', '.join(SUPPORT_LABELS)}."
        raise section.fault(f"{unknown[0]!r} is not a label of support", remedy, line)
    if best not in values:
        raise section.fault(f"there is no label {best!r}", "Add it to the table, with the value 1.", line)
    above = [name for name in SUPPORTS if values.get(name, Fraction(0)) > values[best]]
    level = [name for name in SUPPORTS[2:] if values.get(name) == values[best]]
    if above or level:
        remedy = "Give supported the value 1, contradicted and absent 0, and partial what it counts between them."
        raise section.fault(f"{(above or level)[0]!r} counts as much as {best!r}, or more", remedy, line)


def _read_evidence(section: MarkdownSection, unit: UnitKind) -> EvidenceFrom:
    """Where a quote must stand: of a claim in the sources, of a unit of a bank in the output, of a section nowhere."""
    setting = section.get("evidence", "none")
    evidence = cast("EvidenceFrom", setting.choice(get_args(EvidenceFrom)))
    name = NAMES[unit][0]
    if evidence == "source" and unit != "claim":
        remedy = "Only claims are looked for in a source; write `- evidence: output` or leave the line out."
        raise setting.fault(f"a {name} needs no evidence from a source", remedy)
    if evidence == "output" and unit in CUT_BY_CODE:
        remedy = "The output is no evidence for itself; write `- evidence: source` for claims or leave the line out."
        raise setting.fault(f"a {name} is itself a part of the output", remedy)
    return evidence


def _read_grade(section: MarkdownSection, name: str, scale: Scale) -> GradePart:
    kept = section.get("kept", "as the score").choice(("as the score", "beside the score"))
    section.refuse_unread("tables", "text")
    table = section.get_table(("level", "meaning"))
    levels = tuple(Level(row["level"].score(scale), row["meaning"].filled()) for row in table.rows)
    found = {level.level for level in levels}
    if not {scale.low, scale.high} <= found:
        raise section.fault("the levels leave out an end of the scale", "Describe the best and the worst.", table.line)
    if scale.decimals == 0 and scale.high - scale.low <= 5:
        gaps = [str(level) for level in range(int(scale.low), int(scale.high) + 1) if level not in found]
        if gaps:
            raise section.fault(f"level {', '.join(gaps)} is missing", "Describe every level of the scale.", table.line)
    return GradePart(identifier(name) or "grade", scale, levels, kept == "beside the score", section.prose)


def _read_pick(section: MarkdownSection, name: str, _: Scale) -> PickPart:
    over = section.get("over", "options").choice(("options", "claims", "sources"))
    least, most = section.get_limits("1")
    section.refuse_unread("text", *(("tables",) if over == "options" else ()))
    options = _read_options(section, "option") if over == "options" else ()
    return PickPart(
        identifier(name), cast('Literal["options", "claims", "sources"]', over), options, least, most, section.prose
    )


def _read_list(section: MarkdownSection, name: str, _: Scale) -> ListPart:
    least, most = section.get_limits("20")
    words = section.get("words together at most", "0").whole()
    copied = section.get("copied from the output", "")
    section.refuse_unread("tables", "text")
    rows = section.get_table(("field", "meaning"), ("options",)).rows
    fields = [
        Field(row["field"].text, row["meaning"].text, row["options"].names() if "options" in row else ())
        for row in rows
    ]
    if copied.text:
        names = [field.name for field in fields]
        section.expect(copied.text, names, f"the list has no field {copied.text!r}", copied.line)
    return ListPart(identifier(name), tuple(fields), least, most, section.prose, words or None, copied.text or None)


# How the heading of a part starts, and what reads it.
PART_PREFIXES: Mapping[str, Callable[[MarkdownSection, str, Scale], Part]] = {
    "Label each ": _read_labels,
    "Grade: ": _read_grade,
    "Pick: ": _read_pick,
    "List: ": _read_list,
}
