"""Records of the search and trial rubrics, built as a reader of files builds them."""

from typing import Any

from assay.domain.record import Record
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.files.rubrics import open_rubric

RESULTS = [
    {
        "url": "https://www.heart.example/statins?utm_source=news",
        "content": "Atorvastatin 40 mg once daily lowered LDL by 38% in 1,240 adults over 24 weeks.",
        "metadata": {"title": "Statins at work"},
    },
    {
        "url": "https://kidney.example/dose",
        "content": "In renal disease start with 10 mg. Of 200 patients 14 stopped early. Age: 45 to 60.",
        "metadata": {"title": "Dosing [update]"},
    },
    {
        "url": "https://trial.example/3",
        "content": "The trial began in March 2019 and cost $2.5 million.",
        "metadata": {"title": "Trial"},
    },
]
TRIAL = {
    "user_input": "Am I eligible for this study of asthma inhalers?",
    "patient_profile": "A 46-year-old woman with moderate asthma. She takes 200 mcg of budesonide twice daily. Her FEV1 is 72%.",
    "trial_id": "NCT01234567",
    "trial_title": "A randomised study of Fluvexa inhalers in moderate asthma",
    "eligibility_criteria": "Adults between 18 and 65 years of age.\nNo hospital stay in the last 12 weeks.\nFEV1 of 60% or more.",
}


def build_search(summary: str, **changes: Any) -> Record:
    values = {"user_query": "Do statins lower cholesterol?", "search_results": RESULTS, "summary": summary, **changes}
    return build_record(values, open_rubric("search-summary"), Place(None, None))


def build_trial(answer: str, **changes: Any) -> Record:
    return build_record(
        {**TRIAL, "workflow_answer": answer, **changes}, open_rubric("trial-eligibility"), Place(None, None)
    )


def build_audit(summary: str, article: str) -> Record:
    return build_record({"article": article, "summary": summary}, open_rubric("article-audit"), Place(None, None))
