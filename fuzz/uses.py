"""How the package uses each of its patterns: by which call, and on a text of which length at most."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fuzz.patterns import PACKAGE, Compiled

EVERY_WAY = ("search", "match", "fullmatch")
_CALLED_AT_ONCE = tuple(f"re.{way}" for way in EVERY_WAY)


@dataclass(frozen=True, slots=True)
class Use:
    """`most` is how many characters the pattern ever sees; None where a text may have any length."""

    ways: tuple[str, ...]
    most: int | None = None
    why: str = ""


# By file and the beginning of the pattern. What the source beside a pattern does not show.
KNOWN: Mapping[tuple[str, str], Use] = {
    ("checks/conflicts/reading.py", "(?:^|[.!?:;|\\n"): Use(("search",), 4, "the characters before a word"),
    ("replies/tags.py", "[\\s\\-–—*•#>|(]*"): Use(("fullmatch",), 200, "the characters before a tag"),
    ("replies/tags.py", "[\\s*)\\]]*"): Use(("match",), 200, "the characters after a tag"),
    ("replies/tags.py", "\\w{2,}\\W+\\w{2,}"): Use(("search",), 200, "the characters before a tag"),
    ("text/quantities.py", "(?P<word>[^\\W\\d_]"): Use(("search",), 40, "the characters before a number"),
    ("text/quantities.py", "(?:^|[.!?:;|\\n"): Use(("search",), 40, "the characters before a number"),
    ("text/wording.py", "[.!?:;。•]"): Use(("search",), 6, "the characters before a word"),
}


def find_use(compiled: Compiled) -> Use:
    """By the table, or by the calls on the name that the pattern was given; in every way where it has no name."""
    for (file, beginning), use in KNOWN.items():
        if compiled.file == file and compiled.pattern.startswith(beginning):
            return use
    return Use(tuple(_find_called(compiled)) or EVERY_WAY)


def _find_called(compiled: Compiled) -> Iterator[str]:
    source = (PACKAGE / compiled.file).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and node.lineno == compiled.line and ast.unparse(node.func) in _CALLED_AT_ONCE:
            yield ast.unparse(node.func).removeprefix("re.")
            return
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.lineno <= compiled.line <= (node.end_lineno or 0):
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            texts = [source] if name.startswith("_") else [path.read_text(encoding="utf-8") for path in _modules()]
            # A table of patterns is used by its entries.
            call = rf"\b{re.escape(name)}(?:\[[^\]]*\])?\.(\w+)\("
            called = {way for text in texts for way in re.findall(call, text)} - {"get", "items", "values"}
            yield from dict.fromkeys("search" if way not in {"match", "fullmatch"} else way for way in sorted(called))
            return


def _modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))
