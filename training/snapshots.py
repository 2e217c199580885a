"""Weights kept along the way, so that a mean of the last ones can be measured and shipped."""

from pathlib import Path
from typing import Final

import torch
from torch import Tensor

from training.encoder import PairModel

KEPT: Final = 12


def write_snapshot(model: PairModel, folder: Path, passes: int) -> None:
    """The weights alone, under the number of passes they had; the oldest of more than KEPT go."""
    partial = folder / "snapshot.partial"
    torch.save(model.state_dict(), partial)
    partial.replace(folder / f"weights-{passes:08d}.pt")
    for path in list_snapshots(folder)[:-KEPT]:
        path.unlink()


def list_snapshots(folder: Path) -> list[Path]:
    return sorted(folder.glob("weights-*.pt"))


def average(paths: list[Path]) -> dict[str, Tensor]:
    """The mean of several snapshots, weight by weight."""
    total: dict[str, Tensor] = {}
    for path in paths:
        for name, weight in torch.load(path, weights_only=True).items():
            total[name] = total[name] + weight / len(paths) if name in total else weight / len(paths)
    return total


def read_weights(folder: Path, mean_of: int = 0) -> dict[str, Tensor]:
    """A run's weights as its checkpoint has them, or the mean of its last few snapshots."""
    if mean_of:
        return average(list_snapshots(folder)[-mean_of:])
    weights: dict[str, Tensor] = torch.load(folder / "checkpoint.pt", weights_only=True)["model"]
    return weights
