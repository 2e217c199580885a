"""Readers of the judged texts: sentences, tables, quantities, quotes, and what is hidden or hostile in them."""

from itertools import islice

from assay.domain.span import Span
from assay.text.dates import find_dates
from assay.text.hostile import delimiter, find_injections, neutralise
from assay.text.keywords import keywords
from assay.text.language import find_nonwords, identify, language_shares
from assay.text.normal import INVISIBLE, normalise
from assay.text.quantities import find_quantities
from assay.text.quotes import find_quote
from assay.text.sentences import split_sections, split_sentences
from assay.text.tables import find_tables, text_outside_tables
from assay.units.claims import cut_claims
from fuzz.choices import Choices
from fuzz.rules import hold, hold_cover, hold_spans, is_utf_8, read_twice

LANGUAGES = ("en", "de", "fr", "es", "vi", "zh", "ja", "ru", "ar", "th", "pt", "it", "ko", "xx", "")


def check_sentences(data: bytes) -> None:
    """Sentences cover the text, sections lie in it, and every claim is a stretch of it."""
    choices = Choices(data)
    language = choices.pick(LANGUAGES)
    text = choices.text()
    sentences = read_twice(lambda: split_sentences(text, language))
    hold_cover(sentences, text)
    hold_spans(split_sections(text, language), text)
    for cells in (False, True):
        for unit in cut_claims(text, language, cells=cells):
            span = unit.span
            hold(span is not None and 0 <= span.start < span.end <= len(text), f"{unit.id} at {span}")
            hold(unit.text.strip(), f"{unit.id} is blank")


def check_tables(data: bytes) -> None:
    """Cells lie in their table and say what stands there; tables and the text outside are apart."""
    text = Choices(data).text()
    tables = read_twice(lambda: find_tables(text))
    outside = text_outside_tables(text)
    hold_spans(outside, text)
    for table in tables:
        for cell in table.cells:
            hold(table.span.start <= cell.span.start <= cell.span.end <= table.span.end, f"{cell} outside its table")
    for span in find_nonwords(text):
        hold(0 <= span.start < span.end <= len(text), f"{span} is not in its text")


def check_quantities(data: bytes) -> None:
    """Quantities and dates in order, each with a reading; none without a letter, a digit or a fraction sign."""
    choices = Choices(data)
    text = choices.text()
    found = read_twice(lambda: find_quantities(text))
    hold_spans([quantity.span for quantity in found], text)
    hold_spans([span for span, _ in find_dates(text)], text)
    for quantity in found:
        hold(all(numeral.step >= 0 for numeral in quantity.readings), f"{quantity}")
    if not any(character.isalnum() for character in text):
        hold(not found, f"a quantity out of nothing: {found}")


def check_quotes(data: bytes) -> None:
    """A quote that is found lies in the text, holds words, and holds a number where the quote does."""
    choices = Choices(data)
    quote, text = choices.text(), choices.text()
    place = choices.number(256)
    within = None if place < 128 else Span(place % 16, len(text) - place % 7)
    found = read_twice(lambda: find_quote(quote, text, within))
    if not any(character.isalnum() for character in quote):
        hold(found is None, "a quote without words is found")
    if found is not None:
        hold_spans([found], text)
        hold(within is None or (within.start <= found.start and found.end <= max(0, within.end)), "outside")
        said = found.of(text)
        if any(character.isdecimal() for character in normalise(quote).text):
            hold(any(character.isdigit() for character in normalise(said).text), f"{said!r} for {quote!r}")


def check_normal(data: bytes) -> None:
    """Every character of the normal text has its origin, in order; normalising once is enough for its letters."""
    text = Choices(data).text()
    normal = normalise(text)
    hold(len(normal.text) == len(normal.starts) == len(normal.ends), "an origin is missing")
    done = 0
    for start, end in zip(normal.starts, normal.ends, strict=True):
        hold(done <= start < end <= len(text), f"origin {start} to {end} after {done}")
        done = start
    hold(not INVISIBLE.search(normal.text), "something invisible is left")


def check_hostile(data: bytes) -> None:
    """Nothing hidden and no tag is left, and what is suspected lies in the text."""
    text = Choices(data).text()
    shown = read_twice(lambda: neutralise(text))
    hold(not INVISIBLE.search(shown.text), "something invisible is left")
    for sign, after in zip(shown.text, islice(shown.text, 1, None), strict=False):
        hold(not (sign in "<＜﹤" and (after.isalpha() or after in "/|!?")), f"a tag is left: {sign}{after}")
    hold(neutralise(shown.text).text == shown.text, "a second look finds more")
    found = read_twice(lambda: find_injections(text))
    hold_spans([suspicion.span for suspicion in found], text, apart=False)
    mark = delimiter([text])
    hold(mark not in text, "a mark that the text contains")


def check_language(data: bytes) -> None:
    """Shares of languages are shares, whatever the script."""
    choices = Choices(data)
    language = choices.pick(LANGUAGES)
    text = choices.text()
    identify(text)
    shares = read_twice(lambda: language_shares(text, language or None))
    hold(repr(shares), "no shares")
    hold(all(is_utf_8(word) or not is_utf_8(text) for word in keywords(text, language)), "a keyword off UTF-8")
