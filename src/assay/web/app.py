"""The web application: rendering responses, explaining errors, static files, and serving on 127.0.0.1."""

import errno
import os
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from assay.errors import InputError
from assay.store.faults import StoreError
from assay.store.runs import RunRow
from assay.web.guard import AccessGuard, Keys, Refusal, find_keys
from assay.web.lists import parse_digits
from assay.web.rendering import build_environment, read_assets

LOOPBACK = "127.0.0.1"
_PORT, _TRIES = 8765, 20
_KINDS = {"css": "text/css", "js": "text/javascript"}


def respond(request: Request, template: str, status: int = 200, /, **values: object) -> HTMLResponse:
    """A page. Its links begin with the request's `root`, which holds the access key; forms need the `key` of writes.

    Those about a `run` begin with `base`.
    """
    keys, root = find_keys(request), find_root(request)
    known = {"root": root, "key": keys.write, "person": keys.person}
    if isinstance(run := values.get("run"), RunRow):
        known["base"] = f"{root}/runs/{quote(run.id)}"
    text = build_environment().get_template(template).render(known | values)
    # A lone surrogate can't be encoded; the environment already replaces it, this is the last resort.
    return HTMLResponse(text.encode("utf-8", "replace"), status)


def redirect(request: Request, path: str) -> RedirectResponse:
    """To another of our pages, after a form was accepted."""
    return RedirectResponse(f"{find_root(request)}{path}", 303)


def find_root(request: Request) -> str:
    """What the path of every link and redirect begins with."""
    return str(request.scope.get("root_path", ""))


def find_number(request: Request, name: str) -> int:
    """A number in the path. Raises InputError where it is none, or too long for any list."""
    given = str(request.path_params[name])
    number = parse_digits(given)
    if number is None:
        raise InputError(
            f"{given[:40]!r} is not the number of a record or question", remedy="Go back to the first page."
        )
    return number


def build_application(pages: Sequence[Route], port: int, keys: Sequence[Keys]) -> ASGIApp:
    handlers = {
        InputError: lambda request, error: _explain(request, "Not found", str(error), 404),
        StoreError: lambda request, error: _explain(request, "The store can't be read", str(error), 503),
        Refusal: lambda request, refusal: _explain(request, "Refused", refusal.words, refusal.status),
        HTTPException: _explain_http,
    }
    return AccessGuard(Starlette(routes=[*pages, STATIC], exception_handlers=handlers), port, keys)


def _explain(request: Request, title: str, words: str, status: int) -> Response:
    return respond(request, "problem.html", status, title=title, words=words)


def _explain_http(request: Request, error: HTTPException) -> Response:
    words = {404: "There is no such page.", 405: "This page does not accept such a request."}
    said = words.get(error.status_code, "The request can't be read, or is too large.")
    return _explain(request, "Not found" if error.status_code == 404 else "Refused", said, error.status_code)


def _show_asset(request: Request) -> Response:
    name = request.path_params["name"]
    content = read_assets().get(name)
    if content is None:
        return PlainTextResponse("There is no such file.\n", 404)
    return Response(content, media_type=_KINDS[name.rpartition(".")[2]])


STATIC = Route("/static/{name}", _show_asset, methods=["GET"])


def listen(port: int | None) -> socket.socket:
    """On the port that is asked for, else on the first free one; never on an address that others can reach."""
    for number in [port] if port is not None else [*range(_PORT, _PORT + _TRIES), 0]:
        taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name == "posix":
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind((LOOPBACK, number))
        except OSError as error:
            taken.close()
            if port is not None or error.errno not in {errno.EADDRINUSE, errno.EACCES}:
                remedy = "Write another --port, or leave it out for one that is free."
                raise InputError(f"port {number} can't be used ({error.strerror})", remedy=remedy) from None
            continue
        taken.listen(128)
        return taken
    raise InputError("no port is free", remedy="End another program that serves pages.")


def serve(
    pages: Sequence[Route], port: int | None = None, people: Sequence[str] = ("",), *, opens_browser: bool = True
) -> None:
    """Serves until it is interrupted, on a free port unless one is given. Each person has an address of their own.

    The key in the address is the only way in: other people may have accounts here.
    """
    keys = [Keys(person) for person in people]
    with listen(port) as taken:
        number = taken.getsockname()[1]
        addresses = [f"http://{LOOPBACK}:{number}{each.root}/" for each in keys]
        for each, address in zip(keys, addresses, strict=True):
            print(f"{each.person or 'Pages'}: {address}", file=sys.stderr)  # noqa: T201  # the address to open
        print("Press Ctrl-C to stop.", file=sys.stderr)  # noqa: T201
        config = uvicorn.Config(
            build_application(pages, number, keys),
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        with tempfile.TemporaryDirectory() as folder:
            # Of several addresses each is for another person.
            if opens_browser and len(addresses) == 1 and _has_browser():
                _open(addresses[0], Path(folder))
            with suppress(KeyboardInterrupt):
                uvicorn.Server(config).run(sockets=[taken])


def _has_browser() -> bool:
    """A text browser would take over the terminal that the address is printed on."""
    return sys.platform in {"darwin", "win32"} or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _open(address: str, folder: Path) -> None:
    """By way of a file that only its owner can read: every user of a machine can see the arguments of programs."""
    page = folder / "assay.html"
    target = escape(address, quote=True)
    page.touch(mode=0o600)
    page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={target}">', encoding="utf-8")
    webbrowser.open(page.as_uri())
