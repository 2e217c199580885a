"""Carries out a run for a command: progress, interrupts, how to resume, and the exit code."""

import shlex
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from assay.api.dry_run import forecast_run
from assay.api.opening import OpenRun
from assay.cli.interrupts import interruptible
from assay.cli.main import DONE, FAILED, STOPPED
from assay.cli.naming import name_command
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.models.secrets import hide_secrets
from assay.report.progress import ProgressView, show_progress
from assay.runner.run import Progress
from assay.store.faults import StoreError

Keep = Callable[[Scorecard, ProgressView], None]


@dataclass(slots=True)
class CommandRun:
    """A run as a command carries it out. `progress` tells afterwards how far it got."""

    run: OpenRun
    quiet: bool
    progress: Progress = field(default_factory=Progress)
    is_interrupted: bool = False

    def print_forecast(self, judge_names: tuple[str, ...], *, joint: bool, samples: int) -> None:
        """Calls, tokens and price for each judge that is a model, before anything is sent."""
        work, engine = self.run.work, self.run.engine
        count = (len(work.records) - self.run.done_before) * samples
        for name in judge_names if count and not self.quiet else ():
            if ":" in name and not name.startswith("recorded:"):
                price = engine.prices.find(name)
                forecast = forecast_run(work.records, count, work.rubric, joint=joint, model=name, price=price)
                print(forecast.render(engine.budget), file=sys.stderr)

    def carry_out(self, keep: Keep) -> None:
        """Judges every record; an interrupt ends it early and is noted."""
        stream = None if self.quiet else sys.stderr
        with interruptible(self.run.plan.limits) as interrupted:
            with show_progress(stream, len(self.run.work.records), self.run.engine.meter) as view:

                def keep_and_count(card: Scorecard) -> None:
                    keep(card, view)
                    view.count(card)

                try:
                    self.run.carry_out(keep_and_count, self.progress)
                except KeyboardInterrupt:
                    interrupted.append(signal.SIGINT)
                except InputError as error:
                    # Such as an empty account: what it paid for until then is worth resuming.
                    if not isinstance(error, StoreError):
                        self._print_stopped("by the error below; what is judged is kept")
                    raise
            self.is_interrupted = bool(interrupted)

    def end(self) -> int:
        """Says why the run stopped early, if it did, and returns the exit code."""
        plan = self.run.plan
        limit = plan.limits.max_failures
        failed = limit is not None and self.progress.failed > limit
        is_spent = self.run.engine.budget.exhausted
        if self.is_interrupted or is_spent or self.progress.stopped:
            why = (
                "interrupted"
                if self.is_interrupted
                else "the budget is spent"
                if is_spent
                else f"more than {limit} records failed"
            )
            # By the store: what was under way when an interrupt came twice may have got there.
            kept = 0 if plan.store is None else plan.store.count(plan.run)
            self._print_stopped(f"{why}; {kept} of {len(self.run.work.records)} records are judged and kept")
        return FAILED if failed else STOPPED if self.is_interrupted or is_spent else DONE

    def _print_stopped(self, why: str) -> None:
        command = format_resume_command(self.run.plan.run)
        print(f"assay: stopped: {why}. Resume with: {command}", file=sys.stderr)


def format_resume_command(run: str) -> str:
    """The command that was typed, with the run to resume; a key in an address is left for the user to fill in."""
    words = [hide_secrets(word) if "://" in word else word for word in sys.argv[1:]]
    if "--resume" in words:
        at = words.index("--resume")
        del words[at : at + 2]
    return f"{name_command()} {shlex.join([*words, '--resume', run])}"
