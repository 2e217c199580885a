"""A scale knows its range, which end is best, how it rounds, and its polarity-free copy: goodness."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

Step = Literal["high", "middle", "low"]
_HAIR = 1e-9
YES_NO = ("no", "yes")


def half_up(value: Fraction, decimals: int = 0) -> Fraction:
    """Halves go away from zero, in exact arithmetic: 12.5 is 13, never 12 by a float's accident."""
    over, under = abs(value.numerator), value.denominator
    if under == 1:
        return value
    shift = 10**decimals
    magnitude = Fraction((2 * over * shift + under) // (2 * under), shift)
    return magnitude if value >= 0 else -magnitude


@dataclass(frozen=True, slots=True)
class Scale:
    low: Fraction
    high: Fraction
    best: Literal["high", "low"] = "high"
    decimals: int = 0
    is_yes_no: bool = False

    def __post_init__(self) -> None:
        if self.low >= self.high:
            raise ValueError(f"a scale from {self.low} to {self.high} has no room")

    def with_decimals(self) -> "Scale":
        """With at least one decimal, unless its scores are words."""
        return self if self.is_yes_no else replace(self, decimals=max(1, self.decimals))

    def contains(self, value: Fraction) -> bool:
        return self.low <= value <= self.high

    def round(self, value: Fraction) -> Fraction:
        return half_up(value, self.decimals)

    def goodness(self, value: Fraction) -> Fraction:
        """1 is best and 0 is worst, whatever the direction of the scale."""
        share = (value - self.low) / (self.high - self.low)
        return share if self.best == "high" else 1 - share

    def stretch(self, share: Fraction) -> Fraction:
        """The place on the scale that a share between 0 and 1 stands for, counted from its low end."""
        return self.low + share * (self.high - self.low)

    def say(self, value: Fraction | float) -> str:
        """A score as people read it: `yes` or `no` where the scale has these two, else the number."""
        if self.is_yes_no and value in {self.low, self.high}:
            return YES_NO[value == self.high]
        return in_words(value if isinstance(value, Fraction) else Fraction(value).limit_denominator(10**6))


def number(value: Fraction) -> int | float:
    """The plain number that goes into a file: whole where it is whole."""
    return value.numerator if value.denominator == 1 else float(value)


def in_words(value: Fraction, decimals: int = 2) -> str:
    """A number for a sentence: at most `decimals` places, no trailing zeros."""
    rounded = half_up(value, decimals)
    if rounded.denominator == 1:
        return str(rounded.numerator)
    return f"{float(rounded):.{decimals}f}".rstrip("0").rstrip(".")


def say_number(value: float) -> str:
    """The same of a mean, which is no exact number."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def say_scale(scale: Scale) -> str:
    """Which end is best is part of it: nobody shall read a 0 that is best as a 0 that is worst."""
    best = scale.high if scale.best == "high" else scale.low
    return f"{scale.say(scale.low)}–{scale.say(scale.high)}, best {scale.say(best)}"


def exceeds(value: float, limit: float) -> bool:
    """Whether a mean is above a limit, and not only by the hair that sums of decimals are off."""
    return value > limit + _HAIR


def step_of(goodness: float) -> Step:
    """How good a score looks wherever it is coloured: three steps, the same on a terminal and on a page."""
    return "high" if goodness >= 0.75 else "middle" if goodness >= 0.5 else "low"
