"""A real server on this machine that answers as OpenAI's and Anthropic's do, from a script, with faults on demand."""

import asyncio
import random
import re
import socket
import struct
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

import orjson
from aiohttp import web

from equipment.chat_server.batches import ScriptedBatches
from equipment.chat_server.exchange import (
    Api,
    Asked,
    CacheUse,
    HttpReply,
    Reply,
    Schema,
    build_instance,
    list_forms,
    list_units,
    read_asked,
    render_reply,
)
from equipment.chat_server.faults import Fault, FaultRule, build_error, spoil_reply
from equipment.chat_server.prompt_cache import PromptCache

Script = Callable[[Asked], Reply | HttpReply | str]
_REMEMBERED_REQUESTS = 1_000
_SENTENCE = re.compile(r"^\[(S\d+\.\d+)\]", re.MULTILINE)
_BANKED = 6


def answer_by_schema(seed: int | None = None) -> Script:
    """A reply that the request's schema allows, so that any walk can run; "yes" where there is no schema.

    Every unit that the prompt asks about has a label, and a bank has six units of the first sentence that is shown.
    Otherwise it is the smallest reply. With a seed the labels vary from ask to ask, the same way every time.
    """

    def answer(asked: Asked) -> str:
        if asked.schema is None:
            return "yes"
        chance = None if seed is None else random.Random(f"{seed}:{asked.key}")  # no secret is drawn
        forms = list_forms(asked)
        if not any(forms.values()):
            return orjson.dumps(build_instance(asked.schema, chance)).decode()
        instance = {key: form and _fill(form, asked.prompt, chance) for key, form in forms.items()}
        return orjson.dumps(instance).decode()

    return answer


def _fill(form: Schema, prompt: str, chance: random.Random | None) -> Any:
    if form.get("type") == "array":
        shown = _SENTENCE.search(prompt)
        place = shown[1] if shown else ""
        entries = [build_instance(form["items"], chance) for _ in range(_BANKED)]
        return [
            {**entry, "sentences": [place], "text": f"Point {number} of {place}."}
            for number, entry in enumerate(entries, 1)
        ]
    filled = build_instance(form, chance)
    for key, part in form["properties"].items():
        if "unit" in part.get("items", {}).get("properties", {}):
            units = list_units(prompt, key)
            filled[key] = [{**build_instance(part["items"], chance), "unit": unit} for unit in units]
    return filled


class ScriptedServer:
    """Counts every call; remembers the last thousand. `base_url` serves both APIs, and `batches` where they are given.

    A `cache` is used and reported.
    """

    def __init__(
        self,
        script: Script | None = None,
        faults: Sequence[FaultRule | Fault] = (),
        *,
        delay_seconds: float = 0.0,
        port: int = 0,
        batches: ScriptedBatches | None = None,
        cache: PromptCache | None = None,
    ) -> None:
        self.calls = 0
        self._cache = cache
        self.struck: Counter[Fault] = Counter()
        self.asked: deque[Asked] = deque(maxlen=_REMEMBERED_REQUESTS)
        self._script = script or answer_by_schema()
        self._rules = [rule if isinstance(rule, FaultRule) else FaultRule(rule) for rule in faults]
        self._strikes: Counter[tuple[int, str]] = Counter()
        self._delay_seconds = delay_seconds
        self.port = port
        self.batches = batches
        self._runner: web.AppRunner | None = None
        self._closing: asyncio.Event | None = None

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def __aenter__(self) -> Self:
        self._closing = asyncio.Event()
        app = web.Application(client_max_size=300_000_000)
        app.router.add_post("/v1/chat/completions", self._answer_openai)
        app.router.add_post("/v1/messages", self._answer_anthropic)
        app.router.add_get("/v1/models", self._list_models)
        if self.batches is not None:
            self.batches.add_routes(app.router, self._answer_batched)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._closing is not None:
            self._closing.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer_openai(self, request: web.Request) -> web.Response:
        return await self._answer("openai", request)

    async def _answer_anthropic(self, request: web.Request) -> web.Response:
        return await self._answer("anthropic", request)

    async def _list_models(self, _request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def _answer(self, api: Api, request: web.Request) -> web.Response:
        asked = read_asked(api, self.calls, orjson.loads(await request.read()), request.headers)
        self.calls += 1
        self.asked.append(asked)
        use = None if self._cache is None else self._cache.look_up(asked)
        if self._delay_seconds:
            await asyncio.sleep(self._delay_seconds)
        rule = self._find_rule(asked)
        if rule is not None and rule.fault is Fault.HANG and self._closing is not None:
            await self._closing.wait()
        if rule is not None and rule.fault is Fault.RESET:
            _reset(request)
        reply = (build_error(rule, asked) if rule else None) or self._run_script(rule, asked, use)
        if self._cache is not None and reply.status == 200:
            self._cache.keep(asked)
        headers = {"Content-Type": "application/json", **reply.headers}
        return web.Response(status=reply.status, body=reply.body, headers=headers)

    def _answer_batched(self, asked: Asked) -> HttpReply:
        rule = self._find_rule(asked)
        return (build_error(rule, asked) if rule else None) or self._run_script(rule, asked, None)

    def _run_script(self, rule: FaultRule | None, asked: Asked, use: CacheUse | None) -> HttpReply:
        reply = self._script(asked)
        if isinstance(reply, HttpReply):
            return reply
        if isinstance(reply, str):
            reply = Reply(reply)
        return render_reply(asked, spoil_reply(rule.fault, asked, reply) if rule else reply, use)

    def _find_rule(self, asked: Asked) -> FaultRule | None:
        """The first rule that picks the ask; a rule that strikes once leaves the next call to the rules after it."""
        for number, rule in enumerate(self._rules):
            if rule.picks(asked, self._strikes[number, asked.key]):
                self._strikes[number, asked.key] += 1
                self.struck[rule.fault] += 1
                return rule
        return None


@contextmanager
def run_in_thread(server: ScriptedServer) -> Iterator[ScriptedServer]:
    """The server in an event loop of its own, for tests of code that is not asynchronous."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result()
        try:
            yield server
        finally:
            asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _reset(request: web.Request) -> None:
    """Drops the connection with a reset, as a crashing server does, and not with a polite end."""
    transport = request.transport
    if transport is not None:
        linger_none = struct.pack("ii", 1, 0)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger_none)
        transport.abort()
