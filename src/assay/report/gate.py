"""Thresholds on a run: the mean goodness of a metric must not be below its threshold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.domain.rubric import Rubric
from assay.domain.scale import exceeds
from assay.errors import InputError
from assay.report.summary import Summary

_REMEDY = "Write `fail_under` METRIC=GOODNESS, with a goodness from 0 to 1, such as {}=0.8."


@dataclass(frozen=True, slots=True)
class Gate:
    """The least mean goodness of a metric and the mean it has. A metric without a score does not pass."""

    name: str
    least: float
    mean: float | None
    scored: int
    asked: int

    @property
    def passed(self) -> bool:
        return self.mean is not None and not exceeds(self.least, self.mean)

    @property
    def said(self) -> str:
        wanted, counts = f"{self.least:g}", f"{self.scored} scored of {self.asked} asked"
        if self.mean is None:
            return f"{self.name}: no record has a score, wanted a mean goodness of at least {wanted} ({counts})"
        sign = "at least" if self.passed else "below"
        return f"{self.name}: mean goodness {self.mean:.4f}, {sign} {wanted} ({counts})"


def parse_thresholds(written: Sequence[str], rubric: Rubric) -> dict[str, float]:
    """`METRIC=GOODNESS` each, every metric at most once; the least goodness by metric."""
    known = [metric.id for metric in rubric.metrics]
    remedy = _REMEDY.format(known[0])
    found: dict[str, float] = {}
    for text in written:
        name, equals, number = text.partition("=")
        name = name.strip()
        if not equals:
            raise InputError(f"`fail_under` {text!r} has no threshold", remedy=remedy)
        if name not in known:
            raise InputError(f"{rubric.id} has no metric {name!r}", remedy=f"Write one of: {', '.join(known)}.")
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
    found = ((summary.metrics[name], least) for name, least in thresholds.items())
    return tuple(Gate(each.name, least, each.goodness.mean, each.scored, each.asked) for each, least in found)
