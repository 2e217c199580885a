"""Counts the calls of a run and what they will cost, before any is sent: for a dry run, and for the run itself."""

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from assay.api.config import RunConfig
from assay.api.kept import StoredBanks
from assay.api.opening import OpenRun
from assay.domain.ask import BankAsk, MetricAsk, WholeAsk
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.units import NAMES, Unit, UnitKind
from assay.engine.budget import Forecast, Load, format_calls
from assay.engine.costs import Price, read_prices, render_share
from assay.engine.prefixes import PrefixForecast
from assay.files.banks import digest_sources
from assay.files.records import InvalidRecord, Records
from assay.judges.own_prompt import OwnPrompt, build_own_call, open_own_prompt
from assay.judges.prompted.judge import PromptedJudge
from assay.judges.prompted.prompt import build_bank_call, build_metrics_call
from assay.judges.prompted.side_by_side import build_side_by_side_call, show_outputs, split_metrics
from assay.models.catalogue import Target, find_target, split_address
from assay.models.chat import Call
from assay.models.providers import read_providers
from assay.packs import find_hooks
from assay.runner.asking import is_shown, name_call
from assay.runner.banks import BankCache, BankStore
from assay.runner.empty import find_empty
from assay.runner.placing import group_records, place_records
from assay.runner.planning import (
    Banks,
    RecordBank,
    Unasked,
    cut_record,
    number_bank,
    plan_banks,
    plan_metrics,
    split_asks,
)
from assay.runner.side_by_side import group_alike, lay_out
from assay.units.banks import FilledBank
from assay.units.passages import Passages

# Records past so many are taken to need as many calls as these did: a run must not plan for minutes before it begins.
_PLANNED = 1_000


@dataclass(slots=True)
class ModelCalls:
    """The calls to one model. `metrics` are those about single records, `banks` what records share."""

    metrics: Load = field(default_factory=Load)
    banks: Load = field(default_factory=Load)
    prefixes: PrefixForecast = field(default_factory=PrefixForecast)


@dataclass(slots=True)
class CountedCalls:
    """The calls of a run by model, as if the store held no reply; without a model, those that one would get."""

    models: dict[str, ModelCalls]
    reasks: int
    judged: int = 0
    invalid: int = 0
    words: int = 0
    share: Fraction = Fraction(1)
    """How many records there are for each that was planned."""

    @property
    def is_rough(self) -> bool:
        return self.share != 1

    def forecast(self, name: str, price: Price | None, cached: tuple[int, int] = (0, 0)) -> Forecast:
        """`cached` are the tokens that are read from the provider's cache of prompts, and written to it."""
        calls = self.models[name]
        load = calls.metrics.times(self.share).plus(calls.banks)
        load.cached, load.written = (round(tokens * self.share) for tokens in cached)
        return load.forecast(split_address(name)[0], price, reasks=self.reasks, is_rough=self.is_rough)


def list_models(request: RunConfig) -> list[str]:
    """The judges that send calls."""
    return [name for name in request.chat_names if not name.startswith("recorded:")]


def build_calls(
    record: Record, rubric: Rubric, *, joint: bool = False, own_prompt: OwnPrompt | None = None
) -> Iterator[tuple[Call, BankAsk | None] | Unasked]:
    """The calls that are planned for a record, a bank's with its ask; units that its reply will bring stand as one."""
    if find_empty(record, rubric) is not None:
        reason = "nothing would be asked: a required input is blank or has no words"
        yield Unasked(f"record {record.id}", reason)
        return
    case = cut_record(record, rubric, find_hooks(rubric))
    if own_prompt is not None:
        yield build_own_call(own_prompt, WholeAsk(rubric.id, rubric, record)), None
        return
    groups, unasked = plan_metrics(case, _stand_in(rubric), joint=joint)
    yield from _build_bank_calls(record, rubric)
    yield from unasked
    for group in groups:
        for asks in split_asks(group, PromptedJudge.most_units):
            yield build_metrics_call(asks, case.passages), None


