"""What a score could as well have been, where a judge gives each label a probability."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from random import Random

from assay.domain.findings import Label
from assay.domain.parts import LabelPart
from assay.scoring.tally import Tally

_DRAWS = 200
_TAIL = 0.025


def is_uncertain(tally: Tally) -> bool:
    return any(label.probability is not None for label in _all(tally))


def draw(tally: Tally) -> Iterator[Tally]:
    """The same units, each labelled anew by its probability; the same draws for the same labels, always."""
    parts = {part.id: part for part in tally.metric.label_parts}
    for number in range(_DRAWS):
        drawn = {
            part: tuple(_redraw(label, parts.get(part), number) for label in labels)
            for part, labels in tally.labels.items()
        }
        claims = tally.claims
        if claims is not None:
            claims = tuple(_redraw(label, None, number) for label in claims)
        yield tally.with_labels(drawn, claims)


@lru_cache(maxsize=4096)
def _levels(unit: str) -> tuple[float, ...]:
    """What a unit's probability must exceed in each draw: all levels once, in an order of the unit's own.

    A unit has the same levels in every record, so that a likelier claim never makes for a worse score, and two outputs
    that differ in one claim differ by that claim alone.
    """
    levels = [(number + 0.5) / _DRAWS for number in range(_DRAWS)]
    Random(unit).shuffle(levels)  # noqa: S311  # repeatable on purpose
    return tuple(levels)


def find_ends(values: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Between which 95 of 100 draws lie."""
    ordered = sorted(values)
    at = round(_TAIL * (len(ordered) - 1))
    return ordered[at], ordered[-1 - at]


def average(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction()) / len(values)


def _all(tally: Tally) -> tuple[Label, ...]:
    return (*(label for labels in tally.labels.values() for label in labels), *(tally.claims or ()))


def _redraw(label: Label, part: LabelPart | None, number: int) -> Label:
    if label.probability is None:
        return label
    best, worst = (part.best, _worst(part, label)) if part is not None else ("supported", "absent")
    if _levels(label.unit)[number] < label.probability:
        return label if label.label == best else replace(label, label=best, qualifier=None)
    if label.decided and label.label != best:
        return label
    mildest = part.qualifier.mildest if part is not None and part.qualifier is not None else None
    return replace(label, label=worst, qualifier=mildest)


def _worst(part: LabelPart, label: Label) -> str:
    """A claim that turns out unsupported is absent rather than contradicted: nothing was found that denies it."""
    names = {option.name for option in part.options}
    return "absent" if "absent" in names else label.label if label.label not in {part.best, "undecided"} else part.worst
