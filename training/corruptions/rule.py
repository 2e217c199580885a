"""A corruption rule: its kind, what its result deserves to be called, and how it changes a sentence."""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from training.pairs import Label

Change = Callable[[str, Sequence[str], random.Random], str | None]
"""From a sentence, other sentences of its document, and chance: the changed sentence, or None where nothing fits."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`label` is what the changed sentence is, given the text the sentence came from."""

    kind: str
    label: Label
    change: Change


def replace_match(sentence: str, found: re.Match[str], new: str) -> str:
    """The sentence with one match replaced, in the match's own capitals."""
    old = found.group()
    if old[:1].isupper() and new[:1].islower():
        new = new[:1].upper() + new[1:]
    return sentence[: found.start()] + new + sentence[found.end() :]


def choose_match(pattern: re.Pattern[str], sentence: str, rng: random.Random) -> re.Match[str] | None:
    """One of the pattern's matches, each as likely as the others."""
    found = list(pattern.finditer(sentence))
    return rng.choice(found) if found else None


def build_swap(pairs: Sequence[tuple[str, str]], *, as_written: bool = False) -> Change:
    """A change that puts the other word of a pair in place of one; pairs hold in both directions.

    `as_written` heeds capitals, so that the city in Kansas City stays where it is.
    """
    other: dict[str, list[str]] = {}
    for left, right in pairs:
        other.setdefault(left.casefold(), []).append(right)
        other.setdefault(right.casefold(), []).append(left)
    pattern = build_words_pattern(
        [word for pair in pairs for word in pair] if as_written else other, as_written=as_written
    )

    def swap(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
        found = choose_match(pattern, sentence, rng)
        return replace_match(sentence, found, rng.choice(other[found.group().casefold()])) if found else None

    return swap


def build_words_pattern(words: Iterable[str], *, as_written: bool = False) -> re.Pattern[str]:
    """A pattern for any of the words as a whole word, the longest first."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    anything = "|".join(re.escape(word) for word in ordered)
    return re.compile(rf"(?<![\w-])(?:{anything})(?![\w-])", 0 if as_written else re.IGNORECASE)
