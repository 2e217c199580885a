"""The user's own TOML file, `assay.toml` or `[tool.assay]` in a `pyproject.toml`, and the lines of its entries."""

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from assay.errors import InputError

SETTINGS: Final = "assay.toml"
PYPROJECT: Final = "pyproject.toml"
_HEADING: Final = re.compile(r"\s*\[+\s*([^]]+?)\s*\]+")


@dataclass(frozen=True, slots=True)
class TomlText:
    """Knows where entries stand, which a parsed table no longer does. Its headings begin with `prefix`."""

    path: str
    text: str
    prefix: str = ""

    def fault(self, message: str, heading: str = "", column: str = "", place: int = 0, *, remedy: str) -> InputError:
        return InputError(message, path=self.path, line=self.find_line(heading, column, place), remedy=remedy)

    def find_line(self, heading: str = "", column: str = "", place: int = 0) -> int | None:
        """The line of a column in the table with this heading, else of the heading. `place` counts equal headings."""
        # What belongs to the file as a whole stands before its first heading.
        table, opened = ("", 0), Counter[str]()
        lines: dict[tuple[tuple[str, int], str], int] = {}
        for number, line in enumerate(self.text.splitlines(), 1):
            if found := _HEADING.fullmatch(line.partition("#")[0].rstrip()):
                name = found[1].replace('"', "")
                table = (name, opened[name])
                opened[name] += 1
                lines[table, ""] = number
            elif line.strip():
                lines.setdefault((table, line.partition("=")[0].strip().strip("\"'")), number)
        wanted = ((self.prefix + heading).rstrip("."), place)
        return lines.get((wanted, column), lines.get((wanted, "")))


def read_settings_file(path: Path) -> tuple[TomlText, Any]:
    """The text and its table, which is None where a `pyproject.toml` has no `[tool.assay]`."""
    try:
        text = path.read_text("utf-8")
        entries: Any = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", path=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        remedy = 'Write `KEY = VALUE` in each line, with texts in quotes: `judge = "embedded"`.'
        raise InputError(f"is not TOML: {error}", path=str(path), remedy=remedy) from None
    if path.name != PYPROJECT:
        return TomlText(str(path), text), entries
    for name in ("tool", "assay"):
        entries = entries.get(name) if isinstance(entries, dict) else None
    return TomlText(str(path), text, "tool.assay."), entries
