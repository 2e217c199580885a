"""What people's labels mean under a rubric: a score, a grade, a choice, a unit's label, or just good or bad."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from assay.domain.findings import UNDECIDED
from assay.domain.parts import GradePart, LabelPart, PickPart
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import Scale, in_words
from assay.errors import InputError
from assay.files.labels import LabelRow
from assay.files.place import Place
from assay.store.labels import PersonLabel

GOOD, BAD = ("good", "pass"), ("bad", "fail")
# An exponent of a few digits: an exact number of millions of them takes seconds to make.
_NUMBER = re.compile(r"[-+]?(?:\d+/\d+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)")


@dataclass(frozen=True, slots=True)
class Word:
    """One person's label as it counts. One of the last three is given, unless a stretch of the output is marked.

    `is_good` has no scale but a side of it; `level` is on the part's scale, or with no part on the metric's; `option`
    is of the part.
    """

    row: LabelRow
    metric: Metric
    part: LabelPart | GradePart | PickPart | None = None
    level: Fraction | None = None
    is_good: bool | None = None
    option: str | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """`strange` counts labels of metrics that the rubric lacks, by metric."""

    words: tuple[Word, ...]
    strange: dict[str, int]


def read_words(rows: Iterable[LabelRow], rubric: Rubric) -> Words:
    """The first value that does not fit its scale stops the reading, with its line and what would fit."""
    metrics = {metric.id: metric for metric in rubric.metrics}
    words: list[Word] = []
    strange: dict[str, int] = {}
    for row in rows:
        if row.metric not in metrics:
            strange[row.metric] = strange.get(row.metric, 0) + 1
        else:
            words.append(read_word(row, metrics[row.metric]))
    return Words(tuple(words), strange)


def read_word(row: LabelRow, metric: Metric) -> Word:
    if row.span is not None:
        return Word(row, metric)
    if row.part is not None:
        return _read_part(row, metric, _find_part(row, metric))
    if row.unit is not None:
        parts = [part for part in metric.label_parts if _may_hold(part, row)]
        if len(parts) != 1:
            known = "; ".join(f"{part.id}: {', '.join(_names(part))}" for part in metric.label_parts)
            remedy = f"Write one of {known}" if known else "Leave the unit out, and give a score."
            raise row.place.fault(f"{row.said!r} is no label of a unit under {metric.id}", remedy)
        return _read_part(row, metric, parts[0])
    if not row.is_score:
        if row.said.casefold() in (*GOOD, *BAD):
            return Word(row, metric, is_good=row.said.casefold() in GOOD)
        for part in metric.pick_parts:
            if row.said in _names(part):
                return Word(row, metric, part, option=row.said)
    return Word(row, metric, level=_read_level(row, metric.scale, metric.id))


def _find_part(row: LabelRow, metric: Metric) -> LabelPart | GradePart | PickPart:
    parts = {part.id: part for part in metric.parts if isinstance(part, LabelPart | GradePart | PickPart)}
    if row.part not in parts:
        known = ", ".join(parts) or "none, and leave the part empty"
        raise row.place.fault(f"{metric.id} has no part {row.part!r}", f"Write one of: {known}")
    return parts[row.part]


def _read_part(row: LabelRow, metric: Metric, part: LabelPart | GradePart | PickPart) -> Word:
    if isinstance(part, GradePart):
        return Word(row, metric, part, level=_read_level(row, part.scale, part.id))
    if row.said not in (*_names(part), UNDECIDED):
        raise row.place.fault(f"{row.said!r} is no label of {part.id}", f"Write one of: {', '.join(_names(part))}")
    if isinstance(part, LabelPart) and row.unit is None:
        raise row.place.fault(f"{part.id} is about each {part.unit}, and no unit is named", "Name a unit, such as c1.")
    return Word(row, metric, part, option=row.said)


def _names(part: LabelPart | PickPart) -> list[str]:
    return [option.name for option in part.options]


def _may_hold(part: LabelPart, row: LabelRow) -> bool:
    return row.said in _names(part)


def read_number(text: str) -> Fraction | None:
    """What a person wrote as a number, with a point or a comma; None where it is none that a scale could have."""
    written = text.strip().replace(",", ".")
    if _NUMBER.fullmatch(written) is None:
        return None
    try:
        return Fraction(written)
    except (ValueError, ZeroDivisionError):
        return None


def _read_level(row: LabelRow, scale: Scale, name: str) -> Fraction:
    """A mean of several people may lie between two levels of the scale, so decimals are taken as they are."""
    level = read_number(row.said)
    if level is None or not scale.contains(level):
        remedy = f"Write a number from {in_words(scale.low)} to {in_words(scale.high)}, or good or bad."
        raise row.place.fault(f"{row.said!r} does not fit the scale of {name}", remedy)
    return level


def rows_of_store(labels: Iterable[PersonLabel]) -> tuple[LabelRow, ...]:
    """Labels that were given in the browser, which were checked when they were kept."""
    place = Place("the store", None)
    return tuple(
        LabelRow(
            place,
            *(each.record, each.system, each.metric, each.part or None, each.unit, each.person, each.label),
            qualifier=each.qualifier,
            drawn_by=each.drawn_by,
        )
        for each in labels
    )


def refuse_mixture(words: Iterable[Word]) -> None:
    """Good or bad beside numbers under one metric has no common scale."""
    first: dict[str, Word] = {}
    for word in words:
        if word.level is None and word.is_good is None:
            continue
        earlier = first.setdefault(word.metric.id, word)
        if (earlier.is_good is None) != (word.is_good is None):
            message = f"{word.metric.id} has numbers and good or bad: {earlier.row.place} says {earlier.row.said!r}"
            raise InputError(
                message, path=word.row.place.path, line=word.row.place.line, remedy="Use one kind for a metric."
            )
