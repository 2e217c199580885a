"""A run as a JUnit report (`junit.xml`): one test case for each gate, and for each record and metric."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from typing import Literal, NamedTuple

from assay.domain.outcome import Abstention, Failure, Outcome
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.domain.terms import say_why
from assay.report.display import is_injection_suspect, list_cautions, name_record
from assay.report.findings import format_doubts
from assay.report.gate import Gate, RunGate
from assay.report.html import render_template
from assay.store.runs import RunRow


class _TestCase(NamedTuple):
    """`kind` is the element that says how the test ended, empty where it passed."""

    group: str
    name: str
    kind: Literal["", "failure", "error", "skipped"] = ""
    type: str = ""
    message: str = ""
    text: str = ""
    is_suspect: bool = False


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
    cases = [
        _TestCase(f"{rubric.id}.gate", gate.title, *(() if gate.passed else ("failure", "gate", gate.said)))
        for gate in gates
    ]
    for card in cards:
        for metric in rubric.metrics:
            case = _TestCase(f"{rubric.id}.{metric.id}", name_record(card.record))
            case = _judge(case, card.outcomes[metric.id], least.get(metric.id), is_short=metric.id in short)
            doubts = "\n".join(format_doubts(card, most=10)) if case.kind == "failure" else ""
            cases.append(case._replace(text=doubts, is_suspect=is_injection_suspect(card, metric.id)))
    properties = {
        "run": run.id,
        "name": run.name,
        "state": run.state,
        "judges": ", ".join(run.judges),
        "rubric": f"{rubric.id} version {rubric.version}",
        **{f"fail-under {metric}": f"{goodness:g}" for metric, goodness in least.items()},
    }
    text = render_template(
        "junit.xml",
        rubric=rubric,
        timestamp=f"{run.started.astimezone(UTC):%Y-%m-%dT%H:%M:%S}",
        properties={name: value for name, value in properties.items() if value is not None},
        cases=cases,
        cautions=list_cautions(rubric, run.judges),
    )
    return f"{text}\n"


def _judge(case: _TestCase, outcome: Outcome, least: float | None, *, is_short: bool) -> _TestCase:
    if isinstance(outcome, Failure):
        return case._replace(kind="error", type=outcome.status, message=say_why(outcome.status, outcome.reason))
    if isinstance(outcome, Abstention):
        said = f"not scored: {say_why(outcome.status, outcome.reason)}"
        return case._replace(
            kind="failure" if is_short else "skipped", type="not_scored" if is_short else "", message=said
        )
    goodness = float(outcome.score.goodness)
    if least is None or goodness >= least:
        return case
    said = f"normalized score {goodness:.4f} is below {least:g}: {outcome.score.derivation}"
    return case._replace(kind="failure", type="below_threshold", message=said)
