"""A server that does next to nothing, so that what is measured beside it is the client: two fixed replies, a fixed delay.

    python bench/fast_server.py REPLIES DELAY_SECONDS     prints its port; ends with its standard input

REPLIES is a JSON file with the reply texts under "items" and "relevance". GET /stats tells how many requests came and
how many different ones, how many connections ended with a request unanswered, and for each chapter how many of its
requests came again later. GET /chapter begins the next one.
"""

import asyncio
import json
import os
import sys
from hashlib import blake2b
from pathlib import Path

_BREAK = b"\r\n\r\n"


def build_response(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


def build_reply(text: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1200, "completion_tokens": len(text) // 4, "total_tokens": 1200 + len(text) // 4}
    body = {"id": "x", "object": "chat.completion", "model": "fast", "choices": [choice], "usage": usage}
    return build_response(json.dumps(body).encode())


class Shop:
    def __init__(self, replies: dict[str, str], delay_seconds: float) -> None:
        self.items, self.relevance = build_reply(replies["items"]), build_reply(replies["relevance"])
        self.delay_seconds = delay_seconds
        self.calls = self.open = self.most_open = self.unanswered = 0
        self.seen: dict[bytes, int] = {}
        self.again = [0]

    def note(self, body: bytes) -> None:
        """A request that came before counts for the chapter in which it came last."""
        digest = blake2b(body, digest_size=8).digest()
        if (before := self.seen.get(digest)) is not None:
            self.again[before] += 1
        self.seen[digest] = len(self.again) - 1

    def tell(self) -> bytes:
        told = {
            "calls": self.calls,
            "different": len(self.seen),
            "most_open": self.most_open,
            "unanswered": self.unanswered,
            "again": self.again,
        }
        return build_response(json.dumps(told).encode())


class Counter(asyncio.Protocol):
    """One connection, one request at a time."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.buffer = bytearray()
        self.transport: asyncio.Transport | None = None
        self.is_waiting = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # a TCP server gets no other

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's own signature
        self.shop.unanswered += self.is_waiting

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(_BREAK)) >= 0:
            head = bytes(self.buffer[:end]).lower()
            at = head.find(b"content-length:")
            size = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            whole = end + len(_BREAK) + size
            if len(self.buffer) < whole:
                return
            body = bytes(self.buffer[end + len(_BREAK) : whole])
            del self.buffer[:whole]
            self.answer(head, body)

    def answer(self, head: bytes, body: bytes) -> None:
        shop = self.shop
        if head.startswith(b"get"):
            if head.startswith(b"get /chapter"):
                shop.again.append(0)
            self.send(shop.tell())
            return
        self.is_waiting = True
        shop.calls += 1
        shop.open += 1
        shop.most_open = max(shop.most_open, shop.open)
        shop.note(body)
        reply = shop.relevance if b"[O.1]" in body else shop.items
        if shop.delay_seconds:
            asyncio.get_running_loop().call_later(shop.delay_seconds, self.finish, reply)
        else:
            self.finish(reply)

    def finish(self, reply: bytes) -> None:
        self.shop.open -= 1
        self.is_waiting = False
        self.send(reply)

    def send(self, reply: bytes) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(reply)


async def serve(shop: Shop) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Counter(shop), "127.0.0.1", 0, backlog=2000)
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = asyncio.Event()

    def look() -> None:
        if not os.read(sys.stdin.fileno(), 100):
            ended.set()

    loop.add_reader(sys.stdin.fileno(), look)
    await ended.wait()


if __name__ == "__main__":
    asyncio.run(serve(Shop(json.loads(Path(sys.argv[1]).read_text()), float(sys.argv[2]))))
