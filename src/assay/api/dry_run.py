"""What a run would send and what that would cost, in words; nothing is sent."""

import os
from collections.abc import Iterator
from pathlib import Path

from assay.api.config import RunConfig
from assay.api.forecast import CountedCalls, build_calls, build_shown_calls, count_calls, find_prices, list_models
from assay.domain.ask import BankAsk
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.engine.budget import format_calls
from assay.engine.costs import Price, render_share
from assay.files.records import Records
from assay.judges.own_prompt import OwnPrompt, open_own_prompt
from assay.models.catalogue import Target, find_target
from assay.models.chat import Call
from assay.models.providers import read_providers
from assay.runner.banks import BankStore
from assay.runner.placing import group_records, place_records
from assay.runner.planning import Unasked


def format_dry_run(records: Records, rubric: Rubric, request: RunConfig, banks: BankStore | None) -> Iterator[str]:
    """Where each model is asked, the prompts of the first record, the calls of all records, and what models cost."""
    rubric = rubric.for_side_by_side() if request.side_by_side else rubric
    own_prompt = None if request.prompt is None else open_own_prompt(request.prompt, request.slots, rubric)
    prices = find_prices(request, list_models(request))
    providers = read_providers(None if request.providers is None else Path(request.providers))
    targets = {name: find_target(name, request.base_url, os.environ, providers) for name in prices}
    for target in targets.values():
        yield f"{target.describe()}\n"
    for call in _list_first(records, rubric, request, own_prompt):
        yield f"--- {call.id}: {call.reason}\n" if isinstance(call, Unasked) else _format_call(call[0])
    found = count_calls(records, rubric, request, banks, own_prompt)
    low, high = _sum_calls(found)
    left_out = f" and {found.invalid} that can't be judged" if found.invalid else ""
    note = "" if targets else ", if a language model were the judge"
    said = f"{_count(found.judged, 'record')}{left_out}, {_count(found.words, 'word')}"
    yield f"{said}, {format_calls(low, high, is_rough=found.is_rough)}{note}. Nothing was sent."
    for name, target in targets.items():
        yield _format_cost(found, name, target, prices[name], in_batch=request.batch)


def _list_first(
    records: Records, rubric: Rubric, request: RunConfig, own_prompt: OwnPrompt | None
) -> Iterator[tuple[Call, BankAsk | None] | Unasked]:
    """The calls about the first record that can be judged, or about the group that it is judged beside."""
    placed = place_records(records, by_item=request.side_by_side)
    for group in group_records(placed, rubric) if request.side_by_side else ((each,) for each in placed):
        valid = [each.record for each in group if isinstance(each.record, Record)]
        if valid and request.side_by_side:
            return build_shown_calls(valid, rubric, joint=request.joint, rounds=request.rounds)
        if valid:
            return build_calls(valid[0], rubric, joint=request.joint, own_prompt=own_prompt)
    return iter(())


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


def _format_call(call: Call) -> str:
    shown = (f"[{message.role}]\n{message.text}" for message in call.messages)
    size = _count(sum(len(message.text.split()) for message in call.messages), "word")
    return "\n".join([f"--- {call.key.ask}", *shown, f"({size}, reply at most {call.max_tokens} tokens)\n"])


def _count(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"
