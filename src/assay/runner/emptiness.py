"""What is not there can't be judged: outputs and sources that hold nothing end in an outcome before any call."""

import re
from collections.abc import Mapping
from fractions import Fraction

from assay.domain.outcome import Abstention, Outcome, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.files.record_builder import blank_inputs
from assay.text.hostile import explain_degenerate

# The one rule for which a text without words is a score: it covers nothing.
_SCORES_NOTHING = "harmonic coverage"


# What a pipeline leaves where it should have left a text.
_ERROR = re.compile(
    r"\s*(?:(?:\w+)?error|exception|traceback|null|none|nan|undefined|n/a|"
    r"(?:failed|unable) to (?:generate|create|produce|summari[sz]e)|"
    r"(?:could not|cannot|can't) (?:generate|create|produce|summari[sz]e)|no (?:summary|answer|response)"
    r"(?: (?:available|generated|was generated))?)\b",
    re.IGNORECASE,
)
_LONGEST_ERROR_WORDS = 25


def is_error_message(text: str) -> bool:
    """A short text that opens as an error does; a summary about errors is longer or opens otherwise."""
    return len(text.split()) <= _LONGEST_ERROR_WORDS and bool(_ERROR.match(text)) and _is_bare(text)


def _is_bare(text: str) -> bool:
    """`None of the patients fell ill.` goes on as a sentence; `None`, `Error: …` and `No summary available` do not."""
    words = text.split()
    return len(words) <= 2 or ":" in text[:40] or bool(re.match(r"(?i)\s*(?:failed|unable|could|can|no )", text))


def find_emptiness(record: Record, rubric: Rubric, *, short_circuit: bool = True) -> Mapping[str, Outcome] | None:
    """Without `short_circuit`, an output that is there but says nothing goes on to the judge."""
    blank = list(blank_inputs(record, rubric))
    output = rubric.input("output")
    if not blank and is_error_message(record.output):
        reason = "the output is an error message, not a text to judge"
        return {metric.id: Abstention("empty_input", reason) for metric in rubric.metrics}
    if output is not None and blank == [output.name]:
        return _conclude_nothing(rubric, f"{output.name} is blank")
    if blank:
        reason = f"{', '.join(blank)} {'is' if len(blank) == 1 else 'are'} blank"
        return {metric.id: Abstention("empty_input", reason) for metric in rubric.metrics}
    if short_circuit and output is not None:
        # Where a question is asked, one word may be the whole answer.
        degenerate = explain_degenerate(record.output, may_be_short=record.query is not None)
        if degenerate is not None:
            return _conclude_nothing(rubric, f"{output.name} {degenerate}")
    return None


def _conclude_nothing(rubric: Rubric, reason: str) -> Mapping[str, Outcome]:
    return {metric.id: _conclude_metric(metric, reason) for metric in rubric.metrics}


def _conclude_metric(metric: Metric, reason: str) -> Outcome:
    if metric.rule != _SCORES_NOTHING:
        return Abstention("empty_input", reason)
    zero = metric.scale.low
    score = Score(zero, zero, (zero, zero), metric.scale, reason, {"recall": Fraction(0)})
    return Verdict(score, Trail())
