"""The faults of claims, by severity: named words, or the claim as a whole where no words are named."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from assay.domain.findings import NO_FACT, UNDECIDED, Label, Piece, Severity
from assay.domain.units import Unit
from assay.text.keywords import keywords
from assay.text.normal import fold_wording

EXTRANEOUS: Final = "extraneous"
_SLIGHT_COUNTS: Final = Fraction(1, 3)
_UNSUPPORTED: Final = frozenset({"absent", "contradicted"})


@dataclass(frozen=True, slots=True)
class Faults:
    """How many separate faults there are. `count` orders records for review: a slight one counts a third."""

    serious: int = 0
    slight: int = 0

    @property
    def count(self) -> Fraction:
        return self.serious + self.slight * _SLIGHT_COUNTS


def is_unsupported(label: Label) -> bool:
    return label.label in _UNSUPPORTED


def is_extraneous(label: Label) -> bool:
    """Whether the output says here what no source says: the claim as a whole, or a serious part of it."""
    return is_unsupported(label) or any(piece.severity == "serious" for piece in find_pieces(label, None))


def find_pieces(label: Label, unit: Unit | None, unnamed_absent: Severity = "serious") -> tuple[Piece, ...]:
    """The faults of one claim. Where no words are named, a claim without support is one fault with all its words."""
    if label.label in {"supported", NO_FACT, UNDECIDED}:
        return ()
    if label.pieces:
        return label.pieces
    severity: Severity = "slight" if label.label == "partial" else "serious"
    if label.label == "absent":
        severity = unnamed_absent
    if label.qualifier is not None:
        severity = "serious" if label.qualifier == "serious" else "slight"
    if not is_unsupported(label) or unit is None:
        return (Piece("", severity),)
    return (Piece(unit.text, severity, unit.span),)


def count_faults(labels: Iterable[Label], units: Mapping[str, Unit], unnamed_absent: Severity = "serious") -> Faults:
    """The same words at fault in two places are one fault, as grave as its gravest place.

    In two cells of a table they are two: each cell says something else, of another product or property. So are words
    without content ("is", "not"): what is wrong there depends on the words around them.
    """
    named: dict[tuple[str, object], Severity] = {}
    for label in labels:
        unit = units.get(label.unit)
        cell = unit.context if unit is not None and unit.is_cell else ""
        for number, piece in enumerate(find_pieces(label, unit, unnamed_absent)):
            words = fold_wording(piece.words)
            place: object = cell if keywords(words) else piece.span or (label.unit, number)
            key = (words, place)
            if named.setdefault(key, piece.severity) == "slight":
                named[key] = piece.severity
    in_cells = {words for words, place in named if place and isinstance(place, str)}
    severities = [severity for (words, place), severity in named.items() if place or words not in in_cells]
    return Faults(severities.count("serious"), severities.count("slight"))
