"""Counts the functions of src/assay that one record runs through, from the command line to its result.

python bench/trace.py              prints the figure, by package
python bench/trace.py --all        also lists every function
"""
# ruff: noqa: A005  # named by what it does; run as a script, it hides no module

import inspect
import os
import sys
import tempfile
import threading
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from importlib.resources import as_file
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType
from typing import Self

import assay
from assay.cli.main import main as run_assay
from assay.packs import list_packs

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from equipment.chat_server.server import ScriptedServer, run_in_thread

RUBRIC = "article-audit"
CORE = Path(assay.__file__).parent
# Expressions that are functions to the interpreter alone.
_EXPRESSIONS = frozenset({"<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>", "<lambda>"})


class Tracer:
    """Collects the code of every function that is called, in every thread, but not while a module is imported."""

    def __init__(self) -> None:
        self.calls: Counter[CodeType] = Counter()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and not _is_importing(frame):
            self.calls[frame.f_code] += 1

    def __enter__(self) -> Self:
        threading.setprofile(self)
        sys.setprofile(self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def list_functions(self) -> Counter[tuple[Path, str, int]]:
        """File, name and line of the core's functions; without class bodies and expressions."""
        found: Counter[tuple[Path, str, int]] = Counter()
        for code, count in self.calls.items():
            path = Path(code.co_filename)
            is_function = bool(code.co_flags & inspect.CO_NEWLOCALS) and code.co_name not in _EXPRESSIONS
            if is_function and path.is_relative_to(CORE):
                found[path.relative_to(CORE), code.co_qualname, code.co_firstlineno] += count
        return found


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
            return True
        frame = frame.f_back
    return False


def judge_once(arguments: list[str]) -> None:
    """One run of the command, in this process, with its output kept away."""
    said = StringIO()
    os.environ["OPENAI_API_KEY"] = "scripted"
    sys.argv = ["assay", *arguments]
    with redirect_stdout(said), redirect_stderr(said):
        try:
            code = run_assay()
        except SystemExit as end:
            code = end.code
    if code:
        sys.exit(f"assay {' '.join(arguments)} ended with {code}:\n{said.getvalue()}")


def trace() -> Counter[tuple[Path, str, int]]:
    with (
        run_in_thread(ScriptedServer()) as server,
        as_file(list_packs()[RUBRIC].folder / "examples.jsonl") as examples,
        tempfile.TemporaryDirectory() as folder,
        Tracer() as tracer,
    ):
        judge = f"openai:x@{server.base_url}"
        arguments = ["judge", str(examples), "--limit", "1", "--rubric", RUBRIC, "--judge", judge]
        judge_once([*arguments, "--store", f"{folder}/assay.db"])
    return tracer.list_functions()


def main() -> None:
    lists_all = "--all" in sys.argv[1:]
    found = trace()
    files = {path for path, _, _ in found}
    functions, modules = Counter(path.parts[0] for path, _, _ in found), Counter(path.parts[0] for path in files)
    for package, count in functions.most_common():
        print(f"{package:20} {count:4} functions in {modules[package]:3} files")
    print(f"{'all':20} {len(found):4} functions in {len(files):3} files, {found.total():,} calls")
    if lists_all:
        for (path, name, line), calls in sorted(found.items()):
            print(f"{path}:{line} {name} {calls}")


if __name__ == "__main__":
    main()
