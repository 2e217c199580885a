"""The pair model: how far a premise supports a hypothesis, contradicts it, or does not speak of it."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import blake2b
from itertools import chain
from math import exp
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from assay.judges.embedded.weights import MODEL, TOKENIZER, read_card, read_weights

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

_THREADS: Final = 2
_AT_ONCE: Final = 4  # A sixth faster than one by one; more are no faster.
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
    """Loaded on first use. Its threads are bounded, whatever the machine has.

    `at_once` pairs are rated in one call, padded to the longest. More than one is for models that compute in floats: if
    numbers are quantised, their range is taken from all pairs of a call, and a rating depends on the others.
    """

    def __init__(self, session: "InferenceSession", tokenizer: "Tokenizer", max_tokens: int, at_once: int = 1) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        # The premise is nearly always the longer one, and gives way first.
        self._tokenizer.enable_truncation(max_tokens, strategy="longest_first")
        self._max_tokens = max_tokens
        self._at_once = at_once
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="assay-pair")

    def rate(self, pairs: Sequence[Pair]) -> list[Rating]:
        """Pairs of similar length together, so that little is computed for padding; each thread has its share."""
        most = 8 * self._max_tokens  # No more could matter: a source without a full stop may run to megabytes.
        texts = [(pair.premise[:most] or " ", pair.hypothesis[:most] or " ") for pair in pairs]
        encoded = self._tokenizer.encode_batch(texts)
        order = sorted(range(len(pairs)), key=lambda place: len(encoded[place].ids))
        size = max(1, min(self._at_once, -(-len(pairs) // _THREADS)))
        batches = [[encoded[place] for place in order[at : at + size]] for at in range(0, len(order), size)]
        rated = chain.from_iterable(self._threads.map(self._rate_batch, batches))
        return [rating for _, rating in sorted(zip(order, rated, strict=True))]

    def _rate_batch(self, batch: Sequence["Encoding"]) -> list[Rating]:
        import numpy as np

        inputs = np.zeros((len(_INPUTS), len(batch), max(len(each.ids) for each in batch)), dtype=np.int64)
        for row, each in enumerate(batch):
            inputs[:, row, : len(each.ids)] = each.ids, each.attention_mask, each.type_ids
        logits = self._session.run(None, dict(zip(_INPUTS, inputs, strict=True)))[0]
        return [Rating(*softmax(row)) for row in logits.tolist()]


@cache
def load_pair_model() -> PairModel:
    return PairModel(open_session(read_weights(MODEL)), _load_tokenizer(), read_card().max_tokens, at_once=_AT_ONCE)


def open_session(model: bytes | str) -> "InferenceSession":
    """Opens a model given as a file's content or as its path."""
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
            self._known |= zip(unknown, self._load().rate(list(unknown.values())), strict=True)
        return [self._known[key] for key in keys]


def _digest(pair: Pair) -> bytes:
    digest = blake2b(pair.premise.encode("utf-8", "surrogatepass"), digest_size=16)
    digest.update(b"\0" + pair.hypothesis.encode("utf-8", "surrogatepass"))
    return digest.digest()
