"""Plans every call about a record: the walk carries the plan out, a dry run and a forecast render it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from assay.domain.ask import BankAsk, Fault, MetricAsk
from assay.domain.findings import Fact, Label
from assay.domain.outcome import Abstention, Failure, Outcome, Trail
from assay.domain.record import Record
from assay.domain.rubric import QUERY, Bank, Metric, Rubric
from assay.domain.units import NAMES, Unit, UnitKind
from assay.errors import TimedOut
from assay.packs import NO_HOOKS, Hooks
from assay.runner.side_by_side import Meeting
from assay.runner.suspicions import Suspect, build_suspect
from assay.text.language import identify
from assay.units.banks import FilledBank, group_sources
from assay.units.claims import cut_claims, cut_sections
from assay.units.given import list_criteria, list_sources
from assay.units.passages import Passages, number_record, number_sources
from assay.units.turns import find_turns, list_turns

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time limit of one record, if it has one: for all its judges and samples, waits and retries included."""

    seconds: float | None = None
    at: float | None = None

    @classmethod
    def begin(cls, seconds: float | None) -> "Deadline":
        return cls(seconds, None if seconds is None else asyncio.get_running_loop().time() + seconds)

    async def hold(self, work: Callable[[], Awaitable[Value]]) -> Value:
        """The work's result, or TimedOut. Past the deadline nothing is begun."""
        scope = asyncio.timeout_at(self.at)
        is_past = self.at is not None and asyncio.get_running_loop().time() >= self.at
        try:
            if not is_past:
                async with scope:
                    return await work()
        except TimeoutError:
            if not scope.expired():
                raise
        raise TimedOut(f"the record was not done in {self.seconds:g} s")


NO_DEADLINE = Deadline()


@dataclass(frozen=True, slots=True)
class Case:
    """One record as it is judged: cut into what judges see and label, with all that its answers are held to.

    `facts` are what code worked out about the record, `proven` labels that code has proved, by metric; `suspect` says
    what code noticed against an answer. `repeats` where others of the run are made from the same sources. In a
    `meeting` its first asks are answered beside those of other outputs.
    """

    record: Record
    rubric: Rubric
    passages: Passages
    units: tuple[Unit, ...]
    facts: Mapping[str, Fact]
    suspect: Suspect
    repeats: bool = False
    proven: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)
    deadline: Deadline = NO_DEADLINE
    meeting: Meeting | None = None


RecordBank: TypeAlias = FilledBank[Unit] | Abstention | Fault
Banks: TypeAlias = Mapping[UnitKind, RecordBank]


@dataclass(frozen=True, slots=True)
class Unasked:
    """A metric, or a record, that needs no call: why, and what is known without one."""

    id: str
    reason: str
    trail: Trail = field(default_factory=Trail)


def plan_metrics(
    case: Case, banks: Banks, *, joint: bool = False, sample: int = 0
) -> tuple[list[tuple[MetricAsk, ...]], list[Unasked]]:
    """The first asks about the metrics, a group for each call, and the metrics that need none.

    What a reply lacks is asked for later.
    """
    banked = [unit for bank in banks.values() if isinstance(bank, FilledBank) for unit in bank.units]
    asks = [plan_metric(case, metric, banked, sample) for metric in case.rubric.metrics]
    unasked = {ask.id: known for ask in asks if (known := _settle(ask, banks, case.facts)) is not None}
    groups = group_asks([ask for ask in asks if ask.id not in unasked], joint=joint, repeats=case.repeats)
    return groups, list(unasked.values())


def cut_record(record: Record, rubric: Rubric, hooks: Hooks = NO_HOOKS, *, repeats: bool = False) -> Case:
    """Cuts output and sources by the language of the output, whichever judge is going to look at it."""
    language = find_language(record.output)
    kinds = {part.unit for metric in rubric.metrics for part in metric.label_parts}
    turns = find_turns(record.output) if rubric.is_conversation else ()
    units: tuple[Unit, ...] = ()
    if "claim" in kinds:
        units += cut_claims(record.output, language, cells=rubric.tables_as_cells, turns=turns)
    if "section" in kinds:
        units += cut_sections(record.output, language, turns=turns)
    if "turn" in kinds:
        units += tuple(list_turns(turns, record.output))
    if "criterion" in kinds:
        units += list_criteria(record, rubric)
    if "source" in kinds:
        units += list_sources(record)
    passages, facts = number_record(record, language), hooks.facts(record, {}, rubric)
    return Case(record, rubric, passages, units, facts, build_suspect(record, facts, passages), repeats)


def find_language(text: str) -> str:
    """The language a text is cut by: its own, or English where its letters are too few to tell."""
    return identify(text) or "en"


