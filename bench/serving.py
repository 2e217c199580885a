"""Starts the fast server beside a benchmark, with the replies an honest judge gives to the made-up records."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import assay
from equipment.chat_server.exchange import Asked
from equipment.chat_server.server import ScriptedServer, run_in_thread
from workload import ROOT, RUBRIC, answer_honestly, build_record, name_ask, read_cpu_seconds


@dataclass(frozen=True)
class Learned:
    """Request bodies and reply texts by ask, as one real walk has them."""

    bodies: dict[str, Any]
    replies: dict[str, str]


def learn(words: int) -> Learned:
    """Walks one record against an honest judge, and keeps what was asked and answered."""
    bodies: dict[str, Any] = {}
    replies: dict[str, str] = {}

    def script(asked: Asked) -> str:
        kind = (name_ask(asked.prompt) or "? items").split()[1]
        bodies[kind], replies[kind] = asked.body, answer_honestly(asked)
        return replies[kind]

    with run_in_thread(ScriptedServer(script)) as server:
        run = assay.judge([build_record(0, words, stated=4)], RUBRIC, "openai:fast", base_url=server.base_url)
    result = next(iter(run))
    if server.calls != 2 or result.total["scored"] != 1:
        raise RuntimeError(f"the walk that the fast server learns from went wrong: {server.calls} calls, {result}")
    return Learned(bodies, replies)


@dataclass(frozen=True)
class FastServer:
    base_url: str
    pid: int

    def cpu_seconds(self) -> float:
        return read_cpu_seconds(self.pid)

    def stats(self, page: str = "stats") -> dict[str, Any]:
        with urllib.request.urlopen(self.base_url.replace("/v1", f"/{page}")) as response:  # noqa: S310  # our own server
            return dict(json.load(response))

    def begin_chapter(self) -> None:
        self.stats("chapter")


@contextmanager
def run_fast_server(learned: Learned, folder: Path, delay_seconds: float = 0.0) -> Iterator[FastServer]:
    replies = folder / "replies.json"
    replies.write_text(json.dumps(learned.replies))
    command = [sys.executable, str(ROOT / "bench" / "fast_server.py"), str(replies), str(delay_seconds)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = process.stdout.readline().strip() if process.stdout else ""
            yield FastServer(f"http://127.0.0.1:{port}/v1", process.pid)
        finally:
            process.kill()
