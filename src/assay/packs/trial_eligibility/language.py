"""Measures how much of an answer is in the language of the user's question."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from assay.domain.record import Record
from assay.domain.scale import half_up, in_words
from assay.domain.span import Span
from assay.text.language import blank, identify, language_shares
from assay.text.scripts import language_name, read_language, same_script_neighbours

_NOT_GIVEN: Final = frozenset({"", "auto", "none", "n/a", "na", "any", "unknown", "-"})
# Characters of a source by which its language is identified.
_SAMPLE: Final = 5_000
_RUN_WORDS: Final = 5
_WORD: Final = re.compile(r"\w+")


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
    given = record.text("expected_language").strip()
    if given.casefold() not in _NOT_GIVEN:
        # American English is English, and Norwegian Bokmål is Norwegian.
        expected = next((code for name in (given, *reversed(given.split())) if (code := read_language(name))), None)
        if expected is None:
            return f"the expected language {given[:40]!r} is not one that is known"
    else:
        expected = _identify_question(record)
    if expected is None:
        return "the language of the question is unknown"
    foreign = (source.text for source in record.sources if identify(source.text[:_SAMPLE]) != expected)
    quoted = find_repeated(record.output, foreign)
    shares = language_shares(record.output, expected, quoted)
    if shares.dominant is None:
        return "the answer is too short to tell its language"
    share = shares.of(expected)
    close = any(code != expected and same_script_neighbours(expected, code) for code in shares.shares)
    return AnswerLanguage(
        expected=expected,
        dominant=shares.dominant,
        share=share,
        found_in_record=shares.dominant in {"en", expected, *_identify_texts(record)},
        close=close,
        words=f"question in {language_name(expected)}, answer in {language_name(shares.dominant)}: "
        f"{in_words(half_up(share * 100, 1), 1)} % of {shares.words} words in {language_name(expected)}",
    )


def _identify_question(record: Record) -> str | None:
    """The language of the question without the profile that may be pasted into it.

    A question too short to tell is taken to be in the language of the whole record, if that is one and the question
    holds no letter that speaks against it.
    """
    query = record.query or ""
    question = blank(query, find_repeated(query, (source.text for source in record.sources)))
    told = identify(question)
    if told is not None or not question.isascii():
        return told
    languages = _identify_texts(record)
    return languages.pop() if len(languages) == 1 else identify(query)


def _identify_texts(record: Record) -> set[str]:
    texts = [record.query or "", *(source.text for source in record.sources)]
    return {found for text in texts if (found := identify(text[:_SAMPLE])) is not None}


def find_repeated(text: str, originals: Iterable[str]) -> tuple[Span, ...]:
    """The stretches of five words or more that an original has too; case and punctuation do not matter."""
    known = {run for original in originals for run in _list_runs(_WORD.findall(original.casefold()))}
    places = [Span(*match.span()) for match in _WORD.finditer(text)]
    found: list[Span] = []
    for at, run in enumerate(_list_runs([place.of(text).casefold() for place in places])):
        if run in known:
            start, end = places[at].start, places[at + _RUN_WORDS - 1].end
            goes_on = bool(found) and start < found[-1].end
            found[-1:] = [Span(found[-1].start, end)] if goes_on else [*found[-1:], Span(start, end)]
    return tuple(found)


def _list_runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[at:] for at in range(_RUN_WORDS)), strict=False)
