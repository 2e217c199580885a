"""The batch endpoints of OpenAI and Anthropic: many requests at once, answered within a day, at a lower price."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

import aiohttp
import orjson
from yarl import URL

from assay.errors import InputError, Malformed, Suspended, UnknownModel, Unreachable
from assay.models.chat import is_count
from assay.models.responses import ErrorReply, read_error_reply
from assay.models.wire import Endpoint, HostedChat, Json, Request, encode, extend_url, is_loopback
from assay.replies.strict import parse_strictly

# Clocks differ: a batch may seem to be older than its plan by so much.
_CLOCK_SLACK = timedelta(minutes=10)
# Where metadata identify a batch, this only limits the search.
_OLDEST = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PlannedBatch:
    """A batch as it is known before it is submitted. Every custom id of its requests begins with the token."""

    run: str
    token: str
    count: int
    planned: datetime


@dataclass(frozen=True, slots=True)
class BatchState:
    """What the provider says about a batch. `rejection` is about the batch as a whole: none of it was answered."""

    id: str
    has_ended: bool
    total: int = 0
    answered: int = 0
    failed: int = 0
    files: tuple[URL, ...] = ()
    rejection: ErrorReply | None = None


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The body of an answer, or what was wrong with the request; None where it expired or was cancelled."""

    custom_id: str
    answer: Json | ErrorReply | None


class BatchApi(ABC):
    """One provider's batches, behind the address and the key of a chat."""

    most_requests: ClassVar[int]
    most_bytes: ClassVar[int]

    def __init__(self, connection: Endpoint) -> None:
        self._connection = connection
        self._url = self._find_url(connection.url)

    @staticmethod
    @abstractmethod
    def _find_url(chat_url: URL) -> URL: ...

    @abstractmethod
    def build_line(self, custom_id: str, request: Request) -> bytes: ...

    @abstractmethod
    async def create(self, batch: PlannedBatch, lines: Sequence[bytes]) -> BatchState: ...

    async def get(self, identifier: str) -> BatchState:
        try:
            return self._read_state(await self._connection.fetch("GET", extend_url(self._url, identifier)))
        except UnknownModel:
            remedy = "Use the key it was submitted with, or send its requests again with `resubmit`."
            raise Suspended(f"batch {identifier} is not known to this key", remedy=remedy) from None

    @abstractmethod
    async def find(self, batch: PlannedBatch, others: Collection[str]) -> BatchState | None:
        """The batch in the provider's list beside `others`; None if it was never submitted, Suspended if unknown."""

    async def read_results(self, state: BatchState) -> AsyncGenerator[BatchResult, None]:
        """In the provider's order. A line that can't be read is left out; a file that ends early raises."""
        for file in state.files:
            try:
                async with aclosing(self._connection.read_lines(file)) as lines:
                    async for line in lines:
                        result = self._parse_line(line)
                        if result is not None:
                            yield result
            except UnknownModel:
                raise Unreachable(f"batch {state.id}: its results are not there") from None

    def _parse_line(self, line: bytes) -> BatchResult | None:
        try:
            value = parse_strictly(line)
        except ValueError:
            return None
        if not isinstance(value, dict) or not isinstance(custom_id := value.get("custom_id"), str):
            return None
        return BatchResult(custom_id, self._read_answer(value))

    @abstractmethod
    def _read_answer(self, line: Json) -> Json | ErrorReply | None: ...

    @abstractmethod
    def _read_state(self, body: Json) -> BatchState: ...

    async def _create(self, url: URL, body: bytes | aiohttp.FormData) -> Json:
        try:
            return await self._connection.fetch("POST", url, body)
        except UnknownModel as error:
            message = f"this server has no batch endpoint ({error.message})"
            raise InputError(message, remedy="Leave out `batch`.") from None

    async def _list(self, cursor: str, size: int) -> AsyncGenerator[Json, None]:
        """The newest first, page by page."""
        after: dict[str, str] = {}
        while True:
            page = await self._connection.fetch("GET", self._url.update_query({"limit": str(size), **after}))
            entries = page.get("data")
            entries = [each for each in entries if isinstance(each, dict)] if isinstance(entries, list) else []
            for entry in entries:
                yield entry
            if not entries or not page.get("has_more"):
                return
            after = {cursor: str(entries[-1].get("id"))}

    def _read_error(self, status: int, body: object) -> ErrorReply:
        return read_error_reply(status, orjson.dumps(body), self._connection.error_secrets)


