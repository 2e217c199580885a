"""How fast the model learns at each point of its budget of pair passes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """A rise, a level stretch and a straight fall to nothing, all in pair passes.

    While the level stretch lasts the budget can still be changed, so a machine slower than thought costs nothing.
    """

    budget: int
    peak: float = 1e-4
    rise: int = 2000
    fall_share: float = 0.5

    def rate_at(self, passes: int) -> float:
        """The learning rate after `passes` pair passes."""
        rising = min(1.0, (passes + 1) / self.rise)
        falling = (self.budget - passes) / max(1.0, self.fall_share * self.budget)
        return self.peak * max(0.0, min(rising, falling, 1.0))
