"""Every regular expression of the package, as it is compiled: written down, built from parts, or built while reading.

    python -m fuzz.patterns            lists them, and the places in the source that no run has reached

Patterns are caught where they are compiled, in a process of its own that imports all modules and runs every target on
its seeds, so that one built from a metric's name or from a text's characters is caught as well.
"""

import ast
import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import assay

PACKAGE = Path(assay.__file__).parent
_COMPILING = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}
EVERY_WAY = ("search", "match", "fullmatch")
# The commands and the live pages start servers, and the last needs packages that may be absent.
_NOT_IMPORTED = ("assay.serve", "assay.files.parquet")


@dataclass(frozen=True, slots=True, order=True)
class Compiled:
    """A pattern and the place that compiled it, which stands for many patterns where it is built while reading."""

    file: str
    line: int
    pattern: str
    flags: int


def list_places() -> set[tuple[str, int]]:
    """Every call in the source that compiles a pattern, by its file and line."""
    return {
        (str(path.relative_to(PACKAGE)), line) for path in sorted(PACKAGE.rglob("*.py")) for line in _lines_of(path)
    }


def _modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def _lines_of(path: Path) -> Iterator[int]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in _COMPILING and ast.unparse(called.value) == "re":
            yield called.lineno


def find_ways(compiled: Compiled) -> tuple[str, ...]:
    """How the pattern is used, by the calls on the name it was given; in every way where it has no name."""
    source = (PACKAGE / compiled.file).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.lineno <= compiled.line <= (node.end_lineno or 0):
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            texts = [source] if name.startswith("_") else [path.read_text(encoding="utf-8") for path in _modules()]
            called = {way for text in texts for way in re.findall(rf"\b{re.escape(name)}\.(\w+)\(", text)}
            ways = dict.fromkeys("search" if way not in {"match", "fullmatch"} else way for way in sorted(called))
            return tuple(ways) or EVERY_WAY
    return EVERY_WAY


def catch_patterns() -> set[Compiled]:
    """For a fresh process: what was imported before is not caught."""
    caught: set[Compiled] = set()
    engine: Any = re
    compile_plainly: Callable[..., re.Pattern[str]] = engine._compile  # noqa: SLF001 - there is no other hook

    def catch(pattern: Any, flags: Any) -> re.Pattern[str]:
        frame = sys._getframe(1)  # noqa: SLF001 - who compiles is what is asked
        while frame.f_code.co_filename == re.__file__ and frame.f_back is not None:
            frame = frame.f_back
        path = Path(frame.f_code.co_filename)
        if isinstance(pattern, str) and path.is_relative_to(PACKAGE):
            caught.add(Compiled(str(path.relative_to(PACKAGE)), frame.f_lineno, pattern, int(flags)))
        return compile_plainly(pattern, flags)

    engine._compile = catch  # noqa: SLF001 - see above
    try:
        _import_all()
        _run_seeds()
    finally:
        engine._compile = compile_plainly  # noqa: SLF001 - see above
    return caught


def _import_all() -> None:
    for module in pkgutil.walk_packages([str(PACKAGE)], "assay."):
        if not module.name.startswith(_NOT_IMPORTED):
            importlib.import_module(module.name)


def _run_seeds() -> None:
    from fuzz.targets import TARGETS

    for target in TARGETS.values():
        check, seeds = target.load(), target.seeds()
        for seed in seeds[:: max(1, len(seeds) // 6)]:
            check(seed)


if __name__ == "__main__":
    found = sorted(catch_patterns())
    json.dump([asdict(each) for each in found], sys.stdout, indent=1)
    reached = {(each.file, each.line) for each in found}
    unreached = [place for place in sorted(list_places()) if place not in reached]
    sys.stderr.write(f"{len(found)} patterns; not reached: {unreached}\n")
