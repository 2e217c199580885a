"""Small drawings by hand: where each stroke goes is computed here, the strokes themselves are in the templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.domain.scale import Scale, in_words, step_of

_BINS = 10
_MOST_LEVELS = 11
WIDTH, HEIGHT = 260, 72
_DOT_WIDTH = 200
_GAP = 3
_LEAST_HEIGHT = 2


@dataclass(frozen=True, slots=True)
class Bar:
    """In units of the drawing; `label` says what the bar stands for, `tone` how good that is."""

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
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class IntervalDot:
    """A mean between 0 and 1 with its interval; both ends are the mean where there is none."""

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
    tallest = max(counts) or 1
    step = WIDTH / count
    bars = []
    for at, number in enumerate(counts):
        height = max(_LEAST_HEIGHT if number else 0, HEIGHT * number / tallest)
        share = at / (count - 1)
        goodness = share if scale.best == "high" else 1 - share
        bars.append(
            Bar(
                x=round(at * step + _GAP / 2, 2),
                y=round(HEIGHT - height, 2),
                width=round(step - _GAP, 2),
                height=round(height, 2),
                label=_say_bin(scale, at, count, has_levels=has_levels),
                count=number,
                tone=step_of(goodness),
            )
        )
    said = "; ".join(f"{bar.label}: {bar.count}" for bar in bars if bar.count)
    return Histogram(tuple(bars), in_words(scale.low), in_words(scale.high), said or "no scores")


def _say_bin(scale: Scale, at: int, count: int, *, has_levels: bool) -> str:
    if has_levels:
        return in_words(scale.low + at)
    ends = (scale.stretch(Fraction(at + more, count)) for more in (0, 1))
    return "–".join(in_words(end) for end in ends)


def draw_interval(mean: float, interval: tuple[float, float] | None) -> IntervalDot:
    room, edge = _DOT_WIDTH - 12, 6
    low, high = interval or (mean, mean)
    places = [round(edge + room * min(1.0, max(0.0, value)), 2) for value in (mean, low, high)]
    return IntervalDot(places[0], places[1], places[2], interval is not None)
