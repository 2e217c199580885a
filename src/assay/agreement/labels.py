"""What people's labels mean under a rubric: a score, a grade, a choice, a unit's label, or just good or bad."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.domain.findings import UNDECIDED, Findings, Grade, Label
from assay.domain.outcome import Verdict
from assay.domain.parts import GradePart, LabelPart, PickPart
from assay.domain.rubric import Metric
from assay.domain.scale import YES_NO, Scale, in_words
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.place import Place
from assay.runner.conclude import score_labels
from assay.store.labels import Labels, PersonLabel, Preference

GOOD, BAD = ("good", "pass"), ("bad", "fail")
# The exponent has few digits: an exact number with millions of digits takes seconds to build.
_NUMBER = re.compile(r"[-+]?(?:\d+/\d+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)")
_STORE = Place("the store", None)

Part = LabelPart | GradePart | PickPart


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A person's label and where it was written; `match_label` adds what it means under the rubric.

    With `is_score` it can only be a number on the metric's scale. `is_good` is good or bad without a scale. `level` is
    on the part's scale, or without a part on the metric's. A matched label with neither is an option of its part.
    """

    label: PersonLabel
    place: Place = _STORE
    run: str | None = None
    is_score: bool = False
    part: Part | None = None
    level: Fraction | None = None
    is_good: bool | None = None

    @property
    def question(self) -> tuple[str | None, str, str | None, tuple[str, str, str | None], str]:
        """A person answers it once."""
        return self.run, self.label.record, self.label.system, self.label.question, self.label.person

    @property
    def answer(self) -> str:
        return self.label.label


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """A preference and where it was written. Where a record is named, its item is the preference's."""

    preference: Preference
    place: Place = _STORE
    run: str | None = None
    record: str | None = None

    @property
    def question(self) -> tuple[object, ...]:
        """A person answers it once."""
        return self.run, self.record, self.preference.question, self.preference.person

    @property
    def answer(self) -> str:
        return self.preference.winner or self.preference.choice


@dataclass(frozen=True, slots=True)
class LabelRows:
    """What people said of a run. `blank` counts rows without a label; `others` those of another run."""

    rows: tuple[LabelRow, ...]
    blank: int = 0
    others: int = 0
    preferences: tuple[PreferenceRow, ...] = ()


def find_labels(labels: Labels, run: str) -> LabelRows:
    """Those in the store."""
    rows, preferences = map(LabelRow, labels.all(run)), map(PreferenceRow, labels.preferences(run))
    return LabelRows(tuple(rows), preferences=tuple(preferences))


def check_label(label: PersonLabel, metric: Metric) -> PersonLabel:
    """The label as it is kept; raises InputError where it answers none of the metric's questions."""
    return match_label(LabelRow(label, Place(None, None)), metric).label


def find_metric(metrics: Sequence[Metric], name: str) -> Metric:
    for metric in metrics:
        if metric.id == name:
            return metric
    raise InputError(f"there is no metric {name!r}", remedy=f"Write one of: {', '.join(each.id for each in metrics)}")


def find_qualified(part: LabelPart) -> tuple[str, ...]:
    """The labels that take a qualifier: all that count for less than the best."""
    best = part.value(part.best)
    return tuple(option.name for option in part.options if part.value(option.name) < best)


def match_label(row: LabelRow, metric: Metric) -> LabelRow:
    """The label as it is kept. Raises InputError where it, its part, its unit or its qualifier does not fit."""
    part = _find_part(row, metric)
    _check_qualifier(row, part)
    label = replace(row.label, part="" if part is None else part.id)
    said = label.label
    if isinstance(part, LabelPart | PickPart):
        return replace(row, label=label, part=part)
    if part is None and not row.is_score and said.casefold() in (*GOOD, *BAD):
        label = replace(label, label=said.casefold())
        return replace(row, label=label, is_good=label.label in GOOD)
    level = _parse_level(row, metric.id if part is None else part.id, metric.scale if part is None else part.scale)
    # Decimals of a score are kept: the mean of several people may lie between two levels.
    if part is None:
        return replace(row, label=replace(label, label=said.replace(",", ".")), level=level)
    if part.scale.round(level) != level:
        decimals = f"up to {part.scale.decimals} decimals" if part.scale.decimals else "no decimals"
        raise row.place.fault(f"{said!r} is not a level of {part.id}", f"Write a number with {decimals}.")
    return replace(row, label=replace(label, label=in_words(level)), part=part, level=level)


