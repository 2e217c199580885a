"""The pair model: a six-layer BERT encoder over premise and hypothesis, with three outputs read at its first token."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the pretrained encoder; every one of them is fixed by its weights."""

    vocabulary: int = 30522
    positions: int = 512
    width: int = 384
    heads: int = 12
    layers: int = 6
    inner: int = 1536
    outputs: int = 3
    epsilon: float = 1e-12


class Embedding(nn.Module):
    """Word, position and segment vectors, summed and normalised."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.word = nn.Embedding(shape.vocabulary, shape.width)
        self.position = nn.Embedding(shape.positions, shape.width)
        self.segment = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        places = torch.arange(ids.shape[1], device=ids.device)
        summed = self.word(ids) + self.position(places).unsqueeze(0) + self.segment(segments)
        normed: Tensor = self.norm(summed)
        return normed


class Layer(nn.Module):
    """Attention, then a two-layer network; each adds to what it read and normalises after."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.query = nn.Linear(shape.width, shape.width)
        self.key_value = nn.Linear(shape.width, 2 * shape.width)
        self.mixed = nn.Linear(shape.width, shape.width)
        self.mixed_norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.widen = nn.Linear(shape.width, shape.inner)
        self.narrow = nn.Linear(shape.inner, shape.width)
        self.narrow_norm = nn.LayerNorm(shape.width, eps=shape.epsilon)

    def forward(self, asking: Tensor, read: Tensor, mask: Tensor | None) -> Tensor:
        """`asking` are the places to compute, `read` all places: the last layer asks for the first token alone."""
        batch, width = read.shape[0], read.shape[2]
        size = width // self.heads
        query = self.query(asking).view(batch, -1, self.heads, size).transpose(1, 2)
        pair = self.key_value(read).view(batch, -1, 2, self.heads, size)
        key, value = pair[:, :, 0].transpose(1, 2), pair[:, :, 1].transpose(1, 2)
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        seen = seen.transpose(1, 2).reshape(batch, -1, width)
        middle = self.mixed_norm(asking + self.mixed(seen))
        out: Tensor = self.narrow_norm(middle + self.narrow(functional.gelu(self.widen(middle))))
        return out


class PairModel(nn.Module):
    """Logits for supported, contradicted and not_in_source, in that order."""

    def __init__(self, shape: Shape | None = None) -> None:
        super().__init__()
        self.shape = shape or Shape()
        self.embedding = Embedding(self.shape)
        self.layers = nn.ModuleList(Layer(self.shape) for _ in range(self.shape.layers))
        self.verdict = nn.Linear(self.shape.width, self.shape.outputs)

    def forward(self, ids: Tensor, attention: Tensor | None, segments: Tensor) -> Tensor:
        """`attention` is one for a token and nought for padding, or None where no row is padded."""
        mask = None if attention is None else attention[:, None, None, :].to(torch.bool)
        state = self.embedding(ids, segments)
        for layer in self.layers[:-1]:
            state = layer(state, state, mask)
        first = self.layers[-1](state[:, :1], state, mask)
        logits: Tensor = self.verdict(first[:, 0])
        return logits
