"""A run from its first call to its last: opened, carried out, kept, closed."""

import uuid
from collections.abc import Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime

from assay.domain.defences import DEFENDED, Defences
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.records import InvalidRecord
from assay.judges.judge import Judge
from assay.runner.banking import Banks, BankShelf
from assay.runner.panel import Panel
from assay.runner.run import Limits, Progress, require_count, run_panel
from assay.runner.walk import Walk
from assay.store.store import RunRow, Store


def new_run_id() -> str:
    """Begins with the day, so that a list of runs reads as a diary."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}"


@dataclass(frozen=True, slots=True)
class Plan:
    """What one run needs to know. Without a store nothing is kept beyond the results."""

    rubric: Rubric
    judges: tuple[Judge, ...]
    limits: Limits = field(default_factory=Limits)
    bank: Banks | None = None
    samples: int = 1
    store: Store | None = None
    run: str = field(default_factory=new_run_id)
    defences: Defences = DEFENDED

    def __post_init__(self) -> None:
        require_count(self.samples, "samples", "Write --samples 5.")
        names = [judge.name for judge in self.judges]
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"the judge {twice} is named twice", remedy="Use --samples for several answers of one.")
        if not names:
            raise InputError("no judge is named", remedy="Name one, such as embedded or openai:MODEL.")

    def build_panel(self) -> Panel:
        shelf = BankShelf(self.bank)
        walks = [
            Walk(self.rubric, judge, shelf, self.run, sample, self.defences)
            for judge in self.judges
            for sample in range(self.samples)
        ]
        is_new = self.store is None or not self.store.count(self.run)
        return Panel(tuple(walks), self.store, self.limits.record_seconds, is_new)


async def carry_out(
    plan: Plan, records: Iterable[Record | InvalidRecord], keep: Callable[[Scorecard], None], progress: Progress
) -> None:
    """Hands each scorecard to `keep` as soon as it and all before it are done; the store knows how the run ended."""
    state: bool | None = None
    try:
        async with aclosing(run_panel(plan.build_panel(), records, plan.limits, progress)) as cards:
            async for card in cards:
                keep(card)
        state = not progress.stopped
    finally:
        try:
            for judge in plan.judges:
                await judge.close()
        finally:
            # What is judged is kept, whatever becomes of the judges.
            if plan.store is not None:
                plan.store.flush()
                plan.store.update_run(plan.run, "done" if state else "stopped", datetime.now(UTC))


def describe_run(plan: Plan, source: str, count: int, code_version: str, parameters: Mapping[str, object]) -> RunRow:
    """Defences are a parameter only where they are not the usual ones."""
    defences = ", ".join(plan.defences.unusual) or None
    return RunRow(
        id=plan.run,
        started=datetime.now(UTC),
        rubric_id=plan.rubric.id,
        rubric_digest=plan.rubric.digest,
        rubric_text=plan.rubric.text,
        judges=tuple(judge.name for judge in plan.judges),
        code_version=code_version,
        records_source=source,
        parameters={
            name: str(value) for name, value in {**parameters, "defences": defences}.items() if value is not None
        },
        record_count=count,
    )
