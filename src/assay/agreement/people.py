"""Where people who labelled the same records differ, and how far they agree with each other."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assay.agreement.bootstrap import estimate
from assay.agreement.estimate import Estimate
from assay.agreement.labels import Part, parse_number
from assay.agreement.pairs import build_ratings
from assay.agreement.statistics import krippendorff_alpha
from assay.domain.parts import GradePart, ListPart
from assay.domain.rubric import Rubric
from assay.store.labels import PersonLabel

# A record by its id and system, and a question about it by metric, part and unit.
Key = tuple[str, str | None]
QuestionKey = tuple[str, str, str | None]
Said = Mapping[Key, Mapping[QuestionKey, list[PersonLabel]]]


@dataclass(frozen=True, slots=True)
class PeopleAgreement:
    """Of the questions of one part that two people or more answered. Alpha is 1 if they always agree, 0 by chance."""

    name: str
    questions: int
    alike: int
    alpha: Estimate


def group_labels(labels: Iterable[PersonLabel]) -> Said:
    """What was said to each question of each record, in the order of the labels."""
    said: dict[Key, dict[QuestionKey, list[PersonLabel]]] = {}
    for label in labels:
        said.setdefault((label.record, label.system), {}).setdefault(label.question, []).append(label)
    return said


def differ(labels: Iterable[PersonLabel]) -> bool:
    """Whether answers to one question are not all the same. How severe a fault is counts too: scores depend on it."""
    return len({(label.label, label.qualifier) for label in labels}) > 1


def measure_people(rubric: Rubric, said: Said, items: Mapping[Key, str]) -> Iterator[PeopleAgreement]:
    """By metric and part. `items` are the clusters of the records."""
    shared = [
        (items[record], question[:2], labels)
        for record, questions in said.items()
        for question, labels in questions.items()
        if len(labels) > 1
    ]
    people = sorted({label.person for _, _, labels in shared for label in labels})
    for metric, part in ((each, part) for each in rubric.metrics for part in each.parts):
        asked = [(item, labels) for item, question, labels in shared if question == (metric.id, part.id)]
        if not asked or isinstance(part, ListPart):
            continue
        rows = []
        for _, labels in asked:
            values = {label.person: _find_number(part, label.label) for label in labels}
            rows.append([values.get(person) for person in people])
        ratings = build_ratings(rows, [item for item, _ in asked])
        alpha = estimate(krippendorff_alpha(ratings, "interval" if isinstance(part, GradePart) else "nominal"))
        alike = sum(len({label.label for label in labels}) == 1 for _, labels in asked)
        yield PeopleAgreement(f"{metric.name}, {part.id.replace('_', ' ')}", len(asked), alike, alpha)


def _find_number(part: Part, label: str) -> float | None:
    """A level, or the number of an option. Can't tell is an answer, but no value."""
    if isinstance(part, GradePart):
        level = parse_number(label)
        return None if level is None else float(level)
    return next((float(at) for at, option in enumerate(part.options) if option.name == label), None)
