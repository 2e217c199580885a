"""Reads a rubric from its Markdown file, or says in which line it can't be read and what to write instead."""

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from functools import lru_cache, partial
from importlib.resources import files
from pathlib import Path
from typing import cast, get_args

from assay.checks.catalogue import CHECKS
from assay.domain.json import JSON
from assay.domain.rubric import Bank, Input, InputKind, Metric, Origin, Role, Rubric
from assay.domain.shape import Form, Holds, Shape, ShapeRow, ShapeWord
from assay.domain.units import NAMES
from assay.errors import InputError
from assay.files.markdown import MarkdownSection, NamedText, identifier, parse_markdown
from assay.files.place import find_near, nearest
from assay.files.rubric_metrics import CUT_BY_CODE, SUPPORT_LABELS, UNIT_NAMES, read_metric
from assay.packs import list_packs
from assay.scoring.rules import RULES
from assay.scoring.severity import EXTRANEOUS
from assay.text.keywords import Index

_HEADINGS = ("Inputs", "Bank: ", "Metric: ", "Reply shape")
_KINDS_OF_ROLES = {"criteria": ("criteria",), "reference": ("text",)}
_COUNTED = re.compile(r"^([1-9][0-9]{0,3}) objects$")
_ID_LINE, _VERSION_LINE = (re.compile(rf"^[-*+]\s+{name}:.*$", re.MULTILINE) for name in ("id", "version"))
_VALIDATION_LINE = re.compile(r"^[-*+]\s+validation:.*\n", re.MULTILINE)
_IDENTIFIER = re.compile(r"^[a-z0-9][a-z0-9-]*$")


