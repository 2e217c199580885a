"""Reads one metric of a rubric: its scale, its rule with the rule's numbers and caps, and the parts that it asks for.

The parts are label tables, grades, picks and lists, each under its own heading.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
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
from assay.domain.rubric import Alarm, Cap, Comparison, Metric
from assay.domain.scale import YES_NO, Scale
from assay.domain.units import NAMES, UnitKind
from assay.files.markdown import MarkdownSection, MarkdownTable, NamedText, identifier
from assay.scoring.rules import RULES, Rule
from assay.scoring.rules.opinions import ANY, AT_LEAST, NONE
from assay.scoring.rules.shares import PASSES_AT

UNIT_NAMES: dict[str, UnitKind] = {names[0]: kind for kind, names in NAMES.items()}
# Units that no bank writes: cut from the output, or given by the record.
CUT_BY_CODE: tuple[UnitKind, ...] = ("claim", "section", "criterion", "source", "turn")
_BANKED: tuple[UnitKind, ...] = ("key_point", "question", "item")
_IF_ANY = ", if there is any"
# Where the evidence of each kind of unit may stand. A claim or section is itself a part of the output.
_EVIDENCE: Mapping[str, tuple[UnitKind, ...]] = {
    "source": ("claim", *_BANKED, "source"),
    "output": (*_BANKED, "criterion"),
    f"output{_IF_ANY}": ("criterion",),
    "none": get_args(UnitKind),
}
# For parts that do not look at it.
_ANY_SCALE = Scale(Fraction(0), Fraction(1))
_SEVERITY = "Severity"
SUPPORT_LABELS = (*SUPPORTS, NO_FACT)
_CAP = re.compile(r"^(\S+) when any ([a-z ]+?) is (.+)$")
_TABLE_TITLES = tuple(dict.fromkeys(rule.table_title for rule in RULES.values()))
_COUNT = " at most"
_COMPARES = re.compile(r"(?P<stated>\w+) with (?P<truth>\w+)")
_WATCH = re.compile(r"(?P<name>[^,]+), (?P<stated>\w+) where the truth is (?P<truth>\w+)")


def read_metric(section: MarkdownSection) -> Metric | None:
    """None where its scale or rule can't be read. What is wrong is among the faults of the section."""
    section.check_headings(_HEADINGS, repeated="Example")
    rule = section.attempt(partial(_find_rule, section))
    scale = section.attempt(section.get("scale").scale if rule is None else partial(_read_scale, rule, section))
    parts = _read_parts(section, scale)
    name = section.title.removeprefix("Metric: ").strip()
    title = section.attempt(partial(section.get, "name", name.replace("_", " ").capitalize()))
    weight = section.attempt(lambda: section.get("weight", "1").number(Fraction(0), Fraction(1000)))
    compares = section.attempt(partial(_read_comparison, section))
    truth_labels = section.attempt(partial(_read_truth_labels, section))
    examples = section.attempt(partial(_read_examples, section))
    if not (section.prose or section.damaged):
        section.faults.append(
            section.fault(f"{section.title!r} has no question", "Write its question under the settings.")
        )
    if rule is None or scale is None:
        section.asked.clear()
        return None
    metric = Metric(
        id=name,
        name=title.text if title is not None else name,
        question=section.prose,
        scale=scale,
        rule=rule.name,
        settings=section.attempt(partial(_read_rule_settings, rule, section)) or {},
        bands=section.attempt(partial(_read_bands, rule, section, scale)) or (),
        parts=tuple(part for part in parts if not _is_for_ranking(part)),
        ranking=next((part for part in parts if isinstance(part, GradePart) and part.for_ranking), None),
        caps=section.attempt(partial(_read_caps, section, scale)) or (),
        weight=Fraction(1) if weight is None else weight,
        shows=section.get("shows", "").names(),
        claims_from=section.get("claims from", "").text or None,
        needs=section.get("needs", "").text or None,
        compares=compares,
        truth_labels=truth_labels or {},
        examples=examples or (),
    )
    if section.is_sound:
        section.attempt(partial(_check_rule, rule, metric, section))
    return metric


