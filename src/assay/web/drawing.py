"""The numbers of the drawings in `drawings.html`."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assay.domain.scale import Scale, in_words, step_of

_BINS = 10
_MOST_LEVELS = 11


def count_scores(scores: Mapping[float, int], scale: Scale) -> Sequence[tuple[str, int, str]]:
    """What each bar stands for, how many scores are in it, and how good they are.

    One bar per level where a scale has few, else ten of equal width; the last one holds the top of the scale.
    """
    low, high = float(scale.low), float(scale.high)
    has_levels = scale.decimals == 0 and scale.high - scale.low < _MOST_LEVELS
    size = int(scale.high - scale.low) + 1 if has_levels else _BINS
    counts = [0] * size
    for score, times in scores.items():
        share = (score - low) / (high - low)
        at = round(share * (size - 1)) if has_levels else int(share * size)
        counts[min(size - 1, max(0, at))] += times
    bars = []
    for at, count in enumerate(counts):
        share = at / (size - 1)
        ends = [Fraction(at, size), Fraction(at + 1, size)]
        label = scale.say(scale.low + at) if has_levels else "–".join(in_words(scale.stretch(end)) for end in ends)
        bars.append((label, count, step_of(share if scale.best == "high" else 1 - share)))
    return bars


def find_share(value: float, low: float, high: float) -> float:
    """Where a value stands on an axis, from 0 to 1; beyond its ends at the end."""
    return min(1.0, max(0.0, (value - low) / (high - low)))


def format_pixels(value: float) -> str:
    return f"{round(value, 2):g}"
