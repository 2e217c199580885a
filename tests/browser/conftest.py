"""A real browser on the real pages. Where there is none, these tests are skipped and say so."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from visits import PATIENCE_MS, Kept, playwright

from assay.store.store import Store
from assay.web.labelling import Task
from equipment.example_runs import keep_example
from equipment.page_server import Served, serve_labels, serve_pairs, serve_view

ROOT = Path(__file__).parents[2]
# The runs made by hand and the attacks of the tests of pages.
sys.path.append(str(ROOT / "tests" / "web"))
AXE = ROOT / ".tools" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
PEOPLE = ("Ada", "Bo", "Cleo", "Eva")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="package")
def browser() -> "Iterator[playwright.Browser]":
    """Closed after this folder: while its driver lives, no other test in the process could run a loop of its own."""
    found = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
    )
    if not found:
        pytest.skip("there is no chromium on this machine: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def context(browser: "playwright.Browser") -> "Iterator[playwright.BrowserContext]":
    opened = browser.new_context(viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    opened.close()


@pytest.fixture
def plain_context(browser: "playwright.Browser") -> "Iterator[playwright.BrowserContext]":
    """A browser whose owner has switched scripts off."""
    opened = browser.new_context(java_script_enabled=False)
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """The example that the demo judges, twice: in the second run the judge is harder on alignment."""
    folder = tmp_path_factory.mktemp("browser")
    with Store(folder / "assay.db") as store:
        first = keep_example(store, "article-audit", folder)
        second = keep_example(
            store, "article-audit", folder, lambda replies: replies.replace('\\"grade\\": 10', '\\"grade\\": 2')
        )
        yield Kept(store, first, second, keep_example(store, "trial-eligibility", folder))


@pytest.fixture(scope="session")
def viewed(kept: Kept) -> Iterator[Served]:
    with serve_view(kept.store) as served:
        yield served


@pytest.fixture(scope="session")
def labelled(kept: Kept) -> Iterator[Served]:
    with serve_labels(kept.store, Task(kept.store.find_run(kept.first), ("hallucination",)), *PEOPLE) as served:
        yield served


@pytest.fixture(scope="session")
def paired(kept: Kept) -> Iterator[Served]:
    with serve_pairs(kept.store, Task(kept.store.find_run(kept.first)), "Ada") as served:
        yield served


@pytest.fixture(scope="session")
def served(viewed: Served, labelled: Served, paired: Served) -> tuple[Served, Served, Served]:
    return viewed, labelled, paired


@pytest.fixture
def trials_labelled(kept: Kept) -> Iterator[Served]:
    with serve_labels(kept.store, Task(kept.store.find_run(kept.trials), ("hallucination",)), "Ada", "Bo") as served:
        yield served


@pytest.fixture(scope="session")
def axe() -> str:
    if not AXE.is_file():
        pytest.skip("axe-core is not here: make axe")
    return AXE.read_text(encoding="utf-8")
