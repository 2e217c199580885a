"""A look before any call: the prompts of the first record as they would be sent, and how many calls there would be."""

from collections.abc import Callable, Iterable

from assay.domain.ask import Ask, WholeAsk
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.units import NAMES, Unit
from assay.files.records import InvalidRecord
from assay.judges.prompted.judge import build_prompt
from assay.judges.prompted.prompt import Prompt
from assay.runner.asks import Cut, cut_record, needs_judge, plan_banks, plan_metric
from assay.runner.eligibility import explain_no_truth
from assay.runner.emptiness import find_emptiness
from assay.text.language import identify
from assay.units.passages import number_sources

Write = Callable[[str], None]


def count_calls(record: Record, rubric: Rubric, *, joint: bool) -> int:
    """Calls for one record when every reply can be used as it is and no bank is at hand."""
    if find_emptiness(record, rubric) is not None:
        return 0
    if joint:
        return 1
    asked = [metric for metric in rubric.metrics if needs_judge(metric) and explain_no_truth(record, metric) is None]
    return len(asked) + sum(len(plan_banks(record, rubric, bank)) for bank in rubric.banks)


def render_dry_run(records: Iterable[Record | InvalidRecord], rubric: Rubric, *, joint: bool, write: Write) -> None:
    """Prompts that hang on an earlier reply are shown with that reply's place marked."""
    calls = words = count = 0
    for record in records:
        if isinstance(record, InvalidRecord):
            continue
        count += 1
        calls += count_calls(record, rubric, joint=joint)
        words += sum(len(source.text.split()) for source in record.sources) + len(record.output.split())
        if count == 1:
            _render_record(record, rubric, joint=joint, write=write)
    write(f"{count} records, {words} words, {calls} calls without re-asks. Nothing was sent.")


def _render_record(record: Record, rubric: Rubric, *, joint: bool, write: Write) -> None:
    empty = find_emptiness(record, rubric)
    if empty is not None:
        write(f"record {record.id}: nothing would be asked, a required input is blank")
        return
    cut = cut_record(record, rubric, identify(record.output) or "en")
    if joint:
        _render_ask(WholeAsk(rubric.id, rubric, record), cut, write)
        return
    banked: list[Unit] = []
    for bank in rubric.banks:
        for ask in plan_banks(record, rubric, bank):
            _render_prompt(ask.id, build_prompt(ask, number_sources(ask.sources, cut.language)), write)
        one = NAMES[bank.unit][0]
        banked.append(Unit("", bank.unit, f"‹each {one} from the reply to {bank.id}›").numbered(1))
    for metric in rubric.metrics:
        if not needs_judge(metric):
            write(f"--- {metric.id}: answered by code, no call\n")
        elif (reason := explain_no_truth(record, metric)) is not None:
            write(f"--- {metric.id}: not asked, {reason}\n")
        else:
            _render_ask(plan_metric(cut, rubric, metric, banked), cut, write)


def _render_ask(ask: Ask, cut: Cut, write: Write) -> None:
    _render_prompt(ask.id, build_prompt(ask, cut.passages), write)


def _render_prompt(name: str, prompt: Prompt, write: Write) -> None:
    write(f"--- {name}")
    for message in prompt.messages:
        write(f"[{message.role}]\n{message.text}")
    write(
        f"({sum(len(message.text.split()) for message in prompt.messages)} words, reply at most {prompt.max_tokens} tokens)\n"
    )
