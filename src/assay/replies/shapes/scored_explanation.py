"""Reads an explanation that ends in a score tag, and the numbered lists in it where it has them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.domain.ask import Answer, Fault, Share
from assay.domain.findings import Findings, Label
from assay.domain.record import Record
from assay.domain.units import Unit
from assay.errors import FailureStatus
from assay.replies.reading import Misreading
from assay.replies.refusals import is_refusal
from assay.replies.shapes.objects import locate
from assay.replies.tags import read_score_tag

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


def read_comparison(text: str, record: Record) -> Answer:
    """Items and unsupported items, where both are listed, make the score; else the tag is taken at its word."""
    return _answer(text, "faithfulness", _list_comparison(text, record))


def read_opinion(text: str, record: Record) -> Answer:
    """Important items, matched items and excess; every matched item must be an important one."""
    return _answer(text, "relevance", _list_opinion(text, record))


def _list_comparison(text: str, record: Record) -> _Lists:
    items = _read_list(text, "items in the comparison")
    unsupported = _read_list(text, "unsupported items")
    if items is None or unsupported is None:
        return _Lists()
    unsupported = unsupported.repeating(items.entries)
    marked = _find_items(unsupported.entries, items.entries)
    if marked is None or items.is_miscounted or unsupported.is_miscounted:
        return _Lists(flag=_MISMATCH)
    units = [
        Unit(f"c{place}", "claim", each, locate(each, record.output)) for place, each in enumerate(items.entries, 1)
    ]
    labels = [Label("claim", unit.id, "absent" if place in marked else "supported") for place, unit in enumerate(units)]
    return _Lists(tuple(units), tuple(labels), are_told=True)


def _list_opinion(text: str, record: Record) -> _Lists:
    important = _read_list(text, "important items in the input")
    summarised = _read_list(text, "important items in the summary")
    matched = _read_list(text, "matched items")
    excess = _read_list(text, "excess items")
    if important is None or matched is None or excess is None:
        return _Lists()
    matched = matched.repeating(important.entries)
    hits = _find_items(matched.entries, important.entries)
    is_both = {_fold(each) for each in matched.entries} & {_fold(each) for each in excess.entries}
    too_many = summarised is not None and hits is not None and len(hits) > len(summarised.entries)
    if hits is None or is_both or too_many or any(each.is_miscounted for each in (important, matched, excess)):
        return _Lists(flag=_MISMATCH)
    items = [Unit(f"i{place}", "item", each) for place, each in enumerate(important.entries, 1)]
    labels = [Label("item", unit.id, "covered" if place in hits else "missed") for place, unit in enumerate(items)]
    extra = {_fold(each): each for each in excess.entries}
    claims = [
        Unit(f"c{place}", "claim", each, locate(each, record.output)) for place, each in enumerate(extra.values(), 1)
    ]
    labels += [Label("claim", unit.id, "excess") for unit in claims]
    return _Lists((*items, *claims), tuple(labels), are_told=True)


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


def _answer(text: str, metric: str, lists: _Lists) -> Answer:
    """Lists make the score and the tag stands beside it; without them the tag is all there is."""
    reading = read_score_tag(text, 1, 5)
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
    share = Share(lists.units, Findings(lists.labels), reported, level, flags=flags, repairs=repairs, fault=fault)
    return Answer(shares={metric: share}, reply=text)


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
