"""The words that people read for names of code and JSON, one for one: docs/terms.md has the table."""

from typing import Final

from assay.domain.findings import NO_FACT, UNDECIDED
from assay.domain.parts import LabelPart
from assay.domain.units import UnitKind

_WORDS: Final = {
    "absent": "not in source",
    "partial": "partly supported",
    UNDECIDED: "uncertain",
    NO_FACT: "no claim",
    "abstained": "not scored",
    "injection_suspect": "suspected prompt injection",
    "undecided_units": "uncertain units",
}
# Units that are written from the sources and looked for in the output.
_COVERED: Final = {"key_point", "item"}
# By how many values a part's labels have, from the worst to the best.
_COVERAGE: Final = {2: ("missing", "covered"), 3: ("missing", "partly covered", "covered")}


def plain(name: str) -> str:
    """The word for a name; the name's own words where the table has no other."""
    return _WORDS.get(name, name.replace("_", " "))


def name_label(label: str, kind: UnitKind, part: LabelPart | None) -> str:
    """Of a unit that the output should cover: `covered`, `missing`, `partly covered`.

    A label whose value another one shares says more than that, and keeps its name. Words of support are about claims:
    a question whose answer is `partial` is not partly supported.
    """
    values = {each.name: each.value or 0 for each in part.options} if part and kind in _COVERED else {}
    value, ranked = values.get(label), sorted(set(values.values()))
    if value is not None and len(ranked) in _COVERAGE and list(values.values()).count(value) == 1:
        return _COVERAGE[len(ranked)][ranked.index(value)]
    return plain(label) if kind == "claim" or label == UNDECIDED else label.replace("_", " ")


def say_why(status: str, reason: str) -> str:
    """Why there is no score; with the status where it says more: `timed out: no answer in 60 s`."""
    return reason if status == "abstained" else f"{plain(status)}: {reason}"
