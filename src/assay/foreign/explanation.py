"""Reads an explanation that ends in a score: its lists, wherever and however they stand, and the score itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

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
from assay.foreign.lists import Entry, Listed, read_list
from assay.foreign.marks import split_mark
from assay.foreign.outline import build_outline, fold_words
from assay.foreign.spelling import spell_out
from assay.foreign.tags import read_score_tag
from assay.replies.values import Misreading
from assay.replies.wrapping import is_refusal, strip_thinking, to_half_width
from assay.text.keywords import keywords
from assay.text.quotes import QuoteMatch, find_quote

_MISMATCH = "list_mismatch"
_QUOTED = re.compile(r"[\"“‘]([^\"“”‘’]{3,200})[\"”’]")
_LAST_ENTRY = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•])\s+\S")
# Two entries that share this part of their stems speak of the same thing.
_ALIKE = 0.34
# Nobody lists more; only the first so many are compared word by word.
_MOST_ALIGNED = 200


@dataclass(frozen=True, slots=True)
class _Lists:
    """What an explanation lists, as units with labels and as counts."""

    units: tuple[Unit, ...] = ()
    labels: tuple[Label, ...] = ()
    remarks: tuple[Remark, ...] = ()
    counted: Counted = field(default_factory=Counted)
    entries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)


def read_explanation(text: str, rubric: Rubric, shape: Shape, record: Record) -> WholeAnswer:
    """The model's own lists under the shape's headings, and its own score."""
    metric = rubric.metrics[0]
    plain = strip_thinking(text)
    lists = _Lists() if shape.form == "score" else _read_lists(spell_out(plain), metric, shape, record, rubric)
    low, high = int(metric.scale.low), int(metric.scale.high)
    names = (metric.id, metric.name)
    reading = read_score_tag(spell_out(plain), low, high, names, whole=metric.scale.decimals == 0)
    fault: Fault | None = None
    reported: dict[str, object] = {"explanation": text}
    repairs: tuple[str, ...] = ()
    grades: tuple[Grade, ...] = ()
    if isinstance(reading, Misreading):
        status: FailureStatus = "refused" if is_refusal(text) else reading.status
        fault = Fault(reading.reason, status)
        if status != "refused" and _ends_in_a_list(plain):
            fault = Fault("the reply ends inside a list, before its score", "truncated")
    else:
        reported = {"grade": reading.value, **reported}
        repairs = (reading.repaired,) if reading.repaired else ()
        grades = tuple(Grade(part.id, Fraction(str(reading.value))) for part in metric.grade_parts[:1])
    if lists.entries:
        reported["lists"] = {name: list(entries) for name, entries in lists.entries.items()}
    reported |= {"parts": dict(lists.texts)} if lists.texts else {}
    read = ForeignMetric(
        lists.units,
        Findings(lists.labels, grades, remarks=lists.remarks),
        reported,
        flags=lists.flags,
        repairs=repairs,
        fault=fault,
        counted=lists.counted,
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


def _read_lists(text: str, metric: Metric, shape: Shape, record: Record, rubric: Rubric) -> _Lists:
    names = _list_names(record, rubric)
    known = keywords(" ".join([record.output, *(source.text for source in record.sources)]))
    found: dict[str, Listed] = {}
    texts: dict[str, str] = {}
    for part in build_outline(to_half_width(text), shape.rows, names):
        if part.row is None:
            continue
        if part.row.holds == "text":
            said = [part.heading.rest, *(line.text for line in part.lines)]
            texts.setdefault(part.row.place, "\n".join(each for each in said if each))
            continue
        listed = read_list(part, known, names)
        if listed is not None and listed.certainty > getattr(found.get(part.row.place), "certainty", 0):
            found[part.row.place] = listed
    rows = [row for row in shape.rows if row.holds in {"unit", "count", "list"}]
    return replace(_ListBuilder(rows, found, metric, shape, record).build(), texts=texts)


def _list_names(record: Record, rubric: Rubric) -> set[str]:
    """What a group inside a list may be called: the inputs, the titles of the sources, "product 2"."""
    names: list[str] = [each.name.replace("_", " ") for spec in rubric.inputs for each in (spec, *spec.fields)]
    for spec in rubric.inputs:
        own = [source for source in record.sources if source.input == spec.name]
        names += [source.title or "" for source in own]
        for number, numeral in zip(range(1, len(own) + 1), ("i", "ii", "iii", "iv", "v", "vi"), strict=False):
            one = spec.label.removesuffix("s")
            names += [f"{one} {each}" for each in (number, numeral, chr(96 + number))]
    return {" ".join(fold_words(name)) for name in names if name.strip()}


@dataclass(slots=True)
class _ListBuilder:
    """Turns the lists that were found into units with labels, and into counts.

    A list without a label holds all units of its kind, and one with a label repeats some of them. Where no list holds
    all, one with a label holds units of its own.
    """

    rows: Sequence[ShapeRow]
    found: Mapping[str, Listed]
    metric: Metric
    shape: Shape
    record: Record
    units: list[Unit] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    entries: dict[str, tuple[str, ...]] = field(default_factory=dict)
    is_odd: bool = False

    def build(self) -> _Lists:
        for row in self.rows:
            self._resolve_row(row)
        for unit in dict.fromkeys(row.unit for row in self.rows if row.holds == "unit"):
            self._complete(unit)
        for unit in dict.fromkeys(row.unit for row in self.rows if row.holds == "unit" and row.unit is not None):
            self._label_units(unit)
        is_odd = self.is_odd or self._contradicts()
        return _Lists(
            tuple(self.units),
            tuple(self.labels),
            tuple(self.remarks),
            self._count(),
            self.entries,
            (_MISMATCH,) if is_odd else (),
        )

    def _find_whole(self, unit: UnitKind | None) -> Listed | None:
        rows = (row for row in self.rows if row.holds == "unit" and row.unit == unit and row.label is None)
        return next((self.found[row.place] for row in rows if row.place in self.found), None)

    def _resolve_row(self, row: ShapeRow) -> None:
        """The entries of a list, or those of the whole list that it refers to by number or as "all"."""
        listed = self.found.get(row.place)
        if listed is None:
            return
        whole = self._find_whole(row.unit)
        entries = tuple(each for each in listed.entries if not self._is_of_another_label(each, row))
        if listed.is_all and whole is None and row.holds == "unit" and self._is_best(row):
            return
        if listed.is_all:
            entries = () if whole is None or whole is listed or not self._is_best(row) else whole.entries
        elif listed.refers:
            if whole is None:
                return
            entries = tuple(whole.entries[each - 1] for each in listed.refers if 0 < each <= len(whole.entries))
        self.entries[row.place] = tuple(entry.text for entry in entries)
        self.is_odd = self.is_odd or listed.announced not in {None, len(entries)}
        if row.holds == "list":
            part, _, key = row.name.partition(".")
            output = self.record.output
            self.remarks += [Remark(part, {key or "words": each.text}, locate(each.text, output)) for each in entries]

    def _complete(self, unit: UnitKind | None) -> None:
        """Two lists that share out all units are all of them, and marks on all units share them out into two lists."""
        rows = [row for row in self.rows if row.holds == "unit" and row.unit == unit]
        part = self.metric.labels(unit) if unit is not None else None
        whole = next((row for row in rows if row.label is None), None)
        labelled = [row for row in rows if row.label is not None]
        said = [row for row in labelled if row.place in self.entries]
        if whole is None or part is None:
            return
        if whole.place not in self.entries:
            is_certain = all(self.found[row.place].certainty > 1 for row in said)
            if is_certain and {self._is_best(row) for row in said} == {True, False}:
                self.entries[whole.place] = tuple(each for row in said for each in self.entries[row.place])
            return
        entries = self.found[whole.place].entries
        marks = [_read_mark(entry, part, self.shape) for entry in entries]
        if said or None in marks:
            return
        for row in labelled:
            if row.step is not None:
                is_best = self._is_best(row)
                pairs = zip(entries, marks, strict=True)
                self.entries[row.place] = tuple(entry.text for entry, mark in pairs if mark == is_best)

    def _is_best(self, row: ShapeRow) -> bool:
        part = self.metric.labels(row.unit) if row.unit is not None else None
        return part is not None and row.label is not None and part.value(row.label) == part.value(part.best)

    def _is_of_another_label(self, entry: Entry, row: ShapeRow) -> bool:
        """Whether the reply itself says that an entry has another label than its list, as "Price: matches"."""
        part = self.metric.labels(row.unit) if row.unit is not None else None
        if part is None or row.label is None:
            return False
        mark = _read_mark(entry, part, self.shape)
        return mark is not None and mark != self._is_best(row)

    def _label_units(self, unit: UnitKind) -> None:
        """Of all units those that a labelled list repeats have its label, the others the opposite one."""
        part, whole = self.metric.labels(unit), self._find_whole(unit)
        if part is None:
            raise AssertionError("the shape lists units that the metric labels")
        rows = [row for row in self.rows if row.unit == unit and row.holds == "unit" and row.place in self.entries]
        labelled = [(row, row.label) for row in rows if row.label is not None]
        if whole is None:
            own = {entry: label for row, label in labelled for entry in self.entries[row.place]}
            made = self._add_units(unit, list(own))
            self.labels += [Label(unit, each.id, own[each.text]) for each in made]
            return
        made = self._add_units(unit, [entry.text for entry in whole.entries])
        marks = [_read_mark(entry, part, self.shape) for entry in whole.entries]
        if None not in marks:
            said = [part.best if mark else part.worst for mark in marks]
            self.labels += [Label(unit, each.id, label) for each, label in zip(made, said, strict=True)]
            counts = {True: marks.count(True), False: marks.count(False)}
            self.is_odd = self.is_odd or any(
                len(self.entries[row.place]) != counts[self._is_best(row)] for row, _ in labelled
            )
        elif labelled:
            row, label = labelled[0]
            places, strays = align(self.entries[row.place], [entry.text for entry in whole.entries])
            self.is_odd = self.is_odd or strays > 0
            other = part.worst if label == part.best else part.best
            self.labels += [Label(unit, each.id, label if at in places else other) for at, each in enumerate(made)]

    def _add_units(self, kind: UnitKind, texts: Sequence[str]) -> list[Unit]:
        output = self.record.output
        spans = [locate(each, output) if kind == "claim" else None for each in texts]
        made = [Unit("", kind, *each).numbered(place) for place, each in enumerate(zip(texts, spans, strict=True), 1)]
        self.units += made
        return made

    def _count(self) -> Counted:
        """How many units there are, at their best label and below it, and how many are too many; None where unsaid."""
        first = self.metric.label_parts[0]
        whole = best = worst = excess = None
        for row in self.rows:
            if row.place not in self.entries or row.holds == "count":
                continue
            number = len(self.entries[row.place])
            if row.holds == "list" or row.unit != first.unit:
                excess = number
            elif row.label is None:
                whole = number
            elif self._is_best(row):
                best = number
            else:
                worst = number
        own = [label for label in self.labels if label.part == first.id]
        if whole is not None and best is None and worst is None and own:
            worst = sum(first.value(label.label) != first.value(first.best) for label in own)
        if whole is not None and best is None and worst is not None:
            best = max(0, whole - worst)
        return Counted(whole, best, worst, excess, self._name_missing())

    def _contradicts(self) -> bool:
        """More matched than the output holds, or one entry in two lists that exclude each other."""
        counts = {
            row.unit: len(self.entries[row.place])
            for row in self.rows
            if row.holds == "count" and row.place in self.entries
        }
        folded: list[set[str]] = []
        for row in self.rows:
            entries = self.entries.get(row.place)
            if entries is None:
                continue
            if row.label is not None or row.holds == "list":
                folded.append({" ".join(fold_words(each)) for each in entries})
            if self._is_best(row) and len(entries) > counts.get(row.unit, len(entries)):
                return True
        return any(one & other for at, one in enumerate(folded) for other in folded[:at])

    def _name_missing(self) -> tuple[str, ...]:
        """The lists that a prompt asks for and a reply lacks; another list or marks that say the same are as good."""
        missing = []
        for row in self.rows:
            if row.place in self.found or row.holds == "count" or row.step is None:
                continue
            told = {each.unit for each in self.rows if each.label is not None and each.place in self.found}
            told |= {unit.kind for unit in self.units if self.labels}
            if row.label is None or row.unit not in told:
                missing.append(row.place.lower())
        return tuple(missing)


def _read_mark(entry: Entry, part: LabelPart, shape: Shape) -> bool | None:
    """Whether an entry carries its own verdict, and whether that is the best label."""
    _, said, _ = split_mark(entry, part.unit, shape)
    labels = {word.word: word.label for word in reversed(shape.words) if word.unit == part.unit}
    return (
        None if said is None else part.value(labels[said]) == part.value(part.best) if said in labels else said == "yes"
    )


def align(entries: Sequence[str], items: Sequence[str]) -> tuple[set[int], int]:
    """The places of the items that entries repeat, in whatever words, each once, and how many entries no words tell.

    First those that read alike, then those that share most stems, then, where the reply counts them as matched and
    no words tell which is meant, the next free item in order.
    """
    folded = [fold_words(item) for item in items]
    by_first: dict[str, list[int]] = {}
    for at, words in enumerate(folded):
        by_first.setdefault(words[0] if words else "", []).append(at)
    taken: set[int] = set()
    waiting: list[str] = []
    repeated: set[tuple[str, ...]] = set()
    for entry in entries:
        words = fold_words(entry)
        near = by_first.get(words[0] if words else "", [])
        alike = [at for at in near if folded[at] == words[: len(folded[at])] or words == folded[at][: len(words)]]
        free = [at for at in alike if at not in taken]
        if free:
            taken.add(max(free, key=lambda at: len(folded[at]) * (folded[at] == words[: len(folded[at])])))
        elif not alike or tuple(words) not in repeated:
            waiting.append(entry)
        repeated.add(tuple(words))
    left = len(waiting) - _align_stems(waiting[:_MOST_ALIGNED], items[:_MOST_ALIGNED], taken)
    free = [at for at in range(len(items)) if at not in taken]
    taken |= set(free[:left])
    return taken, left


def _align_stems(entries: Sequence[str], items: Sequence[str], taken: set[int]) -> int:
    """Takes for each entry the free item that shares most stems with it, closest pairs first; returns how many."""
    own = [keywords(item) for item in items]
    said = [keywords(entry) for entry in entries]
    pairs = [
        (share, -at, number)
        for number, entry in enumerate(said)
        for at, item in enumerate(own)
        if at not in taken and (share := _overlap(entry, item)) >= _ALIKE
    ]
    placed: set[int] = set()
    for _, at, number in sorted(pairs, reverse=True):
        if number not in placed and -at not in taken:
            taken.add(-at)
            placed.add(number)
    return len(placed)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0
