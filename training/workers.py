"""Two half-batches at once, each on one core: one meeting per step instead of one per matrix product.

Threads inside a product wait for each other hundreds of times a step, which on a busy machine costs more than the
product. Here each worker has its own gradients over shared weights, and they are added in a fixed order.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

from training.encoder import PairModel
from training.selective import step_back
from training.tokens import TokenPairs


def freeze_words(model: PairModel) -> None:
    """Word and position vectors stay as pretrained: half of all weights, and the dearest ones to update."""
    model.embedding.word.weight.requires_grad_(requires_grad=False)
    model.embedding.position.weight.requires_grad_(requires_grad=False)


class Workers:
    """Replicas of a model that share its weights and hold gradients of their own."""

    def __init__(self, model: PairModel, count: int) -> None:
        torch.set_num_threads(1)
        self.model = model
        self._replicas = [model] + [_share(model) for _ in range(count - 1)]
        self._pool = ThreadPoolExecutor(count, initializer=torch.set_num_threads, initargs=(1,))

    def compute_gradients(self, data: TokenPairs, rows: Sequence[int]) -> float:
        """Leave the mean gradient over `rows` in the model's weights; the mean loss comes back."""
        count = len(self._replicas)
        parts = [list(rows[worker::count]) for worker in range(count)]
        jobs = [
            self._pool.submit(_backward, replica, data, part, len(rows))
            for replica, part in zip(self._replicas, parts, strict=True)
            if part
        ]
        loss = sum(job.result() for job in jobs)
        for replica in self._replicas[1:]:
            for ours, theirs in zip(self.model.parameters(), replica.parameters(), strict=True):
                if theirs.grad is not None and ours.grad is not None:
                    ours.grad.add_(theirs.grad)
                    theirs.grad = None
        return loss

    def close(self) -> None:
        self._pool.shutdown()


def _share(model: PairModel) -> PairModel:
    with torch.device("meta"):
        replica = PairModel(model.shape)
    for module, twin in zip(model.modules(), replica.modules(), strict=True):
        for name, weight in module.named_parameters(recurse=False):
            shared = nn.Parameter(weight.detach(), requires_grad=weight.requires_grad)
            setattr(twin, name, shared)
    return replica


def _backward(model: PairModel, data: TokenPairs, rows: list[int], total: int) -> float:
    ids, attention, segments = data.pad(rows)
    padded = None if attention.all() else torch.from_numpy(attention)
    labels = torch.from_numpy(data.labels[rows].astype("int64"))
    batch = (torch.from_numpy(ids), padded, torch.from_numpy(segments), labels)
    return step_back(model, batch, total, chance=rows[0])
