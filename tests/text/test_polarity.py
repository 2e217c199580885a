"""Where a claim and a quote differ in a negation or a bound. Honest paraphrases should seldom be taken for that."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.polarity import explain_bound, explain_negation, without_limits

DENIED = [
    ("en", "Dogs travel free on Sundays.", "Dogs never travel free on Sundays"),
    ("en", "Dogs travel free on Sundays.", "Dogs travel free, but not on Sundays"),
    ("en", "Serious harm was reported.", "No serious harm was reported"),
    ("en", "The museum is open on Mondays.", "The museum isn't open on Mondays"),
    ("en", "The museum is open on Mondays.", "The museum isn’t open on Mondays"),
    ("en", "The shop does not sell tea.", "The shop sells tea"),
    ("en", "All patients improved.", "Not all patients improved"),
    ("en", "The room is closed on Mondays.", "The room is not closed on Mondays"),
    ("en", "Members enter without a ticket.", "Members enter with a ticket"),
    ("en", "The plan was approved.", "The council has not approved the plan"),
    ("en", "Nobody was hurt.", "Two workers were hurt"),
    ("en", "The battery can be replaced.", "The battery cannot be replaced by the user"),
    ("en", "Both drugs lower the risk.", "Neither drug lowers the risk"),
    ("de", "Hunde fahren sonntags frei mit.", "Hunde fahren sonntags nicht frei mit"),
    ("fr", "Les chiens voyagent gratuitement le dimanche.", "Les chiens ne voyagent pas gratuitement le dimanche"),
    ("es", "Los perros viajan gratis.", "Los perros no viajan gratis"),
    ("it", "I cani viaggiano gratis.", "I cani non viaggiano mai gratis"),
    ("pt", "Os cães viajam de graça.", "Os cães não viajam de graça"),
    ("nl", "Honden reizen gratis.", "Honden reizen nooit gratis"),
    ("vi", "Chó được đi miễn phí.", "Chó không được đi miễn phí"),
    ("zh", "狗可以免费乘车。", "狗不可以免费乘车"),
    ("ar", "الكلاب تسافر مجانا", "الكلاب لا تسافر مجانا"),
]
AGREED = [
    ("The museum is closed on Mondays.", "The museum is not open on Mondays"),
    ("The museum is closed on Mondays in winter.", "The museum isn't open on Mondays in winter"),
    ("It always works.", "It never fails"),
    ("There were no injuries.", "Nobody was hurt"),
    ("The pool closed in June.", "The pool, which was not popular, closed in June"),
    ("Cats pay half.", "Dogs do not travel free and cats pay half"),
    ("You need a ticket to enter.", "Entry is refused without a ticket"),
    ("The drug is unavailable in Spain.", "The drug is not available in Spain"),
    ("Dogs do not travel free on Sundays.", "Dogs travel free, but not on Sundays"),
    ("Drivers must report by Friday.", "Drivers must report no later than Friday"),
    ("The treatment is painless.", "The treatment causes no pain"),
    ("Guests need a passport.", "Guests cannot enter without a passport"),
    ("The plan has risks.", "The plan is not without risks"),
    ("The bus runs daily except Sundays.", "The bus does not run on Sundays"),
    ("The mayor opposes the plan.", "The mayor does not support the plan"),
    ("The lamp is cheap and bright.", "The lamp is not only cheap but bright"),
    ("Bus 5 stops here.", "No. 5 bus stops here"),
    ("Motor repairs are free.", "The maker repairs the motor without charge"),
]


@pytest.mark.parametrize(("language", "claim", "quote"), DENIED)
def test_a_negation_in_one_of_two_texts_is_noticed_whichever_it_is(language, claim, quote):
    assert explain_negation(claim, quote, language) is not None
    assert explain_negation(quote, claim, language) is not None


@pytest.mark.parametrize(("claim", "quote"), AGREED)
def test_a_paraphrase_with_other_negations_agrees(claim, quote):
    assert explain_negation(claim, quote, "en") is None
    assert explain_negation(quote, claim, "en") is None


def test_the_negation_is_named():
    words = explain_negation("Dogs travel free.", "Dogs never travel free on Sundays", "en")
    assert words == "the quote says “never travel free on sundays”, the claim does not deny it"


def test_a_language_without_a_table_is_left_alone():
    assert explain_negation("Koirat matkustavat ilmaiseksi.", "Koirat eivät matkusta ilmaiseksi", "fi") is None


BOUNDED = [
    ("The dose is at least 40 mg.", "at most 40 mg per day"),
    ("Take 80 mg.", "no more than 80 mg"),
    ("It lasts 12 hours.", "up to 12 hours"),
    ("Return it after 14 days.", "within 14 days"),
    ("Over 300 came.", "fewer than 300 came"),
    ("Adults up to 18 may enter.", "18 or older"),
    ("Maximum 5 guests.", "a minimum of 5 guests"),
    ("Five guests at most.", "at least five guests"),
    ("Children over six travel free.", "children under six do"),
    ("The highest dose is 40 mg.", "a minimum dose of 40 mg"),
    ("Mindestens 40 Gäste.", "höchstens 40 Gäste"),
    ("Au moins 40 places.", "au plus 40 places"),
    ("Al menos 40 plazas.", "como máximo 40 plazas"),
    ("Pelo menos 40 lugares.", "no máximo 40 lugares"),
    ("Almeno 40 posti.", "al massimo 40 posti"),
    ("Minstens 40 plaatsen.", "hoogstens 40 plaatsen"),
    ("Ít nhất 40 chỗ.", "tối đa 40 chỗ"),
    ("至少40人", "最多40人"),
    ("على الأقل 40 ضيفا", "على الأكثر 40 ضيفا"),
]
WITHIN_BOUNDS = [
    ("Report by 5 May.", "no later than 5 May"),
    ("Over 300 came.", "more than 300 guests"),
    ("At most 40 mg.", "must not exceed 40 mg"),
    ("300 guests came.", "over 300 guests"),
    ("It lasts up to 12 hours.", "12 hours at most"),
    ("Open to those of 18 or older.", "at least 18 years"),
    ("It is capped at 5.", "no more than five"),
    ("About 300 came.", "more than 300"),
    ("12 patients were seen.", "more than 5 of 12 patients"),
    ("Filters cost 14 euros.", "Filters cost 14 euros and last at least six months"),
    ("The first two weeks are free.", "free for two weeks"),
    ("The prize is 3 million.", "Prime Minister Jean-Max Bel said that 3 million"),
]


@pytest.mark.parametrize(("claim", "quote"), BOUNDED)
def test_a_bound_on_one_side_only_or_to_the_other_side_is_noticed(claim, quote):
    assert explain_bound(claim, quote) is not None


@pytest.mark.parametrize(("claim", "quote"), WITHIN_BOUNDS)
def test_the_same_bound_in_other_words_agrees(claim, quote):
    assert explain_bound(claim, quote) is None


def test_a_limit_is_blanked_out_in_place_and_a_comparison_stays():
    assert without_limits("at most 80 mg, more than 3") == "        80 mg, more than 3"


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(["en", "fr", "zh", "xx"]))
def test_no_text_breaks_the_comparison_and_a_text_agrees_with_itself(one, other, language):
    explain_negation(one, other, language)
    explain_bound(one, other)
    assert explain_bound(one, one) is None
    assert explain_negation(one, one, language) is None
