"""One record as a page shows it: the output with marked claims, the sources with quotes, and every score."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.checks.citations import number_sources
from assay.domain.findings import Evidence, Label
from assay.domain.outcome import Outcome, Verdict
from assay.domain.record import Source
from assay.domain.rubric import Metric
from assay.domain.scale import in_words, say_scale
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.span import Span
from assay.domain.units import NAMES, Unit, UnitKind, count_units
from assay.report.display import (
    Tone,
    clip,
    clip_name,
    format_faults,
    format_interval,
    format_label,
    format_score,
    list_taints,
    name_record,
    name_texts,
    outcome_tone,
    plain,
    title_source,
    tone_of,
)
from assay.report.doubts import format_doubts
from assay.report.nearest import Nearest, is_only_near
from assay.report.ranking import find_order
from assay.report.result import find_relevant
from assay.report.votes import Vote, Votes, collect_votes
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
class QuoteView:
    """`key` is that of the quote's mark, empty where the quote stands in no text of the page."""

    where: str
    quote: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class LabelView:
    """A label with its quotes, or what stands nearest. `judge` only among several."""

    label: Label
    tone: Tone
    evidence: tuple[QuoteView, ...]
    judge: str = ""

    @property
    def is_only_near(self) -> bool:
        return is_only_near(self.label)

    @property
    def said(self) -> str:
        return format_label(self.label)

    @property
    def faults(self) -> str:
        return format_faults(self.label)


@dataclass(frozen=True, slots=True)
class UnitView:
    """`labels` is one, or one of each judge and sample, those that the fewest share first."""

    unit: Unit
    key: str
    tone: Tone
    labels: tuple[LabelView, ...]
    votes: Votes
    origins: tuple[str, ...]
    mark: str = ""

    @property
    def said(self) -> str:
        return self.votes.said if self.votes.is_split else self.labels[0].said

    @property
    def counted(self) -> str:
        """What it is counted as."""
        return "split" if self.votes.is_split else plain(self.labels[0].label.label)

    @property
    def is_doubtful(self) -> bool:
        """Also where code suspects a label that says otherwise."""
        return self.tone.is_doubtful or any(each.label.suspicion for each in self.labels)

    @property
    def shows(self) -> str:
        """The keys of everything to light up."""
        return " ".join(key for key in (self.mark, *self.quoted) if key)

    @property
    def anchor(self) -> str:
        return self.mark or next(iter(self.quoted), self.key)

    @property
    def quoted(self) -> dict[str, None]:
        """The keys of all quotes on the page, each once."""
        return dict.fromkeys(quote.key for label in self.labels for quote in label.evidence if quote.key)


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
class MetricView:
    """`voices` are the answers of several judges or samples: who, tone, score. Lists are sorted by `order`."""

    chip: ScoreChip
    outcome: Outcome
    voices: tuple[tuple[str, str, str], ...]
    order: float


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
    metrics: tuple[MetricView, ...]
    claims: tuple[UnitGroup, ...]
    bank: tuple[UnitGroup, ...]
    notices: tuple[tuple[Notice, str], ...]

    @property
    def is_tainted(self) -> bool:
        """Whether its texts may have spoken to the judge; its scores stand as they were judged."""
        return bool(list_taints(self.card))

    @property
    def doubts(self) -> list[str]:
        return format_doubts(self.card)

    @property
    def order(self) -> float:
        return find_order(self.card)


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

    def add_quote(self, evidence: Evidence) -> QuoteView:
        """One mark for one stretch, however many units quote it."""
        name = self.names.get(evidence.source)
        if name is None:
            return QuoteView(clip_name(evidence.source), clip(evidence.quote))
        place = (evidence.source, evidence.span)
        if place not in self.quotes:
            self.quotes[place] = self.new_key()
            self.add(evidence.source, TextMark(self.quotes[place], evidence.span))
        return QuoteView(name, clip(evidence.quote), self.quotes[place])

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
    record, rubric = card.record, card.rubric
    names = name_texts(card)
    marks = _Marks(key, names)
    groups = list(_build_groups(card, marks, Nearest(card)))
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
        metrics=tuple(_build_metric(card, metric) for metric in rubric.metrics),
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


