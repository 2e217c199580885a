"""Plans what is asked about a record: its units, its banks, and one ask per metric that needs a judge."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.domain.ask import BankAsk, MetricAsk
from assay.domain.findings import Fact, Label
from assay.domain.record import Record, Source
from assay.domain.rubric import QUERY, Bank, Metric, Rubric
from assay.domain.units import Unit
from assay.packs import Hooks
from assay.runner.deadline import Deadline
from assay.runner.suspicions import Suspect, find_nothing
from assay.text.language import identify
from assay.units.banks import group_sources
from assay.units.claims import cut_claims, cut_sections
from assay.units.passages import Passages, number_record, number_sources


@dataclass(frozen=True, slots=True)
class Case:
    """One record as it is judged: cut into what judges see and label, with all that its answers are held to.

    `facts` are what code worked out about the record, `proven` labels that code has proved, by metric; `suspect` says
    what code noticed against an answer. `repeats` where others of the run are made from the same sources.
    """

    record: Record
    rubric: Rubric
    passages: Passages
    units: tuple[Unit, ...]
    repeats: bool = False
    facts: Mapping[str, Fact] = field(default_factory=dict)
    proven: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)
    suspect: Suspect = find_nothing
    deadline: Deadline | None = None


@dataclass(frozen=True, slots=True)
class Unasked:
    """Why a metric needs no call. One that `abstains` is left without a score by it."""

    reason: str
    abstains: bool = False


def find_language(text: str) -> str:
    """The language a text is cut by: its own, or English where its letters are too few to tell."""
    return identify(text) or "en"


def cut_record(record: Record, rubric: Rubric, *, repeats: bool = False) -> Case:
    """Cuts output and sources by the language of the output, whichever judge is going to look at it."""
    language = find_language(record.output)
    kinds = {part.unit for metric in rubric.metrics for part in metric.label_parts}
    units: tuple[Unit, ...] = ()
    if "claim" in kinds:
        units += cut_claims(record.output, language, cells=rubric.tables_as_cells)
    if "section" in kinds:
        units += cut_sections(record.output, language)
    return Case(record, rubric, number_record(record, language), units, repeats)


def plan_banks(record: Record, rubric: Rubric, bank: Bank) -> list[BankAsk]:
    """One ask per source that has a text, or one for all sources. Banks are shared, so their ids name no metric."""
    query = record.query if bank.for_query else None
    # Whether the metrics of the record are shown exactly this material too.
    context = any(record.text(each.name).strip() for each in rubric.inputs if each.role == "context")
    repeats = not (bank.each_source or context or query != record.query)
    return [
        BankAsk(name, rubric, bank, record.id, _renumber(group), query, repeats=repeats)
        for name, group in group_sources(record, bank)
    ]


def _renumber(sources: Sequence[Source]) -> tuple[Source, ...]:
    """A bank is shared by its texts alone, so its ids must not depend on the record it was first written for."""
    return tuple(replace(source, id=f"s{position}") for position, source in enumerate(sources, 1))


def number_bank(ask: BankAsk) -> Passages:
    """By the language of the sources, so that every record that shares a bank finds the same sentences in it."""
    return number_sources(ask.sources, find_language(" ".join(source.text[:2000] for source in ask.sources)[:5000]))


def plan_metric(case: Case, rubric: Rubric, metric: Metric, banked: Sequence[Unit], sample: int = 0) -> MetricAsk:
    kinds = {part.unit for part in metric.label_parts}
    if any(part.over == "claims" for part in metric.pick_parts):
        kinds.add("claim")
    units = tuple(unit for unit in (*case.units, *banked) if unit.kind in kinds)
    return MetricAsk(metric.id, rubric, metric, case.record, units, sample)


def prove_claims(case: Case, hooks: Hooks) -> dict[str, tuple[Label, ...]]:
    """The labels of claims that code can prove, of those that each metric knows."""
    claims = [unit for unit in case.units if unit.kind == "claim"]
    proven = hooks.labels(case.record, claims) if claims else ()
    return {
        metric.id: tuple(label for label in proven if label.label in {option.name for option in part.options})
        for metric in case.rubric.metrics
        if (part := metric.labels("claim")) is not None
    }


def explain_unasked(ask: MetricAsk, facts: Mapping[str, Fact]) -> Unasked | None:
    """None where the judge is really asked."""
    if not ask.metric.parts:
        return Unasked("answered by code, no call")
    needed = explain_need(ask.metric, facts, ask.record)
    if needed is not None:
        return Unasked(needed, abstains=True)
    return Unasked("there is nothing to label") if ask.metric.label_parts and not ask.units else None


def explain_need(metric: Metric, facts: Mapping[str, Fact], record: Record) -> str | None:
    """Why a metric abstains unanswered: the query, fact or input that it needs is not there. None if nothing lacks."""
    if metric.needs == QUERY:
        return None if record.query and record.query.strip() else "no query was given"
    fact = facts.get(metric.needs or "")
    is_known = record.text(metric.needs or "").strip() if fact is None else fact.value is not None
    if metric.needs is None or is_known:
        return None
    name = metric.needs.replace("_", " ")
    return f"the record has no {name}" if fact is None else fact.words or f"{name} is not known"


def group_asks(asks: Sequence[MetricAsk], *, joint: bool, repeats: bool = False) -> Iterator[tuple[MetricAsk, ...]]:
    """One group per call. A metric that shows what the others must not see is asked apart."""
    together = tuple(ask for ask in asks if joint and not ask.metric.shows)
    groups = [together] if together else []
    groups += [(ask,) for ask in asks if ask not in together]
    repeats = repeats or len(groups) > 1
    yield from (tuple(replace(ask, repeats=repeats) for ask in group) for group in groups)
