"""What a wrong answer costs: three-way for pairs with a three-way label, supported-or-not for the rest."""

import torch
from torch import Tensor
from torch.nn import functional

from training.pairs import Label

SMOOTHING = 0.05


def measure_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """The sum over rows; a row labelled not supported costs the negative logarithm of one minus p(supported)."""
    logs = functional.log_softmax(logits, dim=-1)
    known = labels != int(Label.NOT_SUPPORTED)
    target = labels.clamp(max=int(Label.NOT_IN_SOURCE))
    chosen = logs.gather(1, target.unsqueeze(1)).squeeze(1)
    three_way = -(1 - SMOOTHING) * chosen - SMOOTHING * logs.mean(dim=-1)
    unsupported = torch.logsumexp(logs[:, int(Label.CONTRADICTED) :], dim=-1)
    two_way = -(1 - SMOOTHING) * unsupported - SMOOTHING * logs[:, int(Label.SUPPORTED)]
    return torch.where(known, three_way, two_way).sum()
