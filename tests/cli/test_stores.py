"""Commands that only look at a store: they make none, and refuse what an older Assay left."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from shell import run

STORE = Path(".assay/assay.db")
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


@pytest.mark.parametrize("command", LOOKING, ids=" ".join)
def test_the_file_of_an_older_assay_is_refused_by_name_and_left_as_it_is(command):
    with closing(sqlite3.connect("old.db")) as connection:
        connection.execute("CREATE TABLE runs (id TEXT)")
        connection.execute("PRAGMA application_id = 0x61737361")
        connection.execute("PRAGMA user_version = 3")
    before = Path("old.db").read_bytes()
    ended = run(*command, "--store", "old.db")
    assert ended.code == 2
    assert "old.db: the store was written by an older version of Assay" in ended.err
    assert "give --store another path" in ended.err
    assert Path("old.db").read_bytes() == before


@pytest.mark.parametrize("command", [*LOOKING, ("runs", "delete", "last"), ("view",), ("label", "last")], ids=" ".join)
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
