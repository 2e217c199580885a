"""Reads the trial answer's one object of four scores and four reasons."""

import re
from collections.abc import Mapping

from assay.domain.ask import Answer, Fault, Share
from assay.domain.findings import Findings, Grade
from assay.domain.json import JSON
from assay.domain.record import Record
from assay.replies.refusals import is_refusal
from assay.replies.salvage import salvage_json
from assay.replies.shapes.objects import gather_objects, missing, read_level, read_reported, text_of, told_twice

METRICS = ("hallucination", "accuracy", "clarity", "language_correction")
_MADE_UP = r"(?:hallucinat\w*|made[- ]up|fabricat\w*|unsupported|invent\w*)"
# In "no source and is fabricated" it is the source that is denied.
_BETWEEN = r"(?:(?!(?:and|is|are|was|were|but|the|source|basis|evidence|support|grounds?)\b)[\w-]+\s+){0,4}"
# Of what is not done only these: who does not avoid them, or hesitate to invent, has not denied it.
_DOES_NOT = (
    r"(?:not|\w+n['’]t)\s+(?:(?:contain|include|have|introduce|add|make|show|find|present)\w*\s+|a\s+single\s+|any\s+)?"
)
_DENIED = re.compile(
    rf"\b(?:no|without|zero|never|free\s+(?:of|from)|nothing(?:\s+(?:is|was|seems|appears))?)\s+{_BETWEEN}{_MADE_UP}"
    rf"|\b{_DOES_NOT}(?:any\s+)?(?:(?:major|minor|clear|obvious|significant)\s+)?{_MADE_UP}"
    rf"|\b{_MADE_UP}(?:\s+\w+)?\s*[:–-]\s*(?:none|no|zero|0)(?=\s*(?:[.,;)]|$))",
    re.IGNORECASE,
)
_SAID = re.compile(rf"\b{_MADE_UP}", re.IGNORECASE)
_DIRTY = re.compile(rf"\b(?:major|many|numerous|several|significant)\s+{_BETWEEN}{_MADE_UP}", re.IGNORECASE)


def read_trial_eligibility(text: str, _record: Record) -> Answer:
    salvaged = salvage_json(text)
    gathered = gather_objects(salvaged.values, METRICS)
    body, repairs = gathered.body, (*salvaged.repairs, *gathered.repairs)
    if not any(name in body for name in METRICS):
        fault = Fault("none of the four scores is there")
        if is_refusal(text) or set(body) == {"error"}:
            fault = Fault("the reply was a refusal", "refused")
        elif salvaged.truncated:
            fault = Fault("the reply was cut off before the first score", "truncated")
        return Answer(faults=(fault,), repairs=repairs, reply=text)
    shares = {
        name: told_twice(name) if name in gathered.torn else _read_score(name, body, truncated=salvaged.truncated)
        for name in METRICS
    }
    return Answer(shares=shares, repairs=repairs, reply=text)


def _read_score(name: str, body: Mapping[str, JSON], *, truncated: bool) -> Share:
    if name not in body:
        cut = Fault(f"the reply was cut off before {name}", "truncated")
        return Share(fault=cut) if truncated else missing(name)
    level, fault, repaired = read_level(body[name], 1, 5, whole=True)
    reason = text_of(body, f"{name}_reasoning")
    flags = [] if reason else ["missing_reasoning"]
    if name == "hallucination" and level is not None and _is_flipped(int(level), reason):
        flags.append("polarity_suspect")
        fault = Fault("the hallucination score and its reasoning do not fit: 5 is best, none made up", "ambiguous")
    # Groundedness and language are ours to compute; without claims the first can only be taken as it stands.
    grades = (Grade("grade", level, reason),) if level is not None and name in {"accuracy", "clarity"} else ()
    return Share(
        findings=Findings(grades=grades),
        reported={"score": read_reported(body[name], 1, 5)[0], "reason": reason},
        level=level if name == "hallucination" else None,
        flags=tuple(flags),
        repairs=(repaired,) if repaired else (),
        fault=fault,
    )


def _is_flipped(level: int, reason: str) -> bool:
    """The worst score where nothing is said to be made up, or the best where much is."""
    left = _DENIED.sub(" ", reason)
    if level == 1:
        return left != reason and not _SAID.search(left)
    return level == 5 and _DIRTY.search(left) is not None
