import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from kept_cards import RUBRIC, build_card, build_record, build_run

from assay.domain.ask import Written
from assay.models.chat import CallKey, Completion
from assay.store.faults import StoreError
from assay.store.store import Store

SECRET = "Mrs Planted-Sentence drinks eleven cups a day."


def holds(folder: Path, content: bytes) -> bool:
    return any(content in entry.read_bytes() for entry in folder.iterdir())


def fill(store: Store, run: str, secret: str, count: int) -> None:
    """Texts in every place a text can be, compressed and not; enough of them for pages to split and move."""
    store.begin_run(build_run(run, records_source=secret, rubric_text=secret, parameters={"note": secret}))
    for number in range(count):
        store.add_record(run, number, build_card(build_record(number, f"{secret} {number}")))
        odd = replace(build_card(build_record(number, system=secret), reason=secret), judge=secret)
        store.add_record(run, count + number, odd)
        reply = Completion(f"{secret} {number}", "stop", None, "m")
        store.put_reply(f"{run} {number}", reply, run, CallKey(secret, "support", number))
        store.put_bank("tea", "points", f"{run} {number}", (Written(secret),), run)
    store.flush()


def compressed_cells(path: Path) -> list[bytes]:
    connection = sqlite3.connect(path)
    cells = connection.execute("SELECT body FROM records UNION ALL SELECT body FROM replies").fetchall()
    connection.close()
    return [cell for (cell,) in cells]


def test_a_deleted_text_is_in_no_file_any_more(tmp_path):
    path = tmp_path / "s" / "a.db"
    with Store(path) as store:
        fill(store, "other", "Nothing of note.", 60)
        fill(store, "secret", SECRET, 60)
        fill(store, "third", "Nothing of note either.", 60)
        assert holds(path.parent, SECRET.encode())
        store.delete_run("secret")
        assert not holds(path.parent, SECRET.encode())
        assert (path.parent / "a.db-wal").stat().st_size < 10_000
        assert store.count("other") == store.count("third") == 120
    assert not holds(path.parent, SECRET.encode())


def test_a_deleted_text_that_was_compressed_is_in_no_file_either(tmp_path):
    path = tmp_path / "s" / "a.db"
    with Store(path) as store:
        fill(store, "secret", f"{SECRET} " * 20, 20)
        # Past their common beginning, which any text compressed alike may share.
        cells = [cell[60:] for cell in compressed_cells(path)]
        assert len(cells) >= 40
        assert all(holds(path.parent, cell[-40:]) for cell in cells)
        store.delete_run("secret")
        assert not any(holds(path.parent, cell[-40:]) for cell in cells)


def test_where_another_process_still_reads_the_user_is_told_and_the_next_opening_wipes(tmp_path):
    path = tmp_path / "s" / "a.db"
    reader = None
    with Store(path, busy_seconds=0.1) as store:
        fill(store, "secret", SECRET, 20)
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM cards").fetchall()
        with pytest.raises(StoreError, match="is deleted, but another process is reading"):
            store.delete_run("secret")
        assert store.runs() == ()
    assert holds(path.parent, SECRET.encode())
    reader.execute("ROLLBACK")
    reader.close()
    with Store(path) as store:
        assert not holds(path.parent, SECRET.encode())
        assert store._connections[0].execute("SELECT * FROM chores").fetchall() == []


def test_a_run_deleted_under_its_writers_hands_stays_deleted_and_the_writer_is_told(tmp_path):
    path = tmp_path / "s" / "a.db"
    with Store(path) as writing, Store(path) as deleting:
        fill(writing, "secret", SECRET, 2)
        deleting.delete_run("secret")
        writing.add_record("secret", 7, build_card(build_record(7, SECRET)))
        with pytest.raises(StoreError, match="run secret is not in the store"):
            writing.flush()
        assert deleting.runs() == ()
        assert not holds(path.parent, SECRET.encode())


def test_a_reply_deleted_between_being_found_and_being_used_is_kept_again(tmp_path):
    path = tmp_path / "s" / "a.db"
    with Store(path) as using, Store(path) as deleting:
        fill(using, "first", SECRET, 1)
        using.begin_run(build_run("second"))
        found = using.get_reply("first 0")
        deleting.delete_run("first")
        using.put_reply("first 0", found, "second", CallKey("r0", "support"))
        using.flush()
        assert using.get_reply("first 0") == found
        assert [kept.reply for kept in using.replies("second", "r0")] == [found]


def test_deleting_one_run_leaves_every_other_card_as_it_was(tmp_path):
    with Store(tmp_path / "a.db") as store:
        fill(store, "secret", SECRET, 3)
        fill(store, "other", "Nothing of note.", 3)
        before = list(store.cards("other", RUBRIC))
        store.delete_run("secret")
        assert list(store.cards("other", RUBRIC)) == before
        assert store._connections[0].execute("PRAGMA foreign_key_check").fetchall() == []
