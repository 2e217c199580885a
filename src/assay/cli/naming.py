"""Names that work as typed where a command was run: of the command itself, and of a path."""

import os
import shlex
import shutil
import sys
from pathlib import Path

_COMMAND = "assay"


def name_command() -> str:
    """By its path where that lies in the folder one stands in, for `uv run` and make put it on no one's PATH."""
    typed = Path(sys.argv[0])
    if not os.access(typed, os.X_OK) or not typed.is_file():
        return _COMMAND
    near = name_path(typed)
    if not Path(near).is_absolute():
        # A shell looks for a name without a slash on the PATH alone.
        return shlex.quote(near if os.sep in near else os.path.join(os.curdir, near))  # noqa: PTH118  # Path drops the dot
    found = shutil.which(_COMMAND)
    return _COMMAND if found is not None and Path(found).samefile(typed) else shlex.quote(near)


def name_path(path: Path) -> str:
    """From the folder one stands in, where it lies in it. A link keeps its own name, as it was typed."""
    try:
        placed = Path(os.path.abspath(path))  # noqa: PTH100  # resolve() would follow the link
        here = Path.cwd()
    except FileNotFoundError:  # the folder one stands in has been deleted
        return str(path)
    return str(placed.relative_to(here) if placed.is_relative_to(here) else placed)
