"""The checks a rubric can name, and those that run on every record."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from assay.checks.citations import check_citations
from assay.checks.containment import check_containment
from assay.checks.identifiers import check_identifiers
from assay.checks.injections import check_hidden, check_injections
from assay.checks.products import check_products, label_products
from assay.checks.queries import check_queries
from assay.checks.redundancy import REDUNDANT, label_repeated
from assay.checks.unsourced import check_quantities
from assay.domain.defences import DEFENDED, Defences
from assay.domain.findings import Label
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Notice
from assay.domain.units import Unit

CHECKS: Mapping[str, Callable[[Record], Iterator[Notice]]] = {
    "citations": check_citations,
    "containment": check_containment,
    "identifiers": check_identifiers,
    "products": check_products,
    "quantities": check_quantities,
    "queries": check_queries,
}


def run_checks(record: Record, rubric: Rubric, defences: Defences = DEFENDED) -> tuple[Notice, ...]:
    found = list(check_injections(record)) if defences.detector else []
    if defences.normalise:
        found.extend(check_hidden(record))
    for name in rubric.checks:
        found.extend(CHECKS[name](record))
    return tuple(found)


def find_code_labels(
    record: Record, rubric: Rubric, metric: Metric, units: Sequence[Unit], language: str = "en"
) -> tuple[Label, ...]:
    """Labels that code gives because it can compute them: they stand over a judge's. `language` is the output's."""
    part = metric.labels("claim")
    if part is None:
        return ()
    if any(option.name == REDUNDANT for option in part.options):
        return label_repeated(units, language)
    return label_products(record, units, language) if "products" in rubric.checks else ()
