"""The human-labelled sets that the embedded judge is fitted on or measured with, each row in one shape.

They lie in ../shared/data/labelled where they are at hand; nothing of them is copied.
"""

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from known_sets import KNOWN, Reading

FOLDER = Path(os.environ.get("ASSAY_DATA", Path(__file__).resolve().parents[1] / ".." / "shared" / "data")) / "labelled"


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
    """`binary` sets are measured by AUC, the others by Spearman's rank correlation. The label is the set's first one.

    Of a file with more rows than `most`, whole documents are drawn; `rest` takes the documents that were not.
    """

    file: str
    binary: bool
    fitted: bool = False
    most: int | None = None
    rest: bool = False
    by_domain: bool = False

    @property
    def name(self) -> str:
        return f"{self.file}, the rest" if self.rest else self.file

    @property
    def reading(self) -> Reading:
        return KNOWN[self.file].readings[0]

    @property
    def label(self) -> str:
        return self.reading.label


SETS = (
    LabelledSet("qags_cnndm", binary=True),
    LabelledSet("summac_factcc", binary=True, fitted=True),
    LabelledSet("summac_xsumfaith", binary=True, fitted=True),
    LabelledSet("summac_polytope", binary=True),
    LabelledSet("summedits_dev", binary=True, fitted=True, most=1_000, by_domain=True),
    LabelledSet("summedits_dev", binary=True, most=1_000, rest=True, by_domain=True),
    LabelledSet("wice_dev", binary=True, fitted=True),
    LabelledSet("summeval", binary=False, most=480),
    LabelledSet("dialsummeval", binary=False, most=700),
    LabelledSet("topical_chat_usr", binary=False),
    LabelledSet("trialgpt_dev", binary=True),
)
BY_NAME = {each.name: each for each in SETS}


def is_there() -> bool:
    return FOLDER.is_dir()


def read_rows(chosen: LabelledSet) -> Iterator[Row]:
    """All rows, or of a large set whole documents in a fixed shuffled order until there are `most`, or what is left."""
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
    yield from (row for row in rows if (row.group in taken) != chosen.rest)


def _read_all(chosen: LabelledSet) -> Iterator[Row]:
    with gzip.open(FOLDER / f"{chosen.file}.jsonl.gz", "rt") as file:
        for line in file:
            row = json.loads(line)
            truth = chosen.reading.read(row["human"])
            if truth is None:
                continue
            source = row["source"]
            texts = (
                (source,) if isinstance(source, str) else tuple(each["content"] for each in source if each["content"])
            )
            group = row.get("doc_id") or row.get("orig_id") or row.get("patient_id") or texts[0][:300]
            yield Row(row["id"], str(group), row["domain"], texts, row["output"], float(truth))