def plan_banks(record: Record, rubric: Rubric, bank: Bank) -> list[BankAsk]:
    """One ask per source that has a text, or one for all sources. Banks are shared, so their ids name no metric.

    Nor must the ids of their sources depend on the record that they are first written for: a bank is shared by its
    texts alone.
    """
    query = record.query if bank.for_query and bank.from_sources else None
    # Whether the metrics of the record are shown exactly this material too.
    context = any(record.text(each.name).strip() for each in rubric.inputs if each.role == "context")
    repeats = bank.origin == "all sources together" and not (context or query != record.query)
    asks = []
    for name, group in group_sources(record, bank):
        sources = tuple(replace(source, id=f"s{position}") for position, source in enumerate(group, 1))
        origins = tuple(source.id for source in group) if bank.from_sources else ("",) * len(group)
        asks.append(BankAsk(name, rubric, bank, record.id, sources, query, repeats=repeats, origins=origins))
    return asks


def number_bank(ask: BankAsk) -> Passages:
    """By the language of the sources, so that every record that shares a bank finds the same sentences in it."""
    return number_sources(ask.sources, find_language(" ".join(source.text[:2000] for source in ask.sources)[:5000]))


def plan_metric(case: Case, metric: Metric, banked: Sequence[Unit], sample: int = 0) -> MetricAsk:
    kinds = {part.unit for part in metric.label_parts}
    if any(part.over == "claims" for part in metric.pick_parts):
        kinds.add("claim")
    units = tuple(unit for unit in (*case.units, *banked) if unit.kind in kinds)
    return MetricAsk(metric.id, case.rubric, metric, case.record, units, sample)


def _settle(ask: MetricAsk, banks: Banks, facts: Mapping[str, Fact]) -> Unasked | None:
    """What is known of a metric without asking the judge about it; None where the judge has to be asked."""
    metric = ask.metric
    for part in metric.label_parts:
        bank = banks.get(part.unit)
        if isinstance(bank, Fault):
            words = f"{NAMES[part.unit][1]} could not be generated: {bank.words}"
            return Unasked(ask.id, words, begin_trail(ask, Failure(bank.status, words)))
        if isinstance(bank, Abstention):
            return Unasked(ask.id, bank.reason, begin_trail(ask, bank))
    if not metric.parts:
        return Unasked(ask.id, "answered by code, no call", begin_trail(ask))
    if (needed := explain_need(metric, facts, ask.record)) is not None:
        return Unasked(ask.id, f"not asked: {needed}", begin_trail(ask, Abstention("abstained", needed)))
    if metric.label_parts and not ask.units:
        return Unasked(ask.id, "there is nothing to label", begin_trail(ask))
    return None


def begin_trail(ask: MetricAsk, ended: Outcome | None = None) -> Trail:
    """Nothing but the units to label. Those that are only picked from are no part of the answer."""
    return Trail(tuple(unit for unit in ask.units if ask.metric.labels(unit.kind) is not None), ended=ended)


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


def group_asks(asks: Sequence[MetricAsk], *, joint: bool, repeats: bool = False) -> list[tuple[MetricAsk, ...]]:
    """One group per call. A metric that shows what the others must not see is asked apart."""
    together = tuple(ask for ask in asks if joint and not ask.metric.shows)
    groups = [together] if together else []
    groups += [(ask,) for ask in asks if ask not in together]
    repeats = repeats or len(groups) > 1
    return [tuple(replace(ask, repeats=repeats) for ask in group) for group in groups]


def split_asks(asks: Sequence[MetricAsk], most_units: int | None) -> list[tuple[MetricAsk, ...]]:
    """The calls that a group needs: one, or where it has too many units, one or several for each of its metrics.

    All that a metric asks for beside its labels goes with the first of its calls.
    """
    if most_units is None or sum(len(ask.units) for ask in asks) <= most_units:
        return [tuple(asks)]
    calls: list[tuple[MetricAsk, ...]] = []
    for ask in asks:
        labels = frozenset(part.id for part in ask.metric.label_parts)
        calls.append((replace(ask, units=ask.units[:most_units]),))
        for number, at in enumerate(range(most_units, len(ask.units), most_units), 2):
            wanted = labels & (ask.wanted or labels)
            calls.append((replace(ask, units=ask.units[at : at + most_units], part=number, wanted=wanted),))
    return calls


def prove_claims(case: Case, hooks: Hooks) -> dict[str, tuple[Label, ...]]:
    """The labels of claims that code can prove, of those that each metric knows."""
    claims = [unit for unit in case.units if unit.kind == "claim"]
    proven = hooks.labels(case.record, claims) if claims else ()
    return {
        metric.id: tuple(label for label in proven if label.label in {option.name for option in part.options})
        for metric in case.rubric.metrics
        if (part := metric.labels("claim")) is not None
    }
