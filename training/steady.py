"""A run without an end: a level rate, a checkpoint every five minutes, the mean of recent weights measured as it goes.

    python -m training.steady --name steady                        begins from the shipped weights, or goes on from its
                                                                   last checkpoint
    python -m training.steady --name steady-a --cool-of steady     another run's rate falls to nothing, to land weights

What is drawn depends on the number of the chunk alone, so a run that was stopped goes on with the pairs it would have
seen. SIGTERM ends it after the step in hand, with a checkpoint.
"""

import argparse
import fcntl
import json
import random
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

import torch
from torch import Tensor

from training.holdout import SEED, SIZES, Split, split_pairs
from training.inference import load_batch, measure
from training.loss import measure_loss
from training.modern import FACTS, MODERN, read_fact_twins, read_modern
from training.pairs import Label, Pair, read_pairs
from training.places import PAIRS, WORK
from training.shipped import load_shipped
from training.tokens import TokenPairs, build_token_pairs, read_tokenizer
from training.twins import ORIGIN as MADE
from training.twins import TwinMaker
from training.weights import build_model, fetch_pretrained
from training.windows import build_neighbours, set_among_others

SHARES: Final[Mapping[str, float]] = MappingProxyType(
    {
        "mnli": 12, "mnli_ni": 26, "vitaminc": 22, "wanli_part": 8, "snli": 3, "snli_ni": 4, "cad_nli": 3, "med": 2,
        "conjnli": 3, "rte_ni": 1, "scitail_ni": 1, "qasc_ni": 0.5, "paws_ni": 3, "breaking_nli": 0.5,
        "fever": 3, "fever_nli": 3, "fever_symmetric": 0.5, "fm2": 2, "infotabs": 2, "evidence_inference": 1,
        "factscore_atomic": 3, "factcg_cg2c": 1, "factcheckgpt": 0.5, "clapnq": 1, "q2_wow": 0.3,
        "faithdial_audit": 0.5, "wikisplit": 2, "onestop": 3, "cochrane_pls": 2, "scitldr": 1, "qmsum": 1,
        "aci_bench": 1, "mts_dialog": 1,
        MADE: 30, MODERN: 10, FACTS: 150,
    }
)  # fmt: skip
"""Entailment, facts, and twins: how often each set is drawn, as parts of their sum."""
_MADE_TWINS: Final = 100_000
"""How many pairs that differ by one fact are made from the others by rule."""
_MEASURED: Final = ("mnli", "vitaminc", "wanli_part", "fm2", "factscore_atomic", "paws_ni", MODERN, FACTS)
_SHIPPED: Final = Path("src/assay/weights/pair-model.onnx")
_CHUNK: Final = 24
_COOL_PASSES: Final = 30_000
_SAVE_SECONDS: Final = 300
_RISE_STEPS: Final = 200
_MEAN_DECAY: Final = 0.998
"""Of the running mean of weights, step by step: it stands for the last five hundred."""


@dataclass(frozen=True, slots=True)
class Material:
    """All pairs to draw from, the rows of each set, and the held-out pairs by set."""

    data: TokenPairs
    rows: Mapping[str, Sequence[int]]
    others: Mapping[int, Sequence[int]]
    """For a row those that differ from it by their answer and little else."""
    held: Mapping[str, TokenPairs]


def read_split() -> Split:
    """All pairs whose licences let weights be shipped, in what is trained on and what is held out."""
    return split_pairs([*read_pairs(*PAIRS), *read_modern(), *read_fact_twins()], SIZES, SEED)


def read_material() -> Material:
    tokenizer = read_tokenizer(fetch_pretrained(WORK / "pretrained").tokenizer)
    split = read_split()
    maker = TwinMaker(split.train, SEED)
    made = [maker.draw() for _ in range(_MADE_TWINS)]
    neighbours = build_neighbours(split.train)
    chosen = [set_among_others(pair, neighbours, SEED) for pair in (*split.train, *made) if pair.origin in SHARES]
    rows: dict[str, list[int]] = {}
    for row, pair in enumerate(chosen):
        rows.setdefault(pair.origin, []).append(row)
    held = {name: [pair for pair in split.held_out if pair.origin == name] for name in _MEASURED}
    return Material(
        build_token_pairs(tokenizer, chosen),
        rows,
        find_others(chosen),
        {name: build_token_pairs(tokenizer, pairs) for name, pairs in held.items() if pairs},
    )


