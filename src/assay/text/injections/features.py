"""What the learned detector sees of a sentence: its words, their pieces, the pairs they stand in, and how it begins."""

import re
from itertools import pairwise

_SPACELESS = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Signs that make letters whole: accents, vowels of Hebrew and Arabic, all that Indic scripts put around a consonant.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
# Words, numbers and single signs; scripts without spaces go sign by sign, so that their pairs are about words.
_LETTER = rf"(?:[^\W\d_{_SPACELESS}]|[{_MARKS}])"
_TOKEN = re.compile(rf"[{_SPACELESS}]|{_LETTER}+(?:'{_LETTER}+)?|\d+(?:[.,]\d+)?|[^\w\s]|_")
_ASCII_TOKEN = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|\d+(?:[.,]\d+)?|[^\w\s]|_")
_LONGEST_TOKEN = 30
_PIECE = 4


def tokenise(sentence: str) -> list[str]:
    """Of a normalised text. Of a word that is no word, the beginning is enough."""
    pattern = _ASCII_TOKEN if sentence.isascii() else _TOKEN
    return [token[:_LONGEST_TOKEN] for token in pattern.findall(sentence)]


def list_word_features(token: str) -> list[str]:
    """A word and its pieces: what was never seen may still be made like what was. Which number it is plays no part."""
    if token[0].isdigit():
        return ["0"]
    if len(token) < _PIECE or not token[0].isalpha() or "'" in token:
        return [token]
    edged = f"<{token}>"
    return [token, *(f"*{edged[at : at + _PIECE]}" for at in range(len(edged) - _PIECE + 1))]


def list_pairs(tokens: list[str]) -> set[str]:
    """Neighbours, and the first word by itself."""
    return {f"{first} {second}" for first, second in pairwise(("^", *tokens))}
