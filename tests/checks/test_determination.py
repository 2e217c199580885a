import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.checks.determination import find_determination
from assay.checks.determination_phrases import LANGUAGES, load_phrases

LIKELY = [
    "Likely Eligible",
    "**Likely Eligible** – the patient meets the main criteria.",
    "Status: Likely Eligible",
    "## Determination\n\nLikely eligible, given the age and the diagnosis.",
    "✅ Likely Eligible",
    '{"status": "likely_eligible", "reason": "age"}',
    "| Determination | Likely Eligible |",
    "Verdict: The patient appears to be eligible for this trial.",
    "You appear to be eligible for this trial.",
    "Based on the profile, she is likely eligible.",
    "You would likely be eligible, since you are 45 and have asthma.",
    "The patient meets all eligibility criteria.",
    "You are probably eligible for the study.",
    "He likely qualifies for this trial.",
    "Based on your profile you're a good candidate for this trial.\n\nYou are a good candidate for this trial.",
    "Patients over 18 with asthma can join, so you are likely eligible.",
    "**Eligibility:** Eligible",
    "- Age 18 or older\n- Not eligible for surgery\n\nShe meets both, so she is likely eligible.",
    "You are not eligible for transplant, as required. Overall, you are likely eligible.",
    "There is no reason to believe the patient is ineligible; he is likely eligible.",
    "The patient does not meet any of the exclusion criteria and meets all inclusion criteria.",
    "Es muy probable que usted sea elegible para este ensayo.",
    "Estado: Probablemente elegible",
    "El paciente probablemente es elegible para el ensayo.",
    "Usted parece ser elegible para este estudio.",
    "Cumple todos los criterios de inclusión.",
    "Statut : Probablement éligible",
    "Vous êtes probablement éligible à cet essai.",
    "La patiente semble éligible.",
    "Ergebnis: Wahrscheinlich geeignet",
    "Der Patient ist wahrscheinlich teilnahmeberechtigt.",
    "Sie kommen voraussichtlich für diese Studie infrage.",
    "Situação: Provavelmente elegível",
    "O paciente provavelmente é elegível.",
    "Esito: Probabilmente idonea",
    "La paziente sembra idonea per lo studio.",
    "Kết luận: Có khả năng đủ điều kiện",
    "Bạn có khả năng cao đủ điều kiện tham gia nghiên cứu này.",
    "结论：很可能符合条件",
    "您很可能符合本试验的入组条件。",
    "**判定：** 可能符合条件",
]
NOT = [
    "Not Eligible",
    "Status: Not Eligible",
    "**Verdict**\nNot eligible because of a recent stroke.",
    "Determination – Likely Not Eligible",
    "❌ Not Eligible: the patient is 16.",
    "The patient does not qualify for this study.",
    "She would not be eligible because of her age.",
    "You are likely not eligible for this trial.",
    "This makes you ineligible for the trial.",
    "You are not currently eligible.",
    "Unfortunately, you aren't eligible for this trial.",
    "You **do not** meet the inclusion criteria.",
    "The patient fails to meet the eligibility criteria.",
    "It is unlikely that… you are unlikely to qualify.",
    "You cannot participate in this trial because of your kidney disease.",
    "He doesn't appear to be eligible.",
    "This excludes you from the trial.",
    "You would be excluded from this study.",
    "Final determination: Not Eligible. Status: Likely Eligible before the stroke.",
    "You are not eligible, even if your asthma is mild.",
    "Usted no es elegible para este ensayo.",
    "Determinación: No elegible",
    "El paciente no cumple los criterios de inclusión.",
    "No puede participar en este estudio.",
    "Vous n'êtes pas éligible à cet essai.",
    "Statut : Non éligible",
    "Le patient ne remplit pas les critères.",
    "Sie sind leider nicht teilnahmeberechtigt.",
    "Der Patient erfüllt die Einschlusskriterien nicht.",
    "Sie kommen für diese Studie nicht in Frage.",
    "Você não é elegível para este estudo.",
    "O paciente não atende aos critérios.",
    "Il paziente non è idoneo.",
    "Lei non soddisfa i criteri.",
    "Bạn không đủ điều kiện tham gia thử nghiệm này.",
    "Trạng thái: Không đủ điều kiện",
    "Bạn chưa đủ điều kiện vì chưa đủ 18 tuổi.",
    "您不符合本试验的入组条件。",
    "结论：不符合条件",
    "该患者不具备入组资格。",
]
NEEDS = [
    "Needs Confirmation",
    "Status: Needs Confirmation",
    "**Determination:** Needs Doctor Confirmation",
    "Needs Doctor's Confirmation — the biopsy result is missing.",
    "Your status is Needs Confirmation, as the laboratory values are old.",
    "You may be eligible, but your HER2 status must be confirmed.",
    "You might qualify, but a doctor needs to confirm the stage.",
    "Your eligibility needs to be confirmed by your doctor.",
    "It is not possible to determine whether you are eligible.",
    "Eligibility cannot be determined from this profile.",
    "We cannot confirm your eligibility without a blood test.",
    "Status: May be eligible, pending confirmation of the stage",
    "Determinación: Necesita confirmación médica",
    "Podría ser elegible, pero su médico debe confirmar el resultado.",
    "Conclusion : Confirmation médicale requise",
    "Vous pourriez être éligible, mais votre médecin doit confirmer le stade.",
    "Ergebnis: Bestätigung erforderlich",
    "Sie könnten geeignet sein, aber der Befund muss noch bestätigt werden.",
    "Situação: Precisa de confirmação médica",
    "Stato: Necessita di conferma",
    "Potrebbe essere idoneo, ma il medico deve confermare lo stadio.",
    "Kết luận: Cần bác sĩ xác nhận",
    "Bạn có thể đủ điều kiện, nhưng cần bác sĩ xác nhận kết quả.",
    "结论：需要医生确认",
    "您可能符合条件，但需要医生确认。",
]
NONE = [
    "",
    "Eligible patients must be 18 or older.",
    "Patients with a prior stroke are not eligible.",
    "To be eligible, participants must be adults.",
    "Your sister is not eligible.",
    "You would be eligible if you were older.",
    "If you had asthma, you would be eligible.",
    "Are you eligible?",
    "Most people in your situation would be eligible, but your laboratory values are missing.",
    "Ask your doctor whether you are eligible.",
    "You are not eligible if you smoke.",
    "You may be eligible.",
    "You were not eligible for surgery in 2020.",
    "It would be wrong to say that you are not eligible.",
    "A previous doctor said you are not eligible.",
    "Nothing in your profile makes you ineligible.",
    "We do not think you are eligible.",
    "You do not meet any exclusion criteria.",
    "The patient would not be excluded from the trial.",
    "Status: Eligible for screening, but needs confirmation",
    "Nada indica que usted no sea elegible.",
    "Bạn không phải là không đủ điều kiện.",
    "您没有不符合条件的地方。",
    "You are not ineligible.",
    "You appear eligible. However, you are not eligible because of your stroke.",
    "You are not eligible for another trial.",
    "Status: Recruiting",
    "Status: Likely Eligible / Not Eligible / Needs Confirmation",
    "The options are Likely Eligible, Not Eligible or Needs Confirmation.",
    "Status: Likely Eligible\nDetermination: Not Eligible",
    "The study did not participate in the registry.",
    "Eligible: adults over 18\nExcluded: pregnancy",
    "Needs confirmation: the HER2 result.",
    "Los pacientes menores de edad no son elegibles. Los participantes deben firmar.",
    "Si tuviera asma, usted sería elegible.",
    "Les patients fumeurs : les patients doivent être majeurs.",
    "Patienten unter 18 Jahren sind nicht teilnahmeberechtigt.",
    "Os pacientes que fumam: se você fosse adulto, seria elegível.",
    "Se fosse maggiorenne, il paziente sarebbe idoneo.",
    "Những người dưới 18 tuổi không đủ điều kiện.",
    "符合条件的患者必须年满18岁。",
    "如果您年满18岁，您符合条件。",
]


