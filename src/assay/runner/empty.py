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
    blank, output, said = list(blank_inputs(record, rubric)), rubric.input("output"), record.output.strip()
    name = output.name if output is not None else "output"
    is_wordless = blank == [name] or (not blank and not any(character.isalnum() for character in said))
    if not blank and said.casefold() in _PLACEHOLDERS:
        reason = f"{name} is {said!r}, not a text"
    elif is_wordless and not blank:
        reason = f"{name} holds no words"
    elif blank:
        reason = f"{', '.join(blank)} {'is' if len(blank) == 1 else 'are'} blank"
    else:
        return None
    return {metric.id: _conclude_empty(metric, reason, is_wordless=is_wordless) for metric in rubric.metrics}


def _conclude_empty(metric: Metric, reason: str, *, is_wordless: bool) -> Outcome:
    if not (is_wordless and RULES[metric.rule].scores_empty):
        return Abstention("empty_input", reason)
    worst = metric.scale.low if metric.scale.best == "high" else metric.scale.high
    return Verdict(Score(worst, worst, (worst, worst), metric.scale, reason, {"recall": Fraction(0)}), Trail())
