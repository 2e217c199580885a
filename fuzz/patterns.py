"""Every regular expression of the package, as it is compiled: written down, built from parts, or built while reading.

    python -m fuzz.patterns            lists them, and the places in the source that no run has reached

Patterns are caught where they are compiled, in a process of its own that imports all modules and runs every target on
its seeds, so that one built from a metric's name or from a text's characters is caught as well. A call that no seed
reaches is read from the source, where its pattern is written there or has a name.
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
from types import ModuleType
from typing import Any, cast

import assay

PACKAGE = Path(assay.__file__).parent
_COMPILING = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}


@dataclass(frozen=True, slots=True, order=True)
class Compiled:
    """A pattern and the place that compiled it, which stands for many patterns where it is built while reading."""

    file: str
    line: int
    pattern: str
    flags: int


def list_places() -> set[tuple[str, int]]:
    """Every call in the source that compiles a pattern, by its file and line."""
    return {(file, call.lineno) for file, call in _list_calls()}


def _list_calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr in _COMPILING and ast.unparse(called.value) == "re":
                yield str(path.relative_to(PACKAGE)), cast("ast.Call", node)


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


def read_unreached(caught: set[Compiled]) -> set[Compiled]:
    """The patterns of calls that nothing has run, where their module alone knows what they are written with."""
    reached = {(each.file, each.line) for each in caught}
    found = (
        _evaluate(file, call, sys.modules["assay." + file.removesuffix(".py").replace("/", ".")])
        for file, call in _list_calls()
        if (file, call.lineno) not in reached
    )
    return {each for each in found if each is not None}


def _evaluate(file: str, call: ast.Call, module: ModuleType) -> Compiled | None:
    further = (*call.args[1:], *(keyword.value for keyword in call.keywords))
    flags = next((each for each in further if ast.unparse(each).startswith("re.")), ast.Constant(0))
    try:
        pattern, flag = (eval(ast.unparse(each), dict(vars(module))) for each in (call.args[0], flags))  # noqa: S307 - our own source
    except NameError:
        return None
    return Compiled(file, call.lineno, pattern, int(flag)) if isinstance(pattern, str) else None


def _import_all() -> None:
    for module in pkgutil.walk_packages([str(PACKAGE)], "assay."):
        importlib.import_module(module.name)


def _run_seeds() -> None:
    from fuzz.targets import TARGETS

    for target in TARGETS.values():
        check, seeds = target.load(), target.seeds()
        for seed in seeds[:: max(1, len(seeds) // 6)]:
            check(seed)


if __name__ == "__main__":
    caught = catch_patterns()
    found = sorted(caught | read_unreached(caught))
    json.dump([asdict(each) for each in found], sys.stdout, indent=1)
    reached = {(each.file, each.line) for each in found}
    unreached = [place for place in sorted(list_places()) if place not in reached]
    sys.stderr.write(f"{len(found)} patterns; not reached: {unreached}\n")
