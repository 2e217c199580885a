"""The checks by code on a whole record: every notice points into the output, every absent fact into its claim."""

import json

from assay.checks.catalogue import run_checks
from assay.domain.json import JSON
from assay.errors import InputError
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.packs import find_hooks
from assay.text.figures import find_unsourced
from assay.text.names import find_missing_names
from assay.units.claims import cut_claims
from fuzz.choices import Choices
from fuzz.rules import hold, hold_spans, read_twice
from fuzz.targets.judging import materials


def check_record(data: bytes) -> None:
    """A shipped example with a hostile output, and with one other input that may be anything."""
    choices = Choices(data)
    material = choices.pick(materials())
    output = next(spec.name for spec in material.rubric.inputs if spec.role == "output")
    other = choices.pick([spec.name for spec in material.rubric.inputs if spec.role != "output"])
    values: dict[str, JSON] = {**material.record.inputs, "id": "r", output: choices.text()}
    if choices.left:
        values[other] = _as_json(choices.text())
    try:
        record = build_record(values, material.rubric, Place(None, None))
    except InputError:
        return
    hooks = find_hooks(material.rubric)
    notices = read_twice(lambda: (*run_checks(record, material.rubric), *hooks.notices(record)))
    for notice in notices:
        hold(notice.note.strip(), f"{notice.check} says nothing")
        hold(notice.span is None or 0 <= notice.span.start < notice.span.end <= len(record.output), f"{notice.span}")
    facts = read_twice(lambda: hooks.facts(record, {}, material.rubric))
    hold(all(fact.value is not None or fact.words for fact in facts.values()), "a fact that is not known says not why")
    units = cut_claims(record.output, cells=material.rubric.tables_as_cells)
    known = {unit.id for unit in units}
    hold(all(label.unit in known for label in hooks.labels(record, units)), "a label of code on no unit")


def _as_json(text: str) -> JSON:
    try:
        value: JSON = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def check_facts(data: bytes) -> None:
    """What a claim has that no source has: stretches of the claim. Nothing is absent from a text that is the claim."""
    choices = Choices(data)
    claim, source = choices.text(), choices.text()
    for find in (find_unsourced, find_missing_names):
        hold_spans(read_twice(lambda find=find: find(claim, (source,))), claim, apart=False)
        hold(not find(claim, (claim,)), f"{claim!r} lacks something of itself")
