"""A look before any call: the prompts of the first record as they would be sent, and how many calls there would be."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from assay.domain.defences import DEFENDED, Defences
from assay.domain.record import Record
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.units import NAMES, Unit
from assay.engine.budget import Forecast, build_forecast
from assay.engine.costs import Price
from assay.files.banks import digest_sources
from assay.files.records import InvalidRecord
from assay.judges.prompted.judge import build_prompt
from assay.judges.prompted.prompt import Prompt
from assay.runner.asks import Unasked, needs_judge, plan_banks, plan_record
from assay.runner.banking import Banks
from assay.runner.canary import plant_canary
from assay.runner.eligibility import explain_no_truth
from assay.runner.emptiness import find_emptiness

Write = Callable[[str], None]
# So many records tell what the others will be like, and cost next to nothing to plan.
_SAMPLE = 10
UnitsOf = Callable[[Metric], Sequence[Unit]]
_PLACE = "(an invented claim is among the claims; how many units the banks bring may move it)\n"


@dataclass(slots=True)
class CallCount:
    """Calls when every reply can be used as it is. What the banks given hold is not asked, nothing is asked twice."""

    rubric: Rubric
    joint: bool = False
    file: Banks | None = None
    calls: int = 0
    _banked: set[tuple[str, str]] = field(default_factory=set)

    def add(self, record: Record) -> None:
        if find_emptiness(record, self.rubric) is not None:
            return
        if self.joint:
            self.calls += 1
            return
        metrics = (metric for metric in self.rubric.metrics if needs_judge(metric))
        self.calls += sum(explain_no_truth(record, metric) is None for metric in metrics)
        for bank in self.rubric.banks:
            for ask in plan_banks(record, self.rubric, bank):
                self._add_bank(bank.id, digest_sources(ask.sources))

    def _add_bank(self, bank: str, source: str) -> None:
        held = self.file is not None and self.file.get(self.rubric.id, bank, source) is not None
        if not held and (bank, source) not in self._banked:
            self._banked.add((bank, source))
            self.calls += 1


def render_dry_run(
    records: Iterable[Record | InvalidRecord], count: CallCount, write: Write, defences: Defences = DEFENDED
) -> None:
    """Prompts that hang on an earlier reply are shown with that reply's place marked."""
    words = judged = invalid = 0
    for record in records:
        if isinstance(record, InvalidRecord):
            invalid += 1
            continue
        judged += 1
        count.add(record)
        words += sum(len(source.text.split()) for source in record.sources) + len(record.output.split())
        if judged == 1:
            _render_record(record, count, write, defences)
    left_out = f" and {invalid} that can't be judged" if invalid else ""
    said = f"{_count(judged, 'record')}{left_out}, {_count(words, 'word')}, {_count(count.calls, 'call')}"
    write(f"{said} without re-asks. Nothing was sent.")


def _count(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def _render_record(record: Record, count: CallCount, write: Write, defences: Defences) -> None:
    for name, prompt in list_prompts(record, count.rubric, joint=count.joint, defences=defences):
        if isinstance(prompt, str):
            write(f"--- {name}: {prompt}\n")
            continue
        _render_prompt(name, prompt, write)
        if defences.canary and not count.joint and _may_move_canary(count.rubric, name):
            write(_PLACE)


def _may_move_canary(rubric: Rubric, ask: str) -> bool:
    """A canary stands in the middle of all units, and how many a bank brings is not known before its reply."""
    parts = [part for metric in rubric.metrics if metric.id == ask for part in metric.label_parts]
    has_canary = any(part.unit == "claim" and part.evidence == "source" for part in parts)
    return has_canary and any(rubric.bank(part.unit) is not None for part in parts)


def list_prompts(
    record: Record,
    rubric: Rubric,
    *,
    joint: bool = False,
    defences: Defences = DEFENDED,
    banked: UnitsOf | None = None,
) -> Iterator[tuple[str, Prompt | str]]:
    """Every ask of a record by name with its prompt, or with the reason why nothing is asked.

    Units that an earlier reply will bring stand there as one, marked, unless `banked` knows them.
    """
    if find_emptiness(record, rubric, short_circuit=defences.short_circuit) is not None:
        yield f"record {record.id}", "nothing would be asked: a required input is blank, or the output says nothing"
        return
    marked = [_mark_units(bank) for bank in rubric.banks]
    for planned in plan_record(record, rubric, banked or (lambda _: marked), joint=joint):
        if isinstance(planned, Unasked):
            yield planned.metric.id, f"not asked, {planned.reason}" if planned.abstains else planned.reason
            continue
        planted = plant_canary(planned.ask, planned.passages) if defences.canary else None
        ask = planned.ask if planted is None else planted.ask
        yield ask.id, build_prompt(ask, planned.passages, defences)


def _mark_units(bank: Bank) -> Unit:
    return Unit("", bank.unit, f"‹each {NAMES[bank.unit][0]} from the reply to {bank.id}›").numbered(1)


def _render_prompt(name: str, prompt: Prompt, write: Write) -> None:
    write(f"--- {name}")
    for message in prompt.messages:
        write(f"[{message.role}]\n{message.text}")
    words = sum(len(message.text.split()) for message in prompt.messages)
    write(f"({_count(words, 'word')}, reply at most {prompt.max_tokens} tokens)\n")


def forecast_run(
    records: Iterable[Record | InvalidRecord],
    count: int,
    rubric: Rubric,
    *,
    joint: bool,
    model: str,
    price: Price | None,
) -> Forecast:
    """The first records stand for all; banks that records share are counted for each, so the forecast is cautious."""
    sample = [record for record in islice(records, _SAMPLE) if isinstance(record, Record)]
    planned = (
        (prompt.messages, prompt.max_tokens, (count + len(sample) - 1 - place) // len(sample))
        for place, record in enumerate(sample)
        for _, prompt in list_prompts(record, rubric, joint=joint)
        if isinstance(prompt, Prompt)
    )
    return build_forecast(model, price, planned)
