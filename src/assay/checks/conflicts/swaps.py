"""Names and weekdays of a claim that stand where the passage has another one."""

from collections.abc import Iterator
from typing import Final

from rapidfuzz.distance import Levenshtein

from assay.checks.conflicts.conflict import Conflict
from assay.checks.conflicts.context import compare
from assay.checks.conflicts.names import Name, build_forms, find_names
from assay.checks.conflicts.reading import Reading
from assay.checks.conflicts.word_sets import word_set
from assay.domain.span import Span

_DAYS: Final = word_set("monday tuesday wednesday thursday friday saturday sunday")
_SPELLED_ALIKE: Final = 0.6
_MONTHS: Final = word_set("january february april june july august september october november december")


def find_name_conflicts(claim: Reading, passage: Reading) -> Iterator[Conflict]:
    """A name that the passage has in no form, between the words that there enclose another name."""
    mine = find_foreign(claim, (passage.text,))
    if not mine:
        return
    theirs = find_foreign(passage, (claim.text,))
    for name in mine:
        for other in theirs:
            if not _stands_alike(claim, name.places, passage, other.places) or is_variant(name, other):
                continue
            if compare(claim, name.places, passage, other.places).is_same():
                yield Conflict.between("name", claim, name.span, passage, other.span)
                break


def is_variant(name: Name, other: Name) -> bool:
    """Whether two names look like spellings of one."""
    one, two = ("".join(token.key for token in each.tokens) for each in (name, other))
    return Levenshtein.normalized_similarity(one, two) >= _SPELLED_ALIKE


def find_calendar_conflicts(claim: Reading, passage: Reading) -> Iterator[Conflict]:
    """Another weekday, or another month without a day, in the same place."""
    for table in (_DAYS, _MONTHS):
        if passage.keys & claim.keys & table or not passage.keys & table:
            continue
        for at, token in enumerate(claim.tokens):
            if token.key not in table or _is_dated(claim, token.span):
                continue
            for place, other in enumerate(passage.tokens):
                if (
                    other.key not in table
                    or _is_dated(passage, other.span)
                    or not _stands_alike(claim, range(at, at + 1), passage, range(place, place + 1))
                ):
                    continue
                if compare(claim, range(at, at + 1), passage, range(place, place + 1)).is_same():
                    yield Conflict.between("date", claim, token.span, passage, other.span)
                    break


def _is_dated(reading: Reading, span: Span) -> bool:
    """A month with a day or a year is a quantity and compared as one."""
    return any(each.span.overlaps(span) for each in reading.quantities)


def find_foreign(reading: Reading, texts: tuple[str, ...]) -> list[Name]:
    """The names of one text of which the others have no word."""
    names = list(find_names(reading))
    if not names:
        return []
    forms = build_forms(texts, reading.language)
    return [name for name in names if not any(forms.has(token, name) for token in name.tokens)]


def _stands_alike(claim: Reading, at: range, passage: Reading, place: range) -> bool:
    """Whether the word just before or just after is the same in both."""
    return _word(claim, at[0] - 1) == _word(passage, place[0] - 1) != "" or (
        _word(claim, at[-1] + 1) == _word(passage, place[-1] + 1) != ""
    )


def _word(reading: Reading, place: int) -> str:
    return reading.tokens[place].key if 0 <= place < len(reading.tokens) else ""
