"""Reads what a metric of a rubric asks: its label tables, grades, picks and lists, each under its own heading."""

from collections.abc import Sequence
from fractions import Fraction

from assay.domain.findings import NO_FACT, SUPPORTS, UNDECIDED
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
from assay.errors import InputError
from assay.files.markdown import Section, TableBlock, TableRow
from assay.files.settings import Settings, nearest

UNIT_NAMES: dict[str, UnitKind] = {names[0]: kind for kind, names in NAMES.items()}
LABEL_PREFIX, PICK_PREFIX, LIST_PREFIX, GRADE = "Label each ", "Pick: ", "List: ", "Grade"
QUALIFIERS = ("Severity", "Kind")
CUT_BY_CODE: tuple[UnitKind, ...] = ("claim", "section")


def identifier(title: str) -> str:
    return title.strip().lower().replace(" ", "_").replace("-", "_")


def refuse_unread(section: Section, path: str, *read: str) -> None:
    """Whatever stands under a heading is read, or refused: nothing an author wrote is left out in silence."""
    headings = [(each.line, f"the heading {each.title!r}") for each in section.sections]
    settings = [(each.line, f"the setting {each.name!r}") for each in section.settings]
    found = {
        "settings": settings,
        "tables": [(each.line, "a table") for each in section.tables],
        "text": [(section.line, "text")] if section.paragraphs else [],
        "quotes": [(section.line, "a quote")] if section.quotes else [],
        "headings": headings,
    }
    where = f"under {section.title!r}" if section.title else "before the title"
    for kind, places in found.items():
        if places and kind not in read:
            line, what = places[0]
            remedy = "Move it to where it is read, or make it a comment: `<!-- … -->` on lines of its own."
            raise InputError(f"{what} {where} would not be read", path=path, line=line, remedy=remedy)


def filled(row: TableRow, column: str, path: str) -> str:
    if not row.cells[column]:
        raise InputError(f"an empty {column}", path=path, line=row.line, remedy=f"Fill the column {column!r}.")
    return row.cells[column]


def read_words(table: TableBlock, column: str, path: str) -> list[str]:
    """The names in a column, none empty and none twice in the eyes of a reader who minds neither case nor hyphens."""
    seen: dict[str, str] = {}
    for row in table.rows:
        word = filled(row, column, path)
        key = _folded(word)
        if key in seen:
            remedy = f"Keep one row for it, or tell it clearly from {seen[key]!r}."
            raise InputError(f"the {column} {word!r} stands twice", path=path, line=row.line, remedy=remedy)
        seen[key] = word
    return list(seen.values())


def _folded(word: str) -> str:
    return identifier(word.casefold())


def read_table(section: Section, path: str, columns: tuple[str, ...], optional: tuple[str, ...] = ()) -> TableBlock:
    """The one table of a section, with exactly these columns."""
    if len(section.tables) != 1:
        raise InputError(
            f"{section.title!r} has {len(section.tables)} tables",
            path=path,
            line=section.line,
            remedy=f"Give it one table with the columns {', '.join(columns)}.",
        )
    table = section.tables[0]
    missing = [column for column in columns if column not in table.columns]
    unknown = [column for column in table.columns if column not in columns + optional]
    if missing or unknown:
        what = f"the column {missing[0]!r} is missing" if missing else f"unknown column {unknown[0]!r}"
        remedy = f"The table of {section.title!r} has the columns {', '.join(columns + optional)}."
        raise InputError(what, path=path, line=table.line, remedy=remedy)
    if not table.rows:
        raise InputError("a table with no rows", path=path, line=table.line, remedy="Add at least one row.")
    return table


