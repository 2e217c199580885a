"""One record as a page shows it: the output with marked claims, the sources with quotes, and every score."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.checks.citations import number_sources
from assay.domain.findings import Evidence
from assay.domain.outcome import Outcome, Verdict
from assay.domain.record import Source
from assay.domain.rubric import Metric
from assay.domain.scale import in_words, say_scale
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.span import Span
from assay.domain.units import NAMES, UnitKind, count_units
from assay.report.display import (
    Tone,
    clip,
    format_interval,
    name_record,
    name_texts,
    outcome_tone,
    title_source,
)
from assay.report.findings import Finding, add_closest, list_findings
from assay.report.nearest import Nearest
from assay.report.result import find_relevant
from assay.units.passages import OUTPUT
from assay.web.text_view import TextMark, TextView, build_text

# How much of one record a page holds: characters of its output and of its sources, and units. The page says what is
# left out.
_MOST_CHARACTERS = 60_000
_MOST_UNITS = 400
# A short input may hold this share of it.
_INPUT_SHARE = 15


@dataclass(frozen=True, slots=True)
class SourceView:
    source: Source
    key: str
    number: int
    title: str
    text: TextView
    is_relevant: bool


@dataclass(frozen=True, slots=True)
class UnitView:
    """A finding and its places on the page: its own `key`, that of its `mark` in the output, and those of quotes."""

    finding: Finding
    key: str
    anchors: Mapping[tuple[str, Span], str]
    mark: str = ""

    @property
    def shows(self) -> str:
        """The keys of the mark and the quotes, which are highlighted together."""
        return " ".join(key for key in (self.mark, *self.quoted) if key)

    @property
    def anchor(self) -> str:
        return self.mark or next(iter(self.quoted), self.key)

    @property
    def quoted(self) -> tuple[str, ...]:
        """The keys of all quotes that stand in a text of the page, each once."""
        found = self.finding.answers or (self.finding,)
        keys = (self.anchors.get((quote.source, quote.span), "") for each in found for quote in each.quotes)
        return tuple(dict.fromkeys(key for key in keys if key))


@dataclass(frozen=True, slots=True)
class UnitGroup:
    """The units of one kind under one metric: the doubtful ones, the most serious first, and those that hold."""

    kind: UnitKind
    metric: str
    doubtful: Sequence[UnitView]
    held: Sequence[UnitView]
    counts: tuple[tuple[Tone, str, int], ...]
    total: int

    @property
    def title(self) -> str:
        return NAMES[self.kind][1].capitalize()

    @property
    def unlisted(self) -> int:
        return self.total - len(self.doubtful) - len(self.held)

    @property
    def said(self) -> str:
        return count_units(self.kind, self.total)

    @property
    def summary(self) -> str:
        return f"Show {count_units(self.kind, len(self.held))} without problems"


@dataclass(frozen=True, slots=True)
class ScoreChip:
    """A score as pages print it; `score` is empty where there is none, `why` is the derivation or the reason."""

    name: str
    scale: str
    tone: str
    score: str
    status: str
    why: str = ""
    raw: str = ""
    interval: str = ""


@dataclass(frozen=True, slots=True)
class RecordView:
    """`notices` are pairs of a notice and the key of its mark."""

    card: Scorecard
    key: str
    name: str
    output_label: str
    output: TextView
    inputs: tuple[tuple[str, TextView], ...]
    sources: tuple[SourceView, ...]
    claims: tuple[UnitGroup, ...]
    bank: tuple[UnitGroup, ...]
    notices: tuple[tuple[Notice, str], ...]


@dataclass(slots=True)
class _Marks:
    """Collects the marks of one record's texts; keys are numbered, never taken from data."""

    prefix: str
    names: Mapping[str, str]
    by_text: dict[str, list[TextMark]] = field(default_factory=dict)
    quotes: dict[tuple[str, Span], str] = field(default_factory=dict)
    count: int = 0

    def new_key(self) -> str:
        self.count += 1
        return f"{self.prefix}-{self.count}"

    def add(self, source: str, mark: TextMark) -> None:
        self.by_text.setdefault(source, []).append(mark)

    def add_quote(self, quote: Evidence) -> None:
        """One mark for one stretch, however many units quote it."""
        place = (quote.source, quote.span)
        if quote.source in self.names and place not in self.quotes:
            self.quotes[place] = self.new_key()
            self.add(quote.source, TextMark(self.quotes[place], quote.span))

    def add_notice(self, notice: Notice) -> str:
        if notice.span is None:
            return ""
        key = self.new_key()
        self.add(OUTPUT, TextMark(key, notice.span))
        return key


