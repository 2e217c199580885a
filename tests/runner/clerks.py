"""A judge that does what it is told: good answers by default, planned ones where a script has them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from assay.domain.ask import Answer, Ask, BankAsk, MetricAsk, Written
from assay.domain.findings import Citation, Findings, Grade, Label, Remark
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.files.rubrics import open_rubric
from assay.judges.judge import Judge
from assay.packs import find_hooks
from assay.runner.banks import BankCache
from assay.runner.walk import Walk
from assay.units.passages import OUTPUT, Passages, number_record

Step = Callable[[Any], Answer] | Answer | Exception

SENTENCES = [
    "The museum of Harlow opened its new wing on Friday.",
    "The wing holds 40 paintings by local artists.",
    "Entry is free until the end of May.",
    "The director thanked the volunteers for their help.",
]
AUDIT = {"article": " ".join(SENTENCES), "summary": " ".join(SENTENCES)}

TRIAL = {
    "user_input": "Is she eligible for this trial?",
    "patient_profile": "A woman of 54 with diabetes.",
    "trial_id": "NCT01234567",
    "trial_title": "A tablet",
    "eligibility_criteria": "Adults with diabetes.",
    "ground_truth_label": "Eligible",
    "workflow_answer": "Determination: Likely Eligible. A woman of 54 with diabetes fits the criteria well.",
}


@cache
def rubric_of(name: str) -> Rubric:
    return open_rubric(name)


def build(name: str, values: Mapping[str, Any]) -> Record:
    return build_record({"id": "r-1", **values}, rubric_of(name), Place(None, None))


@dataclass
class Clerk(Judge):
    """Labels every unit at its best with the unit's own words as the quote; `script` has an ask's planned steps."""

    script: Mapping[str, Sequence[Step]] = field(default_factory=dict)
    name: str = "clerk"
    reasks: int = 2
    asks: list[Ask] = field(default_factory=list)

    async def answer(self, ask: Ask, passages: Passages) -> Answer:  # noqa: ARG002  # the port's arguments
        self.asks.append(ask)
        await asyncio.sleep(0)
        steps = self.script.get(ask.id, ())
        step = steps[ask.attempt] if ask.attempt < len(steps) else answer_well
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, Answer) else step(ask)

    def asked(self, name: str) -> list[Any]:
        return [ask for ask in self.asks if ask.id == name]


def answer_well(ask: Ask) -> Answer:
    if isinstance(ask, BankAsk):
        sentences = [part.strip() for source in ask.sources for part in source.text.split(". ")]
        return Answer(written=tuple(Written(text, ("S1.1",)) for text in sentences[: ask.bank.most]), reply="a bank")
    assert isinstance(ask, MetricAsk)
    findings = Findings(
        labels=tuple(label(ask, unit.id) for unit in ask.units if ask.metric.labels(unit.kind) is not None),
        grades=tuple(Grade(part.id, part.scale.high, "fine") for part in ask.metric.grade_parts if ask.wants(part.id)),
    )
    return Answer(findings, reply="a reply")


def label(ask: MetricAsk, name: str, word: str | None = None, quote: str | None = None) -> Label:
    """The unit's label: at its best, or with another word; quoting itself, or something else."""
    unit = next(unit for unit in ask.units if unit.id == name)
    part = ask.metric.labels(unit.kind)
    assert part is not None
    quoted = unit.text if quote is None else quote
    return Label(part.id, name, word or part.best, (Citation(find_sentence(ask, part.evidence, quoted), quoted),))


def find_sentence(ask: MetricAsk, evidence: str, quote: str) -> str:
    """The id of the sentence that holds the quote, as a judge would name it."""
    passages = [each for each in number_record(ask.record).all if (each.source == OUTPUT) == (evidence == "output")]
    return next((each.id for each in passages if quote.strip(". ") in each.text), passages[0].id if passages else "")


def only(*names: str, **words: str) -> Step:
    """Labels for these units and no others; a word after the name of a unit says which."""

    def step(ask: MetricAsk) -> Answer:
        here = {unit.id for unit in ask.units}
        said = {**dict.fromkeys(names), **words}
        return Answer(
            Findings(tuple(label(ask, name, word) for name, word in said.items() if name in here)), reply="some"
        )

    return step


def remark(part: str, **fields: str) -> Remark:
    return Remark(part, fields)


def build_walk(name: str, judge: Judge, banks: BankCache | None = None) -> Walk:
    return Walk(rubric_of(name), judge, banks or BankCache(), hooks=find_hooks(rubric_of(name)))


def walk(name: str, values: Mapping[str, Any], judge: Judge, banks: BankCache | None = None) -> Scorecard:
    async def run() -> Scorecard:
        walk = build_walk(name, judge, banks)
        try:
            return await walk.judge_record(build(name, values))
        finally:
            await walk.banks.close()

    return asyncio.run(run())


def audit(script: Mapping[str, Sequence[Step]], **options: Any) -> tuple[Scorecard, Clerk]:
    clerk = Clerk(script, **options)
    return walk("article-audit", AUDIT, clerk), clerk
