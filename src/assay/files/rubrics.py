"""Reads a rubric from its Markdown file, or says in which line it can't be read and what to write instead."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from assay.checks.catalogue import CHECKS
from assay.domain.findings import NO_FACT, SUPPORTS
from assay.domain.json import JSON
from assay.domain.rubric import Bank, Input, InputKind, Metric, Role, Rubric
from assay.domain.units import NAMES
from assay.errors import InputError
from assay.files.markdown import Section, TableRow, read_markdown
from assay.files.rubric_metrics import read_metric
from assay.files.rubric_parts import CUT_BY_CODE, UNIT_NAMES, filled, identifier, read_table, read_words, refuse_unread
from assay.files.settings import Settings, nearest
from assay.replies.shapes import SHAPES

ROLES: dict[str, Role] = {"output": "output", "source": "source", "query": "query", "truth": "truth", "other": "other"}
KINDS: dict[str, InputKind] = {
    "text": "text", "value": "value", "texts": "texts", "documents": "documents", "objects": "objects", "any": "any",
}  # fmt: skip
_COUNTED = re.compile(r"^([1-9][0-9]{0,3}) objects$")
_IDENTIFIER = re.compile(r"^[a-z0-9][a-z0-9-]*$")
_DISCUSSED = re.compile(r"^([1-9][0-9]{0,3}) (\w+)$")


def shipped_rubrics() -> tuple[str, ...]:
    folder = files("assay") / "rubrics"
    return tuple(sorted(entry.name.removesuffix(".md") for entry in folder.iterdir() if entry.name.endswith(".md")))


def open_rubric(name_or_path: str) -> Rubric:
    """A shipped rubric by its id, or any rubric by its file."""
    if name_or_path in shipped_rubrics():
        text = (files("assay") / "rubrics" / f"{name_or_path}.md").read_text(encoding="utf-8")
        return read_rubric(text, f"{name_or_path}.md")
    try:
        text = Path(name_or_path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8", path=name_or_path, remedy="Save it as UTF-8.") from error
    except (OSError, ValueError) as error:
        remedy = nearest(name_or_path, shipped_rubrics()) + " Or give the path of a rubric file."
        raise InputError(f"there is no rubric {name_or_path!r} that can be read", remedy=remedy) from error
    return read_rubric(text, name_or_path)


def read_rubric(text: str, path: str) -> Rubric:
    root = read_markdown(text, path)
    titles = root.sections
    if len(titles) != 1 or titles[0].level != 1:
        remedy = "Open the file with one line `# Title` and put everything under it."
        line = titles[1].line if len(titles) > 1 and titles[0].level == 1 else titles[0].line if titles else 1
        raise InputError("a rubric has exactly one title", path=path, line=line, remedy=remedy)
    refuse_unread(root, path, "headings")
    refuse_unread(titles[0], path, "settings", "text", "headings")
    top = root.sections[0]
    settings = Settings(top, path)
    inputs, banks, metrics = _read_sections(top, path)
    checks = _read_checks(settings)
    rubric = Rubric(
        id=_read_id(settings),
        version=settings.text("version"),
        title=top.title,
        purpose=top.prose,
        inputs=inputs,
        banks=banks,
        metrics=metrics,
        digest="",
        text=text,
        shape=settings.choice("reply shape", tuple(SHAPES), "")
        if any(s.name == "reply shape" for s in top.settings)
        else None,
        checks=checks,
        notice=settings.maybe("notice"),
        tables_as_cells=settings.choice("tables", ("cells", "sentences"), "sentences") == "cells",
    )
    settings.finish()
    _check_whole(rubric, top, path)
    return _with_digest(rubric)


def is_identifier(name: str) -> bool:
    """An id stands in file names, on the command line and in addresses."""
    return _IDENTIFIER.fullmatch(name) is not None


def _read_id(settings: Settings) -> str:
    line = settings.line_of("id")
    value = settings.text("id")
    if not is_identifier(value):
        raise settings.fault(line, f"the id {value!r}", "Use lower-case letters, digits and hyphens.")
    return value


def _read_checks(settings: Settings) -> tuple[str, ...]:
    line = settings.line_of("checks")
    names = tuple(name.strip() for name in (settings.maybe("checks") or "").split(",") if name.strip())
    for name in names:
        if name not in CHECKS:
            raise settings.fault(line, f"unknown check {name!r}", nearest(name, CHECKS))
    return names


def _read_sections(top: Section, path: str) -> tuple[tuple[Input, ...], tuple[Bank, ...], tuple[Metric, ...]]:
    inputs: tuple[Input, ...] = ()
    banks: list[Bank] = []
    metrics: list[Metric] = []
    for section in top.sections:
        twice = False
        if section.title == "Inputs":
            twice = bool(inputs)
            inputs = _read_inputs(section, path)
        elif section.title.startswith("Bank: "):
            banks.append(_read_bank(section, path))
            twice = any(bank.unit == banks[-1].unit or bank.id == banks[-1].id for bank in banks[:-1])
        elif section.title.startswith("Metric: "):
            metrics.append(read_metric(section, path))
            twice = any(metric.id == metrics[-1].id for metric in metrics[:-1])
        else:
            known = ("Inputs", "Bank: …", "Metric: …")
            message = f"unknown heading {section.title!r}"
            raise InputError(message, path=path, line=section.line, remedy=nearest(section.title, known))
        if twice:
            remedy = "There is one table of inputs, one bank for a kind of unit, one metric of a name."
            raise InputError(f"{section.title!r} stands twice", path=path, line=section.line, remedy=remedy)
    return inputs, tuple(banks), tuple(metrics)


def _read_inputs(section: Section, path: str) -> tuple[Input, ...]:
    refuse_unread(section, path, "tables")
    table = read_table(section, path, ("input", "role", "kind", "required", "meaning"))
    names = [name for name in read_words(table, "input", path) if "." not in name]
    tops: list[Input] = []
    fields: dict[str, list[Input]] = {}
    for row in table.rows:
        parent, _, child = row.cells["input"].partition(".")
        if child and parent not in names:
            message = f"fields of the unknown input {parent!r}"
            raise InputError(message, path=path, line=row.line, remedy=nearest(parent, names))
        if child:
            fields.setdefault(parent, []).append(_read_input(row, child, path))
        else:
            tops.append(_read_input(row, parent, path))
    return tuple(
        Input(
            each.name, each.role, each.kind, each.required, each.meaning, each.count, tuple(fields.get(each.name, ()))
        )
        for each in tops
    )


def _read_input(row: TableRow, name: str, path: str) -> Input:
    def one_of(column: str, known: dict[str, object] | tuple[str, ...]) -> str:
        value = row.cells[column]
        if value not in known:
            raise InputError(f"{column} is {value!r}", path=path, line=row.line, remedy=nearest(value, known))
        return value

    counted = _COUNTED.match(row.cells["kind"])
    kind = KINDS["objects" if counted else one_of("kind", tuple(KINDS))]
    return Input(
        name=name,
        role=ROLES[one_of("role", tuple(ROLES))],
        kind=kind,
        required=one_of("required", ("yes", "no")) == "yes",
        meaning=filled(row, "meaning", path),
        count=int(counted[1]) if counted else None,
    )


def _read_bank(section: Section, path: str) -> Bank:
    refuse_unread(section, path, "settings", "text")
    settings = Settings(section, path)
    line = settings.line_of("unit")
    unit = settings.text("unit")
    written = [name for name, kind in UNIT_NAMES.items() if kind not in CUT_BY_CODE]
    if unit not in written:
        message = f"a {unit} is cut by code, no bank writes it" if unit in UNIT_NAMES else f"unknown unit {unit!r}"
        raise settings.fault(line, message, nearest(unit, written))
    line = settings.line_of("discussed in")
    discussed = settings.maybe("discussed in")
    match = _DISCUSSED.match(discussed) if discussed else None
    if discussed and not match:
        raise settings.fault(line, f"'discussed in' is {discussed!r}", "Write a number and an input: `2 reviews`.")
    stated = settings.maybe("or stated in") or ""
    bank = Bank(
        id=identifier(section.title.removeprefix("Bank: ")),
        unit=UNIT_NAMES[unit],
        each_source=settings.choice("from", ("each source", "all sources together")) == "each source",
        least=settings.whole("least"),
        most=settings.whole("most"),
        question=section.prose,
        outside_limits=settings.text("outside the limits", f"{UNIT_NAMES[unit]}_count"),
        screen=settings.choice("screen", ("yes", "no"), "no") == "yes",
        short_source_words=settings.whole("short source", 0, "words"),
        discussed_in=match[2] if match else None,
        discussed_times=int(match[1]) if match else 0,
        stated_in=tuple(name.strip() for name in stated.split(",") if name.strip()),
    )
    settings.finish()
    if bank.least > bank.most or not bank.most:
        raise settings.fault(section.line, f"at least {bank.least} and at most {bank.most}", "Mend the limits.")
    if not bank.question:
        raise settings.fault(section.line, f"{section.title!r} asks nothing", "Say under the settings what to write.")
    return bank


def _check_whole(rubric: Rubric, top: Section, path: str) -> None:
    """What only the whole file shows: inputs that must be there, units nobody makes, metrics named but absent."""

    def fault(message: str, remedy: str) -> InputError:
        return InputError(message, path=path, line=top.line, remedy=remedy)

    if not rubric.inputs:
        raise fault("there are no inputs", "Add a heading `## Inputs` with a table of what a record holds.")
    roles = [each.role for each in rubric.inputs]
    for role in ("output", "source"):
        if role not in roles:
            raise fault(f"no input has the role {role}", f"Give one input of the table the role {role}.")
    if roles.count("output") > 1:
        raise fault("two inputs have the role output", "One text is judged: give the other another role.")
    if not rubric.metrics:
        raise fault("a rubric without a metric", "Add a heading `## Metric: …`.")
    if not any(metric.weight for metric in rubric.metrics):
        raise fault("every metric has the weight 0", "Give one of them another: a total is a mean by weight.")
    sections = [section for section in top.sections if section.title.startswith("Metric: ")]
    for metric, section in zip(rubric.metrics, sections, strict=True):
        _check_links(metric, rubric, Settings(section, path))
        _check_caps(metric, rubric, section, path)
    for bank, section in zip(rubric.banks, (each for each in top.sections if each.title[:6] == "Bank: "), strict=True):
        settings = Settings(section, path)
        names = [each.name for each in rubric.inputs if each.role == "source"]
        named = [(bank.discussed_in, "discussed in"), *((name, "or stated in") for name in bank.stated_in)]
        for name, setting in named:
            if name is not None and name not in names:
                raise settings.fault(settings.line_of(setting), f"{name!r} is no source", nearest(name, names))


def _check_links(metric: Metric, rubric: Rubric, settings: Settings) -> None:
    """What a metric takes from elsewhere in the file is there, and is something it may take."""
    if metric.claims_from is not None:
        line = settings.line_of("claims from")
        lenders = [each.id for each in rubric.metrics if each.id != metric.id and _lends_claims(each)]
        if metric.claims_from not in lenders:
            remedy = nearest(metric.claims_from, lenders) if lenders else "Add a metric that labels claims."
            message = f"{metric.claims_from!r} is no other metric that labels the support of claims"
            raise settings.fault(line, message, remedy)
    for part in metric.label_parts:
        if part.unit not in CUT_BY_CODE and rubric.bank(part.unit) is None:
            one, many = NAMES[part.unit]
            message = f"{metric.id} labels {many} that no bank writes"
            raise settings.fault(settings.line, message, f"Add `## Bank: …` with `- unit: {one}`.")
    shown = [each.name for each in rubric.inputs if each.role in {"truth", "other"}]
    known = [each.name for each in rubric.inputs]
    for name in metric.shows:
        if name not in shown:
            what = "is always shown" if name in known else "is no input"
            remedy = nearest(name, shown) if shown else "Only inputs of the roles truth and other are shown on demand."
            raise settings.fault(settings.line_of("shows"), f"{name!r} {what}", remedy)


def _lends_claims(metric: Metric) -> bool:
    part = metric.labels("claim")
    return part is not None and all(option.name in {*SUPPORTS, NO_FACT} for option in part.options)


def _check_caps(metric: Metric, rubric: Rubric, section: Section, path: str) -> None:
    """A cap on a label that no unit can have would never hold."""
    lines = [setting.line for setting in section.settings if setting.name == "cap"]
    for cap, line in zip(metric.caps, lines, strict=True):
        asked = [metric.labels(cap.unit)]
        if cap.unit == "claim" and metric.claims_from is not None:
            asked.append(rubric.metric(metric.claims_from).labels("claim"))
        known = [option.name for part in asked if part for option in part.options]
        for label in cap.labels:
            if label not in known:
                what = f"no {NAMES[cap.unit][0]} can be {label!r} here"
                remedy = nearest(label, known) if known else "Label these units in this metric, or set `claims from`."
                raise InputError(what, path=path, line=line, remedy=remedy)


def _with_digest(rubric: Rubric) -> Rubric:
    content = asdict(rubric)
    del content["text"], content["digest"]
    canonical = json.dumps(_one_spaced(content), sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    values = {name: getattr(rubric, name) for name in content}
    return Rubric(**values, text=rubric.text, digest=digest)


def _one_spaced(value: object) -> JSON:
    """The content without the layout: a paragraph broken into other lines is the same paragraph."""
    if isinstance(value, Mapping):
        return {str(name): _one_spaced(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_one_spaced(each) for each in value]
    if value is None or isinstance(value, bool | int):
        return value
    return " ".join(str(value).split())
