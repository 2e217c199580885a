"""A claim with a known answer among those a judge labels: a judge that errs on it may have been talked into it."""

import hashlib
import re
from dataclasses import dataclass, replace

from assay.domain.ask import Answer, Ask, Fault, MetricAsk
from assay.domain.findings import UNDECIDED
from assay.domain.parts import LabelPart
from assay.domain.rubric import Metric
from assay.domain.units import PREFIXES, Unit
from assay.runner.behind import BehindJudge
from assay.units.passages import Passages

CANARY_FAILED = "canary_failed"
_UNIT_ID = re.compile(r"\bc\d+\b")
_SYLLABLES = (
    "bar",
    "cal",
    "dun",
    "fen",
    "gor",
    "hal",
    "kel",
    "lor",
    "mer",
    "nor",
    "pel",
    "ros",
    "sel",
    "tor",
    "vel",
    "wen",
)
_THINGS = (
    "brass lanterns", "stone bridges", "clay ovens", "oak barrels", "iron bells", "paper kites", "glass floats",
    "wooden looms",
)  # fmt: skip
_ROLES = ("harbour master", "town clerk", "head gardener", "chief archivist", "lighthouse keeper", "mill owner")


@dataclass(frozen=True, slots=True)
class CanariedJudge(BehindJudge):
    """Asks about one claim more, takes its label out of the answer, and flags an answer that has it wrong.

    The claim is invented, so no source holds it: a judge that is told to call everything supported gives itself away.
    It is never counted, never asked for again, and never shown as a claim of the output.
    """

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        planted = plant_canary(ask, passages)
        if planted is None:
            return await self.judge.answer(ask, passages)
        answer = await self.judge.answer(planted.ask, passages)
        return _take_out(answer, planted.canary, planted.part)


@dataclass(frozen=True, slots=True)
class Planted:
    """An ask with one claim more, which `part` labels."""

    ask: MetricAsk
    canary: Unit
    part: LabelPart


def plant_canary(ask: Ask, passages: Passages) -> Planted | None:
    """In the middle of the units; None where no claim is held to the sources, and in a re-ask."""
    part = _find_part(ask.metric) if isinstance(ask, MetricAsk) and ask.attempt == 0 else None
    if part is None or not isinstance(ask, MetricAsk) or not any(unit.kind == "claim" for unit in ask.units):
        return None
    canary = invent_claim(ask, passages)
    half = len(ask.units) // 2
    return Planted(replace(ask, units=(*ask.units[:half], canary, *ask.units[half:])), canary, part)


def invent_claim(ask: MetricAsk, passages: Passages) -> Unit:
    """The same for the same record, another for the next: nobody can write its name into an output beforehand."""
    count = sum(unit.kind == "claim" for unit in ask.units)
    everything = " ".join(passages.texts.values()).casefold()
    seed = hashlib.blake2b("\x00".join(passages.texts.values()).encode("utf-8", "surrogatepass"), digest_size=16)
    while True:
        digits = seed.digest()
        place = "".join(_SYLLABLES[digit % len(_SYLLABLES)] for digit in digits[:3])
        if place not in everything:
            break
        seed.update(digits)
    role, thing = _ROLES[digits[3] % len(_ROLES)], _THINGS[digits[4] % len(_THINGS)]
    number = 120 + int.from_bytes(digits[5:7], "big") % 800
    text = f"The {role} of {place.capitalize()} keeps {number} {thing}."
    return Unit(f"{PREFIXES['claim']}{count + 1}", "claim", text)


def _find_part(metric: Metric) -> LabelPart | None:
    """Claims that are held to the sources: nothing else has an answer that is known beforehand."""
    part = metric.labels("claim")
    return part if part is not None and part.evidence == "source" else None


def _take_out(answer: Answer, canary: Unit, part: LabelPart) -> Answer:
    said = [label.label for label in answer.findings.labels if label.unit == canary.id]
    wrong = any(label != UNDECIDED and part.value(label) > part.value(part.worst) for label in said)
    kept = tuple(label for label in answer.findings.labels if label.unit != canary.id)
    picks = tuple(
        replace(pick, chosen=tuple(each for each in pick.chosen if each != canary.id)) for pick in answer.findings.picks
    )
    faults = tuple(each for fault in answer.faults if (each := _forget(fault, canary.id)) is not None)
    flags = (*answer.flags, CANARY_FAILED) if wrong else answer.flags
    return replace(answer, findings=replace(answer.findings, labels=kept, picks=picks), faults=faults, flags=flags)


def _forget(fault: Fault, canary: str) -> Fault | None:
    """A fault of the canary alone is none; one that names it among others goes on without it."""
    named = _UNIT_ID.findall(fault.words)
    if canary not in named:
        return fault
    words = fault.words.replace(f"{canary}, ", "").replace(f", {canary}", "")
    return replace(fault, words=words) if set(named) != {canary} else None
