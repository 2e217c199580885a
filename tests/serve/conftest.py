"""Stores with the shipped examples, and their pages on a real port."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.serve.application import build_application
from assay.serve.label_pages import LabelPages, Task
from assay.serve.library import Library
from assay.serve.view_pages import ViewPages
from assay.store.sqlite import SqliteStore
from assay.testing.example_runs import keep_example
from assay.testing.page_server import Served, serve_pages


@dataclass(frozen=True)
class Examples:
    """Two runs of one rubric that differ in a few replies, and one of another rubric."""

    store: SqliteStore
    first: str
    second: str
    trials: str


def worsen(replies: str) -> str:
    """The judge's grade for alignment falls, and one claim is no longer supported."""
    return replies.replace('\\"grade\\": 10', '\\"grade\\": 2').replace('\\"grade\\": 9', '\\"grade\\": 3')


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examples]:
    folder: Path = tmp_path_factory.mktemp("examples")
    with SqliteStore(folder / "assay.db") as store:
        first = keep_example(store, "article-audit", folder)
        second = keep_example(store, "article-audit", folder, worsen)
        trials = keep_example(store, "trial-eligibility", folder)
        yield Examples(store, first, second, trials)


@pytest.fixture(scope="session")
def pages(examples: Examples) -> Iterator[Served]:
    routes = ViewPages(Library(examples.store)).routes()
    with serve_pages(lambda port, keys: build_application(routes, port, keys)) as served:
        yield served


@pytest.fixture
def own_store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "s" / "assay.db") as store:
        yield store


@pytest.fixture
def trials(own_store: SqliteStore, tmp_path: Path) -> str:
    return keep_example(own_store, "trial-eligibility", tmp_path)


@pytest.fixture
def labelling(own_store: SqliteStore, trials: str) -> Iterator[Served]:
    library, task = Library(own_store), Task(own_store.find_run(trials))
    with serve_pages(
        lambda port, keys: build_application(LabelPages(library, task, keys).routes(), port, keys, saves=True)
    ) as served:
        yield served
