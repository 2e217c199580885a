"""What is wrong with an output: the units that did not hold, the most serious first, each with what the source says."""

from collections.abc import Iterator
from dataclasses import dataclass

from assay.domain.findings import Label
from assay.domain.parts import LabelPart
from assay.domain.scorecard import Scorecard
from assay.domain.units import NAMES, Unit
from assay.report.display import Tone, clip, clip_name, format_label, name_texts, tone_of

_LONGEST = 110
_SUPPORT = {"contradicted": 0, "absent": 1, "partial": 2, "undecided": 3}
_BANKED = {"key_point", "item"}
# Sections overlap claims, and a question that is left open is not a fault by itself.
_CONTEXT = {"section", "question"}


@dataclass(frozen=True, slots=True)
class Doubt:
    """A unit that did not hold; `evidence` are pairs of a text's name and a quote."""

    said: str
    tone: Tone
    text: str
    evidence: tuple[tuple[str, str], ...]


def list_doubts(card: Scorecard, most: int) -> list[Doubt]:
    """For pages and comments: claims that did not hold, then points that are missing; each text once."""
    names = name_texts(card)
    found = [(tone_of(label, part), unit, label) for unit, label, part in _find_labels(card)]
    ranked = sorted(
        (each for each in found if each[0].is_doubtful), key=lambda each: (each[0].gravity, each[1].kind != "claim")
    )
    doubts: dict[tuple[str, str], Doubt] = {}
    for tone, unit, label in ranked:
        kind = "" if unit.kind == "claim" else f"{NAMES[unit.kind][0]}: "
        evidence = tuple((names.get(each.source, clip_name(each.source)), clip(each.quote)) for each in label.evidence)
        doubt = Doubt(f"{kind}{format_label(label)}", tone, clip(unit.text), evidence)
        doubts[doubt.said, doubt.text] = doubt
    return list(doubts.values())[:most]


def say_doubts(card: Scorecard, most: int = 3) -> list[str]:
    """For terminals: one line each, and how many more there are; nothing where everything held."""
    found = {words: gravity for gravity, words in _say_all(card)}
    ranked = sorted(found, key=lambda words: found[words])
    return ranked[:most] + ([f"and {len(ranked) - most} more"] if len(ranked) > most else [])


def _find_labels(card: Scorecard) -> Iterator[tuple[Unit, Label, LabelPart | None]]:
    for metric in card.rubric.metrics:
        trail = card.outcomes[metric.id].trail
        units = {unit.id: unit for unit in trail.units if unit.kind not in _CONTEXT}
        for label in trail.findings.labels:
            if unit := units.get(label.unit):
                yield unit, label, metric.labels(unit.kind)


def _say_all(card: Scorecard) -> Iterator[tuple[int, str]]:
    for unit, label, part in _find_labels(card):
        if label.label in _SUPPORT:
            place = f"{unit.context}: " if unit.context else ""
            quotes = "; ".join(f"{each.source} “{_short(each.quote)}”" for each in label.evidence[:2])
            said = f"{format_label(label, with_author=True)}: “{_short(f'{place}{unit.text}')}”"
            yield _SUPPORT[label.label], said + (f" — {quotes}" if quotes else "")
        elif unit.kind in _BANKED and part is not None and label.label == part.worst:
            yield len(_SUPPORT), f"{NAMES[unit.kind][0]} left out: “{_short(unit.text)}”"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1].rsplit(" ", 1)[0] + " …"
