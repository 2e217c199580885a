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
from assay.errors import InputError
from assay.files.records import Records
from assay.report.conclusion import print_summary, print_unscored
from assay.report.output import Output
from assay.report.progress import ProgressView, show_progress
from assay.report.summary import Summary
from assay.report.terminal import open_console
from assay.runner.kept import UsageLog
from assay.runner.opening import Engine
from assay.runner.plan import Plan, carry_out
from assay.runner.run import Progress
from assay.store.faults import StoreError
from assay.store.store import Store

_PASSING = ("unreachable", "timed_out")


@dataclass(frozen=True, slots=True)
class Telling:
    """Where the results go and in which form, and what is said beside them.

    `can_ask_again` where the same command would have from the store what was answered.
    """

    form: str
    out: Path | None
    explained: tuple[str, ...]
    quiet: bool
    can_ask_again: bool = True


@dataclass(frozen=True, slots=True)
class Judging:
    plan: Plan
    engine: Engine
    store: Store
    telling: Telling

    def carry_out(self, records: Records, output: Output) -> int:
        with interruptible(self.plan.limits) as interrupted:
            return self._carry_out(records, output, interrupted)

    def _carry_out(self, records: Records, output: Output, interrupted: list[int]) -> int:
        progress = Progress()
        summary = None if self.telling.quiet else Summary(self.plan.rubric)
        explained = Explained(self.telling.explained)
        with (
            UsageLog(self.store, self.plan.run, self.engine.meter) as usage,
            show_progress(sys.stderr if summary is not None else None, len(records), self.engine.meter) as view,
        ):
            try:
                keep = self._keep(output, summary, view, usage)
                run_async(lambda: carry_out(self.plan, records, explained.listen(keep), progress))
            except KeyboardInterrupt:
                interrupted.append(signal.SIGINT)
            except InputError as error:
                # Such as an account that is empty: what it paid for until then is worth going on with.
                if not isinstance(error, StoreError):
                    self._say_stopped("by the error below; what is judged is kept")
                raise
        output.finish()
        # Among results for programs it would be noise.
        is_apart = self.telling.form == "table" or self.telling.out is not None
        explained.print_to(sys.stdout if is_apart else sys.stderr)
        if summary is not None and summary.records:
            _conclude(summary)
            print(f"Run {self.plan.run}: {self.engine.meter.render()}.", file=sys.stderr)
            if self.telling.can_ask_again and self.engine.meter.sent and not progress.stopped:
                _say_passing(summary)
        return self._explain_end(progress, len(records), interrupted=bool(interrupted))

    def _keep(
        self, output: Output, summary: Summary | None, view: ProgressView, usage: UsageLog
    ) -> Callable[[Scorecard], None]:
        # A table comes after the last record; lines of JSON come in between, on the terminal where the bar is.
        joins_bar = self.telling.form == "jsonl" and self.telling.out is None and sys.stdout.isatty()

        def keep(card: Scorecard) -> None:
            with view.aside() if joins_bar else nullcontext():
                output.write(card)
            if summary is not None:
                summary.add(card)
            view.count(card)
            usage.keep_at_times()

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
            # By the store: what was under way when an interrupt came twice may have got there.
            kept = self.store.count(self.plan.run)
            self._say_stopped(f"{why}; {kept} of {count} records are judged and kept")
        return FAILED if failed else STOPPED if interrupted or is_spent else DONE

    def _say_stopped(self, why: str) -> None:
        print(f"assay: stopped: {why}. Go on with: {render_resume_command(self.plan.run)}", file=sys.stderr)


def _say_passing(summary: Summary) -> None:
    """A failure is never in the store: asking again costs nothing for what was answered."""
    counts = {status: sum(metric.missing[status] for metric in summary.metrics.values()) for status in _PASSING}
    said = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.items() if count)
    if said:
        again = "The same command again, without --resume, asks only for these: the rest is answered from the store."
        print(f"Failed for what may pass: {said}. {again}", file=sys.stderr)


def _conclude(summary: Summary) -> None:
    console = open_console(sys.stderr)
    if sys.stdout.isatty():
        console.print()
    print_summary(console, summary)
    print_unscored(console, summary.reasons)
