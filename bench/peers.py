"""DeepEval and Ragas on the records of the bill, each metric against a server of its own.

Each has an environment of its own (`make peers-env`), in `.peers` or the folder that ASSAY_PEERS names.
"""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from bill import Bill, BillingServer
from cost_replies import answer_peer
from cost_ways import Way
from equipment.articles import build_records
from equipment.chat_server.server import run_in_thread
from workload import ROOT

FOLDER = Path(os.environ.get("ASSAY_PEERS", ROOT / ".peers"))
MODEL = "gpt-5.4-mini"
# The nearest to what the article audit asks. Faithfulness repeats a part of DeepEval's Summarization.
METRICS = {
    "DeepEval": ("SummarizationMetric", "AnswerRelevancyMetric", "BiasMetric", "ToxicityMetric", "FaithfulnessMetric"),
    "Ragas": ("SummaryScore", "Faithfulness"),
}
# What is added up for a sum of all.
NEAREST = {"DeepEval": METRICS["DeepEval"][:4], "Ragas": METRICS["Ragas"]}
VERSION = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"


def find_python(tool: str) -> Path | None:
    python = FOLDER / tool.lower() / "bin" / "python"
    return python if python.exists() else None


def list_installed() -> Iterator[str]:
    for tool in METRICS:
        if find_python(tool) is not None:
            yield tool
        else:
            print(f"{tool} is left out: it is not in {FOLDER}. Install it with `make peers-env`.")


def read_version(tool: str) -> str:
    command = [str(find_python(tool)), "-c", VERSION, tool.lower()]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def measure_peer(tool: str, metric: str, way: Way, open_server: Callable[..., BillingServer] = BillingServer) -> Bill:
    """Raises SystemExit where it ends with an error."""
    records = build_records(way.records // way.systems, way.systems, way.words, way.sentences)
    server = open_server(answer_peer, min_tokens=way.min_tokens)
    script = ROOT / "bench" / f"peer_{tool.lower()}.py"
    with run_in_thread(server):
        command = [str(find_python(tool)), str(script), server.base_url, MODEL, metric]
        ended = subprocess.run(command, input=json.dumps(records), check=False, capture_output=True, text=True)
    if ended.returncode:
        raise SystemExit(f"{tool} {metric}:\n{ended.stderr[-2_000:]}")
    return server.count(tool, metric, way.systems, "openai", len(records))


def add_up(tool: str, bills: list[Bill]) -> Bill:
    """The nearest metrics together."""
    parts = [each for each in bills if each.tool == tool and each.mode in NEAREST[tool]]
    kinds = ("calls", "prompt_tokens", "cached_tokens", "reply_tokens", "seconds")
    totals = {kind: sum(getattr(each, kind) for each in parts) for kind in kinds}
    return replace(parts[0], mode=" + ".join(each.mode for each in parts), **totals)
