"""What a scoring rule counts: labels, grades and facts of one metric on one record."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from assay.domain.findings import NO_FACT, Fact, Findings, Label, Piece
from assay.domain.parts import LabelPart
from assay.domain.record import Record
from assay.domain.rubric import Metric
from assay.domain.span import Span, count_words
from assay.domain.terms import name_label
from assay.domain.units import Unit
from assay.scoring.severity import find_pieces, is_unsupported


@dataclass(frozen=True, slots=True)
class MetricTally:
    """`findings` are the metric's own, without grades that are only reported; `claims` the record's one shared set.

    A rule never meets an undecided label. `facts` are what code worked out about the record. `unplaced_words` counts
    the words of a whole reply's own extraneous texts that stand nowhere in the output; None where it has no such list.
    """

    metric: Metric
    record: Record
    findings: Findings
    units: Mapping[str, Unit] = field(default_factory=dict)
    claims: tuple[Label, ...] | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)
    unplaced_words: int | None = None

    def of(self, part: str) -> tuple[Label, ...]:
        """The labels that count: a unit that states no fact is neither right nor wrong."""
        return tuple(label for label in self.findings.of(part) if label.label != NO_FACT)

    def grade(self, part: str) -> Fraction | None:
        found = self.findings.grade(part)
        return None if found is None else found.level

    def part(self, name: str) -> LabelPart:
        return next(part for part in self.metric.label_parts if part.id == name)

    def setting(self, name: str) -> Fraction:
        return Fraction(self.metric.settings[name])

    def known(self, fact: str) -> Fraction | str | None:
        """The value of a fact; None where it is not known."""
        found = self.facts.get(fact)
        return None if found is None else found.value

    def place(self, share: Fraction) -> Fraction:
        """The place on the metric's scale that a share stands for: 1 is its best end, whichever end that is."""
        return self.metric.scale.stretch(share if self.metric.scale.best == "high" else 1 - share)

    @property
    def all_claims(self) -> tuple[Label, ...]:
        """The shared claims, or the metric's own where nothing is shared."""
        return self.of("claim") if self.claims is None else self.claims

    @property
    def words(self) -> int:
        return len(self.record.output.split())

    def count_words(self, spans: Iterable[Span]) -> int:
        """How many words of the output are in any of the spans; a word in two of them counts once."""
        return count_words(self.record.output, spans)

    def words_of(self, pieces: Iterable[Piece]) -> int:
        return self.count_words(piece.span for piece in pieces if piece.span is not None)

    @property
    def extraneous_words(self) -> int:
        """The words at fault of unsupported claims, and the serious ones of partial claims.

        All words where no claim is supported, not even in part; a whole reply's own list alone, where it has one (x1).
        """
        counted = [label for label in self.all_claims if label.label != NO_FACT]
        if self.unplaced_words is not None:
            counted = [label for label in counted if label.unit.startswith("x")]
        elif counted and all(is_unsupported(label) for label in counted):
            return self.words
        pieces = [
            piece
            for label in counted
            for piece in find_pieces(label, self.units.get(label.unit))
            if is_unsupported(label) or piece.severity == "serious"
        ]
        return min(self.words, self.words_of(pieces) + (self.unplaced_words or 0))


@dataclass(frozen=True, slots=True)
class Computed:
    """A rule's value before rounding, caps and limits, and how it came about.

    `beside` is the level that code computes where the value is a judge's grade; the interval spans both. `limit` holds
    the value down, in words `because`.
    """

    value: Fraction
    words: str
    limit: Fraction | None = None
    because: str = ""
    beside: Fraction | None = None
    figures: Mapping[str, Fraction] = field(default_factory=dict)
    flags: tuple[str, ...] = ()


def is_best(label: Label, part: LabelPart) -> bool:
    """A label counts in full by its value, so that a rubric may use words of its own."""
    return part.value(label.label) == part.value(part.best)


def format_labels(labels: Iterable[Label], part: LabelPart) -> str:
    """Counts as people say them, in the order of the part's options: `7 supported, 1 not in source`."""
    counts = Counter(label.label for label in labels)
    given = [option.name for option in part.options if counts[option.name]]
    return ", ".join(f"{counts[name]} {name_label(name, part.unit, part)}" for name in given) or "none"
