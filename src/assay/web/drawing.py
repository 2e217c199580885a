"""Draws the pictures of the pages as SVG: distributions, intervals and plots. Colours and fonts are the style's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from markupsafe import Markup

from assay.domain.scale import Scale, in_words, step_of
from assay.report.display import show_hidden

Interval = tuple[float, float]

_BINS = 10
_MOST_LEVELS = 11
_BARS_WIDTH, _BARS_HEIGHT = 260, 72
_GAP = 3
_LEAST_HEIGHT = 2
_STRIP_WIDTH, _STRIP_HEIGHT, _STRIP_EDGE = 200, 20, 6
_PLOT_WIDTH, _PLOT_HEIGHT = 320, 170
_LEFT, _RIGHT, _TOP, _BOTTOM = 30, 12, 12, 22
_RADIUS = 4.5


@dataclass(frozen=True, slots=True)
class Axis:
    """`ticks` are values with their words."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]

    def share(self, value: float) -> float:
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


_GOODNESS = Axis(0, 1, ((0, "0"), (0.5, "0.5"), (1, "1")))


@dataclass(frozen=True, slots=True)
class Point:
    """A value with its interval, or on a line alone `x`. `said` is what it means, `href` where it leads."""

    x: float
    y: float = 0.0
    interval: Interval | None = None
    said: str = ""
    tone: str = "none"
    href: str = ""


def draw_histogram(scores: Mapping[float, int], scale: Scale, name: str) -> Markup:
    """One bar per level where a scale has few, else ten of equal width; the last one holds the top of the scale."""
    bars = count_scores(scores, scale)
    tallest, step = max(count for _, count, _ in bars) or 1, _BARS_WIDTH / len(bars)
    shown = []
    for at, (label, count, tone) in enumerate(bars):
        height = max(_LEAST_HEIGHT if count else 0, _BARS_HEIGHT * count / tallest)
        box = _tag("rect", x=at * step + _GAP / 2, y=_BARS_HEIGHT - height, width=step - _GAP, height=height)
        shown.append(_tag("g", _tag("title", f"{label}: {count}"), box, class_=f"bar g-{tone}"))
    said = "; ".join(f"{label}: {count}" for label, count, _ in bars if count) or "no scores"
    ends = [
        _write(scale.say(scale.low), 1, _BARS_HEIGHT + 14),
        _write(scale.say(scale.high), _BARS_WIDTH - 1, _BARS_HEIGHT + 14, "end"),
    ]
    axis = _line("axis", (0, _BARS_HEIGHT + 0.5), (_BARS_WIDTH, _BARS_HEIGHT + 0.5))
    size = (_BARS_WIDTH, _BARS_HEIGHT + 18)
    return _draw("histogram", size, f"{name}: records by score. {said}", axis, *shown, *ends)


def count_scores(scores: Mapping[float, int], scale: Scale) -> Sequence[tuple[str, int, str]]:
    """What each bar stands for, how many scores are in it, and how good they are."""
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


def draw_interval(
    mean: float | None, interval: Interval | None, said: str, tone: str = "none", low: float = 0, high: float = 1
) -> Markup:
    """A value with its interval on a line from `low` to `high`; without a value the interval alone, which is a range.

    A mark stands in the middle of the line.
    """
    line = Axis(low, high, ())
    marks = _draw_strip(line)
    middle = _STRIP_HEIGHT / 2
    if interval is not None:
        marks.append(_line("range", (_place(interval[0], line), middle), (_place(interval[1], line), middle)))
    if mean is not None:
        marks.append(_tag("circle", class_="dot", cx=_place(mean, line), cy=middle, r=5))
    return _draw(f"interval g-{tone}", (_STRIP_WIDTH, _STRIP_HEIGHT), said, *marks)


def draw_values(points: Sequence[Point], said: str) -> Markup:
    """Several values on a line from 0 to 1, and the range they span."""
    marks, middle = _draw_strip(_GOODNESS), _STRIP_HEIGHT / 2
    if points:
        low, *_, high = sorted(_place(each.x, _GOODNESS) for each in (*points, *points))
        marks.append(_line("range", (low, middle), (high, middle)))
    for each in points:
        dot = _tag("circle", class_="dot", cx=_place(each.x, _GOODNESS), cy=middle, r=_RADIUS)
        marks.append(_tag("g", _tag("title", each.said), dot, class_=f"point g-{each.tone}"))
    return _draw("interval", (_STRIP_WIDTH, _STRIP_HEIGHT), said, *marks)


