"""Train the pair model, or go on training it: `python -m training.run`.

Checkpoints and the learning curve go to a folder of the run's name. A run with a checkpoint goes on from it; --fresh
starts again. --slice trains on a sample in minutes, to show that the pipeline works from end to end. --branch-of takes
another run as it is now and lets its rate fall to nothing, for weights to export while the other goes on.
"""

import argparse
import fcntl
import json
import os
import shutil
import signal
import time
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import torch

from training.encoder import PairModel
from training.holdout import SEED
from training.inference import answer, measure_answers
from training.places import PAIRS, WATCHED, WORK
from training.plan import Layout, Recipe, build_layout, read_layout, write_layout
from training.schedule import Schedule
from training.snapshots import average, list_snapshots, write_snapshot
from training.tokens import TokenPairs, build_token_pairs, read_tokenizer
from training.trainer import Trainer
from training.watch import Watched, rank_outputs, read_watched
from training.weights import Pretrained, build_model, fetch_pretrained

_AVERAGED: Final = 4
"""Of how many snapshots the mean is measured while the rate is level: single ones are noisy then."""
_SPEEDS: Final = 4
"""Of how many reports the mean speed says how many passes are left until a landing: others come and go on a machine."""
_SAMPLE: Final = 2
"""Every second held-out pair is measured along the way, and all of them at export."""


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


class Gauge:
    """Measures a model on held-out pairs and watched summaries. Neither changes how a run goes on."""

    def __init__(self, layout: Layout, watched: Watched, tokens: TokenPairs | None, threads: int) -> None:
        self._layout = layout
        self._watched = watched
        self._tokens = tokens
        self._threads = threads

    def measure(self, model: PairModel) -> dict[str, object]:
        held = self._layout.held_out_tokens.take(range(0, len(self._layout.held_out), _SAMPLE))
        accuracies = measure_answers(self._layout.held_out[::_SAMPLE], answer(model, held, self._threads))
        figures: dict[str, object] = {"figures": {name: each.as_row() for name, each in accuracies.items()}}
        if self._tokens is not None:
            figures["chosen_on"] = rank_outputs(self._watched, answer(model, self._tokens, self._threads))
        return figures


def main() -> None:
    options = _read_options()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(mode=True)
    folder = WORK / options.name
    log = Log(folder / "log.jsonl")
    lock = (folder / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"{folder}: another process is at this run") from None
    pretrained = fetch_pretrained(WORK / "pretrained")
    tokenizer = read_tokenizer(pretrained.tokenizer)
    checkpoint = folder / "checkpoint.pt"
    if options.branch_of and not checkpoint.exists():
        branch(WORK / options.branch_of, folder, options.fall)
    going_on = checkpoint.exists() and not options.fresh
    layout = read_layout(folder) if going_on else _lay_out(options, pretrained, folder)
    schedule = _read_schedule(folder, options, going_on=going_on)
    model = build_model(pretrained, options.seed)
    if options.begin_from and not going_on:
        _begin_from(model, options.begin_from)
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
        begun_from=str(options.begin_from or options.branch_of or ""),
        schedule=asdict(schedule),
    )
    watched = read_watched(options.watched)
    tokens = build_token_pairs(tokenizer, watched.pairs) if watched.pairs else None
    gauge = Gauge(layout, watched, tokens, options.threads)
    _train(trainer, gauge, folder, (Stop(), log, options))


def branch(source: Path, target: Path, fall: int) -> None:
    """Another run as it stands, with a rate that falls to nothing from here on."""
    target.mkdir(parents=True, exist_ok=True)
    (target / "layout.npz").unlink(missing_ok=True)
    os.link(source / "layout.npz", target / "layout.npz")
    passes = torch.load(source / "checkpoint.pt", weights_only=True)["passes"]
    schedule = replace(Schedule(**json.loads((source / "schedule.json").read_text())), budget=passes + fall, fall=fall)
    (target / "schedule.json").write_text(json.dumps(asdict(schedule)))
    shutil.copyfile(source / "checkpoint.pt", target / "checkpoint.pt")


def _begin_from(model: PairModel, path: Path) -> None:
    if path.suffix == ".onnx":
        from training.shipped import load_shipped  # slow to load, and seldom asked for

        load_shipped(model, path)
        return
    state = torch.load(path, weights_only=True)
    model.load_state_dict(state.get("model", state))


