"""The user's own TOML file, `assay.toml` or `[tool.assay]` in a `pyproject.toml`, and the lines of its entries."""

import re
import tomllib
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
        wanted = (self.prefix + heading).rstrip(".")
        # What belongs to the file as a whole stands before its first heading.
        found, before = (None if wanted else 0), 0
        for number, line in enumerate(self.text.splitlines(), 1):
            opened = _HEADING.fullmatch(line.partition("#")[0].rstrip())
            if opened is not None:
                if found is not None:
                    break
                if opened[1].replace('"', "") == wanted:
                    found, before = (number if before == place else None), before + 1
            elif found is not None and line.partition("=")[0].strip().strip("\"'") == column:
                return number
        return found or None


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
