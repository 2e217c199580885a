"""Reads an explanation that ends in a score tag, and the lists in it where it has them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.domain.ask import Fault
from assay.domain.findings import Findings, Label
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.shape import Shape
from assay.domain.span import Span
from assay.domain.units import Unit, UnitKind
from assay.errors import FailureStatus
from assay.foreign.answer import ForeignMetric, WholeAnswer
from assay.foreign.tags import read_score_tag
from assay.replies.values import Misreading
from assay.replies.wrapping import is_refusal
from assay.text.quotes import QuoteMatch, find_quote

_ENTRY = re.compile(r"^\s*(?:(\d{1,3})[.)]|[-*•])\s+(.+)$")
_NONE = re.compile(r"^(?:none|nothing|no \w+(?: \w+)?|n/?a)\W*$", re.IGNORECASE)
_COUNT = re.compile(r"\(\s*(\d{1,4})\s*\)$")
_MISMATCH = "list_mismatch"


@dataclass(frozen=True, slots=True)
class _Listed:
    """The entries under a heading, and how many the heading itself says there are.

    A block is what may be a list of its own: it stands behind a blank line, with other signs or counted anew.
    """

    blocks: tuple[tuple[str, ...], ...]
    announced: int | None = None

    @property
    def entries(self) -> tuple[str, ...]:
        return tuple(entry for block in self.blocks for entry in block)

    def repeating(self, items: Sequence[str]) -> "_Listed":
        """Without the later blocks that repeat no item, such as a check of the prices behind the last list."""
        kept = [block for block in self.blocks[1:] if any(_find_items([each], items) for each in block)]
        return replace(self, blocks=(*self.blocks[:1], *kept))

    @property
    def is_miscounted(self) -> bool:
        return self.announced is not None and self.announced != len(self.entries)


@dataclass(frozen=True, slots=True)
class _Lists:
    """What an explanation lists. Lists that contradict each other make no score, and `flag` says so.

    `are_told` where they are all there, though there may be nothing in them.
    """

    units: tuple[Unit, ...] = ()
    labels: tuple[Label, ...] = ()
    flag: str | None = None
    are_told: bool = False


def read_explanation(text: str, rubric: Rubric, shape: Shape, record: Record) -> WholeAnswer:
    """Where all lists are there, they make the score; else the score tag is taken at its word."""
    metric = rubric.metrics[0]
    return _answer(text, metric, _read_lists(text, metric, shape, record))


def _read_lists(text: str, metric: Metric, shape: Shape, record: Record) -> _Lists:
    """The lists under the shape's headings, as units with their labels.

    A list without a label holds all units of its kind; one with a label repeats those of them that have it, or, where
    no list holds all, it holds units of its own.
    """
    rows = [row for row in shape.rows if row.holds in {"unit", "count"}]
    listed = {row.place: _read_list(text, row.place.lower()) for row in rows}
    wholes = {row.unit: listed[row.place] for row in rows if row.holds == "unit" and row.label is None}
    units: list[Unit] = []
    labels: list[Label] = []
    folded: list[set[str]] = []
    hits_by_unit: dict[str, int] = {}
    for row in rows:
        found = listed[row.place]
        if row.holds == "count":
            continue
        if found is None or row.unit is None:
            return _Lists()
        part = metric.labels(row.unit)
        if part is None:
            raise AssertionError("the shape lists units that the metric labels")
        if row.label is None:
            if found.is_miscounted:
                return _Lists(flag=_MISMATCH)
            continue
        whole = wholes.get(row.unit)
        if row.unit not in wholes:
            own = {_fold(each): each for each in found.entries}
            made = _build_units(row.unit, list(own.values()), record)
            labels += [Label(row.unit, unit.id, row.label) for unit in made]
        elif whole is None:
            return _Lists()
        else:
            found = found.repeating(whole.entries)
            hits = _find_items(found.entries, whole.entries)
            if hits is None:
                return _Lists(flag=_MISMATCH)
            other = part.worst if row.label == part.best else part.best
            made = _build_units(row.unit, whole.entries, record)
            labels += [Label(row.unit, unit.id, row.label if at in hits else other) for at, unit in enumerate(made)]
            hits_by_unit[row.unit] = len(hits)
        if found.is_miscounted:
            return _Lists(flag=_MISMATCH)
        folded.append({_fold(each) for each in found.entries})
        units += made
    if len(folded) > 1 and set.intersection(*folded):
        return _Lists(flag=_MISMATCH)
    for row in rows:
        counted = listed[row.place]
        if row.holds == "count" and counted is not None and hits_by_unit.get(row.unit or "", 0) > len(counted.entries):
            return _Lists(flag=_MISMATCH)
    return _Lists(tuple(units), tuple(labels), are_told=True)


def _build_units(kind: UnitKind, texts: Sequence[str], record: Record) -> list[Unit]:
    return [
        Unit("", kind, each, locate(each, record.output) if kind == "claim" else None).numbered(place)
        for place, each in enumerate(texts, 1)
    ]


def locate(text: str, output: str) -> Span | None:
    match = find_quote(text, output)
    return match.span if isinstance(match, QuoteMatch) else None


def _find_items(entries: Sequence[str], items: Sequence[str]) -> set[int] | None:
    """The places of the items that entries repeat, alone or with a remark behind; None where one repeats none.

    Items may read alike: each entry then stands for the next of them.
    """
    folded = [_fold(item) for item in items]
    found: set[int] = set()
    for entry in map(_fold, entries):
        leading = {item for item in folded if entry == item or entry.startswith(f"{item} ")}
        if not leading:
            return None
        longest = max(leading, key=len)
        alike = [place for place, item in enumerate(folded) if item == longest]
        found.add(next((place for place in alike if place not in found), alike[0]))
    return found


def _answer(text: str, metric: Metric, lists: _Lists) -> WholeAnswer:
    """Lists make the score and the tag stands beside it; without them the tag is all there is."""
    reading = read_score_tag(text, int(metric.scale.low), int(metric.scale.high))
    flags = (lists.flag,) if lists.flag else ()
    fault: Fault | None = None
    if isinstance(reading, Misreading):
        reported: dict[str, object] = {}
        repairs: tuple[str, ...] = (f"no grade beside the lists: {reading.reason}",)
        level = None
        status: FailureStatus = "refused" if is_refusal(text) else reading.status
        if _ends_in_a_list(text):
            fault = Fault("the reply ends inside a list, before its score", "truncated")
        elif not lists.are_told:
            fault = Fault(reading.reason, status)
    else:
        reported = {"grade": reading.value}
        repairs = (reading.repaired,) if reading.repaired else ()
        level = None if lists.are_told else Fraction(reading.value)
    reported["explanation"] = text
    read = ForeignMetric(
        lists.units, Findings(lists.labels), reported, level, flags=flags, repairs=repairs, fault=fault
    )
    return WholeAnswer({metric.id: read}, reply=text)


def _ends_in_a_list(text: str) -> bool:
    """Without a score behind it, a list that is the last thing in a reply may be half of one."""
    lines = [line for line in text.splitlines() if line.strip()]
    while lines and _goes_on(lines[-1]):
        lines.pop()
    return bool(lines) and _ENTRY.match(lines[-1]) is not None


def _goes_on(line: str) -> bool:
    """Whether a line belongs to the entry above it."""
    return line[:2].isspace() and _ENTRY.match(line) is None


def _read_list(text: str, heading: str) -> _Listed | None:
    """The numbered or bulleted lines under a heading, none where it says none.

    None where the heading is absent, or where what follows it is no list: prose under "unsupported" is not nothing.
    """
    lines = text.splitlines()
    for position, line in enumerate(lines):
        bare, _, beside = line.strip().strip("#*_ ").partition(":")
        counted = _COUNT.search(bare.strip("*_ "))
        name = _COUNT.sub("", bare.strip("*_ ")).strip("*_ ")
        if name.lower() != heading:
            continue
        beside = beside.strip("*_ ")
        announced = int(counted[1]) if counted else None
        if beside:
            return _Listed((), announced) if _NONE.match(beside) else None
        found = _read_entries(lines[position + 1 :])
        return None if found is None else _Listed(found, announced)
    return None


def _read_entries(lines: list[str]) -> tuple[tuple[str, ...], ...] | None:
    blocks: list[list[str]] = []
    last: re.Match[str] | None = None
    is_parted = False
    for line in lines:
        entry = _ENTRY.match(line)
        if entry and last is not None and _is_remark(last, entry, blocks[-1][-1]):
            blocks[-1][-1] += f" {entry[2].strip()}"
        elif entry:
            if last is None or (is_parted and _begins_anew(last, entry)):
                blocks.append([])
            blocks[-1].append(entry[2].strip())
            last, is_parted = entry, False
        elif not line.strip():
            is_parted = True
        elif blocks and _goes_on(line):
            blocks[-1][-1] += f" {line.strip()}"
        else:
            if not blocks and not _NONE.match(line.strip("*_ .")):
                return None
            break
    else:
        if not blocks:
            return None
    return tuple(tuple(each for each in block if not _NONE.match(each)) for block in blocks)


def _is_remark(last: re.Match[str], entry: re.Match[str], above: str) -> bool:
    """Whether a bullet stands under a numbered entry to say something of it, not as one of several it announces."""
    is_deeper = entry.start(2) > last.start(2) and entry.string[:1].isspace()
    return is_deeper and last[1] is not None and entry[1] is None and not above.endswith(":")


def _begins_anew(last: re.Match[str], entry: re.Match[str]) -> bool:
    """Whether an entry behind a blank line is the first of another list: of other signs, or counted from the start."""
    if last[1] is None or entry[1] is None:
        return (last[1] is None) != (entry[1] is None)
    return int(entry[1]) <= int(last[1])


def _fold(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
