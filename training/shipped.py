"""The weights of an exported file as numbers again, to go on from where the floats are gone.

Each is what its byte stood for. The words stay as pretrained: they were never trained, and their floats are at hand.
"""

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper

from training.encoder import PairModel
from training.graph import BYTES, SCALE, WORDS


def load_shipped(model: PairModel, path: Path) -> None:
    """Put the exported weights into `model`; its word vectors are left alone."""
    named = {each.name: numpy_helper.to_array(each) for each in onnx.load(str(path)).graph.initializer}
    state = {name: torch.from_numpy(value.copy()) for name, value in named.items() if name in model.state_dict()}
    for name in [each.removesuffix(BYTES) for each in named if each.endswith(BYTES)]:
        if name != WORDS:
            state[name] = torch.from_numpy((named[name + BYTES] * named[name + SCALE]).T.copy())
    missing = set(model.state_dict()) - set(state)
    if missing != {WORDS}:
        raise SystemExit(f"{path}: not an exported pair model; it lacks {', '.join(sorted(missing)[:3])}")
    model.load_state_dict(state, strict=False)
