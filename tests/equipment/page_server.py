"""The live pages on a real port of this machine, for tests that visit them."""

import http.client
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import uvicorn
from starlette.routing import Route

from assay.store.store import Store
from assay.web.app import LOOPBACK, build_application, listen
from assay.web.guard import Keys
from assay.web.labelling import LabelPages, Task
from assay.web.library import Library
from assay.web.preferring import PairPages
from assay.web.reading import ViewPages


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs, and a visitor who holds its keys unless told otherwise."""

    port: int
    keys: Keys
    everyone: tuple[Keys, ...] = ()

    def as_person(self, name: str) -> "Served":
        """The same server as another of its people finds it."""
        return replace(self, keys=next(keys for keys in self.everyone if keys.person == name))

    @property
    def host(self) -> str:
        return f"{LOOPBACK}:{self.port}"

    @property
    def opening(self) -> str:
        """The address that the command prints."""
        return f"http://{self.host}{self.keys.root}/"

    def get(self, path: str, headers: Mapping[str, str] | None = None, *, with_key: bool = True) -> Answer:
        return self.send("GET", self._find_path(path) if with_key else path, headers or {})

    def post(
        self, path: str, fields: Mapping[str, str], headers: Mapping[str, str] | None = None, *, with_key: bool = True
    ) -> Answer:
        """As a form of our own pages would, unless the headers say otherwise."""
        own = {"Origin": f"http://{self.host}", "Content-Type": "application/x-www-form-urlencoded"}
        where = self._find_path(path) if with_key else path
        return self.send("POST", where, {**own, **(headers or {})}, urlencode(fields).encode())

    def _find_path(self, path: str) -> str:
        """Paths are given as the routes have them, or with the key, as links on the pages have them."""
        return path if path.startswith(f"{self.keys.root}/") else f"{self.keys.root}{path}"

    def send(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None) -> Answer:
        """Headers with an empty value are left out."""
        connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=60)
        try:
            kept = {name: value for name, value in headers.items() if value}
            connection.request(method, path, body, kept)
            found = connection.getresponse()
            names = {name.lower(): value for name, value in found.getheaders()}
            return Answer(found.status, names, found.read().decode())
        finally:
            connection.close()


@contextmanager
def serve_pages(pages: Sequence[Route], people: Sequence[str] = ("",)) -> Iterator[Served]:
    """As the first of these people finds them."""
    keys = tuple(Keys(person) for person in people)
    with listen(0) as taken:
        port = taken.getsockname()[1]
        application = build_application(pages, port, keys)
        config = uvicorn.Config(application, log_level="warning", access_log=False, lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
        thread.start()
        try:
            yield Served(port, keys[0], keys)
        finally:
            server.should_exit = True
            thread.join(30)


def serve_view(store: Store) -> AbstractContextManager[Served]:
    """The pages of `assay view`."""
    return serve_pages(ViewPages(Library(store)).routes())


def serve_labels(store: Store, task: Task, *people: str) -> AbstractContextManager[Served]:
    """The pages of `assay label`, for Ada unless others are named."""
    return serve_pages(LabelPages(Library(store), task).routes(), people or ("Ada",))


def serve_pairs(store: Store, task: Task, *people: str) -> AbstractContextManager[Served]:
    """The pages of `assay label --pairs`."""
    return serve_pages(PairPages(Library(store), task).routes(), people or ("Ada",))
