"""`assay view`: the runs in a store as web pages, for a browser on this machine."""

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from assay.cli.main import DONE
from assay.cli.stores import STORE, open_for_looking
from assay.errors import InputError

PORT = click.option("--port", type=click.IntRange(1, 65535), help="The port on 127.0.0.1; by default one that is free.")
NO_OPEN = click.option("--no-open", is_flag=True, help="Only print the address; open no browser.")


@click.command(epilog="Example: assay view --port 8765")
@STORE
@PORT
@NO_OPEN
def view(store: Path, port: int | None, *, no_open: bool) -> int:
    """Show runs, records and comparisons in a browser. The pages are on 127.0.0.1 and need the key in their address."""
    require_pages()
    from assay.web.app import ServerOptions, build_application, serve
    from assay.web.library import Library
    from assay.web.reading import ViewPages

    opened = open_for_looking(store)
    try:
        routes = ViewPages(Library(opened)).routes()
        options = ServerOptions(port, opens=not no_open)
        serve(lambda number, keys: build_application(routes, number, keys), options, say)
    finally:
        opened.close()
    return DONE


def require_pages() -> None:
    absent = [name for name in ("starlette", "uvicorn", "python_multipart") if find_spec(name) is None]
    if absent:
        message = f"the pages need {', '.join(absent)}, not installed here"
        raise InputError(message, remedy="Install what is missing with: pip install 'assay[view]'")


def say(words: str) -> None:
    print(words, file=sys.stderr)
