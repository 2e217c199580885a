import threading
from pathlib import Path

import pytest
from kept_cards import build_card, build_record, build_run

from assay.store.faults import StoreError
from assay.store.migrations import shipped_steps
from assay.store.opening import open_for_reading, open_for_writing
from assay.store.sqlite import SqliteStore


def fill(path: Path) -> None:
    with SqliteStore(path) as store:
        store.begin_run(build_run())
        for number in range(3):
            store.add_cards("run-1", number, [("m", 0, build_card(build_record(number)))])


def steps_with(statement: str) -> tuple[str, ...]:
    return (*shipped_steps(), statement)


def test_an_old_file_is_brought_up_to_date_by_the_steps_it_lacks(tmp_path):
    path = str(tmp_path / "a.db")
    fill(Path(path))
    steps = steps_with("-- one; two\nALTER TABLE runs ADD COLUMN note TEXT;\nUPDATE runs SET note = 'a;b';\n")
    with pytest.raises(StoreError, match="older Assay"):
        open_for_reading(path, 1, steps)
    for _ in range(2):
        connection = open_for_writing(path, 1, steps)
        assert connection.execute("SELECT id, note FROM runs").fetchall() == [("run-1", "a;b")]
        assert connection.execute("PRAGMA user_version").fetchall() == [(len(steps),)]
        connection.close()


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path):
    path = str(tmp_path / "a.db")
    fill(Path(path))
    with pytest.raises(StoreError):
        open_for_writing(path, 1, steps_with("ALTER TABLE runs ADD COLUMN note TEXT;\nUPDATE ghosts SET a = 1;\n"))
    with SqliteStore(path) as store:
        assert store.count("run-1") == 3
        assert "note" not in [row[1] for row in store._connections[0].execute("PRAGMA table_info(runs)").fetchall()]


def test_a_store_opened_by_many_at_once_is_made_once(tmp_path):
    failures: list[BaseException] = []

    def open_it() -> None:
        try:
            SqliteStore(tmp_path / "s" / "a.db").close()
        except StoreError as error:
            failures.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