def _read_schedule(folder: Path, options: argparse.Namespace, *, going_on: bool) -> Schedule:
    """The schedule a run was begun with; --passes moves its end."""
    path = folder / "schedule.json"
    if going_on and path.exists():
        schedule = Schedule(**json.loads(path.read_text()))
        schedule = replace(schedule, budget=options.passes or schedule.budget)
    else:
        passes = options.passes or 1_300_000
        schedule = Schedule(
            passes, options.peak, min(options.rise, max(1, passes // 10)), min(options.fall, passes // 2)
        )
    _keep_schedule(folder, schedule)
    return schedule


def _lay_out(options: argparse.Namespace, pretrained: Pretrained, folder: Path) -> Layout:
    recipe = Recipe(
        tuple(options.pairs or PAIRS),
        options.plan_passes or options.passes or 1_300_000,
        options.seed,
        options.batch,
        options.slice,
        options.mistakes,
        options.draw_seed,
    )
    layout = build_layout(recipe, read_tokenizer(pretrained.tokenizer))
    write_layout(layout, folder)
    return layout


def _train(trainer: Trainer, gauge: Gauge, folder: Path, tools: tuple[Stop, Log, argparse.Namespace]) -> None:
    stop, log, options = tools
    checkpoint = folder / "checkpoint.pt"
    saved = time.monotonic()
    speeds: list[float] = []
    if trainer.progress.passes == 0:
        trainer.save(checkpoint)
        if not options.begin_from:
            log.write("held_out", passes=0, weights="the first", **gauge.measure(trainer.model))
    while not trainer.finished and not stop.asked:
        before = trainer.progress.passes
        stop.set_pause(options.report_seconds)
        spent = trainer.walk(stop)
        now = trainer.progress.passes
        log.write("steps", **_describe(trainer, before, spent))
        if options.land_at and now > trainer.schedule.rise:
            speeds = [*speeds, (now - before) / spent][-_SPEEDS:]
            _aim(trainer, options.land_at, sum(speeds) / len(speeds))
            _keep_schedule(folder, trainer.schedule)
        kept = now // options.keep_passes > before // options.keep_passes
        if kept or time.monotonic() - saved > options.save_seconds:
            trainer.save(checkpoint)
            saved = time.monotonic()
        if kept:
            write_snapshot(trainer.model, folder, now // options.keep_passes * options.keep_passes)
        if now // options.measure_passes > before // options.measure_passes and not stop.asked:
            log.write("held_out", passes=now, **_measure(trainer, gauge, folder))
    trainer.save(checkpoint)
    if not stop.asked:
        log.write("held_out", passes=trainer.progress.passes, **_measure(trainer, gauge, folder))
    log.write("stopped" if stop.asked else "finished", passes=trainer.progress.passes)


def _aim(trainer: Trainer, land_at: datetime, speed: float) -> None:
    """Let the rate fall so that it reaches nothing at that time, if the run goes on as fast as it went of late."""
    left = (land_at - datetime.now(UTC)).total_seconds() * speed
    trainer.schedule = trainer.schedule.land(trainer.progress.passes, max(1, round(left)))


def _keep_schedule(folder: Path, schedule: Schedule) -> None:
    (folder / "schedule.json").write_text(json.dumps(asdict(schedule)))


def _measure(trainer: Trainer, gauge: Gauge, folder: Path) -> dict[str, object]:
    last = list_snapshots(folder)[-_AVERAGED:]
    if trainer.schedule.is_falling(trainer.progress.passes) or len(last) < 2:
        return {"weights": "the last", **gauge.measure(trainer.model)}
    mean = PairModel(trainer.model.shape)
    mean.load_state_dict(average(last))
    return {"weights": f"mean of {len(last)}", **gauge.measure(mean)}


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


def _read_time(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, nargs="+", help="gzipped JSON lines of training pairs")
    parser.add_argument("--watched", type=Path, default=WATCHED, help="labelled claims, by bench/watched_pairs.py")
    parser.add_argument("--name", default="pair-model", help="the run's name, and its folder's")
    parser.add_argument("--passes", type=int, help="pair passes until the rate has fallen to nothing")
    parser.add_argument(
        "--plan-passes", type=int, help="lay out more than --passes, so that --passes may grow on resume"
    )
    parser.add_argument("--fall", type=int, default=60_000, help="the last passes, in which the rate falls to nothing")
    parser.add_argument("--land-at", type=_read_time, help="when the rate is to reach nothing, as 2026-11-18T03:05")
    parser.add_argument("--branch-of", help="the run to take as it is now, and end by a fall")
    parser.add_argument("--slice", type=int, help="use about this many of the pairs only")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--draw-seed", type=int, help="draw other pairs than an earlier run, holding out the same")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--peak", type=float, default=1e-4, help="the highest learning rate")
    parser.add_argument("--rise", type=int, default=6400, help="pair passes until the rate is at its peak")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--mistakes", type=Path, help="pairs an earlier run got wrong, by training.mine")
    parser.add_argument("--begin-from", type=Path, help="a checkpoint, snapshot or exported .onnx to start from")
    parser.add_argument("--fresh", action="store_true", help="ignore the checkpoint")
    parser.add_argument("--report-seconds", type=float, default=120)
    parser.add_argument("--save-seconds", type=float, default=480)
    parser.add_argument("--keep-passes", type=int, default=20_000, help="how often weights are kept for a mean")
    parser.add_argument("--measure-passes", type=int, default=40_000, help="how often held-out figures are taken")
    return parser.parse_args()


if __name__ == "__main__":
    main()