def _build_metric(card: Scorecard, metric: Metric) -> MetricView:
    outcome = card.outcomes[metric.id]
    score = outcome.score if isinstance(outcome, Verdict) else None
    chip = ScoreChip(
        name=metric.name,
        scale=say_scale(metric.scale),
        tone=outcome_tone(outcome),
        score="" if score is None else in_words(score.value),
        status=outcome.status,
        why=clip(outcome.score.derivation if isinstance(outcome, Verdict) else outcome.reason),
        raw="" if score is None or score.raw == score.value else in_words(score.raw),
        interval=format_interval(outcome),
    )
    voices = (
        (f"{voice.judge}, sample {voice.sample + 1}", outcome_tone(voice.outcome), format_score(voice.outcome))
        for voice in card.voices.get(metric.id, ())
    )
    return MetricView(chip, outcome, tuple(voices), find_order(card, metric.id))


def _build_groups(card: Scorecard, marks: _Marks, nearest: Nearest) -> Iterator[UnitGroup]:
    for metric in card.rubric.metrics:
        trail, votes = card.outcomes[metric.id].trail, collect_votes(card, metric)
        for kind in dict.fromkeys(unit.kind for unit in trail.units):
            units = {unit.id: unit for unit in trail.units if unit.kind == kind}
            views = []
            for label in trail.findings.labels:
                if unit := units.get(label.unit):
                    own = Vote("", label, tone_of(label, metric.labels(kind)))
                    given = votes.get((label.part, label.unit), Votes())
                    labels = tuple(_build_label(unit, vote, marks, nearest) for vote in given.all or [own])
                    views.append(_build_unit(unit, labels, given, marks))
            if views:
                yield _build_group(kind, metric, views)


def _build_group(kind: UnitKind, metric: Metric, views: list[UnitView]) -> UnitGroup:
    counts: dict[tuple[Tone, str], int] = {}
    for view in views:
        key = (view.tone, view.counted)
        counts[key] = counts.get(key, 0) + 1
    ranked = sorted(((*key, count) for key, count in counts.items()), key=lambda each: each[0].gravity)
    doubtful = sorted((view for view in views if view.is_doubtful), key=lambda view: view.tone.gravity)[:_MOST_UNITS]
    held = [view for view in views if not view.is_doubtful][: _MOST_UNITS - len(doubtful)]
    return UnitGroup(kind, metric.name, doubtful, held, tuple(ranked), len(views))


def _build_label(unit: Unit, vote: Vote, marks: _Marks, nearest: Nearest) -> LabelView:
    quotes = tuple(map(marks.add_quote, nearest.cite(unit, vote.label)))
    return LabelView(vote.label, vote.tone, quotes, vote.judge)


def _build_unit(unit: Unit, labels: tuple[LabelView, ...], votes: Votes, marks: _Marks) -> UnitView:
    tone = votes.find_tone(labels[0].tone)
    view = UnitView(
        unit, marks.new_key(), tone, labels, votes, tuple(marks.names.get(name, name) for name in unit.sources)
    )
    if unit.span is None:
        return view
    mark, first = marks.new_key(), labels[0].label
    title = f"{unit.id}: {view.said}" + (f" – {clip(first.note)}" if first.note else "")
    # Sections cover whole paragraphs of claims: they light up on demand and are not underlined.
    shown = tone if unit.kind == "claim" else None
    marks.add(OUTPUT, TextMark(mark, unit.span, shown, title, tuple(view.quoted), view.key))
    for piece in dict.fromkeys(piece for each in labels for piece in each.label.pieces):
        if piece.span is not None:
            marks.add(OUTPUT, TextMark(marks.new_key(), piece.span, fault=piece.severity))
    return replace(view, mark=mark)
