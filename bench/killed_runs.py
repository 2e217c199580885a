"""Starts runs of `assay judge`, kills and resumes them, and counts what their store holds with plain SQL."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

from workload import RUBRIC

ASSAY = "from assay.cli.main import main; main()"
KEYS = {"OPENAI_API_KEY": "none", "ANTHROPIC_API_KEY": "none"}


def start(records: Path, folder: Path, *options: str) -> subprocess.Popen[bytes]:
    """Begins the run of a folder, or resumes it: a kill before the run is in the store leaves nothing to resume."""
    command = [sys.executable, "-W", "ignore", "-c", ASSAY, "judge", str(records), "--rubric", RUBRIC, *options]
    command += ["--quiet", "--format", "jsonl", "--store", str(folder / "assay.db"), "--out", str(folder / "out.jsonl")]
    return subprocess.Popen([*command, *(["--resume", "last"] if has_run(folder) else [])], env={**os.environ, **KEYS})


def kill_after(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """With SIGKILL, after so long; False where it has ended by then."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    return False


def has_run(folder: Path) -> bool:
    try:
        return bool(count(folder, "SELECT count(*) FROM runs")[0])
    except sqlite3.Error:
        return False


def count(folder: Path, query: str) -> tuple[int, ...]:
    with sqlite3.connect(f"file:{folder / 'assay.db'}?mode=ro", uri=True) as store:
        return tuple(store.execute(query).fetchone())


def count_cards(folder: Path) -> tuple[int, ...]:
    """All cards, different records among them, and failed ones."""
    return count(folder, "SELECT count(*), count(DISTINCT record_id), coalesce(sum(failed), 0) FROM cards")


def count_replies(folder: Path) -> int:
    return count(folder, "SELECT count(*) FROM replies")[0]


def count_unnamed_batches(folder: Path) -> int:
    """Batches of which a resumed run has to find out whether they were submitted."""
    return count(folder, "SELECT count(*) FROM batches WHERE identifier IS NULL")[0] if has_run(folder) else 0
