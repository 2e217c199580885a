"""Plans what must be asked about a record: its units, its banks, and one ask per metric that needs a judge."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from assay.domain.ask import Ask, BankAsk, MetricAsk, WholeAsk
from assay.domain.record import Record, Source
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.units import Unit
from assay.runner.eligibility import explain_no_truth
from assay.text.language import identify
from assay.units.claims import cut_claims, cut_sections
from assay.units.passages import Passages, number_record, number_sources


@dataclass(frozen=True, slots=True)
class Cut:
    """A record cut into what judges see and label."""

    record: Record
    passages: Passages
    units: tuple[Unit, ...]
    language: str


@dataclass(frozen=True, slots=True)
class Planned:
    """An ask beside the sentences that its answer may cite."""

    ask: Ask
    passages: Passages


@dataclass(frozen=True, slots=True)
class Unasked:
    """Why a metric needs no call. One that `abstains` is left without a score by it."""

    metric: Metric
    reason: str
    abstains: bool = False


def find_language(text: str) -> str:
    """The language a text is cut by: its own, or English where its letters are too few to tell."""
    return identify(text) or "en"


def cut_record(record: Record, rubric: Rubric) -> Cut:
    """By the language of the output, sources included, whoever is going to look at it."""
    language = find_language(record.output)
    kinds = {part.unit for metric in rubric.metrics for part in metric.label_parts}
    units: tuple[Unit, ...] = ()
    if "claim" in kinds:
        units += cut_claims(record.output, language, cells=rubric.tables_as_cells)
    if "section" in kinds:
        units += cut_sections(record.output, language)
    return Cut(record, number_record(record, language), units, language)


def plan_banks(record: Record, rubric: Rubric, bank: Bank, sample: int = 0) -> list[BankAsk]:
    """One ask per source that has a text, or one for all sources. Banks are shared, so their ids name no metric."""
    return [
        BankAsk(name, rubric, bank, record.id, _renumber(group), sample) for name, group in group_sources(record, bank)
    ]


def group_sources(record: Record, bank: Bank) -> list[tuple[str, tuple[Source, ...]]]:
    """The sources each ask of a bank is about, under the ask's name."""
    sources = tuple(source for source in record.sources if source.text.strip())
    if bank.each_source:
        return [(f"{bank.id}.{source.id}", (source,)) for source in sources]
    return [(bank.id, sources)] if sources else []


def _renumber(sources: Sequence[Source]) -> tuple[Source, ...]:
    """A bank is shared by its texts alone, so the ids in it must not hang on the record it was first written for."""
    names = [f"s{position}" for position in range(1, len(sources) + 1)]
    if names == [source.id for source in sources]:
        return tuple(sources)
    return tuple(replace(source, id=name) for source, name in zip(sources, names, strict=True))


def number_bank(ask: BankAsk) -> Passages:
    """By the language of the sources, so that every record that shares a bank finds the same sentences in it."""
    return number_sources(ask.sources, find_language(" ".join(source.text[:2000] for source in ask.sources)[:5000]))


def needs_judge(metric: Metric) -> bool:
    """A metric without parts is answered by code alone."""
    return bool(metric.parts)


def plan_metric(cut: Cut, rubric: Rubric, metric: Metric, banked: Sequence[Unit], sample: int = 0) -> MetricAsk:
    kinds = {part.unit for part in metric.label_parts}
    if any(part.over == "claims" for part in metric.pick_parts):
        kinds.add("claim")
    units = tuple(unit for unit in (*cut.units, *banked) if unit.kind in kinds)
    return MetricAsk(metric.id, rubric, metric, cut.record, units, sample)


def explain_unasked(ask: MetricAsk) -> Unasked | None:
    """None where the judge is really asked."""
    if not needs_judge(ask.metric):
        return Unasked(ask.metric, "answered by code, no call")
    if ask.metric.label_parts and not ask.units:
        return Unasked(ask.metric, "not asked, there is nothing to label")
    reason = explain_no_truth(ask.record, ask.metric)
    return None if reason is None else Unasked(ask.metric, reason, abstains=True)


def plan_whole(cut: Cut, rubric: Rubric, sample: int = 0) -> Planned:
    return Planned(WholeAsk(rubric.id, rubric, cut.record, sample), cut.passages)


def plan_record(
    record: Record, rubric: Rubric, banked: Callable[[Metric], Sequence[Unit]], *, joint: bool
) -> Iterator[Planned | Unasked]:
    """The first asks of a walk in their order, for who only looks: `banked` stands for what the banks will hold."""
    cut = cut_record(record, rubric)
    if joint:
        yield plan_whole(cut, rubric)
        return
    for bank in rubric.banks:
        yield from (Planned(ask, number_bank(ask)) for ask in plan_banks(record, rubric, bank))
    for metric in rubric.metrics:
        ask = plan_metric(cut, rubric, metric, banked(metric))
        yield explain_unasked(ask) or Planned(ask, cut.passages)