def _build_bank_calls(record: Record, rubric: Rubric) -> Iterator[tuple[Call, BankAsk]]:
    for bank in rubric.banks:
        yield from ((build_bank_call(ask, number_bank(ask)), ask) for ask in plan_banks(record, rubric, bank))


def _stand_in(rubric: Rubric) -> Banks:
    banks: dict[UnitKind, RecordBank] = {}
    for bank in rubric.banks:
        text = f"‹each {NAMES[bank.unit][0]} from the reply to {bank.id}›"
        banks[bank.unit] = FilledBank((Unit("", bank.unit, text).numbered(1),))
    return banks


def build_shown_calls(
    group: Sequence[Record], rubric: Rubric, request: RunConfig, own_prompt: OwnPrompt | None = None
) -> Iterator[tuple[Call, BankAsk | None] | Unasked]:
    """The calls about records that are judged together, as `build_calls` has those about one."""
    joint = request.joint
    if len(group) == 1:
        yield from build_calls(group[0], rubric, joint=joint, own_prompt=own_prompt)
        return
    shown: dict[str, dict[int, tuple[tuple[MetricAsk, ...], Passages]]] = {}
    for record in group:
        if find_empty(record, rubric) is not None:
            continue
        case = cut_record(record, rubric, find_hooks(rubric))
        yield from _build_bank_calls(record, rubric)
        for asks in plan_metrics(case, _stand_in(rubric), joint=joint)[0]:
            if is_shown(asks):
                shown.setdefault(name_call(asks), {})[id(record)] = asks, case.passages
            else:
                yield build_metrics_call(asks, case.passages), None
    for block in lay_out(group, request.rounds):
        for call in shown.values():
            asking = group_alike(record for record in block.records if id(record) in call)
            asked = [call[id(alike[0])] for alike in asking]
            for metrics in split_metrics([asks for asks, _ in asked]) if asked else ():
                chosen = [([ask for ask in asks if ask.id in metrics], passages) for asks, passages in asked]
                chosen = [(asks, passages) for asks, passages in chosen if asks]
                if len(chosen) > 1:
                    yield build_side_by_side_call(show_outputs(*zip(*chosen, strict=True))), None
                else:
                    yield build_metrics_call(*chosen[0]), None


def count_calls(  # each is part of what a run does
    records: Iterable[Record | InvalidRecord],
    rubric: Rubric,
    request: RunConfig,
    banks: BankStore | BankCache | None = None,
    own_prompt: OwnPrompt | None = None,
    done: Container[tuple[str, str | None]] = (),
) -> CountedCalls:
    """A bank that is stored, or asked for by an earlier record, is not asked again; nor is a prompt that is the same.

    Every model and sample asks about the metrics; the first model writes the banks. Records that are `done` need none.
    """
    stored = list(_list_stored(banks))
    reasks = 0 if own_prompt is not None else PromptedJudge.reasks
    found = CountedCalls({name: ModelCalls() for name in list_models(request) or [""]}, reasks)
    asking, asked, sent = list(found.models.values()), set[tuple[str, str]](), set[int]()
    planned = left = 0

    def add(call: Call, bank: BankAsk | None) -> None:
        if bank is not None:
            key = (bank.bank.id, digest_sources(bank.sources, bank.query))
            if key in asked or any(each.get(rubric.id, *key) is not None for each in stored):
                return
            asked.add(key)
        elif not request.no_cache:
            if (same := hash(call.messages)) in sent:
                return
            sent.add(same)
        times = request.samples if bank is None else 1
        for each in asking if bank is None else asking[:1]:
            load = each.metrics if bank is None else each.banks
            load.add(call.messages, call.max_tokens, times)
            if call.shared is not None:
                each.prefixes.add(call.messages, call.shared, call.schema, times)

    for valid, invalid in _list_groups(records, rubric, request):
        found.invalid += invalid
        found.judged += len(valid)
        found.words += sum(
            len(text.split()) for each in valid for text in (*(source.text for source in each.sources), each.output)
        )
        if all((each.id, each.system) in done for each in valid):
            continue
        if planned < _PLANNED:
            planned += len(valid)
            for call in build_shown_calls(valid, rubric, request, own_prompt):
                if not isinstance(call, Unasked):
                    add(*call)
            continue
        left += len(valid)
        record = valid[0]
        if own_prompt is None and find_empty(record, rubric) is None:
            for written in _build_bank_calls(record, rubric):
                add(*written)
    found.share = Fraction(planned + left, planned) if planned else Fraction(1)
    return found


