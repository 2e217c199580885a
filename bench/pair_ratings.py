"""What the pair model makes of pairs, rated once per version of its weights and kept in .training/coverage/VERSION."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path

import numpy as np

from assay.judges.embedded.pair_model import Pair, Rating, load_pair_model
from assay.judges.embedded.weights import read_card

ROOT = Path(__file__).resolve().parents[1]
BLOCK = 256


def rate_all(name: str, pairs: Iterable[Pair]) -> Mapping[Pair, Rating]:
    """Kept after every block, so that a run that was stopped goes on where it was."""
    path = ROOT / ".training" / "coverage" / read_card().version / f"{name}.npz"
    known = _read(path)
    wanted = {_digest(pair): pair for pair in pairs}
    missing = [key for key in wanted if key not in known]
    for start in range(0, len(missing), BLOCK):
        keys = missing[start : start + BLOCK]
        known |= dict(zip(keys, load_pair_model().rate([wanted[key] for key in keys]), strict=True))
        _write(path, known)
        print(f"{name}: {start + len(keys)} of {len(missing)} pairs", flush=True)
    return {pair: known[key] for key, pair in wanted.items()}


def _digest(pair: Pair) -> str:
    return blake2b(f"{pair.premise}\0{pair.hypothesis}".encode(), digest_size=16).hexdigest()


def _read(path: Path) -> dict[str, Rating]:
    if not path.exists():
        return {}
    with np.load(path) as arrays:
        keys, values = arrays["keys"].tolist(), arrays["values"].tolist()
    return {key: Rating(*value) for key, value in zip(keys, values, strict=True)}


def _write(path: Path, known: Mapping[str, Rating]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Replaced as a whole: a run that is stopped while it writes must not cost what was rated before.
    aside = path.with_suffix(".part.npz")
    np.savez(aside, keys=np.array(list(known)), values=np.array(list(known.values())))
    aside.replace(path)
