"""An application from its pages: guarded, and with a sentence for whatever goes wrong."""

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from assay.errors import InputError
from assay.serve.guard import Guard, Keys, Refusal
from assay.serve.rendering import render
from assay.serve.static_files import list_static_routes
from assay.store.faults import StoreError


def build_application(pages: Sequence[Route], port: int, keys: Keys, *, saves: bool = False) -> ASGIApp:
    handlers = {
        InputError: _explain_input,
        StoreError: _explain_store,
        Refusal: _explain_refusal,
        HTTPException: _explain_http,
    }
    inner = Starlette(routes=[*pages, *list_static_routes()], exception_handlers=handlers)  # type: ignore[arg-type]  # each takes its own error
    return Guard(inner, port, keys, saves)


def _explain_input(_request: Request, error: InputError) -> Response:
    return render("problem.html", {"title": "Not found", "words": str(error)}, 404)


def _explain_store(_request: Request, error: StoreError) -> Response:
    return render("problem.html", {"title": "The store can't be read", "words": str(error)}, 503)


def _explain_refusal(_request: Request, refusal: Refusal) -> Response:
    return render("problem.html", {"title": "Refused", "words": refusal.words}, refusal.status)


def _explain_http(_request: Request, error: HTTPException) -> Response:
    words = {404: "There is no such page.", 405: "This page takes no such request."}
    said = words.get(error.status_code, "That can't be read, or is more than a form can hold.")
    return render(
        "problem.html",
        {"title": "Not found" if error.status_code == 404 else "Refused", "words": said},
        error.status_code,
    )
