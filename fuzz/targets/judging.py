"""A judge's replies on their way to a score: metric, bank and whole replies, and the walk of a record around them."""

import asyncio
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import as_file

from assay.domain.ask import Answer, BankAsk, MetricAsk, WholeAsk
from assay.domain.findings import UNDECIDED, Findings
from assay.domain.outcome import Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit, UnitKind
from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.formats.objects import read_whole_reply
from assay.judges.prompted.judge import PromptedJudge
from assay.judges.prompted.read import SUPPORT_SYNONYMS, read_bank_reply, read_metrics_reply
from assay.judges.prompted.schema import labels_key, units_of, wanted_parts
from assay.models.chat import Call, CallKey, Completion, FinishReason
from assay.packs import list_packs
from assay.runner.banks import BankCache
from assay.runner.planning import cut_record, plan_banks, plan_metric
from assay.runner.walk import Walk
from fuzz.almost_json import KEYS, WORDS, write_reply
from fuzz.choices import Choices
from fuzz.rules import hold, read_twice
from fuzz.targets.replies import holds_no_number

FINISHES: tuple[FinishReason, ...] = ("stop", "length", "refusal", "other")
_OPENERS = "{｛[［"


@dataclass(frozen=True, slots=True)
class Material:
    """A shipped rubric with the first record of its examples, and what can be asked about it."""

    rubric: Rubric
    record: Record
    metrics: tuple[MetricAsk, ...]
    banks: tuple[BankAsk, ...]


@cache
def materials() -> tuple[Material, ...]:
    return tuple(_prepare(name) for name in list_packs())


def _prepare(name: str) -> Material:
    rubric = open_rubric(name)
    with as_file(list_packs()[name].folder / "examples.jsonl") as path:
        record = next(each for each in open_records(path, rubric) if isinstance(each, Record))
    cut = cut_record(record, rubric)
    kinds: tuple[UnitKind, ...] = ("key_point", "question", "item")
    banked = [Unit("", kind, f"A {kind} of ours.").numbered(at) for kind in kinds for at in (1, 2)]
    asks = tuple(plan_metric(cut, metric, banked) for metric in rubric.metrics if metric.parts)
    return Material(
        rubric, record, asks, tuple(ask for bank in rubric.banks for ask in plan_banks(record, rubric, bank))
    )


def _read_completion(choices: Choices, keys: tuple[str, ...] = (), words: tuple[str, ...] = ()) -> Completion:
    finish = choices.pick(FINISHES)
    structured = bool(choices.number(2))
    text = write_reply(choices, keys + KEYS, words + WORDS) if structured else choices.text()
    return Completion(text, finish, None, "fuzzed")


def check_metric(data: bytes) -> None:
    """Labels on the units asked for, grades on their scale; what is missing has a fault that says so."""
    choices = Choices(data)
    ask = choices.pick(choices.pick(materials()).metrics)
    parts = wanted_parts(ask)
    own = tuple(part.id for part in parts) + tuple(labels_key(part) for part in ask.metric.label_parts)
    completion = _read_completion(choices, own, tuple(unit.id for unit in ask.units[:6]))
    answer = read_twice(lambda: read_metrics_reply(completion, [ask])[0])
    _hold_findings(answer.findings, ask.metric, {unit.id for unit in ask.units})
    labelled = {(label.part, label.unit) for label in answer.findings.labels}
    hold(len(labelled) == len(answer.findings.labels), "a unit has two labels")
    wanted = {(part.id, unit.id) for part in ask.metric.label_parts for unit in units_of(ask, part)}
    graded = {grade.part for grade in answer.findings.grades}
    whole = wanted <= labelled and all(part.id in graded for part in ask.metric.grade_parts)
    hold(whole or answer.faults, "something is missing and no fault says so")
    _hold_nothing_from_nothing(answer, completion.text, ask.metric)


def check_bank(data: bytes) -> None:
    """Units of a bank are texts of the reply; without a list there are none."""
    choices = Choices(data)
    ask = choices.pick([ask for each in materials() for ask in each.banks])
    completion = _read_completion(choices, (ask.bank.id, ask.bank.unit))
    answer = read_twice(lambda: read_bank_reply(completion, ask))
    hold(
        answer.written or answer.faults or "[" in completion.text or "［" in completion.text, "nothing, without a fault"
    )
    if not any(opener in completion.text for opener in _OPENERS):
        hold(not answer.written, f"units out of nothing: {answer.written}")


