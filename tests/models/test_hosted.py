"""What holds for a chat behind any API."""

import asyncio
import json
import socket
from dataclasses import replace
from functools import partial

import asking
import pytest

from assay import errors
from assay.models.anthropic import AnthropicChat
from assay.models.openai import OpenAIChat
from assay.models.providers import FORMATS
from equipment.chat_server.exchange import HttpReply, Reply, render_reply
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer

KEY = "sk-secret-0123456789abcdef"
SHORT_SECONDS = 0.6

both = pytest.mark.parametrize("chat_class", [OpenAIChat, AnthropicChat])


ask = partial(asking.ask, key=KEY)


@both
def test_a_schema_is_answered_with_text_that_satisfies_it(chat_class, call):
    [completion], asked = ask(chat_class, call)
    assert json.loads(completion.text) == {"label": "supported", "grade": 1, "quotes": ["…", "…"]}
    assert completion.finish_reason == "stop"
    assert completion.model == "scripted"
    assert completion.usage is not None
    assert completion.usage.prompt_tokens > 0
    assert completion.dropped == ()
    assert len(asked) == 1


@both
def test_nothing_is_sent_that_was_not_asked_for(chat_class, call):
    _, asked = ask(chat_class, replace(call, schema=None, temperature=None))
    assert set(asked[0].body) <= {"model", "messages", "system", "max_tokens"}
    assert "a-17" not in json.dumps(asked[0].body), "the key of a call stays at home"


@both
@pytest.mark.parametrize(
    ("fault", "kind", "status", "retry_helps"),
    [
        (Fault.RATE_LIMITED, errors.RateLimited, "unreachable", True),
        (Fault.SERVER_ERROR, errors.Unreachable, "unreachable", True),
        (Fault.OVERLOADED, errors.Unreachable, "unreachable", True),
        (Fault.RESET, errors.BrokenOff, "unreachable", True),
        (Fault.HANG, errors.TimedOut, "timed_out", True),
        (Fault.GARBAGE, errors.Malformed, "malformed", True),
        (Fault.TOO_LONG, errors.TooLong, "too_long", False),
    ],
)
def test_a_fault_of_the_endpoint_is_a_judge_error(chat_class, call, fault, kind, status, retry_helps):
    [error, after], asked = ask(chat_class, call, [fault], times=2, timeout_seconds=SHORT_SECONDS)
    assert type(error) is kind
    assert (error.status, error.retry_helps) == (status, retry_helps)
    assert len(asked) == 2, "no retry happens in here"
    assert not isinstance(after, Exception), "the chat still works after the fault"


@both
@pytest.mark.parametrize(
    ("fault", "kind"), [(Fault.BAD_KEY, errors.KeyRefused), (Fault.UNKNOWN_MODEL, errors.UnknownModel)]
)
def test_a_refused_key_or_an_unknown_model_is_the_users_to_fix(chat_class, call, fault, kind):
    [error], _ = ask(chat_class, call, [fault])
    assert type(error) is kind
    assert error.remedy


@both
@pytest.mark.parametrize(
    ("fault", "finish_reason", "check"),
    [
        (Fault.CUT, "length", lambda text: 0 < len(text) < 40),
        (Fault.EMPTY, "stop", lambda text: text == ""),
        (Fault.REFUSAL, "refusal", lambda text: "sorry" in text),
        (Fault.FENCED, "stop", lambda text: text.startswith("```json")),
        (Fault.SLOPPY, "stop", lambda text: "'label': 'supported', " in text),
        (Fault.OUT_OF_RANGE, "stop", lambda text: json.loads(text)["grade"] == 6),
    ],
)
def test_a_fault_of_the_model_is_a_completion_with_its_text_kept(chat_class, call, fault, finish_reason, check):
    [completion], _ = ask(chat_class, call, [fault])
    assert completion.finish_reason == finish_reason
    assert check(completion.text), completion.text


@both
def test_a_whole_call_has_a_deadline(chat_class, call):
    [error], _ = ask(chat_class, call, [Fault.HANG], timeout_seconds=0.2)
    assert "no whole answer in 0.2 s" in str(error)


