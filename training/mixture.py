"""How much of each set one shard of training holds, and which pairs, drawn by a fixed chance."""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from training.claims import JOINED, REMOVED, Joiner, Remover, frame
from training.modern import MODERN, read_modern
from training.pairs import Label, Pair, read_pairs
from training.sentences import focus
from training.twins import ORIGIN, TwinMaker
from training.windows import Neighbours

SHARES: Final[Mapping[str, float]] = MappingProxyType({
    # Made here: a fact changed, evidence taken away, several claims in one.
    ORIGIN: 20, REMOVED: 5, JOINED: 3,
    # Written for this, in the style of today's models.
    MODERN: 9,
    # Fact verification.
    "vitaminc": 18, "fever": 4, "fever_nli": 2.5, "fm2": 1.2, "infotabs": 1, "evidence_inference": 0.6,
    "fever_symmetric": 0.4,
    # Entailment.
    "mnli_ni": 14, "mnli": 5, "wanli_part": 3, "conjnli": 2, "paws_ni": 1.2, "snli_ni": 1.5, "snli": 0.8,
    "cad_nli": 0.7, "scitail_ni": 0.6, "rte_ni": 0.5, "med": 0.4, "qasc_ni": 0.3, "breaking_nli": 0.2,
    # Texts of models, and grounded answers.
    "factscore_atomic": 4, "factcg_cg2c": 0.8, "factcheckgpt": 0.6, "factor_news": 0.4, "clapnq": 0.4,
    "faithdial_audit": 0.3, "begin": 0.2, "q2_wow": 0.15, "storysumm": 0.15, "diasumfact": 0.15, "apty": 0.1,
    "medhallu": 0.1, "dialfact_small": 0.1, "lens_adequacy": 0.05, "halueval_qa": 0.03,
    # Paraphrases, simplifications and summaries.
    "wikisplit": 2, "onestop": 1.5, "cochrane_pls": 1.5, "qmsum": 0.8, "scitldr": 0.8, "mts_dialog": 0.5,
    "aci_bench": 0.4, "convosumm": 0.2, "swipe": 0.15, "fewsum_amazon": 0.05, "tosdr": 0.05,
})  # fmt: skip
"""Parts of about a hundred. Sets whose hypotheses alone give the label away get little."""
WINDOWS: Final[Mapping[str, float]] = MappingProxyType({
    "vitaminc": 0.4, "mnli": 0.2, "mnli_ni": 0.2, "fever": 0.35, "fever_nli": 0.35, ORIGIN: 0.4, REMOVED: 0.0,
    JOINED: 0.2,
    "snli": 0.0, "snli_ni": 0.0, "cad_nli": 0.0, "breaking_nli": 0.0, "med": 0.0, "infotabs": 0.0,
})  # fmt: skip
"""The share of each origin's pairs that get other sentences around their premise."""
_OTHER_WINDOWS: Final = 0.35
_FRAMED: Final = 0.06
"""The share of all hypotheses that are said of a source, whatever their label."""
MISTAKES: Final = 0.3
"""The share of a second run that goes to the pairs the first one got wrong."""


def read_known(*paths: Path) -> list[Pair]:
    """The pairs of all origins that the mixture has a share for."""
    return [pair for pair in read_pairs(*paths) if pair.origin in SHARES] + read_modern()


def share_out(count: int, shares: Mapping[str, float]) -> dict[str, int]:
    """Whole numbers that add up to `count`, each within one of its share."""
    exact = {name: share * count / sum(shares.values()) for name, share in shares.items()}
    whole = {name: int(value) for name, value in exact.items()}
    short = count - sum(whole.values())
    for name in sorted(exact, key=lambda name: (whole[name] - exact[name], name))[:short]:
        whole[name] += 1
    return whole


class Mixture:
    """Draws shards of training pairs; the same pairs, shares and seed draw the same shards."""

    def __init__(self, pairs: Sequence[Pair], neighbours: Neighbours, seed: int, mistakes: Sequence[Pair] = ()) -> None:
        self._rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
        self._neighbours = neighbours
        by_origin: dict[str, list[Pair]] = {}
        for pair in pairs:
            by_origin.setdefault(pair.origin, []).append(pair)
        self._streams = {origin: _cycle(found, seed) for origin, found in sorted(by_origin.items())}
        twins, joiner, remover = (
            TwinMaker(pairs, seed + 1),
            Joiner(pairs, seed + 2),
            Remover(pairs, neighbours, seed + 3),
        )
        self._streams[ORIGIN] = iter(twins.draw, None)
        self._streams[JOINED] = iter(joiner.draw, None)
        if MODERN in by_origin:
            self._streams[MODERN] = _alternate(by_origin[MODERN], seed)
        if not remover.is_empty:
            self._streams[REMOVED] = iter(remover.draw, None)
        self._mistakes = _cycle(mistakes, seed) if mistakes else None

    def draw_shard(self, count: int) -> list[Pair]:
        """`count` pairs in the shares of the mixture, in random order."""
        present = {name: share for name, share in SHARES.items() if name in self._streams}
        shard: list[Pair] = []
        if self._mistakes is not None:
            shard = [next(self._mistakes) for _ in range(int(MISTAKES * count))]
        for origin, wanted in share_out(count - len(shard), present).items():
            shard.extend(self._dress(next(self._streams[origin])) for _ in range(wanted))
        self._rng.shuffle(shard)
        return shard

    def _dress(self, pair: Pair) -> Pair:
        """A pair as the judge would meet it: a long premise cut, a short one among others, now and then a preamble."""
        pair = set_among_others(focus(pair), self._neighbours, self._rng)
        if self._rng.random() >= _FRAMED:
            return pair
        return Pair(pair.premise, frame(pair.hypothesis, self._rng), pair.label, pair.origin, pair.group)


def set_among_others(pair: Pair, neighbours: Neighbours, rng: random.Random) -> Pair:
    """The pair, as often as its origin says with other sentences around its premise."""
    return neighbours.widen(pair, rng) if rng.random() < WINDOWS.get(pair.origin, _OTHER_WINDOWS) else pair


def _cycle(pairs: Sequence[Pair], seed: int) -> Iterator[Pair]:
    """All pairs in random order, then all again in another."""
    rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
    while True:
        yield from rng.sample(list(pairs), len(pairs))


def _alternate(pairs: Sequence[Pair], seed: int) -> Iterator[Pair]:
    """A supported pair, then one that isn't, and so on: a claim has several ways to be wrong, but one to be right."""
    right = _cycle([pair for pair in pairs if pair.label == Label.SUPPORTED], seed)
    wrong = _cycle([pair for pair in pairs if pair.label != Label.SUPPORTED], seed + 1)
    while True:
        yield next(right)
        yield next(wrong)


def draw_made(pairs: Sequence[Pair], neighbours: Neighbours, count: int, seed: int) -> list[Pair]:
    """Made pairs alone, for the held-out part: from pairs that are held out themselves, a half of them twins."""
    rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
    twins, joiner, remover = TwinMaker(pairs, seed + 1), Joiner(pairs, seed + 2), Remover(pairs, neighbours, seed + 3)
    drawn = [twins.draw() for _ in range(count)] + [joiner.draw() for _ in range(count // 4)]
    if not remover.is_empty:
        drawn += [remover.draw() for _ in range(count // 4)]
    return [set_among_others(pair, neighbours, rng) for pair in drawn]
