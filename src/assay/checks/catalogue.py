"""The checks that a rubric can name, and those that run on every record."""

from collections.abc import Callable, Iterator, Mapping

from assay.checks.citations import check_citations
from assay.checks.containment import check_containment
from assay.checks.injections import check_hidden, check_injections
from assay.checks.unsourced import check_quantities
from assay.domain.defences import DEFENDED, Defences
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Notice

CHECKS: Mapping[str, Callable[[Record], Iterator[Notice]]] = {
    "citations": check_citations,
    "containment": check_containment,
    "quantities": check_quantities,
}


def run_checks(record: Record, rubric: Rubric, defences: Defences = DEFENDED) -> tuple[Notice, ...]:
    found = list(check_injections(record)) if defences.detector else []
    if defences.normalise:
        found.extend(check_hidden(record))
    for name in rubric.checks:
        found.extend(CHECKS[name](record))
    return tuple(found)
