"""Computes what the embedded judge sees of every claim of a labelled set, once per version of weights and rules.

python bench/claim_signals.py [SET …]            writes .training/signals/VERSION/SET.npz
"""

import sys
import time
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from training.calibration import SETTLED

from assay.domain.record import Source
from assay.judges.embedded.pair_model import load_pair_model
from assay.judges.embedded.signals import search, weigh
from assay.judges.embedded.weights import read_card
from assay.judges.embedded.windows import Searched
from assay.units.claims import cut_claims
from assay.units.passages import number_sources
from labelled_sets import BY_NAME, SETS, LabelledSet, Row, is_there, read_rows

ROOT = Path(__file__).resolve().parents[1]
BLOCK = 64


@dataclass(frozen=True)
class Measured:
    """Claims in the order of their rows: `row` says which one each belongs to."""

    rows: list[Row]
    features: NDArray[np.float64]
    row: NDArray[np.int64]
    settled: NDArray[np.int64]

    @property
    def truth(self) -> NDArray[np.float64]:
        return np.array([row.truth for row in self.rows])

    @property
    def groups(self) -> NDArray[np.int64]:
        """By source document, whatever the set calls its rows."""
        texts = ["\n".join(row.sources)[:2_000] for row in self.rows]
        names = {name: number for number, name in enumerate(dict.fromkeys(texts))}
        return np.array([names[text] for text in texts])


def path_of(chosen: LabelledSet) -> Path:
    name = chosen.name.replace(", ", "-").replace(" ", "-")
    return ROOT / ".training" / "signals" / f"{read_card().version}-{digest_rules()}" / f"{name}.npz"


@cache
def digest_rules() -> str:
    """Short for the code that signals come from: figures may not outlive a change of it."""
    code = ROOT / "src" / "assay"
    texts = [path for path in code.glob("text/*.py") if not path.name.startswith(("injection", "hostile"))]
    parts = [*code.glob("checks/conflicts/*.py"), *texts, *code.glob("units/claims*.py")]
    parts += [code / "judges" / "embedded" / f"{name}.py" for name in ("signals", "windows", "pair_model")]
    digest = blake2b(digest_size=4)
    for path in sorted(parts):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compute(chosen: LabelledSet) -> None:
    rows = list(read_rows(chosen))
    model = load_pair_model()
    features: list[tuple[float, ...]] = []
    owners: list[int] = []
    settled: list[int] = []
    for start in range(0, len(rows), BLOCK):
        found = []
        for number, row in enumerate(rows[start : start + BLOCK], start):
            sources = [Source(f"s{position}", text) for position, text in enumerate(row.sources, 1)]
            searched = Searched(number_sources(sources).all, "en")
            found += [(number, search(unit.text, searched, row.sources)) for unit in cut_claims(row.output)]
        ratings = iter(model.rate([pair for _, each in found for pair in each.pairs]))
        for number, each in found:
            features.append(weigh(each, [next(ratings) for _ in each.pairs]).features)
            owners.append(number)
            settled.append(SETTLED.index(each.settled or ""))
    path = path_of(chosen)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, features=np.array(features), row=np.array(owners), settled=np.array(settled))


def load(chosen: LabelledSet) -> Measured:
    path = path_of(chosen)
    if not path.exists():
        compute(chosen)
    arrays = np.load(path)
    return Measured(list(read_rows(chosen)), arrays["features"], arrays["row"], arrays["settled"])


def main() -> None:
    if not is_there():
        print("the labelled sets are not at hand: nothing to compute")
        return
    for chosen in [BY_NAME[name] for name in sys.argv[1:]] or SETS:
        begun = time.perf_counter()
        if not path_of(chosen).exists():
            compute(chosen)
        print(f"{chosen.name}: {time.perf_counter() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
