"""An HTTP endpoint that takes JSON and answers JSON, and the chat model behind it, whichever API it speaks."""

import hashlib
import ipaddress
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar
from urllib.request import getproxies, proxy_bypass

import aiohttp
import orjson
from yarl import URL

from assay.errors import Ambiguous, BrokenOff, InputError, Malformed, TimedOut, Unreachable
from assay.models.chat import EFFORT_MARK, Call, CallKey, Completion, ReasoningEffort
from assay.models.providers import Caching, Provider, Wire, read_providers
from assay.models.responses import ErrorReply, clean, find_refused, read_error_reply, read_retry_after
from assay.models.secrets import Secrets, find_address_secrets, find_login_secrets, find_secrets, hide_secrets
from assay.replies.strict import holds_torn, parse_strictly, reading_reply

_LARGEST_REPLY_BYTES = 4_000_000
_CHUNK_BYTES = 65_536
_CONNECT_SECONDS = 10.0
_LONGEST_MODEL = 100
# Who sends calls with the same `prompt_cache_key` to the same machine. Others find a known prompt by themselves.
_TAKES_CACHE_KEY = ("openai", "azure")
# What ends a block that is to be cached.
_MARKS: Mapping[Caching, Mapping[str, object]] = {
    "marked": {"cache_control": {"type": "ephemeral"}},
    "breakpoints": {"prompt_cache_breakpoint": {"mode": "explicit"}},
}

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """A body, which of its parameters an endpoint may turn out not to know, and which were left out for that reason."""

    payload: Mapping[str, object]
    parameters: tuple[str, ...]
    dropped: tuple[str, ...] = ()


