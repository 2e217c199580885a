"""A figure or a name in another's place, where the claim is otherwise a stretch of the passage word for word."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assay.checks.conflicts.conflict import Conflict
from assay.checks.conflicts.names import Name, find_names
from assay.checks.conflicts.quantities import kind_of
from assay.checks.conflicts.reading import Reading, read
from assay.checks.conflicts.selections import selects
from assay.checks.conflicts.swaps import find_foreign, is_variant
from assay.checks.conflicts.thresholds import is_another_threshold, is_looser
from assay.checks.conflicts.word_sets import word_set
from assay.text.quantity import Kind, Quantity
from assay.text.quantity_derivations import derived
from assay.text.quantity_relations import Relation, find_support, relate
from assay.text.sentences import split_sentences

# What may be left out or put in without another meaning.
_LIGHT: Final = word_set("a an the about around approximately nearly almost roughly some just also then now")
_CITATION: Final = re.compile(r"\[[0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3}){0,20}\]")
_DIGITS: Final = re.compile(r"[0-9]+")
# By these a text gives one thing a second name.
_RENAMED: Final = word_set("alias aka pen nickname nicknamed known called named renamed formerly born née maiden stage")
# A shorter sentence may well be said of two occasions. A name, a date or a place that both have is as good as a word.
_FEWEST_SHARED: Final = 5

_Item = str | Quantity | Name
_Pair = tuple[_Item, _Item]


def find_slot_conflicts(claim: Reading, passage: Reading, sources: Sequence[str]) -> Iterator[Conflict]:
    """Told although the sources have the figure or the name elsewhere: there it is another thing's.

    Unless one of their sentences says just what the claim says.
    """
    own = _spell(claim)
    for theirs in _find_alike(own, _spell(passage)):
        pairs = list(zip(own, theirs, strict=True))
        names = [each for each in _find_wrong_names(pairs, claim, passage) if not _is_renamed(each[0], sources, claim)]
        wrong = _find_wrong_figures(pairs, claim, passage) or names
        if wrong and not _is_a_list(own, [one for one, _ in wrong]) and not _is_said(own, claim, sources):
            one, other = wrong[0]
            if isinstance(one, Quantity) and _is_told_otherwise(one, own, claim, sources):
                return
            kind = kind_of(one) if isinstance(one, Quantity) else "name"
            yield Conflict.between(kind, claim, one.span, passage, other.span)
            return


def _spell(reading: Reading) -> list[_Item]:
    """The words in their order, each figure and each name as one item, light words and citations left out."""
    slots: list[Quantity | Name] = [*find_names(reading), *reading.quantities]
    held = {place: each for each in slots if not reading.is_torn(each.span) for place in reading.at(each.span)}
    citations = (found.span() for found in _CITATION.finditer(reading.text))
    cited = {number.start() for span in citations for number in _DIGITS.finditer(reading.text, *span)}
    items: list[_Item] = []
    for place, token in enumerate(reading.tokens):
        slot = held.get(place)
        if slot is None:
            if token.key not in _LIGHT and token.span.start not in cited:
                items.append(token.stem or token.key)
        elif not items or items[-1] is not slot:
            items.append(slot)
    return items


def _find_alike(own: Sequence[_Item], theirs: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    """The stretches of the passage with the same words, and with figures and names at the same places."""
    if all(isinstance(item, str) for item in own) or len(own) <= _FEWEST_SHARED:
        return
    for start in range(len(theirs) - len(own) + 1):
        stretch = theirs[start : start + len(own)]
        pairs = list(zip(own, stretch, strict=True))
        if all(_are_alike(*pair) for pair in pairs) and sum(map(_are_same, pairs)) >= _FEWEST_SHARED:
            yield stretch


def _are_same(pair: _Pair) -> bool:
    one, other = pair
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return not _differ(one, other)
    return isinstance(one, str) or _have_same_names([pair])


def _are_alike(one: _Item, other: _Item) -> bool:
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        # The figure of another day is another figure.
        return one.kind is other.kind and one.unit == other.unit and not (one.kind is Kind.DATE and _differ(one, other))
    return one == other if isinstance(one, str) or isinstance(other, str) else type(one) is type(other)


def _differ(one: Quantity, other: Quantity) -> bool:
    return relate(one, other) is Relation.CONFLICTING or is_another_threshold(one, other)


def _find_wrong_figures(pairs: Sequence[_Pair], claim: Reading, passage: Reading) -> list[tuple[Quantity, Quantity]]:
    """None where a name differs as well: of another person another figure may be true.

    Nor a bound that is only looser, unless it selects: whoever counts at least 20 counts at least 18.
    """
    figures = [(one, other) for one, other in pairs if isinstance(one, Quantity) and isinstance(other, Quantity)]
    wrong = [
        (one, other)
        for one, other in figures
        if _differ(one, other) and (not is_looser(one, other) or selects(claim.text, one.span))
    ]
    # "A third of men and a fifth of women" are two things, and each has its figure.
    outside = [each for each in passage.quantities if not any(each is other for _, other in figures)]
    if any(find_support(one, outside) is not None for one, _ in wrong) or not _have_same_names(pairs):
        return []
    return [] if any(derived(one, [other, *outside]) for one, other in wrong) else wrong


def _find_wrong_names(pairs: Sequence[_Pair], claim: Reading, passage: Reading) -> list[tuple[Name, Name]]:
    """None where a figure differs as well, and none of names that both have: who did it to whom is another question."""
    if not _have_same_figures(pairs):
        return []
    mine, theirs = find_foreign(claim, (passage.text,)), find_foreign(passage, (claim.text,))
    return [
        (one, other)
        for one, other in pairs
        if isinstance(one, Name) and isinstance(other, Name)
        if one in mine and other in theirs and not is_variant(one, other)
    ]


def _is_renamed(name: Name, sources: Sequence[str], claim: Reading) -> bool:
    """Whether a sentence of the sources may say that it is another name of the same."""
    keys = {token.key for token in name.tokens}
    told = (sentence.keys for sentence in _read_sentences(sources, claim.language))
    return any(words & keys and words & _RENAMED for words in told)


def _have_same_names(pairs: Sequence[_Pair]) -> bool:
    names = [(one, other) for one, other in pairs if isinstance(one, Name) and isinstance(other, Name)]
    return all([token.key for token in one.tokens] == [token.key for token in other.tokens] for one, other in names)


def _have_same_figures(pairs: Sequence[_Pair]) -> bool:
    return not any(
        isinstance(one, Quantity) and isinstance(other, Quantity) and _differ(one, other) for one, other in pairs
    )


def _is_a_list(own: Sequence[_Item], wrong: Sequence[_Item]) -> bool:
    """Whether they stand side by side, as in "5 and 7 people": their order may mean nothing."""
    places = [place for place, item in enumerate(own) if any(item is each for each in wrong)]
    return len(places) > 1 and places[-1] - places[0] <= len(places)


def _is_said(own: Sequence[_Item], claim: Reading, sources: Sequence[str]) -> bool:
    alike = (
        list(zip(own, stretch, strict=True))
        for sentence in _read_sentences(sources, claim.language)
        for stretch in _find_alike(own, _spell(sentence))
    )
    return any(_have_same_figures(pairs) and _have_same_names(pairs) for pairs in alike)


def _is_told_otherwise(figure: Quantity, own: Sequence[_Item], claim: Reading, sources: Sequence[str]) -> bool:
    """Whether a sentence has the figure and all the words in another order: it may tell just that."""
    stems = {token.stem for token in claim.tokens if token.stem and not token.key[0].isdecimal()}
    return any(
        stems <= sentence.stems
        and find_support(figure, sentence.supports) is not None
        and next(_find_alike(own, _spell(sentence)), None) is None
        for sentence in _read_sentences(sources, claim.language)
    )


def _read_sentences(sources: Sequence[str], language: str) -> Iterator[Reading]:
    for text in sources:
        for sentence in split_sentences(text, language):
            yield read(sentence.of(text), language)
