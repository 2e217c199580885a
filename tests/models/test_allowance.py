"""What endpoints tell of their limits, in either dialect."""

import asyncio
import json
from datetime import UTC, datetime

import pytest

from assay import errors
from assay.models.openai import OpenAIChat
from assay.models.responses import Allowance, Window, read_allowance
from assay.testing.exchange import HttpReply
from assay.testing.scripted_server import ScriptedServer

NOW = datetime(2025, 8, 21, 12, 40, 0, tzinfo=UTC)


def openai(reset, limit="5000", left="4999"):
    return {
        "x-ratelimit-limit-requests": limit,
        "x-ratelimit-remaining-requests": left,
        "x-ratelimit-reset-requests": reset,
    }


@pytest.mark.parametrize(
    ("reset", "seconds"),
    [
        ("12ms", 0.012),
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("1h2m3.5s", 3723.5),
        ("7", 7.0),
        ("0", 0.0),
        ("2025-08-21T12:40:30Z", 30.0),
        ("2025-08-21T12:39:00Z", 0.0),
    ],
)
def test_a_reset_is_a_duration_or_a_moment(reset, seconds):
    allowance = read_allowance(openai(reset), NOW)
    assert allowance.requests == Window(5000, 4999, pytest.approx(seconds))


@pytest.mark.parametrize("reset", ["", "soon", "s", "6m 0s", "-3s", "nan", "1" * 400])
def test_a_reset_that_can_not_be_read_is_no_reset(reset):
    assert read_allowance(openai(reset), NOW) is None


@pytest.mark.parametrize("count", ["", "-1", "many", "1e9", "²", "9" * 5_000])
def test_a_count_that_can_not_be_read_is_no_count(count):
    assert read_allowance(openai("1s", left=count), NOW) is None


def test_the_other_dialect_is_read_by_the_endpoints_own_clock():
    headers = {
        "Date": "Thu, 21 Aug 2025 12:41:00 GMT",
        "anthropic-ratelimit-requests-limit": "1000",
        "anthropic-ratelimit-requests-remaining": "999",
        "anthropic-ratelimit-requests-reset": "2025-08-21T12:41:04Z",
        "anthropic-ratelimit-tokens-limit": "96000",
        "anthropic-ratelimit-tokens-remaining": "48000",
        "anthropic-ratelimit-tokens-reset": "2025-08-21T12:41:30Z",
    }
    assert read_allowance(headers) == Allowance(Window(1000, 999, 4.0), Window(96000, 48000, 30.0))


def test_no_headers_are_no_allowance():
    assert read_allowance({"Content-Type": "application/json"}) is None


@pytest.mark.parametrize(
    ("window", "needed", "seconds"),
    [
        (Window(100, 50, 10.0), 50, 0.0),
        (Window(100, 50, 10.0), 51, 0.2),
        (Window(100, 0, 10.0), 100, 10.0),
        (Window(100, 0, 10.0), 900, 10.0),
        (Window(100, 100, 0.0), 200, 0.0),
    ],
)
def test_what_is_missing_comes_back_evenly(window, needed, seconds):
    assert window.find_wait(needed) == pytest.approx(seconds)


def test_a_reply_carries_what_its_headers_said(call):
    def answer(asked):
        body = {"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}
        status = 200 if asked.number == 0 else 429
        return HttpReply(status, json.dumps(body).encode(), openai("10s", left="0", limit="100"))

    async def run():
        async with ScriptedServer(answer) as server:
            chat = OpenAIChat("m", base_url=server.base_url)
            completion = await chat.complete(call)
            with pytest.raises(errors.RateLimited) as caught:
                await chat.complete(call)
            await chat.close()
            return completion.allowance, caught.value.retry_after_seconds

    allowance, wait = asyncio.run(run())
    assert allowance == Allowance(Window(100, 0, 10.0))
    assert wait == pytest.approx(0.1), "no Retry-After, but one request of a hundred is back in a tenth of a second"


@pytest.mark.parametrize(("status", "overloaded"), [(500, False), (502, False), (503, True), (529, True)])
def test_an_endpoint_that_is_up_and_overloaded_says_so(call, status, overloaded):
    async def run():
        async with ScriptedServer(lambda _: HttpReply(status, b"{}")) as server:
            chat = OpenAIChat("m", base_url=server.base_url)
            with pytest.raises(errors.Unreachable) as caught:
                await chat.complete(call)
            await chat.close()
            return caught.value.overloaded

    assert asyncio.run(run()) is overloaded
