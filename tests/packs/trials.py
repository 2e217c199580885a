"""Records of the trial rubric, built as a reader of files builds them."""

from typing import Any

from assay.domain.record import Record
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.files.rubrics import open_rubric

TRIAL = {
    "user_input": "Am I eligible for this study of asthma inhalers?",
    "patient_profile": "A 46-year-old woman with moderate asthma. She takes 200 mcg of budesonide twice daily. Her FEV1 is 72%.",
    "trial_id": "NCT01234567",
    "trial_title": "A randomised study of Fluvexa inhalers in moderate asthma",
    "eligibility_criteria": "Adults between 18 and 65 years of age.\nNo hospital stay in the last 12 weeks.\nFEV1 of 60% or more.",
}


def build_trial(answer: str, **changes: Any) -> Record:
    values = {**TRIAL, "workflow_answer": answer, **changes}
    return build_record(values, open_rubric("trial-eligibility"), Place(None, None))
