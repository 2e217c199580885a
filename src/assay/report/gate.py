"""Thresholds on a run: the mean goodness of a metric, or its mean estimate, must not be below its threshold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.domain.rubric import ESTIMATE, Rubric
from assay.domain.scale import exceeds
from assay.errors import InputError
from assay.report.summary import Summary

_REMEDY = "Write `fail_under` METRIC=GOODNESS, with a goodness from 0 to 1, such as {0}=0.8, or {0}.estimate=0.3."


@dataclass(frozen=True, slots=True)
class Gate:
    """The least mean of a metric's goodness or estimates, and the mean it has. Without any it does not pass."""

    name: str
    least: float
    mean: float | None
    scored: int
    asked: int
    value: Literal["goodness", "estimate"] = "goodness"

    @property
    def passed(self) -> bool:
        return self.mean is not None and not exceeds(self.least, self.mean)

    @property
    def said(self) -> str:
        verb, thing = ("scored", "a score") if self.value == "goodness" else ("estimated", "an estimate")
        wanted, counts = f"{self.least:g}", f"{self.scored} {verb} of {self.asked} asked"
        if self.mean is None:
            return f"{self.name}: no record has {thing}, wanted a mean {self.value} of at least {wanted} ({counts})"
        sign = "at least" if self.passed else "below"
        return f"{self.name}: mean {self.value} {self.mean:.4f}, {sign} {wanted} ({counts})"


def parse_thresholds(written: Sequence[str], rubric: Rubric) -> dict[str, float]:
    """`METRIC=GOODNESS` or `METRIC.estimate=VALUE` each, each at most once; the thresholds by what they are of."""
    known = [each for metric in rubric.metrics for each in (metric.id, metric.estimate.id)]
    remedy = _REMEDY.format(known[0])
    found: dict[str, float] = {}
    for text in written:
        name, equals, number = text.partition("=")
        name = name.strip()
        if not equals:
            raise InputError(f"`fail_under` {text!r} has no threshold", remedy=remedy)
        if name not in known:
            raise InputError(f"{rubric.id} has no metric {name!r}", remedy=f"Write one of: {', '.join(known[::2])}.")
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
    found = summary.metrics[name.removesuffix(ESTIMATE)]
    if name.endswith(ESTIMATE):
        return Gate(found.name, least, found.estimates.mean, found.estimates.count, found.asked, "estimate")
    return Gate(found.name, least, found.goodness.mean, found.scored, found.asked)
