"""Sessions of pytest in folders of their own, with the plugin loaded by its entry point."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def session(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder in which the entry points of pyproject.toml are installed, whatever the environment has."""
    named = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    folder = pytester.mkdir("assay_judge-0.dist-info")
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: assay-judge\nVersion: 0\n")
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in each.items()) for group, each in named.items()
    ]
    (folder / "entry_points.txt").write_text("".join(lines))
    return pytester
