"""What a run keeps is for its owner alone; what is asked for as a file obeys the user's own mask."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

RECORD = {"id": "a", "reviews": ["The lamp is bright."], "product_opinion_summary": "Buyers like the bright light."}
REPLY = {"record": "a", "ask": "opinion-relevance", "text": "It covers the light.\nScore- <score>4</score>"}
# One process for all masks: what a command costs is mostly its start.
PROGRAM = """
import os
import sys
from assay.cli.main import main
for mask, folder in {folders!r}:
    os.chdir(folder)
    os.umask(mask)
    for arguments in {commands!r}:
        sys.argv = ["assay", *arguments]
        try:
            main()
        except SystemExit as ended:
            if ended.code:
                raise
"""
MASKS = (0o000, 0o022, 0o077)
COMMANDS = (
    ("judge", "r.jsonl", "--rubric", "opinion-relevance", "--judge", "recorded:p.jsonl", "--out", "out.jsonl"),
    ("report", "last", "--html", "r.html", "--markdown", "r.md", "--junit", "r.xml"),
    ("runs", "export", "last", "--to", "r.csv"),
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")


def find_modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    made = {mask: tmp_path_factory.mktemp(f"mask-{mask:03o}") for mask in MASKS}
    for folder in made.values():
        (folder / "r.jsonl").write_text(json.dumps(RECORD), encoding="utf-8")
        (folder / "p.jsonl").write_text(json.dumps(REPLY), encoding="utf-8")
    program = PROGRAM.format(commands=COMMANDS, folders=[(mask, str(folder)) for mask, folder in made.items()])
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    return made


@pytest.mark.parametrize("mask", MASKS)
def test_the_store_is_private_and_reports_obey_the_mask(folders: dict[int, Path], mask: int):
    folder = folders[mask]
    store = folder / ".assay" / "assay.db"
    modes = find_modes(folder)
    assert modes[".assay"] == 0o700
    for name in ("out.jsonl", "r.html", "r.md", "r.xml", "r.csv"):
        assert modes[name] == 0o666 & ~mask, name
    assert find_modes(store.parent)["assay.db"] == 0o600
    # While someone writes there are side files, and they hold the same texts.
    connection = sqlite3.connect(store)
    try:
        connection.execute("CREATE TABLE planted (words)")
        sides = {name: mode for name, mode in find_modes(store.parent).items() if name.startswith("assay.db-")}
        assert sides == {"assay.db-wal": 0o600, "assay.db-shm": 0o600}
    finally:
        connection.close()
