"""The prompts and the number of calls of a run, before any call."""

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from assay.api.judges import open_screen
from assay.api.opening import OpenRun
from assay.api.request import RunRequest
from assay.domain.ask import BankAsk, MetricAsk
from assay.domain.defences import DEFENDED, Defences
from assay.domain.findings import Label
from assay.domain.record import Record
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.units import NAMES, Unit
from assay.engine.budget import Forecast, Load, build_forecast
from assay.engine.costs import Price, read_prices, render_share
from assay.engine.prefixes import PrefixForecast
from assay.files.banks import digest_sources
from assay.files.records import InvalidRecord
from assay.judges.own_prompt import OwnPrompt, build_own_messages, count_reply_tokens, open_own_prompt
from assay.judges.prompted.judge import ALL
from assay.judges.prompted.prompt import Prompt, build_bank_prompt, build_metrics_prompt
from assay.models.catalogue import Target, find_target, split_address
from assay.models.providers import read_providers
from assay.packs import find_hooks
from assay.runner.banks import BankStore
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

# So many records stand for all of them in a forecast.
_SAMPLE = 10


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
        yield PlannedCall(
            rubric.id, Prompt(build_own_messages(own_prompt, record), {}, {}, count_reply_tokens(rubric, record))
        )
        return
    cut = cut_record(record, rubric)
    for bank in rubric.banks:
        yield from (_plan_bank(ask, defences) for ask in plan_banks(record, rubric, bank))
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


def build_settle(request: RunRequest) -> Settle | None:
    """What the run's screen settles; None where everything is asked."""
    screen = open_screen(request)
    if screen is None or screen.verifies:
        return None
    return lambda ask, passages, proven: asyncio.run(screen.settle(ask, passages, proven))


def _plan_bank(ask: BankAsk, defences: Defences) -> PlannedCall:
    prompt = build_bank_prompt(ask, number_bank(ask), defences)
    return PlannedCall(ask.id, prompt, (ask.bank.id, digest_sources(ask.sources)))


def _mark_units(bank: Bank) -> Unit:
    return Unit("", bank.unit, f"‹each {NAMES[bank.unit][0]} from the reply to {bank.id}›").numbered(1)


def format_dry_run(
    records: Iterable[Record | InvalidRecord], rubric: Rubric, request: RunRequest, banks: BankStore | None
) -> Iterator[str]:
    """Where each model is asked, the prompts of the first record, the calls of all records, and what models cost.

    A bank that is stored, or asked for by an earlier record, is not asked again. Every model and sample asks about the
    metrics; where no judge is a model, the calls are those that one would make.
    """
    own_prompt = None if request.prompt is None else open_own_prompt(request.prompt, request.slots, rubric)
    settle = build_settle(request)
    models = _list_models(request)
    providers = read_providers(None if request.providers is None else Path(request.providers))
    targets = {name: find_target(name, request.base_url, os.environ, providers) for name in models}
    for target in targets.values():
        yield f"{target.describe()}\n"
    # The first model writes the banks.
    loads = {name: (Load(), PrefixForecast()) for name in models or [""]}
    judged = invalid = words = 0
    asked: set[tuple[str, str]] = set()
    for record in records:
        if isinstance(record, InvalidRecord):
            invalid += 1
            continue
        planned = list(
            plan_calls(
                record, rubric, joint=request.joint, defences=request.defences, own_prompt=own_prompt, settle=settle
            )
        )
        judged += 1
        words += sum(len(source.text.split()) for source in record.sources) + len(record.output.split())
        for call in planned:
            if judged == 1:
                yield _format_call(call)
            if isinstance(call, NoCall) or call.bank in asked:
                continue
            asking = list(loads.values())
            if call.bank is not None:
                asked.add(call.bank)
                asking = asking[:1] if banks is None or banks.get(rubric.id, *call.bank) is None else []
            prompt, times = call.prompt, request.samples if call.bank is None else 1
            for load, prefixes in asking:
                load.add(prompt.messages, prompt.max_tokens, times)
                if prompt.shared is not None:
                    prefixes.add(prompt.messages, prompt.shared, prompt.whole_schema, times)
    calls = sum(load.calls for load, _ in loads.values())
    left_out = f" and {invalid} that can't be judged" if invalid else ""
    said = f"{_count(judged, 'record')}{left_out}, {_count(words, 'word')}, {_count(calls, 'call')}"
    note = "" if models else ", if a language model were the judge"
    yield f"{said} without re-asks{note}. Nothing was sent."
    prices = read_prices(None if request.prices is None else Path(request.prices))
    for name, target in targets.items():
        yield _format_cost(target, prices.get(split_address(name)[0]), *loads[name])


def _format_cost(target: Target, price: Price | None, load: Load, prefixes: PrefixForecast) -> str:
    """Tokens and dollars of a model, as if every call were sent, in batches, and with what its provider would cache."""
    settings = target.provider.for_model(target.model)
    name = f"{settings.name}:{target.model}"
    line = load.forecast(name, price).render()
    is_own = target.base_url == settings.base_url
    if price is None:
        return line
    if settings.batch != "none" and is_own:
        line += f" In batches: {load.forecast(name, price.in_batch).render_cost()}."
    if settings.caching == "none" or not is_own:
        return line
    read, written = prefixes.count_tokens(settings.cache_min_tokens, counts_schema=settings.shares_schema)
    cached = replace(load, cached=read, written=written if settings.caching == "marked" else 0)
    share = f"{render_share(read, load.prompt)} of the prompts"
    return f"{line} With prompt caching ({share}): {cached.forecast(name, price).render_cost()}."


def _list_models(request: RunRequest) -> list[str]:
    """The judges that send calls."""
    return [name for name in request.chat_names if not name.startswith("recorded:")]


def _format_call(call: PlannedCall | NoCall) -> str:
    if isinstance(call, NoCall):
        return f"--- {call.name}: {call.reason}\n"
    messages = call.prompt.messages
    shown = (f"[{message.role}]\n{message.text}" for message in messages)
    size = _count(sum(len(message.text.split()) for message in messages), "word")
    return "\n".join([f"--- {call.name}", *shown, f"({size}, reply at most {call.prompt.max_tokens} tokens)\n"])


def _count(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def forecast_run(run: OpenRun) -> list[Forecast]:
    """Calls, tokens and price for each judge that is a model, from the first records.

    Banks that records share are counted for each.
    """
    work, request = run.work, run.engine.request
    count = (len(work.records) - run.done_before) * request.samples
    sample = [record for record in islice(work.records, _SAMPLE) if isinstance(record, Record)]
    models = _list_models(request)
    if not count or not models:
        return []
    settle = build_settle(request)
    planned = [
        (call.prompt.messages, call.prompt.max_tokens, (count + len(sample) - 1 - place) // len(sample))
        for place, record in enumerate(sample)
        for call in plan_calls(
            record, work.rubric, joint=request.joint, own_prompt=run.engine.own_prompt, settle=settle
        )
        if isinstance(call, PlannedCall)
    ]
    prices = {name: run.engine.prices.get(name) for name in (split_address(each)[0] for each in models)}
    if request.batch:
        prices = {name: price and price.in_batch for name, price in prices.items()}
    return [build_forecast(name, price, planned) for name, price in prices.items()]
