"""How rare a word is in English, told by the pair model's vocabulary: it lists words by how often they are met."""

from functools import cache
from typing import TYPE_CHECKING, Final

from assay.judges.embedded.weights import TOKENIZER, read_weights

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_UNKNOWN: Final = "[UNK]"
_COMMON: Final = 10_000
"""Up to here the vocabulary holds what texts on any subject share: question, evidence, criteria, but not rash."""


def is_rare(word: str) -> bool:
    """Rare too is what the vocabulary lacks: it is put together from pieces, or cannot be spelt with them at all."""
    encoded = _load_tokenizer().encode(word, add_special_tokens=False)
    pieces: list[int] = encoded.ids
    # The sign for what cannot be spelt stands among the first of the vocabulary, as if it were met often.
    return len(pieces) != 1 or pieces[0] > _COMMON or encoded.tokens[0] == _UNKNOWN


@cache
def _load_tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer

    return Tokenizer.from_buffer(read_weights(TOKENIZER))
