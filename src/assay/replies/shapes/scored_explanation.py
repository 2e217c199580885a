"""Reads an explanation that ends in a score tag, and the numbered lists in it where it has them."""

import re
from dataclasses import replace
from fractions import Fraction

from assay.domain.ask import Answer, Fault, Share
from assay.domain.findings import Findings, Label
from assay.domain.record import Record
from assay.domain.units import Unit
from assay.replies.reading import Misreading
from assay.replies.refusals import is_refusal
from assay.replies.shapes.objects import locate
from assay.replies.tags import read_score_tag

_ENTRY = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+(.+)$")
_NONE = re.compile(r"^(?:none|nothing|no \w+(?: \w+)?|n/?a)\W*$", re.IGNORECASE)


def read_comparison(text: str, record: Record) -> Answer:
    """Items and unsupported items, where both are listed, make the score; else the tag is taken at its word."""
    items = _read_list(text, "items in the comparison")
    unsupported = _read_list(text, "unsupported items")
    if not items or unsupported is None:
        return _answer(text, "faithfulness", None)
    marked = {_fold(each) for each in unsupported}
    if not marked <= {_fold(each) for each in items}:
        return _answer(text, "faithfulness", None, "list_mismatch")
    units = _units(items, "c", record.output)
    labels = [Label("claim", unit.id, "absent" if _fold(unit.text) in marked else "supported") for unit in units]
    return _answer(text, "faithfulness", (units, labels))


def read_opinion(text: str, record: Record) -> Answer:
    """Important items, matched items and excess; every matched item must be an important one."""
    important = _read_list(text, "important items in the input")
    matched = _read_list(text, "matched items")
    excess = _read_list(text, "excess items")
    if not important or matched is None or excess is None:
        return _answer(text, "relevance", None)
    wanted = {_fold(each) for each in important}
    if any(_fold(each) not in wanted for each in matched):
        return _answer(text, "relevance", None, "list_mismatch")
    hits = {_fold(each) for each in matched}
    items = [Unit(f"i{position}", "item", each) for position, each in enumerate(important, 1)]
    labels = [Label("item", unit.id, "covered" if _fold(unit.text) in hits else "missed") for unit in items]
    claims = [
        Unit(f"c{position}", "claim", each, locate(each, record.output)) for position, each in enumerate(excess, 1)
    ]
    labels += [Label("claim", unit.id, "excess") for unit in claims]
    return _answer(text, "relevance", ([*items, *claims], labels))


def _answer(text: str, metric: str, listed: tuple[list[Unit], list[Label]] | None, flag: str | None = None) -> Answer:
    reading = read_score_tag(text, 1, 5)
    flags = (flag,) if flag else ()
    if isinstance(reading, Misreading):
        if listed is None:
            status = "refused" if is_refusal(text) else reading.status
            return Answer(shares={metric: Share(fault=Fault(reading.reason, status), flags=flags)}, reply=text)
        return _share(text, metric, listed, Share(flags=flags))
    level = Fraction(reading.value)
    repairs = (reading.repaired,) if reading.repaired else ()
    share = Share(reported={"grade": int(level)}, level=None if listed else level, flags=flags, repairs=repairs)
    return _share(text, metric, listed, share)


def _share(text: str, metric: str, listed: tuple[list[Unit], list[Label]] | None, share: Share) -> Answer:
    units, labels = listed or ([], [])
    filled = replace(share, units=tuple(units), findings=Findings(tuple(labels)))
    return Answer(shares={metric: filled}, reply=text)


def _read_list(text: str, heading: str) -> list[str] | None:
    """The numbered or bulleted lines under a heading; None where the heading is absent, empty where it says none."""
    lines = text.splitlines()
    for position, line in enumerate(lines):
        bare = line.strip().strip("#*_ ").rstrip(":").strip("*_ ")
        if bare.lower() != heading:
            continue
        found = []
        for later in lines[position + 1 :]:
            entry = _ENTRY.match(later)
            if entry and not _NONE.match(entry[1].strip()):
                found.append(entry[1].strip())
            elif later.strip() and not entry:
                break
        return found
    return None


def _units(texts: list[str], prefix: str, output: str) -> list[Unit]:
    return [Unit(f"{prefix}{at}", "claim", text, locate(text, output)) for at, text in enumerate(texts, 1)]


def _fold(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
