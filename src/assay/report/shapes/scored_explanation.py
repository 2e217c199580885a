"""Writes an explanation with its numbered lists and, on the last line, the score in its tag."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from assay.domain.findings import Label
from assay.domain.outcome import Outcome
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit
from assay.report.wording import justify, labelled, part_of, resolve, say_outcome, score_of

# Whoever reads the score back counts its tags, so none of a judged text may stand here.
_TAG = re.compile(r"<(?=\s*(?:/\s*)?score)", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def write_comparison(card: Scorecard) -> str:
    outcome = card.outcomes["faithfulness"]
    items = labelled(outcome, "claim")
    names = _tell_apart(unit for unit, _ in items)
    lists = {
        "Items in the comparison": list(names.values()),
        "Unsupported items": [
            f"{names[unit.id]} ({_explain(label)})" for unit, label in items if label.label != "supported"
        ],
    }
    return _write("Faithfulness: can every item be verified in the products' data?", lists, outcome)


def write_opinion(card: Scorecard) -> str:
    """An item of the input is in the summary where it is covered: the quote behind it shows where."""
    outcome = card.outcomes["relevance"]
    metric = card.rubric.metric("relevance")
    items, claims = labelled(outcome, "item"), labelled(outcome, "claim")
    item, claim = part_of(metric, "item"), part_of(metric, "claim")
    names = _tell_apart(unit for unit, _ in items)
    covered = [(names[unit.id], label) for unit, label in items if resolve(label, item) == item.best]
    excess = [unit for unit, label in claims if resolve(label, claim) != claim.best]
    lists = {
        "Important items in the input": list(names.values()),
        "Important items in the summary": [f"{name} ({_quote(label)})" for name, label in covered],
        "Matched items": [name for name, _ in covered],
        "Excess items": list(_tell_apart(excess).values()),
    }
    return _write("Relevance: does the summary select what matters, and only that?", lists, outcome)


def _tell_apart(units: Iterable[Unit]) -> dict[str, str]:
    """Entries that read alike are numbered: whoever reads the lists back must find as many as there are."""
    names: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for unit in units:
        name = f"{unit.context}: {unit.text}" if unit.context else unit.text
        words = " ".join(_WORD.findall(name.lower()))
        seen[words] += 1
        names[unit.id] = name if seen[words] == 1 else f"{name} ({seen[words]})"
    return names


def _explain(label: Label) -> str:
    why = justify(label)
    return f"{label.label}: {why}" if why else label.label


def _quote(label: Label) -> str:
    return "; ".join(f"“{each.quote}”" for each in label.evidence) or label.note or label.label


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
