"""The calls about a record, with their prompts, before any is sent."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assay.api.judges import open_screen
from assay.api.request import RunRequest
from assay.domain.ask import MetricAsk
from assay.domain.defences import DEFENDED, Defences
from assay.domain.findings import Label
from assay.domain.record import Record
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.units import NAMES, Unit
from assay.files.banks import digest_sources
from assay.judges.own_prompt import REPLY_TOKENS, OwnPrompt, build_own_messages
from assay.judges.prompted.judge import ALL
from assay.judges.prompted.prompt import Prompt, build_bank_prompt, build_metrics_prompt
from assay.packs import find_hooks
from assay.runner.empty import find_empty
from assay.runner.planning import (
    cut_record,
    drop_settled,
    explain_unasked,
    group_asks,
    number_bank,
    plan_banks,
    plan_metric,
    prove_claims,
)
from assay.units.passages import Passages

Settle = Callable[[MetricAsk, Passages, Sequence[Label]], Sequence[Label]]


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call by the name of its ask, with its prompt. A bank is identified, so that it is counted once."""

    name: str
    prompt: Prompt
    bank: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class NoCall:
    name: str
    reason: str


def plan_calls(  # noqa: PLR0913  # each is an option of the run, or what is known of the record
    record: Record,
    rubric: Rubric,
    *,
    joint: bool = False,
    defences: Defences = DEFENDED,
    banked: Callable[[Metric], Sequence[Unit]] | None = None,
    own_prompt: OwnPrompt | None = None,
    settle: Settle | None = None,
) -> Iterator[PlannedCall | NoCall]:
    """The first calls about a record, in order.

    Units that an earlier reply will bring stand as one, marked, unless `banked` knows them. `settle` says which units
    are settled before the judge is asked.
    """
    if find_empty(record, rubric) is not None:
        yield NoCall(f"record {record.id}", "nothing would be asked: a required input is blank or holds no words")
        return
    if own_prompt is not None:
        yield PlannedCall(rubric.id, Prompt(build_own_messages(own_prompt, record), {}, {}, REPLY_TOKENS))
        return
    yield from plan_bank_calls(record, rubric, defences)
    cut = cut_record(record, rubric)
    hooks = find_hooks(rubric)
    facts = hooks.facts(record, {}, rubric)
    proven = prove_claims(cut, rubric, hooks) if settle is not None else {}
    marked = [_mark_units(bank) for bank in rubric.banks]
    asks: list[MetricAsk] = []
    for metric in rubric.metrics:
        ask = plan_metric(cut, rubric, metric, marked if banked is None else banked(metric))
        unasked = explain_unasked(ask, facts)
        if unasked is not None:
            yield NoCall(metric.id, f"not asked: {unasked.reason}" if unasked.abstains else unasked.reason)
            continue
        labels = settle(ask, cut.passages, proven.get(ask.id, ())) if settle is not None else ()
        left = drop_settled(ask, labels)
        if left is None:
            yield NoCall(metric.id, "settled before the judge is asked, no call")
        else:
            asks.append(left)
    for group in group_asks(asks, joint=joint):
        name = group[0].id if len(group) == 1 else ALL
        yield PlannedCall(name, build_metrics_prompt(group, cut.passages, defences=defences))


def build_planner(
    rubric: Rubric, request: RunRequest, own_prompt: OwnPrompt | None
) -> Callable[[Record], Iterator[PlannedCall | NoCall]]:
    """`plan_calls` with the options of a run."""
    joint, defences, settle = request.joint, request.defences, build_settle(request)

    def plan(record: Record) -> Iterator[PlannedCall | NoCall]:
        return plan_calls(record, rubric, joint=joint, defences=defences, own_prompt=own_prompt, settle=settle)

    return plan


def build_settle(request: RunRequest) -> Settle | None:
    """What the run's screen settles; None where everything is asked."""
    screen = open_screen(request)
    if screen is None or screen.verifies:
        return None
    return lambda ask, passages, proven: asyncio.run(screen.settle(ask, passages, proven))


def plan_bank_calls(record: Record, rubric: Rubric, defences: Defences) -> Iterator[PlannedCall]:
    for bank in rubric.banks:
        for ask in plan_banks(record, rubric, bank):
            key = (bank.id, digest_sources(ask.sources, ask.query))
            yield PlannedCall(ask.id, build_bank_prompt(ask, number_bank(ask), defences), key)


def _mark_units(bank: Bank) -> Unit:
    return Unit("", bank.unit, f"‹each {NAMES[bank.unit][0]} from the reply to {bank.id}›").numbered(1)
