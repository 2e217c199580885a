"""Serves an application to this machine alone, and opens a browser on it."""

import errno
import os
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from assay.errors import InputError
from assay.serve.guard import Keys

LOOPBACK = "127.0.0.1"
_PORT, _TRIES = 8765, 20


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


@dataclass(frozen=True, slots=True)
class Door:
    """Where the pages are to be found, and whether a browser is opened on them. No port means one that is free."""

    port: int | None = None
    path: str = "/"
    opens: bool = True


def serve(build: Callable[[int, Keys], ASGIApp], door: Door, say: Callable[[str], None]) -> None:
    """Until it is interrupted. The key in the address is the only way in: others may have accounts here too."""
    keys = Keys()
    with listen(door.port) as taken:
        number = taken.getsockname()[1]
        address = f"http://{LOOPBACK}:{number}{door.path}?key={keys.access}"
        say(f"Pages: {address}\nCtrl-C ends them.")
        application = build(number, keys)
        config = uvicorn.Config(
            application,
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        with tempfile.TemporaryDirectory() as folder:
            if door.opens and _has_browser():
                _open(address, Path(folder))
            with suppress(KeyboardInterrupt):
                uvicorn.Server(config).run(sockets=[taken])


def _has_browser() -> bool:
    """A text browser would take over the terminal that the address is printed on."""
    return sys.platform in {"darwin", "win32"} or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _open(address: str, folder: Path) -> None:
    """By way of a file that only its owner can read: every user of a machine sees what programs are started with."""
    page = folder / "assay.html"
    target = escape(address, quote=True)
    page.touch(mode=0o600)
    page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={target}">', encoding="utf-8")
    webbrowser.open(page.as_uri())
