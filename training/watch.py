"""How well a model ranks labelled summaries while it learns: the sets that mixtures are chosen on, and no others."""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.pairs import Label, Pair


@dataclass(frozen=True, slots=True)
class Watched:
    """Pairs of a claim and a window of its source, with their sets, outputs and claims; the truth of each output."""

    pairs: list[Pair]
    claims: list[tuple[str, str, int]]
    truth: Mapping[tuple[str, str], bool]


def read_watched(path: Path) -> Watched:
    """What bench/watched_pairs.py wrote; nothing where it has not."""
    watched = Watched([], [], {})
    if not path.exists():
        return watched
    truth: dict[tuple[str, str], bool] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            watched.pairs.append(Pair(row["premise"], row["hypothesis"], Label.SUPPORTED, row["set"], row["output"]))
            watched.claims.append((row["set"], row["output"], row["claim"]))
            truth[row["set"], row["output"]] = row["truth"]
    return Watched(watched.pairs, watched.claims, truth)


def rank_outputs(watched: Watched, answers: NDArray[np.float32]) -> dict[str, float]:
    """Of each set the AUC, an output being as good as the mean of its least supported claim and of all its claims."""
    best: dict[tuple[str, str, int], float] = {}
    for claim, row in zip(watched.claims, answers, strict=True):
        best[claim] = max(best.get(claim, 0.0), float(row[0]))
    outputs: dict[tuple[str, str], list[float]] = {}
    for (name, output, _), support in best.items():
        outputs.setdefault((name, output), []).append(support)
    figures = {}
    for name in sorted({name for name, _ in outputs}):
        mine = [
            (min(found) + sum(found) / len(found), watched.truth[key])
            for key, found in outputs.items()
            if key[0] == name
        ]
        figures[name] = round(measure_auc([score for score, _ in mine], [right for _, right in mine]), 4)
    return figures


def measure_auc(scores: Sequence[float], right: Sequence[bool]) -> float:
    """How often a right one is above a wrong one; ties count half."""
    good = np.array([score for score, is_right in zip(scores, right, strict=True) if is_right])
    bad = np.array([score for score, is_right in zip(scores, right, strict=True) if not is_right])
    above = (good[:, None] > bad).mean() + (good[:, None] == bad).mean() / 2
    return float(above)
