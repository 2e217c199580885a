"""Measures how much of an answer is in the language of the user's question."""

from dataclasses import dataclass
from fractions import Fraction

from assay.domain.record import Record
from assay.domain.scale import half_up, in_words
from assay.domain.span import Span
from assay.text.language import identify, language_name, language_shares, read_language, same_script_neighbours


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
    """The measure, or in words why there is none. What is quoted from the record's sources does not count against."""
    expected = _expect_language(record)
    if expected is None:
        return "the language of the question can't be told"
    shares = language_shares(record.output, expected, _quoted(record))
    if shares.dominant is None:
        return "the answer is too short to tell its language"
    share = shares.of(expected)
    others = {"en", expected, *_languages(record)}
    return AnswerLanguage(
        expected=expected,
        dominant=shares.dominant,
        share=share,
        found_in_record=shares.dominant in others,
        close=shares.dominant != expected and same_script_neighbours(expected, shares.dominant),
        words=f"{in_words(half_up(share * 100, 1), 1)} % of {shares.words} words in {language_name(expected)}"
        + ("" if shares.dominant == expected else f", most in {language_name(shares.dominant)}"),
    )


def _expect_language(record: Record) -> str | None:
    """The record's own word first; else the language of the question without the profile that may be pasted into it."""
    given = record.text("expected_language").strip()
    if given and (read := read_language(given)):
        return read
    question = record.query or ""
    for source in record.sources:
        if source.text.strip():
            question = question.replace(source.text.strip(), " ")
    return identify(question) or identify(record.query or "")


def _languages(record: Record) -> set[str]:
    texts = [record.query or "", *(source.text for source in record.sources)]
    return {found for text in texts if (found := identify(text[:5000])) is not None}


def _quoted(record: Record) -> list[Span]:
    """Whole lines of the criteria or the trial's title that the answer repeats word for word."""
    spans = []
    for source in record.sources:
        for line in source.text.splitlines():
            quoted = line.strip().lstrip("-*•0123456789.) ")
            if len(quoted.split()) >= 3 and (start := record.output.find(quoted)) >= 0:
                spans.append(Span(start, start + len(quoted)))
    return spans
