"""A record's texts are brought to their normal form once, and kept while the record is looked at."""

import gc
from weakref import ref

from assay.domain.record import Record, Source
from assay.text.quoted_texts import recall
from assay.text.quotes import QuoteMatch, find_quote
from assay.units.passages import number_record, number_sources


def record_of(*texts, output="The output says it all."):
    return Record("r", "i", output, tuple(Source(f"s{place}", text) for place, text in enumerate(texts, 1)))


def test_every_source_of_a_record_keeps_its_normal_form_however_many_there_are():
    record = record_of(*(f"Ward {number} has **many** beds. It has a “view”." for number in range(40)))
    passages = number_record(record)
    first = [recall(text).unmarked for text in passages.texts.values()]
    for passage in passages.all:
        find_quote("a garden with old trees", passages.texts[passage.source], within=passage.span)
    assert [id(recall(text).unmarked) for text in passages.texts.values()] == [id(form) for form in first]


def test_records_of_one_source_share_its_normal_form():
    one = number_record(record_of("Both were told this.", output="First."))
    other = number_sources([Source("s1", "Both were told this.")])
    assert one.kept[0] is other.kept[0]


def test_the_normal_forms_go_with_the_record():
    passages = number_record(record_of("The bridge “opened” in May."))
    gone = ref(recall("The bridge “opened” in May."))
    assert gone() is not None
    del passages
    gc.collect()
    assert gone() is None


def test_a_text_too_long_to_be_kept_is_searched_all_the_same():
    long = "Nothing of note was seen. " * 80_000 + "The bridge opened in May."
    passages = number_record(record_of(long, "A short one."))
    assert [kept.text for kept in passages.kept] == ["A short one.", "The output says it all."]
    found = find_quote("bridge opened in May", passages.texts["s1"])
    assert isinstance(found, QuoteMatch)
    assert found.span.of(long) == "bridge opened in May"
