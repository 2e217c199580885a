"""A run of `assay judge` as its user sees it, from the first record to the exit code."""

import signal
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from assay.api import run_async
from assay.cli.explaining import Explained
from assay.cli.interrupts import interruptible
from assay.cli.main import DONE, FAILED, STOPPED
from assay.cli.resuming import render_resume_command
from assay.domain.scorecard import Scorecard
from assay.files.records import Records
from assay.report.conclusion import print_summary, say_reasons
from assay.report.output import Output
from assay.report.progress import ProgressView, show_progress
from assay.report.summary import Summary
from assay.report.terminal import open_console
from assay.runner.kept import keep_usage
from assay.runner.opening import Engine
from assay.runner.plan import Plan, carry_out
from assay.runner.run import Progress
from assay.store.store import Store

# How many unscored records are kept for the reasons under the summary.
_NAMED = 20


@dataclass(frozen=True, slots=True)
class Telling:
    """Where the results go and in which form, and what is said beside them."""

    form: str
    out: Path | None
    explained: tuple[str, ...]
    quiet: bool


@dataclass(frozen=True, slots=True)
class Judging:
    plan: Plan
    engine: Engine
    store: Store
    telling: Telling

    def carry_out(self, records: Records, output: Output) -> int:
        progress = Progress()
        summary = None if self.telling.quiet else Summary(self.plan.rubric)
        unscored: list[Scorecard] = []
        explained = Explained(self.telling.explained)
        with (
            interruptible(self.plan.limits) as interrupted,
            show_progress(sys.stderr if summary is not None else None, len(records), self.engine.meter) as view,
        ):
            try:
                keep = self._keep(output, summary, unscored, view)
                run_async(lambda: carry_out(self.plan, records, explained.listen(keep), progress))
            except KeyboardInterrupt:
                interrupted.append(signal.SIGINT)
        output.finish()
        # Among results for programs it would be noise.
        is_apart = self.telling.form == "table" or self.telling.out is not None
        explained.print_to(sys.stdout if is_apart else sys.stderr)
        keep_usage(self.store, self.plan.run, self.engine.meter)
        if summary is not None and summary.records:
            _conclude(summary, unscored)
            print(f"Run {self.plan.run}: {self.engine.meter.snapshot().render()}.", file=sys.stderr)
        return self._explain_end(progress, len(records), interrupted=bool(interrupted))

    def _keep(
        self, output: Output, summary: Summary | None, unscored: list[Scorecard], view: ProgressView
    ) -> Callable[[Scorecard], None]:
        # A table comes after the last record; lines of JSON come in between, on the terminal where the bar is.
        joins_bar = self.telling.form == "jsonl" and self.telling.out is None and sys.stdout.isatty()

        def keep(card: Scorecard) -> None:
            with view.aside() if joins_bar else nullcontext():
                output.write(card)
            if summary is not None:
                summary.add(card)
            if card.total.scored < card.total.asked and len(unscored) < _NAMED:
                unscored.append(card)
            view.count(card)

        return keep

    def _explain_end(self, progress: Progress, count: int, *, interrupted: bool) -> int:
        limit = self.plan.limits.max_failures
        failed = limit is not None and progress.failed > limit
        is_spent = self.engine.budget.exhausted
        if interrupted or is_spent or progress.stopped:
            why = (
                "interrupted"
                if interrupted
                else "the budget is spent"
                if is_spent
                else f"more than {limit} records failed"
            )
            done = f"{progress.done} of {count} records are judged and kept"
            command = render_resume_command(self.plan.run)
            print(f"assay: stopped: {why}; {done}. Go on with: {command}", file=sys.stderr)
        return FAILED if failed else STOPPED if interrupted or is_spent else DONE


def _conclude(summary: Summary, unscored: list[Scorecard]) -> None:
    console = open_console(sys.stderr)
    if sys.stdout.isatty():
        console.print()
    print_summary(console, summary)
    for line in say_reasons(unscored):
        console.print(f"  {line}")