def _find_part(row: LabelRow, metric: Metric) -> Part | None:
    """The question that a label answers; None for a score of the metric, or just good or bad."""
    label, place = row.label, row.place
    parts = {part.id: part for part in metric.parts if isinstance(part, Part)}
    if label.part:
        if label.part not in parts:
            known = ", ".join(parts) or "none"
            raise place.fault(f"{metric.id} has no part {label.part!r}", f"Write one of: {known}")
        part = parts[label.part]
        if not isinstance(part, GradePart) and label.label not in (options := (*_list_options(part), UNDECIDED)):
            message = f"{label.label!r} is not a label of {part.id}"
            raise place.fault(message, f"Write one of: {', '.join(options[:-1])}")
        if isinstance(part, LabelPart) and label.unit is None:
            raise place.fault(f"{part.id} is about each {part.unit}, and no unit is named", "Name a unit, such as c1.")
        if label.unit is not None and not isinstance(part, LabelPart):
            raise place.fault(f"{label.part} is about the whole output", "Leave the unit empty.")
        return part
    if label.unit is not None:
        fitting = [part for part in metric.label_parts if label.label in (*_list_options(part), UNDECIDED)]
        if len(fitting) != 1:
            known = "; ".join(f"{part.id}: {', '.join(_list_options(part))}" for part in metric.label_parts)
            remedy = f"Write one of {known}" if known else "Leave the unit out, and give a score."
            raise place.fault(f"{label.label!r} is not a label of a unit under {metric.id}", remedy)
        return fitting[0]
    picks = () if row.is_score else metric.pick_parts
    return next((part for part in picks if label.label in _list_options(part)), None)


def _check_qualifier(row: LabelRow, part: Part | None) -> None:
    said = row.label.qualifier
    if not said:
        return
    if not isinstance(part, LabelPart) or part.qualifier is None or row.label.label not in find_qualified(part):
        raise row.place.fault(f"{said!r} does not go with {row.label.label!r}", "Leave the qualifier empty.")
    known = [option.name for option in part.qualifier.options]
    if said not in known:
        raise row.place.fault(f"{said!r} is not a {part.qualifier.name}", f"Write one of: {', '.join(known)}")


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


def _parse_level(row: LabelRow, name: str, scale: Scale) -> Fraction:
    said = row.label.label.strip().casefold()
    if scale.is_yes_no and said in YES_NO:
        return Fraction(YES_NO.index(said))
    level = parse_number(said)
    if level is None or not scale.contains(level):
        remedy = f"Write a number from {in_words(scale.low)} to {in_words(scale.high)}, or good or bad."
        raise row.place.fault(f"{row.label.label!r} does not fit the scale of {name}", remedy)
    return level


def find_goodness(card: Scorecard, metric: Metric, said: Mapping[str, Sequence[LabelRow]]) -> float | None:
    """The goodness that one person gives a record; `said` are their labels by metric. None without a score.

    A score comes first, then what the metric's own rule makes of labels of all units, then a grade of the whole.
    """
    rows = said.get(metric.id, ())
    for row in rows:
        if row.is_good is not None:
            return float(row.is_good)
        if row.part is None and row.level is not None:
            return float(metric.scale.goodness(row.level))
    names = [metric.id, *([metric.claims_from] if metric.claims_from else [])]
    findings = {name: _collect_findings(card, name, said.get(name, ())) for name in names}
    complete = {name: found for name, found in findings.items() if found is not None}
    if len(complete) == len(names) and isinstance(outcome := score_labels(card, metric, complete), Verdict):
        return float(outcome.score.goodness)
    ends = (metric.scale.low, metric.scale.high, metric.scale.best)
    for row in rows:
        if isinstance(row.part, GradePart) and row.part.only_reported and row.level is not None:
            scale = row.part.scale
            return float(scale.goodness(row.level)) if (scale.low, scale.high, scale.best) == ends else None
    return None


def _collect_findings(card: Scorecard, name: str, rows: Sequence[LabelRow]) -> Findings | None:
    """A person's findings under a metric; None unless every unit is labelled and every grade that counts is given."""
    metric, trail = card.rubric.metric(name), card.outcomes[name].trail
    labels: list[Label] = []
    for part in metric.label_parts:
        given = {row.label.unit: row.label for row in rows if row.part == part}
        units = [unit.id for unit in trail.units if unit.kind == part.unit]
        if not units or any(unit not in given for unit in units):
            return None
        labels += [Label(part.id, unit, given[unit].label, qualifier=given[unit].qualifier) for unit in units]
    wanted = {part.id for part in metric.grade_parts if not part.only_reported}
    levels = {row.part.id: row.level for row in rows if isinstance(row.part, GradePart)}
    grades = tuple(Grade(part, level) for part, level in levels.items() if part in wanted and level is not None)
    if len(grades) < len(wanted) or not (labels or grades):
        return None
    # Nobody is asked for a ranking: the units that the judge put first count for both.
    return Findings(tuple(labels), grades, trail.findings.picks)
