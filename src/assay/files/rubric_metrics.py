"""Reads one metric of a rubric: its scale, its rule with the rule's numbers, its parts and caps."""

import re
from collections.abc import Mapping
from fractions import Fraction

from assay.domain.parts import GradePart, LabelPart, ListPart, Part
from assay.domain.rubric import Cap, Metric
from assay.domain.scale import Scale
from assay.domain.units import NAMES
from assay.errors import InputError
from assay.files.markdown import Section, TableBlock
from assay.files.rubric_parts import (
    GRADE,
    LABEL_PREFIX,
    LIST_PREFIX,
    PICK_PREFIX,
    QUALIFIERS,
    UNIT_NAMES,
    read_parts,
    read_table,
    read_words,
    refuse_unread,
)
from assay.files.settings import Settings, nearest
from assay.scoring.rules import RULES, Rule

_CAP = re.compile(r"^(\S+) when any ([a-z ]+?) is (.+)$")
_TABLE_TITLES = ("Bands", "Limits")
_TITLES = (*QUALIFIERS, GRADE, *_TABLE_TITLES, "Truth labels", "Example")
_PREFIXES = (LABEL_PREFIX, PICK_PREFIX, LIST_PREFIX, f"{GRADE}: ")
_MATCHES = ("match", "partial", "mismatch", "undetermined")
_SEVERITIES = ("minor", "significant")


def read_metric(section: Section, path: str) -> Metric:
    refuse_unread(section, path, "settings", "text", "headings")
    _check_headings(section, path)
    settings = Settings(section, path)
    line = settings.line_of("rule")
    name = settings.text("rule")
    if name not in RULES:
        raise settings.fault(line, f"unknown rule {name!r}", nearest(name, RULES))
    rule = RULES[name]
    scale = _read_scale(rule, settings)
    parts = read_parts(section, path, scale)
    identifier = section.title.removeprefix("Metric: ").strip()
    metric = Metric(
        id=identifier,
        name=settings.text("name", identifier.replace("_", " ").capitalize()),
        question=section.prose,
        scale=scale,
        rule=name,
        settings=_read_rule_settings(rule, settings, scale),
        bands=_read_bands(rule, section, path, scale),
        parts=parts,
        caps=_read_caps(settings, scale),
        weight=settings.number("weight", "1", Fraction(0), Fraction(1000)),
        shows=tuple(each.strip() for each in (settings.maybe("shows") or "").split(",") if each.strip()),
        claims_from=settings.maybe("claims from"),
        truth_labels=_read_truth_labels(rule, section, path, parts),
        examples=tuple(quote for each in section.sections if each.title == "Example" for quote in each.quotes),
    )
    settings.finish()
    if not metric.question:
        raise settings.fault(section.line, f"{section.title!r} asks nothing", "Write its question under the settings.")
    _check_units(rule, metric, section, path)
    _check_grades(rule, parts, section, path)
    return metric


def _check_headings(section: Section, path: str) -> None:
    seen: set[str] = set()
    for each in section.sections:
        if each.title not in _TITLES and not each.title.startswith(_PREFIXES):
            known = (*_TITLES, *(f"{prefix}…" for prefix in _PREFIXES))
            message = f"unknown heading {each.title!r} under {section.title!r}"
            raise InputError(message, path=path, line=each.line, remedy=nearest(each.title, known))
        if each.title == "Example":
            refuse_unread(each, path, "quotes")
            if not each.quotes:
                raise InputError("an empty example", path=path, line=each.line, remedy="Open its lines with `> `.")
        elif each.title in seen:
            message = f"the heading {each.title!r} stands twice under {section.title!r}"
            raise InputError(message, path=path, line=each.line, remedy="Keep one of the two.")
        seen.add(each.title)


def _read_scale(rule: Rule, settings: Settings) -> Scale:
    line = settings.line_of("scale")
    scale = settings.scale()
    low, high = rule.points or (scale.low, scale.high)
    if scale.low != low or scale.high != high:
        remedy = f"Write `- scale: {low} to {high}, high is best`."
        raise settings.fault(line, f"the rule {rule.name!r} gives {low} to {high}", remedy)
    if rule.counts_down and scale.best == "low":
        remedy = "Write a scale where high is best, or choose another rule."
        raise settings.fault(line, f"the rule {rule.name!r} takes off from the top of the scale", remedy)
    return scale


