"""Reads one metric of a rubric: its scale, its rule with the rule's numbers, its parts and caps."""

import re
from collections.abc import Mapping
from fractions import Fraction

from assay.domain.parts import Part
from assay.domain.rubric import Cap, Metric
from assay.domain.scale import Scale
from assay.domain.units import NAMES
from assay.errors import InputError
from assay.files.markdown import Section
from assay.files.rubric_parts import (
    GRADE,
    LABEL_PREFIX,
    LIST_PREFIX,
    PICK_PREFIX,
    QUALIFIERS,
    UNIT_NAMES,
    read_parts,
    read_table,
)
from assay.files.settings import Settings, nearest
from assay.scoring.rules import RULES, Rule

_CAP = re.compile(r"^(-?[\d.]+) when any ([a-z ]+) is (.+)$")
_TITLES = (*QUALIFIERS, GRADE, "Bands", "Limits", "Truth labels", "Example")
_PREFIXES = (LABEL_PREFIX, PICK_PREFIX, LIST_PREFIX, f"{GRADE}: ")


def read_metric(section: Section, path: str) -> Metric:
    _check_headings(section, path)
    settings = Settings(section, path)
    line = settings.line_of("rule")
    name = settings.text("rule")
    if name not in RULES:
        raise settings.fault(line, f"unknown rule {name!r}", nearest(name, RULES))
    rule = RULES[name]
    scale = settings.scale()
    parts = read_parts(section, path, scale)
    identifier = section.title.removeprefix("Metric: ").strip()
    metric = Metric(
        id=identifier,
        name=settings.text("name", identifier.replace("_", " ").capitalize()),
        question=section.prose,
        scale=scale,
        rule=name,
        settings=_read_rule_settings(rule, settings),
        bands=_read_bands(rule, section, path, scale),
        parts=parts,
        caps=_read_caps(settings, scale),
        weight=settings.number("weight", "1", Fraction(0), Fraction(1000)),
        shows=tuple(each.strip() for each in (settings.maybe("shows") or "").split(",") if each.strip()),
        claims_from=settings.maybe("claims from"),
        truth_labels=_read_truth_labels(section, path),
        examples=tuple(quote for each in section.sections if each.title == "Example" for quote in each.quotes),
    )
    settings.finish()
    _check_rule(rule, parts, section, path)
    return metric


def _check_headings(section: Section, path: str) -> None:
    for each in section.sections:
        if each.title not in _TITLES and not each.title.startswith(_PREFIXES):
            known = (*_TITLES, *(f"{prefix}…" for prefix in _PREFIXES))
            message = f"unknown heading {each.title!r} under {section.title!r}"
            raise InputError(message, path=path, line=each.line, remedy=nearest(each.title, known))


def _read_rule_settings(rule: Rule, settings: Settings) -> Mapping[str, str]:
    values = {}
    for setting in rule.settings:
        if setting.options:
            values[setting.name] = settings.choice(setting.name, setting.options, setting.default)
        else:
            values[setting.name] = str(settings.number(setting.name, setting.default, setting.low, setting.high))
    return values


def _read_bands(rule: Rule, section: Section, path: str, scale: Scale) -> tuple[Mapping[str, str], ...]:
    found = [each for each in section.sections if each.title == rule.table_title]
    if not rule.table:
        return ()
    if len(found) != 1:
        raise InputError(
            f"the rule {rule.name!r} needs its table",
            path=path,
            line=section.line,
            remedy=f"Add `### {rule.table_title}` with the columns {', '.join(rule.table)}.",
        )
    table = read_table(found[0], path, rule.table)
    settings = Settings(found[0], path)
    for row in table.rows:
        for column, cell in row.cells.items():
            if column in {"score", "at most"}:
                settings.read_number(cell, column, row.line, scale.low, scale.high)
            elif column == "share at least":
                settings.read_number(cell, column, row.line, Fraction(0), Fraction(1))
            elif column.endswith("at most") and cell != "any" and not cell.isdecimal():
                raise settings.fault(row.line, f"{column!r} is {cell!r}", "Write a whole number or `any`.")
    bands = tuple(row.cells for row in table.rows)
    counted = [column for column in rule.table if column.endswith(" at most")]
    if counted and any(bands[-1][column] != "any" for column in counted):
        raise settings.fault(table.rows[-1].line, "the last band leaves counts out", "Give it `any` in every column.")
    if "determination" in rule.table:
        wanted = {"match", "partial", "mismatch", "undetermined"}
        if missing := wanted - {band["determination"] for band in bands}:
            raise settings.fault(table.line, f"{sorted(missing)[0]!r} has no limit", "Give each of the four a row.")
    return bands


def _read_caps(settings: Settings, scale: Scale) -> tuple[Cap, ...]:
    caps = []
    for line in settings.every("cap"):
        match = _CAP.match(line.value)
        if not match or match[2] not in UNIT_NAMES:
            remedy = f"Write `4 when any claim is absent or contradicted`; units are {', '.join(UNIT_NAMES)}."
            raise settings.fault(line.line, f"the cap {line.value!r} can't be read", remedy)
        limit = settings.read_number(match[1], "cap", line.line, scale.low, scale.high)
        caps.append(Cap(limit, UNIT_NAMES[match[2]], tuple(re.split(r", | or ", match[3]))))
    return tuple(caps)


def _read_truth_labels(section: Section, path: str) -> Mapping[str, str]:
    for each in section.sections:
        if each.title == "Truth labels":
            table = read_table(each, path, ("label", "determination"))
            return {row.cells["label"]: row.cells["determination"] for row in table.rows}
    return {}


def _check_rule(rule: Rule, parts: tuple[Part, ...], section: Section, path: str) -> None:
    """A rule finds the units and grades it counts."""
    units = {part.id for part in parts if part.id in NAMES}
    for unit in rule.units:
        if unit not in units:
            remedy = f"Add `### {LABEL_PREFIX}{NAMES[unit][0]}` with its table."
            message = f"the rule {rule.name!r} counts {NAMES[unit][1]}, and none are labelled"
            raise InputError(message, path=path, line=section.line, remedy=remedy)
    if rule.any_unit and not units:
        message = f"the rule {rule.name!r} counts labelled units, and none are labelled"
        raise InputError(message, path=path, line=section.line, remedy=f"Add `### {LABEL_PREFIX}…` with its table.")
    grades = sum(each.title.split(":")[0] == GRADE for each in section.sections)
    if (rule.grades == "one" and grades != 1) or (rule.grades == "several" and grades < 2):
        message = f"the rule {rule.name!r} needs {'one grade' if rule.grades == 'one' else 'two grades or more'}"
        raise InputError(message, path=path, line=section.line, remedy="Add `### Grade` with a table of levels.")
