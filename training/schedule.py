"""How fast the model learns at each point of its budget of pair passes."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Schedule:
    """A rise, a level stretch and a straight fall to nothing, all in pair passes.

    While the level stretch lasts the budget can still be changed, and a fall can be branched off at any point of it.
    """

    budget: int
    peak: float = 1e-4
    rise: int = 6400
    fall: int = 60_000

    def rate_at(self, passes: int) -> float:
        """The learning rate after `passes` pair passes."""
        rising = min(1.0, (passes + 1) / self.rise)
        falling = (self.budget - passes) / max(1.0, self.fall)
        return self.peak * max(0.0, min(rising, falling, 1.0))

    def land(self, passes: int, left: int) -> "Schedule":
        """A straight fall from the rate of now to nothing over `left` more passes."""
        share = self.rate_at(passes) / self.peak
        return replace(self, budget=passes + left, fall=max(1, round(left / share))) if share > 0 else self

    def is_falling(self, passes: int) -> bool:
        return passes > self.budget - self.fall
