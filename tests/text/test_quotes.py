import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span
from assay.text.quotes import find_quote

TRIAL = (
    "The trial enrolled 1,000 adults. Patients took 25 mg of the study drug twice daily for 12 weeks, and no serious "
    "adverse events were reported. Dr. Elena Marsh wrote that Kestrel Labs may not sell the drug before 2027. "
    "Treatment decreased mean pressure by 8.4% in most patients but increased the heart rate in some of them."
)

FOUND = [
    ("the words themselves", "no serious adverse events were reported", TRIAL),
    ("another case", "NO SERIOUS ADVERSE EVENTS were reported", TRIAL),
    ("a lone number", "2027", TRIAL),
    ("a full stop at its end", "The trial enrolled 1,000 adults.", TRIAL),
    ("straight marks around it", '"Patients took 25 mg of the study drug"', TRIAL),
    ("marks and then a full stop", "“Patients took 25 mg”.", TRIAL),
    ("cut off with dots", "Patients took 25 mg of the study...", TRIAL),
    ("curly apostrophe", "the patient's ward", "It was the patient’s ward."),
    ("zero-width characters", "the approved dose", "It is the appr\u200bov\u200ded dose."),
    ("en dash for hyphen", "a follow-up visit", "At a follow–up visit."),
    ("a vulgar fraction", "add 1/2 cup", "Then add ½ cup."),
    ("a whole number with a fraction", "add 2 1/2 cups", "Then add 2½ cups."),
    ("a compatibility sign", "take 5 mg", "So take 5 ㎎."),
    ("a word cut at the line's end", "the treat-ment arm", "in the treat-\nment arm"),
    ("defused brackets", "the ‹b›key‹/b› point", "It is the <b>key</b> point."),
    ("a bracketed reference", "was safe [12] in adults", "It was safe [12] in adults."),
    ("Chinese inside a sentence", "患者每天服用", "这些患者每天服用5毫克。"),
    ("a Latin word beside Chinese", "aspirin", "服用aspirin后好转。"),
    ("other punctuation", "for 12 weeks and no serious adverse events were reported", TRIAL),
    ("marks set apart", "Jin Pai, 35, was standing", "Passenger Jin Pai , 35 , was standing there."),
    ("inner quotation marks gone", "the new drug works", "He says the “new” drug works."),
    ("a dash for a comma", "the drug, they say, works", "the drug – they say – works"),
    ("emphasis marks gone", "Price: $5", "**Price**: $5 each"),
    ("reference numbers gone", "It was safe in most adults", "It was safe [12] in most adults [3,4]."),
    ("pieces with dots", "Patients took 25 mg … no serious adverse events were reported", TRIAL),
    ("pieces over two sentences", "The trial enrolled 1,000 adults ... twice daily for 12 weeks", TRIAL),
    ("a bracketed capital", "[T]he study drug twice daily", TRIAL),
    ("Chinese punctuation", "患者每天服用5毫克，没有不良反应", "患者每天服用5毫克没有不良反应。"),
]

VOID = [
    ("nothing", "", TRIAL),
    ("marks alone", "“…”", TRIAL),
    ("an article more", "Patients took the 25 mg of the study drug twice daily", TRIAL),
    ("an s less", "Patients took 25 mg of the study drug twice daily for 12 week", TRIAL),
    ("a changed dose", "Patients took 50 mg of the study drug twice daily", TRIAL),
    ("the end of a number", "5 mg of the study drug twice daily", TRIAL),
    ("a percentage without its sign", "mean pressure by 8.4", TRIAL),
    ("a dropped no", "for 12 weeks, and serious adverse events were reported", TRIAL),
    ("a name less", "Dr. Elena wrote that Kestrel Labs may not sell the drug", TRIAL),
    ("dots over a negation", "for 12 weeks ... adverse events were reported", TRIAL),
    ("a piece of one word", "Patients ... twice daily for 12 weeks", TRIAL),
    ("pieces in the wrong order", "twice daily for 12 weeks ... The trial enrolled", TRIAL),
    ("part of a word", "eatment decreased mean", TRIAL),
    ("eligible in ineligible", "eligible", "She is ineligible."),
    ("eligible in non-eligible", "eligible", "She is non-eligible."),
    ("eligible for ineligible", "She is eligible for the new study today", "She is ineligible for the new study today."),
    ("smokers for non-smokers", "smokers had a lower risk of death", "In all, non-smokers had a lower risk of death."),
    ("5 mg in 1.5 mg", "5 mg", "Take 1.5 mg."),
    ("5 mg in a range", "5 mg", "Take 2-5 mg."),
    ("5 mg in 5 mg/kg", "5 mg", "Take 5 mg/kg."),
    ("a price without its currency", "5 each", "They cost $5 each."),
    ("102 for 10²", "102 cells", "We saw 10² cells."),
    ("21/2 for 2½", "21/2 cups", "Add 2½ cups."),
    ("can from can't", "He can", "He can't."),
    ("swapped names", "Anna Bell paid Carl Dunn for the old house", "Carl Dunn paid Anna Bell for the old house"),
    ("swapped doses", "take 5 mg at dawn and 10 mg at dusk", "take 10 mg at dawn and 5 mg at dusk"),
    ("1,000 for 1.000", "they paid 1,000 euros for all of it", "they paid 1.000 euros for all of it"),
    ("hepatitis without its letter", "the new hepatitis vaccine was given to her", "the new hepatitis A vaccine was given to her"),
    ("a comparison turned", "a value with p > 0.05 was seen there", "a value with p < 0.05 was seen there"),
    ("Chinese with its negation cut", "合格", "他不合格。"),
    ("a Chinese negation dropped", "这种药物对儿童是安全的", "这种药物对儿童是不安全的。"),
    ("a Chinese dose changed", "患者每天服用50毫克的药物", "患者每天服用5毫克的药物。"),
    ("a Japanese negation cut", "効果が認められ", "効果が認められなかった。"),
    ("a Spanish negation", "el fármaco es seguro para los niños pequeños", "el fármaco no es seguro para los niños pequeños"),
    ("a Vietnamese negation", "thuốc này có hại cho trẻ em nhỏ", "thuốc này không có hại cho trẻ em nhỏ"),
    ("a quote longer than the text", "the drug was safe and it was also cheap", "the drug was safe"),
    ("sentences run together", "the drug was safe for children under ten", "The drug was safe. For children under ten it was not."),
    ("a range's end as a negative number", "-5 mg", "Take 2-5 mg."),
    ("a decimal's end with its point", ".5 mg", "Take 1.5 mg."),
    ("an interval left out", "the mean was lower, CI in old adults", "the mean was lower, CI [2, 5] in old adults"),
    ("hidden words", "the drug was found to be unsafe", "the drug was <!-- found to be unsafe --> safe"),
]  # fmt: skip


