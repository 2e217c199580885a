"""A determination is read from a status that stands by itself; all else is the judge's."""

from fractions import Fraction

import pytest
from trials import TRIAL, build_trial

from assay.domain.findings import Fact, Findings, Remark
from assay.files.rubrics import open_rubric
from assay.packs.trial_eligibility import pack
from assay.packs.trial_eligibility.determination import (
    DETERMINATIONS,
    TRUTH_LABELS,
    find_status,
    match_determination,
    read_truth,
)
from assay.units.claims import cut_claims

LIKELY, NOT, NEEDS = DETERMINATIONS
LONG = "You meet what is asked of people who join, as far as we can see from what you told us about yourself. " * 3


def find_facts(record, findings):
    return pack.facts(record, findings, open_rubric("trial-eligibility"))


@pytest.mark.parametrize(
    ("answer", "determination"),
    [
        ("Likely Eligible", LIKELY), ("**Not Eligible**\n\nThe patient is 16.", NOT), ("Status: Likely Eligible", LIKELY),
        ("Not Eligible. He started insulin last month.", NOT), ("Reasons first.\n\n**Needs Confirmation**", NEEDS),
        ("Determination: Not Eligible. Her age is 16.", NOT), ("## Determination\n\nLikely Eligible\n\nAge fits.", LIKELY),
        ("**Eligibility:** Eligible", LIKELY), ("### Eligibility status: **Needs Confirmation**", NEEDS),
        ("Determination – Likely Not Eligible", NOT), ("| Determination | Likely Eligible |", LIKELY),
        ('{"status": "likely_eligible", "reason": "age"}', LIKELY), ('```json\n{"eligible": false}\n```', NOT),
        ("Status: Ineligible\r\nHer age is 16.", NOT), ("Eligible: Yes", LIKELY), ("Verdict: EXCLUDED", NOT),
        ("Determinación: No elegible", NOT), ("结论：很可能符合条件", LIKELY), ("Kết luận: Cần xác nhận.", NEEDS),
    ],
)  # fmt: skip
def test_a_status_that_stands_by_itself_is_the_determination(answer, determination):
    found = find_status(answer)

    assert found is not None
    assert found.determination == determination
    assert found.span is not None
    assert found.span.of(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Your patient seems to qualify for this study.",
        "She can be enrolled: all inclusion criteria are met",
        "Verdict: ELIGIBLE (pending lab confirmation)",
        "आपकी दी गई जानकारी के अनुसार आप इस अध्ययन में भाग लेने के योग्य हैं।",
    ],
)
def test_an_answer_in_other_words_has_no_determination_by_code(answer):
    """These were held to 2, because a list of phrases did not hold their wording."""
    found = find_facts(build_trial(answer, ground_truth_label="Eligible"), {})

    assert find_status(answer) is None
    assert found["determination"].value is None
    assert found["determination_match"].value is None


@pytest.mark.parametrize(
    "answer",
    [
        "Verdict: The patient appears to be eligible for this trial.",
        "Status: Eligible, if the labs are fine",
        "Determination: Likely Eligible / Not Eligible / Needs Confirmation",
        "Final determination: Not Eligible\nStatus: Likely Eligible",
        "Status: Recruiting",
        "| Criterion | Status |\n|---|---|\n| Age | Eligible |\n| Stroke | Not eligible |\n",
        "Eligible:\n- adults over 18\n\nNot eligible:\n- pregnant women\n",
        "Likely Eligible: she is 54.",
        "",
    ],
)
def test_words_that_may_change_a_status_leave_it_to_the_judge(answer):
    assert find_status(answer) is None


def judge_says(determination, quote):
    return {"accuracy": Findings(remarks=(Remark("determination", {"determination": determination, "quote": quote}),))}


def test_the_judges_determination_counts_if_its_quote_is_in_the_answer():
    record = build_trial("Your patient seems to qualify for this study.", ground_truth_label="Excluded")

    quoted = find_facts(record, judge_says(LIKELY, "seems to qualify"))
    invented = find_facts(record, judge_says(LIKELY, "is surely eligible"))

    assert (quoted["determination"].value, quoted["determination_match"].value) == (LIKELY, "mismatch")
    assert "seems to qualify" in quoted["determination"].words
    assert (invented["determination"].value, invented["determination_match"].value) == (None, None)


def test_the_answers_own_status_stands_over_the_judges_determination():
    record = build_trial("Determination: Not Eligible\n\nShe may join later.", ground_truth_label="Excluded")

    found = find_facts(record, judge_says(LIKELY, "She may join later"))

    assert found["determination_match"] == Fact("match", "a match: not eligible against not eligible (“Excluded”)")


def test_a_judge_that_sees_no_determination_says_so():
    found = find_facts(build_trial("It depends.", ground_truth_label="Eligible"), judge_says("undetermined", ""))

    assert found["determination"].value == "undetermined"


