"""Geometry of the small charts: positions are computed here, the SVG is in the templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.domain.scale import Scale, in_words, step_of

_BINS = 10
_MOST_LEVELS = 11
_WIDTH, _HEIGHT, _DOT_WIDTH = 260, 72, 200
_GAP = 3
_LEAST_HEIGHT = 2


@dataclass(frozen=True, slots=True)
class Bar:
    """`label` says which scores the bar counts, `tone` how good they are."""

    x: float
    y: float
    width: float
    height: float
    label: str
    count: int
    tone: str


@dataclass(frozen=True, slots=True)
class Histogram:
    bars: tuple[Bar, ...]
    low: str
    high: str
    said: str
    width: int = _WIDTH
    height: int = _HEIGHT


@dataclass(frozen=True, slots=True)
class IntervalDot:
    """A value with its interval on a line; both ends are the value where there is no interval."""

    x: float
    low: float
    high: float
    has_interval: bool
    width: int = _DOT_WIDTH
    height: int = 20


def draw_histogram(scores: Sequence[float], scale: Scale) -> Histogram:
    """One bar per level where a scale has few, else ten of equal width; the last one holds the top of the scale."""
    low, high = float(scale.low), float(scale.high)
    has_levels = scale.decimals == 0 and scale.high - scale.low < _MOST_LEVELS
    count = int(scale.high - scale.low) + 1 if has_levels else _BINS
    counts = [0] * count
    for score in scores:
        share = (score - low) / (high - low)
        at = round(share * (count - 1)) if has_levels else int(share * count)
        counts[min(count - 1, max(0, at))] += 1
    tallest, step = max(counts) or 1, _WIDTH / count
    bars = []
    for at, number in enumerate(counts):
        height = max(_LEAST_HEIGHT if number else 0, _HEIGHT * number / tallest)
        share = at / (count - 1)
        tone = step_of(share if scale.best == "high" else 1 - share)
        box = (at * step + _GAP / 2, _HEIGHT - height, step - _GAP, height)
        x, y, width, shown = (round(each, 2) for each in box)
        ends = [Fraction(at, count), Fraction(at + 1, count)]
        label = in_words(scale.low + at) if has_levels else "–".join(in_words(scale.stretch(end)) for end in ends)
        bars.append(Bar(x, y, width, shown, label, number, tone))
    said = "; ".join(f"{bar.label}: {bar.count}" for bar in bars if bar.count)
    return Histogram(tuple(bars), in_words(scale.low), in_words(scale.high), said or "no scores")


def draw_interval(mean: float, interval: tuple[float, float] | None, low: float = 0, high: float = 1) -> IntervalDot:
    """On a line from `low` to `high`."""
    room, edge = _DOT_WIDTH - 12, 6
    shares = ((value - low) / (high - low) for value in (mean, *(interval or (mean, mean))))
    x, left, right = (round(edge + room * min(1.0, max(0.0, share)), 2) for share in shares)
    return IntervalDot(x, left, right, interval is not None)
