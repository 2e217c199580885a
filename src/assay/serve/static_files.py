"""The style and scripts of the pages, by name; nothing else of the disk can be asked for."""

from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from assay.pages.assets import read_script, read_style

_KINDS = {"css": "text/css", "js": "text/javascript"}


def list_static_routes() -> list[Route]:
    return [Route("/static/{name}", _show, methods=["GET"])]


def _show(request: Request) -> Response:
    name = request.path_params["name"]
    content = _read_all().get(name)
    if content is None:
        return PlainTextResponse("There is no such file.\n", 404)
    return Response(content, media_type=_KINDS[name.rpartition(".")[2]])


@cache
def _read_all() -> dict[str, str]:
    folder = files("assay.serve") / "static"
    own = {name: (folder / name).read_text(encoding="utf-8") for name in ("serve.css", "serve.js", "label.js")}
    return {"style.css": read_style(), "script.js": read_script(), **own}
