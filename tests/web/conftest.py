"""Stores with the shipped examples, and their pages on a real port."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.store.digests import COLUMNS, call_digest, digest_row
from assay.store.store import Store
from assay.web.labelling import Task
from equipment.example_runs import keep_example
from equipment.page_server import Served, serve_labels, serve_view


@dataclass(frozen=True)
class Examples:
    """Two runs of one rubric that differ in a few replies, and one of another rubric."""

    store: Store
    first: str
    second: str
    trials: str


def worsen(replies: str) -> str:
    """The judge's grade for alignment falls, and one claim is no longer supported."""
    return replies.replace('\\"grade\\": 10', '\\"grade\\": 2').replace('\\"grade\\": 9', '\\"grade\\": 3')


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examples]:
    folder: Path = tmp_path_factory.mktemp("examples")
    with Store(folder / "assay.db") as store:
        first = keep_example(store, "article-audit", folder)
        second = keep_example(store, "article-audit", folder, worsen)
        trials = keep_example(store, "trial-eligibility", folder)
        yield Examples(store, first, second, trials)


@pytest.fixture(scope="session")
def pages(examples: Examples) -> Iterator[Served]:
    with serve_view(examples.store) as served:
        yield served


@dataclass(frozen=True)
class Kept:
    path: Path
    run: str


@pytest.fixture(scope="session")
def kept_trials(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Judged once, in a store that is closed: each test that writes has a copy of its own."""
    folder = tmp_path_factory.mktemp("trials")
    with Store(folder / "assay.db") as store:
        return Kept(folder / "assay.db", keep_example(store, "trial-eligibility", folder))


@pytest.fixture(scope="module")
def shared_labelling(tmp_path_factory: pytest.TempPathFactory, kept_trials: Kept) -> Iterator[tuple[Store, Served]]:
    path = shutil.copy(kept_trials.path, tmp_path_factory.mktemp("labelling") / "assay.db")
    with Store(path) as store, serve_labels(store, Task(store.find_run(kept_trials.run))) as served:
        yield store, served


@pytest.fixture
def own_store(request: pytest.FixtureRequest, tmp_path: Path, kept_trials: Kept) -> Iterator[Store]:
    """Empty, but for the run of `trials` where a test asks for it; one without labels for `labelling`."""
    if "labelling" in request.fixturenames:
        store, _ = request.getfixturevalue("shared_labelling")
        with closing(sqlite3.connect(store.path)) as connection, connection:
            connection.execute("DELETE FROM labels WHERE is_person = 1")
            connection.create_function("row_digest", -1, digest_row, deterministic=True)
            connection.execute("UPDATE runs SET labels = 0")
            connection.execute(f"UPDATE runs SET digest = {call_digest(COLUMNS['runs'])}")  # noqa: S608  # our columns
        yield store
        return
    path = tmp_path / "s" / "assay.db"
    if "trials" in request.fixturenames:
        path.parent.mkdir()
        shutil.copy(kept_trials.path, path)
    with Store(path) as store:
        yield store


@pytest.fixture
def trials(own_store: Store, kept_trials: Kept) -> str:
    return own_store.find_run(kept_trials.run).id


@pytest.fixture
def labelling(own_store: Store, shared_labelling: tuple[Store, Served]) -> Served:
    """The pages for labels of `own_store`: one server for the tests of a file."""
    store, served = shared_labelling
    assert store is own_store
    return served
