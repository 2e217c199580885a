"""The pair model: how far a premise supports a hypothesis, contradicts it, or does not speak of it."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import blake2b
from math import exp
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from assay.judges.embedded.weights import MODEL, TOKENIZER, read_card, read_weights

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

_THREADS: Final = 2
_MOST_REMEMBERED: Final = 50_000
_COMMON: Final = 10_000
"""The vocabulary lists words by how often they are met: up to here those that texts on any subject share."""
_INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids")


class Pair(NamedTuple):
    premise: str
    hypothesis: str


class Rating(NamedTuple):
    """Three probabilities that add up to one."""

    supported: float
    contradicted: float
    absent: float


class PairRater(Protocol):
    """Any model of pairs in the embedded one's place."""

    def rate(self, pairs: Sequence[Pair]) -> list[Rating]: ...


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
        return Rating(*softmax([float(each) for each in logits]))


@cache
def load_pair_model() -> PairModel:
    return PairModel(open_session(read_weights(MODEL)), _load_tokenizer(), read_card().max_tokens)


def open_session(model: bytes | str) -> "InferenceSession":
    """From a file's content or its path."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def is_rare(word: str) -> bool:
    """Whether a word is rare in English, or not in the model's vocabulary as one piece."""
    encoded = _load_tokenizer().encode(word, add_special_tokens=False)
    pieces: list[int] = encoded.ids
    # The sign for what cannot be spelt stands among the first of the vocabulary, as if it were met often.
    return len(pieces) != 1 or pieces[0] > _COMMON or encoded.tokens[0] == "[UNK]"


@cache
def _load_tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer

    return Tokenizer.from_buffer(read_weights(TOKENIZER))


def _bounded(pair: Pair, characters: int) -> tuple[str, str]:
    """No more than could matter: a source without a full stop may run to megabytes."""
    return pair.premise[:characters] or " ", pair.hypothesis[:characters] or " "


def softmax(logits: Sequence[float]) -> list[float]:
    grown = [exp(each - max(logits)) for each in logits]
    return [each / sum(grown) for each in grown]


class PairQueue:
    """Rates pairs in one thread, one record after the other. What was rated is remembered: metrics share claims."""

    def __init__(self, load: Callable[[], PairRater]) -> None:
        self._load = load
        self._known: dict[bytes, Rating] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="assay-pairs")

    async def rate(self, pairs: Sequence[Pair]) -> list[Rating]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._rate_unknown, pairs)

    def close(self) -> None:
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _rate_unknown(self, pairs: Sequence[Pair]) -> list[Rating]:
        if len(self._known) > _MOST_REMEMBERED:
            self._known.clear()
        keys = [_digest(pair) for pair in pairs]
        unknown = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self._known}
        if unknown:
            self._known |= zip(unknown, self._rate(list(unknown.values())), strict=True)
        return [self._known[key] for key in keys]

    def _rate(self, pairs: list[Pair]) -> list[Rating]:
        return self._load().rate(pairs)


def _digest(pair: Pair) -> bytes:
    digest = blake2b(pair.premise.encode("utf-8", "surrogatepass"), digest_size=16)
    digest.update(b"\0" + pair.hypothesis.encode("utf-8", "surrogatepass"))
    return digest.digest()
