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
from assay.foreign.counts import ListCounter, Ratio, align
from assay.foreign.lists import Listed, ListReader
from assay.foreign.marks import read_marks
from assay.foreign.outline import Node, build_outline, fold_words, is_count
from assay.foreign.parts import match_title, open_rows
from assay.foreign.spelling import spell_out
from assay.foreign.tags import read_score_tag
from assay.replies.values import Misreading
from assay.replies.wrapping import is_refusal, strip_thinking
from assay.text.keywords import keywords

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
        reader = ListReader(*_list_words(record, rubric))
        root = build_outline(plain, lambda title: match_title(title[:300], shape.rows) is not None, reader.is_group)
        open_rows(root, None, shape)
        stated = tuple(islice(_find_ratios(root, None, shape), _MOST_LISTS))
        read = ListCounter(_find_lists(root, shape, reader), stated, metric, shape, record).count()
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


def _list_words(record: Record, rubric: Rubric) -> tuple[frozenset[str], set[str]]:
    """The stems of the record, and what a group inside a list may be called: inputs, titles, "product 2"."""
    names: list[str] = [each.name.replace("_", " ") for spec in rubric.inputs for each in (spec, *spec.fields)]
    for spec in rubric.inputs:
        own = [source for source in record.sources if source.input == spec.name]
        names += [source.title or "" for source in own]
        for number, numeral in zip(range(1, len(own) + 1), ("i", "ii", "iii", "iv", "v", "vi"), strict=False):
            names += [f"{spec.label.removesuffix('s')} {each}" for each in (number, numeral, chr(96 + number))]
    stems = keywords(" ".join([record.output, *(source.text for source in record.sources)]))
    return stems, {" ".join(fold_words(name)) for name in names if name.strip()}


def _find_ratios(parent: Node, inside: ShapeRow | None, shape: Shape) -> Iterator[Ratio]:
    """What the reply says of its own counts: "6 of 8 points are in both", "7 / 7" behind a list; a score is none."""
    rows = tuple(row for row in shape.rows if row.holds != "text")
    for child in parent.children:
        own = child.row or inside
        for sentence in re.split(r"(?<=[.;!?])\s+", child.text) if child.kind in {"text", "title", "count"} else []:
            is_behind = child.kind == "count" or is_count(child.rest)
            row = own if is_behind else match_title(sentence[:300], rows)
            found = _RATIO.search(sentence)
            if found and row is not None and row.holds != "text" and not _SCORED.search(sentence):
                yield row, int(found[1]), int(found[2])
        yield from _find_ratios(child, own, shape)


def _find_lists(root: Node, shape: Shape, reader: ListReader) -> dict[str, Listed]:
    """The list of each part of the shape that has one."""
    found: dict[str, list[Listed]] = {}
    for node in root.walk():
        if node.row is not None and node.row.holds != "text" and len(found.get(node.row.place, ())) < _MOST_LISTS:
            listed = reader.read(node)
            found.setdefault(node.row.place, []).extend([listed] if listed is not None else [])
    chosen = {place: _choose(lists) for place, lists in found.items() if lists}
    return chosen if shape.counts != "unsupported" else {**_find_marked(root, shape, reader), **chosen}


def _find_marked(root: Node, shape: Shape, reader: ListReader) -> dict[str, Listed]:
    """A list without a title of the shape, if all its entries carry a verdict and one of them is not the best."""
    row = next(row for row in shape.rows if row.label is not None and row.step is not None)
    best = next(word.word for word in shape.words if word.unit == row.unit and word.label != row.label)
    holders = (node for node in (root, *root.walk()) if any(child.is_entry for child in node.children))
    for node in islice(holders, _MOST_LISTS):
        if node.row is None or node.row.name in {"facts", "extent"}:
            listed = reader.read(node)
            words = [mark.word for mark in read_marks(listed.entries, row.unit, shape)] if listed else []
            if listed and None not in words and set(words) - {best, "yes"}:
                return {row.place: listed}
    return {}


def _choose(lists: Sequence[Listed]) -> Listed:
    """One of several lists of the same part: the most certain; of two that overlap the last, if it takes entries back.

    Lists that share nothing are two kinds of the same and count together.
    """
    most = max(each.certainty for each in lists)
    chosen, *others = [each for each in lists if each.certainty == most]
    for other in others:
        own, later = ([entry.text for entry in each.entries] for each in (chosen, other))
        shared = len(align(later, own))
        if not shared and own and later:
            chosen = replace(chosen, entries=(*chosen.entries, *other.entries), announced=None)
        elif (shared == len(later) < len(own)) or shared == len(own) < len(later):
            chosen = other
    return chosen
