"""A model's answers to many pairs, long ones together, without gradients."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.encoder import PairModel
from training.measures import Accuracy, measure_by_origin
from training.pairs import Label, Pair
from training.tokens import TokenPairs

_BATCH = 64


def answer(model: PairModel, data: TokenPairs, threads: int = 1) -> NDArray[np.float32]:
    """The three probabilities of every row, in the order of the rows; batches are shared out among threads."""
    out = np.zeros((len(data), 3), np.float32)
    order = sorted(range(len(data)), key=data.length_at)

    def answer_rows(rows: list[int]) -> None:
        ids, attention, segments = (torch.from_numpy(part) for part in data.pad(rows))
        with torch.inference_mode():
            out[rows] = torch.softmax(model(ids, attention, segments), dim=-1).numpy()

    with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        list(pool.map(answer_rows, (order[start : start + _BATCH] for start in range(0, len(order), _BATCH))))
    return out


def measure_answers(pairs: list[Pair], answers: NDArray[np.float32]) -> dict[str, Accuracy]:
    """Accuracy by origin; a pair counts as supported where support is likelier than one half."""
    best = [int(row) for row in answers.argmax(axis=1)]
    supported = [bool(row > 0.5) for row in answers[:, 0]]
    return dict(
        measure_by_origin([pair.origin for pair in pairs], [int(pair.label) for pair in pairs], best, supported)
    )


def load_batch(data: TokenPairs, rows: Sequence[int]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    ids, attention, segments = (torch.from_numpy(part) for part in data.pad(rows))
    return ids, attention, segments, torch.from_numpy(data.labels[list(rows)].astype(np.int64))


@torch.no_grad()
def measure(model: nn.Module, data: TokenPairs) -> float:
    """The share of labels that the model gets right, in per cent; for *not supported* either other label is right."""
    model.eval()
    rows = sorted(range(len(data)), key=data.length_at)
    right = 0
    for start in range(0, len(rows), 64):
        ids, attention, segments, labels = load_batch(data, rows[start : start + 64])
        with torch.autocast("cpu", torch.bfloat16):
            said = model(ids, attention, segments).argmax(-1)
        is_unsupported = (labels == int(Label.NOT_SUPPORTED)) & (said != int(Label.SUPPORTED))
        right += int(((said == labels) | is_unsupported).sum())
    model.train()
    return round(100 * right / len(rows), 1)
