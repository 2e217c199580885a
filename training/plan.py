"""The whole run laid out beforehand: every batch in order, with the held-out pairs that watch over it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
from tokenizers import Tokenizer

from training.buckets import build_batches
from training.holdout import CORRUPTION_PAIRS, SIZES, split_pairs
from training.mixture import Mixture, draw_made, read_known
from training.pairs import Label, Pair, read_pairs
from training.sentences import focus
from training.tokens import TokenPairs, build_token_pairs, join_token_pairs
from training.trainer import Plan
from training.windows import build_neighbours

SHARD: Final = 4096


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides a plan; two recipes that are equal make equal plans from the same file."""

    pairs: tuple[Path, ...]
    passes: int
    seed: int
    batch: int = 32
    slice_pairs: int | None = None
    mistakes: Path | None = None
    draw_seed: int | None = None
    """Draws other pairs than an earlier run did, while `seed` goes on holding out the same ones."""

    @property
    def drawn_by(self) -> int:
        return self.seed if self.draw_seed is None else self.draw_seed


@dataclass(frozen=True, slots=True)
class Layout:
    """A plan, and the held-out pairs in text and in tokens."""

    plan: Plan
    held_out: list[Pair]
    held_out_tokens: TokenPairs
    trained_pairs: int


def build_layout(recipe: Recipe, tokenizer: Tokenizer) -> Layout:
    """Read, split, mix, corrupt, count tokens and cut batches; a slice takes its part of every origin."""
    pairs = read_known(*recipe.pairs)
    sizes = dict(SIZES)
    corruptions = CORRUPTION_PAIRS
    if recipe.slice_pairs is not None:
        step = max(1, len(pairs) // recipe.slice_pairs)
        pairs = pairs[::step]
        sizes = {name: max(20, size // step) for name, size in sizes.items()}
        corruptions = max(20, corruptions // step)
    split = split_pairs(pairs, sizes, recipe.seed)
    neighbours = build_neighbours(split.train)
    mistakes = read_pairs(recipe.mistakes) if recipe.mistakes else ()
    mixture = Mixture(split.train, neighbours, recipe.drawn_by, mistakes)
    shards = (mixture.draw_shard(SHARD) for _ in range(-(-recipe.passes // SHARD)))
    plan = _build_plan(shards, tokenizer, recipe)
    held_neighbours = build_neighbours(split.held_out)
    held_out = [focus(pair) for pair in split.held_out]
    held_out += draw_made(split.held_out, held_neighbours, corruptions, recipe.seed + 2)
    return Layout(plan, held_out, build_token_pairs(tokenizer, held_out), len(split.train))


def write_layout(layout: Layout, folder: Path) -> None:
    """Keep a layout beside its checkpoint: a run goes on with the pairs it began with, even if a rule changes since."""
    folder.mkdir(parents=True, exist_ok=True)
    plan, held = layout.plan, layout.held_out_tokens
    sizes = np.asarray([len(batch) for batch in plan.batches], np.int32)
    partial = folder / "partial.npz"
    np.savez(
        partial,
        ids=plan.data.ids, starts=plan.data.starts, firsts=plan.data.firsts, labels=plan.data.labels,
        order=np.asarray([row for batch in plan.batches for row in batch], np.int64), sizes=sizes,
        held_ids=held.ids, held_starts=held.starts, held_firsts=held.firsts, held_labels=held.labels,
        about=np.frombuffer(json.dumps(_describe(layout)).encode(), np.uint8),
    )  # fmt: skip
    partial.replace(folder / "layout.npz")


def _describe(layout: Layout) -> dict[str, object]:
    texts = [[pair.premise, pair.hypothesis, int(pair.label), pair.origin, pair.group] for pair in layout.held_out]
    return {"fingerprint": layout.plan.fingerprint, "trained_pairs": layout.trained_pairs, "held_out": texts}


def read_layout(folder: Path) -> Layout:
    """A layout as it was kept."""
    with np.load(folder / "layout.npz") as kept:
        about = json.loads(kept["about"].tobytes())
        data = TokenPairs(kept["ids"], kept["starts"], kept["firsts"], kept["labels"])
        tokens = TokenPairs(kept["held_ids"], kept["held_starts"], kept["held_firsts"], kept["held_labels"])
        ends = np.cumsum(kept["sizes"])
        batches = [part.tolist() for part in np.split(kept["order"], ends[:-1])]
    held_out = [Pair(row[0], row[1], Label(row[2]), row[3], row[4]) for row in about["held_out"]]
    return Layout(Plan(data, batches, about["fingerprint"]), held_out, tokens, about["trained_pairs"])


def _build_plan(shards: Iterable[Sequence[Pair]], tokenizer: Tokenizer, recipe: Recipe) -> Plan:
    """Batches are cut within a shard, so any stretch of the plan holds the same mixture."""
    parts: list[TokenPairs] = []
    batches: list[list[int]] = []
    start = 0
    for number, shard in enumerate(shards):
        part = build_token_pairs(tokenizer, shard)
        cut = build_batches(part.lengths, recipe.batch, recipe.drawn_by + number)
        batches.extend([start + index for index in batch] for batch in cut)
        parts.append(part)
        start += len(shard)
    data = join_token_pairs(parts)
    return Plan(data, batches, fingerprint(data, batches))


def fingerprint(data: TokenPairs, batches: Sequence[Sequence[int]]) -> str:
    """A short name for exactly this first shard's tokens and order; later shards follow from the same seed."""
    first = min(len(data), SHARD)
    digest = blake2b(digest_size=8)
    digest.update(data.ids[: int(data.starts[first])].tobytes())
    rows = [index for batch in batches for index in batch if index < first]
    digest.update(np.asarray(rows, np.int64).tobytes())
    return digest.hexdigest()
