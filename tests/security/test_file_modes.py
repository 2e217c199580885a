"""What a run keeps and what is written from it is for its owner alone, whatever mode it had before."""

import contextlib
import io
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from assay.cli.main import main
from assay.private_files import make_private, open_private
from assay.store.faults import StoreError
from assay.store.store import Store

RECORD = {"id": "a", "reviews": ["The lamp is bright."], "product_opinion_summary": "Buyers like the bright light."}
REPLY = {"record": "a", "ask": "opinion-relevance", "text": "It covers the light.\nScore- <score>4</score>"}
MASKS = (0o000, 0o022, 0o077)
COMMANDS = (
    (
        "judge",
        "r.jsonl",
        "--rubric",
        "opinion-relevance",
        "--judge",
        "recorded:p.jsonl",
        "--out",
        "out.jsonl",
        "--record",
        "kept.jsonl",
    ),
    ("report", "last", "--html", "r.html", "--markdown", "r.md", "--junit", "r.xml"),
    ("runs", "export", "last", "--to", "r.csv"),
    ("runs", "export", "last", "--to", "export.jsonl"),
    ("runs", "export", "last", "--to", "r.parquet"),
    ("labels", "export", "labels.csv"),
)
WRITTEN = ("out.jsonl", "kept.jsonl", "r.html", "r.md", "r.xml", "r.csv", "export.jsonl", "r.parquet", "labels.csv")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")


def find_modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    made = {mask: tmp_path_factory.mktemp(f"mask-{mask:03o}") for mask in MASKS}
    for folder in made.values():
        (folder / "r.jsonl").write_text(json.dumps(RECORD), encoding="utf-8")
        (folder / "p.jsonl").write_text(json.dumps(REPLY), encoding="utf-8")
    run_commands(list(made.items()))
    return made


def run_commands(folders: list[tuple[int, Path]]) -> None:
    before = os.umask(0)
    try:
        for mask, folder in folders:
            os.umask(mask)
            for arguments in COMMANDS:
                run_command(folder, arguments)
    finally:
        os.umask(before)


def run_command(folder: Path, arguments: Sequence[str]) -> None:
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["assay", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    assert not ended.value.code, said.getvalue()


@pytest.mark.parametrize("mask", MASKS)
def test_the_store_and_all_that_is_written_from_it_are_private(folders: dict[int, Path], mask: int):
    folder = folders[mask]
    store = folder / ".assay" / "assay.db"
    modes = find_modes(folder)
    assert modes[".assay"] == 0o700
    assert {name: modes[name] for name in WRITTEN} == dict.fromkeys(WRITTEN, 0o600)
    assert find_modes(store.parent)["assay.db"] == 0o600
    # While someone writes there are side files, and they hold the same texts.
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("CREATE TABLE planted (words)")
        sides = {name: mode for name, mode in find_modes(store.parent).items() if name.startswith("assay.db-")}
        assert sides == {"assay.db-wal": 0o600, "assay.db-shm": 0o600}


def test_files_that_all_could_read_and_write_are_private_once_they_are_written_again(
    folders: dict[int, Path], tmp_path: Path
):
    folder = shutil.copytree(folders[0], tmp_path / "again")
    for path in (folder / ".assay", *(folder / name for name in WRITTEN)):
        path.chmod(0o777)
    run_commands([(0, folder)])
    modes = find_modes(folder)
    assert {name: modes[name] for name in (".assay", *WRITTEN)} == dict.fromkeys((".assay", *WRITTEN), 0o700)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_that_all_could_read_is_private_once_it_is_opened_and_so_are_its_side_files(
    folders: dict[int, Path], tmp_path: Path, read_only: bool
):
    path = tmp_path / "shared.db"
    shutil.copy(folders[0] / ".assay" / "assay.db", path)
    path.chmod(0o666)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE shared (words)")
        assert set(find_modes(tmp_path).values()) == {0o666}
        with Store(path, read_only=read_only):
            names = ("shared.db", "shared.db-wal", "shared.db-shm")
            assert find_modes(tmp_path) == dict.fromkeys(names, 0o600)


def test_a_file_of_another_program_keeps_its_mode(tmp_path: Path):
    path = tmp_path / "theirs.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (words)")
    path.chmod(0o644)
    for read_only in (False, True):
        with pytest.raises(StoreError):
            Store(path, read_only=read_only)
    assert find_modes(tmp_path) == {"theirs.db": 0o644}


@pytest.mark.skipif(not Path("/proc/self/comm").is_file(), reason="there is no file whose mode can't be changed")
def test_a_file_system_that_can_not_keep_modes_is_no_error():
    fixed = Path("/proc/self/comm")
    with pytest.raises(OSError, match="not permitted"):
        fixed.chmod(0o600)
    make_private(fixed)


def test_a_device_keeps_its_mode():
    before = Path(os.devnull).stat().st_mode
    with open(os.devnull, "w", encoding="utf-8", opener=open_private):
        assert Path(os.devnull).stat().st_mode == before
