"""Edits of a rubric: a clarification under a metric's question, or one more example. Code writes them into the file."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, get_args

from assay.domain.json import JSON
from assay.domain.rubric import Metric, Rubric
from assay.errors import InputError
from assay.files.json_lines import read_json_lines
from assay.files.markdown import parse_markdown
from assay.files.place import Place, nearest
from assay.files.rubrics import read_rubric

EditKind = Literal["clarification", "example"]
MOST_EDITS = 3
_LINE_END = re.compile(r"\r\n|\r|\n")
_COUNTED = re.compile(r"(\d+)$")
_METRIC = "Metric: "
_FORM = 'Write {"metric": "…", "clarification": "…"} or {"metric": "…", "example": "…"}.'


@dataclass(frozen=True, slots=True)
class RubricEdit:
    metric: str
    kind: EditKind
    text: str
    place: Place = field(default=Place(None, None), compare=False)

    @property
    def plain(self) -> dict[str, str]:
        return {"metric": self.metric, self.kind: self.text}


def read_edits(path: Path, rubric: Rubric) -> tuple[RubricEdit, ...]:
    """JSON lines with one edit each. Raises InputError for more than three, or one that does not fit the rubric."""
    edits = tuple(parse_edit(value, place, rubric) for place, value in read_json_lines(path))
    if not 1 <= len(edits) <= MOST_EDITS:
        message = f"the file has {len(edits) or 'no'} edits"
        raise InputError(message, path=str(path), remedy=f"Write one to {MOST_EDITS}.")
    return edits


def parse_edit(value: JSON | InputError, place: Place, rubric: Rubric) -> RubricEdit:
    if isinstance(value, InputError):
        raise value
    named = value if isinstance(value, Mapping) else {}
    kind = next((each for each in get_args(EditKind) if each in named), None)
    metric, text = named.get("metric"), named.get(kind or "")
    if kind is None or len(named) != 2 or not isinstance(text, str) or not text.strip():
        raise place.fault("this is not an edit", _FORM)
    known = [each.id for each in rubric.metrics]
    if not isinstance(metric, str) or metric not in known:
        raise place.fault(f"there is no metric {metric!r}", nearest(str(metric), known))
    edit = RubricEdit(metric, kind, " ".join(text.split()), place)
    apply_edits(rubric, [edit])
    return edit


def apply_edits(rubric: Rubric, edits: Sequence[RubricEdit]) -> Rubric:
    """The rubric as its next version. Raises InputError where a text would change more than it is meant to."""
    text = rubric.text.removeprefix("\ufeff")
    lines = _LINE_END.split(text)
    top = parse_markdown(text, rubric.id).sections[0]
    version = _COUNTED.sub(lambda found: str(int(found[1]) + 1), rubric.version)
    version = version if version != rubric.version else f"{version}.1"
    ends = [each.line for each in top.sections[1:]] + [len(lines) + 1]
    added: list[tuple[int, list[str]]] = []
    for section, end in zip(top.sections, ends, strict=True):
        name = section.title.removeprefix(_METRIC).strip()
        own = [each for each in edits if section.title.startswith(_METRIC) and each.metric == name]
        before = section.sections[0].line if section.sections else end
        for kind, line in (("clarification", before), ("example", end)):
            blocks = [_format_edit(each) for each in own if each.kind == kind]
            added.append((line - 1, [line for block in blocks for line in block]))
    lines[top.line_of("version") - 1] = f"- version: {version}"
    # From the end, so that no line moves before its turn. Of two at one line the later one is put in first.
    for at, block in reversed(added):
        if block:
            blank = [""] if at and lines[at - 1].strip() else []
            lines[at:at] = [*blank, *block]
    metrics = tuple(_add_edits(each, edits) for each in rubric.metrics)
    place = next((each.place for each in edits), Place(None, None))
    try:
        found = read_rubric("\n".join(lines), f"{rubric.id}.md")
    except InputError as error:
        raise place.fault(f"this text can't be used in a rubric: {error.message}", "Write plain sentences.") from None
    if replace(found, text="", digest="") != replace(rubric, text="", digest="", metrics=metrics, version=version):
        raise place.fault("this text would change more than it is meant to", "Write plain sentences.")
    return found


def _format_edit(edit: RubricEdit) -> list[str]:
    return [edit.text, ""] if edit.kind == "clarification" else ["### Example", "", f"> {edit.text}", ""]


def _add_edits(metric: Metric, edits: Sequence[RubricEdit]) -> Metric:
    own = [each for each in edits if each.metric == metric.id]
    said = [each.text for each in own if each.kind == "clarification"]
    examples = [each.text for each in own if each.kind == "example"]
    question = "\n\n".join([metric.question, *said])
    return replace(metric, question=question, examples=(*metric.examples, *examples))
