"""A threshold on a run: the mean goodness of a metric must not be below it."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.domain.rubric import Rubric
from assay.domain.scale import exceeds
from assay.errors import InputError
from assay.pages.headlines import Headline

_REMEDY = "Write --fail-under METRIC=GOODNESS, with a goodness from 0 to 1, such as {}=0.8."


@dataclass(frozen=True, slots=True)
class Threshold:
    metric: str
    least: float


@dataclass(frozen=True, slots=True)
class Gate:
    """What became of a threshold. A metric that nobody scored does not pass: nothing shows that it could."""

    threshold: Threshold
    name: str
    mean: float | None
    scored: int
    asked: int

    @property
    def passed(self) -> bool:
        return self.mean is not None and not exceeds(self.threshold.least, self.mean)

    @property
    def said(self) -> str:
        wanted = f"{self.threshold.least:g}"
        behind = f"{self.scored} scored of {self.asked} asked"
        if self.mean is None:
            return f"{self.name}: no record has a score, wanted a mean goodness of at least {wanted} ({behind})"
        sign = "at least" if self.passed else "below"
        return f"{self.name}: mean goodness {self.mean:.4f}, {sign} {wanted} ({behind})"


def read_thresholds(written: Sequence[str], rubric: Rubric) -> tuple[Threshold, ...]:
    """`METRIC=GOODNESS` each; one metric once."""
    known = [metric.id for metric in rubric.metrics]
    remedy = _REMEDY.format(known[0])
    found: dict[str, Threshold] = {}
    for text in written:
        name, equals, number = text.partition("=")
        name = name.strip()
        if not equals:
            raise InputError(f"--fail-under {text!r} has no threshold", remedy=remedy)
        if name not in known:
            raise InputError(f"{rubric.id} has no metric {name!r}", remedy=f"It has {', '.join(known)}.")
        if name in found:
            raise InputError(f"--fail-under names {name} twice", remedy="Write each metric once.")
        found[name] = Threshold(name, _read_goodness(number, remedy))
    return tuple(found.values())


def _read_goodness(text: str, remedy: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(f"{text.strip()!r} is no goodness", remedy=remedy)
    return value


def check_gates(thresholds: Sequence[Threshold], headlines: Sequence[Headline]) -> tuple[Gate, ...]:
    by_id = {each.id: each for each in headlines}
    return tuple(
        Gate(
            threshold=threshold,
            name=by_id[threshold.metric].name,
            mean=by_id[threshold.metric].goodness.mean,
            scored=by_id[threshold.metric].scored,
            asked=by_id[threshold.metric].asked,
        )
        for threshold in thresholds
    )
