"""Runs of the shipped examples in a store, judged from their scripted replies."""

from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

from assay import __version__
from assay.api import run_async
from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.runner.opening import open_judge
from assay.runner.plan import Plan, carry_out, describe_run
from assay.runner.run import Progress
from assay.store.store import Store


def keep_example(store: Store, name: str, folder: Path, change: Callable[[str], str] = str, samples: int = 1) -> str:
    """The id of a new run. `change` may alter the replies, so that two runs differ; they are written to `folder`."""
    rubric = open_rubric(name)
    with as_file(files("assay") / "examples") as examples:
        replies = folder / f"{name}.replies.jsonl"
        replies.write_text(change((examples / f"{name}.replies.jsonl").read_text(encoding="utf-8")), encoding="utf-8")
        records = open_records(examples / f"{name}.jsonl", rubric)
        plan = Plan(rubric, (open_judge(f"recorded:{replies}"),), samples=samples, store=store)
        store.begin_run(describe_run(plan, f"{name}.jsonl", len(records), __version__, {"samples": samples}))
        run_async(lambda: carry_out(plan, records, lambda _card: None, Progress()))
    return plan.run
