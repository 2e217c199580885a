"""The human-labelled sets that the embedded judge is fitted on or measured with, each row in one shape.

They lie in ../shared/data/labelled where they are at hand; nothing of them is copied.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "labelled"


@dataclass(frozen=True)
class Row:
    """An output with its sources; `truth` is 1 or 0, or a mean of people's grades. `group` is its source document."""

    id: str
    group: str
    domain: str
    sources: tuple[str, ...]
    output: str
    truth: float


@dataclass(frozen=True)
class LabelledSet:
    """`binary` sets are measured by AUC, the others by Spearman's rank correlation."""

    name: str
    label: str
    binary: bool
    fitted: bool
    truth: Callable[[dict[str, Any]], float | None]
    file: str = ""
    most: int | None = None


def _factual(row: dict[str, Any]) -> float | None:
    return row["human"]["factual"]


SETS = (
    LabelledSet("qags_cnndm", "all sentences faithful by majority", True, False, lambda row: row["human"]["faithful"]),
    LabelledSet("summac_factcc", "factual", True, True, _factual),
    LabelledSet("summac_xsumfaith", "factual", True, True, _factual),
    LabelledSet("summac_polytope", "no inaccuracy", True, False, lambda row: float(row["human"]["inaccuracy_ok"])),
    LabelledSet("summedits_dev", "factual", True, True, _factual, most=1_000),
    LabelledSet("wice_dev", "claim fully supported", True, True, lambda row: float(row["human"]["support"] == "supported")),
    LabelledSet("summeval", "consistency", False, False, lambda row: row["human"]["consistency"], most=480),
    LabelledSet("dialsummeval", "consistency", False, False, lambda row: row["human"]["consistency"], most=700),
    LabelledSet("topical_chat_usr", "groundedness", False, False, lambda row: row["human"]["groundedness"]),
    LabelledSet("trialgpt_dev", "explanation correct", True, False,
                lambda row: float(row["human"]["explanation_correctness"] == "Correct")),
)  # fmt: skip
BY_NAME = {each.name: each for each in SETS}


def is_there() -> bool:
    return FOLDER.is_dir()


def read_rows(chosen: LabelledSet) -> Iterator[Row]:
    """All rows, or of a large set whole documents in a fixed shuffled order until there are `most`."""
    rows = list(_read_all(chosen))
    if chosen.most is None or len(rows) <= chosen.most:
        yield from rows
        return
    groups = sorted({row.group for row in rows}, key=lambda name: blake2b(name.encode(), digest_size=8).digest())
    taken: set[str] = set()
    sizes = Counter(row.group for row in rows)
    for name in groups:
        if sum(sizes[each] for each in taken) >= chosen.most:
            break
        taken.add(name)
    yield from (row for row in rows if row.group in taken)


def _read_all(chosen: LabelledSet) -> Iterator[Row]:
    with gzip.open(FOLDER / f"{chosen.file or chosen.name}.jsonl.gz", "rt") as file:
        for line in file:
            row = json.loads(line)
            truth = chosen.truth(row)
            if truth is None:
                continue
            source = row["source"]
            texts = (
                (source,) if isinstance(source, str) else tuple(each["content"] for each in source if each["content"])
            )
            group = row.get("doc_id") or row.get("orig_id") or row.get("patient_id") or texts[0][:300]
            yield Row(row["id"], str(group), row["domain"], texts, row["output"], float(truth))
