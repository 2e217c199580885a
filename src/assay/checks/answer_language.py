"""Measures how much of an answer is in the language of the user's question."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from assay.checks.quotations import find_repeated
from assay.domain.record import Record
from assay.domain.scale import half_up, in_words
from assay.domain.span import Span
from assay.text.language import (
    identify,
    language_name,
    language_shares,
    read_language,
    same_script_neighbours,
)
from assay.text.scripts import blank

_NOT_GIVEN: Final = frozenset({"auto", "none", "n/a", "na", "any", "unknown", "-"})
_SAMPLE: Final = 5_000
"""Characters of a source that tell its language."""


@dataclass(frozen=True, slots=True)
class AnswerLanguage:
    """`close` says that the expected and the found language are too near for code to be sure."""

    expected: str
    dominant: str
    share: Fraction
    found_in_record: bool
    close: bool
    words: str


def measure_language(record: Record) -> AnswerLanguage | str:
    """The measure, or in words why there is none.

    What the answer repeats word for word from a source in another language does not count against it.
    """
    given = _find_given(record)
    if given and _read_given(given) is None:
        return f"the expected language {given[:40]!r} is not one that is known"
    expected = _expect_language(record)
    if expected is None:
        return "the language of the question can't be told"
    quoted = _find_quoted(record, expected)
    shares = language_shares(record.output, expected, quoted)
    if shares.dominant is None:
        return "the answer is too short to tell its language"
    share = shares.of(expected)
    return AnswerLanguage(
        expected=expected,
        dominant=shares.dominant,
        share=share,
        found_in_record=shares.dominant in {"en", expected, *_tell_languages(record)},
        close=any(code != expected and same_script_neighbours(expected, code) for code in shares.shares),
        words=f"{in_words(half_up(share * 100, 1), 1)} % of {shares.words} words in {language_name(expected)}"
        + ("" if shares.dominant == expected else f", most in {language_name(shares.dominant)}"),
    )


def _find_given(record: Record) -> str:
    given = record.text("expected_language").strip()
    return "" if given.casefold() in _NOT_GIVEN else given


def _read_given(given: str) -> str | None:
    """American English is English, and Norwegian Bokmål is Norwegian."""
    words = reversed(given.split())
    return read_language(given) or next((code for word in words if (code := read_language(word))), None)


def _expect_language(record: Record) -> str | None:
    """The record's own word first; else the language of the question without the profile that may be pasted into it.

    A question too short to tell is taken to be in the language of the whole record, if that is one and the question
    holds no letter that speaks against it.
    """
    given = _find_given(record)
    if given and (read := _read_given(given)):
        return read
    query = record.query or ""
    question = blank(query, find_repeated(query, (source.text for source in record.sources)))
    told = identify(question)
    if told is not None or not question.isascii():
        return told
    languages = _tell_languages(record)
    return languages.pop() if len(languages) == 1 else identify(query)


def _tell_languages(record: Record) -> set[str]:
    texts = [record.query or "", *(source.text for source in record.sources)]
    return {found for text in texts if (found := identify(text[:_SAMPLE])) is not None}


def _find_quoted(record: Record, expected: str) -> tuple[Span, ...]:
    foreign = (source.text for source in record.sources if identify(source.text[:_SAMPLE]) != expected)
    return find_repeated(record.output, foreign)
