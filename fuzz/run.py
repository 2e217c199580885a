"""Fuzzes all targets one after another, each for some minutes of CPU time, at the lowest priority.

    python -m fuzz.run --minutes 2 [--rounds 0] [--targets walk,pages] [--seed 1] [--home .fuzz]

Goes on from the corpora of earlier runs and appends to the log, so CPU time and coverage add up over as many runs as
one likes. It may be killed at any moment: what was found is on disk, and the log is never more than seconds behind.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from fuzz.targets import TARGETS

_STATUS = re.compile(r"#\d+\s+\w+\s+cov: (\d+) ft: (\d+) corp: (\d+)/")
_ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    arguments = _read_arguments()
    give_way()
    home = Path(arguments.home)
    home.mkdir(parents=True, exist_ok=True)
    log = Log(home / "log.jsonl")
    names = arguments.targets.split(",") if arguments.targets else list(TARGETS)
    for done in count(1):
        for name in names:
            seed = arguments.seed + log.count_sessions(name)
            Session(name, seed, log).run(home, arguments.minutes * 60)
        if done == arguments.rounds:
            return


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2.0, help="of CPU time, for each target in each round")
    parser.add_argument("--rounds", type=int, default=0, help="0 goes on until it is killed")
    parser.add_argument("--targets", default="", help="names with commas between them; all without it")
    parser.add_argument("--seed", type=int, default=1, help="of a target's first session; each later one has the next")
    parser.add_argument("--home", default=".fuzz")
    return parser.parse_args()


def give_way() -> None:
    """Idle cycles only: the scheduler weighs groups of processes first, then the processes in a group."""
    try:
        Path("/proc/self/autogroup").write_text("19", encoding="ascii")
    except OSError:
        sys.stderr.write("there is no autogroup here; nice alone has to do\n")
    os.nice(19)


class Log:
    """One JSON object a line, written at once."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, **content: object) -> None:
        line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="seconds"), **content})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def lines(self) -> Iterator[dict[str, object]]:
        """A line that a kill cut short is passed over."""
        if not self._path.exists():
            return
        for line in self._path.read_text(encoding="utf-8").splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                continue

    def count_sessions(self, target: str) -> int:
        return sum(1 for line in self.lines() if line.get("event") == "start" and line.get("target") == target)


@dataclass(slots=True)
class Session:
    """One process on one target, from its start to its end, in the log."""

    target: str
    seed: int
    log: Log
    name: str = ""
    coverage: dict[str, int] = field(default_factory=dict)
    last_words: list[str] = field(default_factory=list)

    def run(self, home: Path, cpu_seconds: float) -> None:
        self.name = f"{self.target}-{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}"
        command = [
            sys.executable, "-m", "fuzz.drive", self.target, "--seed", str(self.seed),
            "--cpu-seconds", str(cpu_seconds), "--home", str(home),
        ]  # fmt: skip
        self.note("start", commit=_find_commit())
        process = subprocess.Popen(  # noqa: S603 - our own module
            command, cwd=_ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        if process.stderr is not None:
            for line in process.stderr:
                self.hear(line)
        # What the child used, start and reading of the corpus included.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        words = self.last_words if process.returncode else []
        spent = round(usage.ru_utime + usage.ru_stime, 2)
        self.note("end", exit_code=process.returncode, cpu_seconds=spent, last_words=words)

    def hear(self, line: str) -> None:
        self.last_words = [*self.last_words[-11:], line.rstrip()[:300]]
        if status := _STATUS.match(line):
            edges, features, corpus = (int(number) for number in status.groups())
            self.coverage = {"edges": edges, "features": features, "corpus": corpus}
        elif line.startswith("FIGURES "):
            self.note("figures", **json.loads(line.partition(" ")[2]), **self.coverage)
        elif line.startswith("FOUND "):
            self.note("found", **json.loads(line.partition(" ")[2]))

    def note(self, event: str, **content: object) -> None:
        self.log.add(event=event, session=self.name, target=self.target, seed=self.seed, **content)


def _find_commit() -> str:
    """What was fuzzed; with a plus where the work tree differs from it."""
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"],  # noqa: S607 - whichever git there is
        cwd=_ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return found.stdout.strip()


if __name__ == "__main__":
    main()
