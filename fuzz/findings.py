"""What the fuzzer found: the bytes that broke a rule, kept once for each place where it broke."""

import hashlib
import json
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finding:
    """`place` is the last line of ours that the exception went through; `bytes_file` holds the input."""

    target: str
    kind: str
    words: str
    place: str
    bytes_file: str


class FindingBox:
    """One folder per target; a fault is told apart by its kind and its place, so that one bug is one finding."""

    def __init__(self, folder: Path, target: str) -> None:
        self._folder = folder / target
        self._folder.mkdir(parents=True, exist_ok=True)
        self._target = target
        self._seen = {path.stem for path in self._folder.glob("*.json")}

    def add(self, data: bytes, error: BaseException) -> Finding | None:
        """None where the fault is known already."""
        place = find_place(error)
        name = hashlib.sha256(f"{type(error).__name__} {place}".encode()).hexdigest()[:12]
        if name in self._seen:
            return None
        self._seen.add(name)
        (self._folder / f"{name}.bytes").write_bytes(data)
        words = str(error)[:500].encode("utf-8", "backslashreplace").decode()
        finding = Finding(self._target, type(error).__name__, words, place, f"{self._target}/{name}.bytes")
        (self._folder / f"{name}.json").write_text(json.dumps(asdict(finding), indent=1), encoding="utf-8")
        return finding


def find_place(error: BaseException) -> str:
    """Without line numbers, which move: the last functions of the package, then of the target."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if "/assay/" in frame.filename] or list(frames)
    own = [
        frame for frame in frames if "/fuzz/" in frame.filename and frame.name.startswith(("check_", "_hold", "_check"))
    ]
    named = [f"{Path(frame.filename).stem}.{frame.name}" for frame in (*inside[-1:], *own[-1:])]
    rule = own[-1].lineno if own and not any("/assay/" in frame.filename for frame in frames) else None
    return " < ".join(named) + (f":{rule}" if rule else "")
