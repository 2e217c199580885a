"""Records of the search and audit rubrics, built as a reader of files builds them."""

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


def build_search(summary: str, **changes: Any) -> Record:
    values = {"user_query": "Do statins lower cholesterol?", "search_results": RESULTS, "summary": summary, **changes}
    return build_record(values, open_rubric("search-summary"), Place(None, None))


def build_audit(summary: str, article: str) -> Record:
    return build_record({"article": article, "summary": summary}, open_rubric("article-audit"), Place(None, None))