@dataclass(slots=True)
class Endpoint:
    """Posts to one address over one session, and turns whatever goes wrong into an error of the tree.

    The key lives in the headers alone: no message, no representation and no cause of an error holds it.
    """

    url: URL = field(repr=False)
    key_variable: str
    headers: Mapping[str, str] = field(repr=False)
    secret: str | None = field(repr=False)
    timeout_seconds: float
    # Parameters that the endpoint would not take, learned from its error replies. Only ever grows.
    refused: set[str] = field(default_factory=set)
    _session: aiohttp.ClientSession | None = field(default=None, init=False, repr=False)
    _proxy: str | None = field(default=None, init=False, repr=False)
    secrets: Secrets = field(init=False, repr=False)
    # Errors hold no text of a record: there a short key is redacted as well, even if it is a common word.
    error_secrets: Secrets = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._proxy = find_proxy(self.url)
        known = (self.secret, *find_address_secrets(str(self.url)), *find_login_secrets(self._proxy))
        self.secrets = find_secrets(*known)
        self.error_secrets = find_secrets(*known, shortest=4)

    @property
    def place(self) -> str:
        return _name_place(self.url)

    @property
    def account(self) -> str:
        """Whom an endpoint's limits hold for: this address and key, and no way back to the key."""
        return hashlib.sha256(f"{self.url.with_query(None)} {self.secret}".encode()).hexdigest()

    @property
    def digest(self) -> str:
        """Of the address, which may be private: the same model elsewhere may answer otherwise."""
        query = hide_secrets(str(self.url)).partition("?")[2]
        # With all of its path: what looks like a token there may name the model.
        return hashlib.sha256(f"{self.url.with_query(None)}?{query}".encode()).hexdigest()[:16]

    async def ask(self, build_request: Callable[[], Request]) -> tuple[Json, Request]:
        """The answer, and the request it answers: asked again without a parameter each time one is rejected."""
        while True:
            request = build_request()
            answer = await self._exchange("POST", self.url, encode(request.payload))
            if not isinstance(answer, ErrorReply):
                return answer, request
            self.learn(answer, request)

    def learn(self, answer: ErrorReply, request: Request) -> None:
        """Returns if it is worth asking again without a parameter, once for each; raises the error otherwise."""
        parameter = find_refused(answer.text, request.parameters) if answer.is_about_request else None
        if parameter is None:
            raise answer.as_error(self.place, self.key_variable)
        self.refused.add(parameter)

    async def fetch(self, method: str, url: URL, body: bytes | aiohttp.FormData | None = None) -> Json:
        """The answer of another address of the same API. What is sent may be large, and take its time."""
        answer = await self._exchange(method, url, body, is_long=True)
        if isinstance(answer, ErrorReply):
            raise answer.as_error(_name_place(url), self.key_variable)
        return answer

    async def read_lines(self, url: URL) -> AsyncGenerator[bytes, None]:
        """The lines of a file, however many. One that breaks off raises after its last whole line."""
        session, timeout = self._open_session(), self._allow_long()
        with self._explaining(url):
            async with session.get(url, allow_redirects=False, proxy=self._proxy, timeout=timeout) as response:
                if response.status >= 300:
                    reply = await self._read_bounded(response)
                    error = read_error_reply(response.status, reply, self.error_secrets)
                    raise error.as_error(_name_place(url), self.key_variable)
                rest = b""
                async for chunk in response.content.iter_chunked(_CHUNK_BYTES):
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        yield line
                    if len(rest) > _LARGEST_REPLY_BYTES:
                        raise _too_large(url)
                if rest:
                    yield rest

    async def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _exchange(
        self, method: str, url: URL, body: bytes | aiohttp.FormData | None, *, is_long: bool = False
    ) -> Json | ErrorReply:
        session = self._open_session()
        headers = {"Content-Type": "application/json"} if isinstance(body, bytes) else None
        with self._explaining(url):
            # A redirect is not followed: it would carry texts and key to an address nobody wrote down.
            async with session.request(
                method,
                url,
                data=body,
                headers=headers,
                allow_redirects=False,
                proxy=self._proxy,
                timeout=self._allow_long() if is_long else aiohttp.helpers.sentinel,
            ) as response:
                reply = await self._read_bounded(response)
                return self._read_answer(response, reply)

    def _allow_long(self) -> aiohttp.ClientTimeout:
        """A file may take as long as it needs, if it never falls silent."""
        return aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS, sock_read=self.timeout_seconds)

    @contextmanager
    def _explaining(self, url: URL) -> Iterator[None]:
        place = _name_place(url)
        # `from None` throughout: some of aiohttp's errors carry the request's headers, and so the key.
        try:
            yield
        except aiohttp.ConnectionTimeoutError:
            raise Unreachable(f"{place}: no connection in {_CONNECT_SECONDS:g} s") from None
        except TimeoutError:
            raise TimedOut(f"{place}: no whole answer in {self.timeout_seconds:g} s") from None
        except aiohttp.ClientConnectorCertificateError:
            remedy = "Set SSL_CERT_FILE to the certificates your network uses"
            raise InputError(f"{place}: its certificate is not trusted", remedy=remedy) from None
        except (aiohttp.InvalidURL, UnicodeError):
            # The second for names that no host can have, such as one with an empty part.
            raise InputError(f"{place} is not an address", remedy="Write http://HOST:PORT/v1") from None
        except (aiohttp.ClientError, OSError) as error:
            # In words such an error tells the whole address, or the proxy's, with the passwords in them.
            words = str(error)
            if isinstance(error, aiohttp.ClientResponseError):
                words = f"HTTP {error.status}, {error.message}"
            told = clean(self.error_secrets.redact(words)) or type(error).__name__
            kind = Unreachable if isinstance(error, aiohttp.ClientConnectorError) else BrokenOff
            raise kind(f"{place}: {told}") from None

    def _open_session(self) -> aiohttp.ClientSession:
        # Made at the first call, because a session belongs to the event loop it is made in.
        if self._session is None:
            self._session = aiohttp.ClientSession(
                headers=self.headers,
                timeout=aiohttp.ClientTimeout(
                    total=self.timeout_seconds, connect=_CONNECT_SECONDS, sock_connect=_CONNECT_SECONDS
                ),
                # No limit of its own: a call queued here would spend its connect timeout waiting in line.
                connector=aiohttp.TCPConnector(limit=0),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    async def _read_bounded(self, response: aiohttp.ClientResponse) -> bytes:
        length = response.content_length
        if length is not None and length <= _LARGEST_REPLY_BYTES and "Content-Encoding" not in response.headers:
            return await response.read()
        reply = bytearray()
        async for chunk in response.content.iter_chunked(_CHUNK_BYTES):
            reply += chunk
            if len(reply) > _LARGEST_REPLY_BYTES:
                response.close()
                raise _too_large(response.url)
        return bytes(reply)

    def _read_answer(self, response: aiohttp.ClientResponse, reply: bytes) -> Json | ErrorReply:
        if response.status >= 300:
            return read_error_reply(response.status, reply, self.error_secrets, read_retry_after(response.headers))
        try:
            value = parse_strictly(reply)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise Malformed(f"{_name_place(response.url)}: HTTP {response.status}, but the body is not a JSON object")
        if holds_torn(value):
            raise Ambiguous(f"{_name_place(response.url)}: a key appears twice in the body with different contents")
        if value.get("error"):  # gateways report what went wrong behind them under a 200
            error = value["error"]
            code = error.get("code") if isinstance(error, dict) else None
            status = code if isinstance(code, int) and 400 <= code < 600 else 502
            return read_error_reply(status, reply, self.error_secrets)
        return value


class HostedChat(ABC):
    """Writes a call and reads a completion in one API; all else about an endpoint is the same for every API.

    Structured output goes down the list of formats; what was refused is remembered for the life of the client. The name
    holds no address, so that a model keeps its name when its server moves.
    """

    wire: ClassVar[Wire]
    limits: ClassVar[tuple[str, ...]] = ("max_tokens",)
    headers: ClassVar[Mapping[str, str]] = {}

    def __init__(
        self,
        model: str,
        *,
        provider: Provider | None = None,
        base_url: str | None = None,
        key: str | None = None,
        timeout_seconds: float = 120.0,
        reasoning_effort: ReasoningEffort | None = None,
    ) -> None:
        """The provider is the one that defined the API, if none is given. Servers on one's own machine want no key."""
        settings = (provider or read_providers()[self.wire]).for_model(model)
        effort = reasoning_effort if settings.reasoning != "none" else None
        self.model = model
        self.settings = settings
        self.priced_as = f"{settings.name}:{model}"
        # Replies to one effort are not those to another.
        self.name = self.priced_as + (f"{EFFORT_MARK}{effort}" if effort else "")
        self.reasons = settings.reasons or effort is not None
        # What another server at that address caches is not known.
        self.is_own = is_own = base_url in {None, settings.base_url}
        self.shares_schema = settings.shares_schema and is_own
        self.caching: Caching = settings.caching if is_own else "none"
        self.reasoning_effort = effort
        self.context_tokens = settings.context_tokens
        url = self._build_url(read_base_url(base_url or settings.base_url))
        bearer = "Bearer " if settings.key_header == "Authorization" else ""
        headers = {**self.headers, **({settings.key_header: bearer + key} if key else {})}
        # For what else the same server offers with the same key, such as batches.
        self.connection = Endpoint(url, settings.key_variable, headers, key, timeout_seconds)

    async def complete(self, call: Call) -> Completion:
        body, request = await self.connection.ask(lambda: self.build_request(call))
        return self.read_completion(body, request)

    def read_completion(self, body: Json, request: Request) -> Completion:
        """The body of an answer to this request, however it came."""
        with reading_reply(f"{self.connection.place}: the reply"):
            read = self._read_completion(body)
        redact, model = self.connection.secrets.redact, body.get("model")
        return replace(
            read,
            text=redact(read.text),
            model=clean(redact(model))[:_LONGEST_MODEL] if isinstance(model, str) else "",
            dropped=request.dropped,
        )

    def accept(self, key: CallKey) -> None:  # noqa: B027  # the same for every API
        """Nothing is kept here."""

    async def close(self) -> None:
        await self.connection.close()

    def build_request(self, call: Call) -> Request:
        """Without what the endpoint has refused. Where it takes no format of a schema, plain words must do."""
        settings, refused = self.settings, self.connection.refused
        formats = self._list_formats() if call.schema is not None else ()
        limits = (settings.limit, *(each for each in self.limits if each != settings.limit))
        form = next((each for each in formats if each not in refused), None)
        limit = next((each for each in limits if each not in refused), limits[-1])
        wanted = {"temperature": call.temperature, settings.reasoning: self.reasoning_effort}
        options = [name for name, value in wanted.items() if value is not None]
        untaken = refused if settings.temperature else refused | {"temperature"}
        sent = replace(call, temperature=None) if "temperature" in untaken else call
        cache = self._find_cache_parameter(call)
        if cache is None or cache in refused:
            cache, sent = None, replace(sent, shared=None)
        effort = None if settings.reasoning in untaken else self.reasoning_effort
        parameters = tuple(name for name in (form, *options, limit, cache) if name and name not in untaken)
        payload = self._build_payload(sent, form, limit, effort)
        return Request(payload, parameters, tuple(name for name in (*formats, *options) if name in untaken))

    def _find_cache_parameter(self, call: Call) -> str | None:
        """What tells the endpoint's cache of prompts which beginning is shared, if it wants to be told."""
        if self.caching == "breakpoints":
            return "prompt_cache_options"
        if call.shared is None or self.caching == "none":
            return None
        if self.caching == "marked":
            return "cache_control"
        return "prompt_cache_key" if self.settings.name in _TAKES_CACHE_KEY else None

    def _build_messages(self, call: Call) -> list[Json]:
        """The last one in two blocks where the beginning that other calls share has to be marked."""
        messages: list[Json] = [{"role": message.role, "content": message.text} for message in call.messages]
        if call.shared is not None and self.caching in _MARKS:
            text = call.messages[-1].text
            shared, own = text[: call.shared.characters], text[call.shared.characters :]
            marked = {"type": "text", "text": shared, **_MARKS[self.caching]}
            messages[-1]["content"] = [marked, {"type": "text", "text": own}]
        return messages

    def _list_formats(self) -> tuple[str, ...]:
        """The ways to ask for a schema, the best first."""
        return self.settings.schema

    @staticmethod
    @abstractmethod
    def _build_url(base: URL) -> URL: ...

    @abstractmethod
    def _build_payload(self, call: Call, form: str | None, limit: str, effort: ReasoningEffort | None) -> Json:
        """The body of a request. `form` is the way to ask for the call's schema; None leaves plain words."""

    @abstractmethod
    def _read_completion(self, body: Json) -> Completion: ...


def _name_place(url: URL) -> str:
    return hide_secrets(str(url.with_query(None).with_fragment(None)))


def _too_large(url: URL) -> Malformed:
    return Malformed(f"{_name_place(url)}: the reply is over {_LARGEST_REPLY_BYTES // 1_000_000} MB")


def encode(payload: Mapping[str, object]) -> bytes:
    """Half a surrogate pair, which JSON files can smuggle into a text, goes out as a question mark."""
    try:
        return orjson.dumps(payload)
    except orjson.JSONEncodeError:
        return json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")


def find_proxy(url: URL) -> str | None:
    """The environment's, found here and not by aiohttp, which would also take passwords for the host from ~/.netrc."""
    if is_loopback(url) or proxy_bypass(url.host or ""):
        return None
    proxy = getproxies().get(url.scheme)
    # As other programs take it: a host and a port alone.
    return proxy if proxy is None or "://" in proxy else f"http://{proxy}"


def is_loopback(url: URL) -> bool:
    """This machine is asked directly: a proxy from the environment could not reach it."""
    host = url.host or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def read_base_url(text: str) -> URL:
    """An absolute http(s) address with no password in it, which would otherwise end up in messages."""
    remedy = "Write the base URL as http://HOST:PORT/v1"
    try:
        url = URL(text.strip())
    except ValueError:
        raise InputError("the base URL cannot be read", remedy=remedy) from None
    if url.user or url.password:
        raise InputError("the base URL holds a user name or a password", remedy=remedy + ", and the key as a variable")
    if url.scheme not in ("http", "https") or not url.host:
        raise InputError(f'the base URL "{hide_secrets(text)}" is not an http address', remedy=remedy)
    return url


def extend_url(url: URL, *segments: str) -> URL:
    """Appends to the path and keeps the query, where some gateways want their version."""
    trimmed = url.with_path(url.path.rstrip("/") or "/", keep_query=True)
    return trimmed.joinpath(*segments).with_query(url.query)
