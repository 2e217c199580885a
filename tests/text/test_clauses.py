"""Cases mark each clause with ⟨ and ⟩; the sentence under test is the case without the marks."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span
from assay.text.clauses import LEAST_WORDS, split_clauses

SPLIT = [
    "⟨The phone is cheap and light⟩; ⟨the tablet is heavy and slow.⟩",
    "⟨The price is high⟩; however, ⟨the build quality is very good.⟩",
    "⟨The phone costs 500 rupees⟩, but ⟨the tablet costs 700 rupees.⟩",
    "⟨The firm sold the plant in May⟩, and ⟨its rival cut the price by a tenth.⟩",
    "⟨The drug reduced pain in adults⟩, whereas ⟨the placebo had no effect at all.⟩",
    "⟨The screen is very bright⟩, although ⟨it is hard to read outdoors.⟩",
    "⟨The battery lasts two days⟩ and ⟨it charges quickly over the cable.⟩",
    "⟨The camera is great⟩ and ⟨the battery is poor in cold weather.⟩",
    "⟨The report said sales rose⟩, but ⟨the company cut its forecast for the year.⟩",
    "⟨He bought the red car⟩, and ⟨she sold the blue one⟩, but ⟨they kept the old house.⟩",
    "⟨the room was very clean⟩ , and ⟨the staff were kind to us .⟩",
    "⟨We paid (in cash, and the clerk was slow) on Monday⟩, but ⟨the shop was closed on Tuesday.⟩",
]

WHOLE = [
    "Apples, pears and plums are sold in the market every day.",
    "The phone has a bright screen, a big battery, and a camera that is good.",
    "He said that Acme and Globex were merging in the spring.",
    "He said prices rose in May, and they would fall in June.",
    "He said that prices rose in May, but they would fall in June.",
    "The phone, which is cheap, and the tablet are sold in stores.",
    "The products sold by the firm and the agency were recalled last year.",
    "If the price falls, and the stock rises, we will sell it.",
    "Is the phone really cheap, and is the tablet really light?",
    'He called it "a good phone, and the tablet is bad" in May.',
    "The dose (it was high, and the patient was ill) was cut.",
    "It is not only cheap, but it also lasts for years.",
    "Either the phone is broken, or it is, and the cable is fine.",
    "The phone is cheap, but it breaks.",
    "It broke, but the shop replaced it for free.",
    "The kit holds five items: red apples from Spain; green pears from Italy; plums.",
    "The summary only covers the number of people saved and their ages, and does not give names.",
    'An unpaired " quote is here, and the rest is not to be trusted.',
    "He liked the phone, which was cheap; the tablet, which was light; and the watch.",
]


def clauses(sentence: str, language: str = "en") -> list[str]:
    return [span.of(sentence) for span in split_clauses(sentence, language)]


@pytest.mark.parametrize("case", SPLIT)
def test_each_part_that_stands_alone_is_a_claim(case):
    assert clauses(re.sub("[⟨⟩]", "", case)) == re.findall("⟨([^⟩]*)⟩", case)


@pytest.mark.parametrize("sentence", WHOLE)
def test_a_doubtful_sentence_stays_whole(sentence):
    assert clauses(sentence) == [sentence]


@pytest.mark.parametrize(
    ("language", "sentence", "count"),
    [
        ("es", "El precio es alto aquí; la calidad es muy buena.", 2),
        ("fr", "Le prix est élevé, et la qualité est bonne.", 1),
        ("de", "Der Preis ist sehr hoch; gut.", 1),
        ("pt", "Inclui: uma tela de seis polegadas; uma bateria de longa duração.", 1),
        ("vi", "Giá của nó cao; chất lượng của nó tốt.", 2),
    ],
)
def test_other_languages_split_at_semicolons_alone(language, sentence, count):
    assert len(clauses(sentence, language)) == count


def test_a_regional_tag_is_still_english():
    assert len(clauses("The phone is very cheap, but the case is not.", "en-GB")) == 2


def test_a_whole_sentence_is_trimmed_and_a_blank_one_has_no_claims():
    assert split_clauses("  It rained. ") == (Span(2, 12),)
    assert split_clauses(" \n") == ()


def test_a_sentence_beyond_reason_stays_whole():
    sentence = "The phone is very cheap, and it is very light" * 20_000
    assert split_clauses(sentence) == (Span(0, len(sentence)),)


WORDS = 'the phone is it and , ; but while Smith won said that ( ) " cheap costs 5 , and ; the he was . ?'


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.lists(st.sampled_from(WORDS.split()), max_size=30).map(" ".join), st.sampled_from(["en", "es"]))
def test_claims_are_ordered_trimmed_and_long_enough(sentence, language):
    spans = split_clauses(sentence, language)
    assert all(span.of(sentence) == span.of(sentence).strip() != "" for span in spans)
    assert all(left.end < right.start for left, right in pairwise(spans))
    if len(spans) > 1:
        assert all(len(span.of(sentence).split()) >= LEAST_WORDS for span in spans)
    if spans:
        assert spans[0].start == len(sentence) - len(sentence.lstrip())
        assert spans[-1].end == len(sentence.rstrip())
