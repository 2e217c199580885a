"""Thresholds on a run: the mean goodness of a metric must not be below its threshold."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.domain.rubric import Rubric
from assay.domain.scale import exceeds
from assay.errors import InputError
from assay.report.summary import Summary

_REMEDY = "Write `fail_under` METRIC=GOODNESS, with a goodness from 0 to 1, such as {}=0.8."


@dataclass(frozen=True, slots=True)
class GateThreshold:
    metric: str
    least: float


@dataclass(frozen=True, slots=True)
class Gate:
    """A threshold and the mean it is compared with. A metric without a score does not pass."""

    threshold: GateThreshold
    name: str
    mean: float | None
    scored: int
    asked: int

    @property
    def passed(self) -> bool:
        return self.mean is not None and not exceeds(self.threshold.least, self.mean)

    @property
    def said(self) -> str:
        wanted, counts = f"{self.threshold.least:g}", f"{self.scored} scored of {self.asked} asked"
        if self.mean is None:
            return f"{self.name}: no record has a score, wanted a mean goodness of at least {wanted} ({counts})"
        sign = "at least" if self.passed else "below"
        return f"{self.name}: mean goodness {self.mean:.4f}, {sign} {wanted} ({counts})"


def parse_thresholds(written: Sequence[str], rubric: Rubric) -> tuple[GateThreshold, ...]:
    """`METRIC=GOODNESS` each, every metric at most once."""
    known = [metric.id for metric in rubric.metrics]
    remedy = _REMEDY.format(known[0])
    found: dict[str, GateThreshold] = {}
    for text in written:
        name, equals, number = text.partition("=")
        name = name.strip()
        if not equals:
            raise InputError(f"`fail_under` {text!r} has no threshold", remedy=remedy)
        if name not in known:
            raise InputError(f"{rubric.id} has no metric {name!r}", remedy=f"Write one of: {', '.join(known)}.")
        if name in found:
            raise InputError(f"`fail_under` names {name} twice", remedy="Write each metric once.")
        found[name] = GateThreshold(name, _parse_goodness(number, remedy))
    return tuple(found.values())


def _parse_goodness(text: str, remedy: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(f"{text.strip()!r} is not a goodness", remedy=remedy)
    return value


def check_gates(thresholds: Sequence[GateThreshold], summary: Summary) -> tuple[Gate, ...]:
    found = ((threshold, summary.metrics[threshold.metric]) for threshold in thresholds)
    return tuple(Gate(each, metric.name, metric.goodness.mean, metric.scored, metric.asked) for each, metric in found)