@both
def test_how_long_to_wait_is_carried(chat_class, call):
    [error], _ = ask(chat_class, call, [FaultRule(Fault.RATE_LIMITED, retry_after_seconds=7)])
    assert error.retry_after_seconds == 7.0


@both
def test_a_rejected_temperature_is_dropped_once_and_for_all(chat_class, call):
    [first, second], asked = ask(chat_class, call, [FaultRule(Fault.REJECTS_TEMPERATURE, always=True)], times=2)
    assert first.dropped == second.dropped == ("temperature",)
    assert len(asked) == 3
    assert ["temperature" in each.body for each in asked] == [True, False, False]


@both
def test_all_rungs_refused_leave_plain_words(chat_class, call):
    def refuse_any_shape(asked):
        shaped = {"response_format", "tools", "output_config"} & set(asked.body)
        if shaped:
            return HttpReply(400, b'{"error": {"message": "%s is not supported"}}' % shaped.pop().encode())
        return "supported"

    [first, second], asked = ask(chat_class, call, script=refuse_any_shape, times=2)
    assert first.text == second.text == "supported"
    assert first.dropped == FORMATS[chat_class.wire]
    assert len(asked) == 4


@both
def test_concurrent_first_calls_each_learn_and_none_loops(chat_class, call):
    async def run():
        faults = [FaultRule(fault, always=True) for fault in (Fault.REJECTS_TEMPERATURE, Fault.REJECTS_SCHEMA)]
        async with ScriptedServer(faults=faults, delay_seconds=0.05) as server:
            chat = chat_class("scripted", base_url=server.base_url)
            completions = await asyncio.gather(*(chat.complete(call) for _ in range(8)))
            await chat.close()
            return completions, server.calls

    completions, calls = asyncio.run(run())
    assert {completion.text for completion in completions} == {"yes"}
    assert calls <= 8 * 4


@both
def test_a_rejection_of_nothing_we_sent_is_not_asked_again(chat_class, call):
    def reject(_asked):
        return HttpReply(400, b'{"error": {"message": "the messages are in the wrong order"}}')

    [error], asked = ask(chat_class, call, script=reject)
    assert type(error) is errors.Rejected
    assert not error.retry_helps
    assert len(asked) == 1


@both
def test_the_same_rejection_for_ever_ends(chat_class, call):
    words = "temperature, tools, output_config, response_format, max_tokens, max_completion_tokens are not supported"
    [error], asked = ask(chat_class, call, script=lambda _: HttpReply(422, json.dumps({"detail": words}).encode()))
    assert type(error) is errors.Rejected
    assert len(asked) <= 6


@both
def test_a_validation_error_that_echoes_the_request_teaches_only_what_it_is_about(chat_class, call):
    def reject_temperature(asked):
        if "temperature" not in asked.body:
            return "supported"
        detail = [{"loc": ["body", "temperature"], "msg": "extra fields not permitted", "input": asked.body}]
        return HttpReply(422, json.dumps({"detail": detail}).encode())

    [completion], _ = ask(chat_class, call, script=reject_temperature)
    assert completion.dropped == ("temperature",)


@both
@pytest.mark.parametrize("fault", [fault for fault in Fault if fault is not Fault.HANG])
def test_the_key_is_sent_and_never_told(chat_class, call, fault):
    [outcome], asked = ask(chat_class, call, [FaultRule(fault, always=True)], timeout_seconds=SHORT_SECONDS)
    assert any(KEY in value for value in asked[0].headers.values())
    told = f"{outcome!s} {outcome!r} {getattr(outcome, '__cause__', None)!r}"
    assert KEY not in told
    assert "sk-secret" not in told


@both
def test_the_key_is_in_no_representation_of_a_chat(chat_class):
    chat = chat_class("m", base_url="http://127.0.0.1:1", key=KEY)
    assert KEY not in f"{chat!r} {chat.connection!r}"


