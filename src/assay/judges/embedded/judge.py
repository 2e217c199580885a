"""The built-in judge: labels claims with a small local model, and declines what it was not measured to do well."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import orjson

from assay.domain.ask import Answer, Ask, BankAsk, MetricAsk
from assay.domain.findings import NO_FACT, Findings, Label
from assay.domain.parts import LabelPart
from assay.domain.units import Unit
from assay.judges.embedded.declining import NOTHING_TO_HOLD, OPINION, UNMEASURED, decline, has_something_to_check
from assay.judges.embedded.labelling import (
    Rated,
    find_own_source,
    is_near_threshold,
    is_unlike_a_sentence,
    label_claim,
    prepare,
    rate_claims,
)
from assay.judges.embedded.pair_model import PairQueue, PairRater, load_pair_model
from assay.judges.embedded.weights import Calibration, find_version, load_calibration
from assay.judges.judge import Judge
from assay.scoring.rules import RULES
from assay.text.language import identify
from assay.text.markup import as_seen
from assay.text.scripts import language_name
from assay.units.passages import Passages

_UNLIKE = "a short heading, a fragment or a question: not judged by the built-in judge"
_FOREIGN = "the built-in judge's model reads English only, and this is {language}"


@dataclass(frozen=True, slots=True)
class Checker:
    """A pair model as the judge uses it: by which name, how its signals are weighed, and flags of every answer."""

    name: str
    load: Callable[[], PairRater]
    calibration: Calibration
    flags: tuple[str, ...] = ()


class EmbeddedJudge(Judge):
    """Answers what it beats a baseline on. A second answer would be the first one again, so nothing is re-asked."""

    reasks = 0

    def __init__(self, checker: Checker | None = None) -> None:
        """Uses the shipped model if no other one is given."""
        self._checker = checker or Checker(f"embedded:{find_version()}", load_pair_model, load_calibration())
        self._queue = PairQueue(self._checker.load)

    @property
    def name(self) -> str:
        return self._checker.name

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        if isinstance(ask, BankAsk):
            # What was measured are banks of all that the sources hold.
            return Answer(
                abstained=UNMEASURED if ask.bank.for_query or not ask.bank.from_sources else decline([ask.bank.unit])
            )
        if RULES[ask.metric.rule].grades == "optional":
            # What code knows may decide alone; this judge has no opinion to add.
            return Answer()
        part = ask.metric.labels("claim")
        if part is None or not is_faithfulness(part):
            units = [each.unit for each in ask.metric.label_parts]
            return Answer(abstained=decline(units) if units else OPINION)
        sources = " ".join(as_seen(text)[:2000] for text in passages.texts.values())[:4000]
        for text in (sources, as_seen(ask.record.output)[:4000]):
            language = identify(text) or "en"
            if language != "en":
                return Answer(abstained=_FOREIGN.format(language=language_name(language)))
        return await self._label_claims(ask, part, passages, "en")

    async def close(self) -> None:
        self._queue.close()

    async def _label_claims(self, ask: MetricAsk, part: LabelPart, passages: Passages, language: str) -> Answer:
        calibration = self._checker.calibration
        named = [find_own_source(unit, ask.record.sources) for unit in ask.units]
        grounds = {source: prepare(passages, language, source) for source in dict.fromkeys(named)}
        claims = [unit.placed_text if unit.is_cell else unit.text for unit in ask.units]
        rated = await rate_claims(claims, [grounds[source] for source in named], self._queue, calibration)
        apart = _set_apart(ask.units, part)
        labels = tuple(
            Label(part.id, unit.id, NO_FACT, note=_UNLIKE)
            if unit.id in apart
            else label_claim(unit, part, each, calibration)
            for unit, each in zip(ask.units, rated, strict=True)
        )
        both = list(zip(labels, rated, strict=True))
        factual = [each for label, each in both if label.label != NO_FACT]
        if not has_something_to_check(factual, ask.record.query or "", calibration, language):
            return Answer(abstained=NOTHING_TO_HOLD)
        is_near = any(is_near_threshold(label, each, calibration) for label, each in both)
        flags = (*self._checker.flags, "near_threshold") if is_near else self._checker.flags
        return Answer(Findings(labels), flags=flags, reply=_show(labels, rated))


def _set_apart(units: Sequence[Unit], part: LabelPart) -> set[str]:
    """The units that this judge's model can't read, unless there are no others."""
    if NO_FACT not in {option.name for option in part.options}:
        return set()
    apart = {unit.id for unit in units if not unit.is_cell and is_unlike_a_sentence(unit.text)}
    return apart if len(apart) < len(units) else set()


def is_faithfulness(part: LabelPart) -> bool:
    """Whether claims are held to the sources: only then are the words that this judge knows the right ones."""
    return part.evidence == "source" and {"supported", "absent"} <= {option.name for option in part.options}


def _show(labels: tuple[Label, ...], rated: list[Rated]) -> str:
    """The numbers behind the labels, as JSON, for people who read replies."""
    seen = {
        label.unit: {
            "probability": round(each.probability, 4),
            "support": round(each.signals.support, 4),
            "contradiction": round(each.signals.contradiction, 4),
            "coverage": round(each.signals.found.coverage, 4),
        }
        for label, each in zip(labels, rated, strict=True)
    }
    return orjson.dumps(seen).decode()
