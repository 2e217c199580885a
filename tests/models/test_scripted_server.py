import ast
import asyncio
import json

import aiohttp
import pytest

from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer

SCHEMA = {
    "type": "object",
    "properties": {"label": {"enum": ["supported", "partial", "absent"]}, "note": {"type": "string"}},
    "required": ["label", "note"],
}


def body(text, schema=SCHEMA):
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}
    return {"model": "m", "messages": [{"role": "user", "content": text}], "response_format": form}


def post(server_arguments, bodies):
    """What a server answers to plain HTTP, as (status, body) pairs, and the server."""

    async def run():
        async with ScriptedServer(**server_arguments) as server, aiohttp.ClientSession() as session:
            answers = []
            for one in bodies:
                async with session.post(f"{server.base_url}/chat/completions", json=one) as response:
                    answers.append((response.status, await response.json(content_type=None)))
            return answers, server

    return asyncio.run(run())


def text_of(answer):
    return answer[1]["choices"][0]["message"]["content"]


def test_a_fault_strikes_each_ask_once_or_always_where_its_words_stand():
    answers, server = post({"faults": [Fault.SERVER_ERROR]}, [body("one"), body("one"), body("two"), body("two")])
    assert [status for status, _ in answers] == [500, 200, 500, 200]
    assert server.struck[Fault.SERVER_ERROR] == 2
    rule = FaultRule(Fault.SERVER_ERROR, always=True, containing="tea")
    answers, _ = post({"faults": [rule]}, [body("tea"), body("tea"), body("coffee")])
    assert [status for status, _ in answers] == [500, 500, 200]


def test_a_share_of_asks_is_struck_the_same_whatever_their_order():
    asks = [body(f"claim {number}") for number in range(100)]
    rule = FaultRule(Fault.SERVER_ERROR, share=0.3, seed=7)
    forward, server = post({"faults": [rule]}, asks)
    backward, _ = post({"faults": [rule]}, asks[::-1])
    assert [status for status, _ in forward] == [status for status, _ in backward][::-1]
    assert 15 <= server.struck[Fault.SERVER_ERROR] <= 45


def test_a_sloppy_reply_is_no_json_yet_holds_the_same_value():
    schema = {
        "type": "object",
        "properties": {"note": {"enum": ['it\'s "so"\n']}, "n": {"enum": [[1, {"a": None}]]}},
        "required": ["note", "n"],
    }
    [answer], _ = post({"faults": [Fault.SLOPPY]}, [body("one", schema)])
    sloppy = text_of(answer)
    inner = sloppy[sloppy.index("{") : sloppy.rindex("}") + 1]
    with pytest.raises(json.JSONDecodeError):
        json.loads(inner)
    assert ast.literal_eval(inner) == {"note": 'it\'s "so"\n', "n": [1, {"a": None}]}