def _find_rule(section: MarkdownSection) -> Rule:
    setting = section.get("rule")
    section.expect(setting.text, RULES, f"unknown rule {setting.text!r}", setting.line)
    return RULES[setting.text]


def _read_examples(section: MarkdownSection) -> tuple[str, ...]:
    for each in section.find_sections("Example"):
        each.read.add("quotes")
        if not each.quotes:
            raise each.fault("an empty example", "Open its lines with `> `.")
    return tuple(quote for each in section.find_sections("Example") for quote in each.quotes)


def _read_scale(rule: Rule, section: MarkdownSection) -> Scale:
    setting = section.get("scale")
    scale = setting.scale()
    if section.every(PASSES_AT) and not scale.is_yes_no:
        remedy = "Leave it out, or write `- scale: no to yes, yes is best`."
        raise section.fault(f"{PASSES_AT!r} only applies to a yes/no scale", remedy, section.line_of(PASSES_AT))
    low, high = rule.points or (scale.low, scale.high)
    if scale.low != low or scale.high != high:
        remedy = f"Write `- scale: {low} to {high}, high is best`."
        raise setting.fault(f"the rule {rule.name!r} gives {low} to {high}", remedy)
    if rule.counts_down and scale.best == "low":
        remedy = "Write a scale where high is best, or choose another rule."
        raise setting.fault(f"the rule {rule.name!r} subtracts from the top of the scale", remedy)
    return scale


def _read_rule_settings(rule: Rule, section: MarkdownSection) -> Mapping[str, str]:
    values = {}
    for declared in rule.settings:
        setting = section.get(declared.name, declared.default)
        if declared.options:
            values[declared.name] = setting.choice(declared.options)
        elif declared.text:
            values[declared.name] = setting.text
        else:
            number = setting.number(declared.low, declared.high)
            if declared.whole and number.denominator != 1:
                raise setting.fault(f"{declared.name!r} is {float(number)}", "Write a whole number.")
            values[declared.name] = str(number)
    return values


def _read_bands(rule: Rule, section: MarkdownSection, scale: Scale) -> tuple[Mapping[str, str], ...]:
    found = {each.title: each for each in section.sections if each.title in _TABLE_TITLES}
    for title, each in found.items():
        if not rule.table or title != rule.table_title:
            remedy = "Remove it, or choose the rule it belongs to."
            raise each.fault(f"the rule {rule.name!r} has no table {title!r}", remedy)
    if not rule.table:
        return ()
    if not found:
        remedy = f"Add `### {rule.table_title}` with the columns {', '.join(rule.table)}."
        raise section.fault(f"the rule {rule.name!r} needs its table", remedy)
    (bands,) = found.values()
    table = bands.get_table(rule.table, rule.optional, others=rule.facts, repeats=rule.facts)
    for row in table.rows:
        for column, cell in row.items():
            _check_band(column, cell, rule, scale)
    if not rule.facts:
        _check_order(table, bands, scale)
    return table.texts


def _check_band(column: str, cell: NamedText, rule: Rule, scale: Scale) -> None:
    """Checks a cell: a score, a limit, a count, or a condition on a fact. `any` and `none` stand for no number."""
    if cell.text == ANY or (cell.text == NONE and column in rule.optional):
        return
    if column in {"score", "at most", *rule.optional}:
        cell.score(scale)
    elif column.endswith(AT_LEAST):
        cell.number(Fraction(0), Fraction(1))
    elif column.endswith(_COUNT):
        cell.whole()
    else:
        cell.filled()


