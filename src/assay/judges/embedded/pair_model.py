"""The pair model: how far a premise supports a hypothesis, contradicts it, or does not speak of it."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.judges.embedded.weights import MODEL, TOKENIZER, read_card, read_weights

if TYPE_CHECKING:
    import numpy as np
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_BATCH_PAIRS = 32
_THREADS = 2


class Pair(NamedTuple):
    premise: str
    hypothesis: str


class Rating(NamedTuple):
    """Three probabilities that add up to one."""

    supported: float
    contradicted: float
    absent: float


class PairModel:
    """Loaded on first use. Its threads are bounded, whatever the machine has."""

    def __init__(self, session: "InferenceSession", tokenizer: "Tokenizer", max_tokens: int) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        # The premise is nearly always the longer one, and gives way first.
        self._tokenizer.enable_truncation(max_tokens, strategy="longest_first")
        self._max_tokens = max_tokens

    def rate(self, pairs: Sequence[Pair]) -> list[Rating]:
        """In batches of like length, so that little is computed for padding."""
        encoded = self._tokenizer.encode_batch([_bounded(pair, 8 * self._max_tokens) for pair in pairs])
        order = sorted(range(len(pairs)), key=lambda position: len(encoded[position].ids))
        ratings: dict[int, Rating] = {}
        for positions in _chunks(order):
            logits = self._run([encoded[position] for position in positions])
            for position, row in zip(positions, _softmax(logits), strict=True):
                ratings[position] = Rating(*(float(value) for value in row))
        return [ratings[position] for position in range(len(pairs))]

    def _run(self, batch: Sequence[Any]) -> "np.ndarray[Any, Any]":
        import numpy as np

        length = max(len(each.ids) for each in batch)
        inputs = {name: np.zeros((len(batch), length), dtype=np.int64) for name in _INPUTS}
        for row, each in enumerate(batch):
            size = len(each.ids)
            inputs["input_ids"][row, :size] = each.ids
            inputs["token_type_ids"][row, :size] = each.type_ids
            inputs["attention_mask"][row, :size] = 1
        logits: np.ndarray[Any, Any] = self._session.run(None, inputs)[0]
        return logits


_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


@cache
def load_pair_model() -> PairModel:
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads would take the processor from the event loop while they wait for nothing.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(read_weights(MODEL), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_buffer(read_weights(TOKENIZER))
    return PairModel(session, tokenizer, read_card().max_tokens)


def _bounded(pair: Pair, characters: int) -> tuple[str, str]:
    """No more than could matter: a source without a full stop may run to megabytes."""
    return pair.premise[:characters] or " ", pair.hypothesis[:characters] or " "


def _chunks(order: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(order), _BATCH_PAIRS):
        yield order[start : start + _BATCH_PAIRS]


def _softmax(logits: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    import numpy as np

    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    ratio: np.ndarray[Any, Any] = shifted / shifted.sum(axis=1, keepdims=True)
    return ratio