def read_parts(metric: Section, path: str, scale: Scale) -> tuple[Part, ...]:
    parts: list[Part] = []
    qualifier = _read_qualifier(metric, path)
    for section in metric.sections:
        part: Part
        if section.title.startswith(LABEL_PREFIX):
            part = _read_labels(section, path, qualifier)
        elif section.title.split(":")[0] == GRADE:
            part = _read_grade(section, path, scale)
        elif section.title.startswith(PICK_PREFIX):
            part = _read_pick(section, path)
        elif section.title.startswith(LIST_PREFIX):
            part = _read_list(section, path)
        else:
            continue
        if any(part.id == each.id for each in parts):
            message = f"two parts of {metric.title!r} are called {part.id!r}"
            raise InputError(message, path=path, line=section.line, remedy="Give each its own name.")
        parts.append(part)
    return tuple(parts)


def _read_labels(section: Section, path: str, qualifier: Qualifier | None) -> LabelPart:
    refuse_unread(section, path, "settings", "tables")
    name = section.title.removeprefix(LABEL_PREFIX)
    if name not in UNIT_NAMES:
        raise InputError(f"unknown unit {name!r}", path=path, line=section.line, remedy=nearest(name, UNIT_NAMES))
    unit = UNIT_NAMES[name]
    settings = Settings(section, path)
    line = settings.line_of("evidence")
    evidence = settings.choice("evidence", ("source", "output", "none"), "none")
    shown = _check_evidence(settings, evidence, unit, line)
    settings.finish()
    table = read_table(section, path, ("label", "value", "meaning"))
    names = read_words(table, "label", path)
    options = []
    for row in table.rows:
        if _folded(row.cells["label"]) == UNDECIDED:
            remedy = "It is the word for a unit without an answer: choose another."
            raise settings.fault(row.line, f"the label {row.cells['label']!r} is taken", remedy)
        value = settings.read_number(row.cells["value"], "value", row.line, Fraction(0), Fraction(1))
        options.append(Option(row.cells["label"], filled(row, "meaning", path), value))
    if len({option.value for option in options}) < 2:
        remedy = "Give two labels or more, the best the value 1 and the worst the value 0."
        raise settings.fault(table.line, "the labels all count the same", remedy)
    if shown == "source" and (unknown := [name for name in names if name not in {*SUPPORTS, NO_FACT}]):
        raise settings.fault(
            table.line,
            f"{unknown[0]!r} is no label of support",
            f"Units that need evidence from a source are labelled {', '.join((*SUPPORTS, NO_FACT))}.",
        )
    if shown == "source":
        _check_support(options, settings, table.line)
    return LabelPart(unit, unit, tuple(options), shown, qualifier if unit == "claim" else None)


def _check_support(options: Sequence[Option], settings: Settings, line: int) -> None:
    """Judges and checks know these labels by name: no table makes a contradiction the best that can be said."""
    values = {option.name: option.value or Fraction(0) for option in options}
    if SUPPORTS[0] not in values:
        raise settings.fault(line, f"there is no label {SUPPORTS[0]!r}", "Add it to the table, with the value 1.")
    above = next((name for name in SUPPORTS if values.get(name, Fraction(0)) > values[SUPPORTS[0]]), None)
    level = next((name for name in SUPPORTS[2:] if values.get(name) == values[SUPPORTS[0]]), None)
    if (wrong := above or level) is not None:
        remedy = "Give supported the value 1, contradicted and absent 0, and partial what it counts between them."
        raise settings.fault(line, f"{wrong!r} counts as much as {SUPPORTS[0]!r}, or more", remedy)


def _check_evidence(settings: Settings, evidence: str, unit: UnitKind, line: int) -> EvidenceFrom:
    """A claim is looked for in the sources, a unit that a bank wrote from them in the output, a section nowhere."""
    if evidence == "source":
        if unit != "claim":
            remedy = "Only claims are looked for in a source; write `- evidence: output` or leave the line out."
            raise settings.fault(line, f"a {NAMES[unit][0]} needs no evidence from a source", remedy)
        return "source"
    if evidence == "output":
        if unit in CUT_BY_CODE:
            remedy = (
                "The output is no evidence for itself; write `- evidence: source` for claims or leave the line out."
            )
            raise settings.fault(line, f"a {NAMES[unit][0]} is itself a part of the output", remedy)
        return "output"
    return "none"


