"""Quantities of a claim that differ from the passage's quantity of the same thing."""

from collections.abc import Iterator
from typing import Final, Literal

from assay.checks.conflicts.bare_differences import lend_unit
from assay.checks.conflicts.conflict import Conflict, ConflictKind
from assay.checks.conflicts.context import Context, compare
from assay.checks.conflicts.negation import is_cue
from assay.checks.conflicts.reading import Reading
from assay.checks.conflicts.word_sets import word_set
from assay.text.measures import measure_of
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.quantity_derivations import derived
from assay.text.quantity_relations import Relation, find_support, relate

_DOSES: Final = frozenset({"mass", "volume", "activity", "amount", "equivalents"})
_UNITLESS: Final = (Kind.COUNT, Kind.NUMBER)
_DATE_LIMITS: Final = word_set("before after since until till by following prior of from to through past")
_LIMITS: Final = word_set(
    "above below surpassed surpassing exceeded exceeding exceeds topped fewer higher lower another additional extra"
    " further remaining first last next every"
)
_FREQUENT: Final = "times/time"


def find_quantity_conflicts(claim: Reading, passage: Reading) -> Iterator[Conflict]:
    """A claim's quantity that the passage neither has nor yields, where it has another one in its place."""
    if not claim.quantities or not passage.quantities or "respectively" in claim.keys:
        return
    open_ones = [
        each for each in claim.quantities if each.kind is not Kind.ORDINAL and not _is_borne_out(each, claim, passage)
    ]
    dated = any(each.kind is Kind.DATE for each in open_ones)
    free = [each for each in passage.quantities if find_support(each, claim.quantities) is None]
    for own in open_ones:
        # The figure of another time is another figure, not a wrong one.
        if (dated and len(open_ones) > 1) or _is_no_ground(claim, own):
            continue
        best: tuple[float, Quantity] | None = None
        for other in free:
            if _is_no_ground(passage, other):
                continue
            context = _same_thing(claim, own, passage, other)
            if context is not None and (best is None or context.score > best[0]):
                best = context.score, other
        if best is not None:
            kind = _kind(own, best[1], claim.text, passage.text)
            yield Conflict.between(kind, claim, own.span, passage, best[1].span)


def _is_borne_out(own: Quantity, claim: Reading, passage: Reading) -> bool:
    whole = claim.find_whole(own.span) or own
    if find_support(own, passage.supports) is not None or find_support(whole, passage.supports) is not None:
        return True
    # "Two consecutive nights" is no duration, and yet bears out "two nights".
    if any(each.value == own.value and None in (each.unit, own.unit) for each in passage.supports):
        return True
    # The digits stand there, read as something else: "Age 45", "4.2/10".
    unitless = own.unit is None or own.kind is Kind.RATING
    if unitless and any(claim.tokens[at].key in passage.keys for at in claim.at(own.span) if _has_digit(claim, at)):
        return True
    lent = lend_unit(passage.differences, own)
    return find_support(own, lent) is not None or derived(own, (*lent, *passage.quantities)) is not None


def _is_no_ground(reading: Reading, own: Quantity) -> bool:
    """Whether a quantity may be part of another number, a limit in words, or a limit that is denied."""
    is_part = reading.is_torn(own.span) or any(each.span.overlaps(own.span) for each in reading.whole_groups)
    return is_part or _is_denied_limit(reading, own) or _is_bounded_in_words(reading, own)


def _is_denied_limit(reading: Reading, own: Quantity) -> bool:
    """Whether "over" and "under" stand under a negation: "no visit takes less than half an hour"."""
    at = reading.at(own.span)
    if not at or own.bound not in {Bound.OVER, Bound.UNDER}:
        return False
    stretch = reading.tokens[at[0]].stretch
    return any(is_cue(token.key) for token in reading.tokens[: at[0]] if token.stretch == stretch)


def _has_digit(reading: Reading, at: int) -> bool:
    return reading.tokens[at].key[0].isdecimal()


def _is_bounded_in_words(reading: Reading, own: Quantity) -> bool:
    """Whether words before a quantity make it a limit in a way that its bound does not tell."""
    at = reading.at(own.span)
    words = [token.key for token in reading.tokens[max(0, at[0] - 3) : at[0]]] if at else []
    if own.kind is Kind.DATE:
        return any(word in _DATE_LIMITS for word in words[-2:])
    return any(word in _LIMITS for word in words)


def _same_thing(claim: Reading, own: Quantity, passage: Reading, other: Quantity) -> Context | None:
    if Kind.DATE in (own.kind, other.kind) and Bound.BETWEEN in (own.bound, other.bound):
        return None
    if relate(own, other) is not Relation.CONFLICTING and not _differs_in_unit(own, other):
        return None
    at, place = claim.at(own.span), passage.at(other.span)
    if not at or not place:
        return None
    if _is_age(claim, at) is not _is_age(passage, place):
        return None
    aged = _is_age(claim, at)
    headless = own.kind in _UNITLESS and not aged and not _heads(claim, at) and not _heads(passage, place)
    if (own.kind in _UNITLESS or aged) and not headless and not _same_head(claim, at, passage, place):
        return None
    context = compare(claim, at, passage, place)
    # Any man may be 25: an age needs more around it, and a number with nothing behind it that it could count needs all.
    return context if context.is_same(share=1.0 if headless else 0.75 if aged else 0.6) else None


def _is_age(reading: Reading, at: range) -> bool:
    beside = reading.tokens[max(0, at[0] - 1) : at[0]] + reading.tokens[at[-1] + 1 : at[-1] + 2]
    return any(token.key in {"old", "aged", "age"} for token in beside)


def _same_head(claim: Reading, at: range, passage: Reading, place: range) -> bool:
    """Whether both count the same noun; one adjective may stand before it on either side."""
    mine, theirs = _heads(claim, at), _heads(passage, place)
    return bool(mine and theirs) and (mine[0] in theirs or theirs[0] in mine)


def _heads(reading: Reading, at: range) -> list[str]:
    own = reading.tokens[at[-1]]
    following = reading.tokens[at[-1] + 1 : at[-1] + 6]
    return [token.stem for token in following if token.stem and token.stretch == own.stretch][:2]


def _differs_in_unit(own: Quantity, other: Quantity) -> bool:
    """One number in two currencies; a price by the week may restate a price."""
    if own.kind is not Kind.PRICE or other.kind is not Kind.PRICE or own.value != other.value:
        return False
    return (own.unit or "").partition("/")[0] != (other.unit or "").partition("/")[0]


def _kind(own: Quantity, other: Quantity, claim: str, passage: str) -> ConflictKind:
    if own.unit != other.unit and own.unit and other.unit:
        digits = [
            "".join(char for char in text if char.isdecimal()) for text in (own.span.of(claim), other.span.of(passage))
        ]
        if digits[0] == digits[1] and digits[0]:
            return "unit"
    return kind_of(own)


def kind_of(own: Quantity) -> Literal["number", "date", "dose", "price"]:
    if own.kind is Kind.DATE:
        return "date"
    if own.kind is Kind.PRICE:
        return "price"
    if own.unit is not None:
        dimension = measure_of(own.unit).dimension
        if dimension.partition("/")[0] in _DOSES or dimension == _FREQUENT:
            return "dose"
    return "number"
