"""Writes bench/results/fuzzing.md from the log of all runs so far.

python -m fuzz.report [--home .fuzz]
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from fuzz.run import Log
from fuzz.targets import TARGETS

RESULTS = Path(__file__).resolve().parents[1] / "bench" / "results" / "fuzzing.md"
_SHARES = (25, 50, 75, 100)
_MOST_NEW = 0.01
_LEAST_MINUTES = 10.0
_INTRODUCTION = """\
# Fuzzing

Written by `make fuzz-report` from the log of all runs of `make fuzz`. The engine is atheris, guided by coverage. Each
target takes any bytes, builds what it reads from them, and asserts rules that must hold whatever was read: no exception
but the declared ones, stretches that lie in their text, numbers on their scales, the same reading twice, no key in an
error, and no score out of a text that holds none. An input that takes more than five seconds of CPU time is a finding
too.

CPU time is that of the processes, start and reading of the corpus included. A session goes on from the corpora of those
before it, with the next seed; one that ended before its first input is left out.
"""
_COVERAGE = """\
*Edges* are branches of the package that were met by the time a share of the target's CPU time was spent; *features*
count how often as well. *Quiet* is the CPU time in minutes since the last new edge, *last half* the share of the edges
that were new in the last half of the time.
"""


@dataclass(slots=True)
class Course:
    """One target over all its sessions; `points` are CPU seconds with the most edges and features met by then."""

    seeds: list[int] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    executions: dict[str, int] = field(default_factory=dict)
    points: list[tuple[float, int, int]] = field(default_factory=list)
    found: list[Mapping[str, Any]] = field(default_factory=list)
    failed: int = 0

    def add(self, line: Mapping[str, Any]) -> None:
        session = str(line["session"])
        if line["event"] == "start":
            self.seeds.append(int(line["seed"]))
            self.commits.append(str(line.get("commit", "")))
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

    @property
    def quiet_seconds(self) -> float:
        """Since the last new edge; all of the time where there was none after the first figures."""
        grown = [after[0] for before, after in pairwise([(0.0, 0, 0), *self.points]) if after[1] > before[1]]
        return self.spent - max(grown, default=0.0)

    @property
    def new_share(self) -> float:
        """Of all edges, those met in the last half of the time."""
        half, whole = self.met_at(50)[0], self.met_at(100)[0]
        return (whole - half) / whole if whole else 1.0

    @property
    def state(self) -> str:
        if self.new_share > _MOST_NEW:
            return "grows"
        return "too short" if self.spent < 60 * _LEAST_MINUTES else "plateau"


def read_courses(lines: Iterable[Mapping[str, Any]]) -> dict[str, Course]:
    kept = list(lines)
    # Where the environment is broken a session ends at once, and has tried nothing.
    tried = {str(line["session"]) for line in kept if line.get("executions")}
    courses: dict[str, Course] = {}
    for line in kept:
        if str(line["session"]) in tried:
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
        *_say_states(courses, known),
        "",
        "## Coverage over time",
        "",
        _COVERAGE,
        "| target | seeds | CPU-minutes | executions | edges at "
        + " | ".join(f"{share} %" for share in _SHARES)
        + " | features | quiet | last half | |",
        "|---|--:|--:|--:|" + "--:|" * len(_SHARES) + "--:|--:|--:|---|",
        *(_row(name, courses[name]) for name in known),
        "",
        *_say_failed(courses),
        "## Found",
        "",
        *(_found_lines(courses[name].found for name in known) or ["Nothing yet."]),
        "",
        "What was found is mended, and each case is kept as a test: tests/fuzz/.",
        "",
        "## Again",
        "",
        f"Commits: {_list_commits(courses)}. A plus is a work tree with changes.",
        "",
        "    make fuzz-env                     the engine, in an environment of its own",
        "    make fuzz MINUTES=10 ROUNDS=1     ten CPU-minutes for each target",
        "    make fuzz-report",
        "    make fuzz-patterns                every regular expression against repeated pieces: patterns.md",
        "",
        "One session alone, with the seed of the table:",
        "",
        "    .fuzz/env/bin/python -m fuzz.drive TARGET --seed SEED --cpu-seconds 180",
    ]
    return "\n".join(lines) + "\n"


def _say_states(courses: Mapping[str, Course], known: Sequence[str]) -> list[str]:
    named = {state: [name for name in known if courses[name].state == state] for state in ("grows", "too short")}
    missing = [name for name in TARGETS if name not in courses]
    sentences = (
        ("Still grow, with more than 1 % of their edges in the last half of their time", named["grows"]),
        (f"Had less than {_LEAST_MINUTES:g} CPU-minutes, too few to tell", named["too short"]),
        ("Not fuzzed yet", missing),
    )
    lines = [f"- {words}: {', '.join(names)}." for words, names in sentences if names]
    rest = len(known) - len(named["grows"]) - len(named["too short"])
    return [*lines, f"- On a plateau: {'none yet' if not rest else 'all others' if lines else 'all'}."]


def _row(name: str, course: Course) -> str:
    seeds = f"{min(course.seeds)}–{max(course.seeds)}" if len(course.seeds) > 1 else ", ".join(map(str, course.seeds))
    cells = (
        name,
        seeds,
        f"{course.spent / 60:.1f}",
        f"{sum(course.executions.values()):,}",
        *(f"{course.met_at(share)[0]:,}" for share in _SHARES),
        f"{course.met_at(100)[1]:,}",
        f"{course.quiet_seconds / 60:.1f}",
        f"{100 * course.new_share:.1f} %",
        course.state,
    )
    return f"| {' | '.join(cells)} |"


def _say_failed(courses: Mapping[str, Course]) -> list[str]:
    failed = [f"{name} ({course.failed})" for name, course in courses.items() if course.failed]
    return [f"Sessions that broke off: {', '.join(failed)}.", ""] if failed else []


def _list_commits(courses: Mapping[str, Course]) -> str:
    commits = dict.fromkeys(commit for course in courses.values() for commit in course.commits if commit)
    return ", ".join(commits) or "none"


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