def _read_rule_settings(rule: Rule, settings: Settings, scale: Scale) -> Mapping[str, str]:
    values = {}
    for setting in rule.settings:
        line = settings.line_of(setting.name)
        if setting.options:
            values[setting.name] = settings.choice(setting.name, setting.options, setting.default)
        elif setting.a_score:
            written = settings.text(setting.name, setting.default)
            values[setting.name] = str(settings.read_score(written, setting.name, line, scale))
        else:
            number = settings.number(setting.name, setting.default, setting.low, setting.high)
            if setting.whole and number.denominator != 1:
                raise settings.fault(line, f"{setting.name!r} is {float(number)}", "Write a whole number.")
            values[setting.name] = str(number)
    return values


def _read_bands(rule: Rule, section: Section, path: str, scale: Scale) -> tuple[Mapping[str, str], ...]:
    for each in section.sections:
        if each.title in _TABLE_TITLES and (not rule.table or each.title != rule.table_title):
            message = f"the rule {rule.name!r} reads no table {each.title!r}"
            raise InputError(
                message, path=path, line=each.line, remedy="Take it out, or choose the rule it belongs to."
            )
    if not rule.table:
        return ()
    found = [each for each in section.sections if each.title == rule.table_title]
    if not found:
        raise InputError(
            f"the rule {rule.name!r} needs its table",
            path=path,
            line=section.line,
            remedy=f"Add `### {rule.table_title}` with the columns {', '.join(rule.table)}.",
        )
    refuse_unread(found[0], path, "tables")
    table = read_table(found[0], path, rule.table)
    settings = Settings(found[0], path)
    for row in table.rows:
        for column, cell in row.cells.items():
            if column in {"score", "at most"}:
                settings.read_score(cell, column, row.line, scale)
            elif column == "share at least":
                settings.read_number(cell, column, row.line, Fraction(0), Fraction(1))
            elif column.endswith("at most") and cell != "any":
                settings.read_whole(cell, column, row.line)
    if "determination" in rule.table:
        _check_limits(table, settings)
    else:
        _check_order(table, settings, scale)
    return tuple(row.cells for row in table.rows)


def _check_limits(table: TableBlock, settings: Settings) -> None:
    found = read_words(table, "determination", settings.path)
    for row in table.rows:
        if row.cells["determination"] not in _MATCHES:
            remedy = nearest(row.cells["determination"], _MATCHES)
            raise settings.fault(row.line, f"'determination' is {row.cells['determination']!r}", remedy)
    for name in _MATCHES:
        if name not in found:
            raise settings.fault(table.line, f"{name!r} has no limit", "Give each of the four a row.")


def _check_order(table: TableBlock, settings: Settings, scale: Scale) -> None:
    """The first band that fits is the score, so bands run from best to worst and each lets in more than the last."""
    counted = [column for column in table.columns if column.endswith(" at most")]
    for column in counted:
        if table.rows[-1].cells[column] != "any":
            remedy = "Give it `any` in every column."
            raise settings.fault(table.rows[-1].line, "the last band leaves counts out", remedy)
    for above, below in zip(table.rows, table.rows[1:], strict=False):
        better = scale.goodness(Fraction(above.cells["score"])) > scale.goodness(Fraction(below.cells["score"]))
        wider = all(_reach(above.cells, column) <= _reach(below.cells, column) for column in counted)
        if not counted:
            wider = Fraction(above.cells["share at least"]) > Fraction(below.cells["share at least"])
        if not (better and wider):
            remedy = "Order the bands from the best score to the worst, each one letting in what the last left out."
            raise settings.fault(below.line, "a band out of order", remedy)


def _reach(cells: Mapping[str, str], column: str) -> float:
    return float("inf") if cells[column] == "any" else int(cells[column])


