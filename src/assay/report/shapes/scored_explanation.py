"""Writes an explanation with its numbered lists and, on the last line, the score in its tag."""

import re
from collections.abc import Iterable, Mapping

from assay.domain.findings import Label
from assay.domain.outcome import Outcome
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit
from assay.report.wording import justify, labelled, part_of, resolve, say_outcome, score_of

# Whoever reads the score back counts its tags, so none of a judged text may stand here.
_TAG = re.compile(r"<(?=\s*/?\s*score)", re.IGNORECASE)


def write_comparison(card: Scorecard) -> str:
    outcome = card.outcomes["faithfulness"]
    items = labelled(outcome, "claim")
    doubtful = [(unit, label) for unit, label in items if label.label != "supported"]
    lists = {
        "Items in the comparison": [_name(unit) for unit, _ in items],
        "Unsupported items": [_name(unit) for unit, _ in doubtful],
        "Why": [_explain(unit, label) for unit, label in doubtful],
    }
    return _write("Faithfulness: can every item be verified in the products' data?", lists, outcome)


def write_opinion(card: Scorecard) -> str:
    outcome = card.outcomes["relevance"]
    metric = card.rubric.metric("relevance")
    items, claims = labelled(outcome, "item"), labelled(outcome, "claim")
    item, claim = part_of(metric, "item"), part_of(metric, "claim")
    lists = {
        "Important items in the input": [unit.text for unit, _ in items],
        "Important items in the summary": [unit.text for unit, label in claims if resolve(label, claim) == claim.best],
        "Matched items": [unit.text for unit, label in items if resolve(label, item) == item.best],
        "Excess items": [unit.text for unit, label in claims if resolve(label, claim) != claim.best],
    }
    return _write("Relevance: does the summary select what matters, and only that?", lists, outcome)


def _name(unit: Unit) -> str:
    return f"{unit.context}: {unit.text}" if unit.context else unit.text


def _explain(unit: Unit, label: Label) -> str:
    why = justify(label)
    return f"{_name(unit)} ({label.label}{f': {why}' if why else ''})"


def _write(question: str, lists: Mapping[str, Iterable[str]], outcome: Outcome) -> str:
    lines = [question, ""]
    for title, entries in lists.items():
        listed = [f"{place}. {_flatten(entry)}" for place, entry in enumerate(entries, 1)]
        lines += [f"{title}:", *(listed or ["None"]), ""]
    score = score_of(outcome)
    closing = "Score- null" if score is None else f"Score- <score>{score}</score>"
    return "\n".join([*lines, say_outcome(outcome), "", closing, ""])


def _flatten(text: str) -> str:
    return _TAG.sub("‹", " ".join(text.split()))
