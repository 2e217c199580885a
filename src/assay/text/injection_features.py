"""What the learned detector sees of a sentence: its words, their pieces, the pairs they stand in, and how it begins."""

import re
from itertools import pairwise

_SPACELESS = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Words, numbers and single signs; scripts without spaces go sign by sign, so that their pairs are about words.
_TOKEN = re.compile(rf"[{_SPACELESS}]|[^\W\d_{_SPACELESS}]+(?:'[^\W\d_]+)?|\d+(?:[.,]\d+)?|[^\w\s]|_")
_LONGEST_TOKEN = 30
_PIECE = 4


def tokenise(sentence: str) -> list[str]:
    """Of a normalised text."""
    found: list[str] = _TOKEN.findall(sentence)
    return found


def list_word_features(token: str) -> list[str]:
    """A word and its pieces: what was never seen may still be made like what was. Which number it is plays no part."""
    if token[0].isdigit():
        return ["0"]
    word = token[:_LONGEST_TOKEN]
    if len(word) < _PIECE or not word.isalpha():
        return [word]
    edged = f"<{word}>"
    return [word, *(f"*{edged[at : at + _PIECE]}" for at in range(len(edged) - _PIECE + 1))]


def list_pairs(tokens: list[str]) -> set[str]:
    """Neighbours, and the first word by itself."""
    return {f"{first} {second}" for first, second in pairwise(("^", *tokens))}
