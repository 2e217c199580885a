"""Runs of the shipped examples in a store, judged from their scripted replies."""

from collections.abc import Callable
from importlib.resources import as_file
from pathlib import Path

from assay.api.opening import Work, open_run
from assay.api.request import RunRequest
from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.packs import list_packs
from assay.runner.run import Progress
from assay.store.store import Store


def keep_example(store: Store, name: str, folder: Path, change: Callable[[str], str] = str, samples: int = 1) -> str:
    """The id of a new run. `change` may alter the replies, so that two runs differ; they are written to `folder`."""
    rubric, pack = open_rubric(name), list_packs()[name]
    replies = folder / f"{name}.replies.jsonl"
    replies.write_text(change((pack.folder / "replies.jsonl").read_text(encoding="utf-8")), encoding="utf-8")
    with as_file(pack.folder / "examples.jsonl") as examples:
        work = Work(rubric, open_records(examples, rubric), f"{name}.jsonl")
        run = open_run(RunRequest(judges=(f"recorded:{replies}",), samples=samples), work, store)
        run.begin()
        run.carry_out(lambda _card: None, Progress())
    return run.plan.run
