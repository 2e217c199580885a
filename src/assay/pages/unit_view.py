"""Units with their labels as people read them: what was said of each, and where the evidence stands."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from assay.domain.findings import Evidence, Label
from assay.domain.outcome import Outcome
from assay.domain.rubric import Metric
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.span import Span
from assay.domain.units import NAMES, Unit, UnitKind, count_units
from assay.pages.excerpts import clip, clip_name
from assay.pages.naming import name_texts
from assay.pages.text_view import Mark
from assay.pages.tones import Tone, tone_of
from assay.units.passages import OUTPUT

# Sections lie over claims, and a question left open is no fault by itself.
_CONTEXT = {"section", "question"}


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """`key` is that of the quote's mark, empty where the quote stands in no text of the page."""

    where: str
    quote: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class UnitView:
    key: str
    kind: UnitKind
    name: str
    text: str
    place: str
    label: str
    tone: Tone
    qualifier: str
    note: str
    by_code: bool
    evidence: tuple[EvidenceView, ...]
    looked_in: tuple[str, ...]
    origins: tuple[str, ...]
    mark: str = ""

    @property
    def shows(self) -> str:
        keys = [self.mark] if self.mark else []
        return " ".join(dict.fromkeys(keys + [each.key for each in self.evidence if each.key]))

    @property
    def said(self) -> str:
        return _say_label(self.label, self.qualifier)

    @property
    def said_alone(self) -> str:
        """For lists of several kinds: what is no claim says what it is."""
        return self.said if self.kind == "claim" else f"{NAMES[self.kind][0]}: {self.said}"


@dataclass(frozen=True, slots=True)
class UnitGroup:
    """The units of one kind under one metric: those that need a look, the gravest first, and those that held."""

    kind: UnitKind
    metric: str
    doubtful: tuple[UnitView, ...]
    held: tuple[UnitView, ...]
    counts: tuple[tuple[Tone, str, int], ...]
    unlisted: int = 0

    @property
    def title(self) -> str:
        return NAMES[self.kind][1].capitalize()

    @property
    def total(self) -> int:
        return sum(count for _, _, count in self.counts)

    @property
    def said(self) -> str:
        return count_units(self.kind, self.total)


@dataclass(slots=True)
class Margin:
    """Collects the marks of one record's texts while its units are read; keys are numbered, never taken from data."""

    prefix: str
    names: Mapping[str, str]
    marks: dict[str, list[Mark]] = field(default_factory=dict)
    quotes: dict[tuple[str, Span], str] = field(default_factory=dict)
    count: int = 0

    def new_key(self) -> str:
        self.count += 1
        return f"{self.prefix}-{self.count}"

    def add(self, source: str, mark: Mark) -> None:
        self.marks.setdefault(source, []).append(mark)

    def quote(self, evidence: Evidence) -> EvidenceView:
        """One mark for one stretch, however many units quote it."""
        name = self.names.get(evidence.source)
        if name is None:
            return EvidenceView(clip_name(evidence.source), clip(evidence.quote))
        place = (evidence.source, evidence.span)
        if place not in self.quotes:
            self.quotes[place] = self.new_key()
            self.add(evidence.source, Mark(self.quotes[place], evidence.span))
        return EvidenceView(name, clip(evidence.quote), self.quotes[place])

    def notice(self, notice: Notice) -> str:
        if notice.span is None:
            return ""
        key = self.new_key()
        self.add(OUTPUT, Mark(key, notice.span))
        return key


def build_groups(card: Scorecard, margin: Margin, most: int) -> Iterator[UnitGroup]:
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        kinds = dict.fromkeys(unit.kind for unit in outcome.trail.units)
        for kind in kinds:
            views = list(_build_units(outcome, metric, kind, margin))
            if views:
                yield _group(kind, metric, views, most)


def list_doubts(card: Scorecard, most: int) -> list[UnitView]:
    """What is wrong with a text, the gravest first: claims that did not hold, then points that are left out."""
    groups = build_groups(card, Margin("", name_texts(card)), most)
    found = [view for group in groups if group.kind not in _CONTEXT for view in group.doubtful]
    ranked = sorted(found, key=lambda view: (view.tone.gravity, view.kind != "claim"))
    return list({(view.said, view.text): view for view in ranked}.values())[:most]


def _group(kind: UnitKind, metric: Metric, views: list[UnitView], most: int) -> UnitGroup:
    counts: dict[tuple[Tone, str], int] = {}
    for view in views:
        counts[view.tone, view.label] = counts.get((view.tone, view.label), 0) + 1
    doubtful = sorted((view for view in views if view.tone.gravity < 4), key=lambda view: view.tone.gravity)
    held = [view for view in views if view.tone.gravity >= 4]
    shown = doubtful[:most]
    kept = held[: most - len(shown)]
    said = [(tone, label.replace("_", " "), count) for (tone, label), count in counts.items()]
    said.sort(key=lambda each: each[0].gravity)
    unlisted = len(views) - len(shown) - len(kept)
    return UnitGroup(kind, metric.name, tuple(shown), tuple(kept), tuple(said), unlisted)


def _say_label(label: str, qualifier: str | None) -> str:
    return ", ".join(word.replace("_", " ") for word in (label, qualifier) if word)


def _build_units(outcome: Outcome, metric: Metric, kind: UnitKind, margin: Margin) -> Iterator[UnitView]:
    units = {unit.id: unit for unit in outcome.trail.units if unit.kind == kind}
    part = metric.labels(kind)
    for label in outcome.trail.findings.labels:
        unit = units.get(label.unit)
        if unit is not None:
            yield _build_unit(unit, label, tone_of(label, part), margin)


def _build_unit(unit: Unit, label: Label, tone: Tone, margin: Margin) -> UnitView:
    evidence = tuple(margin.quote(each) for each in label.evidence)
    key, mark, note = margin.new_key(), "", clip(label.note)
    if unit.span is not None:
        mark = margin.new_key()
        shows = tuple(dict.fromkeys(each.key for each in evidence if each.key))
        title = f"{unit.id}: {_say_label(label.label, label.qualifier)}" + (f" – {note}" if note else "")
        # Sections lie over whole paragraphs of claims: they are lit when asked for, and not underlined.
        margin.add(OUTPUT, Mark(mark, unit.span, tone if unit.kind == "claim" else None, title, shows, key))
    return UnitView(
        key=key,
        kind=unit.kind,
        name=unit.id,
        text=clip(unit.text),
        place=clip_name(unit.context),
        label=label.label,
        tone=tone,
        qualifier=label.qualifier or "",
        note=note,
        by_code=label.by == "code",
        evidence=evidence,
        looked_in=tuple(margin.names.get(name, name) for name in label.looked_in),
        origins=tuple(margin.names.get(name, name) for name in unit.sources),
        mark=mark,
    )
