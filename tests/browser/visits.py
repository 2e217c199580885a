"""A page in a real browser, with all that goes wrong in it."""

from dataclasses import dataclass, field

import pytest

from assay.store.store import Store
from equipment.page_server import Served

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
# A machine that runs other tests at the same time is slow, not wrong.
PATIENCE_MS = 30_000
playwright.expect.set_options(timeout=PATIENCE_MS)


@dataclass(frozen=True)
class Kept:
    store: Store
    first: str
    second: str
    trials: str


@dataclass
class Visit:
    """A page in the browser, with all that went wrong in it."""

    page: "playwright.Page"
    served: Served
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.problems.append("a dialog opened"), dialog.dismiss()))
        self.go("/")

    def go(self, path: str) -> None:
        self.page.goto(self.served.opening.removesuffix("/") + path)
