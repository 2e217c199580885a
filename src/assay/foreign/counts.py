"""Counts the lists of an explanation, as units with labels, and says where they can't be relied on."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from assay.domain.findings import Findings, Label, Remark
from assay.domain.parts import LabelPart
from assay.domain.record import Record
from assay.domain.rubric import Metric
from assay.domain.shape import Shape, ShapeRow
from assay.domain.span import Span
from assay.domain.units import Unit, UnitKind
from assay.foreign.answer import Counted, ForeignMetric
from assay.foreign.lists import Entry, Listed
from assay.foreign.marks import read_marks
from assay.foreign.outline import fold_words
from assay.text.keywords import keywords
from assay.text.quotes import QuoteMatch, find_quote

_QUOTED = re.compile(r"[\"“‘]([^\"“”‘’]{3,200})[\"”’]")
# Two entries that share this part of their stems speak of the same thing.
_ALIKE = 0.34
# Nobody lists more.
_MOST_ALIGNED = 200
# The list that a sentence speaks of, and the two numbers of its "6 of 8".
Ratio: TypeAlias = tuple[ShapeRow, int, int]


def locate(text: str, output: str) -> Span | None:
    """Where a text, or else the words that it quotes, stands in the output."""
    for words in (text.strip("\"'“”‘’ "), *_QUOTED.findall(text)):
        match = find_quote(words, output)
        if isinstance(match, QuoteMatch):
            return match.span
    return None


def align(entries: Sequence[str], items: Sequence[str]) -> dict[int, int]:
    """For each entry that repeats an item, in whatever words, the place of that item; each item is taken once."""
    said, own = ([keywords(each) for each in texts[:_MOST_ALIGNED]] for texts in (entries, items))
    pairs = [
        (len(one & other) / min(len(one), len(other)), fold_words(entries[at]) == fold_words(items[to]), -to, -at)
        for at, one in enumerate(said)
        for to, other in enumerate(own)
        if one & other
    ]
    found: dict[int, int] = {}
    for share, _, to, at in sorted(pairs, reverse=True):
        if share >= _ALIKE and -at not in found and -to not in found.values():
            found[-at] = -to
    return found


@dataclass(slots=True)
class ListCounter:
    """Turns the lists that were found into units with labels, and into counts.

    A list without a label holds all units of its kind, and one with a label repeats some of them. Where no list holds
    all, one with a label holds units of its own.
    """

    found: Mapping[str, Listed]
    ratios: Sequence[Ratio]
    metric: Metric
    shape: Shape
    record: Record
    entries: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    units: list[Unit] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    stated: list[tuple[str, int]] = field(default_factory=list)
    strays: int = 0

    def count(self) -> ForeignMetric:
        rows = [row for row in self.shape.rows if row.holds in {"unit", "count", "list"}]
        for row in rows:
            self._resolve(row)
        for part in self.metric.label_parts:
            own = [row for row in rows if row.unit == part.unit and row.holds == "unit"]
            if own:
                self._complete(own, part)
                self._label(own, part)
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
            counted=self._build_counts(rows),
        )

    def _whole(self, unit: UnitKind | None) -> ShapeRow | None:
        rows = (row for row in self.shape.rows if row.holds == "unit" and row.unit == unit and row.label is None)
        return next((row for row in rows if row.place in self.found), None)

    def _resolve(self, row: ShapeRow) -> None:
        """The entries of a list that no verdict of their own takes out of it."""
        listed = self.found.get(row.place)
        if listed is None:
            return
        entries = listed.entries
        if row.label is not None:
            # An entry's own verdict is nearer to it than the title of its list.
            marks = self._read_marks(entries, row.unit)
            entries = tuple(
                each for each, mark in zip(entries, marks, strict=True) if mark in {None, self._is_best(row)}
            )
        self.entries[row.place] = entries
        if listed.announced is not None:
            self.stated.append((self._kind(row), listed.announced))

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
            is_certain = all(self.found[row.place].is_certain for row in said)
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
            self.strays += sum(
                abs(len(self.entries[row.place]) - marks.count(self._is_best(row))) for row, _ in labelled
            )
        elif labelled:
            row, label = labelled[0]
            repeats = list(dict.fromkeys(entry.text for entry in self.entries[row.place]))
            places = set(align(repeats, texts).values())
            if strays := len(repeats) - len(places):
                # The reply counts them as matched, and no words tell which is meant.
                self.strays += strays
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

    def _kind(self, row: ShapeRow) -> str:
        """Which of the counts a list is."""
        if row.holds == "count":
            return "held"
        if row.holds == "list" or row.unit != self.metric.label_parts[0].unit:
            return "excess"
        return "whole" if row.label is None else "best" if self._is_best(row) else "worst"

    def _build_counts(self, rows: Sequence[ShapeRow]) -> Counted:
        """How many units there are, at their best label and below it, and how many are too many; None where unsaid."""
        first = self.metric.label_parts[0]
        said = [row for row in rows if row.place in self.entries]
        counts = {self._kind(row): len(self.entries[row.place]) for row in said}
        own = [label for label in self.labels if label.part == first.id]
        if "whole" in counts and not {"best", "worst"} & set(counts) and own:
            counts["worst"] = sum(first.value(label.label) != first.value(first.best) for label in own)
        if "whole" in counts and "worst" in counts:
            counts.setdefault("best", max(0, counts["whole"] - counts["worst"]))
        for row, count, whole in self.ratios:
            kind = self._kind(row)
            self.stated += [("best" if kind == "whole" else kind, count)]
            if whole == counts.get("whole") and kind == "best":
                counts.setdefault("best", count)
            self.stated += [("whole", whole)] if kind in {"whole", "best", "worst"} else []
        # A list of all units confirms the others.
        kinds = {"excess"} if "whole" in counts else {"excess", "worst"}
        faults = {row.place for row in said if self._kind(row) in kinds}
        lists = [(place, each) for place, each in self.found.items() if each.entries and place in self.entries]
        return Counted(
            **counts,
            missing=self._name_missing(rows),
            stated=tuple(self.stated),
            strays=self.strays + self._count_shared(said),
            is_open=any(not each.is_certain or (each.is_open and place in faults) for place, each in lists),
        )

    def _count_shared(self, rows: Sequence[ShapeRow]) -> int:
        """Entries in two lists that exclude each other."""
        excluding = [row for row in rows if row.label is not None or row.holds == "list"]
        folded = [{" ".join(fold_words(entry.text)) for entry in self.entries[row.place]} for row in excluding]
        return sum(len(one & other) for at, one in enumerate(folded) for other in folded[:at])

    def _name_missing(self, rows: Sequence[ShapeRow]) -> tuple[str, ...]:
        """The lists that a prompt asks for and a reply lacks; another list or marks that say the same are as good."""
        told = {row.unit for row in rows if row.label is not None and row.place in self.entries}
        told |= {unit.kind for unit in self.units if self.labels}
        asked = [row for row in rows if row.step is not None and row.holds != "count" and row.place not in self.found]
        return tuple(row.place.lower() for row in asked if row.label is None or row.unit not in told)
