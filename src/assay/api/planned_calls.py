"""The calls about a record, with their prompts, before any is sent."""

from collections.abc import Iterator
from dataclasses import dataclass

from assay.domain.ask import MetricAsk
from assay.domain.record import Record
from assay.domain.rubric import Bank, Rubric
from assay.domain.units import NAMES, Unit
from assay.files.banks import digest_sources
from assay.judges.own_prompt import OwnPrompt, build_own_messages, count_reply_tokens
from assay.judges.prompted.judge import ALL
from assay.judges.prompted.prompt import Prompt, build_bank_prompt, build_metrics_prompt
from assay.packs import find_hooks
from assay.runner.empty import find_empty
from assay.runner.planning import (
    cut_record,
    explain_unasked,
    group_asks,
    number_bank,
    plan_banks,
    plan_metric,
)


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


def plan_calls(
    record: Record, rubric: Rubric, *, joint: bool = False, own_prompt: OwnPrompt | None = None
) -> Iterator[PlannedCall | NoCall]:
    """The first calls about a record, in order.

    Units that an earlier reply will bring stand as one, marked.
    """
    if find_empty(record, rubric) is not None:
        yield NoCall(f"record {record.id}", "nothing would be asked: a required input is blank or holds no words")
        return
    if own_prompt is not None:
        yield PlannedCall(
            rubric.id, Prompt(build_own_messages(own_prompt, record), {}, {}, count_reply_tokens(rubric, record))
        )
        return
    yield from plan_bank_calls(record, rubric)
    cut = cut_record(record, rubric)
    facts = find_hooks(rubric).facts(record, {}, rubric)
    marked = [_mark_units(bank) for bank in rubric.banks]
    asks: list[MetricAsk] = []
    for metric in rubric.metrics:
        ask = plan_metric(cut, rubric, metric, marked)
        unasked = explain_unasked(ask, facts)
        if unasked is not None:
            yield NoCall(metric.id, f"not asked: {unasked.reason}" if unasked.abstains else unasked.reason)
        else:
            asks.append(ask)
    for group in group_asks(asks, joint=joint):
        name = group[0].id if len(group) == 1 else ALL
        yield PlannedCall(name, build_metrics_prompt(group, cut.passages))


def plan_bank_calls(record: Record, rubric: Rubric) -> Iterator[PlannedCall]:
    for bank in rubric.banks:
        for ask in plan_banks(record, rubric, bank):
            key = (bank.id, digest_sources(ask.sources, ask.query))
            yield PlannedCall(ask.id, build_bank_prompt(ask, number_bank(ask)), key)


def _mark_units(bank: Bank) -> Unit:
    return Unit("", bank.unit, f"‹each {NAMES[bank.unit][0]} from the reply to {bank.id}›").numbered(1)
