"""What a score could as well have been, where a judge gives each label a probability."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from random import Random

from assay.domain.findings import UNDECIDED, Label
from assay.domain.parts import LabelPart
from assay.scoring.tally import Tally

_DRAWS = 200
_TAIL = 0.025


def is_uncertain(tally: Tally) -> bool:
    return any(label.probability is not None for label in _all(tally))


def draw(tally: Tally) -> list[tuple[Tally, int]]:
    """The same units, each labelled anew by its probability: every way they fall, and in how many draws they do.

    The same draws for the same labels, always.
    """
    uncertain = {label.unit: label.probability for label in _all(tally) if label.probability is not None}
    ways: Counter[tuple[bool, ...]] = Counter(
        zip(*([level < chance for level in _levels(unit)] for unit, chance in uncertain.items()), strict=True)
    )
    parts = {part.id: part for part in tally.metric.label_parts}
    drawn = []
    for way, count in ways.items():
        right = dict(zip(uncertain, way, strict=True))
        labels = {
            part: tuple(_relabel(label, parts.get(part), right) for label in labels)
            for part, labels in tally.labels.items()
        }
        claims = tally.claims
        if claims is not None:
            claims = tuple(_relabel(label, None, right) for label in claims)
        drawn.append((tally.with_labels(labels, claims), count))
    return drawn


@lru_cache(maxsize=4096)
def _levels(unit: str) -> tuple[float, ...]:
    """What a unit's probability must exceed in each draw: all levels once, in an order of the unit's own.

    A unit has the same levels in every record, so that a likelier claim never makes for a worse score, and two outputs
    that differ in one claim differ by that claim alone.
    """
    levels = [(number + 0.5) / _DRAWS for number in range(_DRAWS)]
    Random(unit).shuffle(levels)  # noqa: S311  # repeatable on purpose
    return tuple(levels)


def find_ends(values: Sequence[tuple[Fraction, int]]) -> tuple[Fraction, Fraction]:
    """Between which 95 of 100 draws lie."""
    ordered = [value for value, count in sorted(values) for _ in range(count)]
    at = round(_TAIL * (len(ordered) - 1))
    return ordered[at], ordered[-1 - at]


def average(values: Sequence[tuple[Fraction, int]]) -> Fraction:
    return sum((value * count for value, count in values), Fraction()) / sum(count for _, count in values)


def _all(tally: Tally) -> tuple[Label, ...]:
    return (*(label for labels in tally.labels.values() for label in labels), *(tally.claims or ()))


def _relabel(label: Label, part: LabelPart | None, right: Mapping[str, bool]) -> Label:
    if label.probability is None:
        return label
    best, worst = (part.best, _worst(part, label)) if part is not None else ("supported", "absent")
    if right[label.unit]:
        return label if label.label == best else replace(label, label=best)
    return label if label.decided and label.label != best else replace(label, label=worst)


def _worst(part: LabelPart, label: Label) -> str:
    """A claim that turns out unsupported is absent rather than contradicted: nothing was found that denies it."""
    names = {option.name for option in part.options}
    return "absent" if "absent" in names else label.label if label.label not in {part.best, UNDECIDED} else part.worst
