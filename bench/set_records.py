"""A labelled row as a record of a rubric: its sources, query and output go where the rubric's roles say."""

from dataclasses import replace

from assay.domain.json import JSON
from assay.domain.rubric import Input, Metric, Rubric
from assay.files.labelled_sets import Document, LabelledRow


def build_values(row: LabelledRow, rubric: Rubric) -> dict[str, JSON]:
    """Inputs of other roles stay absent; a rubric that requires one is refused when its records are read."""
    values: dict[str, JSON] = {"id": row.id, "item": row.item}
    if row.system is not None:
        values["system"] = row.system
    if row.domain is not None:
        values["facets"] = {"domain": row.domain}
    source = rubric.input("source")
    output = rubric.input("output")
    query = rubric.input("query")
    if source is not None:
        values[source.name] = _build_source(source, row.documents)
    if output is not None:
        values[output.name] = row.output
    if query is not None and row.query is not None:
        values[query.name] = row.query
    return values


def _build_source(source: Input, documents: tuple[Document, ...]) -> JSON:
    if source.kind == "documents":
        return [
            {"url": each.url or "", "content": each.text, "metadata": {"title": each.title or ""}} for each in documents
        ]
    if source.kind == "texts":
        return [each.text for each in documents]
    return "\n\n".join(f"{each.title}\n{each.text}" if each.title else each.text for each in documents)


def keep_metric(rubric: Rubric, metric: Metric) -> Rubric:
    """The rubric with this metric alone, the one whose claims it shares, and their banks: nothing else is paid for."""
    kept = [each for each in rubric.metrics if each.id in {metric.id, metric.claims_from}]
    units = {part.unit for each in kept for part in each.label_parts}
    return replace(rubric, metrics=tuple(kept), banks=tuple(bank for bank in rubric.banks if bank.unit in units))
