"""One record as a page shows it: the output with marked claims, the sources with quotes, and its findings."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from assay.domain.findings import Evidence
from assay.domain.outcome import Placement
from assay.domain.record import Source
from assay.domain.rubric import Metric, Role
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.span import Span
from assay.domain.units import NAMES, Unit, UnitKind
from assay.report.display import Tone, clip, name_record, name_texts
from assay.report.findings import Finding, Nearest, add_closest, list_findings
from assay.text.word_diff import find_replaced
from assay.units.passages import OUTPUT
from assay.web.text_view import TextMark, TextPiece, build_text

# How much of one record a page holds: characters of its output and of its sources, and units. The page says what is
# left out.
_MOST_CHARACTERS = 60_000
_MOST_UNITS = 400
# A short input may hold this share of it.
_INPUT_SHARE = 15
# A claim of which more is other words than its quote is no copy with a fault.
_MOST_CHANGED = 0.6


class UnitView(NamedTuple):
    """A finding and its places on the page: its own `key`, that of its `mark` in the output, and those `quoted`.

    `anchors` are the keys of all quotes that stand in a text of the page.
    """

    finding: Finding
    key: str
    mark: str
    quoted: Sequence[str]
    anchors: Mapping[tuple[str, Span], str]


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


@dataclass(frozen=True, slots=True)
class RecordView:
    """`texts` are the output and the sources by id, `inputs` the other texts with their labels.

    `notices` are pairs of a notice and the key of its mark.
    """

    card: Scorecard
    key: str
    texts: Mapping[str, Sequence[TextPiece]]
    inputs: Sequence[tuple[str, Sequence[TextPiece]]]
    groups: Sequence[UnitGroup] = ()
    notices: Sequence[tuple[Notice, str]] = ()

    @property
    def name(self) -> str:
        return name_record(self.card.record)

    @property
    def output_label(self) -> str:
        return name_texts(self.card)[OUTPUT]

    @property
    def placements(self) -> list[Placement]:
        """Where the output stood among others that were judged in the same calls; none if it was judged alone."""
        voices = (voice.outcome for voices in self.card.voices.values() for voice in voices)
        found = {outcome.trail.placement for outcome in (*self.card.outcomes.values(), *voices)}
        return sorted((each for each in found if each is not None), key=lambda each: (each.round, each.block))

    @property
    def claims(self) -> list[UnitGroup]:
        return [group for group in self.groups if group.kind == "claim"]

    @property
    def bank(self) -> list[UnitGroup]:
        return [group for group in self.groups if group.kind != "claim"]


@dataclass(slots=True)
class _Marks:
    """Collects the marks of one record's texts; keys are numbered, never taken from data."""

    prefix: str
    names: Mapping[str, str]
    by_text: dict[str, list[TextMark]] = field(default_factory=dict)
    quotes: dict[tuple[str, Span], str] = field(default_factory=dict)
    count: int = 0

    def begin_output(self) -> None:
        """Marks that follow are in another output of the same sources; those in the sources stay."""
        self.by_text[OUTPUT] = []
        self.quotes = {place: key for place, key in self.quotes.items() if place[0] != OUTPUT}

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

    def add_words(self, span: Span | None, fault: str = "") -> str:
        """Words of the output, where they are there; their key, or nothing."""
        if span is None:
            return ""
        key = self.new_key()
        self.add(OUTPUT, TextMark(key, span, fault=fault))
        return key


def build_record_view(card: Scorecard, key: str = "r1") -> RecordView:
    """`key` begins every id of the record's elements: two records on one page need two."""
    (view,) = build_record_views({key: card})
    return view