class OpenAIBatches(BatchApi):
    """A file of requests, a batch over it, and two files of results. Metadata tell whose batch it is."""

    most_requests: ClassVar[int] = 50_000
    most_bytes: ClassVar[int] = 200_000_000

    @staticmethod
    def _find_url(chat_url: URL) -> URL:
        return extend_url(chat_url.parent.parent.with_query(chat_url.query), "batches")

    @property
    def _files(self) -> URL:
        return extend_url(self._url.parent.with_query(self._url.query), "files")

    def build_line(self, custom_id: str, request: Request) -> bytes:
        head = {"custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions"}
        return encode({**head, "body": request.payload}) + b"\n"

    async def create(self, batch: PlannedBatch, lines: Sequence[bytes]) -> BatchState:
        form = aiohttp.FormData({"purpose": "batch"})
        form.add_field("file", b"".join(lines), filename=f"assay-{batch.token}.jsonl", content_type="application/jsonl")
        uploaded = await self._create(self._files, form)
        order = {
            "input_file_id": uploaded.get("id"),
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {"assay_run": batch.run, "assay_batch": batch.token},
        }
        return self._read_state(await self._create(self._url, encode(order)))

    async def find(self, batch: PlannedBatch, others: Collection[str]) -> BatchState | None:
        del others
        async for entry in self._list("after", 100):
            created = entry.get("created_at")
            if is_count(created) and datetime.fromtimestamp(created, UTC) < batch.planned - _OLDEST:
                break
            metadata = entry.get("metadata")
            if isinstance(metadata, dict) and metadata.get("assay_batch") == batch.token:
                return self._read_state(entry)
        return None

    def _read_state(self, body: Json) -> BatchState:
        counts, status = _read_counts(body), body.get("status")
        names = [body.get(name) for name in ("output_file_id", "error_file_id")]
        return BatchState(
            id=_read_id(body),
            has_ended=status in {"completed", "failed", "expired", "cancelled"},
            total=counts.get("total", 0),
            answered=counts.get("completed", 0),
            failed=counts.get("failed", 0),
            files=tuple(extend_url(self._files, name, "content") for name in names if isinstance(name, str)),
            rejection=self._read_rejection(body) if status == "failed" else None,
        )

    def _read_rejection(self, body: Json) -> ErrorReply:
        """Why a batch was not begun: the first of its errors stands for all."""
        errors: Any = body.get("errors")
        data: Any = errors.get("data") if isinstance(errors, dict) else None
        first = data[0] if isinstance(data, list) and data else {"message": "the batch failed, and no reason is given"}
        is_limit = isinstance(first, dict) and "limit_exceeded" in str(first.get("code"))
        return self._read_error(429 if is_limit else 400, {"error": first})

    def _read_answer(self, line: Json) -> Json | ErrorReply | None:
        response: Any = line.get("response")
        if not isinstance(response, dict):
            return None
        status, body = response.get("status_code"), response.get("body")
        if status == 200 and isinstance(body, dict):
            return body
        return self._read_error(status if is_count(status) and status >= 400 else 502, body)