def _draw_strip(axis: Axis) -> list[Markup]:
    middle = _STRIP_HEIGHT / 2
    ticks = (_place(value, axis) for value in (axis.low, (axis.low + axis.high) / 2, axis.high))
    line = _line("axis", (_place(axis.low, axis), middle), (_place(axis.high, axis), middle))
    return [line, *(_line("axis", (x, middle - 3), (x, middle + 3)) for x in ticks)]


def _place(value: float, axis: Axis) -> float:
    return _STRIP_EDGE + (_STRIP_WIDTH - 2 * _STRIP_EDGE) * axis.share(value)


def draw_plot(said: str, across: Axis, lines: Sequence[Sequence[Point]]) -> Markup:
    """Goodness from bottom to top: points with their intervals, those of each list joined by a line."""
    width, height = _PLOT_WIDTH - _LEFT - _RIGHT, _PLOT_HEIGHT - _TOP - _BOTTOM

    def place(x: float, y: float) -> tuple[float, float]:
        return _LEFT + width * across.share(x), _TOP + height * (1 - _GOODNESS.share(y))

    marks = []
    for value, words in _GOODNESS.ticks:
        y = place(across.low, value)[1]
        marks += [_line("axis", (_LEFT, y), (_PLOT_WIDTH - _RIGHT, y)), _write(words, _LEFT - 5, y + 4, "end")]
    for value, words in across.ticks:
        x, share = place(value, 0)[0], across.share(value)
        anchor = "end" if share > 0.9 else "middle" if share > 0.1 else ""
        marks.append(_write(words, x, _PLOT_HEIGHT - 6, anchor))
    for line in lines:
        joined = " ".join(",".join(map(_round, place(each.x, each.y))) for each in line)
        marks.append(_tag("polyline", class_="line", points=joined))
    for each in chain.from_iterable(lines):
        x, y = place(each.x, each.y)
        inner = [_tag("title", each.said)]
        if each.interval is not None:
            inner.append(
                _line("range", (x, place(each.x, each.interval[0])[1]), (x, place(each.x, each.interval[1])[1]))
            )
        inner.append(_tag("circle", class_="dot", cx=x, cy=y, r=_RADIUS))
        # The same links stand in a list beside the plot: nobody should have to walk through hundreds of dots.
        link = {"href": each.href, "aria-label": each.said, "tabindex": "-1"} if each.href else {}
        marks.append(_tag("a" if link else "g", *inner, class_=f"point g-{each.tone}", **link))
    return _draw("plot", (_PLOT_WIDTH, _PLOT_HEIGHT), said, *marks)


def _draw(name: str, size: tuple[float, float], said: str, *marks: Markup) -> Markup:
    box = " ".join(map(_round, (0, 0, *size)))
    has_links = any(mark.startswith("<a ") for mark in marks)
    named = {"viewBox": box, "role": "group" if has_links else "img", "aria-label": said}
    return _tag("svg", *marks, class_=name, **named)


def _line(name: str, start: tuple[float, float], end: tuple[float, float]) -> Markup:
    return _tag("line", class_=name, x1=start[0], y1=start[1], x2=end[0], y2=end[1])


def _write(words: str, x: float, y: float, anchor: str = "") -> Markup:
    return _tag("text", words, class_=f"tick {anchor}".strip(), x=x, y=y)


def _tag(name: str, *inner: str, **attributes: str | float) -> Markup:
    """An element. What is no markup yet is escaped, and its invisible characters are shown."""
    pairs = (
        (key.removesuffix("_"), each if isinstance(each, str) else _round(each)) for key, each in attributes.items()
    )
    written = Markup("").join(
        Markup(" ") + key + Markup('="') + show_hidden(value) + Markup('"') for key, value in pairs
    )
    content = Markup("").join(each if isinstance(each, Markup) else show_hidden(each) for each in inner)
    return Markup("<") + name + written + Markup(">") + content + Markup("</") + name + Markup(">")


def _round(value: float) -> str:
    return f"{round(value, 2):g}"
