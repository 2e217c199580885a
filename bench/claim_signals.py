"""Computes what the embedded judge sees of every claim of a labelled set, once per version of weights and rules.

python bench/claim_signals.py [SET …]            writes .training/signals/VERSION/SET.npz
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from training.calibration import SETTLED

from assay.domain.record import Source
from assay.judges.embedded.pair_model import Pair, load_pair_model
from assay.judges.embedded.signals import FEATURES, Searched, search, weigh
from assay.judges.embedded.weights import read_card
from assay.units.claims import cut_claims
from assay.units.passages import number_sources
from labelled_sets import BY_NAME, SETS, LabelledSet, Row, is_there, read_rows

ROOT = Path(__file__).resolve().parents[1]
BLOCK = 64
RULES = ("figure",)
"""What settles a claim: a figure that no reading of any source yields."""


@dataclass(frozen=True)
class Measured:
    """Claims in the order of their rows: `row` says which one each belongs to.

    `features` are the model's for every claim that is not copied, `fired` says which of RULES found something.
    """

    rows: list[Row]
    features: NDArray[np.float64]
    row: NDArray[np.int64]
    copied: NDArray[np.bool_]
    fired: NDArray[np.bool_]

    def settle(self, rules: Sequence[str] = RULES) -> NDArray[np.int64]:
        """The place of each claim in SETTLED if these rules alone are in force."""
        used = [RULES.index(rule) for rule in rules]
        absent = self.fired[:, used].any(axis=1)
        return np.where(self.copied, SETTLED.index("verbatim"), np.where(absent, SETTLED.index("absent"), 0))

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
    parts = [*texts, *code.glob("units/claims*.py")]
    parts += [code / "judges" / "embedded" / f"{name}.py" for name in ("signals", "pair_model")]
    digest = blake2b(digest_size=4)
    for path in sorted(parts):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compute(chosen: LabelledSet) -> None:
    rows = list(read_rows(chosen))
    model = load_pair_model()
    features: list[tuple[float, ...]] = []
    owners: list[int] = []
    known: list[tuple[bool, ...]] = []
    for start in range(0, len(rows), BLOCK):
        found = []
        for number, row in enumerate(rows[start : start + BLOCK], start):
            sources = [Source(f"s{position}", text) for position, text in enumerate(row.sources, 1)]
            searched = Searched(number_sources(sources).all, "en")
            found += [(number, search(unit.text, searched, row.sources)) for unit in cut_claims(row.output)]
        pairs = [
            [] if each.verbatim else [Pair(window.text, each.claim) for window in each.windows] for _, each in found
        ]
        ratings = iter(model.rate([pair for each in pairs for pair in each]))
        for (number, each), own in zip(found, pairs, strict=True):
            # The model's view of what a rule settles, too, so that rules can be left out afterwards.
            weighed = weigh(replace(each, unsourced=()), [next(ratings) for _ in own]).features
            features.append(tuple(weighed[name] for name in FEATURES))
            owners.append(number)
            known.append((each.verbatim is not None, bool(each.unsourced)))
    path = path_of(chosen)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, features=np.array(features), row=np.array(owners), known=np.array(known))


def load(chosen: LabelledSet) -> Measured:
    path = path_of(chosen)
    if not path.exists():
        compute(chosen)
    arrays = np.load(path)
    known = arrays["known"]
    return Measured(list(read_rows(chosen)), arrays["features"], arrays["row"], known[:, 0], known[:, 1:])


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
