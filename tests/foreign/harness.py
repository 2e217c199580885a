"""A record for each rubric, and the walk of it with a whole reply of this folder, or another text."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.domain.outcome import Outcome, Verdict
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.files.rubrics import open_rubric
from assay.judges.prompted.judge import PromptedJudge
from assay.models.recording import Recording
from assay.packs import find_hooks
from assay.runner.banks import BankCache
from assay.runner.walk import Walk

REPLIES = Path(__file__).parent / "replies"
RUBRICS = {
    "s0": "search-summary",
    "s1": "comparison-faithfulness",
    "s2": "trial-eligibility",
    "s3": "article-audit",
    "s4": "opinion-relevance",
}
RECORDS: Mapping[str, Mapping[str, Any]] = {
    "s0": {
        "user_query": "How is gout treated?",
        "json_data": {
            "search_results": [
                {
                    "url": "https://clinic.example/gout",
                    "content": (
                        "Acute gout is treated with colchicine, an anti-inflammatory drug or a short course of "
                        "steroids. Colchicine works best within 24 hours of the first pain and is given as 1 mg, then "
                        "0.5 mg an hour later. Long-term treatment with allopurinol lowers uric acid and is started "
                        "at 100 mg daily. Patients should drink enough water and avoid beer."
                    ),
                    "metadata": {"title": "Treating gout"},
                },
                {
                    "url": "https://kidney.example/uric-acid/",
                    "content": "Allopurinol doses are lowered when the kidneys are weak.",
                    "metadata": {"title": "Uric acid and kidneys"},
                },
            ],
            "summary": "Acute gout is treated with colchicine within 24 hours [1]. Allopurinol lowers uric acid [1].",
        },
    },
    "s1": {
        "query": "small speaker",
        "products": [
            {
                "product_title": f"{name} Speaker",
                "base_price": f"Rs. {base}",
                "final_price": f"Rs. {final}",
                "product_opinion_summary": said,
                "average_rating": rating,
            }
            for name, base, final, rating, said in (
                ("Orla", "2,000", "1,500", 4.4, "Buyers praise the bass."),
                ("Pico", "1,100", "900", 4.1, "Buyers call it light."),
                ("Vela", "700", "600", 3.9, "Buyers call it cheap."),
            )
        ],
        "comparative_summary": (
            "The Orla has a praised bass, is waterproof to IPX7 and lasts 30 hours. The Pico is light and sold with a "
            "two-year warranty. The Vela is cheap. Everyone loves the bass."
        ),
    },
    "s2": {
        "user_input": "Is this patient eligible for the trial, please?",
        "patient_profile": "A woman of 54 with type 2 diabetes. She takes metformin.",
        "trial_id": "NCT01234567",
        "trial_title": "A new tablet for type 2 diabetes",
        "eligibility_criteria": "Inclusion: adults from 18 to 70 with type 2 diabetes. Exclusion: insulin treatment.",
        "ground_truth_label": "Eligible",
        "workflow_answer": "We looked at the age of 54 and at the diabetes, and there is no insulin treatment.",
    },
    "s3": {
        "article": (
            "The museum of Harlow opened its new wing on Friday. The wing holds 40 paintings and cost 3 million euros. "
            "Volunteers moved every painting by hand. Entry is free until the end of May."
        ),
        "summary": (
            "Harlow's museum opened a new wing with 40 paintings on Friday. The wing cost 3 million euros. "
            "Visitors pay nothing until the end of May."
        ),
    },
    "s4": {
        "product_title": "Dune backpack",
        "reviews": [
            "The straps are soft. It keeps the rain out. My laptop fits into its pocket.",
            "Keeps the rain out, and the straps are soft on my shoulders. A good price.",
            "The zip broke. It keeps the rain out.",
        ],
        "average_rating": 4.2,
        "product_opinion_summary": (
            "Buyers say that the Dune backpack keeps the rain out, has soft straps and room for a laptop. It comes in a "
            "blue box and has been sold since 1999."
        ),
    },
}


def judge(name: str, folder: Path, *, text: str | None = None, **changes: Any) -> Scorecard:
    key = name.partition("-")[0]
    rubric = open_rubric(RUBRICS[key])
    path = folder / "replies.jsonl"
    said = (REPLIES / f"{name}.txt").read_text(encoding="utf-8") if text is None else text
    path.write_text(json.dumps({"record": "r", "ask": rubric.id, "text": said}) + "\n", encoding="utf-8")
    record = build_record({"id": "r", **RECORDS[key], **changes}, rubric, Place(None, None))
    walk = Walk(rubric, PromptedJudge(Recording(path)), BankCache(), hooks=find_hooks(rubric))
    return asyncio.run(walk.judge_record(record))


def say(outcome: Outcome) -> str:
    words = [outcome.status]
    if isinstance(outcome, Verdict):
        words.append(str(number(outcome.score.value)))
    return " ".join([*words, *(flag for flag in outcome.trail.flags if flag != "whole_reply")])
