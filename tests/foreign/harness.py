"""One record per rubric, and the walk of it with a recorded whole reply: a text, or a file of `replies`."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from assay.domain.outcome import Outcome, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Rubric
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
ID = "r-1"
# The first search result has 59 words and owes its six questions; the second is short.
RECORDS: Mapping[str, Mapping[str, Any]] = {
    "article-audit": {
        "article": (
            "The museum of Harlow opened its new wing on Friday. The wing holds 40 paintings and cost 3 million euros. "
            "The director thanked the volunteers who had moved every painting by hand. Entry is free until the end of May."
        ),
        "summary": (
            "Harlow's museum opened a new wing with 40 paintings on Friday. The wing cost 3 million euros. "
            "Visitors pay nothing until the end of May."
        ),
    },
    "search-summary": {
        "user_query": "How is gout treated?",
        "search_results": [
            {
                "url": "https://clinic.example/gout",
                "content": (
                    "Acute gout is treated with colchicine, an anti-inflammatory drug or a short course of steroids. "
                    "Colchicine works best within 24 hours of the first pain and is given as 1 mg, then 0.5 mg an hour later. "
                    "Long-term treatment with allopurinol lowers uric acid and is started at 100 mg daily. "
                    "Patients should drink enough water and avoid beer."
                ),
                "metadata": {"title": "Treating gout"},
            },
            {
                "url": "https://kidney.example/uric-acid/",
                "content": "Allopurinol doses are lowered when the kidneys are weak.",
                "metadata": {"title": "Uric acid and kidneys"},
            },
        ],
        "summary": "Acute gout is treated with colchicine within 24 hours [1]. Allopurinol lowers uric acid in the long term [1].",
    },
    "comparison-faithfulness": {
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
    "trial-eligibility": {
        "user_input": "Is this patient eligible for the trial, please?",
        "patient_profile": "A woman of 54 with type 2 diabetes. She takes metformin. Her HbA1c is 8.1 %.",
        "trial_id": "NCT01234567",
        "trial_title": "A new tablet for type 2 diabetes",
        "eligibility_criteria": "Inclusion: adults from 18 to 70 with type 2 diabetes. Exclusion: insulin treatment.",
        "ground_truth_label": "Eligible",
        "workflow_answer": (
            "Determination: Likely Eligible. She is 54 years old and has type 2 diabetes, "
            "and she does not take insulin. Please talk to your doctor about it."
        ),
    },
    "opinion-relevance": {
        "product_title": "Dune backpack",
        "reviews": [
            "The straps are soft. It keeps the rain out.",
            "Keeps the rain out, and the straps are soft on my shoulders.",
            "The zip broke. It keeps the rain out.",
        ],
        "product_opinion_summary": "Buyers say that the Dune backpack keeps the rain out and has soft straps.",
    },
}

# What the replies of the folder judge: an answer that states no determination, a summary with needless details.
CHANGES: Mapping[str, Mapping[str, Any]] = {
    "s2": {
        "workflow_answer": "We looked at the age of 54 and at the diabetes, and there is no insulin treatment.",
    },
    "s4": {
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


@cache
def rubric_of(name: str) -> Rubric:
    return open_rubric(name)


def record_of(name: str, **changes: Any) -> Record:
    values = {"id": ID, **RECORDS[name], **changes}
    return build_record(
        {key: value for key, value in values.items() if value is not None}, rubric_of(name), Place(None, None)
    )


def write_recording(folder: Path, lines: Sequence[Mapping[str, object]]) -> Recording:
    path = folder / "replies.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return Recording(path)


def walk(name: str, recording: Recording, record: Record) -> Scorecard:
    walk = Walk(rubric_of(name), PromptedJudge(recording), BankCache(), hooks=find_hooks(rubric_of(name)))
    return asyncio.run(walk.judge_record(record))


def judge_whole(name: str, folder: Path, *texts: str, finish_reason: str = "stop", **changes: Any) -> Scorecard:
    """The scorecard of the rubric's record where the judge replied with these texts, one after another."""
    lines = [{"record": ID, "ask": name, "text": text, "finish_reason": finish_reason} for text in texts]
    return walk(name, write_recording(folder, lines), record_of(name, **changes))


def judge(name: str, folder: Path, *, text: str | None = None, **changes: Any) -> Scorecard:
    """The scorecard of a reply of the folder, or of another text in its place."""
    said = (REPLIES / f"{name}.txt").read_text(encoding="utf-8") if text is None else text
    key = name.partition("-")[0]
    return judge_whole(RUBRICS[key], folder, said, **{**CHANGES.get(key, {}), **changes})


@dataclass(frozen=True, slots=True)
class Case:
    """What a reply must come to: `says` a line per metric (status, score, raw in brackets where it differs, flags).

    A metric that is not named must be `rest`. The flag `whole_reply` is on every outcome and left out.
    """

    id: str
    reply: str
    says: Mapping[str, str]
    rest: str | None = None
    finish_reason: str = "stop"


def say(outcome: Outcome) -> str:
    words = [outcome.status]
    if isinstance(outcome, Verdict):
        words.append(str(number(outcome.score.value)))
        if outcome.score.raw != outcome.score.value:
            words.append(f"({number(outcome.score.raw)})")
    return " ".join([*words, *(flag for flag in outcome.trail.flags if flag != "whole_reply")])


def say_all(card: Scorecard) -> dict[str, str]:
    return {name: say(outcome) for name, outcome in card.outcomes.items()}


def wanted(case: Case, name: str) -> dict[str, str | None]:
    return {metric.id: case.says.get(metric.id, case.rest) for metric in rubric_of(name).metrics}


def assert_lawful(card: Scorecard) -> None:
    """Nothing but a verdict has a number, and every number lies on its scale; every other outcome says why."""
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        if isinstance(outcome, Verdict):
            low, high = outcome.score.interval
            assert low <= outcome.score.value <= high
            assert all(metric.scale.contains(value) for value in (low, high, outcome.score.raw)), metric.id
            assert outcome.score.derivation
        else:
            assert not hasattr(outcome, "score")
            assert outcome.reason.strip(), metric.id
    assert card.total.scored == card.scored <= card.total.asked
