"""Sets of words, written as one line of text."""


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())
