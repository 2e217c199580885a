"""Find the pairs a trained model gets wrong: `python -m training.mine`, for a further run that sees them more.

They are drawn as training draws them, twins and other made pairs among them, but by another seed. The file it writes
has the form of the training pairs and goes to a second run as `--mistakes`. A pair that the model
gets wrong with near certainty is left out: with sets labelled by crowds that is more often a wrong label than a lesson.
"""

import argparse
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from training.encoder import PairModel
from training.holdout import SEED, SIZES, split_pairs
from training.inference import answer
from training.mixture import Mixture, read_known
from training.pairs import Label, Pair
from training.places import PAIRS, WORK
from training.plan import SHARD
from training.snapshots import read_weights
from training.tokens import build_token_pairs, read_tokenizer
from training.windows import build_neighbours

_HOPELESS: Final = 0.03
_NAMES: Final = ("supported", "contradicted", "neutral", "not_supported")


def choose_mistakes(pairs: Sequence[Pair], answers: NDArray[np.float32]) -> list[Pair]:
    """Pairs whose label got less than half of the probability, but not next to none of it."""
    chosen = []
    for pair, row in zip(pairs, answers, strict=True):
        two_way = pair.label == Label.NOT_SUPPORTED
        given = float(1 - row[0] if two_way else row[int(pair.label)])
        if _HOPELESS < given < 0.5:
            chosen.append(pair)
    return chosen


def write_pairs(pairs: Sequence[Pair], path: Path) -> None:
    """Pairs as gzipped JSON lines, readable as training pairs."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for pair in pairs:
            row = {
                "premise": pair.premise,
                "hypothesis": pair.hypothesis,
                "label": _NAMES[pair.label],
                "origin": pair.origin,
                "group": pair.group.removeprefix(f"{pair.origin}:"),
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    options = _read_options()
    torch.set_num_threads(1)
    run = WORK / options.name
    model = PairModel()
    model.load_state_dict(read_weights(run, options.mean_of))
    mixture = draw_mixture(options.pairs or PAIRS, options.seed, options.draw_seed)
    sample = [pair for _ in range(-(-options.sample // SHARD)) for pair in mixture.draw_shard(SHARD)]
    tokens = build_token_pairs(read_tokenizer(WORK / "pretrained" / "tokenizer.json"), sample)
    mistakes = choose_mistakes(sample, answer(model, tokens))
    write_pairs(mistakes, run / "mistakes.jsonl.gz")
    print(f"{len(mistakes):,} of {len(sample):,} pairs: {run / 'mistakes.jsonl.gz'}")  # noqa: T201  # the answer


def draw_mixture(paths: Sequence[Path], seed: int, draw_seed: int) -> Mixture:
    """What a run may learn from, in its shares; `seed` holds out what it held out."""
    train = split_pairs(read_known(*paths), SIZES, seed).train
    return Mixture(train, build_neighbours(train), draw_seed)


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, nargs="+")
    parser.add_argument("--name", default="pair-model", help="the run whose mistakes to find")
    parser.add_argument("--mean-of", type=int, default=0, help="ask the mean of so many snapshots")
    parser.add_argument("--sample", type=int, default=40_000, help="how many pairs to ask about")
    parser.add_argument("--seed", type=int, default=SEED, help="as in the run: what is held out")
    parser.add_argument("--draw-seed", type=int, default=SEED + 7, help="other than in the run: what is drawn")
    return parser.parse_args()


if __name__ == "__main__":
    main()
