"""Turns a template of ours and plain values into an answer; everything printed is escaped by the pages' environment."""

from collections.abc import Mapping
from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.responses import HTMLResponse

from assay.pages.environment import build_environment

_ADDRESSES = {
    "style_href": "/static/style.css",
    "script_href": "/static/script.js",
    "serve_style_href": "/static/serve.css",
    "serve_script_href": "/static/serve.js",
    "label_script_href": "/static/label.js",
}


def render(name: str, values: Mapping[str, object], status: int = 200) -> HTMLResponse:
    text = _environment().get_template(name).render({**_ADDRESSES, **values})
    # A lone surrogate has no place in UTF-8; the pages show it as a mark of its own, and this is the last resort.
    return HTMLResponse(text.encode("utf-8", "replace"), status)


@cache
def _environment() -> Environment:
    shared = build_environment()
    own = PackageLoader("assay.serve", "templates")
    loader = ChoiceLoader([own, shared.loader]) if shared.loader is not None else own
    return shared.overlay(loader=loader)
