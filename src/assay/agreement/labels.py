"""What people's labels mean under a rubric: a score, a grade, a choice, a unit's label, or just good or bad."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from assay.domain.findings import UNDECIDED, Findings, Grade, Label
from assay.domain.outcome import Verdict
from assay.domain.parts import GradePart, LabelPart, PickPart
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import Scale, in_words
from assay.domain.scorecard import Scorecard
from assay.files.labels import LabelRow
from assay.files.place import Place
from assay.runner.conclude import score_labels
from assay.store.labels import PersonLabel

GOOD, BAD = ("good", "pass"), ("bad", "fail")
# The exponent has few digits: an exact number with millions of digits takes seconds to build.
_NUMBER = re.compile(r"[-+]?(?:\d+/\d+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)")

Part = LabelPart | GradePart | PickPart


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """One label of a person, matched with the rubric. One of the last three is given.

    `is_good` is good or bad without a scale; `level` is on the part's scale, or without a part on the metric's;
    `option` is one of the part's.
    """

    row: LabelRow
    metric: Metric
    part: Part | None = None
    level: Fraction | None = None
    is_good: bool | None = None
    option: str | None = None


@dataclass(frozen=True, slots=True)
class PersonAnswers:
    """`unknown` counts labels of metrics that the rubric does not have, by metric."""

    answers: tuple[PersonAnswer, ...] = ()
    unknown: Mapping[str, int] = field(default_factory=dict)


def parse_answers(rows: Iterable[LabelRow], rubric: Rubric) -> PersonAnswers:
    """Raises InputError at the first value that does not fit its scale, with its line and what would fit.

    Numbers beside good or bad under one metric are refused too: they have no common scale.
    """
    metrics = {metric.id: metric for metric in rubric.metrics}
    answers: list[PersonAnswer] = []
    unknown: dict[str, int] = {}
    scored: dict[str, PersonAnswer] = {}
    for row in rows:
        if row.metric not in metrics:
            unknown[row.metric] = unknown.get(row.metric, 0) + 1
            continue
        answer = parse_answer(row, metrics[row.metric])
        answers.append(answer)
        if answer.level is None and answer.is_good is None:
            continue
        earlier = scored.setdefault(row.metric, answer)
        if (earlier.is_good is None) != (answer.is_good is None):
            message = f"{row.metric} has numbers and good or bad: {earlier.row.place} says {earlier.row.said!r}"
            raise row.place.fault(message, "Use one kind for a metric.")
    return PersonAnswers(tuple(answers), unknown)


def parse_answer(row: LabelRow, metric: Metric) -> PersonAnswer:
    if row.part is not None:
        return _parse_part(row, metric, _find_part(row, metric))
    if row.unit is not None:
        parts = [part for part in metric.label_parts if row.said in (*_list_options(part), UNDECIDED)]
        if len(parts) != 1:
            known = "; ".join(f"{part.id}: {', '.join(_list_options(part))}" for part in metric.label_parts)
            remedy = f"Write one of {known}" if known else "Leave the unit out, and give a score."
            raise row.place.fault(f"{row.said!r} is not a label of a unit under {metric.id}", remedy)
        return _parse_part(row, metric, parts[0])
    if not row.is_score:
        if row.said.casefold() in (*GOOD, *BAD):
            return PersonAnswer(row, metric, is_good=row.said.casefold() in GOOD)
        for part in metric.pick_parts:
            if row.said in _list_options(part):
                return PersonAnswer(row, metric, part, option=row.said)
    return PersonAnswer(row, metric, level=_parse_level(row, metric.scale, metric.id))


def _find_part(row: LabelRow, metric: Metric) -> Part:
    parts = {part.id: part for part in metric.parts if isinstance(part, Part)}
    if row.part not in parts:
        known = ", ".join(parts) or "none, and leave the part empty"
        raise row.place.fault(f"{metric.id} has no part {row.part!r}", f"Write one of: {known}")
    return parts[row.part]


def _parse_part(row: LabelRow, metric: Metric, part: Part) -> PersonAnswer:
    if isinstance(part, GradePart):
        return PersonAnswer(row, metric, part, level=_parse_level(row, part.scale, part.id))
    options = _list_options(part)
    if row.said not in (*options, UNDECIDED):
        raise row.place.fault(f"{row.said!r} is not a label of {part.id}", f"Write one of: {', '.join(options)}")
    if isinstance(part, LabelPart) and row.unit is None:
        raise row.place.fault(f"{part.id} is about each {part.unit}, and no unit is named", "Name a unit, such as c1.")
    return PersonAnswer(row, metric, part, option=row.said)


def _list_options(part: LabelPart | PickPart) -> list[str]:
    return [option.name for option in part.options]


def parse_number(text: str) -> Fraction | None:
    """A number as people write it, with a point or a comma; None where no scale could have it."""
    written = text.strip().replace(",", ".")
    if _NUMBER.fullmatch(written) is None:
        return None
    try:
        return Fraction(written)
    except (ValueError, ZeroDivisionError):
        return None


def _parse_level(row: LabelRow, scale: Scale, name: str) -> Fraction:
    """Decimals are kept: the mean of several people may lie between two levels."""
    level = parse_number(row.said)
    if level is None or not scale.contains(level):
        remedy = f"Write a number from {in_words(scale.low)} to {in_words(scale.high)}, or good or bad."
        raise row.place.fault(f"{row.said!r} does not fit the scale of {name}", remedy)
    return level


def build_rows(labels: Iterable[PersonLabel]) -> tuple[LabelRow, ...]:
    """The labels in the store as rows of a label file."""
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


def find_goodness(card: Scorecard, metric: Metric, said: Mapping[str, Sequence[PersonAnswer]]) -> float | None:
    """The goodness that one person gives a record; `said` are their answers by metric. None where there is no score.

    A score comes first, then what the metric's own rule makes of labels of all units, then a grade of the whole.
    """
    answers = said.get(metric.id, ())
    for answer in answers:
        if answer.is_good is not None:
            return float(answer.is_good)
        if answer.part is None and answer.level is not None:
            return float(metric.scale.goodness(answer.level))
    names = [metric.id, *([metric.claims_from] if metric.claims_from else [])]
    findings = {name: _collect_findings(card, name, said.get(name, ())) for name in names}
    complete = {name: found for name, found in findings.items() if found is not None}
    if len(complete) == len(names) and isinstance(outcome := score_labels(card, metric, complete), Verdict):
        return float(outcome.score.goodness)
    ends = (metric.scale.low, metric.scale.high, metric.scale.best)
    for answer in answers:
        if isinstance(answer.part, GradePart) and answer.part.only_reported and answer.level is not None:
            scale = answer.part.scale
            return float(scale.goodness(answer.level)) if (scale.low, scale.high, scale.best) == ends else None
    return None


def _collect_findings(card: Scorecard, name: str, answers: Sequence[PersonAnswer]) -> Findings | None:
    """A person's findings under a metric; None unless every unit is labelled and every grade that counts is given."""
    metric, trail = card.rubric.metric(name), card.outcomes[name].trail
    labels: list[Label] = []
    for part in metric.label_parts:
        given = {answer.row.unit: answer for answer in answers if answer.part == part}
        units = [unit.id for unit in trail.units if unit.kind == part.unit]
        if not units or any(unit not in given for unit in units):
            return None
        labels += [Label(part.id, unit, str(given[unit].option), qualifier=given[unit].row.qualifier) for unit in units]
    wanted = {part.id for part in metric.grade_parts if not part.only_reported}
    levels = {answer.part.id: answer.level for answer in answers if isinstance(answer.part, GradePart)}
    grades = tuple(Grade(part, level) for part, level in levels.items() if part in wanted and level is not None)
    if len(grades) < len(wanted) or not (labels or grades):
        return None
    # Nobody is asked for a ranking: the units that the judge put first count for both.
    return Findings(tuple(labels), grades, trail.findings.picks)
