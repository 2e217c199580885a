"""A statistic with what is known of its uncertainty."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Estimate:
    """`value` is None where the statistic is undefined, never NaN; `interval` is at 95 %, or None where none holds.

    `n` counts what the statistic is over (items, groups or systems), `clusters` what was resampled, and `undefined`
    what has no value of its own: groups whose labels are constant, for instance.
    """

    value: float | None
    interval: tuple[float, float] | None
    n: int
    clusters: int
    undefined: int = 0
    method: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def half_width(self) -> float | None:
        return None if self.interval is None else (self.interval[1] - self.interval[0]) / 2

    def warned(self, *sentences: str) -> "Estimate":
        """The same estimate with these warnings after its own, each once."""
        return replace(self, warnings=tuple(dict.fromkeys((*self.warnings, *sentences))))
