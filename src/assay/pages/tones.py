"""How a label looks: a tone, a sign and a word, so that colour is never the only sign."""

from dataclasses import dataclass

from assay.domain.findings import NO_FACT, UNDECIDED, Label
from assay.domain.outcome import Abstention, Outcome, Verdict
from assay.domain.parts import LabelPart
from assay.domain.scale import step_of


@dataclass(frozen=True, slots=True)
class Tone:
    """`gravity` ranks what a reader must see first: 0 is the gravest."""

    name: str
    sign: str
    gravity: int


CONTRADICTED = Tone("contradicted", "✕", 0)
ABSENT = Tone("absent", "?", 1)
PARTIAL = Tone("partial", "~", 2)
UNSURE = Tone(UNDECIDED, "…", 3)
SUPPORTED = Tone("supported", "✓", 4)
NEUTRAL = Tone("neutral", "–", 5)

_BY_WORD = {tone.name: tone for tone in (CONTRADICTED, ABSENT, PARTIAL, UNSURE, SUPPORTED)} | {NO_FACT: NEUTRAL}


def tone_of(label: Label, part: LabelPart | None) -> Tone:
    """Words of support have their own tone; other words of a rubric take theirs from what they count for."""
    if label.label in _BY_WORD:
        return _BY_WORD[label.label]
    values = {option.name: option.value or 0 for option in part.options} if part else {}
    if label.label not in values:
        return NEUTRAL
    value = values[label.label]
    return SUPPORTED if value == max(values.values()) else ABSENT if value == min(values.values()) else PARTIAL


def grade_tone(goodness: float | None) -> str:
    return "none" if goodness is None else step_of(goodness)


def outcome_tone(outcome: Outcome) -> str:
    if isinstance(outcome, Verdict):
        return grade_tone(float(outcome.score.goodness))
    return "abstained" if isinstance(outcome, Abstention) else "failed"