@pytest.mark.parametrize(("quote", "text"), [case[1:] for case in FOUND], ids=[case[0] for case in FOUND])
def test_the_same_words_are_found_with_other_marks_and_gaps(quote, text):
    assert find_quote(quote, text) is not None


@pytest.mark.parametrize(("quote", "text"), [case[1:] for case in VOID], ids=[case[0] for case in VOID])
def test_a_change_that_matters_voids_a_quote(quote, text):
    assert find_quote(quote, text) is None


def test_the_span_points_into_the_text_as_given():
    text = "Well —  the  “new”\u200b drug\u00a0works … they say."
    found = find_quote('the "new" drug works', text)
    assert found is not None
    assert found.of(text) == "the  “new”\u200b drug\u00a0works"


def test_an_elided_quote_spans_from_its_first_word_to_its_last():
    found = find_quote("Patients took 25 mg ... no serious adverse events", TRIAL)
    assert found is not None
    assert found.of(TRIAL).startswith("Patients took")
    assert found.of(TRIAL).endswith("adverse events")


def test_the_nearest_first_piece_counts_where_it_is_repeated():
    text = "He took the drug. " + "Some rain fell here. " * 30 + "Then he took the drug and felt much better."
    found = find_quote("he took the drug ... much better", text)
    assert found is not None
    assert found.of(text) == "he took the drug and felt much better"


def test_the_first_place_within_the_cited_sentence_wins():
    text = "It is safe. Later: it is safe, yes, it is safe."
    assert find_quote("it is safe", text) == Span(0, 10)
    assert find_quote("it is safe", text, Span(12, len(text))) == Span(19, 29)


def test_a_quote_is_found_in_a_long_text():
    generator = random.Random(7)
    words = ["".join(generator.choices("abcdefghijklmnop", k=generator.randint(3, 9))) for _ in range(4000)]
    filler = " ".join(generator.choices(words, k=20_000))
    text = f"{filler}. Nine herons crossed a frozen river before noon on Tuesday. {filler}"
    found = find_quote("Nine herons crossed a frozen river, before noon, on Tuesday", text)
    assert found is not None
    assert found.of(text).startswith("Nine herons crossed a frozen river")
    changed = find_quote("9 herons crossed a frozen river before noon on Tuesday", text)
    assert changed is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("a" * 500, "a" * 60_000),
        ("a a a a a a a b", "a " * 60_000),
        ("a b ... c d", "a b " * 5_000),
        ("[" * 3000 + "a b c d e f", "[a] " * 30_000),
        ("." * 30_000 + " it was so", "." * 40_000),
        ("<!-- it was so", "<!--" * 40_000),
        ("*" * 50_000 + "it was so", "*1" * 60_000),
        ("word " * 2000, "word " * 100 + "ward " * 5_000),
    ],
)
def test_a_hostile_text_ends_the_search(quote, text):
    find_quote(quote, text)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(st.text(max_size=80), st.text(max_size=200), st.text(max_size=40))
def test_any_quote_of_any_text_gives_a_span_or_nothing(quote, text, tail):
    found = find_quote(quote, text + quote + tail)
    assert found is None or 0 <= found.start < found.end <= len(text + quote + tail)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(st.integers(0, 40), st.integers(1, 12))
def test_every_run_of_whole_words_is_an_exact_quote(first, count):
    words = TRIAL.split()
    quote = " ".join(words[first : first + count])
    found = find_quote(quote, TRIAL)
    assert found is not None
