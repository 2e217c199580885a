"""The weights of an exported file as numbers again, to go on from where the floats are gone.

Each is what its byte stood for. The words stay as pretrained: they were never trained, and their floats are at hand.
"""

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from training.encoder import PairModel

_MATRICES = ("query", "key_value", "mixed", "widen", "narrow")


def load_shipped(model: PairModel, path: Path) -> None:
    """Put the exported weights into `model`; its word vectors are left alone."""
    named = {each.name: numpy_helper.to_array(each) for each in onnx.load(str(path)).graph.initializer}
    wanted = [f"layers.{layer}.{part}.weight" for layer in range(model.shape.layers) for part in _MATRICES]
    bytewise = [name.removesuffix("_quantized") for name in named if name.endswith("_quantized")]
    state: dict[str, Tensor] = {
        name: torch.from_numpy(value.copy()) for name, value in named.items() if name in model.state_dict()
    }
    for name, stored in zip([*wanted, "verdict.weight"], bytewise, strict=True):
        whole = named[f"{stored}_quantized"].astype("float32") - named[f"{stored}_zero_point"].astype("float32")
        state[name] = torch.from_numpy((whole * named[f"{stored}_scale"]).T.copy())
    missing = set(model.state_dict()) - set(state)
    if missing != {"embedding.word.weight"}:
        raise SystemExit(f"{path}: not an exported pair model; it lacks {', '.join(sorted(missing)[:3])}")
    model.load_state_dict(state, strict=False)
