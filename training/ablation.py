"""Short runs on entailment pairs that differ in one choice each: what holds the pair model's learning back.

    python -m training.ablation --name base
    python -m training.ablation --name mean --pooling mean

Each run begins from the bare encoder, sees the same short pairs of MultiNLI and VitaminC in the same order, and lets
its rate fall to nothing at its end. The curve goes to $ASSAY_TRAINING/ablations/NAME.jsonl.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import Final

import torch
from torch import Tensor, nn

from training.encoder import PairModel
from training.holdout import SEED, SIZES, split_pairs
from training.inference import load_batch, measure
from training.loss import measure_loss
from training.pairs import Label, Pair, read_pairs
from training.places import PAIRS, WORK
from training.tokens import build_token_pairs, read_tokenizer
from training.weights import build_model, fetch_pretrained

_MAX_TOKENS: Final = 96
_ORIGINS: Final = ("mnli", "mnli_ni", "vitaminc")
_CHUNK: Final = 24
"""Batches whose rows are drawn together and sorted by length, so that little is padding."""
_MEASURED: Final = 2000


@dataclass(frozen=True, slots=True)
class Choice:
    """What one run does; each run but the first changes one of these."""

    name: str
    passes: int
    pooling: str
    words: bool
    batch: int
    rate: float
    decay: float
    relabelled: bool
    bfloat16: bool
    deep: bool
    smoothing: bool


class Classifier(nn.Module):
    """The encoder with the pooling and the head of a choice."""

    def __init__(self, encoder: PairModel, choice: Choice) -> None:
        super().__init__()
        self.encoder = encoder
        self.pooling = choice.pooling
        width = encoder.shape.width * {"first": 1, "mean": 1, "texts": 4}[choice.pooling]
        out = nn.Linear(width, encoder.shape.outputs)
        nn.init.normal_(out.weight, std=0.02)
        nn.init.zeros_(out.bias)
        if choice.deep:
            inner = nn.Linear(width, encoder.shape.width)
            out = nn.Linear(encoder.shape.width, encoder.shape.outputs)
            self.head: nn.Module = nn.Sequential(inner, nn.GELU(), out)
        else:
            self.head = out

    def forward(self, ids: Tensor, attention: Tensor, segments: Tensor) -> Tensor:
        mask = attention[:, None, None, :].to(torch.bool)
        state = self.encoder.embedding(ids, segments)
        for layer in self.encoder.layers:
            state = layer(state, state, mask)
        logits: Tensor = self.head(self._pool(state, attention, segments))
        return logits

    def _pool(self, state: Tensor, attention: Tensor, segments: Tensor) -> Tensor:
        if self.pooling == "first":
            return state[:, 0]
        if self.pooling == "mean":
            return _mean(state, attention)
        premise, claim = _mean(state, attention * (1 - segments)), _mean(state, attention * segments)
        return torch.cat([premise, claim, (premise - claim).abs(), premise * claim], dim=-1)


def _mean(state: Tensor, weights: Tensor) -> Tensor:
    share = weights.to(state.dtype).unsqueeze(-1)
    return (state * share).sum(1) / share.sum(1).clamp(min=1)


def draw_batches(rows: Sequence[int], lengths: Sequence[int], size: int, rng: random.Random) -> Iterator[list[int]]:
    """Without end: whole epochs in a new order each, cut into batches of rows of like length."""
    while True:
        order = list(rows)
        rng.shuffle(order)
        for start in range(0, len(order), size * _CHUNK):
            chunk = sorted(order[start : start + size * _CHUNK], key=lambda row: lengths[row])
            batches = [chunk[place : place + size] for place in range(0, len(chunk), size)]
            rng.shuffle(batches)
            yield from batches


def _group(model: Classifier, choice: Choice) -> list[dict[str, object]]:
    """Parameters by layer, lower layers at a lower rate where the choice asks for it."""
    depth = len(model.encoder.layers)
    groups = []
    for name, weight in model.named_parameters():
        if not weight.requires_grad:
            continue
        level = depth if name.startswith("head") else 0
        if name.startswith("encoder.layers."):
            level = int(name.split(".")[2])
        rate = choice.rate * choice.decay ** (depth - level)
        groups.append({"params": [weight], "peak": rate, "lr": rate, "weight_decay": 0.01 if weight.dim() > 1 else 0.0})
    return groups


def _is_short(pair: Pair) -> bool:
    return len(pair.premise) + len(pair.hypothesis) < 5 * _MAX_TOKENS


def run(choice: Choice) -> None:
    """One run from the bare encoder to a rate of nothing, its curve written as it goes."""
    torch.manual_seed(SEED)
    pretrained = fetch_pretrained(WORK / "pretrained")
    tokenizer = read_tokenizer(pretrained.tokenizer)
    split = split_pairs(read_pairs(*PAIRS), SIZES, SEED)
    chosen = [pair for pair in split.train if pair.origin in _ORIGINS and _is_short(pair)]
    if not choice.relabelled:
        chosen = [pair for pair in chosen if pair.label is not Label.NOT_SUPPORTED]
    data = build_token_pairs(tokenizer, chosen)
    held = {
        origin: build_token_pairs(tokenizer, [p for p in split.held_out if p.origin == origin][:_MEASURED])
        for origin in ("mnli", "vitaminc")
    }
    model = Classifier(build_model(pretrained, SEED), choice)
    if not choice.words:
        model.encoder.embedding.word.weight.requires_grad = False
        model.encoder.embedding.position.weight.requires_grad = False
    optimizer = torch.optim.AdamW(_group(model, choice), betas=(0.9, 0.98), fused=True)
    folder = WORK / "ablations"
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{choice.name}.jsonl"
    with log.open("a") as out:
        out.write(json.dumps({"choice": asdict(choice), "pairs": len(chosen)}) + "\n")
    passes, step, losses, begun, spent = 0, 0, [], time.monotonic(), 0.0
    steps = math.ceil(choice.passes / choice.batch)
    marks = [choice.passes * k // 6 for k in range(1, 7)]
    for rows in draw_batches(range(len(data)), data.lengths, choice.batch, random.Random(SEED)):  # noqa: S311  # an order of pairs, no secret
        share = min(1.0, (step + 1) / (0.08 * steps)) * max(0.0, 1 - step / steps)
        for group in optimizer.param_groups:
            group["lr"] = group["peak"] * share
        ids, attention, segments, labels = load_batch(data, rows)
        with torch.autocast("cpu", torch.bfloat16) if choice.bfloat16 else nullcontext():
            logits = model(ids, attention, segments)
        if choice.smoothing:
            loss = measure_loss(logits.float(), labels) / len(rows)
        else:
            loss = nn.functional.cross_entropy(logits.float(), labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        passes, step = passes + len(rows), step + 1
        if passes >= marks[0]:
            spent += time.monotonic() - begun
            row = {
                "passes": passes,
                "loss": round(sum(losses) / len(losses), 4),
                "passes_per_s": round(passes / spent, 1),
            }
            row |= {origin: measure(model, pairs) for origin, pairs in held.items()}
            with log.open("a") as out:
                out.write(json.dumps(row) + "\n")
            losses, begun = [], time.monotonic()
            marks.pop(0)
            if not marks:
                break
    torch.save(model.state_dict(), folder / f"{choice.name}.pt")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", required=True)
    parser.add_argument("--passes", type=int, default=36_000)
    parser.add_argument("--pooling", choices=("first", "mean", "texts"), default="first")
    parser.add_argument("--words", action="store_true", help="train word and position vectors too")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--decay", type=float, default=1.0, help="rate of a layer against the one above it")
    parser.add_argument("--without-relabelled", dest="relabelled", action="store_false")
    parser.add_argument("--float32", dest="bfloat16", action="store_false")
    parser.add_argument("--deep", action="store_true", help="a hidden layer before the output")
    parser.add_argument("--without-smoothing", dest="smoothing", action="store_false")
    arguments = parser.parse_args()
    torch.set_num_threads(2)
    run(Choice(**vars(arguments)))


if __name__ == "__main__":
    main()
