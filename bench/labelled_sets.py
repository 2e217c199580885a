"""The human-labelled sets that the embedded judge is fitted on or measured with, each row in one shape.

They lie in ../shared/data/labelled where they are at hand; nothing of them is copied.
"""

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from training.holdout import SEED, SIZES, split_pairs
from training.modern import FACTS, read_fact_twins, read_modern
from training.pairs import Label, Pair

from assay.domain.json import JSON

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(os.environ.get("ASSAY_DATA", ROOT / ".." / "shared" / "data")) / "labelled"


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
    """`field` holds what people said, named `label`: a number, or a word of which `right` is the good one.

    `binary` sets are measured by AUC, the others by Spearman's rank correlation. Of a file with more rows than `most`,
    whole documents are drawn; `rest` takes the documents that were not.
    """

    file: str
    label: str
    field: str
    right: str | None = None
    binary: bool = True
    fitted: bool = False
    most: int | None = None
    rest: bool = False
    by_domain: bool = False

    @property
    def name(self) -> str:
        return f"{self.file}, the rest" if self.rest else self.file

    def read(self, human: Mapping[str, JSON]) -> float | None:
        """A larger number where the output is better supported; None without a label."""
        value = human.get(self.field)
        if self.right is not None:
            return None if value is None else float(value == self.right)
        return float(value) if isinstance(value, bool | int | float) else None


SETS = (
    LabelledSet("qags_cnndm", "all sentences faithful by majority", "faithful"),
    LabelledSet("summac_factcc", "factual", "factual", fitted=True),
    LabelledSet("summac_xsumfaith", "factual", "factual", fitted=True),
    LabelledSet("summac_polytope", "no inaccuracy", "inaccuracy_ok"),
    LabelledSet("summedits_dev", "factual", "factual", fitted=True, most=1_000, by_domain=True),
    LabelledSet("summedits_dev", "factual", "factual", most=1_000, rest=True, by_domain=True),
    LabelledSet("wice_dev", "claim fully supported", "support", "supported", fitted=True),
    LabelledSet("summeval", "consistency", "consistency", binary=False, most=480),
    LabelledSet("dialsummeval", "consistency", "consistency", binary=False, most=700),
    LabelledSet("topical_chat_usr", "groundedness", "groundedness", binary=False),
    LabelledSet("trialgpt_dev", "explanation correct", "explanation_correctness", "Correct"),
)
CLOSE = "close_twins"
TWINS = (LabelledSet(FACTS, "supported", ""), LabelledSet(CLOSE, "supported", ""))
"""Invented short texts with claims that differ by one fact: those that the pair model has not seen. One claim is an output."""
BY_NAME = {each.name: each for each in (*SETS, *TWINS)}


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


def _read_twins(chosen: LabelledSet) -> Iterator[Row]:
    pairs: list[Pair]
    if chosen.file == CLOSE:
        pairs = read_modern(ROOT / "training" / f"{CLOSE}.jsonl", CLOSE)
    else:
        pairs = [pair for pair in split_pairs(read_fact_twins(), SIZES, SEED).held_out if pair.origin == chosen.file]
    for place, pair in enumerate(pairs):
        truth = float(pair.label == Label.SUPPORTED)
        yield Row(f"{place}", pair.group, chosen.file, (pair.premise,), pair.hypothesis, truth)


def _read_all(chosen: LabelledSet) -> Iterator[Row]:
    if chosen in TWINS:
        yield from _read_twins(chosen)
        return
    with gzip.open(FOLDER / f"{chosen.file}.jsonl.gz", "rt") as file:
        for line in file:
            row = json.loads(line)
            truth = chosen.read(row["human"])
            if truth is None:
                continue
            source = row["source"]
            texts = (
                (source,) if isinstance(source, str) else tuple(each["content"] for each in source if each["content"])
            )
            group = row.get("doc_id") or row.get("orig_id") or row.get("patient_id") or texts[0][:300]
            yield Row(row["id"], str(group), row["domain"], texts, row["output"], float(truth))
