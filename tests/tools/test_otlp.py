"""A run as spans: built by the real SDK, kept by its exporter in memory, and sent over HTTP to a server on a port."""

import pytest

import assay
from assay.store.store import open_store
from cli.shell import run
from tools.conftest import SPAN, TRACE

pytest.importorskip("opentelemetry.sdk", reason="the extra `otel` is not installed")
pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="the extra `otel` is not installed")


def send() -> dict[str, object]:
    """The spans of the last run, by record."""
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    from assay.exports.otlp import send
    from assay.runner.run import rubric_of

    exporter = InMemorySpanExporter()
    with open_store("runs.db") as store:
        found = store.find_run("last")
        assert send(found, store.cards(found.id, rubric_of(found)), exporter, "memory") == 3
    return {span.attributes["assay.record"]: span for span in exporter.get_finished_spans()}


def events(span: object) -> dict[str, dict]:
    assert {event.name for event in span.events} == {"gen_ai.evaluation.result"}
    return {event.attributes["gen_ai.evaluation.name"]: dict(event.attributes) for event in span.events}


def test_every_metric_is_an_event_with_score_label_and_explanation(kept: assay.Run):
    spans = send()
    assert spans["wrong"].name == "evaluate grounded-answer"
    assert spans["wrong"].attributes["assay.facet.topic"] == "fares"
    found = events(spans["wrong"])["faithfulness"]
    metric = kept["wrong"].metrics["faithfulness"]
    assert found["gen_ai.evaluation.score.value"] == metric.score
    assert found["gen_ai.evaluation.score.label"] == metric.findings[0]["support"]
    assert "“A bicycle costs 32 kroner extra.”" in found["gen_ai.evaluation.explanation"]
    assert "“A bicycle costs 22 kroner extra.”" in found["gen_ai.evaluation.explanation"]
    assert events(spans["right"])["faithfulness"]["gen_ai.evaluation.score.label"] == "supported"


@pytest.mark.usefixtures("kept")
def test_a_failure_has_an_error_and_no_score():
    spans = send()
    failed = events(spans["invalid"])["faithfulness"]
    assert failed["error.type"] == "invalid_record"
    assert "sources is missing" in failed["gen_ai.evaluation.explanation"]
    declined = events(spans["right"])["refusal"]
    assert declined["assay.status"] == "abstained"
    assert not {"gen_ai.evaluation.score.value", "gen_ai.evaluation.score.label"} & {*failed, *declined}
    assert "error.type" not in declined


@pytest.mark.usefixtures("kept")
def test_the_span_of_a_record_from_a_trace_is_a_child_of_the_span_that_was_judged():
    spans = send()
    assert f"{spans['wrong'].context.trace_id:032x}" == TRACE
    assert f"{spans['wrong'].parent.span_id:016x}" == SPAN
    assert spans["right"].parent is None


@pytest.mark.usefixtures("kept")
def test_spans_go_over_http_with_the_headers_of_the_environment(collector: tuple[str, list]):
    import gzip

    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    address, received = collector
    headers = {"OTEL_EXPORTER_OTLP_HEADERS": "x-key=planted"}
    ended = run("runs", "export", "last", "--to", f"otlp:{address}", "--store", "runs.db", environment=headers)
    assert (ended.code, ended.out) == (0, f"otlp:{address}: 3 records\n")
    [(path, key, body)] = received
    assert (path, key) == ("/v1/traces", "planted")
    request = ExportTraceServiceRequest()
    request.ParseFromString(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)
    [resource] = request.resource_spans
    assert {span.name for scope in resource.scope_spans for span in scope.spans} == {"evaluate grounded-answer"}
    assert sum(len(span.events) for scope in resource.scope_spans for span in scope.spans) == 12


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("path", ["/refuse", ""])
def test_what_is_not_taken_is_an_error(path: str, collector: tuple[str, list]):
    target = f"otlp:{collector[0]}{path}" if path else "otlp:localhost:4318"
    ended = run("runs", "export", "last", "--to", target, "--store", "runs.db")
    assert ended.code == 2
    assert ("did not take the spans" if path else "is not an address") in ended.err
