"""A run as a JUnit report: one test case for each gate, and for each record and metric."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from xml.etree import ElementTree as ET  # its usual name

from assay.domain.outcome import Abstention, Failure, Outcome
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Scorecard
from assay.domain.terms import say_why
from assay.report.display import is_injection_suspect, list_cautions, name_record, show_hidden
from assay.report.findings import format_doubts
from assay.report.gate import Gate, RunGate
from assay.store.runs import RunRow


def format_junit(
    run: RunRow,
    rubric: Rubric,
    cards: Iterable[Scorecard],
    least: Mapping[str, float] | None = None,
    gates: Sequence[RunGate] = (),
) -> str:
    """A score below its metric's least goodness fails, and a failed judge is an error.

    A record without a score is skipped; it fails where its metric has a gate and too few records have a score.
    """
    least = least or {}
    short = {gate.metric for gate in gates if isinstance(gate, Gate) and gate.is_short}
    counts: Counter[str] = Counter()
    cases = [_build_gate_case(gate, rubric, counts) for gate in gates]
    for card in cards:
        for metric in rubric.metrics:
            found = _judge(card.outcomes[metric.id], least.get(metric.id), is_short=metric.id in short)
            cases.append(_build_case(card, metric, found, counts))
    suite = ET.Element(
        "testsuite",
        {
            "id": "0",
            "package": "assay",
            "name": show_hidden(rubric.id),
            "timestamp": f"{run.started.astimezone(UTC):%Y-%m-%dT%H:%M:%S}",
            "hostname": "localhost",
            "tests": str(len(cases)),
            "failures": str(counts["failure"]),
            "errors": str(counts["error"]),
            "skipped": str(counts["skipped"]),
            "time": "0",
        },
    )
    properties = ET.SubElement(suite, "properties")
    said = {"run": run.id} | ({} if run.name is None else {"name": run.name})
    said |= {"state": run.state, "judges": ", ".join(run.judges)}
    said |= {"rubric": f"{rubric.id} version {rubric.version}"}
    said |= {f"fail-under {metric}": f"{goodness:g}" for metric, goodness in least.items()}
    for name, value in said.items():
        ET.SubElement(properties, "property", name=name, value=show_hidden(value))
    suite.extend(cases)
    ET.SubElement(suite, "system-out").text = show_hidden("\n".join(list_cautions(rubric, run.judges)))
    ET.SubElement(suite, "system-err")
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _build_gate_case(gate: RunGate, rubric: Rubric, counts: Counter[str]) -> ET.Element:
    attributes = {"classname": show_hidden(f"{rubric.id}.gate"), "name": show_hidden(gate.title), "time": "0"}
    case = ET.Element("testcase", attributes)
    if not gate.passed:
        counts["failure"] += 1
        ET.SubElement(case, "failure", message=show_hidden(gate.said), type="gate")
    return case


def _build_case(
    card: Scorecard, metric: Metric, found: tuple[str, str, str] | None, counts: Counter[str]
) -> ET.Element:
    name = show_hidden(name_record(card.record))
    attributes = {"classname": show_hidden(f"{card.rubric.id}.{metric.id}"), "name": name, "time": "0"}
    case = ET.Element("testcase", attributes)
    if found is not None:
        kind, status, message = found
        counts[kind] += 1
        inner = ET.SubElement(case, kind, message=show_hidden(message))
        if kind != "skipped":
            inner.set("type", status)
        if kind == "failure":
            inner.text = show_hidden("\n".join(format_doubts(card, most=10)))
    if is_injection_suspect(card, metric.id):
        ET.SubElement(case, "system-out").text = "suspected prompt injection"
    return case


def _judge(outcome: Outcome, least: float | None, *, is_short: bool) -> tuple[str, str, str] | None:
    """What kind of test result this is, its type and its message; None where the test passes."""
    if isinstance(outcome, Failure):
        return "error", outcome.status, say_why(outcome.status, outcome.reason)
    if isinstance(outcome, Abstention):
        said = f"not scored: {say_why(outcome.status, outcome.reason)}"
        return ("failure", "not_scored", said) if is_short else ("skipped", outcome.status, said)
    goodness = float(outcome.score.goodness)
    if least is None or goodness >= least:
        return None
    return (
        "failure",
        "below_threshold",
        f"normalized score {goodness:.4f} is below {least:g}: {outcome.score.derivation}",
    )
