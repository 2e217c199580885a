"""The live pages on a real port of this machine, for tests that visit them."""

import http.client
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

import uvicorn
from starlette.types import ASGIApp

from assay.store.store import Store
from assay.web.app import LOOPBACK, build_application, listen
from assay.web.guard import Keys
from assay.web.labelling import LabelPages, Task
from assay.web.library import Library
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
def serve_pages(build: Callable[[int, Keys], ASGIApp]) -> Iterator[Served]:
    keys = Keys()
    with listen(0) as taken:
        port = taken.getsockname()[1]
        config = uvicorn.Config(build(port, keys), log_level="warning", access_log=False, lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
        thread.start()
        try:
            yield Served(port, keys)
        finally:
            server.should_exit = True
            thread.join(30)


def serve_view(store: Store) -> AbstractContextManager[Served]:
    """The pages of `assay view`."""
    routes = ViewPages(Library(store)).routes()
    return serve_pages(lambda port, keys: build_application(routes, port, keys))


def serve_labels(store: Store, task: Task) -> AbstractContextManager[Served]:
    """The pages of `assay label`."""
    library = Library(store)
    return serve_pages(
        lambda port, keys: build_application(LabelPages(library, task, keys).routes(), port, keys, saves=True)
    )
