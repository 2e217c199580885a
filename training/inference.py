"""A model's answers to many pairs, long ones together, without gradients."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from numpy.typing import NDArray

from training.encoder import PairModel
from training.measures import Accuracy, measure_by_origin
from training.pairs import Pair
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
