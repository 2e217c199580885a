"""One record as people look at it: the output with its claims marked, the sources with the quotes, and every number."""

from collections.abc import Mapping
from dataclasses import dataclass

from assay.checks.citations import number_sources
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.pages.excerpts import clip, clip_name
from assay.pages.links import find_link
from assay.pages.metric_view import MetricView, build_metric
from assay.pages.naming import name_record, name_texts, title_source
from assay.pages.text_view import TextView, build_text
from assay.pages.unit_view import Margin, UnitGroup, build_groups
from assay.report.doubts import say_doubts
from assay.report.tainting import TAINTS
from assay.report.wording import find_relevant
from assay.units.passages import OUTPUT


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of one record a page holds. What is left out is said in its place."""

    output_characters: int = 60_000
    source_characters: int = 60_000
    input_characters: int = 4_000
    units: int = 400


@dataclass(frozen=True, slots=True)
class SourceView:
    """`link` only where the address may be followed; `address` is what the record says, to be shown as text."""

    key: str
    number: int
    title: str
    address: str
    link: str | None
    text: TextView
    quotes: int
    is_relevant: bool


@dataclass(frozen=True, slots=True)
class InputView:
    label: str
    text: TextView


@dataclass(frozen=True, slots=True)
class NoticeView:
    check: str
    note: str
    key: str


@dataclass(frozen=True, slots=True)
class RecordView:
    key: str
    id: str
    system: str | None
    name: str
    item: str
    judge: str
    facets: tuple[tuple[str, str], ...]
    output_label: str
    output: TextView
    inputs: tuple[InputView, ...]
    sources: tuple[SourceView, ...]
    metrics: tuple[MetricView, ...]
    claims: tuple[UnitGroup, ...]
    bank: tuple[UnitGroup, ...]
    notices: tuple[NoticeView, ...]
    facts: tuple[tuple[str, str], ...]
    doubts: tuple[str, ...]
    total_goodness: float | None
    scored: int
    asked: int
    notice: str | None

    @property
    def is_tainted(self) -> bool:
        """Whether its texts may have spoken to the judge; its scores stand as they were judged."""
        return any(flag in TAINTS for metric in self.metrics for flag in metric.flags)


def build_record_view(card: Scorecard, key: str = "r1", limits: Limits | None = None) -> RecordView:
    """`key` begins every id of the record's elements: two records on one page need two."""
    limits = limits or Limits()
    record, rubric = card.record, card.rubric
    numbers = number_sources(record)
    names = name_texts(card)
    margin = Margin(key, names)
    groups = list(build_groups(card, margin, limits.units))
    notices = tuple(NoticeView(each.check, clip(each.note), margin.notice(each)) for each in card.notices)
    return RecordView(
        key=key,
        id=clip_name(record.id),
        system=None if record.system is None else clip_name(record.system),
        name=name_record(record),
        item=record.item,
        judge=card.judge,
        facets=tuple((clip_name(name), clip_name(value)) for name, value in record.facets.items()),
        output_label=names[OUTPUT],
        output=build_text(record.output, margin.marks.get(OUTPUT, ()), limits.output_characters),
        inputs=tuple(_build_inputs(record, rubric, limits)),
        sources=_build_sources(card, margin, numbers, limits),
        metrics=tuple(build_metric(card, metric) for metric in rubric.metrics),
        claims=tuple(group for group in groups if group.kind == "claim"),
        bank=tuple(group for group in groups if group.kind != "claim"),
        notices=notices,
        facts=tuple((name.replace("_", " "), value.replace("_", " ")) for name, value in card.facts.items()),
        doubts=tuple(say_doubts(card)),
        total_goodness=None if card.total.goodness is None else float(card.total.goodness),
        scored=card.total.scored,
        asked=card.total.asked,
        notice=rubric.notice,
    )


def _build_sources(
    card: Scorecard, margin: Margin, numbers: Mapping[str, int], limits: Limits
) -> tuple[SourceView, ...]:
    """Short sources are shown whole; what they leave of the room is shared by the long ones."""
    relevant = {source.id for source in find_relevant(card) or ()}
    room, left = limits.source_characters, len(card.record.sources)
    allowed: dict[str, int] = {}
    for source in sorted(card.record.sources, key=lambda each: len(each.text)):
        allowed[source.id] = room // left
        room -= min(len(source.text), allowed[source.id])
        left -= 1
    return tuple(
        SourceView(
            key=margin.new_key(),
            number=numbers[source.id],
            title=title_source(source, card.rubric),
            address=clip_name(source.url or ""),
            link=find_link(source.url),
            text=build_text(source.text, margin.marks.get(source.id, ()), allowed[source.id]),
            quotes=len(margin.marks.get(source.id, ())),
            is_relevant=source.id in relevant,
        )
        for source in card.record.sources
    )


def _build_inputs(record: Record, rubric: Rubric, limits: Limits) -> list[InputView]:
    """What was asked, and what else a reader needs to judge the judge; sources and the output stand by themselves."""
    shown = []
    for each in rubric.inputs:
        value = record.inputs.get(each.name)
        if each.role in {"query", "other", "truth"} and isinstance(value, str | int | float) and str(value).strip():
            shown.append(InputView(each.label, build_text(str(value), (), limits.input_characters)))
    return shown
