"""A step that learns mostly from the pairs that still teach: all go forward, those already known seldom go backward.

How much a row can change the weights is bounded by the gradient at its three outputs. A row below `KNOWN` goes backward
by a chance in proportion to it, and then counts for as many as were left out, so that the mean gradient stays what it
was. Two thirds of a step's work lie in going backward. Autograd can't drop rows halfway, so that way is written out.
"""

from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.encoder import Layer, PairModel
from training.loss import measure_loss

KNOWN: Final = 0.5
LEAST: Final = 0.1
"""The chance of a row whose answer is as good as certain."""
_aten: Final[Any] = torch.ops.aten
_attend: Final[Any] = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu  # noqa: SLF001  # what torch calls too
_attend_backward: Final[Any] = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward  # noqa: SLF001  # the same
_ALL: Final = [True, True, True]


def step_back(model: PairModel, batch: tuple[Tensor, Tensor | None, Tensor, Tensor], total: int, chance: int) -> float:
    """Leave gradients in the model as `loss.backward()` would, up to chance; the loss over all rows comes back."""
    ids, attention, segments, labels = batch
    with torch.no_grad():
        logits, kept = _forward(model, ids, attention, segments)
    outputs = logits.requires_grad_()
    loss = measure_loss(outputs, labels) / total
    (slope,) = torch.autograd.grad(loss, outputs)
    norms = slope.norm(dim=1) * total
    chances = (norms / KNOWN).clamp(LEAST, 1.0)
    drawn = torch.from_numpy(np.random.default_rng(chance).random(len(labels), np.float32))
    rows = (drawn < chances).nonzero().squeeze(1)
    if len(rows):
        with torch.no_grad():
            _backward(model, kept, rows, (slope / chances.unsqueeze(1))[rows])
    return float(loss.detach())


def _forward(
    model: PairModel, ids: Tensor, attention: Tensor | None, segments: Tensor
) -> tuple[Tensor, list[list[Tensor]]]:
    mask = torch.ones(ids.shape) if attention is None else attention
    mask = torch.zeros(mask.shape).masked_fill_(mask == 0, float("-inf"))[:, None, None, :]
    places = torch.arange(ids.shape[1])
    embedding = model.embedding
    summed = embedding.word(ids) + embedding.position(places).unsqueeze(0) + embedding.segment(segments)
    state, *spread = _norm(embedding.norm, summed)
    kept = [[summed, *spread, segments, mask]]
    for layer in model.layers[:-1]:
        state, parts = _layer_forward(layer, state, state, mask)
        kept.append(parts)
    first, parts = _layer_forward(model.layers[-1], state[:, :1], state, mask)
    kept += [parts, [first[:, 0]]]
    return model.verdict(first[:, 0]), kept


def _layer_forward(layer: Layer, asking: Tensor, read: Tensor, mask: Tensor) -> tuple[Tensor, list[Tensor]]:
    count, width = read.shape[0], read.shape[2]
    size = width // layer.heads
    query = layer.query(asking).view(count, -1, layer.heads, size).transpose(1, 2)
    pair = layer.key_value(read).view(count, -1, 2, layer.heads, size)
    key, value = pair[:, :, 0].transpose(1, 2), pair[:, :, 1].transpose(1, 2)
    seen, logsum = _attend(query, key, value, 0.0, False, attn_mask=mask)
    flat = seen.transpose(1, 2).reshape(count, -1, width)
    before = layer.mixed(flat).add_(asking)
    middle, *spread = _norm(layer.mixed_norm, before)
    wide = layer.widen(middle)
    bent = functional.gelu(wide)
    last = layer.narrow(bent).add_(middle)
    out, *last_spread = _norm(layer.narrow_norm, last)
    return out, [read, query, key, value, seen, logsum, before, *spread, middle, wide, bent, last, *last_spread]


def _backward(model: PairModel, kept: list[list[Tensor]], rows: Tensor, slope: Tensor) -> None:
    (first,) = (part[rows] for part in kept[-1])
    summed, mean, spread, segments, mask = (part[rows] for part in kept[0])
    _leave(model.verdict, slope, first)
    back = _layer_backward(model.layers[-1], [p[rows] for p in kept[-2]], mask, (slope @ model.verdict.weight)[:, None])
    for layer, parts in zip(reversed(model.layers[:-1]), reversed(kept[1:-2]), strict=True):
        back = _layer_backward(layer, [part[rows] for part in parts], mask, back)
    back = _norm_backward(model.embedding.norm, back, summed, mean, spread)
    weight = model.embedding.segment.weight
    found = torch.zeros_like(weight)
    for segment in range(len(weight)):
        found[segment] = (back * (segments == segment).unsqueeze(2)).sum(dim=(0, 1))
    _add(weight, found)


def _layer_backward(layer: Layer, parts: list[Tensor], mask: Tensor, back: Tensor) -> Tensor:
    read, query, key, value, seen, logsum, before, mean, spread, middle, wide, bent, last, last_mean, last_spread = (
        parts
    )
    count, width = read.shape[0], read.shape[2]
    asking = read[:, : query.shape[2]]
    back = _norm_backward(layer.narrow_norm, back, last, last_mean, last_spread)
    _leave(layer.narrow, back, bent)
    inner = _aten.gelu_backward(back @ layer.narrow.weight, wide)
    _leave(layer.widen, inner, middle)
    back = torch.addmm(back.flatten(0, 1), inner.flatten(0, 1), layer.widen.weight).view_as(back)
    back = _norm_backward(layer.mixed_norm, back, before, mean, spread)
    _leave(layer.mixed, back, seen.transpose(1, 2).reshape(count, -1, width))
    from_seen = (back @ layer.mixed.weight).view(count, -1, layer.heads, width // layer.heads).transpose(1, 2)
    ways = _attend_backward(from_seen, query, key, value, seen, logsum, 0.0, False, attn_mask=mask)
    to_query = ways[0].transpose(1, 2).reshape(count, -1, width)
    to_pair = torch.stack([way.transpose(1, 2) for way in ways[1:]], dim=2).reshape(count, -1, 2 * width)
    _leave(layer.query, to_query, asking)
    _leave(layer.key_value, to_pair, read)
    out = to_pair @ layer.key_value.weight
    out[:, : query.shape[2]] += back + to_query @ layer.query.weight
    return out


def _norm(norm: nn.LayerNorm, read: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    out: tuple[Tensor, Tensor, Tensor] = torch.native_layer_norm(
        read, norm.normalized_shape, norm.weight, norm.bias, norm.eps
    )
    return out


def _norm_backward(norm: nn.LayerNorm, back: Tensor, read: Tensor, mean: Tensor, spread: Tensor) -> Tensor:
    out, weight, bias = _aten.native_layer_norm_backward(
        back.contiguous(), read, norm.normalized_shape, mean, spread, norm.weight, norm.bias, _ALL
    )
    _add(norm.weight, weight)
    _add(norm.bias, bias)
    return out  # type: ignore[no-any-return]


def _leave(linear: nn.Linear, back: Tensor, read: Tensor) -> None:
    flat = back.reshape(-1, back.shape[-1])
    _add(linear.weight, flat.t() @ read.reshape(-1, read.shape[-1]))
    _add(linear.bias, flat.sum(dim=0))


def _add(weight: Tensor, found: Tensor) -> None:
    weight.grad = found if weight.grad is None else weight.grad.add_(found)
