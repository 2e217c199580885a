"""A reliability diagram as a small picture: what was said against what people found, one line for each set."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ranking import bin_by

Array = NDArray[np.float64]
SIZE, EDGE = 320, 44
COLOURS = ("#1b6ca8", "#c44536", "#2d8659", "#8a5fb0", "#a66f00")
LEAST = 5
"""Bins with fewer outputs than this are not drawn."""


def draw(sets: Mapping[str, tuple[Array, Array]], path: Path) -> None:
    """`sets` gives each set's probabilities and what people found, 0 or 1."""
    lines = [_axes()]
    for (name, (said, found)), colour in zip(sets.items(), COLOURS, strict=False):
        bins = [held for held in bin_by(said) if held.sum() >= LEAST]
        points = [(float(said[held].mean()), float(found[held].mean()), int(held.sum())) for held in bins]
        joined = " ".join(f"{_x(at):.1f},{_y(share):.1f}" for at, share, _ in points)
        lines.append(f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        lines += [
            f'<circle cx="{_x(at):.1f}" cy="{_y(share):.1f}" r="{2 + count**0.5 / 6:.1f}" fill="{colour}" '
            f'fill-opacity="0.6"><title>{name}: said {at:.2f}, right {share:.2f} of {count}</title></circle>'
            for at, share, count in points
        ]
        row = EDGE + 14 * (list(sets).index(name) + 1)
        lines.append(f'<text x="{EDGE + 8}" y="{row}" fill="{colour}">{name} (n {len(said)})</text>')
    whole = SIZE + 2 * EDGE
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="sans-serif" font-size="11">'
    path.write_text("\n".join([head, f'<rect width="{whole}" height="{whole}" fill="white"/>', *lines, "</svg>", ""]))


def _axes() -> str:
    marks = []
    for tenth in range(0, 11, 2):
        share = tenth / 10
        marks.append(f'<text x="{_x(share):.0f}" y="{SIZE + EDGE + 16}" text-anchor="middle">{share:.1f}</text>')
        marks.append(f'<text x="{EDGE - 8}" y="{_y(share) + 4:.0f}" text-anchor="end">{share:.1f}</text>')
    return "\n".join(
        [
            f'<rect x="{EDGE}" y="{EDGE}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#999"/>',
            f'<line x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}" stroke="#bbb" stroke-dasharray="4 4"/>',
            *marks,
            f'<text x="{EDGE + SIZE / 2}" y="{SIZE + EDGE + 34}" text-anchor="middle">said: probability of the least supported claim</text>',
            f'<text x="12" y="{EDGE + SIZE / 2}" text-anchor="middle" transform="rotate(-90 12 {EDGE + SIZE / 2})">right by people</text>',
        ]
    )


def _x(share: float) -> float:
    return EDGE + SIZE * share


def _y(share: float) -> float:
    return EDGE + SIZE * (1 - share)
