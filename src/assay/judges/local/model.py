"""A pair model from a folder: its text is laid out as its family wants it, in pieces that fit."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from assay.errors import InputError
from assay.judges.embedded.pair_model import Pair, Rating, open_session
from assay.judges.local.layouts import Layout

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

Run = Callable[["Encoding"], Sequence[float]]
_CHARACTERS_PER_TOKEN: Final = 8
_EXTRA: Final = "Install the extra: `pip install assay[local]`"


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
        raise InputError(f"it wants the input {unknown[0]}", path=str(path), remedy=remedy)
    return run


def require_torch() -> None:
    missing = next((name for name in ("torch", "transformers") if find_spec(name) is None), None)
    if missing is not None:
        raise InputError(f"{missing} is not installed, which reads a model from safetensors", remedy=_EXTRA)


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
