"""A look before any call: the prompts of the first record as they would be sent, and how many calls there would be."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from assay.domain.ask import WholeAsk
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.units import NAMES, Unit
from assay.files.banks import digest_sources
from assay.files.records import InvalidRecord
from assay.judges.prompted.judge import build_prompt
from assay.judges.prompted.prompt import Prompt
from assay.runner.asks import cut_record, needs_judge, number_bank, plan_banks, plan_metric
from assay.runner.banking import Banks
from assay.runner.eligibility import explain_no_truth
from assay.runner.emptiness import find_emptiness
from assay.text.language import identify

Write = Callable[[str], None]


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


def render_dry_run(records: Iterable[Record | InvalidRecord], count: CallCount, write: Write) -> None:
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
            _render_record(record, count.rubric, joint=count.joint, write=write)
    left_out = f" and {invalid} that can't be judged" if invalid else ""
    said = f"{_count(judged, 'record')}{left_out}, {_count(words, 'word')}, {_count(count.calls, 'call')}"
    write(f"{said} without re-asks. Nothing was sent.")


def _count(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def _render_record(record: Record, rubric: Rubric, *, joint: bool, write: Write) -> None:
    for name, prompt in list_prompts(record, rubric, joint=joint):
        if isinstance(prompt, Prompt):
            _render_prompt(name, prompt, write)
        else:
            write(f"--- {name}: {prompt}\n")


def list_prompts(record: Record, rubric: Rubric, *, joint: bool = False) -> Iterator[tuple[str, Prompt | str]]:
    """Every ask of a record by name with its prompt, or with the reason why nothing is asked.

    Units that an earlier reply will bring stand there as one, marked.
    """
    if find_emptiness(record, rubric) is not None:
        yield f"record {record.id}", "nothing would be asked: a required input is blank, or the output says nothing"
        return
    cut = cut_record(record, rubric, identify(record.output) or "en")
    if joint:
        ask = WholeAsk(rubric.id, rubric, record)
        yield ask.id, build_prompt(ask, cut.passages)
        return
    banked: list[Unit] = []
    for bank in rubric.banks:
        for asked in plan_banks(record, rubric, bank):
            yield asked.id, build_prompt(asked, number_bank(asked))
        one = NAMES[bank.unit][0]
        banked.append(Unit("", bank.unit, f"‹each {one} from the reply to {bank.id}›").numbered(1))
    for metric in rubric.metrics:
        if not needs_judge(metric):
            yield metric.id, "answered by code, no call"
        elif (reason := explain_no_truth(record, metric)) is not None:
            yield metric.id, f"not asked, {reason}"
        else:
            yield metric.id, build_prompt(plan_metric(cut, rubric, metric, banked), cut.passages)


def _render_prompt(name: str, prompt: Prompt, write: Write) -> None:
    write(f"--- {name}")
    for message in prompt.messages:
        write(f"[{message.role}]\n{message.text}")
    words = sum(len(message.text.split()) for message in prompt.messages)
    write(f"({_count(words, 'word')}, reply at most {prompt.max_tokens} tokens)\n")
