"""A key planted where keys are, the servers that give it away, and a search for it in everything that was written."""

import base64
import html
import re
import socketserver
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote

import orjson

from assay.store.codec import unpack_bytes
from equipment.chat_server.exchange import Asked, HttpReply, Reply, render_reply
from equipment.chat_server.server import answer_by_schema

# With letters that percent-encoding and base64 change, and as long as real ones are.
KEY = "sk-planted/Qm7+Zx0123456789abcdefGHIJKL=="
QUERY_KEY = "query-planted/8Tz+Yw9876543210fedcba"
PATH_KEY = "path-planted-5Rk9876543210zyxwvu"


def spell(key: str) -> set[bytes]:
    """Every way in which one would recognise it: whole, its first half, percent-encoded, or anywhere inside base64."""
    forms = {key, key[: len(key) // 2 + 1], quote(key), quote(key, safe=""), quote_plus(key)}
    for before in (b"", b"a", b"ab", b"Bearer "):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            forms.add(encode(before + key.encode()).decode().rstrip("=")[12:-3])
    return {form.encode() for form in forms}


def find_keys(content: bytes, *keys: str) -> list[bytes]:
    """Forms of the keys in the content as it is, or as it reads once JSON, HTML or an address is decoded."""
    ways = [way.lower().encode("utf-8", "replace") for way in read_ways(content.decode("utf-8", "replace"))]
    forms = [form for key in keys for form in sorted(spell(key))]
    return [form for form in forms if any(form.lower() in way for way in ways)]


def read_ways(text: str) -> Iterator[str]:
    yield text
    yield re.sub(r"\\+u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text).replace("\\", "")
    yield html.unescape(text)
    yield unquote(unquote(text))


def escape_all(text: str) -> str:
    """As JSON may write any letter."""
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


def read_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file as it lies there; of a store also what its cells unpack to."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    yield from [(path.name, path.read_bytes()) for path in paths]
    for path in paths:
        if path.suffix == ".db":
            yield from ((f"{path.name} {name}", content) for name, content in read_cells(path))


def read_cells(path: Path) -> Iterator[tuple[str, bytes]]:
    connection = sqlite3.connect(path)
    try:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f"SELECT * FROM {table}"):  # noqa: S608  # names of the schema itself
                for cell in row:
                    if isinstance(cell, bytes) and cell[:2] == b"x\x01":
                        yield table, unpack_bytes(cell)
                    elif isinstance(cell, str | bytes):
                        yield table, cell.encode() if isinstance(cell, str) else cell
    finally:
        connection.close()


def read_sent_key(headers: Mapping[str, str]) -> str:
    return headers.get("x-api-key") or headers.get("Authorization", "")


class Blabber:
    """Answers each ask with the key it was sent: first in an error, in one of many shapes, then inside a good reply."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}
        self.told = 0
        self._answer = answer_by_schema()

    def __call__(self, asked: Asked) -> Reply | HttpReply | str:
        sent = read_sent_key(asked.headers)
        times = self.seen[asked.key] = self.seen.get(asked.key, 0) + 1
        encoded = base64.b64encode(sent.encode()).decode()
        words = f"you sent {sent}, that is {quote(sent, safe='')} or {encoded} or {sent[:30]}… or {sent.upper()}"
        words += f" or {escape_all(sent)} or {html.escape(sent)}"
        self.told += 1
        if times == 1:
            return self._complain(words)
        if self.told % 5 == 0:
            return Reply(f"I can't help {words}", "refusal")
        return self._confide(asked, words)

    def _complain(self, words: str) -> HttpReply:
        shapes: list[tuple[int, object]] = [
            (500, {"error": {"message": words, "type": words, "code": words, "param": words}}),
            (429, {"error": words}),
            (503, {"detail": [{"loc": ["header", words], "msg": words, "input": words}]}),
            (200, {"error": {"message": words, "code": 500}}),
            (400, {"error": {"message": f"context_length_exceeded {words}"}}),
            (400, {"error": {"message": f"content_filter {words}"}}),
            (422, {"error": {"message": words}}),
            (502, f"<html>{words}</html>"),
        ]
        status, body = shapes[len(self.seen) % len(shapes)]
        content = body.encode() if isinstance(body, str) else orjson.dumps(body).replace(b"/", b"\\/")
        return HttpReply(status, content, {"Retry-After": "0", "X-Echo": quote(words)})

    def _confide(self, asked: Asked, words: str) -> HttpReply:
        """A reply that reads well, with the key in every place that holds words, the model's name among them."""
        answer = self._answer(asked)
        assert isinstance(answer, str)
        escaped = escape_all(read_sent_key(asked.headers))
        whole = orjson.loads(render_reply(asked, answer_with(answer, words, escaped)).body)
        return HttpReply(200, orjson.dumps({**whole, "model": f"model {words}", "system_fingerprint": words}))


def answer_with(answer: str, words: str, escaped: str) -> Reply:
    """The words as a string of JSON that escapes its slashes, and at its end every letter of the key."""
    string = orjson.dumps(words).decode().replace("/", "\\/")
    return Reply(answer.replace('"…"', f'{string[:-1]} or {escaped}"'))


@dataclass(frozen=True, slots=True)
class RawServer:
    """Its port, and all that it was sent."""

    port: int
    asked: list[bytes]


@contextmanager
def serve_raw(answer: bytes) -> Iterator[RawServer]:
    """Answers with these bytes, and with the beginning of what it was sent, whatever HTTP may say."""
    asked: list[bytes] = []

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            asked.append(self.request.recv(65_536))
            self.request.sendall(answer + asked[-1][:400])

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield RawServer(server.server_address[1], asked)
        finally:
            server.shutdown()
