"""What is not there can't be judged: blank outputs and blank sources end in an outcome before any call."""

from collections.abc import Mapping
from fractions import Fraction

from assay.domain.outcome import Abstention, Outcome, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.files.record_builder import blank_inputs

# The one rule for which a text without words is a score: it covers nothing.
_SCORES_NOTHING = "harmonic coverage"


def find_emptiness(record: Record, rubric: Rubric) -> Mapping[str, Outcome] | None:
    blank = list(blank_inputs(record, rubric))
    output = rubric.input("output")
    if output is not None and blank == [output.name]:
        return {metric.id: _conclude_blank_output(metric, output.name) for metric in rubric.metrics}
    if blank:
        reason = f"{', '.join(blank)} {'is' if len(blank) == 1 else 'are'} blank"
        return {metric.id: Abstention("empty_input", reason) for metric in rubric.metrics}
    return None


def _conclude_blank_output(metric: Metric, name: str) -> Outcome:
    if metric.rule != _SCORES_NOTHING:
        return Abstention("empty_input", f"{name} is blank")
    zero = metric.scale.low
    score = Score(zero, zero, (zero, zero), metric.scale, f"{name} has no words", {"recall": Fraction(0)})
    return Verdict(score, Trail())
