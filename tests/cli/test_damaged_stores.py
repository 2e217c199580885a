"""Commands on damaged stores: they give the numbers that were kept, or say what is wrong; nothing is lost in silence."""

# ruff: noqa: S608 - statements of our own

import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from shell import opinion, reply, run, write_lines

pytestmark = pytest.mark.integration

CASES = 240
RECORDS = 12
STORE = "damaged.db"
READING = (
    ("runs", "list"),
    ("runs", "show", "last"),
    ("runs", "export", "last", "--to", "out.csv"),
    ("runs", "export", "last", "--to", "out.jsonl"),
    ("runs", "compare", "last:old", "last:new"),
    ("runs", "rescore", "last"),
    ("report", "last", "--markdown", "-"),
    ("agree", "last", "--format", "json"),
    ("labels", "export", "labels.csv"),
)
TABLES = ("runs", "records", "cards", "bodies", "labels")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of some records, and labels of a person."""
    folder = tmp_path_factory.mktemp("kept")
    path = folder / "kept.db"
    records = [
        opinion(f"r{at}", item=f"i{at // 2}", system=("old", "new")[at % 2], facets={"day": str(at)})
        for at in range(RECORDS)
    ]
    replies = write_lines(folder / "replies.jsonl", [reply(f"r{at}", at % 5 + 1) for at in range(RECORDS)])
    asked = ("judge", write_lines(folder / "records.jsonl", records), "--rubric", "opinion-relevance")
    for _ in range(2):
        assert run(*asked, "--judge", f"recorded:{replies}", "--quiet", "--store", path).code == 0
    lines = [f"r{at},{('old', 'new')[at % 2]},relevance,grade,,Ada,{at % 4 + 1}" for at in range(RECORDS)]
    (folder / "labels.csv").write_text("record,system,metric,part,unit,person,label\n" + "\n".join(lines) + "\n")
    imported = run("labels", "import", folder / "labels.csv", "--run", "last", "--store", path)
    assert imported.code == 0, imported.err
    return path


def read(command: tuple[str, ...]) -> tuple[int | str | None, str, str]:
    """The exit code, everything that was printed or written, and what was said."""
    for name in ("out.csv", "out.jsonl", "labels.csv"):
        Path(name).unlink(missing_ok=True)
    ended = run(*command, "--store", STORE)
    files = [path.read_text() for path in (Path("out.csv"), Path("out.jsonl"), Path("labels.csv")) if path.exists()]
    return ended.code, "\n".join([ended.out, *files]), ended.err


def flip_bytes(chance: random.Random) -> None:
    content = bytearray(Path(STORE).read_bytes())
    for _ in range(chance.choice((1, 1, 4, 32))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    Path(STORE).write_bytes(content)


def overwrite_page(chance: random.Random) -> None:
    content = bytearray(Path(STORE).read_bytes())
    at = 4096 * chance.randrange(len(content) // 4096)
    content[at : at + 4096] = chance.choice((bytes(4096), chance.randbytes(4096), bytes(content[:4096])))
    Path(STORE).write_bytes(content)


def truncate(chance: random.Random) -> None:
    content = Path(STORE).read_bytes()
    Path(STORE).write_bytes(content[: chance.randrange(1, len(content))])


def change(statement: str, *values: object) -> None:
    with closing(sqlite3.connect(STORE)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(statement, values)


def drop_table(chance: random.Random) -> None:
    change(f"DROP TABLE {chance.choice(TABLES)}")


def drop_row(chance: random.Random) -> None:
    table = chance.choice(TABLES)
    key = pick_row(table, chance)
    change(f"DELETE FROM {table} WHERE {key}")


def change_cell(chance: random.Random) -> None:
    table = chance.choice(TABLES)
    with closing(sqlite3.connect(STORE)) as connection:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    value = chance.choice((0, 1, 7, -3, 2.5, "x", b"\xff\xfe", None))
    change(f"UPDATE OR IGNORE {table} SET {chance.choice(columns)} = ? WHERE {pick_row(table, chance)}", value)


def swap_cells(chance: random.Random) -> None:
    """A whole and readable value in the place of another."""
    table, column = chance.choice(
        (("bodies", "body"), ("records", "body"), ("cards", "flags"), ("scores", "goodness"), ("cards", "record"))
    )
    other = f"SELECT {column} FROM {table} ORDER BY 1 LIMIT 1 OFFSET {chance.randrange(RECORDS)}"
    change(f"UPDATE {table} SET {column} = ({other}) WHERE {pick_row(table, chance)}")


def pick_row(table: str, chance: random.Random) -> str:
    """A condition that one row meets."""
    with closing(sqlite3.connect(STORE)) as connection:
        rows = connection.execute(f"SELECT rowid FROM {table} ORDER BY rowid").fetchall()
        return f"rowid = {chance.choice(rows)[0]}"


DAMAGES: tuple[Callable[[random.Random], None], ...] = (
    *(flip_bytes, flip_bytes, overwrite_page, truncate, drop_table, drop_row, change_cell, swap_cells),
)


def try_damage(kept: Path, seed: int, sound: dict[tuple[str, ...], str]) -> None:
    chance = random.Random(seed)
    shutil.copy(kept, STORE)
    damage = chance.choice(DAMAGES)
    try:
        damage(chance)
    except sqlite3.Error:
        return  # a constraint of the table keeps this damage out
    command = chance.choice(READING)
    code, out, said = read(command)
    told = f"seed {seed}, {damage.__name__}, {' '.join(command)}: exit {code}\n{said}"
    assert "Traceback" not in said, told
    assert code in {0, 2}, told
    if code == 0:
        assert out == sound[command], told
    else:
        assert "assay: " in said, told
    for name in ("-wal", "-shm", "-journal"):
        Path(STORE + name).unlink(missing_ok=True)


@pytest.fixture
def sound(kept: Path) -> dict[tuple[str, ...], str]:
    """What each command gives on the store as it was kept."""
    shutil.copy(kept, STORE)
    found = {command: read(command) for command in READING}
    assert {code for code, _, _ in found.values()} == {0}
    return {command: out for command, (_, out, _) in found.items()}


def test_a_damaged_store_gives_what_was_kept_or_an_error_and_never_less(kept, sound):
    for seed in range(CASES):
        try_damage(kept, seed, sound)


@pytest.mark.parametrize(
    "lost",
    [
        "bodies WHERE card = 20",
        "records WHERE number = 4",
        "cards WHERE number = 20",
        "labels WHERE number = 5",
    ],
)
@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_every_command_that_reads_a_run_says_that_one_of_its_rows_is_lost(kept, lost, command):
    shutil.copy(kept, STORE)
    change(f"DELETE FROM {lost}")
    code, _, said = read(command)
    assert code == 2
    assert re.search(r"run \S+ is damaged: \d+ of its \d+ [\w ]+ are there", said)
