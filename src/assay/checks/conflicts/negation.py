"""Predicates that one text denies and the other affirms."""

from collections.abc import Iterator
from typing import Final

from assay.checks.conflicts.conflict import Conflict
from assay.checks.conflicts.context import compare
from assay.checks.conflicts.reading import Reading, Token
from assay.checks.conflicts.word_sets import word_set
from assay.domain.span import Span

_CUES: Final = word_set(
    "not never cannot no neither nor none nobody nothing n't didn doesn wasn isn aren weren couldn wouldn shouldn hasn"
    " haven hadn didnt dont doesnt wasnt isnt arent werent couldnt wouldnt hasnt havent cant wont"
)
# Cues that deny a whole statement and not the word after them.
_SWEEPING: Final = frozenset({"nothing", "nobody", "none", "neither", "nor"})
# Words that deny without a negation, or tell of what was not so: in their sentence polarity is unclear.
_DENYING: Final = word_set(
    """
    without deny denies denied denying refuse refuses refused refusing fail fails failed failing failure reject rejects
    rejected rejecting avoid avoids avoided prevent prevents prevented unable impossible lack lacks lacked lacking stop
    stops stopped ban banned barred unlikely hardly barely scarcely rarely seldom unless except whether doubt doubts
    doubted false wrong myth dismiss dismissed absence absent miss missed missing decline declined declines unclear
    unknown question questioned want wants wanted hope hopes hoped wonder asks asked ask insist insists insisted free
    until best worst better ever suspected alleged allegedly accused acquitted
    """
)
# Words that make a negation beside them mean something else.
_BENDING: Final = word_set(
    """
    few little only despite instead rather if but longer yet even against may might could would should whatever
    matter regardless other than more still plan plans planned try tries tried trying ensure entirely fully completely
    always all necessarily just exactly everyone everything enough sure so as
    """
)
_BENDS_WITHIN: Final = 4
_REACH: Final = 3


def find_negation_conflicts(claim: Reading, passage: Reading) -> Iterator[Conflict]:
    if claim.language.partition("-")[0] != "en":
        return
    for one, other, swapped in ((claim, passage, False), (passage, claim, True)):
        for cue, at in _denied(one):
            place = _affirmed(other, one.tokens[at].stem)
            if place is None:
                continue
            both = (one, at, other, place) if not swapped else (other, place, one, at)
            mine, own, theirs, found = both
            context = compare(mine, range(own, own + 1), theirs, range(found, found + 1))
            if not context.is_same(share=0.6, passage_share=0.4, near=1):
                continue
            stretch = Span(one.tokens[cue].span.start, one.tokens[at].span.end)
            word = other.tokens[place].span
            said, found_span = (stretch, word) if not swapped else (word, stretch)
            yield Conflict.between("negation", claim, said, passage, found_span)
            return


def _denied(reading: Reading) -> Iterator[tuple[int, int]]:
    """Each negation with the content word it denies: the first one after it in its stretch."""
    tokens = reading.tokens
    for cue, token in enumerate(tokens):
        if (
            not is_cue(token.key)
            or token.key in _SWEEPING
            or token.sentence in reading.asked
            or _is_unclear(reading, cue)
        ):
            continue
        if sum(is_cue(each.key) for each in _sentence_of(reading, cue)) > 1:
            continue
        for at in range(cue + 1, min(len(tokens), cue + 1 + _REACH)):
            if tokens[at].stretch != token.stretch:
                break
            if tokens[at].stem:
                yield cue, at
                break


def is_cue(key: str) -> bool:
    return key in _CUES or key.endswith("n't")


def _affirmed(reading: Reading, stem: str) -> int | None:
    """The place of a stem that stands under no negation, if every place where it stands is clear of them."""
    found = None
    for at, token in enumerate(reading.tokens):
        if token.stem == stem:
            if (
                token.sentence in reading.asked
                or _is_unclear(reading, at)
                or any(is_cue(each.key) for each in _sentence_of(reading, at))
            ):
                return None
            found = at if found is None else found
    return found


def _sentence_of(reading: Reading, at: int) -> Iterator[Token]:
    sentence = reading.tokens[at].sentence
    return (token for token in reading.tokens if token.sentence == sentence)


def _is_unclear(reading: Reading, at: int) -> bool:
    own = reading.tokens[at]
    return any(
        token.key in _DENYING or (token.key in _BENDING and abs(place - at) <= _BENDS_WITHIN)
        for place, token in enumerate(reading.tokens)
        if token.sentence == own.sentence and place != at
    )
