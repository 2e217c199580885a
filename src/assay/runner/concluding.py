"""From what was asked to the outcome of a metric: a failure, an abstention, or a tally that a rule scores."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.domain.ask import Fault
from assay.domain.findings import Findings, Label
from assay.domain.outcome import Abstention, Failure, Outcome, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import number
from assay.domain.units import Unit
from assay.packs.trial_eligibility.language import AnswerLanguage, measure_language
from assay.runner.asking import UNHEARD, Asked
from assay.runner.eligibility import DETERMINATION_RULE, compare, read_record_truth, read_statement
from assay.scoring.rules import RULES
from assay.scoring.score import score_metric
from assay.scoring.tally import Measures, Tally, is_unsupported

_LANGUAGE_RULE = "language share"
# A model's own grade that is this far from the computed score is worth a look.
_GRADE_DIFFERS = 2


@dataclass(frozen=True, slots=True)
class Shared:
    """The one claim set of a record, as the metric that labels it left it."""

    labels: tuple[Label, ...]
    units: Mapping[str, Unit]


def share_claims(outcome: Outcome) -> Shared | None:
    """The claims of a metric, where another may count them.

    That is where they are scored, where none of them states a fact, and where one is unsupported: then caps hold,
    whatever the claims turn out to be that were left undecided.
    """
    labels = outcome.trail.findings.of("claim")
    is_known = isinstance(outcome, Verdict) or (
        isinstance(outcome, Abstention)
        and (outcome.status == "empty_input" or any(is_unsupported(label) for label in labels))
    )
    return Shared(labels, {unit.id: unit for unit in outcome.trail.units}) if labels and is_known else None


def conclude(
    record: Record, rubric: Rubric, metric: Metric, asked: Asked, units: tuple[Unit, ...], shared: Shared | None
) -> Outcome:
    reported: dict[str, object] = dict(asked.reported)
    kept = [part.id for part in metric.grade_parts if part.kept]
    for name in kept:
        if (grade := asked.findings.grade(name)) is not None:
            reported[name] = number(grade.level)
    flags = asked.flags + _find_wordy(metric, asked.findings)
    trail = Trail(units, asked.findings, flags, asked.repairs, reported, asked.replies)
    if asked.abstained is not None:
        return Abstention("abstained", asked.abstained, trail)
    unanswered = _explain_unanswered(metric, asked)
    if unanswered is not None:
        return Failure(unanswered.status, unanswered.words, trail)
    measures = _measure(record, rubric, metric, asked)
    if isinstance(measures, str):
        return Abstention("abstained", measures, trail)
    own = asked.findings.of("claim")
    claims = shared.labels if shared is not None else own if metric.labels("claim") is not None else None
    tally = Tally(
        metric=metric,
        labels={part.id: asked.findings.of(part.id) for part in metric.label_parts},
        grades={grade.part: grade.level for grade in asked.findings.grades if grade.part not in kept},
        units={**(shared.units if shared is not None else {}), **{unit.id: unit for unit in units}},
        claims=claims,
        ranking=next((pick for part in metric.pick_parts if (pick := asked.findings.picked(part.id))), ()),
        measures=_add_unplaced(measures, asked.unplaced_words),
    )
    outcome = score_metric(tally, trail)
    return _flag_reported(outcome, kept) if isinstance(outcome, Verdict) else outcome


def conclude_reported(metric: Metric, level: Fraction, trail: Trail, why: str | None = None) -> Verdict:
    """A foreign reply that holds a number and no list to compute it from is taken at its word, and says so.

    `why` says what else keeps code from a number of its own.
    """
    if why is None:
        why = (
            "its lists contradict each other" if "list_mismatch" in trail.flags else "it lists nothing to compute from"
        )
    score = Score(level, level, (level, level), metric.scale, f"the reply's own number; {why}")
    return Verdict(score, replace(trail, flags=(*trail.flags, "reported_only")))


def explain_left_to_judge(record: Record, metric: Metric) -> str | None:
    """Why code, which measures a language itself, leaves it to the judge: two are too close to tell apart."""
    if metric.rule != _LANGUAGE_RULE:
        return None
    language = measure_language(record)
    return _explain_close(language) if isinstance(language, AnswerLanguage) and language.close else None


def _explain_close(language: AnswerLanguage) -> str:
    return f"{language.words}: two languages too close for code to tell apart"


def _explain_unanswered(metric: Metric, asked: Asked) -> Fault | None:
    """A judge that was never heard, or never gave what the rule needs, has failed; the reason is its last fault."""
    if asked.error is not None:
        return Fault(str(asked.error), asked.error.status)
    last = asked.faults[-1] if asked.faults else Fault("the judge did not answer")
    # A determination can be scored without a grade, but not where one was given that can't be read.
    needs_grade = RULES[metric.rule].grades in {"one", "several"} or (
        metric.rule == DETERMINATION_RULE and bool(asked.faults)
    )
    for part in metric.grade_parts if needs_grade else ():
        if not part.kept and asked.findings.grade(part.id) is None:
            return next((fault for fault in asked.faults if part.id in fault.words), last)
    said = [label for label in asked.findings.labels if label.by == "judge"]
    if not metric.label_parts or not asked.faults or any(_is_heard(label) for label in said):
        return None
    kept = [part.id for part in metric.grade_parts if part.kept]
    about_labels = [fault for fault in asked.faults if not any(name in fault.words for name in kept)]
    return about_labels[-1] if about_labels else last


def _is_heard(label: Label) -> bool:
    return label.decided or bool(label.cited) or label.note != UNHEARD


def _find_wordy(metric: Metric, findings: Findings) -> tuple[str, ...]:
    """A remark past its limit of words is no fault of the score, only worth a look."""
    for part in metric.list_parts:
        words = sum(len(text.split()) for remark in findings.remarked(part.id) for text in remark.fields.values())
        if part.words_at_most is not None and words > part.words_at_most:
            return ("over_word_limit",)
    return ()


def _measure(record: Record, rubric: Rubric, metric: Metric, asked: Asked) -> Measures | str:
    bank = rubric.bank("item")
    voices = {source.id for source in record.sources if bank is not None and source.input == bank.discussed_in}
    measures = Measures(output=record.output, review_sources=frozenset(voices))
    if metric.rule == _LANGUAGE_RULE:
        language = measure_language(record)
        if isinstance(language, str):
            return language
        if language.close:
            return _explain_close(language)
        return replace(
            measures,
            language_share=language.share,
            language_found_in_record=language.found_in_record,
            language_words=language.words,
        )
    if metric.rule == DETERMINATION_RULE:
        truth = read_record_truth(record, metric)
        if truth.determination is None:
            return truth.words
        match = compare(read_statement(record, asked.findings), truth.determination)
        if match == "undetermined" and not asked.findings.grades:
            return "the answer states no determination"
        return replace(measures, determination_match=match)
    return measures


def _add_unplaced(measures: Measures, words: int) -> Measures:
    return replace(measures, unplaced_extraneous_words=words) if words else measures


def _flag_reported(verdict: Verdict, kept: list[str]) -> Verdict:
    for name in kept:
        level = verdict.trail.reported.get(name)
        if isinstance(level, int | float) and abs(Fraction(str(level)) - verdict.score.value) >= _GRADE_DIFFERS:
            return replace(verdict, trail=replace(verdict.trail, flags=(*verdict.trail.flags, "reported_differs")))
    return verdict
