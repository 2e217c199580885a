"""A run of a command: forecast, progress, interrupts, how to resume, and the exit code."""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import click

from assay.api.config import RunConfig
from assay.api.forecast import forecast_run
from assay.api.opening import OpenRun, Work, open_run
from assay.cli.files import name_command
from assay.cli.main import DONE, FAILED, STOPPED
from assay.cli.stopping import Stopping
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.models.catalogue import split_address
from assay.models.secrets import hide_secrets
from assay.report.progress import LINE_SECONDS, ProgressView, show_progress
from assay.runner.run import Progress
from assay.store.faults import StoreError
from assay.store.runs import RunRow
from assay.store.store import Store

Keep = Callable[[Scorecard, ProgressView], None]
_BATCH_LINE_SECONDS = 60.0


@dataclass(slots=True)
class CommandRun:
    """A run as a command carries it out. `progress` tells how far it got, `resumes` whether it goes on by its id."""

    run: OpenRun
    quiet: bool
    resumes: bool = True
    progress: Progress = field(default_factory=Progress)
    stopping: Stopping = field(init=False)

    def __post_init__(self) -> None:
        engine = self.run.engine
        # Batches go on by themselves, and may take a day.
        self.stopping = Stopping(self.run.plan.limits, engine.meter, engine.budget, at_once=engine.request.batch)

    def print_forecast(self) -> None:
        """Prints calls, tokens and price for each judge that is a model, before anything is sent."""
        if not self.quiet:
            for forecast in forecast_run(self.run):
                print(forecast.render(self.run.engine.budget), file=sys.stderr)

    def carry_out(self, keep: Keep) -> None:
        """Judges every record; a signal or a closed output ends it early and is noted."""
        stream, engine, count = None if self.quiet else sys.stderr, self.run.engine, len(self.run.work.records)
        seconds = _BATCH_LINE_SECONDS if engine.request.batch else LINE_SECONDS
        with (
            self.stopping.listen(),
            show_progress(stream, count, engine.meter, engine.describe_wait, every_seconds=seconds) as view,
        ):

            def keep_and_count(card: Scorecard) -> None:
                with self.noting_closed_output():
                    keep(card, view)
                view.count(card)

            try:
                self.run.carry_out(keep_and_count, self.progress)
            except InputError as error:
                # Such as an empty account: what was judged until then is worth resuming.
                if not isinstance(error, StoreError):
                    self._print_stopped("error (see below); what is judged is kept")
                raise

    @contextmanager
    def noting_closed_output(self) -> Iterator[None]:
        """Around what writes results: where they are read no more, as by `head`, the run stops and can be resumed."""
        try:
            yield
        except BrokenPipeError:
            self.stopping.note_closed_output()

    def end(self) -> int:
        """Prints why the run stopped early, if it did, and returns the exit code."""
        plan, progress = self.run.plan, self.progress
        limit, tripped = plan.limits.max_failures, plan.limits.tripped
        is_spent, stopped = self.run.engine.budget.exhausted, self.stopping.reason
        if stopped is not None or is_spent or tripped is not None or progress.stopped:
            why = f"more than {limit} records failed"
            if tripped is not None:
                why = tripped.explain().rstrip(".")
            elif stopped is not None or is_spent:
                why = stopped or "the budget is spent"
            # Counted in the store: what was in flight at a second interrupt may have been kept.
            kept = 0 if self.run.store is None else self.run.store.count(plan.run)
            self._print_stopped(f"{why}; {kept} of {len(self.run.work.records)} records are judged and kept")
        if tripped is not None or (limit is not None and progress.failed > limit):
            return FAILED
        if stopped is not None or is_spent:
            return STOPPED
        if progress.asked and not progress.answered:
            print("assay: every metric that was asked about failed.", file=sys.stderr)
            return FAILED
        return DONE

    def _print_stopped(self, why: str) -> None:
        command = format_resume_command(self.run.plan.run if self.resumes else None)
        print(f"assay: stopped: {why}. Resume with: {command}", file=sys.stderr)


def judge_whole(request: RunConfig, work: Work, store: Store, *, quiet: bool) -> tuple[RunRow, tuple[Scorecard, ...]]:
    """A run that is of use only as a whole: where it stops early, so does the command."""
    run = open_run(request, work, store)
    command = CommandRun(run, quiet, resumes=False)
    command.print_forecast()
    run.begin()
    cards: list[Scorecard] = []
    command.carry_out(lambda card, _: cards.append(card))
    code = command.end()
    if code != DONE or run.row is None:
        raise click.exceptions.Exit(code)
    return run.row, tuple(cards)


def format_resume_command(run: str | None) -> str:
    """The command that was typed, and the run to resume; a key in an address is left for the user to fill in."""
    words = [hide_address(word) if "://" in word else word for word in sys.argv[1:]]
    if "--resume" in words:
        at = words.index("--resume")
        del words[at : at + 2]
    return f"{name_command()} {shlex.join(words + (['--resume', run] if run else []))}"


def hide_address(word: str) -> str:
    judge, address = split_address(word)
    return hide_secrets(word) if address is None else f"{judge}@{hide_secrets(address)}"
