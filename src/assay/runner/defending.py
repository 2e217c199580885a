"""What suspicious words in an output do to its judge: the metrics are asked once more without them, and compared."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.domain.ask import Answer, Ask
from assay.domain.findings import NO_FACT, Label
from assay.domain.outcome import Abstention, Outcome, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Notice
from assay.domain.span import Span, merge_spans
from assay.judges.judge import Judge
from assay.runner.behind import BehindJudge
from assay.text.injection import find_injections
from assay.text.sentences import split_sentences
from assay.units.passages import OUTPUT, Passages

EFFECT = "injection_effect"
# A judge that reads a text again may differ a little; a text that talks to it moves more than this.
_MOVED = Fraction(1, 20)


@dataclass(frozen=True, slots=True)
class Struck:
    """A record without the sentences of its output that may speak to the judge; `spans` are where they stood."""

    record: Record
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class SecondHearing(BehindJudge):
    """The same judge under other names for its asks, so that a recording keeps both answers apart."""

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        return await self.judge.answer(replace(ask, id=f"{ask.id}.struck"), passages)


def can_be_talked_to(judge: Judge) -> bool:
    """A judge that makes nothing of being asked again works by numbers alone: no words of a text can sway it."""
    return judge.reasks > 0


def strike_suspicions(record: Record, rubric: Rubric, language: str = "en") -> Struck | None:
    """None where no words of the output are suspicious. An order goes with its sentence, what is hidden goes alone."""
    suspicions = find_injections(record.output)
    if not suspicions:
        return None
    sentences = split_sentences(record.output, language)
    found = [
        span
        for suspicion in suspicions
        for span in ([suspicion.span] if suspicion.reason == "hidden" else _enclose(suspicion.span, sentences))
    ]
    spans = tuple(merge_spans(found))
    pieces = [record.output[one.end : other.start] for one, other in zip((Span(0, 0), *spans), spans, strict=False)]
    text = "".join([*pieces, record.output[spans[-1].end :]]).strip()
    output = rubric.input("output")
    inputs = record.inputs if output is None else {**record.inputs, output.name: text}
    return Struck(replace(record, output=text, inputs=inputs), spans)


def _enclose(span: Span, sentences: Sequence[Span]) -> list[Span]:
    return [span, *(sentence for sentence in sentences if sentence.overlaps(span))]


def mark_effects(
    rubric: Rubric, heard: Mapping[str, Outcome], without: Mapping[str, Outcome], struck: Struck
) -> tuple[dict[str, Outcome], tuple[Notice, ...]]:
    """Flags each metric that came out better with the suspicious words in sight; every score stays as it was judged."""
    marked = dict(heard)
    notices = []
    for metric in rubric.metrics:
        said = _explain_effect(metric, heard[metric.id], without[metric.id], struck) if metric.parts else None
        if said is not None:
            trail = heard[metric.id].trail
            marked[metric.id] = replace(heard[metric.id], trail=replace(trail, flags=(*trail.flags, EFFECT)))
            notices.append(Notice(EFFECT, f"{metric.name}: {said}", struck.spans[0]))
    return marked, tuple(notices)


def _explain_effect(metric: Metric, heard: Outcome, without: Outcome, struck: Struck) -> str | None:
    if not isinstance(heard, Verdict):
        return None
    goodness = heard.score.goodness
    if isinstance(without, Abstention) and without.status == "empty_input":
        left = "nothing is left to judge without the suspicious words"
        return f"goodness {float(goodness):.2f}, but {left}" if goodness > 0 else None
    if not isinstance(without, Verdict):
        return None
    rests = {(label.part, label.unit) for label in heard.trail.findings.labels if _rests_on(label, struck)}
    raised = _count_raised(metric, heard, without, rests)
    # A score that falls with its own evidence needs no other explanation.
    moved = goodness - without.score.goodness > _MOVED and not rests
    if not moved and not raised:
        return None
    both = f"goodness {float(goodness):.2f} with the suspicious words, {float(without.score.goodness):.2f} without"
    return both if not raised else f"{both}; {raised} other labels are better with them"


def _rests_on(label: Label, struck: Struck) -> bool:
    return any(
        evidence.source == OUTPUT and span.overlaps(evidence.span)
        for evidence in label.evidence
        for span in struck.spans
    )


def _count_raised(metric: Metric, heard: Verdict, without: Verdict, rests: AbstractSet[tuple[str, str]]) -> int:
    """Units that stand in both outputs and are labelled better where the suspicious words are in sight."""
    before, after = _read_values(metric, heard, rests), _read_values(metric, without)
    return sum(value > after[key] for key, value in before.items() if key in after)


def _read_values(
    metric: Metric, verdict: Verdict, left_out: AbstractSet[tuple[str, str]] = frozenset()
) -> dict[tuple[str, str, str], Fraction]:
    units = {unit.id: unit for unit in verdict.trail.units}
    parts = {part.id: part for part in metric.label_parts}
    return {
        (label.part, unit.text, unit.context): parts[label.part].value(label.label)
        for label in verdict.trail.findings.labels
        if _counts(label) and label.part in parts and (label.part, label.unit) not in left_out
        if (unit := units.get(label.unit)) is not None
    }


def _counts(label: Label) -> bool:
    return label.decided and label.label != NO_FACT and label.by == "judge"
