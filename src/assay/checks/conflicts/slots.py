"""A figure in another's place: a claim that is a stretch of the passage word for word, but for its figures."""

from collections.abc import Iterator, Sequence
from typing import Final

from assay.checks.conflicts.conflict import Conflict
from assay.checks.conflicts.quantities import kind_of
from assay.checks.conflicts.reading import Reading, read
from assay.checks.conflicts.word_sets import word_set
from assay.text.quantity import Kind, Quantity
from assay.text.quantity_relations import Relation, find_support, relate
from assay.text.sentences import split_sentences

# What may be left out or put in without another meaning.
_LIGHT: Final = word_set("a an the about around approximately nearly almost roughly some just also then now")
# A shorter sentence may well be said of two occasions.
_FEWEST_WORDS: Final = 5

_Item = str | Quantity


def find_slot_conflicts(claim: Reading, passage: Reading, sources: Sequence[str]) -> Iterator[Conflict]:
    """Told although the sources have the figure elsewhere: there it is another thing's.

    Unless one of their sentences says just what the claim says.
    """
    own = _spell(claim)
    for theirs in _find_alike(own, _spell(passage)):
        pairs = [(one, other) for one, other in zip(own, theirs, strict=True) if isinstance(one, Quantity)]
        wrong = [(one, other) for one, other in pairs if isinstance(other, Quantity) and _differ(one, other)]
        if not wrong or _is_a_list(own, [one for one, _ in wrong]) or _is_said(own, sources, claim.language):
            continue
        one, other = wrong[0]
        if _is_shared_out(one, [other for _, other in pairs], passage):
            continue
        note = f"“{one.span.of(claim.text)}” where the source has “{other.span.of(passage.text)}”"
        yield Conflict(kind_of(one), one.span, other.span, note)
        return


def _spell(reading: Reading) -> list[_Item]:
    """The words in their order, each figure as one item and light words left out."""
    items: list[_Item] = []
    held = {
        place: each for each in reading.quantities if not reading.is_torn(each.span) for place in reading.at(each.span)
    }
    for place, token in enumerate(reading.tokens):
        quantity = held.get(place)
        if quantity is None:
            if token.key not in _LIGHT:
                items.append(token.stem or token.key)
        elif not items or items[-1] is not quantity:
            items.append(quantity)
    return items


def _find_alike(own: Sequence[_Item], theirs: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    """The stretches of the passage with the same words and with figures at the same places."""
    words = [item for item in own if isinstance(item, str)]
    if len(words) == len(own) or len(words) < _FEWEST_WORDS:
        return
    for start in range(len(theirs) - len(own) + 1):
        stretch = theirs[start : start + len(own)]
        if all(_are_alike(one, other) for one, other in zip(own, stretch, strict=True)):
            yield stretch


def _are_alike(one: _Item, other: _Item) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    # The figure of another day is another figure.
    return one.kind is other.kind and one.unit == other.unit and not (one.kind is Kind.DATE and _differ(one, other))


def _differ(one: Quantity, other: Quantity) -> bool:
    return relate(one, other) is Relation.CONFLICTING


def _is_a_list(own: Sequence[_Item], wrong: Sequence[Quantity]) -> bool:
    """Whether the figures stand side by side, as in "5 and 7 people": their order may mean nothing."""
    places = [place for place, item in enumerate(own) if any(item is each for each in wrong)]
    return len(places) > 1 and places[-1] - places[0] <= len(places)


def _is_shared_out(one: Quantity, aligned: Sequence[_Item], passage: Reading) -> bool:
    """Whether the passage has the figure outside the stretch: "a third of men and a fifth of women" are two things."""
    outside = [each for each in passage.quantities if not any(each is other for other in aligned)]
    return find_support(one, outside) is not None


def _is_said(own: Sequence[_Item], sources: Sequence[str], language: str) -> bool:
    for text in sources:
        for sentence in split_sentences(text, language):
            for stretch in _find_alike(own, _spell(read(sentence.of(text), language))):
                if not any(
                    isinstance(one, Quantity) and isinstance(other, Quantity) and _differ(one, other)
                    for one, other in zip(own, stretch, strict=True)
                ):
                    return True
    return False
