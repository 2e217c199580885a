"""A run as a JUnit report: one test case for each record and metric."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC
from xml.etree import ElementTree as ET  # its usual name

from assay.domain.outcome import Abstention, Failure, Outcome
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Scorecard
from assay.report.display import list_cautions, list_taints, name_record, show_hidden
from assay.report.doubts import format_doubts
from assay.store.runs import RunRow


def format_junit(
    run: RunRow, rubric: Rubric, cards: Iterable[Scorecard], least: Mapping[str, float] | None = None
) -> str:
    """A score below its metric's least goodness fails, a failed judge is an error, one that declined is skipped."""
    least = least or {}
    counts: Counter[str] = Counter()
    cases = [_build_case(card, metric, least.get(metric.id), counts) for card in cards for metric in rubric.metrics]
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


def _build_case(card: Scorecard, metric: Metric, least: float | None, counts: Counter[str]) -> ET.Element:
    name = show_hidden(name_record(card.record))
    attributes = {"classname": show_hidden(f"{card.rubric.id}.{metric.id}"), "name": name, "time": "0"}
    case = ET.Element("testcase", attributes)
    found = _judge(card.outcomes[metric.id], least)
    if found is not None:
        kind, status, message = found
        counts[kind] += 1
        inner = ET.SubElement(case, kind, message=show_hidden(message))
        if kind != "skipped":
            inner.set("type", status)
        if kind == "failure":
            inner.text = show_hidden("\n".join(format_doubts(card, most=10)))
    if taints := list_taints(card, metric.id):
        ET.SubElement(case, "system-out").text = f"tainted: {', '.join(taints)}"
    return case


def _judge(outcome: Outcome, least: float | None) -> tuple[str, str, str] | None:
    """What kind of test result this is, its type and its message; None where the test passes."""
    if isinstance(outcome, Failure):
        return "error", outcome.status, f"{outcome.status}: {outcome.reason}"
    if isinstance(outcome, Abstention):
        return "skipped", outcome.status, f"{outcome.status}: {outcome.reason}"
    goodness = float(outcome.score.goodness)
    if least is None or goodness >= least:
        return None
    return "failure", "below_threshold", f"goodness {goodness:.4f} is below {least:g}: {outcome.score.derivation}"
