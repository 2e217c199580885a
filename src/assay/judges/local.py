"""Pair models from a folder or a model hub, in the embedded model's place: how they are found, asked and read."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import orjson

from assay.errors import InputError
from assay.judges.embedded.judge import Checker
from assay.judges.embedded.pair_model import Pair, PairModel, PairRater, Rating, open_session, softmax
from assay.judges.embedded.weights import find_version, load_uncalibrated, parse_calibration
from assay.models.hub import fetch_model

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

Run = Callable[["Encoding"], Sequence[float]]
_CHARACTERS_PER_TOKEN: Final = 8
_EXTRA: Final = "Install it with `pip install 'assay-judge[local]'`"
_CARD: Final = "model.json"
_CONFIG: Final = "config.json"
_TOKENIZER: Final = "tokenizer.json"
_CALIBRATION: Final = "calibration.json"
_HUB_NAME: Final = re.compile(r"[\w.-]+/[\w.-]+")
_UNCALIBRATED: Final = "uncalibrated"
# The order in which the built-in judge's own model gives its numbers.
_OWN_LABELS: Final = ["supported", "contradicted", "not_in_source"]
Head = Literal["classifier", "first_token", "decoder"]
_MEANINGS: Final[Mapping[str, re.Pattern[str]]] = {
    "contradicted": re.compile(r"contradict|refut"),
    "absent": re.compile(r"^(?:not|non|un|in)|neutral|hallucinat"),
    "supported": re.compile(r"entail|support|consistent|factual"),
}
_HHEM_FRAME: Final = (
    "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: ",
    "\n\nHypothesis: ",
)
# A model that is asked in one text keeps its claim in sight however long its source is.
_LONG_TOKENS: Final = 2_048
_USUAL_TOKENS: Final = 512


@dataclass(frozen=True, slots=True)
class Layout:
    """`frame` is the text before the premise and the text between premise and hypothesis.

    Without a text between them the token that ends a text stands there. No frame gives the tokenizer two texts.

    `labels` says what each number of the reply means. `tokens` are the vocabulary's places of a decoder's answers.
    """

    labels: tuple[str, ...]
    frame: tuple[str, str] | None = None
    head: Head = "classifier"
    tokens: tuple[int, ...] = ()
    max_tokens: int = _USUAL_TOKENS

    def read(self, logits: Sequence[float]) -> Rating:
        """A single number is the logit of support; a model with two labels knows no contradiction."""
        if len(self.labels) == 1:
            supported = 1 / (1 + exp(-max(-30.0, min(30.0, logits[0]))))
            return Rating(supported, 0.0, 1 - supported)
        known = dict(zip(self.labels, softmax(logits), strict=True))
        return Rating(known["supported"], known.get("contradicted", 0.0), known.get("absent", 0.0))


def find_layout(config: Mapping[str, Any], name: str, path: str) -> Layout:
    """By a model's config and name: HHEM, MiniCheck, or any classifier of pairs whose labels are named."""
    architecture = " ".join(map(str, config.get("architectures") or ()))
    kind, is_minicheck = str(config.get("model_type", "")), "minicheck" in name.lower()
    if "HHEM" in architecture + kind:
        return Layout(("absent", "supported"), _HHEM_FRAME, "first_token", max_tokens=_LONG_TOKENS)
    if is_minicheck and kind == "t5":
        # The pieces "" and "1", with which the family was trained to answer no and yes.
        return Layout(("absent", "supported"), ("predict: ", ""), "decoder", (3, 209), _LONG_TOKENS)
    if is_minicheck:
        tokens = _LONG_TOKENS if kind.startswith("deberta") else _USUAL_TOKENS
        return Layout(("absent", "supported"), ("", ""), max_tokens=tokens)
    if "ForSequenceClassification" not in architecture:
        remedy = "Name a sequence classifier of text pairs, or a model of the HHEM or MiniCheck family"
        raise InputError(
            f"{architecture or 'a model without architecture'} does not classify pairs of texts",
            path=path,
            remedy=remedy,
        )
    named: Any = config.get("id2label") or {}
    labels = tuple(str(named[key]) for key in sorted(named, key=int))
    return Layout(read_labels(labels, path), max_tokens=_find_max_tokens(config))