def _list_groups(
    records: Iterable[Record | InvalidRecord], rubric: Rubric, request: RunConfig
) -> Iterator[tuple[list[Record], int]]:
    """The records that are judged together, and how many beside them can't be judged."""
    placed = place_records(records, by_item=request.side_by_side)
    for group in group_records(placed, rubric) if request.side_by_side else ((each,) for each in placed):
        valid = [each.record for each in group if isinstance(each.record, Record)]
        yield valid, len(group) - len(valid)


def find_prices(request: RunConfig, names: Sequence[str]) -> dict[str, Price | None]:
    """By the name of each judge; with `batch` that of a request in a batch."""
    known = read_prices(None if request.prices is None else Path(request.prices))
    prices = {name: known.get(split_address(name)[0]) for name in names}
    return {name: price and price.in_batch for name, price in prices.items()} if request.batch else prices


def forecast_run(run: OpenRun) -> list[Forecast]:
    """Calls, tokens and price for each judge that is a model, as its dry run says them; of a resumed run, the rest."""
    request, work = run.engine.request, run.work
    models = list_models(request)
    if not models:
        return []
    done: set[tuple[str, str | None]] = set()
    if run.store is not None and run.done_before:
        done = {(judged.record, judged.system) for judged in run.store.list_judged(run.plan.run)}
    counted = count_calls(work.records, work.rubric, request, run.plan.banks, run.engine.own_prompt, done)
    return [counted.forecast(name, price) for name, price in find_prices(request, models).items()]


def _list_stored(banks: BankStore | BankCache | None) -> Iterable[BankStore]:
    """Where to look, and no more: a run takes over what it finds of an earlier one."""
    if isinstance(banks, StoredBanks):
        begun = set(banks.store.run_ids())
        return [StoredBanks(banks.store, run) for run in (banks.run, banks.lender) if run in begun]
    if isinstance(banks, BankCache):
        banks = banks.stored
    return [] if banks is None else [banks]


def format_dry_run(records: Records, rubric: Rubric, request: RunConfig, banks: BankStore | None) -> Iterator[str]:
    """Where each model is asked, the prompts of the first record, the calls of all records, and what models cost."""
    rubric = rubric.for_side_by_side() if request.side_by_side else rubric
    own_prompt = None if request.prompt is None else open_own_prompt(request.prompt, request.slots, rubric)
    prices = find_prices(request, list_models(request))
    providers = read_providers(None if request.providers is None else Path(request.providers))
    targets = {name: find_target(name, request.base_url, os.environ, providers) for name in prices}
    for target in targets.values():
        yield f"{target.describe()}\n"
    first = next((valid for valid, _ in _list_groups(records, rubric, request) if valid), None)
    for call in () if first is None else build_shown_calls(first, rubric, request, own_prompt):
        yield f"--- {call.id}: {call.reason}\n" if isinstance(call, Unasked) else _format_call(call[0])
    found = count_calls(records, rubric, request, banks, own_prompt)
    forecasts = [found.forecast(name, None) for name in found.models]
    low, high = sum(each.low.calls for each in forecasts), sum(each.high.calls for each in forecasts)
    left_out = f" and {found.invalid} that can't be judged" if found.invalid else ""
    note = "" if targets else ", if a language model were the judge"
    said = f"{_count(found.judged, 'record')}{left_out}, {_count(found.words, 'word')}"
    yield f"{said}, {format_calls(low, high, is_rough=found.is_rough)}{note}. Nothing was sent."
    for name, target in targets.items():
        yield _format_cost(found, name, target, prices[name], in_batch=request.batch)


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
