import pytest
from doubtful_verdicts import LEFT_TO_A_JUDGE, PLAIN, PLAIN_BY_LANGUAGE

from assay.checks.determination import find_determination
from assay.checks.determination_phrases import LANGUAGES

DOUBTFUL = [line for lines in LEFT_TO_A_JUDGE.values() for line in lines.splitlines()]
STATED = [(determination, line) for determination, lines in PLAIN.items() for line in lines.splitlines()]
STATED_IN = [
    (determination, line)
    for answers in PLAIN_BY_LANGUAGE.values()
    for determination, lines in answers.items()
    for line in lines.splitlines()
]


def determine(answer):
    found = find_determination(answer)
    return found.determination if found else None


@pytest.mark.parametrize("answer", DOUBTFUL)
def test_a_verdict_that_can_be_read_in_more_than_one_way_is_left_to_a_judge(answer):
    assert determine(answer) is None


@pytest.mark.parametrize(("determination", "answer"), STATED)
def test_a_plain_verdict_is_still_read(determination, answer):
    assert determine(answer) == determination


@pytest.mark.parametrize(("determination", "answer"), STATED_IN)
def test_a_verdict_behind_a_heading_a_plain_no_or_a_reason_is_read_in_every_language(determination, answer):
    assert determine(answer) == determination


def test_every_language_has_plain_verdicts_for_and_against_the_patient():
    assert set(PLAIN_BY_LANGUAGE) == set(LANGUAGES)
    assert all({"likely_eligible", "not_eligible"} <= set(answers) for answers in PLAIN_BY_LANGUAGE.values())


LAST_WORDS = [
    "**Determination: Likely Eligible.** However, final eligibility is decided by the study team.",
    "Final determination: Likely eligible. However, a physician must confirm the eGFR.",
    "Status: Likely eligible, but your doctor should confirm the details.",
    "Status: Likely eligible – but please talk to your doctor first.",
    "Determination: likely eligible (subject to confirmation by the study doctor)",
    "**Conclusion:** The patient is likely eligible for the trial, pending confirmation by the study team.",
    "You are likely eligible for this trial.\n\nHowever, please discuss it with your doctor first.",
    "You are likely eligible for this trial. However, only the study team can make the final decision.",
    "You are likely eligible for this trial. However, the final decision rests with the study team.",
]


@pytest.mark.parametrize("answer", LAST_WORDS)
def test_to_leave_the_last_word_to_a_doctor_or_the_study_team_takes_nothing_back(answer):
    assert determine(answer) == "likely_eligible"


def test_every_language_has_doubtful_verdicts():
    assert set(LEFT_TO_A_JUDGE) == set(LANGUAGES)
    assert all(len(lines.splitlines()) >= 20 for lines in LEFT_TO_A_JUDGE.values())


@pytest.mark.parametrize(
    ("answer", "determination"),
    [
        (
            (
                "Hello! I compared your profile with the trial.\n\nYou meet the age criterion (54 years). You do not have any "
                "of the exclusion criteria. Therefore, you are likely eligible for this trial.\n\nAsk your doctor to confirm."
            ),
            "likely_eligible",
        ),
        (
            (
                "## Eligibility assessment\n**Status: Not Eligible**\n\nThe patient would otherwise be eligible, but the "
                "recent stroke is an exclusion criterion."
            ),
            "not_eligible",
        ),
        (
            (
                "The patient is 45 years old and has asthma. However, she had a stroke in 2022, which is an exclusion "
                "criterion. Therefore, the patient is not eligible for this study."
            ),
            "not_eligible",
        ),
        (
            (
                "**Inclusion criteria**\n- Age 18–75: you are 54.\n\n**Exclusion criteria**\n- Stroke: none.\n\n"
                "**Conclusion:** You are likely eligible for this trial. Please talk to your doctor before enrolling."
            ),
            "likely_eligible",
        ),
        (
            (
                "Según el perfil, usted tiene 54 años. No cumple ningún criterio de exclusión. Por lo tanto, usted es "
                "probablemente elegible para este ensayo."
            ),
            "likely_eligible",
        ),
    ],
)
def test_a_whole_answer_is_read_by_its_conclusion(answer, determination):
    assert determine(answer) == determination


