"""What is wrong with an output: the units that did not hold, the most serious first, each with what the source says."""

from collections.abc import Iterator
from dataclasses import dataclass

from assay.domain.findings import Label
from assay.domain.scorecard import Scorecard
from assay.domain.units import NAMES, Unit
from assay.report.display import Tone, clip, clip_name, format_label, name_texts, shorten, tone_of

_LONGEST = 110
# Sections overlap claims, and an unanswered question is not a fault by itself.
_CONTEXT = {"section", "question"}


@dataclass(frozen=True, slots=True)
class Doubt:
    """A unit that did not hold; `evidence` are pairs of a text's name and a quote."""

    said: str
    tone: Tone
    text: str
    evidence: tuple[tuple[str, str], ...]


def list_doubts(card: Scorecard, most: int) -> list[Doubt]:
    """For pages and comments; each text once."""
    names = name_texts(card)
    doubts: dict[tuple[str, str], Doubt] = {}
    for tone, unit, label in _rank_doubtful(card):
        evidence = tuple((names.get(each.source, clip_name(each.source)), clip(each.quote)) for each in label.evidence)
        doubt = Doubt(f"{_name_kind(unit)}{format_label(label)}", tone, clip(unit.text), evidence)
        doubts[doubt.said, doubt.text] = doubt
    return list(doubts.values())[:most]


def format_doubts(card: Scorecard, most: int = 3) -> list[str]:
    """For terminals: one line each, and how many more there are; empty where everything held."""
    lines = list(dict.fromkeys(_format_line(unit, label) for _, unit, label in _rank_doubtful(card)))
    return lines[:most] + ([f"and {len(lines) - most} more"] if len(lines) > most else [])


def _rank_doubtful(card: Scorecard) -> list[tuple[Tone, Unit, Label]]:
    """The gravest first, of equals claims before what is missing."""
    doubtful = [found for found in _find_labels(card) if found[0].is_doubtful]
    return sorted(doubtful, key=lambda found: (found[0].gravity, found[1].kind != "claim"))


def _find_labels(card: Scorecard) -> Iterator[tuple[Tone, Unit, Label]]:
    for metric in card.rubric.metrics:
        trail = card.outcomes[metric.id].trail
        units = {unit.id: unit for unit in trail.units if unit.kind not in _CONTEXT}
        for label in trail.findings.labels:
            if unit := units.get(label.unit):
                yield tone_of(label, metric.labels(unit.kind)), unit, label


def _format_line(unit: Unit, label: Label) -> str:
    place = f"{unit.context}: " if unit.context else ""
    quotes = "; ".join(f"{each.source} “{shorten(each.quote, _LONGEST)}”" for each in label.evidence[:2])
    said = f"{_name_kind(unit)}{format_label(label, with_author=True)}: “{shorten(f'{place}{unit.text}', _LONGEST)}”"
    return said + (f" — {quotes}" if quotes else "")


def _name_kind(unit: Unit) -> str:
    return "" if unit.kind == "claim" else f"{NAMES[unit.kind][0]}: "