@pytest.mark.parametrize("answer", LIKELY)
def test_an_answer_says_likely_eligible(answer):
    found = find_determination(answer)
    assert found is not None
    assert found.determination == "likely_eligible"


@pytest.mark.parametrize("answer", NOT)
def test_an_answer_says_not_eligible(answer):
    found = find_determination(answer)
    assert found is not None
    assert found.determination == "not_eligible"


@pytest.mark.parametrize("answer", NEEDS)
def test_an_answer_says_that_it_needs_confirmation(answer):
    found = find_determination(answer)
    assert found is not None
    assert found.determination == "needs_confirmation"


@pytest.mark.parametrize("answer", NONE)
def test_an_answer_leaves_it_to_a_judge(answer):
    assert find_determination(answer) is None


def test_a_label_outranks_prose():
    answer = (
        "You are not eligible for many trials.\n\n**Determination:** Likely Eligible\n\nYou may not be eligible later."
    )

    found = find_determination(answer)

    assert found is not None
    assert found.determination == "likely_eligible"


def test_a_status_outranks_a_sentence_about_others():
    found = find_determination("You are **Likely Eligible**. Anyone with a stroke is not eligible.")

    assert found is not None
    assert found.determination == "likely_eligible"


@pytest.mark.parametrize("answer", [*LIKELY, *NOT, *NEEDS])
def test_the_span_points_at_words_of_the_answer(answer):
    found = find_determination(answer)
    assert found is not None
    assert 0 <= found.span.start < found.span.end <= len(answer)
    assert any(character.isalpha() for character in found.span.of(answer))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_phrases_for_every_determination(language):
    phrases = load_phrases(language)
    for table in (phrases.statuses, phrases.verdicts):
        assert {"likely_eligible", "not_eligible", "needs_confirmation"} <= {reading for reading, _ in table}


@given(
    st.lists(
        st.sampled_from(["eligible", "not", "you", "are", "Status:", "\n", "likely", ".", "if", "**", "/"]), max_size=25
    )
)
@settings(deadline=None, derandomize=True, max_examples=60)
def test_any_order_of_the_words_is_read_without_error(words):
    answer = " ".join(words)
    found = find_determination(answer)
    assert found is None or found.span.of(answer).strip()


@pytest.mark.parametrize(
    "piece", ["not ", "eligible ", "Status: ", "\n", "you are ", "eligibility is ", "* ", "不符合", "erfüllt "]
)
def test_a_huge_run_of_anything_ends(piece):
    find_determination(piece * (20_000 // len(piece)))
