import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from kept_cards import RUBRIC, build_card, build_record

from assay.store.store import Store

pytestmark = pytest.mark.integration

CHILD = Path(__file__).with_name("store_child.py")


def start(path: Path, run: str, first: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(CHILD), str(path), run, str(first), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def check_integrity(path: Path) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def test_two_processes_write_one_store_without_harm(tmp_path):
    path = tmp_path / "s" / "a.db"
    children = [start(path, run, first, 200) for run, first in (("one", 0), ("two", 100))]
    for child in children:
        _, errors = child.communicate(timeout=60)
        assert errors == ""
        assert child.returncode == 0
    with Store(path) as store:
        for run, first in (("one", 0), ("two", 100)):
            assert [each.position for each in store.list_judged(run)] == list(range(first, first + 200))
    check_integrity(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM records").fetchall() == [(300,)]
    connection.close()


def test_two_processes_that_judge_the_same_run_make_no_card_twice(tmp_path):
    path = tmp_path / "s" / "a.db"
    start(path, "one", 0, 1).communicate(timeout=60)
    children = [start(path, "one", first, 100) for first in (0, 50)]
    for child in children:
        assert child.communicate(timeout=60)[1] == ""
    with Store(path) as store:
        assert [each.position for each in store.list_judged("one")] == list(range(150))


def test_a_process_killed_at_any_moment_leaves_a_sound_store_with_all_that_was_flushed(tmp_path):
    path = tmp_path / "s" / "a.db"
    moments = random.Random(3)
    first = 0
    for _ in range(8):
        child = start(path, "one", first, 0)
        flushed = int(child.stdout.readline())
        time.sleep(moments.random() * 0.15)
        child.send_signal(signal.SIGKILL)
        rest, errors = child.communicate(timeout=60)
        assert errors == ""
        # The last line may be cut by the kill; the ones before it are whole.
        flushed = max([flushed, *(int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n"))])
        with Store(path) as store:
            positions = [each.position for each in store.list_judged("one")]
            cards = list(store.cards("one", RUBRIC))
        assert cards == [replace(build_card(build_record(position)), run="one") for position in positions]
        assert positions == list(range(len(positions)))
        assert positions[-1] >= flushed
        check_integrity(path)
        # The next one begins before the end, as a resumed run would that knows less than the store.
        first = max(0, positions[-1] - 20)
