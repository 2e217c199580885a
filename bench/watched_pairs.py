"""Writes the claims and windows of the labelled summaries that training is watched and mixtures are chosen by.

PYTHONPATH=. python bench/watched_pairs.py OUT.jsonl.gz        for training/watch.py, which has no Assay to cut claims with

Only sets that the calibration is fitted on anyway are watched; those whose figures are reported as unseen are not, and
wice, which is both, is not either.
"""

import gzip
import json
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from assay.domain.record import Source
from assay.judges.embedded.signals import Searched, search
from assay.units.claims import cut_claims
from assay.units.passages import number_sources
from labelled_sets import LabelledSet, Row, is_there, read_rows

SETS = (
    LabelledSet("summac_factcc", "factual", "factual"),
    LabelledSet("summac_xsumfaith", "factual", "factual", most=250),
    LabelledSet("summedits_dev", "factual", "factual", most=1_000),
)
MOST = 600
"""Outputs of one set that are watched: those of the fitted documents, in a fixed shuffled order."""


def list_pairs(chosen: LabelledSet, row: Row) -> Iterator[dict[str, object]]:
    """What the judge would ask its model of one output; claims that need no model are left out."""
    sources = [Source(f"s{position}", text) for position, text in enumerate(row.sources, 1)]
    searched = Searched(number_sources(sources).all, "en")
    for number, unit in enumerate(cut_claims(row.output)):
        for pair in search(unit.text, searched, row.sources).pairs:
            yield {"set": chosen.name, "output": row.id, "claim": number, "truth": row.truth > 0.5,
                   "premise": pair.premise, "hypothesis": pair.hypothesis}  # fmt: skip


def main() -> None:
    if not is_there():
        print("the labelled sets are not at hand: nothing to watch")
        return
    with gzip.open(Path(sys.argv[1]), "wt", encoding="utf-8") as file:
        for chosen in SETS:
            rows = sorted(read_rows(chosen), key=lambda row: blake2b(row.id.encode()).digest())[:MOST]
            found = [each for row in rows for each in list_pairs(chosen, row)]
            file.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in found)
            print(f"{chosen.name}: {len(rows)} outputs, {len(found)} pairs", flush=True)


if __name__ == "__main__":
    main()
