"""Contrastive twins: a sentence of a text and the same sentence corrupted, both against that text."""

import random
from collections.abc import Sequence
from typing import Final

from training.corruptions.rules import corrupt
from training.pairs import Label, Pair
from training.paraphrases import paraphrase
from training.synthetic.grammar import build_document, build_pair
from training.synthetic.worlds import read_worlds

ORIGIN: Final = "corruption"
_EMPTY_ANSWERS: Final = (
    ".", ",", ":", " ", "Solution", "Solution:", "Thought process:", "Let's solve this problem step by step.",
    "Answer:",
    "Yes.", "OK", "...", "-", "The", "Summary:", "N/A", "As an AI language model, I cannot say.", "This is correct.",
    "The text above is accurate and complete.", "Everything in this summary is supported.", "Full score.",
    "In conclusion,",
)  # fmt: skip


class TwinMaker:
    """Makes twins without end from base pairs, by a chance of its own."""

    def __init__(self, pairs: Sequence[Pair], seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
        self._bases = [
            pair
            for pair in pairs
            if pair.origin in ("vitaminc", "fever", "conjnli", "mnli") and is_sentence(pair.premise)
        ]
        self._pages: dict[str, list[str]] = {}
        for pair in self._bases:
            self._pages.setdefault(pair.group, []).append(pair.premise)
        self._waiting: list[Pair] = []

    def draw(self) -> Pair:
        """The next pair; twins follow each other."""
        while not self._waiting:
            roll = self._rng.random()
            if roll < 0.58:
                self._waiting = self._twins_of_base()
            elif roll < 0.88:
                self._waiting = self._twins_of_world()
            elif roll < 0.96:
                self._waiting = [self._stranger()]
            else:
                self._waiting = [self._empty_answer()]
        return self._waiting.pop(0)

    def _twins_of_base(self) -> list[Pair]:
        rng = self._rng
        base = rng.choice(self._bases)
        near = [text for text in self._pages[base.group] if text != base.premise]
        far = [rng.choice(self._bases).premise for _ in range(4)]
        others = rng.sample(near, min(4, len(near))) + far[: 4 if len(near) < 2 else 2]
        true = paraphrase(base.premise, rng) if rng.random() < 0.6 else base.premise
        start = true if rng.random() < 0.5 else base.premise
        corruption = corrupt(start, others, rng)
        if corruption is None:
            return []
        clean = Pair(base.premise, true, Label.SUPPORTED, ORIGIN, base.group)
        return [clean, Pair(base.premise, corruption.text, corruption.label, ORIGIN, base.group)]

    def _twins_of_world(self) -> list[Pair]:
        rng = self._rng
        document = build_document(rng.choice(read_worlds()), rng)
        wanted = (Label.SUPPORTED, rng.choice((Label.CONTRADICTED, Label.CONTRADICTED, Label.NOT_IN_SOURCE)))
        made = [build_pair(document, label, rng) for label in wanted]
        return [pair for pair in made if pair is not None] if all(made) else []

    def _stranger(self) -> Pair:
        """A sentence of one text against another text."""
        one, other = self._rng.choice(self._bases), self._rng.choice(self._bases)
        same = one.group == other.group
        return Pair(one.premise, one.premise if same else other.premise, Label(0 if same else 2), ORIGIN, one.group)

    def _empty_answer(self) -> Pair:
        """Words that answer nothing, or a sentence broken off before it says anything."""
        base = self._rng.choice(self._bases)
        broken = " ".join(base.premise.split()[: self._rng.randint(1, 2)])
        hypothesis = broken if self._rng.random() < 0.2 else self._rng.choice(_EMPTY_ANSWERS)
        return Pair(base.premise, hypothesis, Label.NOT_IN_SOURCE, ORIGIN, base.group)


def is_sentence(text: str) -> bool:
    """Whether a premise can serve as one sentence to corrupt: neither a scrap nor a paragraph."""
    return 6 <= len(text.split()) <= 42 and text[:1].isalnum() and text.rstrip()[-1:] in ".!?"
