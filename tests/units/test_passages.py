"""A record's texts are brought to their normal form once, and kept while the record is looked at."""

from assay.domain.record import Record, Source
from assay.text.quotes import QuoteMatch, find_quote
from assay.units.passages import number_record


def record_of(*texts, output="The output says it all."):
    return Record("r", "i", output, tuple(Source(f"s{place}", text) for place, text in enumerate(texts, 1)))


def test_a_very_long_text_is_searched():
    long = "Nothing of note was seen. " * 80_000 + "The bridge opened in May."
    passages = number_record(record_of(long, "A short one."))
    found = find_quote("bridge opened in May", passages.texts["s1"])
    assert isinstance(found, QuoteMatch)
    assert found.span.of(long) == "bridge opened in May"
