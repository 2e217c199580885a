"""A run as a JUnit report (`junit.xml`), and as annotations of a GitHub workflow."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias

from assay.domain.listed import build_listed
from assay.domain.outcome import Failure, Outcome, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scale import exceeds
from assay.domain.scorecard import Scorecard
from assay.domain.terms import say_why
from assay.domain.units import count_units
from assay.report.display import format_score, is_injection_suspect, list_cautions, name_record, show_hidden
from assay.report.findings import format_doubts
from assay.report.gate import Gate
from assay.report.html import render_template
from assay.store.runs import RunRow

# GitHub shows no more of one kind in a step.
_MOST = 10
# The element that says how a test ended, empty where it passed; its type, and its message.
_Ending: TypeAlias = tuple[Literal["", "failure", "error", "skipped"], str, str]


class _TestCase(NamedTuple):
    group: str
    name: str
    ending: _Ending
    text: str = ""
    is_suspect: bool = False


def format_junit(
    run: RunRow,
    rubric: Rubric,
    cards: Iterable[Scorecard],
    least: Mapping[str, float] | None = None,
    gates: Sequence[Gate] = (),
) -> str:
    """One test case for each gate, and for each record and metric.

    A score below its metric's least goodness fails, and a failed judge is an error. A record without a score is
    skipped; it fails where its metric has a gate and too few records have a score.
    """
    least, short = least or {}, _find_short(gates)
    cases = [
        _TestCase(f"{rubric.id}.gate", gate.title, ("", "", "") if gate.passed else ("failure", "gate", gate.said))
        for gate in gates
    ]
    for card in cards:
        for metric in rubric.metrics:
            ending = _judge(card.outcomes[metric.id], least.get(metric.id), is_short=metric.id in short)
            doubts = "\n".join(format_doubts(card, most=10)) if ending[0] == "failure" else ""
            is_suspect = is_injection_suspect(card, metric.id)
            cases.append(_TestCase(f"{rubric.id}.{metric.id}", name_record(card.record), ending, doubts, is_suspect))
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


def _find_short(gates: Iterable[Gate]) -> set[str]:
    """The metrics of which too few records have a score."""
    return {gate.metric for gate in gates if gate.is_short and gate.about == "scores"}


def _judge(outcome: Outcome, least: float | None, *, is_short: bool) -> _Ending:
    if isinstance(outcome, Failure):
        return "error", outcome.status, say_why(outcome.status, outcome.reason)
    if not isinstance(outcome, Verdict):
        said = f"not scored: {say_why(outcome.status, outcome.reason)}"
        return ("failure", "not_scored", said) if is_short else ("skipped", "", said)
    goodness = float(outcome.score.goodness)
    if least is None or not exceeds(least, goodness):
        return "", "", ""
    said = f"normalized score {goodness:.4f} is below {least:g}: {outcome.score.derivation}"
    return "failure", "below_threshold", said


def format_github(
    run: RunRow, cards: Iterable[Scorecard], least: Mapping[str, float], gates: Sequence[Gate]
) -> Iterator[str]:
    """Errors of the gates, then warnings about the file of records, the first ones of the run."""
    for gate in gates:
        if not gate.passed:
            yield _format("error", {"title": "Assay gate"}, gate.said)
    short = _find_short(gates)
    is_by_claims = any(gate.about == "findings" and not gate.passed for gate in gates)
    found = (each for card in cards for each in _list_faults(card, least, short, is_by_claims=is_by_claims))
    for name, said in islice(found, _MOST):
        yield _format("warning", {"file": run.records_source, "title": name}, said)


def _list_faults(
    card: Scorecard, least: Mapping[str, float], short: set[str], *, is_by_claims: bool
) -> Iterator[tuple[str, str]]:
    if is_by_claims:
        at_fault = build_listed(card).votes.at_fault
        if at_fault:
            said = f"{count_units('claim', at_fault)} with problems"
            yield name_record(card.record), "\n".join((said, *format_doubts(card)))
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        name = f"{name_record(card.record)}: {metric.name}"
        if isinstance(outcome, Failure):
            yield name, f"the judge failed ({say_why(outcome.status, outcome.reason)})"
        elif metric.id in least and isinstance(outcome, Verdict):
            goodness = float(outcome.score.goodness)
            if exceeds(least[metric.id], goodness):
                said = f"{format_score(outcome)}: normalized score {goodness:.2f}, below {least[metric.id]:g}"
                yield name, "\n".join((said, *format_doubts(card)))
        elif metric.id in short and not isinstance(outcome, Verdict):
            yield name, "\n".join((f"not scored: {say_why(outcome.status, outcome.reason)}", *format_doubts(card)))


def _format(level: str, properties: Mapping[str, str], message: str) -> str:
    """Data can't end the command or begin another one: its line ends, and in properties its signs, are escaped."""
    named = ",".join(
        f"{name}={_escape(value).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items()
    )
    return f"::{level} {named}::{_escape(message)}\n"


def _escape(text: str) -> str:
    return show_hidden(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
