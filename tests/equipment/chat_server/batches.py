"""The batch endpoints of a scripted server, as OpenAI and Anthropic have them, with faults on demand."""

import hashlib
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import orjson
from aiohttp import web

from equipment.chat_server.exchange import Api, Asked, HttpReply, read_asked


class BatchFault(StrEnum):
    """The first three befall a request, the others a batch."""

    EXPIRED = "expired"
    ERRORED = "errored"
    MISSING = "missing"
    UNORDERED = "unordered"
    UNKNOWN_ID = "unknown_id"
    CUT_OFF = "cut_off"
    LOST_ANSWER = "lost_answer"


@dataclass(slots=True)
class ServedBatch:
    """What was submitted, and the lines that answer it. `asked` are the requests by custom id."""

    id: str
    api: Api
    asked: Mapping[str, Asked]
    metadata: Mapping[str, str]
    created: float
    due: float
    lines: list[bytes] = field(default_factory=list)
    error_lines: list[bytes] = field(default_factory=list)
    rejection: str = ""
    expired: int = 0
    downloads: int = 0

    @property
    def has_ended(self) -> bool:
        return time.time() >= self.due


class ScriptedBatches:
    """`seconds` is how long a batch takes. A share of requests, or of batches, meets each fault, picked by seed.

    A request meets a fault the first time it comes, or `always`.
    `most_enqueued` requests may be under way at once; a batch that exceeds it is turned away.
    """

    def __init__(
        self,
        *,
        seconds: float = 0.0,
        faults: Mapping[BatchFault, float] | Sequence[BatchFault] = (),
        always: bool = False,
        seed: int = 0,
        most_enqueued: int | None = None,
    ) -> None:
        self.seconds = seconds
        self.served: list[ServedBatch] = []
        self._faults = dict(faults) if isinstance(faults, Mapping) else dict.fromkeys(faults, 1.0)
        self._always = always
        self._seed = seed
        self._most_enqueued = most_enqueued
        self._files: dict[str, bytes] = {}
        self._struck: set[str] = set()
        self._answer: Callable[[Asked], HttpReply] = lambda _asked: HttpReply(500, b"{}")

    def add_routes(self, router: web.UrlDispatcher, answer: Callable[[Asked], HttpReply]) -> None:
        self._answer = answer
        router.add_post("/v1/files", self._upload)
        router.add_get("/v1/files/{id}/content", self._download)
        router.add_post("/v1/batches", self._create_openai)
        router.add_post("/v1/messages/batches", self._create_anthropic)
        for path in ("/v1/batches", "/v1/messages/batches"):
            router.add_get(path, self._list)
            router.add_get(path + "/{id}", self._show)
        router.add_get("/v1/messages/batches/{id}/results", self._download)

    async def _upload(self, request: web.Request) -> web.Response:
        name = f"file-{len(self._files)}"
        form = await request.post()
        file = form["file"]
        if form["purpose"] != "batch" or not isinstance(file, web.FileField):
            return web.json_response({"error": {"message": "a file for a batch is wanted"}}, status=400)
        self._files[name] = file.file.read()
        return web.json_response({"id": name, "object": "file", "purpose": "batch"})

    async def _create_openai(self, request: web.Request) -> web.Response:
        order = await request.json()
        lines = map(orjson.loads, self._files[order["input_file_id"]].splitlines())
        requests = [(line["custom_id"], line["body"]) for line in lines]
        return self._create("openai", requests, order.get("metadata") or {}, request)

    async def _create_anthropic(self, request: web.Request) -> web.Response:
        requests = [(each["custom_id"], each["params"]) for each in orjson.loads(await request.read())["requests"]]
        return self._create("anthropic", requests, {}, request)

    def _create(
        self,
        api: Api,
        requests: Sequence[tuple[str, Mapping[str, Any]]],
        metadata: Mapping[str, str],
        request: web.Request,
    ) -> web.Response:
        asked = {name: read_asked(api, number, body, {}) for number, (name, body) in enumerate(requests)}
        if len(asked) < len(requests) or len({each.model for each in asked.values()}) > 1:
            return web.json_response({"error": {"message": "custom ids differ, and models do not"}}, status=400)
        now, number = time.time(), len(self.served)
        batch = ServedBatch(f"{api}-batch-{number}", api, asked, metadata, now, now + self.seconds)
        enqueued = sum(len(each.asked) for each in self.served if not each.has_ended)
        if self._most_enqueued is not None and enqueued + len(asked) > self._most_enqueued:
            if api == "anthropic":
                return web.json_response({"error": {"type": "rate_limit_error", "message": "too many"}}, status=429)
            batch.rejection, batch.due = "token_limit_exceeded", now
        else:
            self._fill(batch)
        self.served.append(batch)
        if self._strikes_batch(BatchFault.LOST_ANSWER, number) and request.transport is not None:
            request.transport.abort()
        return web.json_response(self._describe(batch))

    def _fill(self, batch: ServedBatch) -> None:
        for custom_id, asked in batch.asked.items():
            if self._strikes_request(BatchFault.MISSING, asked):
                continue
            if self._strikes_request(BatchFault.EXPIRED, asked):
                batch.expired += 1
                batch.error_lines.append(_write_expired(batch.api, custom_id))
            elif self._strikes_request(BatchFault.ERRORED, asked):
                failed = HttpReply(500, b'{"error": {"type": "api_error", "message": "Something broke in here."}}')
                batch.error_lines.append(_write_line(batch.api, custom_id, failed))
            else:
                reply = self._answer(asked)
                lines = batch.lines if reply.status == 200 else batch.error_lines
                lines.append(_write_line(batch.api, custom_id, reply))
        number = len(self.served)
        if self._strikes_batch(BatchFault.UNKNOWN_ID, number) and batch.lines:
            line = orjson.loads(batch.lines[0])
            batch.lines.insert(0, orjson.dumps({**line, "custom_id": "nobody-asked"}) + b"\n")
        if self._strikes_batch(BatchFault.UNORDERED, number):
            random.Random(number).shuffle(batch.lines)  # no secret is drawn

    async def _list(self, request: web.Request) -> web.Response:
        api = "anthropic" if "messages" in request.path else "openai"
        batches = [each for each in reversed(self.served) if each.api == api]
        after = request.query.get("after") or request.query.get("after_id")
        begin = next((number for number, each in enumerate(batches, 1) if each.id == after), 0)
        end = begin + int(request.query.get("limit", 20))
        page = [self._describe(each) for each in batches[begin:end]]
        return web.json_response({"data": page, "has_more": end < len(batches)})

    async def _show(self, request: web.Request) -> web.Response:
        batch = self._find(request.match_info["id"])
        return web.json_response(self._describe(batch)) if batch else web.Response(status=404)

    async def _download(self, request: web.Request) -> web.Response:
        name, _, part = request.match_info["id"].partition(".")
        batch = self._find(name)
        if batch is None or not batch.has_ended:
            return web.Response(status=404)
        lines = {"output": batch.lines, "errors": batch.error_lines}.get(part, batch.error_lines + batch.lines)
        body, number = b"".join(lines), self.served.index(batch)
        batch.downloads += 1
        if batch.downloads == 1 and self._strikes_batch(BatchFault.CUT_OFF, number):
            body = body[: len(body) // 2]
        return web.Response(body=body)

    def _find(self, name: str) -> ServedBatch | None:
        return next((each for each in self.served if each.id == name), None)

    def _describe(self, batch: ServedBatch) -> dict[str, Any]:
        total, ended = len(batch.asked), batch.has_ended
        done, failed = (len(batch.lines), len(batch.error_lines)) if ended else (0, 0)
        if batch.api == "anthropic":
            counts = {"processing": 0 if ended else total, "canceled": 0, "expired": batch.expired if ended else 0}
            counts |= {"errored": failed - batch.expired if ended else 0}
            return {
                "id": batch.id,
                "type": "message_batch",
                "processing_status": "ended" if ended else "in_progress",
                "request_counts": {**counts, "succeeded": total - failed if ended else 0},
                "created_at": datetime.fromtimestamp(batch.created, UTC).isoformat(),
            }
        status = "expired" if batch.expired else "completed"
        status = "failed" if batch.rejection else status
        return {
            "id": batch.id,
            "object": "batch",
            "status": status if ended else "in_progress",
            "output_file_id": f"{batch.id}.output" if ended and batch.lines else None,
            "error_file_id": f"{batch.id}.errors" if ended and batch.error_lines else None,
            "errors": {"data": [{"code": batch.rejection, "message": "too much is enqueued"}]}
            if batch.rejection
            else None,
            "request_counts": {"total": total, "completed": done, "failed": failed},
            "created_at": int(batch.created),
            "metadata": dict(batch.metadata),
        }

    def _strikes_request(self, fault: BatchFault, asked: Asked) -> bool:
        name = f"{fault}:{asked.key}"
        if fault not in self._faults or name in self._struck or not self._is_picked(name, fault):
            return False
        if not self._always:
            self._struck.add(name)
        return True

    def _strikes_batch(self, fault: BatchFault, number: int) -> bool:
        return fault in self._faults and self._is_picked(f"{fault}:{number}", fault)

    def _is_picked(self, name: str, fault: BatchFault) -> bool:
        digest = hashlib.sha256(f"{self._seed}:{name}".encode()).digest()
        return int.from_bytes(digest[:8]) / 2**64 < self._faults[fault]


def _write_line(api: Api, custom_id: str, reply: HttpReply) -> bytes:
    body = orjson.loads(reply.body)
    line: dict[str, Any] = {"custom_id": custom_id}
    if api == "openai":
        line |= {"response": {"status_code": reply.status, "body": body}, "error": None}
    elif reply.status == 200:
        line |= {"result": {"type": "succeeded", "message": body}}
    else:
        line |= {"result": {"type": "errored", "error": {"type": "error", **body}}}
    return orjson.dumps(line) + b"\n"


def _write_expired(api: Api, custom_id: str) -> bytes:
    line: dict[str, Any] = {"custom_id": custom_id, "result": {"type": "expired"}}
    if api == "openai":
        error = {"code": "batch_expired", "message": "the request was not executed in time"}
        line = {"custom_id": custom_id, "response": None, "error": error}
    return orjson.dumps(line) + b"\n"