def find_others(pairs: Sequence[Pair]) -> dict[int, list[int]]:
    """For an invented claim its twins; for another pair those with its premise or its claim and another label."""
    sets: dict[object, list[int]] = {}
    right = 0
    for row, pair in enumerate(pairs):
        if pair.origin in (MODERN, FACTS):
            # A claim as it should be comes first, then the same with one thing wrong.
            right = row if pair.label == Label.SUPPORTED else right
            if pairs[right].premise == pair.premise:
                sets.setdefault((right, "twin"), []).append(row)
        else:
            sets.setdefault((pair.origin, pair.premise), []).append(row)
            sets.setdefault((pair.origin, pair.hypothesis, "claim"), []).append(row)
    others: dict[int, list[int]] = {}
    for same in sets.values():
        for row in same:
            unlike = [other for other in same if pairs[other].label != pairs[row].label]
            if unlike:
                others.setdefault(row, []).extend(unlike)
    return others


def draw_chunk(material: Material, number: int, batch: int) -> Iterator[list[int]]:
    """The batches of a chunk, rows of like length together, most beside one that differs from them by little.

    What both have in common then cancels out, and a step learns from what differs.
    """
    rng = random.Random(f"{SEED}:{number}")  # noqa: S311  # reproducible, not secret
    names = sorted(material.rows)
    shares = [SHARES[name] for name in names]
    drawn: list[list[int]] = []
    while sum(map(len, drawn)) < batch * _CHUNK:
        (name,) = rng.choices(names, shares)
        row = rng.choice(material.rows[name])
        unlike = material.others.get(row)
        drawn.append([row, rng.choice(unlike)] if unlike else [row])
    drawn.sort(key=lambda rows: max(map(material.data.length_at, rows)))
    rows = [row for together in drawn for row in together]
    batches = [rows[start : start + batch] for start in range(0, len(rows), batch)]
    rng.shuffle(batches)
    yield from batches


class SteadyRun:
    """A model on its way, with its optimiser, the mean of its recent weights, and how far it has come."""

    def __init__(self, folder: Path, options: argparse.Namespace, material: Material) -> None:
        self._folder = folder
        self._options = options
        self._material = material
        self.model = build_model(fetch_pretrained(folder.parent / "pretrained"), SEED)
        if not options.bare:
            load_shipped(self.model, _SHIPPED)
        for weight in (self.model.embedding.word.weight, self.model.embedding.position.weight):
            weight.requires_grad = False
        moving = [weight for weight in self.model.parameters() if weight.requires_grad]
        groups = [
            {"params": [weight for weight in moving if weight.dim() > 1], "weight_decay": 0.01},
            {"params": [weight for weight in moving if weight.dim() == 1], "weight_decay": 0.0},
        ]
        self._optimizer = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), fused=True)
        self.mean = {name: weight.clone() for name, weight in self.model.state_dict().items()}
        self.passes = self.step = self.chunk = 0
        self.losses: list[float] = []

    @property
    def checkpoint(self) -> Path:
        return self._folder / "checkpoint.pt"

    def walk_chunk(self, share: float = 1.0) -> None:
        """`share` is that of the level rate."""
        for rows in draw_chunk(self._material, self.chunk, self._options.batch):
            rate = self._options.rate * min(1.0, (self.step + 1) / _RISE_STEPS) * share
            for group in self._optimizer.param_groups:
                group["lr"] = rate
            ids, attention, segments, labels = load_batch(self._material.data, rows)
            with torch.autocast("cpu", torch.bfloat16, enabled=not self._options.float32):
                logits = self.model(ids, attention, segments)
            loss = measure_loss(logits.float(), labels) / len(rows)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self._optimizer.step()
            self._optimizer.zero_grad()
            self._follow()
            self.losses.append(loss.item())
            self.step += 1
            self.passes += len(rows)
        self.chunk += 1

    @torch.no_grad()
    def _follow(self) -> None:
        for name, weight in self.model.named_parameters():
            if weight.requires_grad:
                self.mean[name].lerp_(weight, 1 - _MEAN_DECAY)

    def measure(self) -> dict[str, float]:
        """By the mean weights, which are what a landing would be close to."""
        now: dict[str, Tensor] = {name: weight.clone() for name, weight in self.model.state_dict().items()}
        self.model.load_state_dict(self.mean)
        found = {name: measure(self.model, pairs) for name, pairs in self._material.held.items()}
        self.model.load_state_dict(now)
        return found

    def save(self) -> None:
        """Written beside the old one, then renamed: a crash leaves one whole checkpoint, never half of one."""
        state = {
            "model": self.model.state_dict(),
            "mean": self.mean,
            "optimizer": self._optimizer.state_dict(),
            "progress": (self.passes, self.step, self.chunk),
        }
        partial = self.checkpoint.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self.checkpoint)

    def resume(self, path: Path) -> None:
        state = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.mean = state["mean"]
        self._optimizer.load_state_dict(state["optimizer"])
        self.passes, self.step, self.chunk = state["progress"]


