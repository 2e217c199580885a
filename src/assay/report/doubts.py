"""What is wrong with a text, in a few lines: the claims that did not hold, each with what the source says."""

from collections.abc import Iterator

from assay.domain.findings import SUPPORTS, Label
from assay.domain.outcome import Outcome
from assay.domain.scorecard import Scorecard
from assay.domain.units import NAMES, Unit

_LONGEST = 110
_GRAVITY = {"contradicted": 0, "absent": 1, "partial": 2, "undecided": 3}


def say_doubts(card: Scorecard, most: int = 3) -> list[str]:
    """The gravest first, and how many more there are; nothing where everything held."""
    lines = [line for outcome in card.outcomes.values() for line in _doubts_of(outcome)]
    ranked = sorted(dict(lines).items(), key=lambda entry: entry[1][0])
    said = [f"{place}{words}" for place, (_, words) in ranked[:most]]
    return said + ([f"… and {len(ranked) - most} more"] if len(ranked) > most else [])


def _doubts_of(outcome: Outcome) -> Iterator[tuple[str, tuple[int, str]]]:
    units = {unit.id: unit for unit in outcome.trail.units}
    for label in outcome.trail.findings.labels:
        unit = units.get(label.unit)
        if unit is None or unit.kind == "question":
            continue
        if label.label in _GRAVITY:
            yield f"“{_short(_placed(unit))}” ", (_GRAVITY[label.label], _explain(label))
        elif label.label in {"Not", "missed"}:
            yield f"{NAMES[unit.kind][0]} left out: “{_short(unit.text)}”", (4, "")


def _explain(label: Label) -> str:
    qualifier = f", {label.qualifier}" if label.qualifier else ""
    quotes = "; ".join(f"{each.source}: “{_short(each.quote)}”" for each in label.evidence[:2])
    by = " (checked by code)" if label.by == "code" else ""
    if label.label == SUPPORTS[2]:
        return f"is in no source{qualifier}{by}"
    word = "is " + label.label if label.label != "partial" else "is only partly supported"
    return f"{word}{qualifier}{by}{' — ' + quotes if quotes else ''}"


def _placed(unit: Unit) -> str:
    return f"{unit.context}: {unit.text}" if unit.context else unit.text


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1].rsplit(" ", 1)[0] + " …"
