"""Access control of the live pages: Host, access key, Origin of writes, security headers, size of forms.

The texts of a run may be confidential, and any web page in the same browser can send requests to this machine. The key
is the first segment of every path. A cookie would not do: browsers send it to every port of a host, and so to any other
server on this machine.
"""

import hmac
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SAFE_METHODS = frozenset({"GET", "HEAD"})
MOST_BODY_BYTES = 4_000_000
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Keys:
    """New for each process and person. `access` opens the pages, `write` is in every form; neither is ever stored."""

    person: str = ""
    access: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    write: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def root(self) -> str:
        """What every path of the pages starts with."""
        return f"/{self.access}"


class Refusal(Exception):  # noqa: N818  # what happened, said by its name
    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


@dataclass(frozen=True, slots=True)
class AccessGuard:
    """Wraps the application: checks every request, and sets the headers of every response."""

    app: ASGIApp
    port: int
    keys: Sequence[Keys]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        try:
            keys = self._check(scope)
        except Refusal as refusal:
            await PlainTextResponse(f"{refusal.words}\n", refusal.status)(scope, receive, send_guarded)
        else:
            await self.app({**scope, "root_path": keys.root, "keys": keys}, _limit(receive), send_guarded)

    @property
    def hosts(self) -> tuple[str, ...]:
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def _check(self, scope: Scope) -> Keys:
        """The keys of whoever sends the request."""
        headers = Headers(scope=scope)
        # A name that an attacker points at this machine is not one of ours: that is DNS rebinding.
        if headers.getlist("host") not in [[host] for host in self.hosts]:
            raise Refusal(421, f"This server is {self.hosts[0]} and answers to no other host name.")
        given = scope["path"].removeprefix("/").partition("/")[0]
        found = [keys for keys in self.keys if _same(given, keys.access)]
        if not found:
            raise Refusal(403, "Open these pages with the address that the command printed: it holds a key.")
        if scope["method"] not in _SAFE_METHODS:
            self._check_origin(headers)
        return found[0]

    def _check_origin(self, headers: Headers) -> None:
        """A write must come from a page of this server.

        Our pages send no referrer, so the origin of their forms is `null`; then `Sec-Fetch-Site`, which no page can
        set, must say that the form is ours. A request without either header is refused.
        """
        origin, site = headers.get("origin", "null"), headers.get("sec-fetch-site")
        is_ours = origin in {f"http://{host}" for host in self.hosts} or (origin == "null" and site == "same-origin")
        if not is_ours or site not in {None, "same-origin"}:
            raise Refusal(403, "Only the pages of this server may change anything.")


def find_keys(request: Request) -> Keys:
    """Those with which the page was opened."""
    found: Keys = request.scope["keys"]
    return found


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form, if it holds the key that only our own pages know."""
    async with request.form(max_files=0, max_fields=100) as form:
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
    if not _same(fields.pop("key", ""), find_keys(request).write):
        raise Refusal(403, "This form belongs to another session. Reload the page and answer again.")
    return fields


def accept(act: Callable[[Request, Mapping[str, str]], Response]) -> Callable[[Request], Awaitable[Response]]:
    """A page that takes a form: `act` gets its fields."""

    async def read(request: Request) -> Response:
        return await run_in_threadpool(act, request, await read_form(request))

    return read


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _limit(receive: Receive) -> Receive:
    """Stops reading a body that is larger than any form."""
    seen = 0

    async def receive_limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BODY_BYTES:
            raise Refusal(413, "The form is too large.")
        return message

    return receive_limited
