from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trials import TRIAL, build_trial

from assay.packs.trial_eligibility.language import AnswerLanguage, find_repeated, measure_language

SPANISH_QUESTION = "¿Puedo participar en este ensayo clínico sobre el asma moderada?"
SPANISH_ANSWER = (
    "Según su perfil, usted cumple los criterios principales de este ensayo. Tiene asma moderada y su edad está dentro "
    "del intervalo permitido. Le recomendamos hablar con su médico antes de tomar una decisión."
)
ENGLISH_ANSWER = (
    "Based on your profile you meet the main criteria of this trial. You have moderate asthma and your age is within the "
    "limits. Please speak with your doctor before you decide."
)
VIETNAMESE_QUESTION = "Tôi có đủ điều kiện tham gia nghiên cứu này không?"
VIETNAMESE_ANSWER = (
    "Dựa trên hồ sơ của bạn, bạn có khả năng đủ điều kiện tham gia nghiên cứu này. Tuổi của bạn nằm trong giới hạn cho "
    "phép và bạn bị hen suyễn mức độ trung bình. Hãy trao đổi với bác sĩ trước khi quyết định."
)
PORTUGUESE_ANSWER = (
    "De acordo com o seu perfil, você cumpre os critérios principais deste ensaio. Você tem asma moderada e a sua "
    "idade está dentro dos limites. Não deixe de falar com o seu médico antes de decidir."
)
GERMAN_ANSWER = (
    "Nach Ihren Angaben erfüllen Sie die wichtigsten Bedingungen dieser Studie. Ihr Alter liegt in den erlaubten Grenzen. "
    "Bitte sprechen Sie mit Ihrer Ärztin, bevor Sie sich entscheiden."
)


def measure(answer: str, **changes: str) -> AnswerLanguage:
    measured = measure_language(build_trial(answer, **changes))
    assert isinstance(measured, AnswerLanguage)
    return measured


def test_spanish_in_and_spanish_out_is_all_in_the_expected_language():
    found = measure(SPANISH_ANSWER, user_input=SPANISH_QUESTION)

    assert (found.expected, found.dominant, found.share, found.found_in_record) == ("es", "es", 1, True)
    assert "in Spanish" in found.words


def test_spanish_in_and_english_out_is_low_but_in_a_language_of_the_record():
    found = measure(ENGLISH_ANSWER, user_input=SPANISH_QUESTION)

    assert (found.expected, found.dominant, found.share, found.found_in_record) == ("es", "en", 0, True)
    assert "Spanish" in found.words
    assert "English" in found.words


def test_english_counts_as_found_even_where_nothing_in_the_record_is_english():
    spanish = {
        "user_input": SPANISH_QUESTION,
        "patient_profile": "Una mujer de 46 años con asma moderada desde la infancia.",
        "trial_title": "Un estudio de inhaladores en personas con asma moderada",
        "eligibility_criteria": "Personas adultas entre 18 y 65 años con asma moderada.",
    }

    assert measure(ENGLISH_ANSWER, **spanish).found_in_record
    assert not measure(GERMAN_ANSWER, **spanish).found_in_record


def test_a_language_found_nowhere_in_the_record_is_told():
    found = measure(GERMAN_ANSWER, user_input=SPANISH_QUESTION)

    assert (found.dominant, found.share, found.found_in_record, found.close) == ("de", 0, False, False)


def test_criteria_quoted_in_english_do_not_count_against_a_vietnamese_answer():
    quoted = (
        f"{VIETNAMESE_ANSWER}\n\n- “No hospital stay in the last 12 weeks.”\n"
        "- Adults between 18 and 65 years of age: có.\n- fev1 of 60% or more"
    )

    assert measure(quoted, user_input=VIETNAMESE_QUESTION).share == 1


def test_a_quote_in_the_expected_language_counts_for_the_answer():
    found = measure("No hospital stay in the last 12 weeks. Adults between 18 and 65 years of age.")

    assert (found.expected, found.share) == ("en", 1)


@pytest.mark.parametrize("expected", ["es", "Spanish", "español", "es-MX", "SPANISH", "Mexican Spanish"])
def test_the_records_own_word_on_the_language_stands_over_the_question(expected):
    assert measure(SPANISH_ANSWER, expected_language=expected).expected == "es"


@pytest.mark.parametrize("given", ["auto", "N/A", " "])
def test_a_word_for_no_language_leaves_it_to_the_question(given):
    assert measure(SPANISH_ANSWER, user_input=SPANISH_QUESTION, expected_language=given).expected == "es"


def test_a_kind_of_a_language_is_that_language():
    assert measure(ENGLISH_ANSWER, expected_language="American English").expected == "en"
    assert measure(ENGLISH_ANSWER, expected_language="Norwegian Bokmål").expected in {"no", "nb"}


def test_an_expected_language_nobody_knows_is_said_to_be_unknown():
    record = build_trial(ENGLISH_ANSWER, expected_language="Klingon")
    assert measure_language(record) == "the expected language 'Klingon' is not one that is known"


@pytest.mark.parametrize("wrapped", [TRIAL["patient_profile"], TRIAL["patient_profile"].replace(". ", ".\n  ").upper()])
def test_a_profile_pasted_into_the_question_does_not_decide_its_language(wrapped):
    found = measure(VIETNAMESE_ANSWER, user_input=f"{VIETNAMESE_QUESTION}\n\n{wrapped}")

    assert (found.expected, found.share) == ("vi", 1)


def test_a_question_too_short_to_tell_is_in_the_language_of_the_record():
    assert measure(ENGLISH_ANSWER, user_input="Eligible?").expected == "en"


def test_a_short_question_with_letters_of_another_language_is_left_open():
    assert (
        measure_language(build_trial(ENGLISH_ANSWER, user_input="¿Yo sí?")) == "the language of the question is unknown"
    )


@pytest.mark.parametrize("answer", ["Sí.", "NCT01234567", "72% - 60%"])
def test_an_answer_too_short_to_tell_gives_a_reason(answer):
    assert measure_language(build_trial(answer)) == "the answer is too short to tell its language"


def test_a_close_language_is_marked_for_the_judge():
    assert measure(PORTUGUESE_ANSWER, user_input=SPANISH_QUESTION).close


def test_an_answer_half_in_a_close_language_is_marked_for_the_judge():
    assert measure(f"{SPANISH_ANSWER} {PORTUGUESE_ANSWER}", expected_language="es").close
    assert not measure(SPANISH_ANSWER, expected_language="es").close


def test_repeated_words_are_found_whatever_their_case_and_signs():
    text = "He wrote: “Adults  between 18 and 65 years”, and went home early."

    assert [span.of(text) for span in find_repeated(text, ["- adults between 18 and 65 years"])] == [
        "Adults  between 18 and 65 years"
    ]


def test_two_words_and_loose_ends_are_not_repeated():
    assert find_repeated("No stroke here, says the doctor.", ["No stroke", "the doctor says no stroke is here"]) == ()


@settings(deadline=None, derandomize=True)
@given(st.text(alphabet="ab \n.", max_size=80), st.text(alphabet="ab \n.", max_size=80))
def test_repeated_stretches_lie_apart_and_in_order(text, original):
    spans = find_repeated(text, [original])

    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


def test_long_criteria_and_a_long_answer_are_compared_to_their_end():
    criteria = "\n".join(f"criterion number {n} says that adults may join" for n in range(20_000))
    text = "adults may join " * 20_000 + "criterion number 19999 says that adults may join"

    assert find_repeated(text, [criteria])[-1].of(text).endswith("criterion number 19999 says that adults may join")
