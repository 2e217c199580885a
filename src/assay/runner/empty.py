"""Records whose output or sources hold nothing to judge: they end in an outcome before any call."""

from collections.abc import Mapping
from fractions import Fraction

from assay.domain.outcome import Abstention, Outcome, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.files.record_builder import blank_inputs
from assay.scoring.rules import RULES

# What a program writes where it has no text. Only the whole output counts, never a word in it.
_PLACEHOLDERS = frozenset({"null", "none", "nan", "undefined", "n/a", "error"})


def find_empty(record: Record, rubric: Rubric) -> Mapping[str, Outcome] | None:
    """The outcomes of a record with nothing to judge; None where there is something."""
    blank = list(blank_inputs(record, rubric))
    output = rubric.input("output")
    name = output.name if output is not None else "output"
    if not blank and record.output.strip().casefold() in _PLACEHOLDERS:
        reason = f"{name} is {record.output.strip()!r}, not a text"
        return {metric.id: Abstention("empty_input", reason) for metric in rubric.metrics}
    wordless = blank == [name] or not any(character.isalnum() for character in record.output)
    if wordless and (not blank or blank == [name]):
        reason = f"{name} is blank" if blank else f"{name} holds no words"
        return {metric.id: _conclude_wordless(metric, reason) for metric in rubric.metrics}
    if blank:
        reason = f"{', '.join(blank)} {'is' if len(blank) == 1 else 'are'} blank"
        return {metric.id: Abstention("empty_input", reason) for metric in rubric.metrics}
    return None


def _conclude_wordless(metric: Metric, reason: str) -> Outcome:
    if not RULES[metric.rule].scores_empty:
        return Abstention("empty_input", reason)
    worst = metric.scale.low if metric.scale.best == "high" else metric.scale.high
    return Verdict(Score(worst, worst, (worst, worst), metric.scale, reason, {"recall": Fraction(0)}), Trail())
