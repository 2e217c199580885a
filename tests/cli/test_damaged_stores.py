"""Commands on damaged stores: they give the numbers that were kept, or say what is wrong; nothing is lost in silence."""

# ruff: noqa: S608 - statements of our own

import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from shell import run, write_lines

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
TABLES = ("runs", "records", "cards", "scores", "units", "labels")


POINTS = ("The lamp is bright", "The arm sags", "Buyers like the light")
OUTPUT = f"{POINTS[2]}. Some say the arm sags."


def write_reply(at: int) -> str:
    """A whole reply with units and labels of its own, and a grade."""
    covered = [("Fully", "Partial", "Not")[(at + place) % 3] for place in range(3)]
    sections = [{"section": each, "relevance": "High"} for each in (POINTS[2], "Some say the arm sags")]
    said = (
        ("coverage", {"key_points": [{"point": p, "coverage": c} for p, c in zip(POINTS, covered, strict=True)]}),
        ("alignment", {"aspects": {"tone": "dry"}, "deviations": [], "overall_score": at % 5 + 1}),
        ("hallucination", {"claims_checked": [{"claim": POINTS[2], "status": "Supported"}]}),
        ("relevance", {"article_theme": "a lamp", "summary_sections": sections}),
        ("bias_toxicity", {"tone": "neutral", "issues_found": [], "bias_score": 9, "tox_score": 10}),
    )
    return "\n".join(json.dumps({"metric": name, **each, "rationale": "looked"}) for name, each in said)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of some records, and labels of a person."""
    folder = tmp_path_factory.mktemp("kept")
    path, article = folder / "kept.db", ". ".join(POINTS)
    records = [
        {"id": f"r{at}", "article": article, "summary": OUTPUT, "item": f"i{at // 2}", "system": ("old", "new")[at % 2],
         "facets": {"day": str(at)}}
        for at in range(RECORDS)
    ]  # fmt: skip
    replies = [
        {"record": f"r{at}", "ask": "article-audit", "sample": 0, "text": write_reply(at)} for at in range(RECORDS)
    ]
    asked = ("judge", write_lines(folder / "records.jsonl", records), "--rubric", "article-audit")
    for _ in range(2):
        judge = f"recorded:{write_lines(folder / 'replies.jsonl', replies)}"
        assert run(*asked, "--judge", judge, "--quiet", "--store", path).code == 0
    lines = [f"r{at},{('old', 'new')[at % 2]},alignment,grade,,Ada,{at % 4 + 1}" for at in range(RECORDS)]
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
        (
            *(("records", "body"), ("cards", "flags"), ("cards", "details"), ("cards", "record")),
            *(("scores", "goodness"), ("scores", "details"), ("units", "text"), ("labels", "label")),
        )
    )
    other = f"SELECT {column} FROM {table} ORDER BY 1 LIMIT 1 OFFSET {chance.randrange(RECORDS)}"
    change(f"UPDATE {table} SET {column} = ({other}) WHERE {pick_row(table, chance)}")


def pick_row(table: str, chance: random.Random) -> str:
    """A condition that one row meets, or none where the table is empty."""
    with closing(sqlite3.connect(STORE)) as connection:
        key = "card * 1000 + place" if table in {"scores", "units"} else "rowid"
        rows = connection.execute(f"SELECT {key} FROM {table} ORDER BY 1").fetchall()
        return f"{key} = {chance.choice(rows or [(0,)])[0]}"


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
        "records WHERE number = 4",
        "cards WHERE number = 20",
        "labels WHERE number = (SELECT max(number) FROM labels WHERE is_person)",
        "scores WHERE card = 20 AND metric = 'alignment'",
        "units WHERE card = 20 AND place = 1",
        "labels WHERE number = (SELECT max(number) FROM labels WHERE card = 20 AND NOT is_person)",
    ],
)
@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_every_command_that_reads_a_run_says_that_one_of_its_rows_is_lost(kept, lost, command):
    shutil.copy(kept, STORE)
    change(f"DELETE FROM {lost}")
    code, _, said = read(command)
    assert code == 2
    assert re.search(r"run \S+ is damaged: \d+ of its \d+ [\w ]+ are there", said)