@both
def test_a_closed_port_is_unreachable(chat_class, call):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

    with pytest.raises(errors.Unreachable, match=str(port)):
        asyncio.run(asking.complete_once(chat_class("m", base_url=f"http://127.0.0.1:{port}"), call))


@both
def test_a_chat_opens_anew_in_the_next_event_loop(chat_class, call):
    chat = chat_class("m", base_url="http://127.0.0.1:1")

    async def run():
        async with ScriptedServer() as server:
            chat.connection.url = chat.connection.url.with_port(int(server.base_url.split(":")[2].split("/")[0]))
            return (await asking.complete_once(chat, call)).finish_reason

    assert [asyncio.run(run()), asyncio.run(run())] == ["stop", "stop"]


@both
def test_a_proxy_from_the_environment_is_used(chat_class, call, monkeypatch):
    async def run():
        async with ScriptedServer() as proxy:
            monkeypatch.setenv("http_proxy", proxy.base_url.removesuffix("/v1"))
            monkeypatch.delenv("no_proxy", raising=False)
            monkeypatch.delenv("NO_PROXY", raising=False)
            await asking.complete_once(chat_class("m", base_url="http://judge.invalid/v1"), call)
            return proxy.asked[0].headers["Host"]

    assert asyncio.run(run()) == "judge.invalid"


