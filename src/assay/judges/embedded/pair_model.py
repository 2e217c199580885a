"""The pair model: how far a premise supports a hypothesis, contradicts it, or does not speak of it.

A queue before it collects the pairs of many records into few batches.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import blake2b
from math import exp
from typing import TYPE_CHECKING, Final, NamedTuple

from assay.judges.embedded.weights import MODEL, TOKENIZER, read_card, read_weights

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

_THREADS: Final = 2
_MOST_REMEMBERED: Final = 50_000
_MOST_IN_A_BATCH: Final = 256
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


def _softmax(logits: Sequence[float]) -> list[float]:
    grown = [exp(each - max(logits)) for each in logits]
    return [each / sum(grown) for each in grown]


class PairQueue:
    """Rates pairs in one thread. While a batch is rated, the next one fills; no pair is rated twice."""

    def __init__(self, load: Callable[[], PairModel]) -> None:
        self._load = load
        self._known: OrderedDict[bytes, Rating] = OrderedDict()
        self._wanted: dict[bytes, Pair] = {}
        self._work: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="assay-pairs")
        self.rated = 0

    async def rate(self, pairs: Sequence[Pair]) -> list[Rating]:
        keys = [_digest(pair) for pair in pairs]
        found: dict[bytes, Rating] = {}
        while True:
            # What was rated for one record may be forgotten again before another's turn comes.
            found |= {key: self._known[key] for key in keys if key in self._known}
            missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in found}
            if not missing:
                return [found[key] for key in keys]
            self._wanted |= missing
            if self._work is None or self._work.done():
                self._work = asyncio.create_task(self._rate_wanted())
            await asyncio.shield(self._work)

    async def close(self) -> None:
        if self._work is not None and not self._work.done():
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def _rate_wanted(self) -> None:
        # One turn of the loop, so that records that begin together are rated together.
        await asyncio.sleep(0)
        batch = dict(list(self._wanted.items())[:_MOST_IN_A_BATCH])
        loop = asyncio.get_running_loop()
        ratings = await loop.run_in_executor(self._thread, self._rate, list(batch.values()))
        for key, rating in zip(batch, ratings, strict=True):
            self._wanted.pop(key, None)
            self._known[key] = rating
        self.rated += len(batch)
        while len(self._known) > max(_MOST_REMEMBERED, len(batch)):
            self._known.popitem(last=False)

    def _rate(self, pairs: list[Pair]) -> list[Rating]:
        return self._load().rate(pairs)


def _digest(pair: Pair) -> bytes:
    digest = blake2b(pair.premise.encode("utf-8", "surrogatepass"), digest_size=16)
    digest.update(b"\0" + pair.hypothesis.encode("utf-8", "surrogatepass"))
    return digest.digest()
