"""A record that one whole reply answers is cut and read in its own language."""

import asyncio
import json
from pathlib import Path

from clerks import build, rubric_of

from assay.judges.prompted.judge import PromptedJudge
from assay.models.recording import Recording
from assay.runner.banking import BankShelf
from assay.runner.walk import Walk

TABLE = "| | Alba | Brio | Cora |\n|---|---|---|---|\n| Final price | 1.299 | 1.399 | 1.499 |\n\n"
VERDICT = "Der Alba ist für die meisten Käufer die beste Wahl, weil er weniger kostet als die anderen."


def test_code_reads_the_prices_of_a_german_comparison_as_germans_write_them(tmp_path: Path) -> None:
    products = [
        {"product_title": name, "base_price": price, "final_price": price, "product_opinion_summary": "Beliebt."}
        for name, price in (("Alba", 1299), ("Brio", 1399), ("Cora", 1499))
    ]
    values = {"query": "Kühlschrank", "products": products, "comparative_summary": TABLE + VERDICT}
    line = {"record": "r-1", "ask": "comparison-faithfulness", "text": "Alles stimmt.\n\nScore- <score>5</score>"}
    path = tmp_path / "replies.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    walk = Walk(rubric_of("comparison-faithfulness"), PromptedJudge(Recording(path)), BankShelf())
    outcome = asyncio.run(walk.judge_record(build("comparison-faithfulness", values))).outcomes["faithfulness"]
    assert outcome.score.value == 5
    assert "code_overrides_judge" not in outcome.trail.flags
