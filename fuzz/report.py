"""Writes bench/results/fuzzing.md from the log of all runs so far.

python -m fuzz.report [--home .fuzz]
"""

import argparse
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzz.run import Log
from fuzz.targets import TARGETS

RESULTS = Path(__file__).resolve().parents[1] / "bench" / "results" / "fuzzing.md"
_SHARES = (10, 25, 50, 75, 100)
_INTRODUCTION = """\
# Fuzzing

Written by `make fuzz-report` from the log of all runs of `make fuzz`. The engine is atheris, guided by coverage. Each
target takes any bytes, builds what it reads from them, and asserts rules that must hold whatever was read: no exception
but the declared ones, stretches that lie in their text, numbers on their scales, the same reading twice, and no score
out of a text that holds none. An input that takes more than five seconds of CPU time is a finding too.

CPU time is that of the processes, start and reading of the corpus included. *Edges* are branches of the package that
were met, *features* count how often as well. A session goes on from the corpora of those before it, with the next seed.
"""


@dataclass(slots=True)
class Course:
    """One target over all its sessions; `points` are CPU seconds with the most edges and features met by then."""

    seeds: list[int] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    executions: dict[str, int] = field(default_factory=dict)
    points: list[tuple[float, int, int]] = field(default_factory=list)
    found: list[Mapping[str, Any]] = field(default_factory=list)
    failed: int = 0

    def add(self, line: Mapping[str, Any]) -> None:
        session = str(line["session"])
        if line["event"] == "start":
            self.seeds.append(int(line["seed"]))
        elif line["event"] == "found":
            self.found.append(line)
        elif line["event"] == "end":
            self.failed += bool(line["exit_code"])
        if "cpu_seconds" in line:
            self.seconds[session] = max(self.seconds.get(session, 0.0), float(line["cpu_seconds"]))
        if "executions" in line:
            self.executions[session] = max(self.executions.get(session, 0), int(line["executions"]))
        if "edges" in line:
            _, edges, features = self.points[-1] if self.points else (0.0, 0, 0)
            self.points.append((self.spent, max(edges, int(line["edges"])), max(features, int(line["features"]))))

    @property
    def spent(self) -> float:
        return sum(self.seconds.values())

    def met_at(self, share: int) -> tuple[int, int]:
        """Edges and features met when this share of the time, in percent, was spent."""
        met = [point for point in self.points if point[0] <= self.spent * share / 100] or self.points[:1]
        return met[-1][1:] if met else (0, 0)


def read_courses(lines: Iterable[Mapping[str, Any]]) -> dict[str, Course]:
    courses: dict[str, Course] = {}
    for line in lines:
        courses.setdefault(str(line["target"]), Course()).add(line)
    return courses


def render(courses: Mapping[str, Course]) -> str:
    total = sum(course.spent for course in courses.values())
    runs = sum(sum(course.executions.values()) for course in courses.values())
    known = [name for name in TARGETS if name in courses] + sorted(set(courses) - set(TARGETS))
    lines = [
        _INTRODUCTION,
        f"In all {total / 3600:.2f} CPU-hours and {runs:,} executions over {len(courses)} of {len(TARGETS)} targets.",
        "",
        "## Time",
        "",
        "| target | CPU-hours | executions | sessions | seeds | sessions that broke off |",
        "|---|--:|--:|--:|---|--:|",
        *(_time_row(name, courses[name]) for name in known),
        "",
        "## Coverage over time",
        "",
        "Edges / features met when a share of the target's CPU time was spent. Where the last columns are alike, the",
        "target has reached a plateau.",
        "",
        "| target | " + " | ".join(f"{share} %" for share in _SHARES) + " |",
        "|---|" + "--:|" * len(_SHARES),
        *(_coverage_row(name, courses[name]) for name in known),
        "",
        "## Found",
        "",
        *(_found_lines(courses[name].found for name in known) or ["Nothing yet."]),
        "",
        "What was found is mended, and each case is kept as a test: tests/fuzz/.",
        "",
        "## Again",
        "",
        "    make fuzz-env                     the engine, in an environment of its own",
        "    make fuzz MINUTES=10 ROUNDS=1     ten CPU-minutes for each target",
        "    make fuzz-report",
        "    make fuzz-patterns                every regular expression against repeated pieces",
    ]
    return "\n".join(lines) + "\n"


def _time_row(name: str, course: Course) -> str:
    seeds = f"{min(course.seeds)}–{max(course.seeds)}" if len(course.seeds) > 1 else ", ".join(map(str, course.seeds))
    count = sum(course.executions.values())
    return f"| {name} | {course.spent / 3600:.3f} | {count:,} | {len(course.seeds)} | {seeds} | {course.failed} |"


def _coverage_row(name: str, course: Course) -> str:
    met = (course.met_at(share) for share in _SHARES)
    return f"| {name} | " + " | ".join(f"{edges:,} / {features:,}" for edges, features in met) + " |"


def _found_lines(found: Iterable[Iterable[Mapping[str, Any]]]) -> list[str]:
    """Once for each fault; its place says where to look."""
    lines = (
        f"- {line['target']}: {line['kind']} at `{line['place']}`: {json.dumps(str(line['words'])[:160])}"
        for course in found
        for line in course
    )
    return list(dict.fromkeys(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", default=".fuzz")
    log = Log(Path(parser.parse_args().home) / "log.jsonl")
    RESULTS.write_text(render(read_courses(log.lines())), encoding="utf-8")


if __name__ == "__main__":
    main()
