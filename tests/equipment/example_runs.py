"""The shipped examples as `assay demo` judges them, and runs of them in a store."""

from collections.abc import Callable
from functools import cache
from importlib.resources import as_file
from pathlib import Path

from assay.api.judging import judge
from assay.cli.demo import judge_example
from assay.domain.scorecard import Scorecard
from assay.packs import list_packs
from assay.store.store import Store

# The rubrics whose examples have scripted replies. The others have examples to judge with a model of one's own.
SCRIPTED = tuple(name for name, pack in list_packs().items() if (pack.folder / "replies.jsonl").is_file())


@cache
def judge_once(rubric: str, *, scripted: bool = True) -> dict[str, Scorecard]:
    """By record, from scripted replies or by the built-in judge: the same cards for all tests of a process."""
    return {card.record.id: card for card in judge_example(list_packs()[rubric], scripted=scripted)}


def keep_example(store: Store, name: str, folder: Path, change: Callable[[str], str] = str, samples: int = 1) -> str:
    """The id of a new run. `change` may alter the replies, so that two runs differ; they are written to `folder`."""
    pack = list_packs()[name].folder
    replies = folder / f"{name}.replies.jsonl"
    replies.write_text(change((pack / "replies.jsonl").read_text(encoding="utf-8")), encoding="utf-8")
    with as_file(pack / "examples.jsonl") as examples:
        return judge(examples, name, f"recorded:{replies}", store=store, samples=samples).id
