"""One record as a person labels it: the texts without any verdict, and the questions with what was already said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.domain.outcome import Abstention
from assay.domain.parts import GradePart
from assay.domain.scorecard import Scorecard
from assay.domain.units import NAMES
from assay.pages.record_view import InputView, Limits, SourceView, build_record_view
from assay.pages.text_view import Mark, TextView, build_text
from assay.serve.questions import Choice, Question, find_judge_words
from assay.store.labels import PersonLabel

# A labeller must be able to read a source to its end; beyond this there is a page with nothing but the text.
_LIMITS = Limits(output_characters=400_000, source_characters=400_000, input_characters=20_000, units=0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on the page. `at` is its number in the record, `mark` lights its unit in the output."""

    at: int
    words: str
    kind: str
    place: str
    choices: tuple[Choice, ...]
    more: tuple[Choice, ...]
    more_name: str
    needs_more: str
    label: str
    other: str
    qualifier: str
    note: str
    is_said: bool
    is_optional: bool
    takes_other: bool
    mark: str
    judge_said: str


@dataclass(frozen=True, slots=True)
class AskedGroup:
    """The questions of one part of one metric, under the words of the rubric."""

    metric: str
    question: str
    shown: tuple[tuple[str, str], ...]
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class LabelView:
    id: str
    system: str | None
    output_label: str
    output: TextView
    inputs: tuple[InputView, ...]
    sources: tuple[SourceView, ...]
    groups: tuple[AskedGroup, ...]


def build_label_view(
    card: Scorecard,
    questions: Sequence[Question],
    said: Mapping[tuple[str, str, str | None], PersonLabel],
    start: int,
    *,
    shows_judge: bool,
) -> LabelView:
    """Built from the record alone: the card lends its units, and its verdicts only where they may be seen."""
    bare = build_record_view(_blind(card), limits=_LIMITS)
    marks = [
        Mark(f"m{at}", question.unit.span)
        for at, question in enumerate(questions, start)
        if question.unit is not None and question.unit.span is not None
    ]
    truths = {each.label for each in card.rubric.inputs if each.role == "truth"}
    return LabelView(
        id=bare.id,
        system=None,
        output_label=bare.output_label,
        output=build_text(card.record.output, marks, _LIMITS.output_characters),
        inputs=tuple(each for each in bare.inputs if each.label not in truths),
        sources=bare.sources,
        groups=tuple(_group(card, questions, said, start, shows_judge=shows_judge)),
    )


def _blind(card: Scorecard) -> Scorecard:
    """Nothing that a judge or a check has said is left in it."""
    nothing = {name: Abstention("abstained", "") for name in card.outcomes}
    return replace(card, outcomes=nothing, notices=(), facts={}, voices={})


def _group(
    card: Scorecard,
    questions: Sequence[Question],
    said: Mapping[tuple[str, str, str | None], PersonLabel],
    start: int,
    *,
    shows_judge: bool,
) -> Iterator[AskedGroup]:
    groups: dict[str, list[Asked]] = {}
    metrics = {question.metric.id: question.metric for question in questions}
    for at, question in enumerate(questions, start):
        findings = card.outcomes[question.metric.id].trail.findings
        words = find_judge_words(question, findings) if shows_judge else ""
        groups.setdefault(question.metric.id, []).append(_build_asked(question, said.get(question.key), at, words))
    for name, asked in groups.items():
        shown = tuple((each.replace("_", " "), card.record.text(each)) for each in metrics[name].shows)
        shown = tuple(pair for pair in shown if pair[1].strip())
        yield AskedGroup(metrics[name].name, metrics[name].question, shown, tuple(asked))


def _build_asked(question: Question, label: PersonLabel | None, at: int, judge_said: str) -> Asked:
    unit = question.unit
    values = {choice.value for choice in question.choices}
    given = "" if label is None else label.label
    return Asked(
        at=at,
        words=question.words,
        kind="" if unit is None else NAMES[unit.kind][0],
        place="" if unit is None else unit.context,
        choices=question.choices,
        more=question.more,
        more_name=question.more_name,
        needs_more=" ".join(question.needs_more),
        label=given,
        other=given if given not in values and unit is None else "",
        qualifier="" if label is None else label.qualifier or "",
        note="" if label is None else label.note,
        is_said=label is not None,
        is_optional=question.is_optional,
        takes_other=isinstance(question.part, GradePart),
        mark=f"m{at}" if unit is not None and unit.span is not None else "",
        judge_said=judge_said,
    )
