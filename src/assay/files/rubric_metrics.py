"""Reads one metric of a rubric: its scale, its rule with the rule's numbers, its parts and caps."""

import re
from collections.abc import Mapping
from fractions import Fraction

from assay.domain.rubric import Alarm, Cap, Comparison, Metric
from assay.domain.scale import Scale
from assay.domain.units import NAMES
from assay.files.markdown import MarkdownSection, MarkdownTable, NamedText
from assay.files.rubric_parts import PART_PREFIXES, SEVERITY, SUPPORT_LABELS, UNIT_NAMES, read_parts
from assay.scoring.rules import RULES, Rule
from assay.scoring.rules.opinions import ANY, AT_LEAST, NONE

_CAP = re.compile(r"^(\S+) when any ([a-z ]+?) is (.+)$")
_TABLE_TITLES = tuple(dict.fromkeys(rule.table_title for rule in RULES.values()))
_HEADINGS = (SEVERITY, "Grade", *_TABLE_TITLES, "Truth labels", "Example", *PART_PREFIXES)
_COUNT = " at most"
_COMPARES = re.compile(r"(?P<stated>\w+) with (?P<truth>\w+)")
_WATCH = re.compile(r"(?P<name>[^,]+), (?P<stated>\w+) where the truth is (?P<truth>\w+)")


def read_metric(section: MarkdownSection) -> Metric:
    section.check_headings(_HEADINGS, repeated="Example")
    setting = section.get("rule")
    section.expect(setting.text, RULES, f"unknown rule {setting.text!r}", setting.line)
    rule = RULES[setting.text]
    scale = _read_scale(rule, section)
    parts = read_parts(section, scale)
    identifier = section.title.removeprefix("Metric: ").strip()
    metric = Metric(
        id=identifier,
        name=section.get("name", identifier.replace("_", " ").capitalize()).text,
        question=section.prose,
        scale=scale,
        rule=rule.name,
        settings=_read_rule_settings(rule, section),
        bands=_read_bands(rule, section, scale),
        parts=parts,
        caps=_read_caps(section, scale),
        weight=section.get("weight", "1").number(Fraction(0), Fraction(1000)),
        shows=section.get("shows", "").names(),
        claims_from=section.get("claims from", "").text or None,
        needs=section.get("needs", "").text or None,
        compares=_read_comparison(section),
        truth_labels=_read_truth_labels(section),
        examples=_read_examples(section),
    )
    section.refuse_unread("text", "headings")
    if not metric.question:
        raise section.fault(f"{section.title!r} has no question", "Write its question under the settings.")
    _check_rule(rule, metric, section)
    return metric


def _read_examples(section: MarkdownSection) -> tuple[str, ...]:
    for each in section.find_sections("Example"):
        each.refuse_unread("quotes")
        if not each.quotes:
            raise each.fault("an empty example", "Open its lines with `> `.")
    return tuple(quote for each in section.find_sections("Example") for quote in each.quotes)


def _read_scale(rule: Rule, section: MarkdownSection) -> Scale:
    setting = section.get("scale")
    scale = setting.scale()
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
            remedy = "Take it out, or choose the rule it belongs to."
            raise each.fault(f"the rule {rule.name!r} reads no table {title!r}", remedy)
    if not rule.table:
        return ()
    if not found:
        remedy = f"Add `### {rule.table_title}` with the columns {', '.join(rule.table)}."
        raise section.fault(f"the rule {rule.name!r} needs its table", remedy)
    (bands,) = found.values()
    bands.refuse_unread("tables")
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
        raise section.fault("the last band leaves counts out", "Give it `any` in every column.", lines[-1])
    for above, below, line in zip(rows, rows[1:], lines[1:], strict=False):
        better = scale.goodness(Fraction(above["score"])) > scale.goodness(Fraction(below["score"]))
        wider = all(_reach(above[column]) <= _reach(below[column]) for column in counted)
        if not (better and wider):
            remedy = "Order the bands from the best score to the worst, each one letting in what the last left out."
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
            remedy = "A cap holds a score down: write a scale where high is best."
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
        each.refuse_unread("tables")
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
            "knows the labels of claims by name",
            f"Label them {', '.join(SUPPORT_LABELS)}.",
        ),
        (has_severity or not counts_severity, "counts slight and serious faults apart", severities),
        {
            "none": (grades == 0, "takes no grade as the score", "Add `- kept: beside the score` under the grade."),
            "one": (grades == 1, "needs one grade", "Give it one `### Grade` with a table of levels."),
            "several": (grades >= 2, "needs two grades or more", "Add `### Grade: …` with a table of levels for each."),
            "optional": (grades <= 1, "takes one grade at most", "Keep one `### Grade`."),
        }[rule.grades],
    )
    for holds, message, remedy in wanted:
        if not holds:
            raise section.fault(f"the rule {rule.name!r} {message}", remedy)
