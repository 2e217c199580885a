"""The trained model as an ONNX graph with weights of one byte each."""

import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from training.encoder import Embedding, PairModel

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUT = "logits"
_OPSET = 17
_TOP = 127


class ByteEmbedding(nn.Module):
    """Word vectors in one byte per value, with a scale of its own for every word.

    One scale for the whole table would be set by its rarest extreme and blur the common words.
    """

    def __init__(self, embedding: Embedding) -> None:
        super().__init__()
        words = embedding.word.weight.detach()
        scale = words.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / _TOP
        self.register_buffer("words", torch.round(words / scale).to(torch.int8))
        self.register_buffer("scale", scale)
        self.position, self.segment, self.norm = embedding.position, embedding.segment, embedding.norm

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        places = torch.arange(ids.shape[1], device=ids.device)
        word = self.words[ids].to(torch.float32) * self.scale[ids]
        normed: Tensor = self.norm(word + self.position(places).unsqueeze(0) + self.segment(segments))
        return normed


def write_graph(model: PairModel, path: Path) -> None:
    """Write `model` with free batch and length; the model itself is left with byte-wide word vectors."""
    model.embedding = ByteEmbedding(model.embedding)
    model.eval()
    ids = torch.tensor([[1, 2, 3, 4, 3], [1, 2, 3, 3, 0]])
    attention = (ids != 0).long()
    segments = torch.tensor([[0, 0, 0, 1, 1], [0, 0, 0, 1, 0]])
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "full.onnx"
        torch.onnx.export(
            model,
            (ids, attention, segments),
            str(full),
            input_names=list(INPUTS),
            output_names=[OUTPUT],
            dynamic_axes={**{name: {0: "batch", 1: "tokens"} for name in INPUTS}, OUTPUT: {0: "batch"}},
            opset_version=_OPSET,
            dynamo=False,
        )
        onnx.checker.check_model(str(full))
        # Seven bits: with eight, older processors overflow where newer ones do not, and would judge differently.
        quantize_dynamic(
            full,
            path,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
        )
