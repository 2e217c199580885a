"""A run as annotations of a GitHub workflow: one for each failed gate, and for each record that it fails for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from assay.domain.listed import build_listed
from assay.domain.outcome import Abstention, Failure, Verdict
from assay.domain.scale import exceeds
from assay.domain.scorecard import Scorecard
from assay.domain.terms import say_why
from assay.domain.units import count_units
from assay.report.display import format_score, name_record, show_hidden
from assay.report.findings import format_doubts
from assay.report.gate import FindingsGate, Gate, RunGate
from assay.store.runs import RunRow

# GitHub shows no more of one kind in a step.
_MOST = 10


def format_github(
    run: RunRow, cards: Iterable[Scorecard], least: Mapping[str, float], gates: Sequence[RunGate]
) -> Iterator[str]:
    """Errors of the gates, then warnings about the file of records, the first ones of the run."""
    for gate in gates:
        if not gate.passed:
            yield _format("error", {"title": "Assay gate"}, gate.said)
    short = {gate.metric for gate in gates if isinstance(gate, Gate) and gate.is_short}
    is_by_claims = any(isinstance(gate, FindingsGate) and not gate.passed for gate in gates)
    found = (each for card in cards for each in _list_faults(card, least, short, is_by_claims=is_by_claims))
    for (name, said), _ in zip(found, range(_MOST), strict=False):
        yield _format("warning", {"file": run.records_source, "title": name}, said)


def _list_faults(
    card: Scorecard, least: Mapping[str, float], short: AbstractSet[str], *, is_by_claims: bool
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
        elif metric.id in short and isinstance(outcome, Abstention):
            yield name, "\n".join((f"not scored: {say_why(outcome.status, outcome.reason)}", *format_doubts(card)))


def _format(level: str, properties: Mapping[str, str], message: str) -> str:
    """Data can't end the command or begin another one: its line ends, and in properties its signs, are escaped."""
    named = ",".join(
        f"{name}={_escape(value).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items()
    )
    return f"::{level} {named}::{_escape(message)}\n"


def _escape(text: str) -> str:
    return show_hidden(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