def build_record_view(card: Scorecard, key: str = "r1", most: int = _MOST_CHARACTERS) -> RecordView:
    """`key` begins every id of the record's elements: two records on one page need two.

    `most` is the number of characters shown of the output, and of all sources.
    """
    record, names = card.record, name_texts(card)
    marks = _Marks(key, names)
    groups = list(_build_groups(card, marks))
    _mark_excess(card, marks)
    notices = tuple((notice, marks.add_notice(notice)) for notice in card.notices)
    return RecordView(
        card=card,
        key=key,
        name=name_record(record),
        output_label=names[OUTPUT],
        output=build_text(record.output, marks.by_text.get(OUTPUT, ()), most),
        inputs=tuple(_build_inputs(card, most // _INPUT_SHARE)),
        sources=tuple(_build_sources(card, marks, most)),
        claims=tuple(group for group in groups if group.kind == "claim"),
        bank=tuple(group for group in groups if group.kind != "claim"),
        notices=notices,
    )


def _mark_excess(card: Scorecard, marks: _Marks) -> None:
    """Words of the output that a judge says should not be there."""
    for outcome in card.outcomes.values():
        for remark in outcome.trail.findings.remarks:
            if remark.span is not None:
                marks.add(OUTPUT, TextMark(marks.new_key(), remark.span, fault="slight"))


def _build_sources(card: Scorecard, marks: _Marks, most: int) -> Iterator[SourceView]:
    """Short sources are shown whole; the long ones share the room that is left."""
    numbers = number_sources(card.record)
    relevant = {source.id for source in find_relevant(card) or ()}
    room, left = most, len(card.record.sources)
    allowed: dict[str, int] = {}
    for source in sorted(card.record.sources, key=lambda each: len(each.text)):
        allowed[source.id] = room // left
        room -= min(len(source.text), allowed[source.id])
        left -= 1
    for source in card.record.sources:
        text = build_text(source.text, marks.by_text.get(source.id, ()), allowed[source.id])
        title = title_source(source, card.rubric)
        yield SourceView(source, marks.new_key(), numbers[source.id], title, text, source.id in relevant)


def _build_inputs(card: Scorecard, most: int) -> Iterator[tuple[str, TextView]]:
    """The query and the other short inputs, with their labels; sources and output stand by themselves."""
    for each in card.rubric.inputs:
        value = card.record.inputs.get(each.name)
        if each.role in {"query", "other", "truth"} and isinstance(value, str | int | float) and str(value).strip():
            yield each.label, build_text(str(value), (), most)


def build_chip(outcome: Outcome, metric: Metric) -> ScoreChip:
    score = outcome.score if isinstance(outcome, Verdict) else None
    return ScoreChip(
        name=metric.name,
        scale=say_scale(metric.scale),
        tone=outcome_tone(outcome),
        score="" if score is None else in_words(score.value),
        status=outcome.status,
        why=clip(outcome.score.derivation if isinstance(outcome, Verdict) else outcome.reason),
        raw="" if score is None or score.raw == score.value else in_words(score.raw),
        interval=format_interval(outcome),
    )


def _build_groups(card: Scorecard, marks: _Marks) -> Iterator[UnitGroup]:
    nearest = Nearest(card)
    for metric in card.rubric.metrics:
        found = add_closest(nearest, list_findings(card, metric))
        for kind in dict.fromkeys(unit.kind for unit in card.outcomes[metric.id].trail.units):
            views = [_build_unit(finding, marks) for finding in found if finding.unit.kind == kind]
            if views:
                yield _build_group(kind, metric, views)


def _build_group(kind: UnitKind, metric: Metric, views: list[UnitView]) -> UnitGroup:
    counts = Counter((view.finding.tone, view.finding.name) for view in views)
    ranked = sorted(((*key, count) for key, count in counts.items()), key=lambda each: each[0].gravity)
    # Also where code suspects a label that says otherwise.
    split: dict[bool, list[UnitView]] = {True: [], False: []}
    for view in views:
        split[view.finding.is_doubtful or view.finding.is_suspected].append(view)
    doubtful = sorted(split[True], key=lambda view: view.finding.tone.gravity)[:_MOST_UNITS]
    held = split[False][: _MOST_UNITS - len(doubtful)]
    return UnitGroup(kind, metric.name, doubtful, held, tuple(ranked), len(views))


def _build_unit(finding: Finding, marks: _Marks) -> UnitView:
    unit, answers = finding.unit, finding.answers or (finding,)
    for quote in (quote for answer in answers for quote in answer.quotes):
        marks.add_quote(quote)
    view = UnitView(finding, marks.new_key(), marks.quotes)
    if unit.span is None:
        return view
    view, note = replace(view, mark=marks.new_key()), finding.shown.label.note
    title = f"{unit.id}: {finding.said}" + (f" – {clip(note)}" if note else "")
    # Sections cover whole paragraphs of claims: they light up on demand and are not underlined.
    tone = finding.tone if unit.kind == "claim" else None
    marks.add(OUTPUT, TextMark(view.mark, unit.span, tone, title, view.quoted, view.key))
    for piece in dict.fromkeys(piece for answer in answers for piece in answer.label.pieces):
        if piece.span is not None:
            marks.add(OUTPUT, TextMark(marks.new_key(), piece.span, fault=piece.severity))
    return view
