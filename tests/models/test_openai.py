import json
from dataclasses import replace
from functools import partial

import asking
import pytest
from asking import refuse

from assay import errors
from assay.models.chat import Message, Usage
from assay.models.openai import OpenAIChat
from equipment.chat_server.exchange import HttpReply
from equipment.chat_server.faults import Fault, FaultRule

ask = partial(asking.ask, OpenAIChat)


def reply_with(choice, **more):
    body = {"choices": [choice], "model": "small-2024", **more}
    return lambda _asked: HttpReply(200, json.dumps(body).encode())


def test_a_call_is_written_as_the_api_wants_it(call):
    _, [asked] = ask(call, key="sk-abcdef")
    assert asked.body["messages"] == [
        {"role": "system", "content": "You label claims."},
        {"role": "user", "content": "Claim: the tea is green."},
    ]
    assert asked.body["max_tokens"] == 200
    assert asked.body["temperature"] == 0.0
    assert asked.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": call.schema},
    }
    assert asked.headers["Authorization"] == "Bearer sk-abcdef"


def test_a_server_that_wants_no_key_gets_none(call):
    _, [asked] = ask(call)
    assert "Authorization" not in asked.headers


def test_a_refused_schema_becomes_a_json_object_and_stays_one(call):
    def only_objects(asked):
        if asked.body["response_format"]["type"] == "json_schema":
            return HttpReply(400, b'{"error": {"message": "This response_format type is unavailable now"}}')
        return '{"label": "absent"}'

    completions, asked = ask(call, script=only_objects, times=2)
    assert [one.body["response_format"]["type"] for one in asked] == ["json_schema", "json_object", "json_object"]
    assert {completion.dropped for completion in completions} == {("json_schema",)}


def test_a_refused_limit_is_renamed_not_dropped(call):
    [completion], asked = ask(call, faults=[FaultRule(Fault.REJECTS_MAX_TOKENS, always=True)])
    assert asked[-1].body["max_completion_tokens"] == call.max_tokens
    assert "max_tokens" not in asked[-1].body
    assert completion.dropped == ()


def test_a_limit_that_is_too_large_is_not_renamed(call):
    message = b'{"error": {"message": "max_tokens is too large: this model writes at most 100", "param": "max_tokens"}}'
    [error], _ = ask(call, script=lambda _asked: HttpReply(400, message))
    assert isinstance(error, errors.Rejected)
    assert "too large" in str(error)


def test_a_reasoning_models_reasoning_is_not_its_answer(call):
    message = {"content": '{"label": "absent"}', "reasoning_content": "Let me think: supported?", "reasoning": "hm"}
    [completion], _ = ask(call, script=reply_with({"message": message, "finish_reason": "stop"}))
    assert completion.text == '{"label": "absent"}'


@pytest.mark.parametrize(
    ("model", "limit"),
    [
        ("o3-mini", "max_completion_tokens"),
        ("openai/gpt-5", "max_completion_tokens"),
        ("deepseek-r1", "max_tokens"),
        ("gpt-4o", "max_tokens"),
    ],
)
def test_openais_reasoning_models_get_the_newer_limit(call, model, limit):
    _, [asked] = ask(call, model=model)
    assert [name for name in asked.body if name.endswith("tokens")] == [limit]


def test_a_newer_limit_that_is_refused_becomes_the_older_one(call):
    only_older = refuse("max_completion_tokens", "Unrecognized request argument: max_completion_tokens")
    _, asked = ask(call, model="o3", script=only_older)
    assert asked[-1].body["max_tokens"] == call.max_tokens
    assert len(asked) == 2


def test_an_effort_is_sent_and_is_part_of_the_name(call):
    _, [asked] = ask(call, reasoning_effort="low")
    assert asked.body["reasoning_effort"] == "low"
    chat = OpenAIChat("small", reasoning_effort="low")
    assert (chat.name, chat.priced_as, chat.reasons) == ("openai:small/reasoning-low", "openai:small", True)


def test_an_effort_that_is_refused_is_left_out_and_told(call):
    no_effort = refuse("reasoning_effort", "Unrecognized request argument: reasoning_effort")
    [completion], _ = ask(call, script=no_effort, reasoning_effort="high")
    assert completion.dropped == ("reasoning_effort",)


def test_text_in_parts_is_put_together(call):
    parts = [{"type": "text", "text": "one "}, {"type": "image"}, {"type": "text", "text": "two"}]
    [completion], _ = ask(call, script=reply_with({"message": {"content": parts}, "finish_reason": "stop"}))
    assert completion.text == "one two"


def test_what_the_endpoint_counted_and_which_model_answered_are_kept(call):
    usage = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
    script = reply_with({"message": {"content": "x"}, "finish_reason": "stop"}, usage=usage)
    [completion], _ = ask(call, script=script)
    assert completion.usage == Usage(12, 3)
    assert completion.model == "small-2024"


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "12"}, [], {"prompt_tokens": 0, "completion_tokens": 3}])
def test_usage_that_was_not_counted_is_none(call, usage):
    script = reply_with({"message": {"content": "x"}, "finish_reason": "stop"}, usage=usage)
    [completion], _ = ask(call, script=script)
    assert completion.usage is None


def test_turns_keep_their_order(call):
    turns = (Message("user", "a"), Message("assistant", "b"), Message("user", "c"))
    _, [asked] = ask(replace(call, messages=turns))
    assert [turn["role"] for turn in asked.body["messages"]] == ["user", "assistant", "user"]


@pytest.mark.parametrize(
    ("base_url", "address"),
    [
        ("http://host:8000", "http://host:8000/v1/chat/completions"),
        ("http://host:8000/", "http://host:8000/v1/chat/completions"),
        ("http://host:8000/v1/", "http://host:8000/v1/chat/completions"),
        ("https://host/api/openai", "https://host/api/openai/chat/completions"),
        ("https://host/v1?api-version=7", "https://host/v1/chat/completions?api-version=7"),
    ],
)
def test_a_base_url_leads_to_the_chat_address(base_url, address):
    assert str(OpenAIChat("m", base_url=base_url).connection.url) == address


def test_a_query_of_the_address_is_not_told():
    assert "7" not in OpenAIChat("m", base_url="https://host/v1?token=7").connection.place


@pytest.mark.parametrize("base_url", ["host:8000/v1", "ftp://host", "http://", "", "http://user:pass@host/v1"])
def test_an_address_that_cannot_be_asked_is_an_input_error(base_url):
    with pytest.raises(errors.InputError) as caught:
        OpenAIChat("m", base_url=base_url or " ")
    assert "pass@" not in str(caught.value)
    assert "http://HOST:PORT/v1" in str(caught.value)


@pytest.mark.parametrize(("status", "overloaded"), [(500, False), (502, False), (503, True), (529, True)])
def test_an_endpoint_that_is_up_and_overloaded_says_so(call, status, overloaded):
    [error], _ = ask(call, script=lambda _asked: HttpReply(status, b"{}"))
    assert (type(error), error.overloaded) == (errors.Unreachable, overloaded)
