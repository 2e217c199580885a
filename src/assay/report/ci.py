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
from assay.report.display import is_injection_suspect, list_cautions, name_record, show_hidden
from assay.report.findings import format_doubts
from assay.report.gate import Gate
from assay.report.html import build_environment
from assay.store.runs import RunRow

# GitHub shows no more of one kind in a step.
_MOST = 10
# The element that says how a test ended, empty where it passed; its type, and its message.
_Ending: TypeAlias = tuple[Literal["", "failure", "error", "skipped"], str, str]


class _TestCase(NamedTuple):
    group: str
    name: str
    ending: _Ending
    title: str = ""
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
    least = least or {}
    cases = [
        _TestCase(f"{rubric.id}.gate", gate.title, ("", "", "") if gate.passed else ("failure", "gate", gate.said))
        for gate in gates
    ]
    cases += [case for card in cards for case in _list_cases(card, least, gates)]
    properties = {
        "run": run.id,
        "name": run.name,
        "state": run.state,
        "judges": ", ".join(run.judges),
        "rubric": f"{rubric.id} version {rubric.version}",
        **{f"fail-under {metric}": f"{goodness:g}" for metric, goodness in least.items()},
    }
    text = (
        build_environment()
        .get_template("junit.xml")
        .render(
            rubric=rubric,
            timestamp=f"{run.started.astimezone(UTC):%Y-%m-%dT%H:%M:%S}",
            properties={name: value for name, value in properties.items() if value is not None},
            cases=cases,
            cautions=list_cautions(rubric, run.judges),
        )
    )
    return f"{text}\n"


def _list_cases(card: Scorecard, least: Mapping[str, float], gates: Iterable[Gate]) -> Iterator[_TestCase]:
    short = {gate.metric for gate in gates if gate.is_short}
    for metric in card.rubric.metrics:
        ending = _judge(card.outcomes[metric.id], least.get(metric.id), is_short=metric.id in short)
        name, is_suspect = name_record(card.record), is_injection_suspect(card, metric.id)
        doubts = "\n".join(format_doubts(card, most=10)) if ending[0] == "failure" else ""
        group = f"{card.rubric.id}.{metric.id}"
        yield _TestCase(group, name, ending, f"{name}: {metric.name}", doubts, is_suspect)


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
    is_by_claims = any(gate.about == "findings" and not gate.passed for gate in gates)
    found = (each for card in cards for each in _list_faults(card, least, gates, is_by_claims=is_by_claims))
    for name, said in islice(found, _MOST):
        yield _format("warning", {"file": run.records_source, "title": name}, said)


def _list_faults(
    card: Scorecard, least: Mapping[str, float], gates: Iterable[Gate], *, is_by_claims: bool
) -> Iterator[tuple[str, str]]:
    at_fault = build_listed(card).votes.at_fault if is_by_claims else 0
    if at_fault:
        said = f"{count_units('claim', at_fault)} with problems"
        yield name_record(card.record), "\n".join((said, *format_doubts(card)))
    for case in _list_cases(card, least, gates):
        kind, _, said = case.ending
        if kind == "error":
            yield case.title, f"the judge failed ({said})"
        elif kind == "failure":
            yield case.title, f"{said}\n{case.text}".rstrip()


def _format(level: str, properties: Mapping[str, str], message: str) -> str:
    """Data can't end the command or begin another one: its line ends, and in properties its signs, are escaped."""
    named = ",".join(
        f"{name}={_escape(value).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items()
    )
    return f"::{level} {named}::{_escape(message)}\n"


def _escape(text: str) -> str:
    return show_hidden(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
