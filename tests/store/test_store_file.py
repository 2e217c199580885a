"""What a store in a file must do beyond the contract: whose file it is, who may read it, and what goes wrong."""

import asyncio
import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from kept_cards import RUBRIC, build_card, build_record, build_run

from assay.models.chat import CallKey, Completion
from assay.store.codec import dump_json, load_json, pack_bytes, unpack_bytes
from assay.store.faults import DamagedError, StoreError
from assay.store.labels import PersonLabel
from assay.store.runs import RunUsage
from assay.store.store import Store

UNUSED_USER = 65534


def add(store: Store, number: int, text: str = "Green tea has caffeine.") -> None:
    store.add_record("run-1", number, build_card(build_record(number, text)))


def fill(path: Path, count: int = 3) -> None:
    with Store(path) as store:
        store.begin_run(build_run())
        for number in range(count):
            add(store, number)


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_folder_and_its_files_are_for_the_owner_alone_and_git_sees_none_of_them(tmp_path):
    path = tmp_path / "deep" / ".assay" / "assay.db"
    with Store(path) as store:
        store.begin_run(build_run())
        names = {entry.name: mode_of(entry) for entry in path.parent.iterdir()}
    assert mode_of(path.parent) == 0o700
    assert (path.parent / ".gitignore").read_text() == "*\n"
    assert {name: mode for name, mode in names.items() if name != ".gitignore"} == {
        "assay.db": 0o600,
        "assay.db-wal": 0o600,
        "assay.db-shm": 0o600,
    }


def test_a_folder_of_the_users_own_is_left_as_it_is(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir(mode=0o755)
    with Store(folder / "judged.db"):
        assert mode_of(folder / "judged.db") == 0o600
    assert mode_of(folder) == 0o755
    assert not (folder / ".gitignore").exists()


@pytest.mark.parametrize("name", ["odd ?#%20 name.db", "naïve tea.db"])
def test_a_path_may_hold_any_character(tmp_path, name):
    fill(tmp_path / name)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("content", [b"not a database at all, but long enough" * 40, b"PK\x03\x04"])
def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path, content, read_only):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"not an Assay store.*--store"):
        Store(path, read_only=read_only)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE teas (name)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not an Assay store"):
        Store(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["other.db"]


@pytest.mark.parametrize(("layout", "words"), [(99, "a newer"), (3, "an older")])
@pytest.mark.parametrize("read_only", [True, False])
def test_a_store_of_another_version_is_refused_by_its_number_and_left_alone(tmp_path, read_only, layout, words):
    fill(tmp_path / "a.db")
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute(f"PRAGMA user_version = {layout}")
    connection.close()
    before = (tmp_path / "a.db").read_bytes()
    with pytest.raises(
        StoreError, match=rf"{words} version of Assay \(layout {layout}; this version uses \d+\)"
    ) as told:
        Store(tmp_path / "a.db", read_only=read_only)
    assert str(tmp_path / "a.db") in str(told.value)
    assert "--store another path" in str(told.value)
    assert (tmp_path / "a.db").read_bytes() == before


def test_a_store_opened_by_many_at_once_is_made_once(tmp_path):
    failures: list[BaseException] = []

    def open_it() -> None:
        try:
            Store(tmp_path / "s" / "a.db").close()
        except StoreError as error:
            failures.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path):
    with pytest.raises(StoreError, match="not a file"):
        Store(tmp_path)


def test_a_path_below_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="can't be created here"):
        Store(tmp_path / "file" / "assay.db")


def test_reading_makes_no_store_where_there_is_none(tmp_path):
    with pytest.raises(StoreError, match="there is no store"):
        Store(tmp_path / "a.db", read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_store_open_for_reading_shows_all_and_takes_nothing(tmp_path):
    fill(tmp_path / "a.db")
    with Store(tmp_path / "a.db", read_only=True) as store:
        assert store.count("run-1") == 3
        with pytest.raises(StoreError, match="reading only"):
            store.begin_run(build_run("run-2"))


def test_a_damaged_store_is_said_to_be_one(tmp_path):
    path = tmp_path / "a.db"
    fill(path, 300)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xaa" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"), Store(path, read_only=True) as store:
        store.runs()


