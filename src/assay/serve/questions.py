"""What a person is asked about a record: the rubric's own questions and levels, on the units that judges labelled."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.agreement.labels import parse_number
from assay.domain.findings import UNDECIDED, Findings
from assay.domain.parts import GradePart, LabelPart, PickPart
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import in_words
from assay.domain.scorecard import Scorecard
from assay.domain.units import NAMES, Unit
from assay.errors import InputError


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    meaning: str


_CANT_TELL = Choice(UNDECIDED, "It can't be told from what is here.")


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to say. With a unit it is a label, without one a grade or a pick.

    `needs_more` are the choices that ask for a second word (how severe, or of what kind), which `more` lists.
    """

    metric: Metric
    part: LabelPart | GradePart | PickPart
    choices: tuple[Choice, ...]
    unit: Unit | None = None
    more: tuple[Choice, ...] = ()
    more_name: str = ""
    needs_more: tuple[str, ...] = ()
    is_optional: bool = False

    @property
    def key(self) -> tuple[str, str, str | None]:
        return self.metric.id, self.part.id, None if self.unit is None else self.unit.id

    @property
    def words(self) -> str:
        if self.unit is not None:
            return self.unit.text
        name = self.part.id.replace("_", " ")
        return "The whole" if name == "grade" else name.capitalize()


def list_questions(card: Scorecard, only: Sequence[str] = ()) -> tuple[Question, ...]:
    """In the order of the rubric. What code alone answers is not asked; a blank output leaves nothing to ask."""
    if not card.record.output.strip():
        return ()
    metrics = [metric for metric in card.rubric.metrics if not only or metric.id in only]
    return tuple(question for metric in metrics for question in _ask_metric(card, metric))


def read_answer(rubric: Rubric, key: tuple[str, str, str | None], label: str, more: str) -> tuple[str, str | None]:
    """A label and its second word as they are kept, or an InputError that says what may be answered instead."""
    metric_id, part_id, unit = key
    metric = next((metric for metric in rubric.metrics if metric.id == metric_id), None)
    if metric is None:
        known = ", ".join(each.id for each in rubric.metrics)
        raise InputError(f"there is no metric {metric_id!r}", remedy=f"Write one of: {known}")
    parts = {part.id: part for part in metric.parts}
    part = parts.get(part_id)
    if not isinstance(part, LabelPart | GradePart | PickPart):
        known = ", ".join(name for name, each in parts.items() if isinstance(each, LabelPart | GradePart | PickPart))
        raise InputError(f"{metric_id} has no part {part_id!r}", remedy=f"Write one of: {known or 'none'}")
    if isinstance(part, LabelPart) != (unit is not None):
        about = f"each {NAMES[part.unit][0]}" if isinstance(part, LabelPart) else "the whole output"
        remedy = "Name a unit." if unit is None else "Leave the unit empty."
        raise InputError(f"{part_id} is about {about}", remedy=remedy)
    if isinstance(part, GradePart):
        label = _read_level(part, label)
    else:
        options = [option.name for option in part.options]
        if label not in {*options, UNDECIDED}:
            raise InputError(f"{label!r} is no label of {part_id}", remedy=f"Write one of: {', '.join(options)}")
    return label, _read_more(part, label, more)


def find_judge_words(question: Question, findings: Findings) -> str:
    """What the judge said of the same, for people who are allowed to see it."""
    if question.unit is None:
        grade = findings.grade(question.part.id)
        picked = findings.picked(question.part.id)
        return in_words(grade.level) if grade else ", ".join(picked or ())
    said = next((label for label in findings.of(question.part.id) if label.unit == question.unit.id), None)
    if said is None:
        return ""
    quotes = "; ".join(f"{each.source} “{each.quote}”" for each in said.evidence)
    return " – ".join(word for word in (said.label, said.qualifier, quotes, said.note) if word)


def _ask_metric(card: Scorecard, metric: Metric) -> Iterator[Question]:
    units = card.outcomes[metric.id].trail.units
    for part in metric.parts:
        if isinstance(part, LabelPart):
            for unit in units:
                if unit.kind == part.unit:
                    yield _ask_label(metric, part, unit)
        elif isinstance(part, GradePart):
            levels = tuple(Choice(in_words(level.level), level.meaning) for level in part.levels)
            yield Question(metric, part, levels, is_optional=part.kept)
        elif isinstance(part, PickPart) and part.over == "options" and part.most == 1:
            yield Question(metric, part, tuple(Choice(each.name, each.meaning) for each in part.options))


def _ask_label(metric: Metric, part: LabelPart, unit: Unit) -> Question:
    choices = (*(Choice(option.name, option.meaning) for option in part.options), _CANT_TELL)
    if part.qualifier is None:
        return Question(metric, part, choices, unit)
    more = tuple(Choice(option.name, option.meaning) for option in part.qualifier.options)
    return Question(metric, part, choices, unit, more, part.qualifier.name, find_worse(part))


def _read_level(part: GradePart, label: str) -> str:
    level = parse_number(label)
    scale = part.scale
    if level is None or not scale.contains(level) or scale.round(level) != level:
        places = f" with up to {scale.decimals} decimals" if scale.decimals else ""
        remedy = f"Write a number from {in_words(scale.low)} to {in_words(scale.high)}{places}."
        raise InputError(f"{label!r} is no level of {part.id}", remedy=remedy)
    return in_words(level)


def _read_more(part: LabelPart | GradePart | PickPart, label: str, more: str) -> str | None:
    if not more:
        return None
    if not isinstance(part, LabelPart) or part.qualifier is None or label not in find_worse(part):
        raise InputError(f"{more!r} has no place beside {label!r}", remedy="Leave the qualifier empty.")
    words = [option.name for option in part.qualifier.options]
    if more not in words:
        raise InputError(f"{more!r} is no {part.qualifier.name}", remedy=f"Write one of: {', '.join(words)}")
    return more


def find_worse(part: LabelPart) -> tuple[str, ...]:
    """The labels that a second word goes with: all that count for less than the best."""
    best = part.value(part.best)
    return tuple(option.name for option in part.options if part.value(option.name) < best)