def _check_order(table: MarkdownTable, section: MarkdownSection, scale: Scale) -> None:
    """The first band that fits is the score, so bands run from best to worst and each lets in more than the last."""
    counted = [column for column in table.columns if column.endswith(_COUNT)]
    rows = table.texts
    lines = [row["score"].line for row in table.rows]
    if any(rows[-1][column] != ANY for column in counted):
        raise section.fault("the last band does not cover every count", "Give it `any` in every column.", lines[-1])
    for above, below, line in zip(rows, rows[1:], lines[1:], strict=False):
        better = scale.goodness(Fraction(above["score"])) > scale.goodness(Fraction(below["score"]))
        wider = all(_reach(above[column]) <= _reach(below[column]) for column in counted)
        if not (better and wider):
            remedy = "Order the bands from the best score to the worst, each with higher limits than the one above it."
            raise section.fault("a band out of order", remedy, line)


def _reach(cell: str) -> float:
    return float("inf") if cell == ANY else int(cell)


def _read_caps(section: MarkdownSection, scale: Scale) -> tuple[Cap, ...]:
    caps = []
    for setting in section.every("cap"):
        match = _CAP.match(setting.text)
        if not match or match[2] not in UNIT_NAMES:
            remedy = f"Write `4 when any claim is extraneous`; units are {', '.join(UNIT_NAMES)}."
            raise setting.fault(f"the cap {setting.text!r} can't be read", remedy)
        if scale.best == "low":
            remedy = "A cap lowers a score: write a scale where high is best."
            raise setting.fault("a cap on a scale where low is best would improve the score", remedy)
        limit = NamedText("cap", match[1], setting.line, setting.path).score(scale)
        caps.append(Cap(limit, UNIT_NAMES[match[2]], tuple(re.split(r", | or ", match[3]))))
    return tuple(caps)


def _read_comparison(section: MarkdownSection) -> Comparison | None:
    """`- compares: FACT with FACT` over the values of the truth labels, and `- watch:` for one cell of the table."""
    setting, watch = section.get("compares", ""), section.get("watch", "")
    if not setting.text:
        return None
    facts = _COMPARES.fullmatch(setting.text)
    if facts is None:
        raise setting.misfit("Write two facts: `determination with truth`.")
    values = tuple(dict.fromkeys(_read_truth_labels(section).values()))
    if not values:
        raise setting.fault("there are no values to compare", "Add `### Truth labels` with what each label means.")
    watched = _WATCH.fullmatch(watch.text) if watch.text else None
    if watch.text and watched is None:
        raise watch.misfit("Write it as `false-pass rate, pass where the truth is fail`.")
    alarm = None if watched is None else Alarm(watched["name"], watched["stated"], watched["truth"])
    return Comparison(facts["stated"], facts["truth"], values, alarm)


def _read_truth_labels(section: MarkdownSection) -> Mapping[str, str]:
    """What each label of the truth means, in the words that an answer can have."""
    labels: dict[str, str] = {}
    for each in section.find_sections("Truth labels"):
        labels = {row["label"].text: row["means"].filled() for row in each.get_table(("label", "means")).rows}
    return labels


def _check_rule(rule: Rule, metric: Metric, section: MarkdownSection) -> None:
    """The metric asks for the units and grades that its rule reads, and for no other grade as the score."""
    units = [part.unit for part in metric.label_parts]
    claims = metric.labels("claim")
    has_severity = claims is not None and claims.qualifier is not None
    counts_severity = any(column.endswith(_COUNT) for column in rule.table)
    grades = sum(not part.only_reported for part in metric.grade_parts)
    kinds = [NAMES[unit] for unit in rule.units if unit not in units]
    one, many = kinds[0] if kinds else ("", "")
    severities = "Add `### Severity` with the rows slight and serious, in this order."
    levels = f"the levels {' and '.join(YES_NO)}" if metric.scale.is_yes_no else "levels"
    wanted = (
        (not kinds, f"counts {many}, and none are labelled", f"Add `### Label each {one}` with its table."),
        (
            len(units) == 1 or not rule.any_unit,
            f"counts one kind of unit, and {len(units) or 'none'} are labelled",
            "Give it one `### Label each …` with its table.",
        ),
        (
            metric.claims_from or "claim" in units or not rule.shared_claims,
            "looks at claims, and there are none",
            "Add `- claims from: …` with the metric that labels them.",
        ),
        (
            claims is None or not rule.by_support or {each.name for each in claims.options} <= set(SUPPORT_LABELS),
            "needs the standard labels of claims",
            f"Label them {', '.join(SUPPORT_LABELS)}.",
        ),
        (has_severity or not counts_severity, "counts slight and serious faults separately", severities),
        {
            "none": (
                grades == 0,
                "does not use the grade as the score",
                "Add `- kept: beside the score` under the grade.",
            ),
            "one": (grades == 1, "needs one grade", f"Give it one `### Grade` with a table of {levels}."),
            "several": (grades >= 2, "needs two grades or more", "Add `### Grade: …` with a table of levels for each."),
            "optional": (grades <= 1, "takes one grade at most", "Keep one `### Grade`."),
        }[rule.grades],
    )
    for holds, message, remedy in wanted:
        if not holds:
            raise section.fault(f"the rule {rule.name!r} {message}", remedy)