@pytest.mark.parametrize(
    ("damage", "words", "remedy"),
    [
        ("runs SET body = x'7a00'", "a stored run run-1 can't", "delete it with `assay runs delete RUN`"),
        ("runs SET finished = 'noon'", "a stored run run-1 can't", "delete it with `assay runs delete RUN`"),
        ("runs SET picodollars = 0.5", "a stored run run-1 can't", "delete it with `assay runs delete RUN`"),
        ("cards SET details = '{}'", "a stored card of run run-1 can't", "delete it with `assay runs delete RUN`"),
        ("scores SET units = 5", "a stored card of run run-1 can't", "delete it with `assay runs delete RUN`"),
        ("units SET text = 'x'", "a stored card of run run-1 can't", "delete it with `assay runs delete RUN`"),
        ("labels SET note = 'x' WHERE NOT is_person", "a stored card of run run-1 can't", "`assay runs delete RUN`"),
        ("replies SET body = x'7a00'", "a stored reply can't", "Judge again with --no-cache"),
        (
            "labels SET moment = 'noon' WHERE is_person",
            "a stored label of 'r0' by 'Ada' can't",
            "`assay labels import FILE`",
        ),
    ],
)
def test_what_is_damaged_is_named_with_a_remedy_that_can_be_followed(tmp_path, damage, words, remedy):
    path = tmp_path / "a.db"
    fill(path, 1)
    label = PersonLabel("r0", None, "support", "claim", "c1", "Ada", "absent")
    with Store(path) as store:
        store.put_reply("k", Completion("Yes.", "stop", None, "m"), "run-1", CallKey("r0", "support"))
        store.add_usage("run-1", RunUsage(1))
        store.labels.put("run-1", [label])
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE {damage}")
    connection.close()
    with Store(path) as store:
        with pytest.raises(DamagedError, match=words) as caught:
            look_at_everything(store)
        assert remedy in str(caught.value)
        store.labels.put("run-1", [label])
        assert store.labels.all("run-1") == (label,)
        assert store.run_ids() == ("run-1",)
        store.delete_run("run-1")
        assert store.runs() == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [("judges", [1]), ("record_count", "many"), ("parameters", 5), ("rubric_text", None)],
)
def test_a_run_with_a_field_of_another_kind_is_damaged(tmp_path, field, value):
    path = tmp_path / "a.db"
    fill(path, 1)
    with sqlite3.connect(path) as connection:
        ((body,),) = connection.execute("SELECT body FROM runs").fetchall()
        content = {**load_json(unpack_bytes(body)), field: value}
        connection.execute("UPDATE runs SET body = ?", (pack_bytes(dump_json(content)),))
    connection.close()
    with Store(path) as store:
        with pytest.raises(DamagedError, match="a stored run run-1 can't"):
            store.find_run("run-1")
        store.delete_run("run-1")


def look_at_everything(store: Store) -> None:
    store.find_run("run-1")
    store.usage("run-1")
    list(store.cards("run-1", RUBRIC))
    store.get_reply("k")
    store.labels.all("run-1")


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


def test_a_read_only_folder_is_said_to_be_one_and_what_is_there_can_be_read():
    # Not pytest's own folder: nobody but its owner can enter that one.
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.db"
        fill(path, 2)
        path.chmod(0o444)
        path.parent.chmod(0o555)
        with kept_out_by_modes():
            with Store(path, read_only=True) as store:
                assert store.count("run-1") == 2
            with pytest.raises(StoreError, match=r"read-only.*--store a writable path"):
                Store(path)
            for new in (path.with_name("new.db"), path.parent / "folder" / "new.db"):
                with pytest.raises(
                    StoreError, match=r"can't be created here \(Permission denied\).*--store a writable path"
                ):
                    Store(new)
        path.parent.chmod(0o755)


def limit_pages(store: Store, pages: int) -> None:
    """SQLite then says that the disk is full, in the very words it has for that."""
    store._connections[0].execute(f"PRAGMA max_page_count = {pages}").fetchall()