@pytest.mark.parametrize(
    ("answer", "determination"),
    [
        ("Status: Likely Eligible\n\nThe patient is not eligible for this trial because of her stroke.", None),
        ("Status: Not Eligible\n\nThe patient is likely eligible for this trial.", None),
        ("Status: Not Eligible\n\nThe patient meets all inclusion criteria. She takes warfarin.", "not_eligible"),
        ("Status: Likely Eligible\n\nYour eligibility needs to be confirmed by the study team.", "likely_eligible"),
        ("Status: Likely Eligible\n\nPatients with a stroke are not eligible.", "likely_eligible"),
    ],
)
def test_a_status_outranks_the_prose_unless_that_states_the_opposite(answer, determination):
    assert determine(answer) == determination


@pytest.mark.parametrize(
    ("answer", "determination"),
    [
        ("The patient meets all inclusion criteria.", "likely_eligible"),
        ("The patient meets all inclusion criteria. No exclusion criterion applies.", "likely_eligible"),
        ("The patient meets all inclusion criteria. Exclusion criteria: none.", "likely_eligible"),
        ("The patient meets all inclusion criteria. The exclusion criteria do not apply.", "likely_eligible"),
        ("The patient meets all inclusion criteria. The patient meets exclusion criterion 2.", None),
        ("Exclusion criterion 2 is met. The patient meets all inclusion criteria.", None),
        ("The patient meets all inclusion criteria. She has no asthma and meets an exclusion criterion.", None),
    ],
)
def test_inclusion_criteria_met_are_a_verdict_only_where_exclusion_is_denied_or_not_spoken_of(answer, determination):
    assert determine(answer) == determination


@pytest.mark.parametrize(
    ("doubt", "determination"),
    [
        ("We do not believe that she is eligible.", None),
        ("Her stroke, sadly, may well leave her not eligible.", None),
        ("She would be eligible if she were older.", None),
        ("Nothing makes her ineligible.", "likely_eligible"),
        ("Patients with a stroke are not eligible.", "likely_eligible"),
        ("She would not be eligible if she were younger.", "likely_eligible"),
    ],
)
def test_a_doubt_elsewhere_in_the_answer_takes_away_a_verdict_for_the_patient(doubt, determination):
    assert determine(f"The patient is likely eligible. {doubt}") == determination
    assert determine(f"{doubt} The patient is likely eligible.") == determination


@pytest.mark.parametrize(
    ("answer", "determination"),
    [
        ("Status: Not Eligible, but this may change if the wound heals.", "not_eligible"),
        ("Status: Not Eligible – her doctor said that she had a stroke.", "not_eligible"),
        ("Status: Not Eligible if she smokes", None),
        ("Status: Likely Eligible – no sign of a stroke, and no exclusion criterion applies.", "likely_eligible"),
        ("Status: Likely Eligible – provided that she does not smoke", None),
        ("Status: Likely Eligible (exclusion criterion 3 applies)", None),
        ("Status: Likely Eligible. However, exclusion criterion 3 applies.", None),
    ],
)
def test_a_status_is_taken_back_behind_it_only_where_it_is_for_the_patient(answer, determination):
    assert determine(answer) == determination


def test_a_status_in_title_case_opens_a_sentence_or_is_said_of_the_patient():
    assert determine("Not Eligible for NCT01234567. He takes insulin.") == "not_eligible"
    assert determine("I would classify the patient as Likely Eligible.") == "likely_eligible"
    assert determine("Likely Eligible patients are called back.") is None
    assert determine("The nurse ticked Likely Eligible.") is None


def test_a_pronoun_after_somebody_else_was_named_is_not_taken_for_the_patient():
    assert determine("She is likely eligible.") == "likely_eligible"
    assert determine("Your sister is 54. She is likely eligible.") is None
    assert determine("Your sister is 54. You are likely eligible.") == "likely_eligible"


def test_more_than_one_person_is_the_patient_only_where_the_patient_was_named():
    assert determine("Since the patient has no asthma, they are not eligible.") == "not_eligible"
    assert determine("They are not eligible.") is None


@pytest.mark.parametrize(
    "piece",
    [
        "the patient is eligible and ", "You are eligible. ", "no exclusion criteria ", "based on the ", "Likely Eligible ",
        "The patient meets all criteria. ", "Your sister is. He is eligible. ", "bạn đủ điều kiện ", "您符合条件。", "(",
        "You are eligible. However, your doctor ", "Status: Likely Eligible, but the study team must ",
        "You are eligible; but please ", "Summary: 1. No, ", "The patient, a 72-year-old man, ",
    ],
)  # fmt: skip
def test_a_long_run_of_verdicts_is_read_to_its_end(piece):
    find_determination(piece * (20_000 // len(piece)))