def build_record_views(cards: Mapping[str, Scorecard]) -> list[RecordView]:
    """Records of the same sources, by their keys. They share the texts of the sources, with what any of them quotes."""
    first, sources = next(iter(cards)), next(iter(cards.values())).record.sources
    marks = _Marks(first, name_texts(cards[first]))
    views = []
    for key, card in cards.items():
        marks.begin_output()
        groups = list(_build_groups(card, marks))
        for outcome in card.outcomes.values():
            for remark in outcome.trail.findings.remarks:
                # What a judge says should not be there.
                marks.add_words(remark.span, "slight")
        notices = [(notice, marks.add_words(notice.span)) for notice in card.notices]
        texts = {OUTPUT: build_text(card.record.output, marks.by_text[OUTPUT], _MOST_CHARACTERS)}
        inputs = build_inputs(card, _MOST_CHARACTERS // _INPUT_SHARE, {"query", "other", "truth"})
        views.append(RecordView(card, key, texts, inputs, groups, notices))
    shown = build_sources(sources, marks.by_text, _MOST_CHARACTERS)
    return [replace(view, texts={**view.texts, **shown}) for view in views]


def build_sources(
    sources: Sequence[Source], marks: Mapping[str, Sequence[TextMark]], most: int
) -> dict[str, Sequence[TextPiece]]:
    """`most` is the number of characters of all of them. Short ones are shown whole; the long share what is left."""
    texts: dict[str, Sequence[TextPiece]] = {}
    room, left = most, len(sources)
    for source in sorted(sources, key=lambda each: len(each.text)):
        allowed = room // left
        texts[source.id] = build_text(source.text, marks.get(source.id, ()), allowed)
        room -= min(len(source.text), allowed)
        left -= 1
    return texts


def build_inputs(card: Scorecard, most: int, roles: Collection[Role]) -> list[tuple[str, Sequence[TextPiece]]]:
    """The query and the other short inputs, with their labels; sources and output stand by themselves."""
    values = [(each.label, card.record.inputs.get(each.name)) for each in card.rubric.inputs if each.role in roles]
    return [
        (label, build_text(str(value), (), most))
        for label, value in values
        if isinstance(value, str | int | float) and str(value).strip()
    ]


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
    quotes = [quote for answer in answers for quote in answer.quotes]
    for quote in quotes:
        marks.add_quote(quote)
    keys = (marks.quotes.get((quote.source, quote.span), "") for quote in quotes)
    quoted = tuple(dict.fromkeys(key for key in keys if key))
    key = marks.new_key()
    if unit.span is None:
        return UnitView(finding, key, "", quoted, marks.quotes)
    mark, note = marks.new_key(), finding.shown.label.note
    title = f"{unit.id}: {finding.said}" + (f" – {clip(note)}" if note else "")
    # Sections cover whole paragraphs of claims: they light up on demand and are not underlined.
    tone = finding.tone if unit.kind == "claim" else None
    marks.add(OUTPUT, TextMark(mark, unit.span, tone, title, quoted, key))
    pieces = dict.fromkeys(piece for answer in answers for piece in answer.label.pieces)
    for piece in pieces:
        marks.add_words(piece.span, piece.severity)
    for source, span in _find_right_words(unit, [piece.span for piece in pieces if piece.span], quotes[:1]):
        marks.add(source, TextMark(marks.new_key(), span, fault="right"))
    return UnitView(finding, key, mark, quoted, marks.quotes)


def _find_right_words(unit: Unit, faults: Sequence[Span], quotes: Sequence[Evidence]) -> Iterator[tuple[str, Span]]:
    """What a quote has in place of the words at fault, where claim and quote are alike enough to tell."""
    for quote in quotes:
        replaced = find_replaced(unit.text, quote.quote)
        changed = sum(own.end - own.start for own, _ in replaced)
        is_exact = len(quote.quote) == quote.span.end - quote.span.start
        if unit.span is None or not is_exact or changed > _MOST_CHANGED * len(unit.text):
            continue
        for own, other in replaced:
            at_fault = own.shifted(unit.span.start)
            if other.end > other.start and any(at_fault.overlaps(fault) for fault in faults):
                yield quote.source, other.shifted(quote.span.start)