def _read_qualifier(metric: Section, path: str) -> Qualifier | None:
    found = [section for section in metric.sections if section.title in QUALIFIERS]
    if not found:
        return None
    if len(found) > 1:
        raise InputError(
            "a claim has one second word", path=path, line=found[1].line, remedy="Keep one of Severity and Kind."
        )
    section = found[0]
    if f"{LABEL_PREFIX}{NAMES['claim'][0]}" not in [each.title for each in metric.sections]:
        remedy = f"Add `### {LABEL_PREFIX}claim` to this metric, or take the heading out."
        raise InputError(f"{section.title!r} without labelled claims", path=path, line=section.line, remedy=remedy)
    refuse_unread(section, path, "tables")
    name = section.title.lower()
    table = read_table(section, path, (name, "meaning"))
    read_words(table, name, path)
    return Qualifier(name, tuple(Option(row.cells[name], filled(row, "meaning", path)) for row in table.rows))


def _read_grade(section: Section, path: str, scale: Scale) -> GradePart:
    refuse_unread(section, path, "settings", "tables")
    settings = Settings(section, path)
    kept = settings.choice("kept", ("as the score", "beside the score"), "as the score")
    settings.finish()
    table = read_table(section, path, ("level", "meaning"))
    levels: list[Level] = []
    for row in table.rows:
        level = settings.read_score(row.cells["level"], "level", row.line, scale)
        if any(level == each.level for each in levels):
            raise settings.fault(row.line, f"the level {row.cells['level']} stands twice", "Give each level one row.")
        levels.append(Level(level, filled(row, "meaning", path)))
    found = {level.level for level in levels}
    if not {scale.low, scale.high} <= found:
        raise settings.fault(table.line, "the levels leave out an end of the scale", "Describe the best and the worst.")
    whole = scale.decimals == 0 and scale.high - scale.low <= 5
    if whole and len(found) != scale.high - scale.low + 1:
        gaps = [str(level) for level in range(int(scale.low), int(scale.high) + 1) if level not in found]
        raise settings.fault(table.line, f"level {', '.join(gaps)} is missing", "Describe every level of the scale.")
    name = section.title.partition(":")[2]
    return GradePart(identifier(name) if name else "grade", scale, tuple(levels), kept == "beside the score")


def _read_limits(settings: Settings, most: int) -> tuple[int, int]:
    line = settings.line_of("most")
    limits = settings.whole("least", 0), settings.whole("most", most)
    if limits[0] > limits[1] or not limits[1]:
        raise settings.fault(line, f"at least {limits[0]} and at most {limits[1]}", "Mend the limits.")
    return limits


def _read_pick(section: Section, path: str) -> PickPart:
    settings = Settings(section, path)
    over = settings.choice("over", ("options", "claims", "sources"), "options")
    refuse_unread(section, path, "settings", "text", *(("tables",) if over == "options" else ()))
    least, most = _read_limits(settings, 1)
    settings.finish()
    options: tuple[Option, ...] = ()
    if over == "options":
        table = read_table(section, path, ("option", "meaning"))
        read_words(table, "option", path)
        options = tuple(Option(row.cells["option"], filled(row, "meaning", path)) for row in table.rows)
    name = identifier(section.title.removeprefix(PICK_PREFIX))
    if over == "claims":
        return PickPart(name, "claims", options, least, most, section.prose)
    return PickPart(name, "sources" if over == "sources" else "options", options, least, most, section.prose)


def _read_list(section: Section, path: str) -> ListPart:
    refuse_unread(section, path, "settings", "tables", "text")
    settings = Settings(section, path)
    least, most = _read_limits(settings, 20)
    words = settings.whole("words together at most", 0)
    settings.finish()
    table = read_table(section, path, ("field", "meaning"), ("options",))
    read_words(table, "field", path)
    fields = tuple(
        Field(
            row.cells["field"],
            filled(row, "meaning", path),
            tuple(option.strip() for option in row.cells.get("options", "").split(",") if option.strip()),
        )
        for row in table.rows
    )
    name = identifier(section.title.removeprefix(LIST_PREFIX))
    return ListPart(name, fields, least, most, section.prose, words or None)