def _read_caps(settings: Settings, scale: Scale) -> tuple[Cap, ...]:
    caps = []
    for line in settings.every("cap"):
        match = _CAP.match(line.value)
        if not match or match[2] not in UNIT_NAMES:
            remedy = f"Write `4 when any claim is absent or contradicted`; units are {', '.join(UNIT_NAMES)}."
            raise settings.fault(line.line, f"the cap {line.value!r} can't be read", remedy)
        if scale.best == "low":
            remedy = "A cap holds a score down: write a scale where high is best."
            raise settings.fault(line.line, "a cap on a scale where low is best would better the score", remedy)
        limit = settings.read_score(match[1], "cap", line.line, scale)
        caps.append(Cap(limit, UNIT_NAMES[match[2]], tuple(re.split(r", | or ", match[3]))))
    return tuple(caps)


def _read_truth_labels(rule: Rule, section: Section, path: str, parts: tuple[Part, ...]) -> Mapping[str, str]:
    for each in section.sections:
        if each.title != "Truth labels":
            continue
        refuse_unread(each, path, "tables")
        if rule.name != "determination":
            message = f"the rule {rule.name!r} reads no truth labels"
            raise InputError(message, path=path, line=each.line, remedy="Take the table out.")
        table = read_table(each, path, ("label", "determination"))
        read_words(table, "label", path)
        fields = [field for part in parts if isinstance(part, ListPart) for field in part.fields]
        known = next((field.options for field in fields if field.name == "determination"), ())
        for row in table.rows:
            value = row.cells["determination"]
            if not value or (known and value not in known):
                message = f"the determination {value!r} is none that an answer can have"
                raise InputError(message, path=path, line=row.line, remedy=nearest(value, known))
        return {row.cells["label"]: row.cells["determination"] for row in table.rows}
    return {}


def _check_units(rule: Rule, metric: Metric, section: Section, path: str) -> None:
    """A rule finds the units it counts, and nothing is labelled for a rule that would not look."""

    def fault(message: str, remedy: str) -> InputError:
        return InputError(f"the rule {rule.name!r} {message}", path=path, line=section.line, remedy=remedy)

    units = [part.unit for part in metric.parts if isinstance(part, LabelPart)]
    for unit in rule.units:
        if unit not in units:
            one, many = NAMES[unit]
            raise fault(f"counts {many}, and none are labelled", f"Add `### {LABEL_PREFIX}{one}` with its table.")
    if rule.any_unit and len(units) != 1:
        said = "none are labelled" if not units else "there are two kinds"
        raise fault(f"counts labelled units, and {said}", f"Give it one `### {LABEL_PREFIX}…` with its table.")
    if rule.shared_claims and metric.claims_from is None and "claim" not in units:
        raise fault("looks at claims, and there are none", "Add `- claims from: …` with the metric that labels them.")
    if "significant at most" in rule.table:
        part = metric.labels("claim")
        words = tuple(option.name for option in part.qualifier.options) if part and part.qualifier else ()
        if words != _SEVERITIES:
            remedy = f"Add `### Severity` with the rows {' and '.join(_SEVERITIES)}, in this order."
            raise fault("tells minor doubts from significant ones", remedy)


def _check_grades(rule: Rule, parts: tuple[Part, ...], section: Section, path: str) -> None:
    """A grade that makes the score is one the rule reads; the others say that they are kept beside it."""
    grades = sum(isinstance(part, GradePart) and not part.kept for part in parts)
    wanted = {
        "none": (grades == 0, "takes no grade as the score", "Add `- kept: beside the score` under the grade."),
        "one": (grades == 1, "needs one grade", "Give it one `### Grade` with a table of levels."),
        "several": (grades >= 2, "needs two grades or more", "Add `### Grade: …` with a table of levels for each."),
        "optional": (grades <= 1, "takes one grade at most", "Keep one `### Grade`."),
    }
    holds, message, remedy = wanted[rule.grades]
    if not holds:
        raise InputError(f"the rule {rule.name!r} {message}", path=path, line=section.line, remedy=remedy)
