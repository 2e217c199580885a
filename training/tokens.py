"""Pairs as token numbers: premise first, hypothesis second, the premise cut where both are too long."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.pairs import Pair

MAX_TOKENS = 256
_CHUNK = 2048


@dataclass(frozen=True, slots=True)
class TokenPairs:
    """Many pairs in flat arrays: row i is `ids[starts[i]:starts[i + 1]]`, the first `firsts[i]` of them the premise."""

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    firsts: NDArray[np.int32]
    labels: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def lengths(self) -> list[int]:
        return [int(length) for length in np.diff(self.starts)]

    def length_at(self, row: int) -> int:
        return int(self.starts[row + 1] - self.starts[row])

    def take(self, rows: Sequence[int]) -> "TokenPairs":
        """Some rows, in the order asked for."""
        spans = [self.ids[int(self.starts[row]) : int(self.starts[row + 1])] for row in rows]
        starts = np.concatenate([[0], np.cumsum([len(span) for span in spans])]).astype(np.int64)
        return TokenPairs(np.concatenate(spans), starts, self.firsts[list(rows)], self.labels[list(rows)])

    def pad(self, rows: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Token numbers, attention and segments of some rows, as three rectangles as wide as the longest row."""
        spans = [(int(self.starts[row]), int(self.starts[row + 1])) for row in rows]
        width = max(end - start for start, end in spans)
        ids = np.zeros((len(spans), width), np.int64)
        attention = np.zeros_like(ids)
        segments = np.zeros_like(ids)
        for place, ((start, end), row) in enumerate(zip(spans, rows, strict=True)):
            ids[place, : end - start] = self.ids[start:end]
            attention[place, : end - start] = 1
            segments[place, int(self.firsts[row]) : end - start] = 1
        return ids, attention, segments


def read_tokenizer(path: Path) -> Tokenizer:
    """The encoder's word-piece tokenizer, set to cut the premise and to leave padding to us."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    return tokenizer


def build_token_pairs(tokenizer: Tokenizer, pairs: Sequence[Pair]) -> TokenPairs:
    """All pairs as token numbers, in their order."""
    ids: list[NDArray[np.int32]] = []
    firsts: list[int] = []
    for start in range(0, len(pairs), _CHUNK):
        part = pairs[start : start + _CHUNK]
        for encoding in tokenizer.encode_batch([(pair.premise, pair.hypothesis) for pair in part]):
            ids.append(np.asarray(encoding.ids, np.int32))
            firsts.append(len(encoding.ids) - sum(encoding.type_ids))
    ends = np.cumsum([len(row) for row in ids])
    return TokenPairs(
        np.concatenate(ids),
        np.concatenate([[0], ends]).astype(np.int64),
        np.asarray(firsts, np.int32),
        np.asarray([pair.label for pair in pairs], np.int8),
    )


def join_token_pairs(parts: Sequence[TokenPairs]) -> TokenPairs:
    """Several lots of pairs as one, in their order."""
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    return TokenPairs(
        np.concatenate([part.ids for part in parts]),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.concatenate([part.firsts for part in parts]),
        np.concatenate([part.labels for part in parts]),
    )
