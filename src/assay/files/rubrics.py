"""Reads a rubric from its Markdown file, or says in which line it can't be read and what to write instead."""

import hashlib
import json
import re
from dataclasses import asdict
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

from assay.domain.rubric import Bank, Input, InputKind, Metric, Role, Rubric
from assay.domain.units import NAMES
from assay.errors import InputError
from assay.files.markdown import Section, TableRow, read_markdown
from assay.files.rubric_metrics import read_metric
from assay.files.rubric_parts import UNIT_NAMES, identifier, read_table
from assay.files.settings import Settings, nearest

ROLES: dict[str, Role] = {"output": "output", "source": "source", "query": "query", "truth": "truth", "other": "other"}
KINDS: dict[str, InputKind] = {
    "text": "text", "value": "value", "texts": "texts", "documents": "documents", "objects": "objects", "any": "any",
}  # fmt: skip
CHECKS = ("citations", "quantities", "queries", "products", "identifiers", "containment")
SHAPES = ("search-summary", "comparison-faithfulness", "trial-eligibility", "article-audit", "opinion-relevance")
_COUNTED = re.compile(r"^(\d+) objects$")
_IDENTIFIER = re.compile(r"^[a-z0-9][a-z0-9-]*$")
_DISCUSSED = re.compile(r"^(\d+) (\w+)$")


def shipped_rubrics() -> tuple[str, ...]:
    folder = files("assay") / "rubrics"
    return tuple(sorted(entry.name.removesuffix(".md") for entry in folder.iterdir() if entry.name.endswith(".md")))


def open_rubric(name_or_path: str) -> Rubric:
    """A shipped rubric by its id, or any rubric by its file."""
    if name_or_path in shipped_rubrics():
        text = (files("assay") / "rubrics" / f"{name_or_path}.md").read_text(encoding="utf-8")
        return read_rubric(text, f"{name_or_path}.md")
    path = Path(name_or_path)
    if not path.is_file():
        remedy = nearest(name_or_path, shipped_rubrics()) + " Or give the path of a rubric file."
        raise InputError(f"there is no rubric {name_or_path!r}", remedy=remedy)
    try:
        return read_rubric(path.read_text(encoding="utf-8"), name_or_path)
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8", path=name_or_path, remedy="Save it as UTF-8.") from error


def read_rubric(text: str, path: str) -> Rubric:
    root = read_markdown(text, path)
    if len(root.sections) != 1 or root.sections[0].level != 1:
        remedy = "Open the file with one line `# Title` and put everything under it."
        raise InputError("a rubric has exactly one title", path=path, line=1, remedy=remedy)
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
        shape=settings.choice("reply shape", SHAPES, "")
        if any(s.name == "reply shape" for s in top.settings)
        else None,
        checks=checks,
        notice=settings.maybe("notice"),
        tables_as_cells=settings.choice("tables", ("cells", "sentences"), "sentences") == "cells",
    )
    settings.finish()
    _check_whole(rubric, top, path)
    return _with_digest(rubric)


def _read_id(settings: Settings) -> str:
    line = settings.line_of("id")
    value = settings.text("id")
    if not _IDENTIFIER.match(value):
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
        if section.title == "Inputs":
            inputs = _read_inputs(section, path)
        elif section.title.startswith("Bank: "):
            banks.append(_read_bank(section, path))
        elif section.title.startswith("Metric: "):
            metrics.append(read_metric(section, path))
        else:
            known = ("Inputs", "Bank: …", "Metric: …")
            message = f"unknown heading {section.title!r}"
            raise InputError(message, path=path, line=section.line, remedy=nearest(section.title, known))
    return inputs, tuple(banks), tuple(metrics)


def _read_inputs(section: Section, path: str) -> tuple[Input, ...]:
    table = read_table(section, path, ("input", "role", "kind", "required", "meaning"))
    tops: list[Input] = []
    fields: dict[str, list[Input]] = {}
    for row in table.rows:
        parent, _, child = row.cells["input"].partition(".")
        if child:
            fields.setdefault(parent, []).append(_read_input(row, child, path))
        else:
            tops.append(_read_input(row, parent, path))
    known = {each.name for each in tops}
    for parent in fields:
        if parent not in known:
            raise InputError(f"fields of the unknown input {parent!r}", path=path, line=table.line)
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
        meaning=row.cells["meaning"],
        count=int(counted[1]) if counted else None,
    )


def _read_bank(section: Section, path: str) -> Bank:
    settings = Settings(section, path)
    line = settings.line_of("unit")
    unit = settings.text("unit")
    if unit not in UNIT_NAMES:
        raise settings.fault(line, f"unknown unit {unit!r}", nearest(unit, UNIT_NAMES))
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
    if bank.least > bank.most:
        raise settings.fault(section.line, f"at least {bank.least} and at most {bank.most}", "Mend the limits.")
    return bank


def _check_whole(rubric: Rubric, top: Section, path: str) -> None:
    """What only the whole file shows: inputs that must be there, units nobody makes, metrics named but absent."""

    def fault(message: str, remedy: str) -> InputError:
        return InputError(message, path=path, line=top.line, remedy=remedy)

    for role in ("output", "source"):
        if not any(each.role == role for each in rubric.inputs):
            raise fault(f"no input has the role {role}", f"Give one input of the table the role {role}.")
    if not rubric.metrics:
        raise fault("a rubric without a metric", "Add a heading `## Metric: …`.")
    metrics = [metric.id for metric in rubric.metrics]
    if len(set(metrics)) != len(metrics):
        raise fault("a metric stands twice", "Give each metric its own id.")
    inputs = {each.name for each in rubric.inputs}
    for metric in rubric.metrics:
        if metric.claims_from is not None and metric.claims_from not in metrics:
            raise fault(f"{metric.id} takes claims from {metric.claims_from!r}", nearest(metric.claims_from, metrics))
        for part in metric.label_parts:
            if part.unit not in {"claim", "section"} and rubric.bank(part.unit) is None:
                one, many = NAMES[part.unit]
                raise fault(f"{metric.id} labels {many} that no bank writes", f"Add `## Bank: …` with `- unit: {one}`.")
        for name in metric.shows:
            if name not in inputs:
                raise fault(f"{metric.id} shows the unknown input {name!r}", nearest(name, inputs))


def _with_digest(rubric: Rubric) -> Rubric:
    content = asdict(rubric)
    del content["text"], content["digest"]
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, default=_plain)
    digest = hashlib.sha256(canonical.encode()).hexdigest()[:24]
    values = {name: getattr(rubric, name) for name in content}
    return Rubric(**values, text=rubric.text, digest=digest)


def _plain(value: object) -> str:
    assert isinstance(value, Fraction)  # noqa: S101  # the only type in a rubric that JSON does not know
    return str(value)
