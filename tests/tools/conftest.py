"""Every test has a folder of its own with a store, in which a run of three records has a failure and a wrong claim."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

import assay

FARES = "A bicycle costs 22 kroner extra. It must be booked by noon of the day before."
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
RECORDS = [
    {"id": "right", "question": "Until when?", "sources": [FARES], "answer": "It must be booked by noon of the day before."},
    {"id": "wrong", "question": "How much?", "sources": [FARES], "answer": "A bicycle costs 32 kroner extra.",
     "facets": {"topic": "fares"}, "trace_id": TRACE, "span_id": SPAN},
    {"id": "invalid", "question": "How much?", "answer": "22 kroner"},
]  # fmt: skip


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def kept() -> assay.Run:
    """A run in the store `runs.db`."""
    return assay.judge(RECORDS, "grounded-answer", store="runs.db", skip_invalid=True)


@pytest.fixture
def collector() -> Iterator[tuple[str, list]]:
    """The address of a server, and the requests that it was sent."""
    received = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.path, self.headers["x-key"], body))
            self.send_response(200 if "refuse" not in self.path else 403)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", received
    server.shutdown()
    server.server_close()
