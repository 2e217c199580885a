"""What a person is asked about a record: the rubric's own questions on the units that judges labelled."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.agreement.labels import find_qualified
from assay.agreement.people import QuestionKey
from assay.domain.findings import UNDECIDED, Evidence
from assay.domain.outcome import Abstention
from assay.domain.parts import GradePart, LabelPart, Option, PickPart, Qualifier
from assay.domain.rubric import Metric
from assay.domain.scale import in_words
from assay.domain.scorecard import Scorecard
from assay.domain.terms import name_label, plain
from assay.domain.units import NAMES, Unit
from assay.report.findings import Nearest
from assay.units.passages import OUTPUT
from assay.web.record_view import RecordView, build_inputs, build_sources
from assay.web.text_view import TextMark, build_text

# A labeller must be able to read a source to its end.
_MOST_CHARACTERS = 4_000_000
_NEAREST = 2
_CANT_TELL = Option(UNDECIDED, "The material does not show it.")


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to answer: a label with a unit, a grade or a pick without."""

    metric: Metric
    part: LabelPart | GradePart | PickPart
    unit: Unit | None = None

    @property
    def key(self) -> QuestionKey:
        return self.metric.id, self.part.id, None if self.unit is None else self.unit.id

    @property
    def words(self) -> str:
        if self.unit is not None:
            return self.unit.text
        name = self.part.id.replace("_", " ")
        return "Rate the whole text" if name == "grade" else name.capitalize()

    @property
    def kind(self) -> str:
        return "" if self.unit is None else NAMES[self.unit.kind][0]

    @property
    def choices(self) -> Sequence[Option]:
        if isinstance(self.part, GradePart):
            word = self.part.scale.say if self.part.scale.is_yes_no else None
            levels = ((each.level, each.meaning) for each in self.part.levels)
            return [Option(in_words(at), f"{word(at)}: {meaning}" if word else meaning) for at, meaning in levels]
        return (*self.part.options, _CANT_TELL) if isinstance(self.part, LabelPart) else self.part.options

    @property
    def qualifier(self) -> Qualifier | None:
        """What is asked after some labels: how severe a fault is, or of what kind."""
        return self.part.qualifier if isinstance(self.part, LabelPart) else None

    @property
    def is_optional(self) -> bool:
        return isinstance(self.part, GradePart) and self.part.only_reported

    @property
    def takes_other(self) -> bool:
        """Whether a level between those that are described may be written."""
        return isinstance(self.part, GradePart)

    def needs_more(self, label: str) -> bool:
        """Whether the qualifier is asked for after this label."""
        return isinstance(self.part, LabelPart) and self.qualifier is not None and label in find_qualified(self.part)

    def name_answer(self, label: str) -> str:
        return name_label(label, self.part.unit, self.part) if isinstance(self.part, LabelPart) else plain(label)


def list_questions(card: Scorecard, only: Sequence[str] = ()) -> list[Question]:
    """In the order of the rubric. What only code answers is not asked, and a blank output has no questions."""
    asked = [metric for metric in card.rubric.metrics if not only or metric.id in only]
    return [each for metric in asked for each in _ask_metric(card, metric)] if card.record.output.strip() else []


def _ask_metric(card: Scorecard, metric: Metric) -> Iterator[Question]:
    for part in metric.parts:
        if isinstance(part, LabelPart):
            units = card.outcomes[metric.id].trail.units
            yield from (Question(metric, part, unit) for unit in units if unit.kind == part.unit)
        elif isinstance(part, GradePart) or (isinstance(part, PickPart) and part.over == "options" and part.most == 1):
            yield Question(metric, part)


def find_nearest(card: Scorecard, question: Question) -> tuple[Evidence, ...]:
    """Where a person may look first: in the sources, or in the output where a unit is looked for there."""
    part, unit = question.part, question.unit
    if unit is None or not isinstance(part, LabelPart) or part.evidence == "none":
        return ()
    return Nearest(card, in_output=part.evidence == "output").find(f"{unit.context} {unit.text}", _NEAREST)


def mark_question(question: Question, nearest: Sequence[Evidence]) -> dict[str, list[TextMark]]:
    """The question's unit is marked as `claim`, the nearest sentences as `near1` and so on."""
    marks: dict[str, list[TextMark]] = {}
    if question.unit is not None and question.unit.span is not None:
        marks[OUTPUT] = [TextMark("claim", question.unit.span)]
    for at, passage in enumerate(nearest, 1):
        marks.setdefault(passage.source, []).append(TextMark(f"near{at}", passage.span))
    return marks


def build_blind_view(card: Scorecard, marks: Mapping[str, Sequence[TextMark]]) -> RecordView:
    """The texts alone: nothing that a judge or code said, not who wrote the output, and no truth."""
    nothing = {name: Abstention("abstained", "") for name in card.outcomes}
    blind = replace(card, record=replace(card.record, system=None), outcomes=nothing, notices=(), facts={}, voices={})
    output = build_text(blind.record.output, marks.get(OUTPUT, ()), _MOST_CHARACTERS)
    texts = {OUTPUT: output, **build_sources(blind.record.sources, marks, _MOST_CHARACTERS)}
    return RecordView(blind, "r1", texts, build_inputs(blind, _MOST_CHARACTERS, {"query", "other"}))
