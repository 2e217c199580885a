"""Train the pair model, or go on training it: `python -m training.run`.

Checkpoints go to .training/ and the learning curve to training/log/. A run with a checkpoint goes on from it; --fresh
starts again. --slice trains on a sample in minutes, to show that the pipeline works from end to end.
"""

import argparse
import json
import signal
import time
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import torch

from training.inference import answer, measure_answers
from training.pace import Pace
from training.pairs import DEFAULT_PAIRS
from training.plan import Layout, Recipe, build_layout, read_layout, write_layout
from training.schedule import Schedule
from training.tokens import read_tokenizer
from training.trainer import Trainer
from training.weights import Pretrained, build_model, fetch_pretrained

WORK: Final = Path(".training")
LOG: Final = Path("training/log")
SEED: Final = 20261116


class Stop:
    """Whether to leave the loop: on a signal, or when it is time for the next checkpoint or log line."""

    def __init__(self) -> None:
        self.asked = False
        self._next = 0.0
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._ask)

    def _ask(self, _number: int, _frame: object) -> None:
        self.asked = True

    def set_pause(self, seconds: float) -> None:
        self._next = time.monotonic() + seconds

    def __call__(self) -> bool:
        return self.asked or time.monotonic() >= self._next


class Log:
    """JSON lines, each written whole: what the run saw of itself."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path

    def write(self, event: str, **fields: object) -> None:
        row = {"time": datetime.now(UTC).isoformat(timespec="seconds"), "event": event, **fields}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(json.dumps(row), flush=True)  # noqa: T201  # the curve is what one watches


def main() -> None:
    options = _read_options()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(mode=True)
    stop, log = Stop(), Log(options.log / f"{options.name}.jsonl")
    pretrained = fetch_pretrained(WORK / "pretrained")
    checkpoint = WORK / options.name / "checkpoint.pt"
    going_on = checkpoint.exists() and not options.fresh
    layout = read_layout(checkpoint.parent) if going_on else _lay_out(options, pretrained, checkpoint.parent)
    schedule = Schedule(options.passes, options.peak, min(options.rise, max(1, options.passes // 10)))
    model = build_model(pretrained, options.seed)
    if options.begin_from:
        model.load_state_dict(torch.load(options.begin_from, weights_only=True)["model"])
    trainer = Trainer(model, layout.plan, schedule, options.threads)
    if going_on:
        trainer.resume(checkpoint)
    log.write(
        "start",
        passes=trainer.progress.passes,
        trained_pairs=layout.trained_pairs,
        plan=layout.plan.fingerprint,
        threads=options.threads,
        batch=options.batch,
        seed=options.seed,
        draw_seed=options.draw_seed,
        schedule=asdict(schedule),
    )
    _train(trainer, layout, checkpoint, (stop, log, options))


def _lay_out(options: argparse.Namespace, pretrained: Pretrained, folder: Path) -> Layout:
    recipe = Recipe(
        options.pairs,
        options.plan_passes or options.passes,
        options.seed,
        options.batch,
        options.slice,
        options.mistakes,
        options.draw_seed,
    )
    layout = build_layout(recipe, read_tokenizer(pretrained.tokenizer))
    write_layout(layout, folder)
    return layout


def _train(trainer: Trainer, layout: Layout, checkpoint: Path, tools: tuple[Stop, Log, argparse.Namespace]) -> None:
    stop, log, options = tools
    saved = measured = time.monotonic()
    pace = Pace(_next_moment(options.deadline)) if options.deadline else None
    while not trainer.finished and not stop.asked:
        before = trainer.progress.passes
        stop.set_pause(options.report_seconds)
        spent = trainer.walk(stop)
        budget = pace.guess_budget(time.time(), trainer.progress.passes) if pace else None
        if budget is not None:
            trainer.schedule = replace(trainer.schedule, budget=budget)
        log.write("steps", **_describe(trainer, before, spent))
        if time.monotonic() - saved > options.save_seconds:
            trainer.save(checkpoint)
            saved = time.monotonic()
        if time.monotonic() - measured > options.measure_seconds and not stop.asked:
            _measure(trainer, layout, log)
            measured = time.monotonic()
    trainer.save(checkpoint)
    if not stop.asked:
        _measure(trainer, layout, log)
    log.write("stopped" if stop.asked else "finished", passes=trainer.progress.passes)


def _describe(trainer: Trainer, before: int, spent: float) -> dict[str, float | int]:
    progress = trainer.progress
    loss = sum(progress.losses) / max(1, len(progress.losses))
    progress.losses.clear()
    speed = (progress.passes - before) / max(spent, 1e-9)
    rate = trainer.schedule.rate_at(progress.passes)
    return {
        "passes": progress.passes,
        "loss": round(loss, 4),
        "pairs_per_second": round(speed, 1),
        "rate": round(rate, 8),
        "budget": trainer.schedule.budget,
    }


def _next_moment(clock: str) -> float:
    """The next time a UTC clock shows HH:MM, in seconds since the epoch."""
    hour, minute = (int(part) for part in clock.split(":"))
    now = datetime.now(UTC)
    moment = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (moment if moment > now else moment + timedelta(days=1)).timestamp()


def _measure(trainer: Trainer, layout: Layout, log: Log) -> None:
    """Held-out figures. They never change how the run goes on: there is no choosing of checkpoints by them."""
    answers = answer(trainer.model, layout.held_out_tokens)
    figures = {name: accuracy.as_row() for name, accuracy in measure_answers(layout.held_out, answers).items()}
    log.write("held_out", passes=trainer.progress.passes, figures=figures)


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, default=DEFAULT_PAIRS, help="gzipped JSON lines of training pairs")
    parser.add_argument("--name", default="pair-model", help="the run's name, for its checkpoint and its log")
    parser.add_argument("--log", type=Path, default=LOG)
    parser.add_argument("--passes", type=int, default=94_000, help="pair passes until the rate has fallen to nothing")
    parser.add_argument(
        "--plan-passes", type=int, help="lay out more than --passes, so that --passes may grow on resume"
    )
    parser.add_argument("--deadline", help="HH:MM in UTC: fit the passes to the time left instead of --passes")
    parser.add_argument("--slice", type=int, help="use about this many of the pairs only")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--draw-seed", type=int, help="draw other pairs than an earlier run, holding out the same")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--peak", type=float, default=1e-4, help="the highest learning rate")
    parser.add_argument("--rise", type=int, default=2000, help="pair passes until the rate is at its peak")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--mistakes", type=Path, help="pairs an earlier run got wrong, by training.mine")
    parser.add_argument("--begin-from", type=Path, help="a checkpoint whose weights to start from, for a second run")
    parser.add_argument("--fresh", action="store_true", help="ignore the checkpoint")
    parser.add_argument("--report-seconds", type=float, default=60)
    parser.add_argument("--save-seconds", type=float, default=600)
    parser.add_argument("--measure-seconds", type=float, default=1200)
    return parser.parse_args()


if __name__ == "__main__":
    main()
