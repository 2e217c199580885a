"""What one metric asks of a judge: labels for units, grades, picks and lists. A part is data, read from the rubric."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

from assay.domain.findings import NO_FACT, SUPPORTS, UNDECIDED
from assay.domain.scale import Scale
from assay.domain.units import UnitKind

EvidenceFrom = Literal["source", "output", "none"]
PARTIAL = SUPPORTS[1]


@dataclass(frozen=True, slots=True)
class Option:
    """A word a judge may answer with, what it means, and what it counts for (1 is best)."""

    name: str
    meaning: str
    value: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Qualifier:
    """How severe a fault is: for each piece of a claim that is at fault, or for the claim as a whole."""

    name: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class LabelPart:
    """Without slots, so that its best, worst and middle label are found once.

    With `quotes_optional`, a label without any quote stands: what an output leaves out can't be quoted.
    """

    id: str
    unit: UnitKind
    options: tuple[Option, ...]
    evidence: EvidenceFrom = "none"
    qualifier: Qualifier | None = None
    quotes_optional: bool = False

    def value(self, label: str) -> Fraction:
        """What a label counts for. An undecided unit has no value: the rule decides what it stands for."""
        for option in self.options:
            if option.name == label:
                return option.value if option.value is not None else Fraction(0)
        raise KeyError(label)

    @cached_property
    def _verdicts(self) -> tuple[Option, ...]:
        """A unit that states no fact is as good as a supported one, and has nothing to show: it is no best label."""
        return tuple(option for option in self.options if option.name != NO_FACT)

    @cached_property
    def best(self) -> str:
        return max(self._verdicts, key=lambda option: option.value or Fraction(0)).name

    @cached_property
    def worst(self) -> str:
        return min(self._verdicts, key=lambda option: option.value or Fraction(0)).name

    @cached_property
    def middle(self) -> str:
        """What an undecided unit counts as in the headline: the partial label where there is one, else the worst."""
        if self.evidence == "source" and any(option.name == PARTIAL for option in self.options):
            return PARTIAL
        best, worst = self.value(self.best), self.value(self.worst)
        between = [option.name for option in self._verdicts if worst < (option.value or Fraction(0)) < best]
        return between[0] if between else self.worst

    def needs_evidence(self, label: str) -> bool:
        """A label that something is there must show where. One that it is absent has nothing to show."""
        return self.evidence != "none" and label != UNDECIDED and label in {"contradicted", self.best}


@dataclass(frozen=True, slots=True)
class Level:
    level: Fraction
    meaning: str


@dataclass(frozen=True, slots=True)
class GradePart:
    """An `only_reported` grade stands beside the computed score and is never scored. `meaning` tells how to weigh.

    One `for_ranking` is asked for only where outputs are judged side by side, and orders them.
    """

    id: str
    scale: Scale
    levels: tuple[Level, ...]
    only_reported: bool = False
    meaning: str = ""
    for_ranking: bool = False


@dataclass(frozen=True, slots=True)
class PickPart:
    """Between `least` and `most` of the named options; of the record's claims or sources where `over` says so."""

    id: str
    over: Literal["options", "claims", "sources"]
    options: tuple[Option, ...] = ()
    least: int = 0
    most: int = 1
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    meaning: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListPart:
    """A list of short remarks with the same fields. Those in the field `copied` are words of the output, or void."""

    id: str
    fields: tuple[Field, ...]
    least: int = 0
    most: int = 20
    meaning: str = ""
    words_at_most: int | None = None
    copied: str | None = None


Part: TypeAlias = LabelPart | GradePart | PickPart | ListPart