def read_labels(names: Sequence[str], path: str) -> tuple[str, ...]:
    """What labels mean by their names, in their order; a single one is support."""
    if len(names) == 1:
        return ("supported",)
    meanings = tuple(_find_meaning(name) for name in names)
    if "supported" not in meanings or None in meanings or len(set(meanings)) != len(meanings):
        remedy = 'Name them in `id2label` of config.json: {"0": "entailment", "1": "neutral", "2": "contradiction"}'
        listed = ", ".join(names) or "none"
        raise InputError(
            f"the model's labels don't say which one means entailment, neutral or contradiction: {listed}",
            path=path,
            remedy=remedy,
        )
    return tuple(meaning for meaning in meanings if meaning is not None)


def _find_meaning(name: str) -> str | None:
    lowered = name.lower()
    return next((meaning for meaning, words in _MEANINGS.items() if words.search(lowered)), None)


def _find_max_tokens(config: Mapping[str, Any]) -> int:
    most = config.get("max_position_embeddings")
    if not isinstance(most, int) or most < 1:
        return _USUAL_TOKENS
    # RoBERTa numbers its positions from two on.
    return most - 2 if "roberta" in str(config.get("model_type")) else most


class LocalModel:
    """Rates a premise that is too long in chunks; the one that supports most counts, as the families document it."""

    def __init__(self, run: Run, tokenizer: "Tokenizer", layout: Layout, eos: str) -> None:
        self._run = run
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._layout = layout
        self._eos = eos
        added = tokenizer.get_added_tokens_decoder().values()
        self._special = [each.content for each in added if each.special]

    def rate(self, pairs: Sequence[Pair]) -> list[Rating]:
        return [self._rate(*self._clean(pair)) for pair in pairs]

    def _clean(self, pair: Pair) -> Pair:
        """Without the signs that would end a text or begin another one, and no longer than could matter."""
        longest = _CHARACTERS_PER_TOKEN * self._layout.max_tokens
        texts = [pair.premise[:longest], pair.hypothesis[:longest]]
        for sign in self._special:
            texts = [text.replace(sign, " ") for text in texts]
        return Pair(*texts)

    def _rate(self, premise: str, hypothesis: str) -> Rating:
        [hypothesis, *_] = self._cut(hypothesis, self._layout.max_tokens // 2)
        free = self._layout.max_tokens - len(self._encode("", hypothesis).ids)
        chunks = self._cut(premise, max(1, free))
        ratings = [self._layout.read(self._run(self._encode(chunk, hypothesis))) for chunk in chunks]
        return max(ratings, key=lambda rating: rating.supported)

    def _cut(self, text: str, most: int) -> list[str]:
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        if len(offsets) <= most:
            return [text]
        # Cut again, a piece may have a token more than it had in its text.
        step = max(1, most - 2)
        return [
            text[offsets[at][0] : offsets[min(at + step, len(offsets)) - 1][1]] for at in range(0, len(offsets), step)
        ]

    def _encode(self, premise: str, hypothesis: str) -> "Encoding":
        if self._layout.frame is None:
            return self._tokenizer.encode(premise or " ", hypothesis or " ")
        before, between = self._layout.frame
        return self._tokenizer.encode(f"{before}{premise}{between or self._eos}{hypothesis}")


def open_onnx(path: Path) -> Run:
    import numpy as np

    session = open_session(str(path))
    wanted = [each.name for each in session.get_inputs()]

    def run(encoded: "Encoding") -> list[float]:
        rows = {"input_ids": encoded.ids, "attention_mask": encoded.attention_mask, "token_type_ids": encoded.type_ids}
        logits = session.run(None, {name: np.array([rows[name]], dtype=np.int64) for name in wanted})[0]
        return [float(each) for each in logits[0]]

    unknown = [name for name in wanted if name not in {"input_ids", "attention_mask", "token_type_ids"}]
    if unknown:
        remedy = "Export an encoder with a classifier, or give the model as safetensors"
        raise InputError(f"the model needs the input {unknown[0]}", path=str(path), remedy=remedy)
    return run


def require_torch() -> None:
    missing = next((name for name in ("torch", "transformers") if find_spec(name) is None), None)
    if missing is not None:
        raise InputError(f"{missing} is not installed, but is needed to read safetensors", remedy=_EXTRA)


def open_torch(folder: Path, layout: Layout) -> Run:
    """Weights in safetensors alone: other files of a model may run code, and so may a model's own modules."""
    import torch
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        model = _load(folder, layout, transformers)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        remedy = "Check that config.json and the safetensors files belong together"
        raise InputError(f"its weights can't be loaded: {error!s:.200}", path=str(folder), remedy=remedy) from None
    model.eval()
    takes_types = getattr(model.config, "type_vocab_size", 0) > 1

    def run(encoded: "Encoding") -> list[float]:
        inputs = {"input_ids": [encoded.ids], "attention_mask": [encoded.attention_mask]}
        inputs |= {"token_type_ids": [encoded.type_ids]} if takes_types else {}
        inputs |= {"decoder_input_ids": [[0]]} if layout.head == "decoder" else {}
        with torch.inference_mode():
            logits = model(**{name: torch.tensor(rows) for name, rows in inputs.items()}).logits[0]
        row = logits if layout.head == "classifier" else logits[0]
        return [float(each) for each in (row[list(layout.tokens)] if layout.tokens else row)]

    return run


def _load(folder: Path, layout: Layout, transformers: Any) -> Any:
    if layout.head == "first_token":
        return _load_hhem(folder, transformers)
    kind = "AutoModelForSeq2SeqLM" if layout.head == "decoder" else "AutoModelForSequenceClassification"
    return getattr(transformers, kind).from_pretrained(folder, local_files_only=True, use_safetensors=True)


def _load_hhem(folder: Path, transformers: Any) -> Any:
    """HHEM is an encoder of T5 with a classifier, wrapped in code of its own, which is not run.

    Its sizes are read from its weights, since its config names the model it was made from and no sizes.
    """
    from safetensors.torch import load_file

    weights: dict[str, Any] = {}
    for path in sorted(folder.glob("*.safetensors")):
        weights |= {name.removeprefix("t5."): tensor for name, tensor in load_file(path).items()}
    layer = "transformer.encoder.block.0.layer."
    heads = weights[f"{layer}0.SelfAttention.relative_attention_bias.weight"].shape[1]
    # The embedding is shared: it may be stored under either name.
    shared = weights.get("transformer.shared.weight")
    embedding = weights["transformer.encoder.embed_tokens.weight"] if shared is None else shared
    config = transformers.T5Config(
        vocab_size=embedding.shape[0],
        d_model=embedding.shape[1],
        d_kv=weights[f"{layer}0.SelfAttention.q.weight"].shape[0] // heads,
        d_ff=weights[f"{layer}1.DenseReluDense.wo.weight"].shape[1],
        num_layers=len({name.split(".")[3] for name in weights if name.startswith("transformer.encoder.block.")}),
        num_heads=heads,
        feed_forward_proj="gated-gelu",
        num_labels=weights["classifier.weight"].shape[0],
    )
    model = transformers.T5ForTokenClassification(config)
    for name in ("transformer.shared.weight", "transformer.encoder.embed_tokens.weight"):
        weights.setdefault(name, embedding)
    model.load_state_dict(weights)
    return model


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
        raise InputError("models of this family can't be read from ONNX", path=str(weights), remedy=remedy)
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
        raise InputError("this card does not describe a classifier of pairs of texts", path=str(path), remedy=remedy)
    return tokens


def _find_weights(folder: Path) -> Path:
    for pattern in ("*.onnx", "onnx/model.onnx", "*.safetensors"):
        found = sorted(folder.glob(pattern))
        if found:
            return found[0]
    remedy = "Save the model as safetensors or ONNX; other files may run code when they are loaded"
    raise InputError("the folder holds no weights", path=str(folder), remedy=remedy)


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
        raise InputError("is not a JSON object", path=str(path))
    return value


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        remedy = "A model's folder holds config.json, tokenizer.json and its weights"
        raise InputError(f"can't be read ({error.strerror})", path=str(path), remedy=remedy) from None