def _is_for_ranking(part: Part) -> bool:
    return isinstance(part, GradePart) and part.for_ranking


def _read_parts(metric: MarkdownSection, scale: Scale | None) -> tuple[Part, ...]:
    """Those that can be read. Grades need the scale."""
    parts: list[Part] = []
    qualifier = metric.attempt(partial(_read_qualifier, metric))
    for section in metric.sections:
        prefix = next((prefix for prefix in _PART_PREFIXES if f"{section.title}: ".startswith(prefix)), None)
        if prefix is None or (scale is None and prefix.startswith("Grade")):
            section.failed = section.failed or prefix is not None
            continue
        name = section.title.removeprefix(prefix.strip()).strip()
        part = section.attempt(partial(_PART_PREFIXES[prefix], section, name, scale or _ANY_SCALE), whole=True)
        if part is None:
            continue
        if any(part.id == each.id for each in parts):
            message = f"two parts of {metric.title!r} are called {part.id!r}"
            metric.faults.append(section.fault(message, "Give each its own name."))
        if isinstance(part, LabelPart) and part.unit == "claim":
            part = replace(part, qualifier=qualifier)
        parts.append(part)
    return tuple(parts)


def _read_options(section: MarkdownSection, column: str) -> tuple[Option, ...]:
    rows = section.get_table((column, "meaning")).rows
    return tuple(Option(row[column].text, row["meaning"].filled()) for row in rows)


def _read_qualifier(metric: MarkdownSection) -> Qualifier | None:
    section = next((section for section in metric.sections if section.title == _SEVERITY), None)
    if section is None:
        return None
    if "Label each claim" not in [each.title for each in metric.sections]:
        remedy = "Add `### Label each claim` to this metric, or take the heading out."
        raise section.fault(f"{_SEVERITY!r} without labelled claims", remedy)
    options = _read_options(section, _SEVERITY.lower())
    if tuple(option.name for option in options) != get_args(Severity):
        remedy = f"Give it the rows {' and '.join(get_args(Severity))}, in this order."
        raise section.fault("the severities are not those that the rule counts", remedy)
    return Qualifier(_SEVERITY.lower(), options)


def _read_label(row: Mapping[str, NamedText]) -> Option:
    label = row["label"]
    if identifier(label.text.casefold()) == UNDECIDED:
        remedy = "It means a unit without an answer: choose another."
        raise label.fault(f"the label {label.text!r} is reserved", remedy)
    return Option(label.text, row["meaning"].filled(), row["value"].number(Fraction(0), Fraction(1)))


def _read_labels(section: MarkdownSection, name: str, _: Scale) -> LabelPart | None:
    section.expect(name, UNIT_NAMES, f"unknown unit {name!r}")
    unit = UNIT_NAMES[name]
    evidence, quotes_optional = _read_evidence(section, unit)
    table = section.get_table(("label", "value", "meaning"))
    options = section.attempt_each(table.rows, _read_label)
    if len(options) < len(table.rows):
        return None
    if len({option.value for option in options}) < 2:
        remedy = "Give two labels or more, the best the value 1 and the worst the value 0."
        raise section.fault("all labels have the same value", remedy, table.line)
    if evidence == "source" and unit == "claim":
        _check_support(options, section, table.line)
    return LabelPart(unit, unit, tuple(options), evidence, quotes_optional=quotes_optional)


