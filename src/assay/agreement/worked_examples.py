"""Worked examples of a rubric: records with the scores and labels that an expert gives, and why."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from assay.agreement.alignment import AnswerPair, build_pair
from assay.domain.findings import UNDECIDED
from assay.domain.json import JSON
from assay.domain.outcome import Abstention, Failure, Outcome, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import YES_NO
from assay.domain.scorecard import Scorecard
from assay.domain.terms import say_why
from assay.domain.units import count_units
from assay.errors import InputError
from assay.files.json_lines import read_json_lines
from assay.files.place import Place, nearest
from assay.files.record_builder import build_record, known_fields
from assay.files.rubric_metrics import CUT_BY_CODE
from assay.runner.planning import cut_record

# The least and the greatest right score, or a label. None: must not be scored.
Answer: TypeAlias = tuple[Fraction, Fraction] | str | None
_KEYS = {"score", "labels", "reason"}
_FORM = '"expected": {"METRIC": {"score": 4, "reason": "…"}}'


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """`answers` by metric and unit (None for the score), `reasons` by metric.

    `boundary` says between which two levels it lies; most lie at none.
    """

    record: Record
    answers: Mapping[tuple[str, str | None], Answer]
    reasons: Mapping[str, str]
    boundary: str = ""


def read_worked_examples(path: Path, rubric: Rubric) -> tuple[WorkedExample, ...]:
    """JSON lines. Raises InputError at the first line that is wrong."""
    found: dict[str, WorkedExample] = {}
    for place, row in read_json_lines(path):
        if isinstance(row, InputError):
            raise row
        example = _read_example(row if isinstance(row, Mapping) else {}, rubric, place)
        if found.setdefault(example.record.id, example) is not example:
            raise place.fault(f"the id {example.record.id!r} is used twice", "Give each example its own id.")
    if not found:
        raise InputError("the file holds no example", path=str(path), remedy="Write one per line.")
    return tuple(found.values())


def _read_example(row: Mapping[str, JSON], rubric: Rubric, place: Place) -> WorkedExample:
    known = (*known_fields(rubric), "expected", "boundary")
    for name in row:
        if name not in known:
            raise place.fault(f"unknown field {name!r}", nearest(name, known))
    boundary, expected = row.get("boundary", ""), row.get("expected")
    if not isinstance(row.get("id"), str) or not isinstance(expected, Mapping) or not expected:
        raise place.fault("an example needs an `id` and `expected`", f'Write {{"id": "…", …, {_FORM}}}.')
    if not isinstance(boundary, str):
        raise place.fault("the boundary is not text", 'Write "boundary": "between 4 and 5".')
    record = build_record({name: row[name] for name in row if name not in {"expected", "boundary"}}, rubric, place)
    answers: dict[tuple[str, str | None], Answer] = {}
    reasons = {}
    for name, value in expected.items():
        metric = next((each for each in rubric.metrics if each.id == name), None)
        if metric is None:
            raise place.fault(f"there is no metric {name!r}", nearest(name, [each.id for each in rubric.metrics]))
        reason = value.get("reason") if isinstance(value, Mapping) else None
        if not isinstance(value, Mapping) or not isinstance(reason, str) or not reason.strip() or value.keys() - _KEYS:
            raise place.fault(f"{name} needs a score or labels, and a reason", f"Write {_FORM}.")
        reasons[name] = reason
        if "score" in value:
            answers[name, None] = None if value["score"] is None else _read_bounds(value["score"], metric, place)
        for unit, label in _read_labels(value["labels"], metric, record, rubric, place) if "labels" in value else ():
            answers[name, unit] = label
        if not {"score", "labels"} & value.keys():
            raise place.fault(f"{name} has neither a score nor labels", f"Write {_FORM}.")
    return WorkedExample(record, answers, reasons, boundary)


def _read_bounds(value: JSON, metric: Metric, place: Place) -> tuple[Fraction, Fraction]:
    scale = metric.scale
    if scale.is_yes_no and value in YES_NO:
        return (scale.high if value == YES_NO[1] else scale.low,) * 2
    ends = value if isinstance(value, list) and len(value) == 2 else [value, value]
    levels = [Fraction(str(each)) for each in ends if isinstance(each, int | float) and not isinstance(each, bool)]
    if len(levels) < 2 or levels[0] > levels[1] or not all(map(scale.contains, levels)):
        low, high = scale.say(scale.low), scale.say(scale.high)
        known = f"a number from {low} to {high}, two of them as [{low}, {high}]"
        remedy = f"Write {'yes, no' if scale.is_yes_no else known}, or null if it must not be scored."
        raise place.fault(f"the score of {metric.id} is {value!r:.40}", remedy)
    return levels[0], levels[1]


def _read_labels(
    value: JSON, metric: Metric, record: Record, rubric: Rubric, place: Place
) -> Iterator[tuple[str, str]]:
    """By unit, of claims or sections: code cuts these the same way every time."""
    part = next((each for each in metric.label_parts if each.unit in CUT_BY_CODE), None)
    if part is None:
        differ = f"the units that {metric.id} labels differ from judge to judge"
        message = differ if metric.label_parts else f"{metric.id} labels nothing"
        raise place.fault(message, "Leave the labels out, and write a score.")
    units = [unit for unit in cut_record(record, rubric).units if unit.kind == part.unit]
    given = value if isinstance(value, list) else []
    if len(given) != len(units):
        cut = " | ".join(unit.text for unit in units)
        message = f"{metric.id} has {len(given)} labels, but the output has {count_units(part.unit, len(units))}: {cut}"
        raise place.fault(message, "Write a list with one label for each, in their order.")
    options = [option.name for option in part.options]
    for unit, label in zip(units, given, strict=True):
        if not isinstance(label, str) or label not in options:
            raise place.fault(f"{label!r} is not a label of {metric.id}", nearest(str(label), options))
        yield unit.id, label


def find_unjudged(examples: Sequence[WorkedExample], cards: Sequence[Scorecard]) -> dict[str, str]:
    """The metrics on which the judge says nothing in any example, though an expert has an answer, and its reason.

    It is that of examples where an answer was wanted: others may lack what the metric needs.
    """
    answered = ((each.record.id, *pair) for each in examples for pair in each.answers.items())
    wanted = {(record, metric) for record, (metric, _), answer in answered if answer is not None}
    found = {}
    for metric in (each.id for each in (cards[0].rubric.metrics if cards else ())):
        reasons = {card.record.id: _find_silence(card.outcomes[metric]) for card in cards}
        said = [reason for record, reason in reasons.items() if reason and (record, metric) in wanted]
        if said and None not in reasons.values():
            found[metric] = Counter(said).most_common(1)[0][0]
    return found


def _find_silence(outcome: Outcome) -> str | None:
    """Why the judge said nothing, empty where there was no output; None where it said something, or failed."""
    if not isinstance(outcome, Abstention) or outcome.trail.findings.labels or outcome.trail.findings.grades:
        return None
    return "" if outcome.status == "empty_input" else say_why(outcome.status, outcome.reason)


def pair_with_examples(examples: Sequence[WorkedExample], cards: Sequence[Scorecard]) -> Iterator[AnswerPair]:
    """The judge's answers beside the expert's; examples without a card are left out.

    A judge that never answers a metric is right nowhere in it, not even where there must be no score.
    """
    by_id, unjudged = {card.record.id: card for card in cards}, find_unjudged(examples, cards)
    for example in examples:
        for (metric, unit), answer in example.answers.items() if example.record.id in by_id else ():
            card = by_id[example.record.id]
            outcome = card.outcomes[metric]
            if isinstance(answer, str):
                given = next((each.label for each in outcome.trail.findings.labels if each.unit == unit), UNDECIDED)
                said, right = answer, given == answer
            elif answer is None:
                said, right = "not scored", metric not in unjudged and not isinstance(outcome, Verdict | Failure)
            else:
                said = "–".join(dict.fromkeys(map(card.rubric.metric(metric).scale.say, answer)))
                right = isinstance(outcome, Verdict) and answer[0] <= outcome.score.value <= answer[1]
            reason = example.reasons[metric] + (f" (boundary: {example.boundary})" if example.boundary else "")
            yield build_pair(card, (metric, unit), (said, reason), float(right))