class AnthropicBatches(BatchApi):
    """One request with all requests in it, and one file of results. Only custom ids tell whose batch it is."""

    most_requests: ClassVar[int] = 100_000
    most_bytes: ClassVar[int] = 256_000_000

    _statuses: ClassVar[Mapping[str, int]] = {
        "invalid_request_error": 400,
        "authentication_error": 401,
        "billing_error": 402,
        "permission_error": 403,
        "not_found_error": 404,
        "request_too_large": 413,
        "rate_limit_error": 429,
        "overloaded_error": 529,
    }

    @staticmethod
    def _find_url(chat_url: URL) -> URL:
        return extend_url(chat_url, "batches")

    def build_line(self, custom_id: str, request: Request) -> bytes:
        return encode({"custom_id": custom_id, "params": request.payload})

    async def create(self, batch: PlannedBatch, lines: Sequence[bytes]) -> BatchState:
        del batch
        return self._read_state(await self._create(self._url, b'{"requests":[' + b",".join(lines) + b"]}"))

    async def find(self, batch: PlannedBatch, others: Collection[str]) -> BatchState | None:
        """One with as many requests, no older than the plan: its results say whose it is, once there are any."""
        running = []
        async for entry in self._list("after_id", 1_000):
            state = self._read_state(entry)
            if _read_moment(entry.get("created_at")) < batch.planned - _CLOCK_SLACK:
                break
            if state.total != batch.count or state.id in others:
                continue
            if not state.has_ended:
                running.append(state.id)
            elif await self._is_of(state, batch):
                return state
        if running:
            message = f"{batch.count} requests may or may not have been submitted as batch {running[0]}"
            remedy = f"Resume when {running[0]} has ended: its results show this. Or send them again with `resubmit`."
            raise Suspended(message, remedy=remedy)
        return None

    async def _is_of(self, state: BatchState, batch: PlannedBatch) -> bool:
        others = 0
        async with aclosing(self.read_results(state)) as results:
            async for result in results:
                if result.custom_id.startswith(f"{batch.token}-"):
                    return True
                others += 1
        if not others:
            raise Malformed(f"batch {state.id} has ended, and its results are empty")
        return False

    def _read_state(self, body: Json) -> BatchState:
        counts, identifier = _read_counts(body), _read_id(body)
        return BatchState(
            id=identifier,
            has_ended=body.get("processing_status") == "ended",
            total=sum(counts.values()),
            answered=counts.get("succeeded", 0),
            failed=sum(counts.get(name, 0) for name in ("errored", "canceled", "expired")),
            # Not the address in the answer: the key goes only where the user sent it.
            files=(extend_url(self._url, identifier, "results"),),
        )

    def _read_answer(self, line: Json) -> Json | ErrorReply | None:
        result: Any = line.get("result")
        kind = result.get("type") if isinstance(result, dict) else None
        if kind == "succeeded" and isinstance(result.get("message"), dict):
            body: Json = result["message"]
            return body
        if kind in {"expired", "canceled"}:
            return None
        outer: Any = result.get("error") if isinstance(result, dict) else None
        error: Any = outer.get("error", outer) if isinstance(outer, dict) else {"message": "no result"}
        status = self._statuses.get(str(error.get("type")), 500) if isinstance(error, dict) else 500
        return self._read_error(status, {"error": error})


_APIS: Mapping[str, type[BatchApi]] = {"openai": OpenAIBatches, "anthropic": AnthropicBatches}


def open_batch_api(chat: HostedChat) -> BatchApi:
    """Raises InputError for a server that is not known to have batches. One on this machine is taken at its word."""
    api = _APIS.get(chat.settings.batch)
    if api is None or not (chat.is_own or is_loopback(chat.connection.url)):
        message = f"{chat.connection.place} is not known to have a batch endpoint"
        remedy = "Leave out `batch`, or name openai:MODEL or anthropic:MODEL without a base URL."
        raise InputError(message, remedy=remedy)
    return api(chat.connection)


def _read_id(body: Json) -> str:
    identifier = body.get("id")
    if not isinstance(identifier, str) or not identifier:
        raise Malformed("the answer about a batch holds no id")
    return identifier


def _read_counts(body: Json) -> dict[str, int]:
    counts = body.get("request_counts")
    return {name: count for name, count in counts.items() if is_count(count)} if isinstance(counts, dict) else {}


def _read_moment(text: object) -> datetime:
    """One that can't be read ends no search."""
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return datetime.max.replace(tzinfo=UTC)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
