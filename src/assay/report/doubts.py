"""What is wrong with a text, in a few lines: the claims that did not hold, each with what the source says."""

from collections.abc import Iterator

from assay.domain.findings import Label
from assay.domain.outcome import Outcome
from assay.domain.rubric import Metric
from assay.domain.scorecard import Scorecard
from assay.domain.units import NAMES, Unit

_LONGEST = 110
_GRAVITY = {"contradicted": 0, "absent": 1, "partial": 2, "undecided": 3}
_WRITTEN = {"key_point", "item"}


def say_doubts(card: Scorecard, most: int = 3) -> list[str]:
    """The gravest first, and how many more there are; nothing where everything held."""
    found = {
        words: gravity
        for metric in card.rubric.metrics
        for gravity, words in _doubts_of(card.outcomes[metric.id], metric)
    }
    ranked = sorted(found, key=lambda words: found[words])
    return ranked[:most] + ([f"and {len(ranked) - most} more"] if len(ranked) > most else [])


def _doubts_of(outcome: Outcome, metric: Metric) -> Iterator[tuple[int, str]]:
    units = {unit.id: unit for unit in outcome.trail.units}
    for label in outcome.trail.findings.labels:
        unit = units.get(label.unit)
        if unit is None or unit.kind in {"question", "section"}:
            continue
        if label.label in _GRAVITY:
            yield _GRAVITY[label.label], f"{_say_label(label)}: “{_short(_placed(unit))}”{_say_evidence(label)}"
        elif unit.kind in _WRITTEN and _is_worst(label, metric):
            yield len(_GRAVITY), f"{NAMES[unit.kind][0]} left out: “{_short(unit.text)}”"


def _is_worst(label: Label, metric: Metric) -> bool:
    part = metric.labels("key_point") or metric.labels("item")
    return part is not None and label.label == part.worst


def _say_label(label: Label) -> str:
    return ", ".join(part for part in (label.label, label.qualifier, "by code" if label.by == "code" else "") if part)


def _say_evidence(label: Label) -> str:
    quotes = "; ".join(f"{each.source} “{_short(each.quote)}”" for each in label.evidence[:2])
    return f" — {quotes}" if quotes else ""


def _placed(unit: Unit) -> str:
    return f"{unit.context}: {unit.text}" if unit.context else unit.text


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1].rsplit(" ", 1)[0] + " …"
