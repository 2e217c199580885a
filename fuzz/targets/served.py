"""The live pages: any address, header and form is answered by a page, a way on or a sentence."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote_plus, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Message, Scope

from assay.cli.demo import judge_example
from assay.errors import InputError
from assay.packs import list_packs
from assay.store.store import Store
from assay.web.app import STATIC, respond
from assay.web.guard import AccessGuard, Keys, Refusal, read_form
from assay.web.labelling import LabelPages, Task
from assay.web.library import Library
from assay.web.reading import ViewPages
from fuzz.choices import Choices, as_text
from fuzz.rules import finish, hold, is_utf_8
from fuzz.targets.exchange_seeds import FIELDS, KINDS, PAGE_WORDS, PATHS, REQUEST_HEADERS
from fuzz.targets.pages import Parsed

PORT = 8765
KEYS = Keys("ann", "planted-access-key", "planted-write-key")
_WAYS_ON = re.compile(r"/(?![/\\])")


@dataclass(frozen=True, slots=True)
class _House:
    """A store with runs of two rubrics."""

    store: Store
    library: Library
    run: str

    def label_pages(self) -> LabelPages:
        return LabelPages(self.library, Task(self.store.find_run(self.run)))

    def forget_labels(self) -> None:
        with self.store.labels.database.alone() as connection:
            connection.execute("DELETE FROM labels WHERE is_person = 1")
            connection.execute("DELETE FROM finished_people")


@cache
def _house() -> _House:
    # In no file: the engine ends its process without a chance to tidy up.
    store = Store(":memory:")
    packs = list_packs()
    judge_example(packs["article-audit"], scripted=True, store=store)
    judged = judge_example(packs["trial-eligibility"], scripted=True, store=store)
    return _House(store, Library(store), judged[0].run)


def check_address(data: bytes) -> None:
    """Every page under any path and query."""
    choices = Choices(data)
    path = _read_path(choices)
    request = Request(_build_scope("GET", path, _read_pairs(choices), []))
    house = _house()
    pages = [*ViewPages(house.library).routes(), *house.label_pages().routes(), STATIC]
    for route in pages:
        match, found = route.matches(request.scope)
        if match is Match.FULL and route.methods is not None and "GET" in route.methods:
            _hold_answer(_answer(request, lambda: route.endpoint(Request({**request.scope, **found}))))  # noqa: B023 - called at once


def check_form(data: bytes) -> None:
    """What is said about a record, by a form or by anything else that is sent there."""
    choices = Choices(data)
    way = choices.number(3)
    path = ("/done", "/label/undo")[way] if way < 2 else f"/label/{choices.number(20)}/{choices.number(20)}"
    kind = choices.pick(KINDS)
    body = choices.bytes() if choices.number(2) else _read_pairs(choices)
    house = _house()
    pages = house.label_pages()
    act = (pages.say_done, pages.undo, pages.answer)[way]
    request = Request(_build_scope("POST", path, b"", [(b"content-type", kind.encode())]), _send_once(body))
    (found,) = [
        found for route in pages.routes() for match, found in [route.matches(request.scope)] if match is Match.FULL
    ]
    asked = Request({**request.scope, **found}, _send_once(body))
    # Past the thread that a server keeps it in.
    _hold_answer(_answer(asked, lambda: act(asked, finish(read_form(asked)))))
    said = house.store.labels.all(house.run)
    has_key = KEYS.write in as_text(body) + unquote(as_text(body))
    hold(has_key or not (said or house.store.labels.finished(house.run)), "kept without a key")
    hold(all(each.person == KEYS.person and each.label for each in said), f"{said} says nothing")
    house.forget_labels()


def check_guard(data: bytes) -> None:
    """Nobody comes in without the key, from another host, or with a form of another page."""
    choices = Choices(data)
    method = choices.pick(("GET", "POST", "HEAD", "PUT"))
    headers: list[tuple[bytes, bytes]] = [(b"host", f"127.0.0.1:{PORT}".encode())] if choices.number(2) else []
    headers += [(choices.pick(REQUEST_HEADERS).encode(), choices.bytes()) for _ in range(choices.number(5))]
    path = (KEYS.root if choices.number(2) else "") + as_text(choices.bytes())
    scope = _build_scope(method, path, _read_pairs(choices), headers)
    guard = AccessGuard(_nothing, PORT, [KEYS])
    try:
        guard._check(scope)  # noqa: SLF001 - the rule itself
    except Refusal as refusal:
        hold(400 <= refusal.status < 500 and refusal.words.strip(), f"{refusal.status}")
        return
    hold(KEYS.access in path, "let in without the key")
    hold(
        [value.decode("latin-1") for name, value in headers if name == b"host"] in [[host] for host in guard.hosts], ""
    )
    hold(method in {"GET", "HEAD"} or b"origin" in dict(headers) or b"sec-fetch-site" in dict(headers), "no origin")


async def _nothing(*_asked: object) -> None:
    """No application behind the guard."""


def _word(choices: Choices) -> str:
    word = choices.text()[:200] if choices.number(4) == 3 else choices.pick(PAGE_WORDS)
    return word.encode("utf-8", "replace").decode().replace("/", "")


def _read_path(choices: Choices) -> str:
    pattern = choices.pick(PATHS)
    return pattern.format(*(_word(choices) for _ in range(pattern.count("{}"))))


def _read_pairs(choices: Choices) -> bytes:
    """A query or a form: names that the pages know with any values, or any bytes."""
    if choices.number(8) == 7:
        return choices.bytes()
    pairs = []
    for _ in range(choices.number(6)):
        name = choices.pick(FIELDS)
        value = choices.text()[:700] if choices.number(3) == 2 else choices.pick((*PAGE_WORDS, KEYS.access, KEYS.write))
        pairs.append(f"{name}={quote_plus(value.encode('utf-8', 'surrogatepass'))}")
    return "&".join(pairs).encode()


def _build_scope(method: str, path: str, query: bytes, headers: list[tuple[bytes, bytes]]) -> Scope:
    """As the server hands it on: the path decoded, all else as it came."""
    return {
        "type": "http", "http_version": "1.1", "method": method, "path": path.encode("utf-8", "replace").decode(),
        "raw_path": b"", "root_path": "", "scheme": "http", "query_string": query, "headers": headers,
        "server": ("127.0.0.1", PORT), "client": ("127.0.0.1", 1), "app": None, "keys": KEYS,
    }  # fmt: skip


def _send_once(body: bytes) -> Any:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _answer(request: Request, show: Any) -> Response:
    """As the application answers: what is declared becomes a sentence, and nothing else may come up."""
    try:
        answer: Response = show()
    except InputError as error:
        return respond(request, "problem.html", 404, title="Not found", words=str(error))
    except Refusal as refusal:
        return respond(request, "problem.html", refusal.status, title="Refused", words=refusal.words)
    except HTTPException as error:
        return respond(request, "problem.html", error.status_code, title="Refused", words="That can't be read.")
    return answer


def _hold_answer(answer: Response) -> None:
    hold(200 <= answer.status_code < 600, f"{answer.status_code}")
    onward = answer.headers.get("location")
    hold(onward is None or _WAYS_ON.match(onward), f"a way to {onward}")
    hold(all("\n" not in value and "\r" not in value for value in answer.headers.values()), "a header of two lines")
    page = bytes(answer.body).decode("utf-8", "surrogateescape")
    hold(is_utf_8(page), "a page that is not UTF-8")
    if answer.media_type == "text/html":
        parsed = Parsed(page)
        markup = {kind for kind in parsed.kinds if any("zz" in name for name in kind)}
        hold(not markup, f"markup from a request: {markup}")
        hold(not parsed.open, f"left open: {parsed.open}")
        hold(all(link.startswith(("/", "#", "?", "data:,")) for link in parsed.links), f"links: {parsed.links}")
        hold(not any(link.startswith("//") for link in parsed.links), f"links: {parsed.links}")
