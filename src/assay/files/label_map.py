"""Labels of the truth in a user's own words, and the labels of the rubric that they stand for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assay.domain.rubric import Rubric
from assay.errors import InputError

_EXAMPLE = 'Write --label-map "Yes=LABEL", in Python `label_map={"Yes": "LABEL"}`.'


def map_labels(rubric: Rubric, pairs: Mapping[str, str] | Sequence[str]) -> Rubric:
    """The rubric, which reads the truth of records by these pairs of a label and one of its own.

    Raises InputError for a pair that can't be read, a label with two meanings, and a meaning that is no truth label.
    """
    if not pairs:
        return rubric
    labels = {fold_label(name): name for metric in rubric.metrics for name in metric.truth_labels}
    if not labels or rubric.input("truth") is None:
        message = f"the rubric {rubric.id} has no truth labels, so no label can be mapped"
        raise InputError(message, remedy="Leave out the label map.")
    read: dict[str, str] = {}
    for label, meant in _split(pairs):
        if fold_label(meant) not in labels:
            remedy = f"Its truth labels are {', '.join(labels.values())}."
            raise InputError(f"the rubric {rubric.id} has no truth label {meant!r:.80}", remedy=remedy)
        own = labels[fold_label(meant)]
        if read.setdefault(fold_label(label), own) != own:
            message = f"the label {label!r:.80} is mapped to {read[fold_label(label)]} and to {own}"
            raise InputError(message, remedy="Map it once.")
    return replace(rubric, label_map=read)


def fold_label(label: str) -> str:
    return " ".join(label.casefold().split())


def _split(pairs: Mapping[str, str] | Sequence[str]) -> list[tuple[str, str]]:
    if isinstance(pairs, str):
        pairs = (pairs,)
    if isinstance(pairs, Mapping):
        found = [(str(label), str(meant)) for label, meant in pairs.items()]
    else:
        # A label may hold the sign itself, a truth label does not: ">=18=Eligible".
        found = [(each.rpartition("=")[0], each.rpartition("=")[2]) for each in pairs]
    for label, meant in found:
        if not label.strip() or not meant.strip():
            written = f"{label}={meant}" if label else meant
            raise InputError(f"the label map {written!r:.80} can't be read", remedy=_EXAMPLE)
    return found
