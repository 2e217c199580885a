"""Contrastive twins: a sentence of a text and the same sentence corrupted, both against that text."""

import random
from collections.abc import Sequence
from typing import Final

from training.corruptions.rules import OF_OTHER_TEXTS, corrupt
from training.pairs import Label, Pair
from training.paraphrases import paraphrase
from training.sentences import focus, split_sentences
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
_PARAPHRASES: Final = {
    "onestop": 3, "cochrane_pls": 3, "factscore_atomic": 3, "wikisplit": 2, "qmsum": 1.5, "scitldr": 1.5, "clapnq": 1.5,
    "fm2": 1, "vitaminc": 2, "mnli": 1, "mnli_ni": 2, "fever_nli": 1, "factcg_cg2c": 1, "storysumm": 0.5, "swipe": 0.5,
    "convosumm": 0.5, "mts_dialog": 0.5, "aci_bench": 0.5, "lens_adequacy": 0.3, "apty": 0.3, "wanli_part": 1,
    "diasumfact": 0.3, "rte_ni": 0.5, "factcheckgpt": 0.3,
}  # fmt: skip
"""Origins that say a text in other words, and how often each is drawn."""


class TwinMaker:
    """Makes twins without end from base pairs, by a chance of its own."""

    def __init__(self, pairs: Sequence[Pair], seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
        self._bases = [
            pair
            for pair in pairs
            if pair.origin in ("vitaminc", "fever", "conjnli", "mnli") and is_sentence(pair.premise)
        ]
        self._said_anew: dict[str, list[Pair]] = {}
        for pair in pairs:
            if (
                pair.origin in _PARAPHRASES
                and pair.label == Label.SUPPORTED
                and 6 <= len(pair.hypothesis.split()) <= 50
            ):
                self._said_anew.setdefault(pair.origin, []).append(pair)
        self._anew_weights = [_PARAPHRASES[origin] for origin in self._said_anew]
        self._pages: dict[str, list[str]] = {}
        for pair in self._bases:
            self._pages.setdefault(pair.group, []).append(pair.premise)
        self._waiting: list[Pair] = []

    def draw(self) -> Pair:
        """The next pair; twins follow each other."""
        while not self._waiting:
            roll = self._rng.random()
            if roll < 0.34 and self._said_anew:
                self._waiting = self._twins_of_paraphrase()
            elif roll < 0.72:
                self._waiting = self._twins_of_base()
            elif roll < 0.90:
                self._waiting = self._twins_of_world()
            elif roll < 0.97:
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

    def _twins_of_paraphrase(self) -> list[Pair]:
        """What people or models made of a text in their own words, and the same with one thing changed."""
        rng = self._rng
        base = focus(rng.choice(self._said_anew[rng.choices(list(self._said_anew), self._anew_weights)[0]]))
        sentences = split_sentences(base.premise)
        # Mostly with names and figures of the text itself, which no count of words can tell from the right ones.
        own = len(sentences) > 1 and rng.random() < 0.67
        others = sentences if own else [rng.choice(self._bases).premise for _ in range(4)]
        corruption = corrupt(base.hypothesis, others, rng, OF_OTHER_TEXTS if own else ())
        if corruption is None:
            return []
        clean = Pair(base.premise, base.hypothesis, Label.SUPPORTED, ORIGIN, base.group)
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
