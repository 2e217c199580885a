"""Access control of the live pages: Host, access key, Origin of writes, security headers, size of forms.

The texts of a run may be confidential, and any web page in the same browser can send requests to this machine.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from html import escape
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SAFE_METHODS = frozenset({"GET", "HEAD"})
MOST_BODY_BYTES = 4_000_000
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Keys:
    """New for each process. `access` opens the pages, `write` is in every form; neither is ever stored."""

    access: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    write: str = field(default_factory=lambda: secrets.token_urlsafe(24))


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
    keys: Keys
    # Whether the pages' script may send requests: only labelling saves while one types.
    saves: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
                policy = f"{_POLICY}; connect-src 'self'" if self.saves else _POLICY
                MutableHeaders(scope=message)["content-security-policy"] = policy
            await send(message)

        try:
            answer = self._check(scope)
        except Refusal as refusal:
            answer = PlainTextResponse(f"{refusal.words}\n", refusal.status)
        if answer is not None:
            await answer(scope, receive, send_guarded)
        else:
            await self.app(scope, _limit(receive), send_guarded)

    @property
    def hosts(self) -> tuple[str, ...]:
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def _check(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        # A name that an attacker points at this machine is not one of ours: that is DNS rebinding.
        if headers.getlist("host") not in [[host] for host in self.hosts]:
            raise Refusal(421, f"This server is {self.hosts[0]} and answers to no other host name.")
        if scope["method"] not in _SAFE_METHODS:
            self._check_origin(headers)
        if _same(_read_cookie(headers, self._cookie), self.keys.access):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] == "GET" and _same(dict(query).get("key", ""), self.keys.access):
            return self._admit(scope["path"], [pair for pair in query if pair[0] != "key"])
        raise Refusal(403, "Open these pages with the address that the command printed: it holds a key.")

    def _check_origin(self, headers: Headers) -> None:
        """A write must come from a page of this server.

        Our pages send no referrer, so the origin of their forms is `null`; then `Sec-Fetch-Site`, which no page can
        set, must say that the form is ours. A request without either header is refused.
        """
        origin, site = headers.get("origin", "null"), headers.get("sec-fetch-site")
        is_ours = origin in {f"http://{host}" for host in self.hosts} or (origin == "null" and site == "same-origin")
        if not is_ours or site not in {None, "same-origin"}:
            raise Refusal(403, "Only the pages of this server may change anything.")

    def _admit(self, path: str, query: list[tuple[str, str]]) -> Response:
        """Not a redirect: a strict cookie is not sent along a redirect that another site's page started."""
        address = escape("/" + quote(path).lstrip("/") + (f"?{urlencode(query)}" if query else ""), quote=True)
        head = '<!doctype html><title>Assay</title><link rel="icon" href="data:,">'
        onward = f'<meta http-equiv="refresh" content="0; url={address}"><p><a href="{address}">Continue</a></p>'
        answer = HTMLResponse(head + onward)
        answer.set_cookie(self._cookie, self.keys.access, httponly=True, samesite="strict", path="/")
        return answer

    @property
    def _cookie(self) -> str:
        # Cookies ignore ports: two servers on one machine would otherwise overwrite each other's.
        return f"assay-{self.port}"


async def read_form(request: Request, keys: Keys) -> dict[str, str]:
    """The fields of a form, if it holds the key that only our own pages know."""
    async with request.form(max_files=0, max_fields=10_000) as form:
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
    given = request.headers.get("x-assay-key") or fields.pop("key", "")
    if not _same(given, keys.write):
        raise Refusal(403, "This form belongs to another session. Reload the page and answer again.")
    return fields


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _read_cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _limit(receive: Receive) -> Receive:
    """Stops reading a body that is larger than any form."""
    seen = 0

    async def receive_limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BODY_BYTES:
            raise Refusal(413, "That is more than a form can hold.")
        return message

    return receive_limited
