"""What stands in a model's folder, and the checker that is made of it."""

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from assay.errors import InputError
from assay.judges.embedded.judge import Checker
from assay.judges.embedded.pair_model import PairModel, PairRater, open_session
from assay.judges.embedded.weights import find_version, load_uncalibrated, parse_calibration
from assay.judges.local.layouts import find_layout
from assay.judges.local.model import LocalModel, open_onnx, open_torch, require_torch
from assay.models.hub import fetch_model

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_CARD: Final = "model.json"
_CONFIG: Final = "config.json"
_TOKENIZER: Final = "tokenizer.json"
_CALIBRATION: Final = "calibration.json"
_HUB_NAME: Final = re.compile(r"[\w.-]+/[\w.-]+")
_UNCALIBRATED: Final = "uncalibrated"
# The order in which the built-in judge's own model gives its numbers.
_OWN_LABELS: Final = ["supported", "contradicted", "not_in_source"]


def open_checker(name: str) -> Checker:
    """A folder, or a model of the hub. The weights are loaded at the first pair, and looked for now."""
    folder = Path(name).expanduser()
    if not folder.is_dir():
        if not _HUB_NAME.fullmatch(name):
            remedy = "Write local:FOLDER, or local:OWNER/NAME for a model of the hub"
            raise InputError("there is no such folder", path=str(folder), remedy=remedy)
        folder = fetch_model(name)
    weights = _find_weights(folder)
    calibration = folder / _CALIBRATION
    read = parse_calibration(_read(calibration)) if calibration.is_file() else None
    version = _digest(folder, weights)
    flags = () if read is not None else (_UNCALIBRATED,)
    name = Path(name).name
    return Checker(f"local:{name}:{version}", _prepare(folder, weights, name), read or load_uncalibrated(), flags)


def _prepare(folder: Path, weights: Path, name: str) -> Callable[[], PairRater]:
    """Loads the model when it is called; what is wrong with its description is found before."""
    tokenizer = _load_tokenizer(folder)
    if (folder / _CARD).is_file():
        tokens = _read_own_card(folder / _CARD, weights)
        return lambda: PairModel(open_session(str(weights)), tokenizer, tokens)
    path = folder / _CONFIG
    config = _read_json(path)
    layout = find_layout(config, f"{name} {config.get('_name_or_path', '')}", str(path))
    is_onnx = weights.suffix == ".onnx"
    if is_onnx and layout.head != "classifier":
        remedy = "Give the model as safetensors"
        raise InputError("a model of this family is not read from ONNX", path=str(weights), remedy=remedy)
    if not is_onnx:
        require_torch()
    eos = _find_eos(folder)
    open_run = partial(open_onnx, weights) if is_onnx else partial(open_torch, folder, layout)
    return lambda: LocalModel(open_run(), tokenizer, layout, eos)


def _read_own_card(path: Path, weights: Path) -> int:
    """The longest pair of a model of the kind that is shipped."""
    card = _read_json(path)
    tokens = card.get("max_tokens")
    if card.get("labels") != _OWN_LABELS or not isinstance(tokens, int) or weights.suffix != ".onnx":
        remedy = f"Describe an ONNX model with the labels {', '.join(_OWN_LABELS)}, or give a config.json in its place"
        raise InputError("this card describes no pair model", path=str(path), remedy=remedy)
    return tokens


def _find_weights(folder: Path) -> Path:
    for pattern in ("*.onnx", "onnx/model.onnx", "*.safetensors"):
        found = sorted(folder.glob(pattern))
        if found:
            return found[0]
    remedy = "Save the model as safetensors or ONNX; other files may run code when they are loaded"
    raise InputError("it holds no weights", path=str(folder), remedy=remedy)


def _load_tokenizer(folder: Path) -> "Tokenizer":
    from tokenizers import Tokenizer

    path = folder / _TOKENIZER
    if not path.is_file():
        remedy = "Save the fast tokenizer beside the weights; HHEM uses that of the model it was made from (foundation)"
        raise InputError("there is no tokenizer", path=str(path), remedy=remedy)
    return Tokenizer.from_buffer(_read(path))


def _find_eos(folder: Path) -> str:
    """The sign that ends a text, as the tokenizer's config names it."""
    path = folder / "tokenizer_config.json"
    named = _read_json(path).get("eos_token") if path.is_file() else None
    eos = named.get("content") if isinstance(named, dict) else named
    return eos if isinstance(eos, str) else "</s>"


def _digest(folder: Path, weights: Path) -> str:
    """Of every file that an answer depends on, and of the rules beside the model."""
    digest = hashlib.sha256(find_version().encode())
    shards = sorted(folder.glob("*.safetensors")) if weights.suffix == ".safetensors" else [weights]
    for path in (*shards, *(folder / name for name in (_CARD, _CONFIG, _TOKENIZER, _CALIBRATION))):
        if path.is_file():
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:8]


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        value = orjson.loads(_read(path))
    except orjson.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error}", path=str(path)) from None
    if not isinstance(value, dict):
        raise InputError("is no JSON object", path=str(path))
    return value


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        remedy = "A model's folder holds config.json, tokenizer.json and its weights"
        raise InputError(f"can't be read ({error.strerror})", path=str(path), remedy=remedy) from None
