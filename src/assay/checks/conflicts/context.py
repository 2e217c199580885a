"""Whether two places, one in a claim and one in a passage, speak of the same thing."""

from dataclasses import dataclass
from typing import Final

from assay.checks.conflicts.reading import Reading

_WIDE: Final = 6
_NEAR: Final = 2


@dataclass(frozen=True, slots=True)
class Context:
    """What the surroundings of two places share, the places themselves left out.

    `claim_share` is how much of the claim's surroundings the passage's sentence has, `passage_share` the reverse,
    `shared` the number of stems in both, `near` those that stand within two words of either place.
    """

    claim_share: float
    passage_share: float
    shared: int
    near: int

    def is_same(self, share: float = 0.6, passage_share: float = 0.3, shared: int = 2, near: int = 1) -> bool:
        return (
            self.claim_share >= share
            and self.passage_share >= passage_share
            and self.shared >= shared
            and self.near >= near
        )

    @property
    def score(self) -> float:
        return self.claim_share + self.passage_share + 0.2 * self.near


def compare(claim: Reading, at: range, passage: Reading, place: range) -> Context:
    own = surroundings(claim, at, _WIDE)
    other = surroundings(passage, place, _WIDE)
    whole_claim = claim.sentence_stems[claim.tokens[at[0]].sentence]
    whole_passage = passage.sentence_stems[passage.tokens[place[0]].sentence]
    there = own & whole_passage
    here = other & whole_claim
    near = surroundings(claim, at, _NEAR) & surroundings(passage, place, _NEAR)
    return Context(
        claim_share=len(there) / len(own) if own else 0.0,
        passage_share=len(here) / len(other) if other else 0.0,
        shared=len(there | here),
        near=len(near),
    )


def surroundings(reading: Reading, at: range, width: int) -> frozenset[str]:
    """The stems of up to `width` content words on either side within the sentence."""
    return before(reading, at, width) | after(reading, at, width)


def before(reading: Reading, at: range, width: int) -> frozenset[str]:
    first = reading.rank[at[0]]
    sentence = reading.tokens[at[0]].sentence
    places = reading.content[max(0, first - width) : first]
    return frozenset(reading.tokens[each].stem for each in places if reading.tokens[each].sentence == sentence)


def after(reading: Reading, at: range, width: int) -> frozenset[str]:
    last = reading.tokens[at[-1]]
    next_rank = reading.rank[at[-1]] + bool(last.stem)
    places = reading.content[next_rank : next_rank + width]
    return frozenset(reading.tokens[each].stem for each in places if reading.tokens[each].sentence == last.sentence)
