"""Attacks every regular expression of the package, and writes down what came of it."""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from time import process_time

from fuzz.patterns import Compiled, catch_patterns, list_places, read_unreached
from fuzz.pumping import Suspect, pump
from fuzz.uses import KNOWN, find_use

RESULTS = Path(__file__).resolve().parents[1] / "bench" / "results" / "patterns.md"
_SHOWN = 70
_INTRODUCTION = """\
# Regular expressions

Written by `make fuzz-patterns`. Every pattern of the package is attacked: for each of its repetitions, a text that
leads to it, then 3,000 characters of what it repeats, then a character that fits nothing. Where that takes more than
12 ms of CPU time, four times the text must not cost more than nine times as much; a pattern that grows with the square
of its text costs sixteen times. A pattern that only ever sees a few characters is tried on as many as it sees, and must
stay under the 12 ms there.
"""


def scan() -> str:
    """For a fresh process, since patterns are caught as they are compiled."""
    began = process_time()
    caught = catch_patterns()
    patterns = sorted(caught | read_unreached(caught))
    suspects = {each: pump(re.compile(each.pattern, each.flags), find_use(each)) for each in patterns}
    return render(suspects, list_places(), process_time() - began)


def render(suspects: Mapping[Compiled, Suspect | None], places: Collection[tuple[str, int]], seconds: float) -> str:
    tried = {(each.file, each.line) for each in suspects}
    missing = sorted(place for place in places if place not in tried)
    found = {each: suspect for each, suspect in suspects.items() if suspect is not None}
    stale = [key for key in KNOWN if not any((each.file, each.pattern[: len(key[1])]) == key for each in suspects)]
    lines = [
        _INTRODUCTION,
        f"{len(suspects):,} patterns, from {len(places) - len(missing)} of the {len(places)} places that compile one.",
        f"The scan took {seconds / 60:.1f} CPU-minutes.",
        "",
        "## Grow faster than their text",
        "",
        *(_render_found(found) if found else ["None."]),
        "",
        "## Only ever see a few characters",
        "",
        "| file | pattern | characters | which |",
        "|---|---|--:|---|",
        *(
            f"| {file} | {_code(beginning + '…')} | {use.most} | {use.why} |"
            for (file, beginning), use in KNOWN.items()
            if use.most is not None
        ),
        "",
        "## Not tried",
        "",
        *([f"- {file}, line {line}: built from what is read there" for file, line in missing] or ["None."]),
        *(f"- {file}: no pattern begins with {_code(beginning)} any more" for file, beginning in stale),
    ]
    return "\n".join(lines) + "\n"


def _render_found(found: Mapping[Compiled, Suspect]) -> Sequence[str]:
    rows = (
        f"| {each.file}:{each.line} | {_code(each.pattern)} | {suspect.way} | {_code(suspect.opening)} |"
        f" {_code(suspect.piece)} | {suspect.seconds:.3f} | {_say_growth(suspect.growth)} |"
        for each, suspect in found.items()
    )
    return (
        "| place | pattern | used by | after | repeated | seconds | four times the text |",
        "|---|---|---|---|---|--:|--:|",
        *rows,
    )


def _say_growth(growth: float | None) -> str:
    return "" if growth is None else f"× {growth:.0f}" if growth < 1000 else "did not end"


def _code(text: str) -> str:
    """In Markdown's own quotes, on one line of a table."""
    shown = ascii(text[:_SHOWN])[1:-1].replace("|", "\\|").replace("`", "'")
    return f"`{shown or ' '}`"
