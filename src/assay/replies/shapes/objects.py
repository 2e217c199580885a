"""Small steps that the readers of whole replies share: finding objects, lists and units in them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.domain.ask import Fault, Share
from assay.domain.findings import UNDECIDED, Label
from assay.domain.json import JSON
from assay.domain.span import Span
from assay.domain.units import Unit, UnitKind
from assay.replies.fields import read_label, read_number, read_whole
from assay.replies.reading import Misreading, Reading
from assay.text.quotes import QuoteMatch, find_quote


def objects_in(values: Sequence[JSON]) -> list[Mapping[str, JSON]]:
    """Every object of a reply, those of a wrapping array included."""
    found: list[Mapping[str, JSON]] = []
    for value in values:
        if isinstance(value, Mapping):
            found.append(value)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            found.extend(each for each in value if isinstance(each, Mapping))
    return found


@dataclass(frozen=True, slots=True)
class Gathered:
    """One object made of all that a reply holds. `torn` keys stand in it twice with different contents."""

    body: dict[str, JSON]
    torn: frozenset[str]
    repairs: tuple[str, ...]


def gather_objects(values: Sequence[JSON], keys: Collection[str]) -> Gathered:
    """From an object with some of the keys, from one that wraps it, or from several that have a key each."""
    body: dict[str, JSON] = {}
    torn: set[str] = set()
    repairs: list[str] = []
    holders = 0
    for each in objects_in(values):
        holder = each
        if not any(key in each for key in keys):
            wrapped = (
                value for value in each.values() if isinstance(value, Mapping) and any(key in value for key in keys)
            )
            inner = next(wrapped, None)
            repairs += ["nested under one key"] if inner is not None else []
            holder = each if inner is None else inner
        holders += any(key in holder for key in keys)
        torn |= {key for key in keys if key in holder and key in body and body[key] != holder[key]}
        body.update(holder)
    repairs += ["several objects"] if holders > 1 else []
    return Gathered(body, frozenset(torn), tuple(repairs))


def entries(value: JSON, bare: str = "") -> list[Mapping[str, JSON]]:
    """The objects of a list; where an entry is a bare text, it stands for an object with that text under `bare`."""
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    found: list[Mapping[str, JSON]] = []
    for each in listed:
        if isinstance(each, Mapping):
            found.append(each)
        elif bare and isinstance(each, str) and each.strip():
            found.append({bare: each})
    return found


def text_of(entry: Mapping[str, JSON], key: str) -> str:
    value = entry.get(key)
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)


def locate(text: str, output: str) -> Span | None:
    match = find_quote(text, output)
    return match.span if isinstance(match, QuoteMatch) else None


@dataclass(frozen=True, slots=True)
class Words:
    """A shape's own words for our labels, and the words that people use in their place."""

    own: Mapping[str, str]
    synonyms: Mapping[str, str]

    def read(self, value: JSON) -> Reading[str] | Misreading:
        reading = read_label(value, list(self.own), self.synonyms)
        return reading if isinstance(reading, Misreading) else Reading(self.own[reading.value], reading.repaired)


def label_entries(
    listed: Sequence[Mapping[str, JSON]], kind: UnitKind, keys: tuple[str, str, str], words: Words, output: str
) -> tuple[tuple[Unit, ...], tuple[Label, ...], list[str]]:
    """Units and labels from objects with a text, a label and a note; a label that can't be read is undecided."""
    text_key, label_key, note_key = keys
    units, found, repairs = [], [], []
    for position, entry in enumerate(listed, 1):
        text = text_of(entry, text_key)
        unit = Unit("", kind, text, locate(text, output) if kind in {"claim", "section"} else None).numbered(position)
        reading = words.read(entry.get(label_key))
        note = text_of(entry, note_key)
        if isinstance(reading, Misreading):
            repairs.append(f"{unit.id}: {reading.reason}")
            found.append(Label(kind, unit.id, UNDECIDED, note=f"{note} ({reading.reason})".strip()))
        else:
            if reading.repaired:
                repairs.append(reading.repaired)
            found.append(Label(kind, unit.id, reading.value, note=note))
        units.append(unit)
    return tuple(units), tuple(found), repairs


def read_level(value: JSON, low: int, high: int, *, whole: bool) -> tuple[Fraction | None, Fault | None, str | None]:
    """A number of the reply on its scale: the level, or the fault, and what had to be repaired."""
    if value is None:
        return None, Fault("there is no score", "malformed"), None
    reading = (read_whole if whole else read_number)(value, low, high)
    if isinstance(reading, Misreading):
        return None, Fault(reading.reason, reading.status), None
    return Fraction(str(reading.value)), None, reading.repaired


def read_reported(value: JSON, low: int, high: int) -> tuple[JSON, str | None]:
    """A number that is only kept beside ours, as it stands where it does not read as one; and what was odd about it."""
    reading = read_number(value, low, high)
    if isinstance(reading, Misreading):
        return value, None
    return (int(reading.value) if reading.value.is_integer() else reading.value), reading.repaired


def told_twice(name: str) -> Share:
    return Share(fault=Fault(f"{name} stands twice with different contents", "ambiguous"))


def missing(name: str) -> Share:
    return Share(fault=Fault(f"{name} is missing from the reply", "malformed"))
