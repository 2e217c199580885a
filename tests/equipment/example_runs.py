"""Runs of the shipped examples in a store, judged from their scripted replies."""

from collections.abc import Callable
from importlib.resources import as_file
from pathlib import Path

from assay.api.judging import judge
from assay.packs import list_packs
from assay.store.store import Store


def keep_example(store: Store, name: str, folder: Path, change: Callable[[str], str] = str, samples: int = 1) -> str:
    """The id of a new run. `change` may alter the replies, so that two runs differ; they are written to `folder`."""
    pack = list_packs()[name].folder
    replies = folder / f"{name}.replies.jsonl"
    replies.write_text(change((pack / "replies.jsonl").read_text(encoding="utf-8")), encoding="utf-8")
    with as_file(pack / "examples.jsonl") as examples:
        return judge(examples, name, f"recorded:{replies}", store=store, samples=samples).id