def _check_support(options: Sequence[Option], section: MarkdownSection, line: int) -> None:
    """Judges and checks know these labels by name, so no table makes a contradiction the best label."""
    values = {option.name: option.value or Fraction(0) for option in options}
    best = SUPPORTS[0]
    if unknown := [name for name in values if name not in SUPPORT_LABELS]:
        remedy = f"Claims with evidence from a source are labelled {', '.join(SUPPORT_LABELS)}."
        raise section.fault(f"{unknown[0]!r} is not a label of support", remedy, line)
    if best not in values:
        raise section.fault(f"there is no label {best!r}", "Add it to the table, with the value 1.", line)
    above = [name for name in SUPPORTS if values.get(name, Fraction(0)) > values[best]]
    level = [name for name in SUPPORTS[2:] if values.get(name) == values[best]]
    if above or level:
        remedy = "Give supported the value 1, contradicted and absent 0, and partial a value between them."
        raise section.fault(f"{(above or level)[0]!r} counts as much as {best!r}, or more", remedy, line)


def _read_evidence(section: MarkdownSection, unit: UnitKind) -> tuple[EvidenceFrom, bool]:
    """Where a quote must stand, and whether a label may do without one."""
    setting = section.get("evidence", "none")
    known = [name for name, units in _EVIDENCE.items() if unit in units]
    if setting.text in _EVIDENCE and setting.text not in known:
        listed = " or ".join(f"`- evidence: {name}`" for name in known if name != "none")
        remedy = f"Write {listed}, or leave the line out." if listed else "Leave the line out."
        raise setting.fault(f"{NAMES[unit][1]} can't have evidence from the {setting.text}", remedy)
    setting.choice(known)
    name = setting.text.removesuffix(_IF_ANY)
    return cast("EvidenceFrom", name), name != setting.text


def _read_grade(section: MarkdownSection, name: str, scale: Scale) -> GradePart | None:
    kept = section.get("kept", "as the score").choice(("as the score", "beside the score", "side by side"))
    table = section.get_table(("level", "meaning"))
    levels = tuple(
        section.attempt_each(table.rows, lambda row: Level(row["level"].score(scale), row["meaning"].filled()))
    )
    if len(levels) < len(table.rows):
        return None
    found = {level.level for level in levels}
    if not {scale.low, scale.high} <= found:
        raise section.fault(
            "the levels don't describe both ends of the scale", "Describe the best and the worst.", table.line
        )
    if scale.decimals == 0 and scale.high - scale.low <= 5:
        gaps = [str(level) for level in range(int(scale.low), int(scale.high) + 1) if level not in found]
        if gaps:
            raise section.fault(f"level {', '.join(gaps)} is missing", "Describe every level of the scale.", table.line)
    is_reported = kept != "as the score"
    return GradePart(identifier(name) or "grade", scale, levels, is_reported, section.prose, kept == "side by side")


def _read_pick(section: MarkdownSection, name: str, _: Scale) -> PickPart:
    over = section.get("over", "options").choice(("options", "claims", "sources"))
    least, most = section.get_limits("1")
    options = _read_options(section, "option") if over == "options" else ()
    return PickPart(
        identifier(name), cast('Literal["options", "claims", "sources"]', over), options, least, most, section.prose
    )


def _read_list(section: MarkdownSection, name: str, _: Scale) -> ListPart:
    least, most = section.get_limits("20")
    words = section.get("words together at most", "0").whole()
    copied = section.get("copied from the output", "")
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
_PART_PREFIXES: Mapping[str, Callable[[MarkdownSection, str, Scale], Part | None]] = {
    "Label each ": _read_labels,
    "Grade: ": _read_grade,
    "Pick: ": _read_pick,
    "List: ": _read_list,
}
_HEADINGS = (_SEVERITY, "Grade", *_TABLE_TITLES, "Truth labels", "Example", *_PART_PREFIXES)