@both
def test_this_machine_is_never_asked_through_a_proxy(chat_class, call, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    [completion], _ = ask(chat_class, call)
    assert completion.finish_reason == "stop"


@both
def test_a_redirect_is_not_followed(chat_class, call):
    elsewhere = HttpReply(307, b"", {"Location": "http://127.0.0.1:9/elsewhere"})
    [error], asked = ask(chat_class, call, script=lambda _: elsewhere)
    assert type(error) is errors.InputError
    assert len(asked) == 1


@both
def test_a_reply_without_end_is_refused(chat_class, call):
    [error], _ = ask(chat_class, call, script=lambda _: HttpReply(200, b" " * 4_100_000))
    assert type(error) is errors.Malformed
    assert "4 MB" in str(error)


@both
def test_an_error_under_a_200_is_still_an_error(chat_class, call):
    [error], _ = ask(
        chat_class, call, script=lambda _: HttpReply(200, b'{"error": {"code": 429, "message": "upstream is busy"}}')
    )
    assert type(error) is errors.RateLimited


@both
@pytest.mark.parametrize(
    "body", [b"[]", b"{}", b'"ok"', b'{"choices": []}', b'{"content": ["x"]}', b'{"choices": [{}]}', b"{"]
)
def test_a_body_off_the_protocol_is_malformed(chat_class, call, body):
    [error], _ = ask(chat_class, call, script=lambda _: HttpReply(200, body))
    assert type(error) is errors.Malformed


@both
def test_half_a_surrogate_pair_does_not_stop_a_call(chat_class, call):
    broken = replace(call.messages[1], text="half a pair: \ud83d")
    [completion], asked = ask(chat_class, replace(call, messages=(broken,)))
    assert completion.finish_reason == "stop"
    assert asked[0].prompt == "half a pair: ?"


GOOD = {"label": "supported", "grade": 3, "quotes": []}


def answer_with(change, reply=GOOD):
    """A good answer whose body is changed before it is sent."""

    def answer(asked):
        body = json.loads(render_reply(asked, Reply(json.dumps(reply))).body)
        return HttpReply(200, change(body).encode())

    return answer


def nest(levels):
    return "[" * levels + "]" * levels


@both
@pytest.mark.parametrize("levels", [100, 600, 1_000, 50_000])
@pytest.mark.parametrize("place", ['"model": %s', '"error": {"message": %s}', '"error": {"message": "x", "code": %s}'])
def test_nested_lists_in_a_body_are_malformed_or_an_error_of_the_endpoint(chat_class, call, levels, place):
    body = ("{" + place % nest(levels) + "}").encode()
    for status in (200, 500):
        [error], _ = ask(chat_class, call, script=lambda _, status=status: HttpReply(status, body))
        assert type(error) is (errors.Malformed if status == 200 else errors.Unreachable)


@pytest.mark.parametrize("levels", [100, 600, 2_000])
def test_a_tool_input_that_is_nested_too_deep_is_malformed(call, levels):
    def nest_input(body):
        return json.dumps(body).replace(json.dumps(GOOD), '{"label": ' + nest(levels) + "}")

    [error], _ = ask(AnthropicChat, call, script=answer_with(nest_input))
    assert type(error) is errors.Malformed


@both
def test_a_key_that_stands_twice_in_a_body_with_different_contents_is_ambiguous(chat_class, call):
    first = "choices" if chat_class is OpenAIChat else "content"
    twice = answer_with(lambda body: json.dumps(body).replace(f'"{first}"', f'"{first}": [], "{first}"'))
    [error], _ = ask(chat_class, call, script=twice)
    assert (type(error), error.status) == (errors.Ambiguous, "ambiguous")
    same = answer_with(lambda body: json.dumps(body).replace('"model"', f'"model": "{body["model"]}", "model"'))
    [completion], _ = ask(chat_class, call, script=same)
    assert json.loads(completion.text) == GOOD


def test_a_key_that_stands_twice_in_a_tool_input_is_ambiguous(call):
    twice = answer_with(lambda body: json.dumps(body).replace('"grade": 3', '"grade": 0, "grade": 100'))
    [error], _ = ask(AnthropicChat, call, script=twice)
    assert type(error) is errors.Ambiguous


def test_of_two_tool_inputs_none_is_left_out(call):
    def repeat(body):
        block = body["content"][0]
        return json.dumps({**body, "content": [block, block, {**block, "input": {**GOOD, "grade": 1}}]})

    [completion], _ = ask(AnthropicChat, call, script=answer_with(repeat))
    assert [json.loads(line)["grade"] for line in completion.text.splitlines()] == [3, 1]


@pytest.mark.parametrize(
    ("chat_class", "change"),
    [
        (OpenAIChat, {"finish_reason": "content_filter"}),
        (OpenAIChat, {"finish_reason": "CONTENT_FILTER"}),
        (OpenAIChat, {"refusal": "I can't."}),
        (OpenAIChat, {"refusal": ["I can't."]}),
        (AnthropicChat, {"stop_reason": "refusal"}),
    ],
)
def test_a_refusal_beside_a_reply_is_a_refusal(chat_class, call, change):
    def refuse(body):
        if chat_class is AnthropicChat:
            return json.dumps(body | change)
        choice = body["choices"][0]
        choice |= {name: value for name, value in change.items() if name == "finish_reason"}
        choice["message"] |= {name: value for name, value in change.items() if name == "refusal"}
        return json.dumps(body)

    [completion], _ = ask(chat_class, call, script=answer_with(refuse))
    assert completion.finish_reason == "refusal"


@both
@pytest.mark.parametrize(
    ("said", "kept"), [("gpt-9-mini", "gpt-9-mini"), (None, ""), (7, ""), ("a\x1b[2J" + "b" * 500, "a [2J" + "b" * 95)]
)
def test_the_model_that_answered_is_kept_as_far_as_it_can_be_shown(chat_class, call, said, kept):
    [completion], _ = ask(chat_class, call, script=answer_with(lambda body: json.dumps({**body, "model": said})))
    assert completion.model == kept


WORDS = {
    "stop": "stop end_turn stop_sequence tool_use EOS",
    "length": "length max_tokens model_context_window_exceeded",
    "refusal": "refusal content_filter",
    "other": "pause_turn something_new",
}


@pytest.mark.parametrize(
    ("word", "reason"), [*((word, reason) for reason in WORDS for word in WORDS[reason].split()), (None, "other")]
)
@both
def test_why_a_reply_ended_is_said_in_our_words(chat_class, call, word, reason):
    def end(body):
        if chat_class is OpenAIChat:
            body["choices"][0]["finish_reason"] = word
        return json.dumps({**body, "stop_reason": word})

    [completion], _ = ask(chat_class, call, script=answer_with(end))
    assert completion.finish_reason == reason
