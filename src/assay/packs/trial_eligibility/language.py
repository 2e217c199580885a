"""Measures how much of an answer is in the language of the user's question."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from assay.domain.record import Record
from assay.domain.scale import half_up, in_words
from assay.domain.span import Span
from assay.text.language import identify, language_shares
from assay.text.language_codes import language_name, read_language, same_script_neighbours
from assay.text.scripts import blank

_NOT_GIVEN: Final = frozenset({"", "auto", "none", "n/a", "na", "any", "unknown", "-"})
# Characters of a source that tell its language.
_SAMPLE: Final = 5_000
# A line of a source counts as repeated from three words on, a part of a line from six.
_LEAST_WORDS: Final = 3
_RUN_WORDS: Final = 6
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
        return "the language of the question can't be told"
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
        words=f"{in_words(half_up(share * 100, 1), 1)} % of {shares.words} words in {language_name(expected)}"
        + ("" if shares.dominant == expected else f", most in {language_name(shares.dominant)}"),
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
    """The stretches of a text that repeat lines of an original; case and punctuation do not matter.

    Time is linear in the length of the texts.
    """
    places = [Span(*match.span()) for match in _WORD.finditer(text)]
    words = [place.of(text).casefold() for place in places]
    # Only the text's own word sequences are indexed, so that a long original costs no memory.
    sequences = {size: _index(words, size) for size in range(_LEAST_WORDS, _RUN_WORDS + 1)}
    covered = bytearray(len(words))
    for line in (_WORD.findall(line.casefold()) for original in originals for line in original.splitlines()):
        size = min(len(line), _RUN_WORDS)
        for at in range(len(line) - size + 1) if size >= _LEAST_WORDS else ():
            # A sequence that was found once need not be looked up again.
            for start in sequences[size].pop(tuple(line[at : at + size]), ()):
                covered[start : start + size] = b"\x01" * size
    return tuple(_join(covered, places))


def _index(words: Sequence[str], size: int) -> dict[tuple[str, ...], list[int]]:
    index: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(words) - size + 1):
        index.setdefault(tuple(words[at : at + size]), []).append(at)
    return index


def _join(covered: bytearray, places: Sequence[Span]) -> Iterator[Span]:
    start = covered.find(1)
    while start >= 0:
        end = covered.find(0, start)
        end = len(covered) if end < 0 else end
        yield Span(places[start].start, places[end - 1].end)
        start = covered.find(1, end)
