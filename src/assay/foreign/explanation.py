"""Reads an explanation that ends in a score: its lists, wherever and however they stand, and the score itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from assay.domain.ask import Fault
from assay.domain.findings import Findings, Grade, Label, Remark
from assay.domain.parts import LabelPart
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.shape import Shape, ShapeRow
from assay.domain.span import Span
from assay.domain.units import Unit, UnitKind
from assay.errors import FailureStatus
from assay.foreign.answer import Counted, ForeignMetric, WholeAnswer
from assay.foreign.lists import Entry, Listed, ListReader, align, read_table
from assay.foreign.marks import read_marks
from assay.foreign.outline import Node, build_outline, fold_words, is_none
from assay.foreign.spelling import spell_out
from assay.foreign.tags import read_score_tag
from assay.replies.values import Misreading
from assay.replies.wrapping import is_refusal, strip_thinking
from assay.text.keywords import keywords
from assay.text.quotes import QuoteMatch, find_quote

_MISMATCH = "list_mismatch"
_QUOTED = re.compile(r"[\"“‘]([^\"“”‘’]{3,200})[\"”’]")
_ROW_LEVEL = 7.0
# Nobody names a part more often.
_MOST_LISTS = 20
_LAST_ENTRY = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+\S")


def read_explanation(text: str, rubric: Rubric, shape: Shape, record: Record) -> WholeAnswer:
    """The model's own lists under the shape's titles, and its own score."""
    metric = rubric.metrics[0]
    plain = spell_out(strip_thinking(text))
    low, high = int(metric.scale.low), int(metric.scale.high)
    reading = read_score_tag(plain, low, high, (metric.id, metric.name), whole=metric.scale.decimals == 0)
    fault: Fault | None = None
    reported: dict[str, object] = {"explanation": text}
    repairs: tuple[str, ...] = ()
    grades: tuple[Grade, ...] = ()
    if isinstance(reading, Misreading):
        status: FailureStatus = "refused" if is_refusal(text) else reading.status
        fault = Fault(reading.reason, status)
        if status != "refused" and _ends_in_a_list(strip_thinking(text)):
            fault = Fault("the reply ends inside a list, before its score", "truncated")
    else:
        reported = {"grade": reading.value, **reported}
        repairs = (reading.repaired,) if reading.repaired else ()
        grades = tuple(Grade(part.id, Fraction(str(reading.value))) for part in metric.grade_parts[:1])
    read = ForeignMetric(counted=Counted())
    if shape.form != "score":
        found = _find_lists(plain, shape, ListReader(*_list_words(record, rubric)))
        read = _Counter(found, metric, shape, record).count()
    read = replace(
        read,
        findings=replace(read.findings, grades=grades),
        reported={**reported, **read.reported},
        repairs=repairs,
        fault=fault,
    )
    return WholeAnswer({metric.id: read}, reply=text)


def locate(text: str, output: str) -> Span | None:
    """Where a text, or else the words that it quotes, stands in the output."""
    for words in (text.strip("\"'“”‘’ "), *_QUOTED.findall(text)):
        match = find_quote(words, output)
        if isinstance(match, QuoteMatch):
            return match.span
    return None


def _ends_in_a_list(text: str) -> bool:
    """Without a score behind it, a list that is the last thing in a reply may be half of one."""
    lines = [line for line in text.splitlines() if line.strip()]
    while lines and lines[-1][:2].isspace() and not _LAST_ENTRY.match(lines[-1]):
        lines.pop()
    return bool(lines) and _LAST_ENTRY.match(lines[-1]) is not None


def _list_words(record: Record, rubric: Rubric) -> tuple[frozenset[str], set[str]]:
    """The stems of the record, and what a group inside a list may be called: inputs, titles, "product 2"."""
    names: list[str] = [each.name.replace("_", " ") for spec in rubric.inputs for each in (spec, *spec.fields)]
    for spec in rubric.inputs:
        own = [source for source in record.sources if source.input == spec.name]
        names += [source.title or "" for source in own]
        for number, numeral in zip(range(1, len(own) + 1), ("i", "ii", "iii", "iv", "v", "vi"), strict=False):
            names += [f"{spec.label.removesuffix('s')} {each}" for each in (number, numeral, chr(96 + number))]
    stems = keywords(" ".join([record.output, *(source.text for source in record.sources)]))
    return stems, {" ".join(fold_words(name)) for name in names if name.strip()}


@lru_cache(maxsize=10_000)
def match_title(title: str, rows: tuple[ShapeRow, ...], number: int | None = None) -> ShapeRow | None:
    """The first part of the shape that the words of a title name, or the one of its number if they name that too.

    All words of a phrase begin words of the title.
    """
    # A remark in brackets does not name the part, but "(summary)" may.
    for said in (re.sub(r"\([^()\s]+\s+[^()\s]+\s[^()]*\)", "", title), title):
        words = fold_words(re.split(r"(?<=[a-z)])[.!?]\s", said, maxsplit=1)[0])
        named = [row for row in rows if _names(words, row.words) and not _names(words, row.without)]
        if named:
            return next((row for row in named if row.step == number and number is not None), named[0])
    return None


def _names(words: Sequence[str], phrases: Sequence[str]) -> bool:
    return any(
        all(any(word.startswith(part) for word in words) for part in phrase.lower().split()) for phrase in phrases
    )


def _find_lists(text: str, shape: Shape, reader: ListReader) -> dict[str, Listed]:
    """The list of each part of the shape that has one."""
    root = build_outline(text, lambda title: match_title(title[:300], shape.rows) is not None, reader.is_group)
    _open_rows(root, None, shape)
    found: dict[str, list[Listed]] = {}
    for node in root.walk():
        if node.row is not None and node.row.holds != "text" and len(found.get(node.row.place, ())) < _MOST_LISTS:
            listed = reader.read(node)
            found.setdefault(node.row.place, []).extend([listed] if listed is not None else [])
    chosen = {place: _choose(lists) for place, lists in found.items() if lists}
    return chosen if shape.counts != "unsupported" else {**_find_marked(root, shape, reader), **chosen}


def _find_marked(root: Node, shape: Shape, reader: ListReader) -> dict[str, Listed]:
    """A list without a title of the shape, if all its entries carry a verdict and one of them is not the best."""
    row = next(row for row in shape.rows if row.label is not None and row.step is not None)
    best = next(word.word for word in shape.words if word.unit == row.unit and word.label != row.label)
    holders = (node for node in (root, *root.walk()) if any(child.is_entry for child in node.children))
    for node in islice(holders, _MOST_LISTS):
        if node.row is None or node.row.name in {"facts", "extent"}:
            listed = reader.read(node)
            words = [mark.word for mark in read_marks(listed.entries, row.unit, shape)] if listed else []
            if listed and None not in words and set(words) - {best, "yes"}:
                return {row.place: listed}
    return {}


def _open_rows(parent: Node, inside: ShapeRow | None, shape: Shape) -> None:
    """Sets which part of the shape each node opens. Inside a list only a title opens another part."""
    is_list = inside is not None and inside.holds != "text"
    is_plan = inside is not None and inside.step == 1
    parent.children = [each for child in parent.children for each in _split_table(child, shape)]
    # Numbers are those of the prompt's steps where a title beside proves it.
    titles = [
        (match_title(child.title, shape.rows, child.number), child.number) for child in parent.children if child.title
    ]
    is_counted = any(row is not None and row.step is not None and row.step == number for row, number in titles)
    for child in parent.children:
        row = None
        if child.kind == "table":
            row = None if is_list else _match_header(child, inside, shape)
        elif child.kind == "title" or (child.is_entry and (not is_list or _is_title(child)) and not is_plan):
            heads = child.is_entry and any(each.is_entry or is_none(each.text) for each in child.children)
            title = child.title or (child.text if heads else "")
            row = match_title(title, shape.rows, child.number) if title else None
            if row is None and (child.is_step or (is_counted and child.title)):
                row = next((each for each in shape.rows if each.step == child.number), None)
        if child.is_entry and not child.is_step and not (child.rest or child.children):
            row = None
        if is_list and row is not None and row.holds == "text" and not child.is_heading:
            row = None
        child.row = None if row is inside else row
        _open_rows(child, row or inside, shape)


def _is_title(node: Node) -> bool:
    """Whether an entry only announces those below it."""
    return node.text.rstrip().endswith(":") and any(child.is_entry for child in node.children)


def _split_table(table: Node, shape: Shape) -> list[Node]:
    """The rows of a table as titles with text, where the first cells name several parts of the shape."""
    pairs = [(next(filter(fold_words, row.cells), ""), row) for row in table.children if table.kind == "table"]
    named = [match_title(title, shape.rows) for title, _ in pairs]
    if len({row.place for row in named if row is not None and row.holds != "text"}) < 2 or None in named:
        return [table]
    return [Node(title, "title", title, row.cells[-1], level=_ROW_LEVEL) for title, row in pairs]


def _match_header(table: Node, inside: ShapeRow | None, shape: Shape) -> ShapeRow | None:
    """The part that a column names; or all units, where every row of a table of claims has its verdict."""
    rows = tuple(row for row in shape.rows if row.holds != "text")
    named = next((row for cell in table.cells if (row := match_title(cell, rows))), None)
    if named is not None and named.label is None:
        return named
    whole = next((row for row in rows if row.holds == "unit" and row.label is None), None)
    entries = list(read_table(table))
    is_check = inside is not None and inside.name in {"values", "facts"}
    if whole is None or is_check or not entries:
        return named
    return whole if all(mark.word for mark in read_marks(entries, whole.unit, shape)) else named


def _choose(lists: Sequence[Listed]) -> Listed:
    """One of several lists of the same part: the most certain; of two that overlap the last, if it takes entries back.

    Lists that share nothing are two kinds of the same and count together.
    """
    most = max(each.certainty for each in lists)
    chosen, *others = [each for each in lists if each.certainty == most]
    for other in others:
        own, later = ([entry.text for entry in each.entries] for each in (chosen, other))
        shared = len(align(later, own))
        if not shared and own and later:
            chosen = replace(chosen, entries=(*chosen.entries, *other.entries), announced=None)
        elif (shared == len(later) < len(own)) or shared == len(own) < len(later):
            chosen = other
    return chosen


@dataclass(slots=True)
class _Counter:
    """Turns the lists that were found into units with labels, and into counts.

    A list without a label holds all units of its kind, and one with a label repeats some of them. Where no list holds
    all, one with a label holds units of its own.
    """

    found: Mapping[str, Listed]
    metric: Metric
    shape: Shape
    record: Record
    entries: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    units: list[Unit] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    is_open: bool = False

    def count(self) -> ForeignMetric:
        rows = [row for row in self.shape.rows if row.holds in {"unit", "count", "list"}]
        for row in rows:
            self._resolve(row)
        for part in self.metric.label_parts:
            own = [row for row in rows if row.unit == part.unit and row.holds == "unit"]
            if own:
                self._complete(own, part)
                self._label(own, part)
        if self._contradicts(rows):
            self.flags.append(_MISMATCH)
        texts = {place: [entry.text for entry in entries] for place, entries in self.entries.items()}
        remarks = [
            Remark(part, {key or "words": text}, locate(text, self.record.output))
            for row in rows
            if row.holds == "list"
            for part, _, key in [row.name.partition(".")]
            for text in texts.get(row.place, ())
        ]
        return ForeignMetric(
            tuple(self.units),
            Findings(tuple(self.labels), remarks=tuple(remarks)),
            {"lists": texts} if texts else {},
            flags=tuple(dict.fromkeys(self.flags)),
            counted=self._build_counts(rows),
        )

    def _whole(self, unit: UnitKind | None) -> ShapeRow | None:
        rows = (row for row in self.shape.rows if row.holds == "unit" and row.unit == unit and row.label is None)
        return next((row for row in rows if row.place in self.found), None)

    def _resolve(self, row: ShapeRow) -> None:
        """The entries of a list, or those of the whole list that it refers to by number or as "all"."""
        listed, whole = self.found.get(row.place), self._whole(row.unit)
        if listed is None:
            return
        all_entries = self.found[whole.place].entries if whole is not None else ()
        entries = listed.entries
        if listed.is_all:
            if whole is None and row.holds == "unit" and self._is_best(row):
                return
            entries = all_entries if whole is not row and self._is_best(row) else ()
        elif listed.refers:
            if whole is None:
                return
            entries = tuple(all_entries[each - 1] for each in listed.refers if 0 < each <= len(all_entries))
        elif row.label is not None:
            # An entry's own verdict is nearer to it than the title of its list.
            marks = self._read_marks(entries, row.unit)
            entries = tuple(
                each for each, mark in zip(entries, marks, strict=True) if mark in {None, self._is_best(row)}
            )
        self.entries[row.place] = entries
        if listed.announced not in {None, len(entries)}:
            self.flags.append(_MISMATCH)
        if row.label is not None and not self._is_best(row):
            self.is_open = listed.is_open

    def _is_best(self, row: ShapeRow) -> bool:
        part = self.metric.labels(row.unit) if row.unit is not None else None
        return part is not None and row.label is not None and part.value(row.label) == part.value(part.best)

    def _read_marks(self, entries: Sequence[Entry], unit: UnitKind | None) -> list[bool | None]:
        """Whether each entry carries its own verdict, and whether that is the best label."""
        part = self.metric.labels(unit) if unit is not None else None
        if part is None:
            return [None] * len(entries)
        labels = {word.word: word.label for word in reversed(self.shape.words) if word.unit == unit}
        words = [mark.word for mark in read_marks(entries, unit, self.shape)]
        return [
            None
            if word is None
            else part.value(labels[word]) == part.value(part.best)
            if word in labels
            else word == "yes"
            for word in words
        ]

    def _complete(self, rows: Sequence[ShapeRow], part: LabelPart) -> None:
        """Two lists that share out all units are all of them, and marks on all units share them out into two lists."""
        whole = next((row for row in rows if row.label is None), None)
        labelled = [row for row in rows if row.label is not None]
        said = [row for row in labelled if row.place in self.entries]
        if whole is None:
            return
        if whole.place not in self.entries:
            is_certain = all(self.found[row.place].certainty > 1 for row in said)
            if is_certain and {self._is_best(row) for row in said} == {True, False}:
                self.entries[whole.place] = tuple(each for row in said for each in self.entries[row.place])
            return
        entries = self.entries[whole.place]
        marks = self._read_marks(entries, part.unit)
        if not said and None not in marks:
            for row in labelled:
                if row.step is not None:
                    pairs = zip(entries, marks, strict=True)
                    self.entries[row.place] = tuple(each for each, mark in pairs if mark == self._is_best(row))

    def _label(self, rows: Sequence[ShapeRow], part: LabelPart) -> None:
        """Of all units those that a labelled list repeats have its label, the others the opposite one."""
        whole = self._whole(part.unit)
        labelled = [(row, row.label) for row in rows if row.label is not None and row.place in self.entries]
        if whole is None:
            own = {entry.text: label for row, label in labelled for entry in self.entries[row.place]}
            self._add(part, list(own), list(own.values()))
            return
        entries = self.entries[whole.place]
        texts, marks = [entry.text for entry in entries], self._read_marks(entries, part.unit)
        if marks and None not in marks:
            self._add(part, texts, [part.best if mark else part.worst for mark in marks])
            if any(len(self.entries[row.place]) != marks.count(self._is_best(row)) for row, _ in labelled):
                self.flags.append(_MISMATCH)
        elif labelled:
            row, label = labelled[0]
            repeats = list(dict.fromkeys(entry.text for entry in self.entries[row.place]))
            places = set(align(repeats, texts).values())
            if strays := len(repeats) - len(places):
                # The reply counts them as matched, and no words tell which is meant.
                self.flags.append(_MISMATCH)
                places |= set([at for at in range(len(texts)) if at not in places][:strays])
            other = part.worst if label == part.best else part.best
            self._add(part, texts, [label if at in places else other for at in range(len(texts))])
        else:
            self._add(part, texts, [])

    def _add(self, part: LabelPart, texts: Sequence[str], labels: Sequence[str]) -> None:
        output = self.record.output
        for place, text in enumerate(texts, 1):
            span = locate(text, output) if part.unit == "claim" else None
            self.units.append(Unit("", part.unit, text, span).numbered(place))
        added = self.units[len(self.units) - len(texts) :]
        self.labels += [Label(part.id, unit.id, label) for unit, label in zip(added, labels, strict=False)]

    def _build_counts(self, rows: Sequence[ShapeRow]) -> Counted:
        """How many units there are, at their best label and below it, and how many are too many; None where unsaid."""
        first = self.metric.label_parts[0]
        counts: dict[str, int] = {}
        for row in rows:
            if row.place in self.entries and row.holds != "count":
                is_excess = row.holds == "list" or row.unit != first.unit
                kind = (
                    "excess"
                    if is_excess
                    else "whole"
                    if row.label is None
                    else "best"
                    if self._is_best(row)
                    else "worst"
                )
                counts[kind] = len(self.entries[row.place])
        own = [label for label in self.labels if label.part == first.id]
        if "whole" in counts and not {"best", "worst"} & set(counts) and own:
            counts["worst"] = sum(first.value(label.label) != first.value(first.best) for label in own)
        if "whole" in counts and "worst" in counts:
            counts.setdefault("best", max(0, counts["whole"] - counts["worst"]))
        return Counted(**counts, missing=self._name_missing(rows), is_open=self.is_open)

    def _contradicts(self, rows: Sequence[ShapeRow]) -> bool:
        """More matched than the output holds, or one entry in two lists that exclude each other."""
        folded: list[set[str]] = []
        counts = {
            row.unit: len(self.entries[row.place]) for row in rows if row.holds == "count" and row.place in self.entries
        }
        for row in rows:
            entries = self.entries.get(row.place, ())
            if row.label is not None or row.holds == "list":
                folded.append({" ".join(fold_words(entry.text)) for entry in entries})
            if self._is_best(row) and len(entries) > counts.get(row.unit, len(entries)):
                return True
        return any(one & other for at, one in enumerate(folded) for other in folded[:at])

    def _name_missing(self, rows: Sequence[ShapeRow]) -> tuple[str, ...]:
        """The lists that a prompt asks for and a reply lacks; another list or marks that say the same are as good."""
        told = {row.unit for row in rows if row.label is not None and row.place in self.entries}
        told |= {unit.kind for unit in self.units if self.labels}
        asked = [row for row in rows if row.step is not None and row.holds != "count" and row.place not in self.found]
        return tuple(row.place.lower() for row in asked if row.label is None or row.unit not in told)
