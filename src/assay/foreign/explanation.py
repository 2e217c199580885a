"""Reads an explanation that ends in a score: its lists, wherever and however they stand, and the score itself."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from assay.domain.ask import Fault
from assay.domain.findings import Grade
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.shape import Shape, ShapeRow
from assay.errors import FailureStatus
from assay.foreign.answer import Counted, ForeignMetric, WholeAnswer
from assay.foreign.counts import ListCounter, Ratio
from assay.foreign.lists import Listed, read_list
from assay.foreign.outline import Node, build_outline
from assay.foreign.parts import match_title, open_rows
from assay.foreign.spelling import spell_out
from assay.foreign.tags import read_score_tag
from assay.replies.values import Misreading
from assay.replies.wrapping import is_refusal, strip_thinking

# Nobody names a part more often.
_MOST_LISTS = 20
_RATIO = re.compile(r"(?<![\d.,])(\d{1,3})\s*(?:/|(?:out\s+)?of)\s*(?:the\s+|all\s+)?(\d{1,3})\b(?![.,]\d)")
_SCORED = re.compile(r"\b(?:scor|rat(?:e|ing))", re.IGNORECASE)
_LAST_ENTRY = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+\S")


def read_explanation(text: str, rubric: Rubric, shape: Shape, record: Record) -> WholeAnswer:
    """The model's own lists under the shape's titles, and its own score."""
    metric = rubric.metrics[0]
    plain = spell_out(strip_thinking(text))
    low, high = int(metric.scale.low), int(metric.scale.high)
    reading = read_score_tag(plain, low, high, (metric.id, metric.name), whole=metric.scale.decimals == 0)
    fault: Fault | None = None
    reported: dict[str, object] = {"explanation": text}
    repairs: tuple[str, ...] = ()
    grades: tuple[Grade, ...] = ()
    if isinstance(reading, Misreading):
        status: FailureStatus = "refused" if is_refusal(text) else reading.status
        fault = Fault(reading.reason, status)
        if status != "refused" and _ends_in_a_list(strip_thinking(text)):
            fault = Fault("the reply ends inside a list, before its score", "truncated")
    else:
        reported = {"grade": reading.value, **reported}
        repairs = (reading.repaired,) if reading.repaired else ()
        grades = tuple(Grade(part.id, Fraction(str(reading.value))) for part in metric.grade_parts[:1])
    read = ForeignMetric(counted=Counted())
    if shape.form != "score":
        root = build_outline(plain, lambda title: match_title(title[:300], shape.rows) is not None)
        open_rows(root, None, shape)
        stated = tuple(islice(_find_ratios(root, None, shape), _MOST_LISTS))
        read = ListCounter(_find_lists(root), stated, metric, shape, record).count()
    read = replace(
        read,
        findings=replace(read.findings, grades=grades),
        reported={**reported, **read.reported},
        repairs=repairs,
        fault=fault,
    )
    return WholeAnswer({metric.id: read}, reply=text)


def _ends_in_a_list(text: str) -> bool:
    """Without a score behind it, a list that is the last thing in a reply may be half of one."""
    lines = [line for line in text.splitlines() if line.strip()]
    while lines and lines[-1][:2].isspace() and not _LAST_ENTRY.match(lines[-1]):
        lines.pop()
    return bool(lines) and _LAST_ENTRY.match(lines[-1]) is not None


def _find_ratios(parent: Node, inside: ShapeRow | None, shape: Shape) -> Iterator[Ratio]:
    """What the reply says of its own counts: "6 of 8 points are in both", "7 / 7" behind a list; a score is none."""
    rows = tuple(row for row in shape.rows if row.holds != "text")
    for child in parent.children:
        own = child.row or inside
        for sentence in re.split(r"(?<=[.;!?])\s+", child.text) if child.kind in {"text", "title", "count"} else []:
            row = match_title(sentence[:300], rows) or own
            found = _RATIO.search(sentence)
            if found and row is not None and row.holds != "text" and not _SCORED.search(sentence):
                yield row, int(found[1]), int(found[2])
        yield from _find_ratios(child, own, shape)


def _find_lists(root: Node) -> dict[str, Listed]:
    """The list of each part of the shape that has one."""
    found: dict[str, list[Listed]] = {}
    for node in root.walk():
        if node.row is not None and node.row.holds != "text" and len(found.get(node.row.place, ())) < _MOST_LISTS:
            listed = read_list(node)
            found.setdefault(node.row.place, []).extend([listed] if listed is not None else [])
    return {place: _choose(lists) for place, lists in found.items() if lists}


def _choose(lists: Sequence[Listed]) -> Listed:
    """The last of several lists of the same part, in doubt where they differ in length."""
    certain = [each for each in lists if each.is_certain] or lists
    differs = len({len(each.entries) for each in certain}) > 1
    return replace(certain[-1], is_open=certain[-1].is_open or differs)
