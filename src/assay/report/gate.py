"""Gates of a run: the mean of a metric, the lower end of its interval, and the judge's agreement with people."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.domain.rubric import ESTIMATE, Rubric
from assay.domain.scale import exceeds
from assay.errors import InputError
from assay.report.display import format_kept
from assay.report.summary import Summary
from assay.store.agreements import KeptAgreement
from assay.store.runs import RunRow
from assay.store.store import Store

LOW = ".low"
_REMEDY = (
    "Write `fail_under` METRIC=GOODNESS, with a goodness from 0 to 1, such as {0}=0.8, {0}.low=0.7 or {0}.estimate=0.3."
)


@dataclass(frozen=True, slots=True)
class Gate:
    """The least value that a metric must have, and the one it has. Without any it does not pass.

    The value is the mean goodness, the lower end of its 95 % interval over items, or the mean estimate.
    """

    name: str
    least: float
    found: float | None
    scored: int
    asked: int
    value: Literal["mean goodness", "lower end of the mean goodness", "mean estimate"] = "mean goodness"

    @property
    def passed(self) -> bool:
        return self.found is not None and not exceeds(self.least, self.found)

    @property
    def said(self) -> str:
        verb, thing = ("estimated", "an estimate") if self.value == "mean estimate" else ("scored", "a score")
        wanted, counts = f"{self.least:g}", f"{self.scored} {verb} of {self.asked} asked"
        if self.found is None:
            why = "one item has no interval" if self.scored else f"no record has {thing}"
            return f"{self.name}: {why}, wanted a {self.value} of at least {wanted} ({counts})"
        sign = "at least" if self.passed else "below"
        return f"{self.name}: {self.value} {self.found:.4f}, {sign} {wanted} ({counts})"


@dataclass(frozen=True, slots=True)
class AgreementGate:
    """Whether a judge was measured against people, on enough labels, and is better than a constant answer."""

    name: str
    judge: str
    fewest: int
    found: KeptAgreement | None

    @property
    def passed(self) -> bool:
        found = self.found
        return found is not None and found.n >= self.fewest and found.verdict is not None and found.verdict.is_better

    @property
    def said(self) -> str:
        found = self.found
        if found is None:
            remedy = "label records, then run `assay agree RUN --keep`"
            return f"{self.name}: no agreement of {self.judge} with people is kept for this rubric; {remedy}"
        wanted = f" Wanted: {self.fewest} labelled records." if found.n < self.fewest else ""
        return f"{self.name}, {self.judge} against people: {format_kept(found)}{wanted}"


def parse_thresholds(written: Sequence[str], rubric: Rubric) -> dict[str, float]:
    """`METRIC`, `METRIC.low` or `METRIC.estimate` with its least value, each at most once."""
    known = [each for metric in rubric.metrics for each in (metric.id, f"{metric.id}{LOW}", metric.estimate.id)]
    remedy = _REMEDY.format(known[0])
    found: dict[str, float] = {}
    for text in written:
        name, equals, number = text.partition("=")
        name = name.strip()
        if not equals:
            raise InputError(f"`fail_under` {text!r} has no threshold", remedy=remedy)
        if name not in known:
            raise InputError(f"{rubric.id} has no metric {name!r}", remedy=f"Write one of: {', '.join(known[::3])}.")
        if name in found:
            raise InputError(f"`fail_under` names {name} twice", remedy="Write each metric once.")
        found[name] = _parse_goodness(number, remedy)
    return found


def _parse_goodness(text: str, remedy: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(f"{text.strip()!r} is not a goodness", remedy=remedy)
    return value


def check_gates(thresholds: Mapping[str, float], summary: Summary) -> tuple[Gate, ...]:
    return tuple(_check_gate(name, least, summary) for name, least in thresholds.items())


def _check_gate(name: str, least: float, summary: Summary) -> Gate:
    found = summary.metrics[name.removesuffix(ESTIMATE).removesuffix(LOW)]
    if name.endswith(ESTIMATE):
        return Gate(found.name, least, found.estimates.mean, found.estimates.count, found.asked, "mean estimate")
    if name.endswith(LOW):
        interval = found.goodness.interval
        low = None if interval is None else interval[0]
        return Gate(found.name, least, low, found.scored, found.asked, "lower end of the mean goodness")
    return Gate(found.name, least, found.goodness.mean, found.scored, found.asked)


def check_agreement(
    thresholds: Iterable[str], fewest: int, run: RunRow, rubric: Rubric, store: Store
) -> tuple[AgreementGate, ...]:
    """Of the metrics that have a threshold; where none has, of all."""
    names = {each.id: each.name for metric in rubric.metrics for each in (metric, metric.estimate)}
    wanted = dict.fromkeys(name.removesuffix(LOW) for name in thresholds) or [metric.id for metric in rubric.metrics]
    return tuple(
        AgreementGate(names[name], run.judge, fewest, store.agreements.find(run.judge, run.rubric_digest, name))
        for name in wanted
    )
