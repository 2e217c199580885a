"""A real model over a real connection: few calls, few tokens."""

import asyncio
import json
from dataclasses import replace

import pytest
from asking import complete_once

from assay import errors
from assay.models.anthropic import AnthropicChat
from assay.models.chat import Message
from assay.models.openai import OpenAIChat
from equipment.small_model import find_obstacle, run_small_model

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(find_obstacle() is not None, reason=find_obstacle() or ""),
]


@pytest.fixture(scope="module")
def small_model():
    with run_small_model(context_tokens=2048) as model:
        yield model


def ask(chat, call):
    return asyncio.run(complete_once(chat, call))


@pytest.fixture
def short_call(call):
    label = {
        "type": "object",
        "properties": {"label": {"enum": ["yes", "no"]}},
        "required": ["label"],
        "additionalProperties": False,
    }
    return replace(call, messages=(Message("user", "Is grass green? Answer yes or no."),), schema=label, max_tokens=48)


def test_it_answers_in_plain_words(small_model, short_call):
    completion = ask(
        OpenAIChat(small_model.model, base_url=small_model.base_url), replace(short_call, schema=None, max_tokens=4)
    )
    assert completion.text.strip()
    assert completion.finish_reason in ("stop", "length")
    assert completion.usage is not None
    assert 1 <= completion.usage.completion_tokens <= 4
    assert completion.model == small_model.model


def test_it_answers_within_a_schema(small_model, short_call):
    completion = ask(OpenAIChat(small_model.model, base_url=small_model.base_url), short_call)
    assert json.loads(completion.text)["label"] in ("yes", "no")
    assert completion.dropped == ()


def test_a_prompt_past_its_context_is_too_long(small_model, short_call):
    long = replace(short_call, messages=(Message("user", "word " * 3_000),))
    with pytest.raises(errors.TooLong, match="context"):
        ask(OpenAIChat(small_model.model, base_url=small_model.base_url), long)


def test_it_answers_in_the_other_api_too(small_model, short_call):
    completion = ask(
        AnthropicChat(small_model.model, base_url=small_model.base_url), replace(short_call, schema=None, max_tokens=4)
    )
    assert completion.text.strip()
