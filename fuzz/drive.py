"""One process of coverage-guided fuzzing of one target; ends by itself when its CPU time is used up.

    python -m fuzz.drive TARGET --cpu-seconds 600 --seed 1 [--home .fuzz]

Needs atheris, which has an environment of its own (`make fuzz-env`). Figures go to the error stream, one JSON object in
a line that starts with FIGURES, between the lines that the engine writes itself.
"""

import argparse
import importlib
import json
import os
import resource
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from fuzz.choices import BORDER
from fuzz.findings import FindingBox
from fuzz.targets import TARGETS

# One input of a few kilobytes may take this long, in CPU time; a busy machine makes nothing slower then.
SLOWEST_SECONDS = 5.0
_TICK_SECONDS = 5.0
_CHECKED_EVERY = 64
_MOST_MEGABYTES = 4096


class TooSlow(BaseException):
    """An input that takes far longer than its length allows. Not an Exception, so that no reader can swallow it."""


def main() -> None:
    arguments = _read_arguments()
    home = Path(arguments.home)
    atheris: Any = importlib.import_module("atheris")
    target = TARGETS[arguments.target]
    with atheris.instrument_imports(include=["assay"]):
        check = target.load()
    corpus = home / "corpus" / arguments.target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number:03}").write_bytes(seed)
    box = FindingBox(home / "found", arguments.target)
    options = [
        f"-seed={arguments.seed}",
        f"-max_len={target.longest}",
        f"-dict={_write_words(home / 'words' / arguments.target, target.words)}",
        f"-artifact_prefix={home / 'found' / arguments.target}/",
        f"-rss_limit_mb={_MOST_MEGABYTES}",
        # Wall-clock limits are for hangs in C alone: this process waits for idle cycles.
        "-timeout=1200",
        "-use_value_profile=1",
        "-verbosity=1",
    ]
    guard = _Guard(check, box, arguments.cpu_seconds)
    signal.signal(signal.SIGVTALRM, _raise_too_slow)
    atheris.Setup([sys.argv[0], *options, str(corpus)], guard.run)
    atheris.Fuzz()


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--cpu-seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", default=".fuzz")
    return parser.parse_args()


def _raise_too_slow(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlow(f"more than {SLOWEST_SECONDS:g} s of CPU time")


def _write_words(path: Path, words: tuple[str, ...]) -> Path:
    """The engine's dictionary: one quoted string a line, every odd byte escaped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    encoded = [BORDER, *(word.encode("utf-8", "surrogatepass") for word in words if word)]
    lines = ('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"' for word in dict.fromkeys(encoded))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def spent_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class _Guard:
    """Runs one input: counts it, keeps what it breaks and goes on, and ends the process in time."""

    def __init__(self, check: Any, box: FindingBox, cpu_seconds: float) -> None:
        self._check = check
        self._box = box
        self._most = cpu_seconds
        self._executions = 0
        self._told = 0.0
        self._parent = os.getppid()

    def run(self, data: bytes) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, SLOWEST_SECONDS)
        try:
            self._check(data)
        except (Exception, TooSlow) as error:  # noqa: BLE001 - any exception here is what is looked for
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            found = self._box.add(data, error)
            if found is not None:
                _tell(
                    "FOUND", {"kind": found.kind, "words": found.words, "place": found.place, "file": found.bytes_file}
                )
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self._executions += 1
        if self._executions % _CHECKED_EVERY == 0 or self._executions == 1:
            self._tick()

    def _tick(self) -> None:
        spent = spent_seconds()
        is_over = spent >= self._most or os.getppid() != self._parent
        if is_over or spent - self._told >= _TICK_SECONDS:
            self._told = spent
            _tell("FIGURES", {"executions": self._executions, "cpu_seconds": round(spent, 2)})
        if is_over:
            # The corpus is on disk already, and the engine knows no other way to be stopped from inside.
            os._exit(0)


def _tell(word: str, content: dict[str, object]) -> None:
    # One write, so that the engine's own lines can't come between.
    os.write(2, f"\n{word} {json.dumps(content)}\n".encode())


if __name__ == "__main__":
    main()
