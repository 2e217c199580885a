"""Reads the parts of one metric out of a reply: labels, grades, picks and lists, in our own form or a rubric's."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from assay.domain.ask import Fault
from assay.domain.findings import Findings, Grade, Label, Pick, Remark
from assay.domain.json import JSON
from assay.domain.parts import GradePart, PickPart
from assay.domain.scale import YES_NO, Scale
from assay.errors import FailureStatus
from assay.replies.salvage import is_list
from assay.replies.values import NO_SYNONYMS, Misreading, Reading, read_label, read_level

Value = TypeVar("Value")
_LEVEL_KEYS = ("level", "score", "grade")
_DIGIT = re.compile(r"\d")
_TRUTH_VALUES = {"true": "yes", "false": "no"}
_NONE = re.compile(r"\W*(?:none|n/?a|nil|nothing)\W*", re.IGNORECASE)


@dataclass(slots=True)
class PartReader:
    """What has been read of one metric so far, what had to be mended for it, and what was wrong with the rest.

    It belongs to whoever reads one reply, and is left behind with it.
    """

    labels: list[Label] = field(default_factory=list)
    grades: list[Grade] = field(default_factory=list)
    picks: list[Pick] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)

    @property
    def findings(self) -> Findings:
        return Findings(tuple(self.labels), tuple(self.grades), tuple(self.picks), tuple(self.remarks))

    def add_fault(self, words: str, status: FailureStatus = "malformed", part: str = "") -> None:
        self.faults.append(Fault(words, status, part=part))

    def accept(self, reading: Reading[Value] | Misreading) -> Value | Misreading:
        """The value that was read, its repair noted."""
        if isinstance(reading, Misreading):
            return reading
        self.repairs += [reading.repaired] if reading.repaired else []
        return reading.value

    def read_word(
        self, value: JSON, words: Sequence[str], synonyms: Mapping[str, str] = NO_SYNONYMS, *, alone: bool = False
    ) -> str | Misreading:
        """The one of these words that the value names."""
        return self.accept(read_label(value, words, synonyms, alone=alone))

    def read_level(self, value: JSON, scale: Scale, name: str, *, cut: bool = False) -> Fraction | None:
        """A number on the scale; None with a fault that names the part. `cut` where the reply ends before its end."""
        if value is None:
            words = f"the reply was cut off before {name}" if cut else f"there is no {name}"
            self.add_fault(words, "truncated" if cut else "malformed", name)
            return None
        level = self.accept(read_on_scale(value, scale))
        if isinstance(level, Misreading):
            self.add_fault(f"{name}: {level.reason}", level.status, name)
            return None
        return Fraction(str(level))

    def read_grade(self, value: JSON, part: GradePart, reason: str, *, cut: bool = False) -> None:
        """A number, or an object with the number and perhaps its own reason."""
        if isinstance(value, Mapping):
            reason = text_of(value, "reason") or reason
            said = [value[key] for key in _LEVEL_KEYS if value.get(key) is not None]
            if any(other != said[0] for other in said):
                self.add_fault(f"{part.id}: it has two different levels", "ambiguous", part.id)
                return
            value = said[0] if said else None
        level = self.read_level(value, part.scale, part.id, cut=cut)
        if level is not None:
            self.grades.append(Grade(part.id, level, reason))

    def list_objects(self, value: JSON, name: str, keys: Sequence[str], bare: str = "") -> list[Mapping[str, JSON]]:
        """The objects of the list `name` with a text under one of these keys; a bare text stands under the key `bare`.

        The others say nothing that could be counted. Where no object has any of the keys, the list is malformed: it may
        say anything.
        """
        entries = list_objects(value, bare)
        kept = [entry for entry in entries if any(text_of(entry, key) for key in keys)]
        if entries and not any(key in entry for entry in entries for key in keys):
            self.add_fault(f"no entry of {name} has the key {' or '.join(keys)}", part=name)
        elif len(kept) < len(entries):
            self.repairs.append(f"empty entries of {name} dropped")
        return kept

    def add_pick(self, part: PickPart, chosen: Sequence[str]) -> None:
        self.picks.append(Pick(part.id, tuple(dict.fromkeys(chosen))[: part.most]))


def read_on_scale(value: JSON, scale: Scale) -> Reading[int | float] | Misreading:
    """Whole levels where the scale has no decimals, which its ends don't have then either; yes and no as 1 and 0."""
    if scale.is_yes_no and (isinstance(value, bool) or (isinstance(value, str) and not _DIGIT.search(value))):
        said = read_label(value, YES_NO, _TRUTH_VALUES)
        return said if isinstance(said, Misreading) else Reading(YES_NO.index(said.value), said.repaired)
    low, high = (int(end) if end.denominator == 1 else float(end) for end in (scale.low, scale.high))
    return read_level(value, low, high, whole=not scale.decimals)


def list_entries(value: JSON) -> Sequence[JSON]:
    """The entries of a list; what stands there alone is a list of one, and nothing an empty one."""
    return value if is_list(value) else [] if value is None else [value]


def list_objects(value: JSON, bare: str = "") -> list[Mapping[str, JSON]]:
    """The objects of a list; a bare text stands for an object with that text under the key `bare`."""
    found: list[Mapping[str, JSON]] = []
    for each in list_entries(value):
        if isinstance(each, Mapping):
            found += [] if bare and _NONE.fullmatch(text_of(each, bare)) else [each]
        elif bare and isinstance(each, str) and each.strip() and not _NONE.fullmatch(each):
            found.append({bare: each})
    return found


def is_nothing(value: JSON) -> bool:
    """Whether nothing stands there, in words or without."""
    return not as_text(value) or _NONE.fullmatch(as_text(value)) is not None


def text_of(entry: Mapping[str, JSON], key: str) -> str:
    return as_text(entry.get(key))


def as_text(value: JSON) -> str:
    """Whatever stands where a text should, as text; nothing for null."""
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)
