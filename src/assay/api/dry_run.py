"""What a run would send and what that would cost, in words; nothing is sent."""

import os
from collections.abc import Iterator
from pathlib import Path

from assay.api.config import RunConfig
from assay.api.forecast import CountedCalls, count_calls, find_prices, list_models
from assay.api.planned_calls import NoCall, PlannedCall, plan_calls
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.engine.budget import format_calls
from assay.engine.costs import Price, render_share
from assay.files.records import Records
from assay.judges.own_prompt import open_own_prompt
from assay.models.catalogue import Target, find_target
from assay.models.providers import read_providers
from assay.runner.banks import BankStore


def format_dry_run(records: Records, rubric: Rubric, request: RunConfig, banks: BankStore | None) -> Iterator[str]:
    """Where each model is asked, the prompts of the first record, the calls of all records, and what models cost."""
    own_prompt = None if request.prompt is None else open_own_prompt(request.prompt, request.slots, rubric)
    prices = find_prices(request, list_models(request))
    providers = read_providers(None if request.providers is None else Path(request.providers))
    targets = {name: find_target(name, request.base_url, os.environ, providers) for name in prices}
    for target in targets.values():
        yield f"{target.describe()}\n"
    first = next((record for record in records if isinstance(record, Record)), None)
    if first is not None:
        yield from map(_format_call, plan_calls(first, rubric, joint=request.joint, own_prompt=own_prompt))
    found = count_calls(records, rubric, request, banks, own_prompt)
    low, high = _sum_calls(found)
    left_out = f" and {found.invalid} that can't be judged" if found.invalid else ""
    note = "" if targets else ", if a language model were the judge"
    said = f"{_count(found.judged, 'record')}{left_out}, {_count(found.words, 'word')}"
    yield f"{said}, {format_calls(low, high, is_rough=found.is_rough)}{note}. Nothing was sent."
    for name, target in targets.items():
        yield _format_cost(found, name, target, prices[name], in_batch=request.batch)


def _sum_calls(found: CountedCalls) -> tuple[int, int]:
    forecasts = [found.forecast(name, None) for name in found.models]
    return sum(each.low.calls for each in forecasts), sum(each.high.calls for each in forecasts)


def _format_cost(found: CountedCalls, name: str, target: Target, price: Price | None, *, in_batch: bool) -> str:
    """Tokens and dollars of a model, as if every call were sent, in batches, and with what its provider would cache."""
    settings = target.provider.for_model(target.model)
    line = found.forecast(name, price).render()
    is_own = target.base_url == settings.base_url
    if price is None or in_batch or not is_own:
        return line
    if settings.batch != "none":
        line += f" In batches: {found.forecast(name, price.in_batch).render_cost()}."
    if settings.caching == "none":
        return line
    calls = found.models[name]
    read, written = calls.prefixes.count_tokens(settings.cache_min_tokens, counts_schema=settings.shares_schema)
    share = f"{render_share(read, calls.metrics.prompt + calls.banks.prompt)} of the prompts"
    cached = (read, written if settings.caching == "marked" else 0)
    return f"{line} With prompt caching ({share}): {found.forecast(name, price, cached).render_cost()}."


def _format_call(call: PlannedCall | NoCall) -> str:
    if isinstance(call, NoCall):
        return f"--- {call.name}: {call.reason}\n"
    messages = call.prompt.messages
    shown = (f"[{message.role}]\n{message.text}" for message in messages)
    size = _count(sum(len(message.text.split()) for message in messages), "word")
    return "\n".join([f"--- {call.name}", *shown, f"({size}, reply at most {call.prompt.max_tokens} tokens)\n"])


def _count(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"
