"""A judge without a model, for tests of code that calls Assay: it says what its script says, always alike."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from assay.domain.ask import Answer, Ask, BankAsk, Written
from assay.domain.findings import Citation, Findings, Grade, Label
from assay.domain.parts import LabelPart
from assay.domain.scale import Scale
from assay.domain.units import Unit
from assay.judges.judge import Judge
from assay.text.keywords import keywords
from assay.units.passages import OUTPUT, Passages


@dataclass
class ScriptedJudge(Judge):
    """Labels every unit at its best, but for those that hold words of the script, and gives the best grades.

    `labels` are by words of a unit: `{"32 kroner": "absent"}`, for the units that have such a label.
    `grades` are by metric. A label that needs evidence
    quotes the sentence that shares most words with its unit, so code verifies it as it would a model's.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    grades: Mapping[str, int] = field(default_factory=dict)
    name: str = "scripted"

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        if isinstance(ask, BankAsk):
            written = (Written(each.text, (each.id,)) for each in passages.all if each.source != OUTPUT)
            return Answer(written=tuple(written)[: ask.bank.most])
        parts = {part.unit: part for part in ask.metric.label_parts}
        labels = tuple(self._label(unit, parts[unit.kind], passages) for unit in ask.units if unit.kind in parts)
        grades = tuple(Grade(part.id, self._grade(ask.metric.id, part.scale)) for part in ask.metric.grade_parts)
        return Answer(Findings(labels, grades))

    def _grade(self, metric: str, scale: Scale) -> Fraction:
        best = scale.high if scale.best == "high" else scale.low
        return Fraction(self.grades.get(metric, best))

    def _label(self, unit: Unit, part: LabelPart, passages: Passages) -> Label:
        known = {option.name for option in part.options}
        said = (label for words, label in self.labels.items() if words in unit.text and label in known)
        label = next(said, part.worst if unit.is_fault else part.best)
        if not part.needs_evidence(label):
            return Label(part.id, unit.id, label)
        wanted = keywords(unit.text, passages.language)
        own = passages.of(unit.id) if unit.kind == "source" else passages.all
        found = [each for each in own if (each.source == OUTPUT) == (part.evidence == "output")]
        best = max(found, key=lambda each: len(wanted & keywords(each.text, passages.language)), default=None)
        return Label(part.id, unit.id, label, () if best is None else (Citation(best.id, best.text),))
