"""Commands that only look at a store: they make none, and read what an older Assay left."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from shell import opinion, reply, run, write_lines

STORE = Path(".assay/assay.db")
UNUSED_USER = 65534
LOOKING = [
    ("runs", "list"),
    ("runs", "show", "last"),
    ("runs", "compare", "last", "last"),
    ("runs", "export", "last", "--to", "results.csv"),
    ("runs", "rescore", "last"),
    ("report", "last", "--markdown", "-"),
    ("agree", "last", "--labels", "labels.csv"),
    ("labels", "export", "out.csv"),
]


@pytest.fixture
def _old_store() -> None:
    """A run in a file as the first layout had it."""
    records = write_lines(Path("r.jsonl"), [opinion("a"), opinion("b")])
    replies = write_lines(Path("replies.jsonl"), [reply("a"), reply("b", 2)])
    asked = ("--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--quiet")
    assert run("judge", records, *asked).code == 0
    table = "record,metric,person,score\na,relevance,Ada,4\nb,relevance,Ada,2\n"
    Path("labels.csv").write_text(table, encoding="utf-8")
    with closing(sqlite3.connect(STORE, isolation_level=None)) as connection:
        for table in ("entries", "marks", "entry_flags", "entry_facets", "texts", "labels"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("PRAGMA user_version = 1")


def read_layout(path: Path) -> int:
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


@contextmanager
def kept_out_by_modes() -> Iterator[None]:
    """Modes do not keep root out: where tests run as root, what is inside runs as nobody."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(UNUSED_USER)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.parametrize("command", LOOKING, ids=" ".join)
@pytest.mark.usefixtures("_old_store")
def test_whoever_looks_at_the_file_of_an_older_assay_brings_it_up_to_date(command):
    ended = run(*command)
    assert ended.code == 0, ended.err
    assert read_layout(STORE) > 1


@pytest.mark.usefixtures("_old_store")
def test_a_dry_run_finds_the_banks_of_a_run_that_an_older_assay_kept():
    with closing(sqlite3.connect(STORE)) as connection:
        ((name,),) = connection.execute("SELECT id FROM runs").fetchall()
    ended = run("judge", "r.jsonl", "--rubric", "opinion-relevance", "--dry-run", "--bank", name)
    assert ended.code == 0, ended.err
    assert read_layout(STORE) > 1


@pytest.mark.usefixtures("_old_store")
def test_an_old_file_that_is_read_only_is_said_to_be_both():
    # Not pytest's own folder: nobody but its owner can enter that one.
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.db"
        path.write_bytes(STORE.read_bytes())
        path.chmod(0o444)
        path.parent.chmod(0o555)
        with kept_out_by_modes():
            ended = run("runs", "list", "--store", path)
        path.parent.chmod(0o755)
        assert read_layout(path) == 1
    assert ended.code == 2
    assert "written by an older Assay and can't be brought up to date" in ended.err
    assert "read-only" in ended.err
    assert "Make both writable" in ended.err


@pytest.mark.parametrize("command", [*LOOKING, ("runs", "delete", "last")], ids=" ".join)
@pytest.mark.parametrize("content", [None, b""], ids=["no file", "an empty file"])
def test_looking_makes_no_store(command, content):
    path = Path("a.db")
    if content is not None:
        path.write_bytes(content)
    ended = run(*command, "--store", path)
    assert ended.code == 2
    assert "a.db: there is no store" in ended.err
    assert (path.read_bytes() if path.exists() else None) == content
    assert not STORE.exists()
