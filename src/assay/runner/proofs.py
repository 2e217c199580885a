"""Collects the labels that code proves for the units of a metric."""

from collections.abc import Sequence

from assay.checks.redundancy import REDUNDANT, label_repeated
from assay.domain.findings import Label
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.units import Unit
from assay.packs.lookup import find_hooks


def find_code_labels(record: Record, rubric: Rubric, metric: Metric, units: Sequence[Unit]) -> tuple[Label, ...]:
    """Labels by the general checks and by the rubric's pack, of those that the metric knows."""
    part = metric.labels("claim")
    if part is None:
        return ()
    options = {option.name for option in part.options}
    repeated = label_repeated(units) if REDUNDANT in options else ()
    proven = find_hooks(rubric.id).labels(record, units)
    return (*repeated, *(label for label in proven if label.label in options))