def main() -> None:
    options = _read_options()
    torch.set_num_threads(options.threads)
    folder = WORK / options.name
    folder.mkdir(parents=True, exist_ok=True)
    lock = (folder / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"{folder}: another process is at this run") from None
    run = SteadyRun(folder, options, read_material())
    begun_from = (
        run.checkpoint if run.checkpoint.exists() else options.cool_of and WORK / options.cool_of / "checkpoint.pt"
    )
    if begun_from:
        run.resume(begun_from)
    _train(run, options, folder / "log.jsonl")


def _train(run: SteadyRun, options: argparse.Namespace, log: Path) -> None:
    stopped = False

    def stop(_number: int, _frame: object) -> None:
        nonlocal stopped
        stopped = True

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, stop)
    _write(log, event="start", passes=run.passes, rate=options.rate, batch=options.batch, bare=options.bare)
    if not run.passes:
        _write(log, passes=0, **run.measure())
    saved = measured = time.monotonic()
    begun, before = time.monotonic(), run.passes
    end = run.passes + (options.passes or _COOL_PASSES) if options.cool_of or options.passes else None
    first = run.passes
    while not stopped and (end is None or run.passes < end):
        run.walk_chunk((end - run.passes) / (end - first) if end and options.cool_of else 1.0)
        now = time.monotonic()
        if now - saved > _SAVE_SECONDS:
            run.save()
            saved = now
        if now - measured > options.measure_seconds:
            speed = (run.passes - before) / (now - begun)
            loss = sum(run.losses) / len(run.losses)
            _write(log, passes=run.passes, loss=round(loss, 4), passes_per_s=round(speed, 1), **run.measure())
            run.losses.clear()
            begun = measured = time.monotonic()
            before = run.passes
    run.save()
    _write(log, event="stopped" if stopped else "finished", passes=run.passes, **({} if stopped else run.measure()))


def _write(log: Path, **fields: object) -> None:
    row = {"time": datetime.now(UTC).isoformat(timespec="seconds"), **fields}
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", default="steady", help="the run's name, and its folder's")
    parser.add_argument("--cool-of", help="the run to take as it is now, and end by a fall of its rate")
    parser.add_argument("--passes", type=int, help="end after so many; a fall of the rate takes 30,000 by itself")
    parser.add_argument(
        "--bare", action="store_true", help="begin from the pretrained encoder, not from what is shipped"
    )
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--float32", action="store_true", help="where the processor has no short floats")
    parser.add_argument("--threads", type=int, default=2, help="one where other work has the other core")
    parser.add_argument("--measure-seconds", type=float, default=900)
    return parser.parse_args()


if __name__ == "__main__":
    main()
