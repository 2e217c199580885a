"""A run as OpenTelemetry spans over OTLP/HTTP: one for each record, with an evaluation event for each metric.

The names are those of the GenAI conventions, which are in development: `gen_ai.evaluation.result`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from assay.domain.outcome import Failure
from assay.domain.record import Record
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.findings import explain_doubts, list_doubts
from assay.report.result import MetricResult, build_result
from assay.store.runs import RunRow

_EVENT = "gen_ai.evaluation.result"
_EVALUATION = "gen_ai.evaluation"
# So many spans are sent at once.
_BATCH = 100
_TRACE, _SPAN = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{16}")


def export(run: RunRow, cards: Iterable[Scorecard], address: str, _facets: Sequence[str]) -> int:
    """How many records were sent. Headers, such as a key, come from OTEL_EXPORTER_OTLP_HEADERS.

    Raises InputError where the SDK is not installed or the address does not take the spans.
    """
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.exporter.otlp.proto.http") is None:
        remedy = "Install it with: pip install 'assay-judge[otel]'"
        raise InputError("OpenTelemetry is not installed", remedy=remedy)
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise InputError(f"{address!r:.80} is not an address", remedy="Write otlp:http://localhost:4318.")
    endpoint = address if parts.path.strip("/") else f"{address.rstrip('/')}/v1/traces"
    return send(run, cards, OTLPSpanExporter(endpoint=endpoint), endpoint)


def send(run: RunRow, cards: Iterable[Scorecard], exporter: Any, endpoint: str) -> int:
    """Through an exporter of the SDK, which tries again by itself."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    # Collected here, because a processor of the SDK would hide that sending failed.
    finished = InMemorySpanExporter()
    resource = Resource.create({"service.name": "assay", "service.version": run.code_version})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(finished))
    tracer = provider.get_tracer("assay", run.code_version)
    count, each = 0, iter(cards)
    try:
        while batch := list(islice(each, _BATCH)):
            for card in batch:
                _write_span(tracer, run, card)
            if exporter.export(finished.get_finished_spans()) is not SpanExportResult.SUCCESS:
                message = f"{endpoint} did not take the spans; {count} records were sent before"
                raise InputError(message, remedy="Check the address, and OTEL_EXPORTER_OTLP_HEADERS for its key.")
            finished.clear()
            count += len(batch)
    finally:
        exporter.shutdown()
    return count


def _write_span(tracer: Any, run: RunRow, card: Scorecard) -> None:
    """Starts and ends with the run, because the time of a single record is not kept."""
    start = int(run.started.timestamp() * 1e9)
    end = start if run.finished is None else int(run.finished.timestamp() * 1e9)
    record, rubric = card.record, card.rubric
    attributes = {
        "assay.run": run.id,
        "assay.record": record.id,
        "assay.judge": card.judge,
        "assay.rubric.id": rubric.id,
        "assay.rubric.version": rubric.version,
        "assay.rubric.digest": rubric.digest,
        "assay.rubric.validated": bool(rubric.validation),
        **({} if record.system is None else {"assay.system": record.system}),
        **{f"assay.facet.{name}": value for name, value in record.facets.items()},
    }
    name = f"evaluate {rubric.id}"
    span = tracer.start_span(name, _find_parent(record), attributes=attributes, start_time=start)
    for metric, found in build_result(card).metrics.items():
        span.add_event(_EVENT, dict(_list_attributes(card, metric, found)), timestamp=end)
    span.end(end_time=end)


def _find_parent(record: Record) -> Any:
    """The span that was judged, where the record was read from a trace."""
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    trace, span = (str(record.inputs.get(name)) for name in ("trace_id", "span_id"))
    if not _TRACE.fullmatch(trace) or not _SPAN.fullmatch(span):
        return None
    parent = SpanContext(int(trace, 16), int(span, 16), is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    return set_span_in_context(NonRecordingSpan(parent))


def _list_attributes(card: Scorecard, metric: str, found: MetricResult) -> Iterator[tuple[str, str | float]]:
    yield f"{_EVALUATION}.name", metric
    yield "assay.status", found.status
    if found.score is not None and found.goodness is not None and found.interval is not None:
        yield f"{_EVALUATION}.score.value", float(found.score)
        yield "assay.goodness", float(found.goodness)
        yield from zip(("assay.interval.low", "assay.interval.high"), map(float, found.interval), strict=True)
        # The gravest label of a unit. A grade alone has none.
        labels = [doubt.shown.label for doubt in list_doubts(card, metric)] or card.outcomes[
            metric
        ].trail.findings.labels
        if labels:
            yield f"{_EVALUATION}.score.label", labels[0].label
    if isinstance(card.outcomes[metric], Failure):
        yield "error.type", found.status
    lines = (found.derivation or found.reason or "", *explain_doubts(card, metric))
    yield f"{_EVALUATION}.explanation", "\n".join(lines)