def check_whole(data: bytes) -> None:
    """A whole reply in a rubric's shape: each share belongs to a metric, each number lies on its scale."""
    choices = Choices(data)
    material = choices.pick(tuple(each for each in materials() if each.rubric.shape is not None))
    completion = _read_completion(choices)
    ask = WholeAsk(material.rubric.id, material.rubric, material.record)
    answers = read_twice(lambda: read_whole_reply(completion, ask))
    metrics = {metric.id: metric for metric in material.rubric.metrics}
    hold(set(answers) <= set(metrics), f"shares of no metric: {set(answers) - set(metrics)}")
    for name, share in answers.items():
        scale = metrics[name].scale
        level = share.ended.score.value if isinstance(share.ended, Verdict) else None
        hold(level is None or scale.contains(level), f"{name} is {level}")
        _hold_findings(share.findings, metrics[name], {unit.id for unit in share.units}, own_units=True)
        for unit in share.units:
            inside = unit.span is None or 0 <= unit.span.start < unit.span.end <= len(material.record.output)
            hold(inside, f"{unit.id} at {unit.span}")
        if holds_no_number(completion.text):
            hold(level is None and not share.findings.grades, f"{name} has a number out of nothing")
    if not any(opener in completion.text for opener in _OPENERS) and holds_no_number(completion.text):
        hold(all(share.faults for share in answers.values()), "a judgement out of nothing")


def _hold_findings(findings: Findings, metric: Metric, units: set[str], *, own_units: bool = False) -> None:
    for label in findings.labels:
        part = next((part for part in metric.label_parts if label.part in {part.id, part.unit}), None)
        hold(part is not None or own_units, f"a label of no part: {label}")
        hold(label.unit in units, f"a label on no unit: {label.unit}")
        if part is not None:
            options = {*(option.name for option in part.options), UNDECIDED}
            hold(label.label in options, f"{label.label!r} is no option of {part.id}")
    for grade in findings.grades:
        scales = {part.id: part.scale for part in metric.grade_parts}
        hold(grade.part in scales, f"a grade of no part: {grade.part}")
        hold(scales[grade.part].contains(grade.level), f"{grade.part} is {grade.level}")
    for pick in findings.picks:
        hold(pick.part in {part.id for part in metric.pick_parts}, f"a pick of no part: {pick.part}")


def _hold_nothing_from_nothing(answer: Answer, text: str, metric: Metric) -> None:
    if not any(opener in text for opener in _OPENERS):
        hold(not answer.findings.labels and not answer.findings.grades, "a judgement out of no JSON")
        hold(answer.faults, "no judgement and no fault")
    if holds_no_number(text):
        hold(not answer.findings.grades, "a grade out of no number")
    words = [UNDECIDED, "true", "false", *SUPPORT_SYNONYMS]
    words += [option.name for part in metric.label_parts for option in part.options]
    # An escape in a string may spell any letter.
    if text.isascii() and "\\u" not in text and not any(_plain(word) in _plain(text) for word in words):
        hold(not answer.findings.labels, f"labels out of no label: {answer.findings.labels}")


def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


class _Scribe:
    """A chat that always writes the same."""

    name = "scribe"
    context_tokens = None
    reasons = False
    shares_schema = False

    def __init__(self, completion: Completion) -> None:
        self._completion = completion

    async def complete(self, _call: Call) -> Completion:
        return self._completion

    def accept(self, _key: CallKey) -> None:
        """Nothing is kept."""

    async def close(self) -> None:
        """Nothing is open."""


def check_walk(data: bytes) -> None:
    """From reply to scorecard: a verdict's numbers lie on the scale, every other outcome says why there is none."""
    choices = Choices(data)
    material = choices.pick(materials())
    joint = bool(choices.number(2))
    completion = _read_completion(choices)
    card = asyncio.run(_walk(material, completion, joint=joint))
    for metric in material.rubric.metrics:
        outcome = card.outcomes[metric.id]
        if not isinstance(outcome, Verdict):
            hold(outcome.reason.strip(), f"{metric.id} has no score and no reason")
            continue
        low, high = outcome.score.interval
        hold(low <= outcome.score.value <= high, f"{metric.id}: {outcome.score}")
        hold(
            all(metric.scale.contains(value) for value in (low, high, outcome.score.raw)), f"{metric.id}: off its scale"
        )
        hold(Fraction(0) <= outcome.score.goodness <= 1, f"{metric.id}: {outcome.score.goodness}")
        silent = not any(opener in completion.text for opener in _OPENERS) and holds_no_number(completion.text)
        by_code = all(label.by == "code" for label in outcome.trail.findings.labels)
        hold(not silent or not metric.parts or by_code, f"{metric.id} is scored from {completion.text!r}")
    hold(card.total.scored == card.scored <= card.total.asked, "the total counts wrongly")
    hold(card.total.goodness is None or 0 <= card.total.goodness <= 1, "a total off its scale")


async def _walk(material: Material, completion: Completion, *, joint: bool) -> Scorecard:
    walk = Walk(material.rubric, PromptedJudge(_Scribe(completion), joint=joint), BankCache())
    try:
        return await walk.judge_record(material.record)
    finally:
        await walk.banks.close()
