"""What a ground-truth label says about eligibility, and how an answer's determination compares with it."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from assay.checks.determination import Determination

Match = Literal["match", "partial", "mismatch", "undetermined"]

TRUTH_LABELS: Final[Mapping[str, Determination]] = MappingProxyType(
    {
        "eligible": "likely_eligible",
        "likely eligible": "likely_eligible",
        "include": "likely_eligible",
        "included": "likely_eligible",
        "excluded": "not_eligible",
        "exclude": "not_eligible",
        "not relevant": "not_eligible",
        "irrelevant": "not_eligible",
        "not eligible": "not_eligible",
        "likely not eligible": "not_eligible",
        "ineligible": "not_eligible",
        "needs confirmation": "needs_confirmation",
        "needs doctor confirmation": "needs_confirmation",
        "not enough information": "needs_confirmation",
        "insufficient information": "needs_confirmation",
        "uncertain": "needs_confirmation",
    }
)
"""A rubric may add its own labels, or read one of these otherwise."""

# Collections number their grades differently, so that a digit is read only by the name beside it.
_GRADE: Final = re.compile(r"\d{1,2}\s*(?:[-–—:.)=]\s*|\s)|\d{1,2}\s*(?=\()")
_JOINTS: Final = re.compile(r"[\s_\-‐‑–—]+")
_WRAPPING: Final = " \t\n.,;:!\"'“”‘’()[]*`"


def _plain(label: str) -> str:
    return _JOINTS.sub(" ", label.casefold()).strip(_WRAPPING)


def read_truth(label: str, table: Mapping[str, Determination] = TRUTH_LABELS) -> Determination | None:
    """The determination a label stands for: `Excluded`, `not_relevant`, `0 (Not Relevant)`, `2 - Eligible`.

    None for a bare digit and for a label the table does not hold; of two names alike the later one counts.
    """
    stripped = label.strip()
    grade = _GRADE.match(stripped)
    wanted = _plain(stripped[grade.end() :] if grade else stripped)
    return {_plain(name): determination for name, determination in table.items()}.get(wanted)


def match_determination(found: Determination | None, truth: Determination) -> Match:
    """An answer that asks for confirmation is half right against a truth that is certain, never the other way round."""
    if found is None:
        return "undetermined"
    if found == truth:
        return "match"
    return "partial" if found == "needs_confirmation" else "mismatch"
