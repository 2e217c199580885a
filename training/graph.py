"""The trained model as an ONNX graph: weights of one byte each, computed with as 32-bit floats.

A matrix is stored as bytes with one scale per output, a word vector as bytes with a scale of its own: one scale for a
whole table would be set by its rarest extreme. The graph turns the matrices into floats by `Cast` and `Mul`, which
onnxruntime computes once, when it loads the file. Nothing is quantised while it answers: a last digit that differs from
one processor to another would be rounded to another byte, and the answers would drift apart.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from training.encoder import PairModel, Shape

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUT = "logits"
BYTES, SCALE = ".bytes", ".scale"
WORDS = "embedding.word.weight"
_OPSET, _FORMAT = 17, 8
_TOP = 127
_NEVER = -1e9
"""Added to the weight of a padded place, so that nothing attends to it."""

Array = NDArray[np.generic]


def write_graph(model: PairModel, path: Path) -> None:
    """Write `model` with free batch and length."""
    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    write_stored(store_as_bytes(state), model.shape, path)


def store_as_bytes(state: Mapping[str, NDArray[np.float32]]) -> dict[str, Array]:
    """Each word vector and each matrix as bytes with their scales; a matrix by input and output, as ONNX multiplies."""
    stored: dict[str, Array] = {}
    for name, value in state.items():
        if name == WORDS or (value.ndim == 2 and not name.startswith("embedding.")):
            matrix = value if name == WORDS else value.T
            scale = np.abs(matrix).max(axis=1 if name == WORDS else 0, keepdims=True).clip(1e-8) / np.float32(_TOP)
            stored[name + BYTES], stored[name + SCALE] = np.rint(matrix / scale).astype(np.int8), scale
        else:
            stored[name] = value
    return stored


def write_stored(stored: Mapping[str, Array], shape: Shape, path: Path) -> None:
    """Write weights that are stored as bytes already."""
    graph = _Graph(stored, shape)
    graph.add_model()
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in INPUTS]
    output = helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["batch", shape.outputs])
    kept = [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in graph.values.items()]
    made = helper.make_model(
        helper.make_graph(graph.nodes, "pair-model", inputs, [output], kept),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_FORMAT,
    )
    onnx.checker.check_model(made, full_check=True)
    onnx.save(made, str(path))


class _Graph:
    """Nodes in the order of computing. Every value is known by the name of the node that makes it."""

    def __init__(self, stored: Mapping[str, Array], shape: Shape) -> None:
        self.values = dict(stored)
        self.shape = shape
        self.nodes: list[onnx.NodeProto] = []

    def add(self, operator: str, *inputs: str | Array, name: str | None = None, **settings: object) -> str:
        name = name or f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, [self._name(each) for each in inputs], [name], **settings))
        return name

    def _name(self, value: str | Array) -> str:
        if isinstance(value, str):
            return value
        name = f"constant_{value.dtype}_{'_'.join(str(each) for each in value.ravel())}_{value.ndim}"
        self.values[name] = value
        return name

    def add_model(self) -> None:
        """The first token of the last layer alone is computed: it is what the verdict is read from."""
        ids, attention, segments = INPUTS
        state = self._embed(ids, segments)
        padded = self.add("Sub", np.float32(1), self.add("Cast", attention, to=TensorProto.FLOAT))
        mask = self.add("Unsqueeze", self.add("Mul", padded, np.float32(_NEVER)), np.array([1, 2]))
        for number in range(self.shape.layers - 1):
            state = self._layer(f"layers.{number}.", state, state, mask)
        first = self.add("Slice", state, np.array([0]), np.array([1]), np.array([1]))
        first = self._layer(f"layers.{self.shape.layers - 1}.", first, state, mask)
        self._linear("verdict.", self.add("Squeeze", first, np.array([1])), name=OUTPUT)

    def _embed(self, ids: str, segments: str) -> str:
        words = self.add("Cast", self.add("Gather", WORDS + BYTES, ids), to=TensorProto.FLOAT)
        words = self.add("Mul", words, self.add("Gather", WORDS + SCALE, ids))
        length = self.add("Gather", self.add("Shape", ids), np.array([1]))
        places = self.add("Slice", "embedding.position.weight", np.array([0]), length)
        summed = self.add(
            "Add", self.add("Add", words, places), self.add("Gather", "embedding.segment.weight", segments)
        )
        return self._normalise("embedding.norm.", summed)

    def _layer(self, layer: str, asking: str, read: str, mask: str) -> str:
        size = self.shape.width // self.shape.heads
        heads = np.array([0, 0, self.shape.heads, size])
        query = self.add("Mul", self._linear(f"{layer}query.", asking), np.float32(size**-0.5))
        query = self.add("Transpose", self.add("Reshape", query, heads), perm=[0, 2, 1, 3])
        pair = self._linear(f"{layer}key_value.", read)
        key, value = f"{layer}key", f"{layer}value"
        self.nodes.append(helper.make_node("Split", [pair], [key, value], axis=2))
        key = self.add("Transpose", self.add("Reshape", key, heads), perm=[0, 2, 3, 1])
        value = self.add("Transpose", self.add("Reshape", value, heads), perm=[0, 2, 1, 3])
        weights = self.add("Softmax", self.add("Add", self.add("MatMul", query, key), mask), axis=-1)
        seen = self.add("Transpose", self.add("MatMul", weights, value), perm=[0, 2, 1, 3])
        seen = self.add("Reshape", seen, np.array([0, 0, self.shape.width]))
        middle = self._normalise(f"{layer}mixed_norm.", self.add("Add", asking, self._linear(f"{layer}mixed.", seen)))
        widened = self._gelu(self._linear(f"{layer}widen.", middle))
        return self._normalise(
            f"{layer}narrow_norm.", self.add("Add", middle, self._linear(f"{layer}narrow.", widened))
        )

    def _linear(self, part: str, read: str, name: str | None = None) -> str:
        matrix = self.add("Cast", f"{part}weight{BYTES}", to=TensorProto.FLOAT)
        matrix = self.add("Mul", matrix, f"{part}weight{SCALE}")
        return self.add("Add", self.add("MatMul", read, matrix), f"{part}bias", name=name)

    def _gelu(self, read: str) -> str:
        grown = self.add("Add", self.add("Erf", self.add("Div", read, np.float32(2**0.5))), np.float32(1))
        return self.add("Mul", self.add("Mul", read, grown), np.float32(0.5))

    def _normalise(self, part: str, read: str) -> str:
        weight, bias = f"{part}weight", f"{part}bias"
        return self.add("LayerNormalization", read, weight, bias, axis=-1, epsilon=self.shape.epsilon)