def find_rubric(name_or_path: str) -> tuple[str, str]:
    """The path (for messages) and the text of an installed rubric by its id, or of any rubric by its file."""
    pack = list_packs().get(name_or_path)
    if pack is not None:
        return f"{pack.id}/rubric.md", pack.read_rubric()
    try:
        return name_or_path, Path(name_or_path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8", path=name_or_path, remedy="Save it as UTF-8.") from error
    except (OSError, ValueError) as error:
        message = f"there is no rubric {name_or_path!r}, or it can't be read"
        raise InputError(message, remedy=_suggest(name_or_path)) from error


def _suggest(name: str) -> str:
    if name.endswith(".md"):
        return "Check the path of the file."
    if f"{name}.md" in {each.name for each in Path().glob("*.md")}:
        return f"Did you mean the file '{name}.md'?"
    close = find_near(name, list_packs())
    return f"{close or 'See `assay rubric list`.'} Or give the path of a rubric file."


def open_rubric(name_or_path: str) -> Rubric:
    path, text = find_rubric(name_or_path)
    return read_rubric(text, path)


def choose_metrics(rubric: Rubric, names: Collection[str]) -> Rubric:
    """The rubric with these metrics alone, or as it is if none are named.

    Raises InputError for an unknown metric, and for one that counts claims which a metric left out would label.
    """
    for name in names:
        if name not in {metric.id for metric in rubric.metrics}:
            remedy = nearest(name, [metric.id for metric in rubric.metrics])
            raise InputError(f"{rubric.id} has no metric {name!r}", remedy=remedy)
        lender = rubric.metric(name).claims_from
        if lender is not None and lender not in names:
            remedy = f"Ask about {lender} too, or leave {name} out."
            raise InputError(f"{name} counts the claims that {lender} labels", remedy=remedy)
    return rubric.only(names) if names and len(set(names)) < len(rubric.metrics) else rubric


def new_rubric(name: str, like: str | None = None) -> str:
    """The text of a small rubric with this id that works as it is, with comments for its author.

    With `like`, it is a copy of that rubric, without what is said of its agreement with people.
    """
    if not _IDENTIFIER.fullmatch(name):
        remedy = "Use lower-case letters, digits and hyphens, as in `meeting-minutes`."
        raise InputError(f"the id {name!r} can't name a rubric", remedy=remedy)
    title = name.replace("-", " ").capitalize()
    if like is not None:
        found = open_rubric(like)
        text = _ID_LINE.sub(f"- id: {name}", found.text.replace(f"# {found.title}", f"# {title}", 1), count=1)
        return _VERSION_LINE.sub("- version: 1", _VALIDATION_LINE.sub("", text, count=1), count=1)
    text = (files("assay.files") / "new_rubric.md").read_text(encoding="utf-8")
    for slot, value in (("title", title), ("identifier", name), ("rules", ", ".join(RULES))):
        text = text.replace(f"{{{slot}}}", value)
    return text


def find_like(task: str) -> str | None:
    """The installed rubric whose title and purpose are nearest to what somebody judges, in a sentence."""
    rubrics = [open_rubric(name) for name in list_packs()]
    texts = [f"{each.title} {each.task} {each.purpose}" for each in rubrics]
    return next((rubrics[at].id for at in Index(texts).best(task, 1)), None)


# Parsing takes 20 ms, and every page and record of a run asks for its rubric.
@lru_cache(maxsize=64)
def read_rubric(text: str, path: str) -> Rubric:
    """Raises InputError with all that is wrong in the file: the first fault, and the `others`."""
    root = parse_markdown(text, path)
    top = root.sections[0] if root.sections else root
    if len(root.sections) != 1 or top.level != 1 or not top.title:
        stray = root.sections[1] if len(root.sections) > 1 and top.level == 1 else top
        raise stray.fault(
            "a rubric has exactly one title", "Begin the file with one line `# Title`, and put the rest under it."
        )
    root.refuse_unread("headings")
    top.attempt(partial(top.check_headings, _HEADINGS))
    inputs = tuple(each for section in top.find_sections("Inputs") for each in _read_inputs(section))
    banks = top.find_sections("Bank: ")
    metrics = tuple(each for section in top.find_sections("Metric: ") if (each := read_metric(section)) is not None)
    shape = next(iter(top.find_sections("Reply shape")), None)
    checks = top.get("checks", "")
    rubric = Rubric(
        id=top.attempt(lambda: _read_id(top.get("id"))) or "",
        version=top.attempt(lambda: top.get("version").text) or "",
        title=top.title,
        purpose=top.prose,
        inputs=inputs,
        banks=tuple(
            found
            for each in banks
            if (found := each.attempt(partial(_read_bank, each, inputs), whole=True)) is not None
        ),
        metrics=metrics,
        digest="",
        text=text,
        shape=None if shape is None else shape.attempt(partial(read_shape, shape, metrics), whole=True),
        checks=tuple(top.attempt_each(checks.names(), lambda name: replace(checks, text=name).choice(CHECKS))),
        notice=top.get("notice", "").text or None,
        tables_as_cells=top.attempt(lambda: top.get("tables", "sentences").choice(("cells", "sentences"))) == "cells",
        task=top.get("task", "").text,
        validation=top.get("validation", "").text,
    )
    is_sound = top.is_sound
    top.refuse_unread()
    if all(section.is_sound for section in top.find_sections("Inputs")):
        _check_roles(rubric, top)
    if not top.find_sections("Metric: "):
        top.faults.append(top.fault("a rubric without a metric", "Add a heading `## Metric: …`."))
    if is_sound:
        _check_whole(rubric, top)
    top.raise_faults()
    return replace(rubric, digest=_digest(rubric))


def _read_id(setting: NamedText) -> str:
    """An id is used in file names, on the command line and in addresses."""
    if not _IDENTIFIER.fullmatch(setting.text):
        raise setting.fault(f"the id {setting.text!r}", "Use lower-case letters, digits and hyphens.")
    return setting.text


def _read_inputs(section: MarkdownSection) -> tuple[Input, ...]:
    table = section.attempt(partial(section.get_table, ("input", "role", "kind", "required", "meaning")))
    inputs: dict[str, Input] = {}
    fields: dict[str, list[Input]] = {}
    rows = table.rows if table is not None else ()
    names = [row["input"].text for row in rows if "." not in row["input"].text]

    def read(row: Mapping[str, NamedText]) -> None:
        parent, _, child = row["input"].text.partition(".")
        section.expect(parent, names, f"fields of the unknown input {parent!r}", row["input"].line)
        if child:
            fields.setdefault(parent, []).append(_read_input(row, child))
        else:
            inputs[parent] = _read_input(row, parent)

    section.attempt_each(rows, read)
    return tuple(replace(each, fields=tuple(fields.get(name, ()))) for name, each in inputs.items())


def _read_input(row: Mapping[str, NamedText], name: str) -> Input:
    role, kind = row["role"].choice(get_args(Role)), row["kind"]
    counted = _COUNTED.match(kind.text)
    for wanted in _KINDS_OF_ROLES.get(role, ()):
        if kind.text != wanted:
            raise kind.fault(f"an input of the role {role} is of the kind {wanted}", f"Write {wanted} as its kind.")
    if kind.text == "criteria" and role != "criteria":
        raise row["role"].fault(f"criteria can't have the role {role}", "Write criteria as the role too.")
    if kind.text == "messages" and role != "output":
        message = f"messages can't have the role {role}: the assistant's are the output, the others are sources"
        raise row["role"].fault(message, "Write output as the role.")
    return Input(
        name=name,
        role=cast("Role", role),
        kind="objects" if counted else cast("InputKind", kind.choice(get_args(InputKind))),
        required=row["required"].choice(("yes", "no")) == "yes",
        meaning=row["meaning"].filled(),
        count=int(counted[1]) if counted else None,
    )


def _read_bank(section: MarkdownSection, inputs: Sequence[Input]) -> Bank:
    unit = section.get("unit")
    written = [name for name, kind in UNIT_NAMES.items() if kind not in CUT_BY_CODE]
    is_cut = unit.text in UNIT_NAMES
    message = f"a bank can't write units of the kind {unit.text}" if is_cut else f"unknown unit {unit.text!r}"
    section.expect(unit.text, written, message, unit.line)
    least, most = section.get_limits()
    setting = section.get("from")
    origin = cast("Origin", setting.choice(get_args(Origin)))
    role = origin.removeprefix("the ")
    of_role = [each.name for each in inputs if each.role == role]
    if role != origin and not of_role:
        raise setting.fault(f"no input has the role {role}", f"Give one input of the table the role {role}.")
    bank = Bank(
        id=identifier(section.title.removeprefix("Bank: ")),
        unit=UNIT_NAMES[unit.text],
        origin=origin,
        least=least,
        most=most,
        question=section.prose,
        outside_limits=section.get("outside the limits", f"{UNIT_NAMES[unit.text]}_count").text,
        short_source_words=section.get("short source", "0").whole("words"),
        weights=section.get("weights", "none").choice(("none", "main and minor")) != "none",
        directions=section.get("directions", "").names(),
        for_query=section.get("for the query", "no").choice(("yes", "no")) == "yes",
        input=of_role[0] if role != origin else "",
    )
    if not bank.question:
        raise section.fault(f"{section.title!r} has no question", "Write under the settings what the bank holds.")
    return bank


def _check_roles(rubric: Rubric, top: MarkdownSection) -> None:
    """There is something to judge, and something to judge it by."""
    roles: list[str] = [each.role for each in rubric.inputs]
    if rubric.is_conversation:  # what others than the assistant said is a source
        roles.append("source")
    add = top.faults.append
    if not rubric.inputs:
        add(top.fault("there are no inputs", "Add a heading `## Inputs` with a table of what a record holds."))
    for role in ("output", "source") if rubric.inputs else ():
        if role not in roles:
            add(top.fault(f"no input has the role {role}", f"Give one input of the table the role {role}."))
    for role in ("output", "reference", "criteria"):
        if roles.count(role) > 1:
            add(
                top.fault(
                    f"two inputs have the role {role}", "Only one input can have it: give the other another role."
                )
            )


def _check_whole(rubric: Rubric, top: MarkdownSection) -> None:
    """Checks across the file: units that nothing makes, names of metrics that are absent."""
    add = top.faults.append
    if rubric.metrics and not any(metric.weight for metric in rubric.metrics):
        add(
            top.fault(
                "every metric has the weight 0",
                "Give at least one of them another weight: the total is a weighted mean.",
            )
        )
    for metric, section in zip(rubric.metrics, top.find_sections("Metric: "), strict=True):
        for check in (_check_links, _check_shown, _check_caps):
            section.attempt(partial(check, metric, rubric, section))
    for bank, section in zip(rubric.banks, top.find_sections("Bank: "), strict=True):
        if rubric.bank(bank.unit) is not bank:
            message = f"a second bank writes {NAMES[bank.unit][1]}"
            add(section.fault(message, "Keep one bank for each kind of unit."))


def _check_links(metric: Metric, rubric: Rubric, section: MarkdownSection) -> None:
    """The claims that a metric takes from another, and the units that it takes from a bank, are there."""
    if metric.claims_from is not None:
        lenders = [each.id for each in rubric.metrics if each.id != metric.id and _lends_claims(each)]
        message = f"{metric.claims_from!r} is not another metric that labels the support of claims"
        line = section.line_of("claims from")
        section.expect(metric.claims_from, lenders, message, line, "Add a metric that labels claims.")
    for part in metric.label_parts:
        if part.unit not in CUT_BY_CODE and rubric.bank(part.unit) is None:
            one, many = NAMES[part.unit]
            message = f"{metric.id} labels {many} that no bank writes"
            raise section.fault(message, f"Add `## Bank: …` with `- unit: {one}`.")
        bank = rubric.bank(part.unit)
        if bank is not None and bank.from_sources and part.evidence == "source":
            message = f"{NAMES[part.unit][1]} that were written from the sources are always found there"
            raise section.fault(
                message, "Write `- evidence: output`, or fill the bank from the query or the reference."
            )
        if part.unit == "criterion" and rubric.input("criteria") is None:
            message = f"{metric.id} labels criteria, and no input has the role criteria"
            raise section.fault(message, "Add an input of the role and kind criteria.")
        if part.unit == "turn" and not rubric.is_conversation:
            message = f"{metric.id} labels turns, and the output is not a conversation"
            raise section.fault(message, "Give the output the kind messages.")


def _lends_claims(metric: Metric) -> bool:
    part = metric.labels("claim")
    return part is not None and all(option.name in SUPPORT_LABELS for option in part.options)


def _check_shown(metric: Metric, rubric: Rubric, section: MarkdownSection) -> None:
    shown = [each.name for each in rubric.inputs if each.role in {"truth", "reference", "other"}]
    for name in metric.shows:
        what = "is always shown" if name in {each.name for each in rubric.inputs} else "is not an input"
        remedy = "Only inputs of the roles truth, reference and other are shown on demand."
        section.expect(name, shown, f"{name!r} {what}", section.line_of("shows"), remedy)


def _check_caps(metric: Metric, rubric: Rubric, section: MarkdownSection) -> None:
    """A cap on a label that no unit can have would never hold."""
    lines = [setting.line for setting in section.settings if setting.name == "cap"]
    for cap, line in zip(metric.caps, lines, strict=True):
        asked = [metric.labels(cap.unit)]
        if cap.unit == "claim" and metric.claims_from in {each.id for each in rubric.metrics}:
            asked.append(rubric.metric(str(metric.claims_from)).labels("claim"))
        known = [option.name for part in asked if part for option in part.options]
        known += [EXTRANEOUS] if cap.unit == "claim" else []
        for label in cap.labels:
            message = f"no {NAMES[cap.unit][0]} can be {label!r} here"
            section.expect(label, known, message, line, "Label these units in this metric, or set `claims from`.")


def _digest(rubric: Rubric) -> str:
    content = asdict(rubric)
    # What is said of a rubric changes no judgement.
    for name in ("text", "digest", "task", "validation", "not_asked"):
        del content[name]
    canonical = json.dumps(_collapse_space(content), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _collapse_space(value: object) -> JSON:
    """The content without the layout: a paragraph with other line breaks is the same paragraph."""
    if isinstance(value, Mapping):
        return {str(name): _collapse_space(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_collapse_space(each) for each in value]
    if value is None or isinstance(value, bool | int):
        return value
    return " ".join(str(value).split())


_UNITS = re.compile(r"each (?P<unit>[a-z ]+?)(?: that is (?P<label>\w+))?|count of (?P<counted>[a-z ]+)s")
_NAMED = ("figure", "grade", "list", "pick")
_BARE = ("score", "reason", "label", "note", "source", "sources")
_TEXTS = ("steps", "values", "facts", "extent")
_REMEDY = (
    "Write score, reason, label, note, source, sources, `each claim`, `each claim that is absent`,"
    " `count of items`, text steps, text values, text facts, text extent, or figure, grade, list or pick with a name."
)


def read_shape(section: MarkdownSection, metrics: tuple[Metric, ...]) -> Shape:
    """The rows name metrics of the rubric, and the parts of those metrics."""
    form = cast("Form", section.get("form").choice(get_args(Form)))
    section.check_headings(("Words",))
    if form == "score":
        if len(metrics) != 1:
            remedy = "For several metrics write `form: object` and a table of keys."
            raise section.fault("a shape of one score needs a rubric of one metric", remedy)
        return Shape(form, tuple(ShapeRow(metric.id, metric.id, "score") for metric in metrics))
    table = section.get_table(("metric", "place", "holds"), repeats=True)
    words = [
        each.get_table(("unit", "word", "label"), ("also",), repeats=True) for each in section.find_sections("Words")
    ]
    return Shape(
        form=form,
        rows=tuple(_read_row(row, metrics) for row in table.rows),
        words=tuple(_read_word(row) for table in words for row in table.rows),
        named_by=section.get("named by", "" if form != "objects" else None).text,
        example=tuple(Fraction(name) for name in section.get("example scores", "").names()),
        opening=section.get("opening", "" if form != "explanation" else None).text,
    )


def _read_row(row: Mapping[str, NamedText], metrics: tuple[Metric, ...]) -> ShapeRow:
    name = row["metric"].choice(metric.id for metric in metrics)
    metric = next(metric for metric in metrics if metric.id == name)
    place, cell = row["place"].filled(), row["holds"]
    if units := _UNITS.fullmatch(cell.text):
        unit = units["unit"] or units["counted"]
        if unit not in UNIT_NAMES:
            raise cell.misfit(f"Units are {', '.join(UNIT_NAMES)}.")
        return ShapeRow(name, place, "count" if units["counted"] else "unit", "", UNIT_NAMES[unit], units["label"])
    holds, _, about = cell.text.partition(" ")
    if holds in _BARE and not about:
        return ShapeRow(name, place, cast("Holds", holds))
    if holds == "text" and about in _TEXTS:
        return ShapeRow(name, place, "text", about)
    if holds not in _NAMED or not about:
        raise cell.misfit(_REMEDY)
    part = about.partition(".")[0]
    if holds != "figure" and part not in {each.id for each in metric.parts}:
        raise cell.misfit(f"{name} has no {holds} {part!r}.")
    return ShapeRow(name, place, cast("Holds", holds), about)


def _read_word(row: Mapping[str, NamedText]) -> ShapeWord:
    also = row["also"].names() if "also" in row else ()
    return ShapeWord(UNIT_NAMES[row["unit"].choice(UNIT_NAMES)], row["word"].filled(), row["label"].filled(), also)
