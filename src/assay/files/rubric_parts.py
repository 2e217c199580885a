"""Reads what a metric of a rubric asks: its label tables, grades, picks and lists, each under its own heading."""

from fractions import Fraction

from assay.domain.findings import SUPPORTS
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
from assay.files.markdown import Section, TableBlock
from assay.files.settings import Settings, nearest

UNIT_NAMES: dict[str, UnitKind] = {names[0]: kind for kind, names in NAMES.items()}
LABEL_PREFIX, PICK_PREFIX, LIST_PREFIX, GRADE = "Label each ", "Pick: ", "List: ", "Grade"
QUALIFIERS = ("Severity", "Kind")


def identifier(title: str) -> str:
    return title.strip().lower().replace(" ", "_").replace("-", "_")


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
    for section in metric.sections:
        if section.title.startswith(LABEL_PREFIX):
            parts.append(_read_labels(section, path, _read_qualifier(metric, path)))
        elif section.title.split(":")[0] == GRADE:
            parts.append(_read_grade(section, path, scale))
        elif section.title.startswith(PICK_PREFIX):
            parts.append(_read_pick(section, path))
        elif section.title.startswith(LIST_PREFIX):
            parts.append(_read_list(section, path))
    return tuple(parts)


def _read_labels(section: Section, path: str, qualifier: Qualifier | None) -> LabelPart:
    name = section.title.removeprefix(LABEL_PREFIX)
    if name not in UNIT_NAMES:
        raise InputError(f"unknown unit {name!r}", path=path, line=section.line, remedy=nearest(name, UNIT_NAMES))
    unit = UNIT_NAMES[name]
    settings = Settings(section, path)
    evidence = settings.choice("evidence", ("source", "output", "none"), "none")
    settings.finish()
    table = read_table(section, path, ("label", "value", "meaning"))
    options = []
    for row in table.rows:
        value = settings.read_number(row.cells["value"], "value", row.line, Fraction(0), Fraction(1))
        options.append(Option(row.cells["label"], row.cells["meaning"], value))
    names = [option.name for option in options]
    if len(set(names)) != len(names) or len(names) < 2:
        raise settings.fault(table.line, "labels must be two or more, each once", "Mend the label column.")
    if evidence == "source" and (unknown := [name for name in names if name not in SUPPORTS]):
        raise settings.fault(
            table.line,
            f"{unknown[0]!r} is no label of support",
            f"Units that need evidence from a source are labelled {', '.join(SUPPORTS)}.",
        )
    kept: EvidenceFrom = "source" if evidence == "source" else "output" if evidence == "output" else "none"
    return LabelPart(unit, unit, tuple(options), kept, qualifier if unit == "claim" else None)


def _read_qualifier(metric: Section, path: str) -> Qualifier | None:
    for section in metric.sections:
        if section.title in QUALIFIERS:
            name = section.title.lower()
            table = read_table(section, path, (name, "meaning"))
            return Qualifier(name, tuple(Option(row.cells[name], row.cells["meaning"]) for row in table.rows))
    return None


def _read_grade(section: Section, path: str, scale: Scale) -> GradePart:
    settings = Settings(section, path)
    kept = settings.choice("kept", ("as the score", "beside the score"), "as the score")
    settings.finish()
    table = read_table(section, path, ("level", "meaning"))
    levels = []
    for row in table.rows:
        level = settings.read_number(row.cells["level"], "level", row.line, scale.low, scale.high)
        levels.append(Level(level, row.cells["meaning"]))
    found = {level.level for level in levels}
    if len(found) != len(levels):
        raise settings.fault(table.line, "a level stands twice", "Give each level one row.")
    if not {scale.low, scale.high} <= found:
        raise settings.fault(table.line, "the levels leave out an end of the scale", "Describe the best and the worst.")
    whole = scale.decimals == 0 and scale.high - scale.low <= 5
    if whole and len(found) != scale.high - scale.low + 1:
        gaps = [str(level) for level in range(int(scale.low), int(scale.high) + 1) if level not in found]
        raise settings.fault(table.line, f"level {', '.join(gaps)} is missing", "Describe every level of the scale.")
    name = section.title.partition(":")[2]
    return GradePart(identifier(name) if name else "grade", scale, tuple(levels), kept == "beside the score")


def _read_pick(section: Section, path: str) -> PickPart:
    settings = Settings(section, path)
    over = settings.choice("over", ("options", "claims", "sources"), "options")
    least, most = settings.whole("least", 0), settings.whole("most", 1)
    settings.finish()
    options: tuple[Option, ...] = ()
    if over == "options":
        table = read_table(section, path, ("option", "meaning"))
        options = tuple(Option(row.cells["option"], row.cells["meaning"]) for row in table.rows)
    name = identifier(section.title.removeprefix(PICK_PREFIX))
    if over == "claims":
        return PickPart(name, "claims", options, least, most, section.prose)
    return PickPart(name, "sources" if over == "sources" else "options", options, least, most, section.prose)


def _read_list(section: Section, path: str) -> ListPart:
    settings = Settings(section, path)
    least, most = settings.whole("least", 0), settings.whole("most", 20)
    words = settings.whole("words together at most", 0)
    settings.finish()
    table = read_table(section, path, ("field", "meaning"), ("options",))
    fields = tuple(
        Field(
            row.cells["field"],
            row.cells["meaning"],
            tuple(option.strip() for option in row.cells.get("options", "").split(",") if option.strip()),
        )
        for row in table.rows
    )
    name = identifier(section.title.removeprefix(LIST_PREFIX))
    return ListPart(name, fields, least, most, section.prose, words or None)
