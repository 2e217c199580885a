"""The pair model: how far a premise supports a hypothesis, contradicts it, or does not speak of it."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import exp
from typing import TYPE_CHECKING, NamedTuple

from assay.judges.embedded.weights import MODEL, TOKENIZER, read_card, read_weights

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

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
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="assay-pair")

    def rate(self, pairs: Sequence[Pair]) -> list[Rating]:
        """Each pair by itself, two at a time.

        In a batch the byte-wide model takes the range of its numbers from all pairs at once, so that a rating would
        depend on its neighbours; and alone nothing is computed for padding, which makes it no slower.
        """
        encoded = self._tokenizer.encode_batch([_bounded(pair, 8 * self._max_tokens) for pair in pairs])
        return list(self._threads.map(self._rate_one, encoded))

    def _rate_one(self, encoded: "Encoding") -> Rating:
        import numpy as np

        rows = (encoded.ids, [1] * len(encoded.ids), encoded.type_ids)
        inputs = {name: np.array([row], dtype=np.int64) for name, row in zip(_INPUTS, rows, strict=True)}
        (logits,) = self._session.run(None, inputs)[0]
        return Rating(*_softmax([float(each) for each in logits]))


_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


@cache
def load_pair_model() -> PairModel:
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(read_weights(MODEL), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_buffer(read_weights(TOKENIZER))
    return PairModel(session, tokenizer, read_card().max_tokens)


def _bounded(pair: Pair, characters: int) -> tuple[str, str]:
    """No more than could matter: a source without a full stop may run to megabytes."""
    return pair.premise[:characters] or " ", pair.hypothesis[:characters] or " "


def _softmax(logits: Sequence[float]) -> list[float]:
    grown = [exp(each - max(logits)) for each in logits]
    return [each / sum(grown) for each in grown]
