"""Counts the calls of a run and what they will cost, before any is sent: for a dry run, and for the run itself."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from assay.api.config import RunConfig
from assay.api.kept import StoredBanks
from assay.api.opening import OpenRun
from assay.api.planned_calls import NoCall, PlannedCall, plan_bank_calls, plan_calls
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.engine.budget import Forecast, Load
from assay.engine.costs import Price, read_prices
from assay.engine.prefixes import PrefixForecast
from assay.files.records import InvalidRecord
from assay.judges.own_prompt import OwnPrompt
from assay.judges.prompted.judge import PromptedJudge
from assay.models.catalogue import split_address
from assay.runner.banks import BankCache, BankStore
from assay.runner.empty import find_empty

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

    def add(call: PlannedCall) -> None:
        prompt = call.prompt
        if call.bank is not None:
            if call.bank in asked or any(each.get(rubric.id, *call.bank) is not None for each in stored):
                return
            asked.add(call.bank)
        elif not request.no_cache:
            if (same := hash(prompt.messages)) in sent:
                return
            sent.add(same)
        times = request.samples if call.bank is None else 1
        for each in asking if call.bank is None else asking[:1]:
            load = each.metrics if call.bank is None else each.banks
            load.add(prompt.messages, prompt.max_tokens, times)
            if prompt.shared is not None:
                each.prefixes.add(prompt.messages, prompt.shared, prompt.whole_schema, times)

    for record in records:
        if isinstance(record, InvalidRecord):
            found.invalid += 1
            continue
        found.judged += 1
        found.words += sum(len(source.text.split()) for source in record.sources) + len(record.output.split())
        if (record.id, record.system) in done:
            continue
        if planned < _PLANNED:
            planned += 1
            for call in plan_calls(record, rubric, joint=request.joint, own_prompt=own_prompt):
                if not isinstance(call, NoCall):
                    add(call)
            continue
        left += 1
        if own_prompt is None and find_empty(record, rubric) is None:
            for call in plan_bank_calls(record, rubric):
                add(call)
    found.share = Fraction(planned + left, planned) if planned else Fraction(1)
    return found


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