def test_a_full_disk_stops_the_run_keeps_what_was_committed_and_loses_nothing_once_there_is_space(tmp_path):
    store = Store(tmp_path / "a.db")
    store.begin_run(build_run())
    add(store, 0)
    store.flush()
    limit_pages(store, 1)
    text = os.urandom(50_000).hex()
    add(store, 1, text)
    with pytest.raises(StoreError, match=r"disk is full.*--resume"):
        store.flush()
    assert store.count("run-1") == 1
    with pytest.raises(StoreError, match="disk is full"):
        add(store, 2)
    with pytest.raises(StoreError, match="disk is full"):
        asyncio.run(store.committed())
    limit_pages(store, 100_000)
    store.flush()
    assert [each.position for each in store.list_judged("run-1")] == [0, 1, 2]
    store.close()


def test_whoever_awaits_a_commit_that_fails_is_told(tmp_path):
    store = Store(tmp_path / "a.db")
    store.begin_run(build_run())
    limit_pages(store, 1)

    async def write() -> None:
        add(store, 0, os.urandom(50_000).hex())
        await store.committed()

    with pytest.raises(StoreError, match="disk is full"):
        asyncio.run(write())
    with pytest.raises(StoreError, match="disk is full"):
        store.close()
    with Store(tmp_path / "a.db") as store:
        assert store.count("run-1") == 0


def test_a_writer_that_breaks_down_leaves_nobody_waiting(tmp_path, monkeypatch):
    monkeypatch.setattr("threading.excepthook", lambda _: None)
    store = Store(tmp_path / "a.db")
    store.begin_run(build_run())
    store.add("run-1", lambda _connection, _number: 1 / 0)
    for _ in range(2):
        with pytest.raises(StoreError, match="stopped writing"):
            store.flush()
    store.close()


def test_a_store_that_stays_locked_is_said_to_be_and_works_again_afterwards(tmp_path):
    with Store(tmp_path / "a.db", busy_seconds=0.1) as store:
        store.begin_run(build_run())
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        add(store, 0)
        with pytest.raises(StoreError, match="locked for too long"):
            store.flush()
        with pytest.raises(StoreError, match="locked for too long"):
            Store(tmp_path / "a.db", busy_seconds=0.1)
        assert store.count("run-1") == 0
        other.execute("ROLLBACK")
        other.close()
        store.flush()
        assert store.count("run-1") == 1


def test_rows_that_wait_for_a_lock_share_a_transaction(tmp_path):
    with Store(tmp_path / "a.db") as store:
        store.begin_run(build_run())
        statements: list[str] = []
        store._connections[0].set_trace_callback(statements.append)
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        for number in range(100):
            add(store, number)
        other.execute("ROLLBACK")
        other.close()
        store.flush()
        assert store.count("run-1") == 100
        assert sum(statement == "COMMIT" for statement in statements) <= 3


def test_queueing_waits_when_more_is_queued_than_memory_should_hold(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.store.writer._MOST_ROWS", 5)
    with Store(tmp_path / "a.db") as store:
        store.begin_run(build_run())
        largest = 0
        for number in range(100):
            add(store, number)
            largest = max(largest, len(store._writer._queue))
        store.flush()
        assert largest <= 5
        assert store.count("run-1") == 100


def test_the_log_is_written_back_every_so_often_so_that_a_power_cut_costs_little(tmp_path):
    """What the file holds without its log is what a power cut leaves at least."""
    with Store(tmp_path / "a.db") as store:
        store.begin_run(build_run())
        for number in range(300):
            add(store, number)
            if number % 10 == 0:
                store.flush()
        store.flush()
        (tmp_path / "b.db").write_bytes((tmp_path / "a.db").read_bytes())
    with Store(tmp_path / "b.db", read_only=True) as left:
        assert left.count("run-1") > 200


def test_reading_does_not_wait_for_a_writer(tmp_path):
    fill(tmp_path / "a.db")
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("DELETE FROM cards")
    with Store(tmp_path / "a.db", read_only=True, busy_seconds=0) as store:
        assert store.count("run-1") == 3
    other.execute("ROLLBACK")
    other.close()


def test_a_record_is_never_seen_without_its_scorecard(tmp_path):
    path = tmp_path / "a.db"
    with Store(path) as store, Store(path, read_only=True) as reader:
        store.begin_run(build_run())
        seen = []
        for number in range(30):
            add(store, number)
            seen += reader.read(
                "SELECT (SELECT count(*) FROM cards), (SELECT count(*) FROM scores),"
                " (SELECT count(*) FROM units), (SELECT count(*) FROM labels)"
            )
        store.flush()
    assert [counts for counts in seen if len(set(counts)) != 1] == []