@pytest.mark.parametrize(
    ("label", "why"), [("", "the record has no ground-truth label"), ("Perhaps", "'Perhaps' is not in the rubric's")]
)
def test_without_a_readable_truth_there_is_no_match(label, why):
    found = find_facts(build_trial("Not Eligible", ground_truth_label=label), {})

    assert (found["truth"].value, found["determination_match"].value) == (None, None)
    assert why in found["determination_match"].words


def test_the_share_of_the_language_is_a_fact():
    found = find_facts(build_trial("You meet the main criteria of this trial and your age is within the limits."), {})

    assert found["language_share"].value == Fraction(1)
    assert found["language_found_in_record"].value == "yes"
    short = find_facts(build_trial("72% - 60%"), {})
    assert short["language_share"] == Fact(None, "the answer is too short to tell its language")


@pytest.mark.parametrize(
    ("label", "determination"),
    [
        ("Eligible", LIKELY), ("likely_eligible", LIKELY), ("Include", LIKELY), ("2 - Eligible", LIKELY), ("2 (Eligible)", LIKELY),
        ("Excluded", NOT), ("not-relevant", NOT), ("0 (Not Relevant)", NOT), ("1 Excluded", NOT), (" Not  eligible. ", NOT),
        ("needs_confirmation", NEEDS), ("Not enough information", NEEDS),
        ("0", None), ("", None), ("maybe", None), ("12", None),
    ],
)  # fmt: skip
def test_a_truth_label_is_read_by_its_name(label, determination):
    assert read_truth(label) == determination


def test_a_rubric_may_add_and_overrule_labels():
    table = {**TRUTH_LABELS, "Screen Fail": NOT, "Included": NEEDS}

    assert read_truth("screen fail", table) == NOT
    assert read_truth("included", table) == NEEDS
    assert read_truth("screen fail") is None


@pytest.mark.parametrize(
    ("found", "truth", "match"),
    [
        (LIKELY, LIKELY, "match"), (NEEDS, NEEDS, "match"),
        (NEEDS, LIKELY, "partial"), (NOT, NEEDS, "partial"),
        (LIKELY, NOT, "mismatch"), (NOT, LIKELY, "mismatch"), (None, LIKELY, "undetermined"),
    ],
)  # fmt: skip
def test_needs_confirmation_on_either_side_is_half_right(found, truth, match):
    assert match_determination(found, truth) == match


def test_a_unit_that_is_the_status_line_is_no_claim():
    answer = "Determination: Likely Eligible. She is likely eligible by age. Her HbA1c is 8.4 percent."
    units = cut_claims(answer)

    assert [(label.unit, label.label, label.by) for label in pack.labels(build_trial(answer), units)] == [
        ("c1", "no_fact", "code")
    ]


def test_another_trial_is_noticed_where_it_stands():
    answer = "NCT01234567 fits you, and so may nct 07654321. NCT0123456 and XNCT01234567 are no ids."

    (notice,) = pack.notices(build_trial(answer))

    assert (notice.check, notice.span.of(answer)) == ("foreign_trial_id", "nct 07654321")


@pytest.mark.parametrize("field", ["user_input", "eligibility_criteria", "patient_profile"])
def test_a_trial_that_the_record_names_itself_is_not_foreign(field):
    given = {field: f"{TRIAL[field]} No part in NCT07654321."}

    assert list(pack.notices(build_trial("You took part in NCT07654321, so NCT01234567 is closed.", **given))) == []


@pytest.mark.parametrize(
    ("answer", "changes", "missing"),
    [
        (LONG, {}, True),
        ("You meet what is asked of people who join.", {}, False),
        (f"{LONG} This is about NCT 01234567.", {}, False),
        (f"{LONG} It is about NCT07654321.", {}, True),
        (f"{LONG} This is about eudract 2004-000000-01.", {"trial_id": "EudraCT 2004-000000-01"}, False),
        (f"{LONG} This is about 2005-000000-01.", {"trial_id": "EudraCT 2004-000000-01"}, True),
    ],
)
def test_a_long_answer_without_its_trials_id_is_noticed(answer, changes, missing):
    assert ("trial_id_missing" in [notice.check for notice in pack.notices(build_trial(answer, **changes))]) == missing


@pytest.mark.parametrize("trial_id", ["NCT123", "EudraCT 2004-000000-01", "nct01234567", "NCT01234567 (phase 2)"])
def test_a_trial_id_of_another_form_is_noticed(trial_id):
    found = [notice.check for notice in pack.notices(build_trial("Likely eligible.", trial_id=trial_id))]

    assert found == ["trial_id_malformed"]


@pytest.mark.parametrize("piece", [" ", "|", "\n", "Status: ", "final ", "Determination\n", '"status": "', "eligible "])
def test_a_long_answer_is_read_to_its_end(piece):
    find_status("Determination" + piece * 20_000)
